/* SPDX-License-Identifier: GPL-2.0 */
/*
 * wakers-fd: how to sleep and to wake by files, sockets, timers, signals and queues.
 */
#ifndef WAKERS_FD_H
#define WAKERS_FD_H

#include "wakers.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

#define TMPFS 0x01021994
#define RAMFS 0x858458f6

/* pipe, unix, tcp, udp */

static const char *setup_pipe(void)
{
	return pipe(m.fd) ? strerror(errno) : NULL;
}

static const char *setup_unix(void)
{
	return socketpair(AF_UNIX, SOCK_STREAM, 0, m.fd) ? strerror(errno) : NULL;
}

static const char *setup_tcp(void)
{
	struct sockaddr_in addr = { .sin_family = AF_INET,
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(addr);
	int one = 1;

	m.aux = socket(AF_INET, SOCK_STREAM, 0);
	m.fd[1] = socket(AF_INET, SOCK_STREAM, 0);
	if (m.aux < 0 || m.fd[1] < 0 || bind(m.aux, (struct sockaddr *)&addr, len) ||
	    listen(m.aux, 1) || getsockname(m.aux, (struct sockaddr *)&addr, &len) ||
	    connect(m.fd[1], (struct sockaddr *)&addr, len))
		return strerror(errno);
	m.fd[0] = accept(m.aux, NULL, NULL);
	setsockopt(m.fd[1], IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	return m.fd[0] < 0 ? strerror(errno) : NULL;
}

static const char *setup_udp(void)
{
	struct sockaddr_in addr = { .sin_family = AF_INET,
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(addr);

	m.fd[0] = socket(AF_INET, SOCK_DGRAM, 0);
	m.fd[1] = socket(AF_INET, SOCK_DGRAM, 0);
	if (m.fd[0] < 0 || m.fd[1] < 0 || bind(m.fd[0], (struct sockaddr *)&addr, len) ||
	    getsockname(m.fd[0], (struct sockaddr *)&addr, &len) ||
	    connect(m.fd[1], (struct sockaddr *)&addr, len))
		return strerror(errno);
	return NULL;
}

static const char *setup_dgram(void)
{
	return socketpair(AF_UNIX, SOCK_DGRAM, 0, m.fd) ? strerror(errno) : NULL;
}

/*
 * The other direction: who writes waits for room, who reads makes it, until the writer is through.
 * Both ends of fd are sockets, or a pipe that holds a page.
 */
static const char *setup_pipe_full(void)
{
	if (pipe(m.fd) || fcntl(m.fd[1], F_SETPIPE_SZ, PAGE) < 0)
		return "no small pipes";
	return NULL;
}

static void full_wait(int i)
{
	char buf[PAGE] = { 0 };
	int flags = fcntl(m.fd[1], F_GETFL);

	(void)i;
	must(fcntl(m.fd[1], F_SETFL, flags | O_NONBLOCK), "F_SETFL");
	while (write(m.fd[1], buf, sizeof(buf)) > 0)
		;
	must(fcntl(m.fd[1], F_SETFL, flags), "F_SETFL");
	must(write(m.fd[1], buf, sizeof(buf)), "write");
}

static void full_wake(int i)
{
	struct pollfd pfd = { .fd = m.fd[0], .events = POLLIN };
	char buf[PAGE];

	while (atomic_load(&done) <= i) {
		if (poll(&pfd, 1, 0) > 0)
			must(read(m.fd[0], buf, sizeof(buf)), "read");
		else
			sched_yield();
	}
}

/* epoll, poll, eventfd */

static const char *setup_epoll(void)
{
	struct epoll_event ev = { .events = EPOLLIN };

	if (pipe(m.fd))
		return strerror(errno);
	m.aux = epoll_create1(0);
	return epoll_ctl(m.aux, EPOLL_CTL_ADD, m.fd[0], &ev) ? strerror(errno) : NULL;
}

static void epoll_wait_read(int i)
{
	struct epoll_event ev;

	must(epoll_wait(m.aux, &ev, 1, -1), "epoll_wait");
	wait_read(i);
}

static void poll_wait_read(int i)
{
	struct pollfd pfd = { .fd = m.fd[0], .events = POLLIN };

	must(poll(&pfd, 1, -1), "poll");
	wait_read(i);
}

static void select_wait_read(int i)
{
	fd_set set;

	FD_ZERO(&set);
	FD_SET(m.fd[0], &set);
	must(select(m.fd[0] + 1, &set, NULL, NULL, NULL), "select");
	wait_read(i);
}

static const char *setup_eventfd(void)
{
	m.fd[0] = m.fd[1] = eventfd(0, 0);
	return m.fd[0] < 0 ? strerror(errno) : NULL;
}

static void eventfd_wait(int i)
{
	eventfd_t val;

	(void)i;
	must(eventfd_read(m.fd[0], &val), "eventfd_read");
}

static void eventfd_wake(int i)
{
	(void)i;
	must(eventfd_write(m.fd[1], 1), "eventfd_write");
}

/* timers */

static const struct itimerspec soon = { .it_value = { .tv_nsec = 300000 } };

static void timer_wait(int i)
{
	(void)i;
	must(-clock_nanosleep(CLOCK_MONOTONIC, 0, &soon.it_value, NULL), "clock_nanosleep");
}

static const char *setup_timerfd(void)
{
	m.fd[0] = timerfd_create(CLOCK_MONOTONIC, 0);
	return m.fd[0] < 0 ? strerror(errno) : NULL;
}

static void timerfd_wait(int i)
{
	unsigned long long val;

	(void)i;
	must(timerfd_settime(m.fd[0], 0, &soon, NULL), "timerfd_settime");
	must(read(m.fd[0], &val, sizeof(val)), "read");
}

static void signal_wait(int i)
{
	sigset_t set;
	int sig;

	(void)i;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	must(-sigwait(&set, &sig), "sigwait");
}

static void posix_timer_wait(int i)
{
	if (!i) {
		struct sigevent ev = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1 };

		ev._sigev_un._tid = atomic_load(&wakee_tid);
		must(timer_create(CLOCK_MONOTONIC, &ev, &m.timer), "timer_create");
	}
	must(timer_settime(m.timer, 0, &soon, NULL), "timer_settime");
	signal_wait(i);
}

static void posix_timer_cleanup(void)
{
	timer_delete(m.timer);
}

static void signal_wake(int i)
{
	(void)i;
	must(syscall(SYS_tgkill, getpid(), atomic_load(&wakee_tid), SIGUSR1), "tgkill");
}

static const char *setup_signalfd(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	m.fd[0] = signalfd(-1, &set, 0);
	return m.fd[0] < 0 ? strerror(errno) : NULL;
}

static void signalfd_wait(int i)
{
	struct signalfd_siginfo info;

	(void)i;
	must(read(m.fd[0], &info, sizeof(info)), "read");
}

/* sem, msg */

static const char *setup_sem(void)
{
	m.aux = semget(IPC_PRIVATE, 1, 0600);
	return m.aux < 0 ? strerror(errno) : NULL;
}

static void sem_op(int by)
{
	struct sembuf op = { .sem_op = (short)by };

	must(semop(m.aux, &op, 1), "semop");
}

static void sem_wait_one(int i)
{
	(void)i;
	sem_op(-1);
}

static void sem_wake(int i)
{
	(void)i;
	sem_op(1);
}

static void sem_cleanup(void)
{
	semctl(m.aux, 0, IPC_RMID);
	m.aux = -1;
}

static const char *setup_msg(void)
{
	m.aux = msgget(IPC_PRIVATE, 0600);
	return m.aux < 0 ? strerror(errno) : NULL;
}

static void msg_wait(int i)
{
	struct {
		long type;
		char text[8];
	} msg;

	(void)i;
	must(msgrcv(m.aux, &msg, sizeof(msg.text), 0, 0), "msgrcv");
}

static void msg_wake(int i)
{
	struct {
		long type;
		char text[8];
	} msg = { .type = 1 };

	(void)i;
	must(msgsnd(m.aux, &msg, sizeof(msg.text), 0), "msgsnd");
}

static void msg_cleanup(void)
{
	msgctl(m.aux, IPC_RMID, NULL);
	m.aux = -1;
}

static const char *setup_mq(void)
{
	struct mq_attr attr = { .mq_maxmsg = 2, .mq_msgsize = 8 };
	char name[32];

	snprintf(name, sizeof(name), "/wakers-%d", (int)getpid());
	m.mq = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attr);
	if (m.mq == (mqd_t)-1)
		return strerror(errno);
	mq_unlink(name);
	return NULL;
}

static void mq_wait(int i)
{
	char buf[8];

	(void)i;
	must(mq_receive(m.mq, buf, sizeof(buf), NULL), "mq_receive");
}

static void mq_wake(int i)
{
	(void)i;
	must(mq_send(m.mq, "x", 1, 0), "mq_send");
}

static void mq_cleanup(void)
{
	mq_close(m.mq);
}

/* io: reads of a file in the current directory, direct and through the page cache */

static const char *setup_file(int flags)
{
	char name[] = "wakers-io.XXXXXX";
	struct statfs fs;
	int fd = mkstemp(name);

	if (fd < 0 || fstatfs(fd, &fs))
		return "no file can be made in the current directory";
	m.pages = aligned_alloc(PAGE, PAGE);
	memset(m.pages, 'x', PAGE);
	for (int i = 0; i < nr; i++)
		must(write(fd, m.pages, PAGE), "write");
	must(fsync(fd), "fsync");
	must(-posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED), "posix_fadvise");
	close(fd);
	m.fd[0] = open(name, O_RDONLY | flags);
	unlink(name);
	if (m.fd[0] < 0 || fs.f_type == TMPFS || fs.f_type == RAMFS)
		return "the current directory is not on a block device";
	must(-posix_fadvise(m.fd[0], 0, 0, POSIX_FADV_RANDOM), "posix_fadvise");
	return NULL;
}

static const char *setup_io(void)
{
	return setup_file(O_DIRECT);
}

static const char *setup_io_page(void)
{
	return setup_file(0);
}

static void io_wait(int i)
{
	must(pread(m.fd[0], m.pages, PAGE, (off_t)i * PAGE), "pread");
}

static void free_pages(void)
{
	free(m.pages);
}

#endif
