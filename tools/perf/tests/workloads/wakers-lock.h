/* SPDX-License-Identifier: GPL-2.0 */
/*
 * wakers-lock: how to sleep and to wake by futexes, children, and what else the kernel keeps.
 */
#ifndef WAKERS_LOCK_H
#define WAKERS_LOCK_H

#include "wakers.h"

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <linux/userfaultfd.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>

/* futex */

static long futex(int op, int val)
{
	return syscall(SYS_futex, &m.word, op, val, NULL, NULL, 0);
}

static void futex_wait(int i)
{
	while (atomic_load(&m.word) == i)
		futex(FUTEX_WAIT_PRIVATE, i);
}

static void futex_wake(int i)
{
	atomic_store(&m.word, i + 1);
	must(futex(FUTEX_WAKE_PRIVATE, 1), "FUTEX_WAKE");
}

/* The owner sleeps with the lock: as long as it runs, the kernel spins instead of sleeping. */
static void pi_hold(int i)
{
	(void)i;
	must(futex(FUTEX_LOCK_PI_PRIVATE, 0), "FUTEX_LOCK_PI");
	read_one(m.fd[0]);
	must(futex(FUTEX_UNLOCK_PI_PRIVATE, 0), "FUTEX_UNLOCK_PI");
}

static void pi_wait(int i)
{
	(void)i;
	must(futex(FUTEX_LOCK_PI_PRIVATE, 0), "FUTEX_LOCK_PI");
	must(futex(FUTEX_UNLOCK_PI_PRIVATE, 0), "FUTEX_UNLOCK_PI");
}

/* child-exit, completion: the child is the waker */

static int child(void *arg)
{
	(void)arg;
	set_name("by");
	await_sleep(wakee_stat);
	_exit(0);
}

static void child_exit_wait(int i)
{
	pid_t pid = fork();

	(void)i;
	must(pid, "fork");
	if (!pid)
		child(NULL);
	must(waitpid(pid, NULL, 0), "waitpid");
}

/* The child is reaped at once, so that its parent need not wait a second time. */
static const char *setup_vfork(void)
{
	signal(SIGCHLD, SIG_IGN);
	m.pages = aligned_alloc(PAGE, 16 * PAGE);
	return m.pages ? NULL : strerror(errno);
}

static void vfork_wait(int i)
{
	(void)i;
	must(clone(child, m.pages + 16 * PAGE, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL), "clone");
}

static void vfork_cleanup(void)
{
	signal(SIGCHLD, SIG_DFL);
	free(m.pages);
}

/* workqueue: what is written to a terminal's master is handed on by a kworker */

static const char *setup_pty(void)
{
	struct termios tio;

	m.fd[1] = posix_openpt(O_RDWR | O_NOCTTY);
	if (m.fd[1] < 0 || grantpt(m.fd[1]) || unlockpt(m.fd[1]))
		return "no pseudo terminals";
	m.fd[0] = open(ptsname(m.fd[1]), O_RDWR | O_NOCTTY);
	if (m.fd[0] < 0 || tcgetattr(m.fd[0], &tio))
		return "no pseudo terminals";
	cfmakeraw(&tio);
	tcsetattr(m.fd[0], TCSANOW, &tio);
	return NULL;
}

/*
 * mutex: a terminal has a mutex for its readers, and the first keeps it while it waits. Two
 * characters are there when it wakes, one for each, so that the second sleeps at the mutex only.
 */
static void mutex_hold(int i)
{
	wait_read(i);
}

static void mutex_release(int i)
{
	(void)i;
	must(write(m.fd[1], "xy", 2), "write");
}

/* rwsem: a writer keeps the file's i_rwsem while it waits for a page of its buffer */

static const char *setup_fault(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register reg = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	size_t size = (size_t)nr * PAGE;

	m.aux = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	if (m.aux < 0 || ioctl(m.aux, UFFDIO_API, &api))
		return "no userfaultfd: nothing else makes the owner of an rwsem sleep";
	m.fd[0] = memfd_create("wakers", 0);
	m.pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (m.fd[0] < 0 || m.pages == MAP_FAILED)
		return strerror(errno);
	reg.range.start = (unsigned long)m.pages;
	reg.range.len = size;
	return ioctl(m.aux, UFFDIO_REGISTER, &reg) ? "userfaultfd takes no anonymous memory" : NULL;
}

