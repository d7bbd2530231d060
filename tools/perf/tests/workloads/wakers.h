/* SPDX-License-Identifier: GPL-2.0 */
/*
 * wakers: what the two threads of wakers.c share, and how they wait for one another.
 */
#ifndef WAKERS_H
#define WAKERS_H

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096

/* One run of a mode. */
static struct {
	int fd[2]; /* what the wakee waits at, what the waker writes to */
	int aux;
	_Atomic int word; /* the futex */
	char *pages; /* memory whose faults release() answers, or the buffer of direct reads */
	timer_t timer;
	mqd_t mq;
	cpu_set_t cpus[2];
	int cpu;
	pthread_t hog;
	_Atomic int hog_cpu;
	_Atomic bool stop;
} m;

/* The progress of the two threads; each number is how often. */
static _Atomic int turn; /* the wakee may go to sleep */
static _Atomic int done; /* the wakee was woken */
static _Atomic int entered; /* the holder is about to block */
static _Atomic int wakee_tid, waker_tid;
static int wakee_stat = -1, waker_stat = -1;

static int nr = 101;
static long sleeps;
static const struct mode *cur;

/*
 * wait(): the wakee sleeps until woken. wake(): the waker wakes it. hold(), instead of wake(): the
 * waker blocks in the kernel while it holds the lock that the wakee wants, until a third thread
 * calls release(). setup() returns a reason against the mode, or NULL.
 */
struct mode {
	const char *name;
	const char *(*setup)(void);
	void (*wait)(int i);
	void (*wake)(int i);
	void (*hold)(int i);
	void (*release)(int i);
	void (*cleanup)(void);
	int nr; /* other than the usual number */
	bool interrupt; /* it is an interrupt that wakes */
};

static void die(const char *what)
{
	fprintf(stderr, "wakers: %s: %s: %s\n", cur ? cur->name : "start", what, strerror(errno));
	_exit(1);
}

static void must(long ret, const char *what)
{
	if (ret < 0)
		die(what);
}

static void set_name(const char *suffix)
{
	char name[16];

	snprintf(name, sizeof(name), "%s.%s", cur->name, suffix);
	prctl(PR_SET_NAME, name);
}

static int open_stat(int tid)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	must(fd, path);
	return fd;
}

static bool sleeping(int stat_fd)
{
	char buf[256], *end;
	ssize_t len = pread(stat_fd, buf, sizeof(buf) - 1, 0);

	if (len <= 0)
		return false;
	buf[len] = '\0';
	end = strrchr(buf, ')');
	return end && (end[2] == 'S' || end[2] == 'D');
}

static void await_sleep(int stat_fd)
{
	while (!sleeping(stat_fd))
		sched_yield();
}

static void await_count(_Atomic int *count, int want)
{
	while (atomic_load(count) < want)
		sched_yield();
}

static void write_one(int fd)
{
	must(write(fd, "x", 1), "write");
}

static void read_one(int fd)
{
	char c;

	must(read(fd, &c, 1), "read");
}

static void wait_read(int i)
{
	(void)i;
	read_one(m.fd[0]);
}

static void wake_write(int i)
{
	(void)i;
	write_one(m.fd[1]);
}

#endif