static void rwsem_hold(int i)
{
	must(pwrite(m.fd[0], m.pages + (size_t)i * PAGE, PAGE, 0), "pwrite");
}

static void rwsem_wait(int i)
{
	(void)i;
	must(pwrite(m.fd[0], "x", 1, 0), "pwrite");
}

static void rwsem_release(int i)
{
	struct uffdio_zeropage zero = { .range.start = (unsigned long)m.pages + (size_t)i * PAGE,
					.range.len = PAGE };

	must(ioctl(m.aux, UFFDIO_ZEROPAGE, &zero), "UFFDIO_ZEROPAGE");
}

static void fault_cleanup(void)
{
	munmap(m.pages, (size_t)nr * PAGE);
}

/* kthread: a running thread is moved off its CPU by the stopper, and the mover waits for that */

static void *hog(void *arg)
{
	(void)arg;
	atomic_store(&waker_tid, (int)syscall(SYS_gettid));
	set_name("hog");
	while (!atomic_load(&m.stop))
		atomic_store(&m.hog_cpu, sched_getcpu());
	return NULL;
}

static const char *setup_hog(void)
{
	cpu_set_t all;
	int cpu, n = 0;

	must(sched_getaffinity(0, sizeof(all), &all), "sched_getaffinity");
	for (cpu = 0; cpu < CPU_SETSIZE && n < 2; cpu++) {
		if (!CPU_ISSET(cpu, &all))
			continue;
		CPU_ZERO(&m.cpus[n]);
		CPU_SET(cpu, &m.cpus[n++]);
		m.cpu = cpu;
	}
	if (n < 2)
		return "needs two CPUs";
	must(-pthread_create(&m.hog, NULL, hog, NULL), "pthread_create");
	await_count(&waker_tid, 1);
	return NULL;
}

static void hog_wait(int i)
{
	pid_t tid = atomic_load(&waker_tid);

	if (!i)
		must(sched_setaffinity(0, sizeof(cpu_set_t), &m.cpus[0]), "sched_setaffinity");
	atomic_store(&m.hog_cpu, -1);
	must(sched_setaffinity(tid, sizeof(cpu_set_t), &m.cpus[1]), "sched_setaffinity");
	/* it must run there by now: the stopper is asked for running threads only */
	while (atomic_load(&m.hog_cpu) != m.cpu)
		;
	must(sched_setaffinity(tid, sizeof(cpu_set_t), &m.cpus[0]), "sched_setaffinity");
}

static void hog_cleanup(void)
{
	atomic_store(&m.stop, true);
	pthread_join(m.hog, NULL);
}

/* rcu */

static const char *setup_rcu(void)
{
	long cmds = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);

	if (cmds < 0 || !(cmds & MEMBARRIER_CMD_GLOBAL))
		return "no membarrier() that waits for RCU";
	return sysconf(_SC_NPROCESSORS_ONLN) < 2 ? "needs two CPUs" : NULL;
}

static void rcu_wait(int i)
{
	(void)i;
	must(syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0), "membarrier");
}
/* flock: woken by a function of its own, which is none of the mechanisms */

static const char *setup_flock(void)
{
	char path[64];

	m.fd[0] = memfd_create("wakers", 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", m.fd[0]);
	m.fd[1] = open(path, O_RDWR);
	m.aux = eventfd(0, 0);
	return m.fd[0] < 0 || m.fd[1] < 0 || m.aux < 0 ? strerror(errno) : NULL;
}

static void flock_hold(int i)
{
	eventfd_t val;

	(void)i;
	must(flock(m.fd[0], LOCK_EX), "flock");
	must(eventfd_read(m.aux, &val), "eventfd_read");
	must(flock(m.fd[0], LOCK_UN), "flock");
}

static void flock_wait(int i)
{
	(void)i;
	must(flock(m.fd[1], LOCK_EX), "flock");
	must(flock(m.fd[1], LOCK_UN), "flock");
}

static void flock_release(int i)
{
	(void)i;
	must(eventfd_write(m.aux, 1), "eventfd_write");
}

#endif
