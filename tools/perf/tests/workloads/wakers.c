// SPDX-License-Identifier: GPL-2.0
/*
 * wakers [-n N] [MODE...]: one named thread wakes another N times, by one mechanism in each mode;
 * all modes one after another if none is named. The woken thread of a mode is called MODE.to, the
 * waking one, where there is one, MODE.by. Prints "MODE N SLEEPS" for each mode, SLEEPS being the
 * voluntary context switches of MODE.to, or "MODE skip REASON".
 *
 * Nobody waits for a time: the waker looks into /proc until the wakee sleeps. Thus every wakeup is
 * one of a sleeping task, and none is missing.
 */
#include "wakers-fd.h"
#include "wakers-lock.h"

#include <stdint.h>
#include <sys/resource.h>

#define MAX_SPINNERS 64

static const struct mode modes[] = {
	{ .name = "futex", .wait = futex_wait, .wake = futex_wake },
	{ .name = "futex-pi",
	  .setup = setup_pipe,
	  .wait = pi_wait,
	  .hold = pi_hold,
	  .release = wake_write },
	{ .name = "pipe", .setup = setup_pipe, .wait = wait_read, .wake = wake_write },
	{ .name = "unix", .setup = setup_unix, .wait = wait_read, .wake = wake_write },
	{ .name = "tcp", .setup = setup_tcp, .wait = wait_read, .wake = wake_write },
	{ .name = "udp", .setup = setup_udp, .wait = wait_read, .wake = wake_write },
	{ .name = "dgram", .setup = setup_dgram, .wait = wait_read, .wake = wake_write },
	{ .name = "pipe-full", .setup = setup_pipe_full, .wait = full_wait, .wake = full_wake },
	{ .name = "unix-full", .setup = setup_unix, .wait = full_wait, .wake = full_wake },
	{ .name = "tcp-full", .setup = setup_tcp, .wait = full_wait, .wake = full_wake },
	{ .name = "epoll", .setup = setup_epoll, .wait = epoll_wait_read, .wake = wake_write },
	{ .name = "poll", .setup = setup_pipe, .wait = poll_wait_read, .wake = wake_write },
	{ .name = "select", .setup = setup_pipe, .wait = select_wait_read, .wake = wake_write },
	{ .name = "eventfd", .setup = setup_eventfd, .wait = eventfd_wait, .wake = eventfd_wake },
	{ .name = "timer", .interrupt = true, .wait = timer_wait },
	{ .name = "posix-timer",
	  .interrupt = true,
	  .wait = posix_timer_wait,
	  .cleanup = posix_timer_cleanup },
	{ .name = "timerfd", .setup = setup_timerfd, .interrupt = true, .wait = timerfd_wait },
	{ .name = "signal", .wait = signal_wait, .wake = signal_wake },
	{ .name = "signalfd", .setup = setup_signalfd, .wait = signalfd_wait, .wake = signal_wake },
	{ .name = "child-exit", .wait = child_exit_wait },
	{ .name = "sem",
	  .setup = setup_sem,
	  .wait = sem_wait_one,
	  .wake = sem_wake,
	  .cleanup = sem_cleanup },
	{ .name = "msg",
	  .setup = setup_msg,
	  .wait = msg_wait,
	  .wake = msg_wake,
	  .cleanup = msg_cleanup },
	{ .name = "mq", .setup = setup_mq, .wait = mq_wait, .wake = mq_wake, .cleanup = mq_cleanup },
	{ .name = "io",
	  .setup = setup_io,
	  .interrupt = true,
	  .wait = io_wait,
	  .cleanup = free_pages },
	{ .name = "io-page",
	  .setup = setup_io_page,
	  .interrupt = true,
	  .wait = io_wait,
	  .cleanup = free_pages },
	{ .name = "workqueue", .setup = setup_pty, .wait = wait_read, .wake = wake_write },
	{ .name = "kthread", .setup = setup_hog, .wait = hog_wait, .cleanup = hog_cleanup },
	{ .name = "rcu", .setup = setup_rcu, .wait = rcu_wait, .nr = 31 },
	{ .name = "mutex",
	  .setup = setup_pty,
	  .wait = wait_read,
	  .hold = mutex_hold,
	  .release = mutex_release },
	{ .name = "rwsem",
	  .setup = setup_fault,
	  .wait = rwsem_wait,
	  .hold = rwsem_hold,
	  .release = rwsem_release,
	  .cleanup = fault_cleanup },
	{ .name = "flock",
	  .setup = setup_flock,
	  .wait = flock_wait,
	  .hold = flock_hold,
	  .release = flock_release },
	{ .name = "completion", .setup = setup_vfork, .wait = vfork_wait, .cleanup = vfork_cleanup },
};

static int mode__nr(void)
{
	return cur->nr && cur->nr < nr ? cur->nr : nr;
}

static long nr_sleeps(void)
{
	struct rusage ru;

	must(getrusage(RUSAGE_THREAD, &ru), "getrusage");
	return ru.ru_nvcsw;
}

static void *wakee(void *arg)
{
	long before;

	(void)arg;
	set_name("to");
	atomic_store(&wakee_tid, (int)syscall(SYS_gettid));
	await_count(&turn, 1);
	before = nr_sleeps();
	for (int i = 0; i < mode__nr(); i++) {
		await_count(&turn, i + 1);
		cur->wait(i);
		atomic_store(&done, i + 1);
	}
	sleeps = nr_sleeps() - before;
	return NULL;
}

static void *waker(void *arg)
{
	(void)arg;
	set_name("by");
	atomic_store(&waker_tid, (int)syscall(SYS_gettid));
	for (int i = 0; i < mode__nr(); i++) {
		await_count(&done, i);
		if (cur->hold) {
			atomic_store(&entered, i + 1);
			cur->hold(i);
			continue;
		}
		atomic_store(&turn, i + 1);
		await_sleep(wakee_stat);
		cur->wake(i);
	}
	return NULL;
}

/* The third thread: wakes the one that sleeps with the lock when the other one sleeps for it. */
static void release_all(void)
{
	waker_stat = open_stat(atomic_load(&waker_tid));
	for (int i = 0; i < mode__nr(); i++) {
		await_count(&entered, i + 1);
		await_sleep(waker_stat);
		atomic_store(&turn, i + 1);
		await_sleep(wakee_stat);
		cur->release(i);
	}
	close(waker_stat);
}

static void *spinner(void *arg)
{
	struct sched_param param = { 0 };
	int cpu = (int)(intptr_t)arg;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	must(sched_setaffinity(0, sizeof(set), &set), "sched_setaffinity");
	must(sched_setscheduler(0, SCHED_IDLE, &param), "SCHED_IDLE");
	while (!atomic_load(&m.stop))
		;
	return NULL;
}

/*
 * Keeps the CPUs from being idle: kernels are known that write no event at all while a CPU other
 * than the first is, and it is there that interrupts wake.
 */
static int start_spinners(pthread_t *threads)
{
	cpu_set_t all;
	int n = 0;

	must(sched_getaffinity(0, sizeof(all), &all), "sched_getaffinity");
	for (int cpu = 0; cpu < CPU_SETSIZE && n < MAX_SPINNERS; cpu++) {
		if (!CPU_ISSET(cpu, &all))
			continue;
		must(-pthread_create(&threads[n++], NULL, spinner, (void *)(intptr_t)cpu),
		     "pthread_create");
	}
	return n;
}

static void run_threads(void)
{
	bool by = cur->wake || cur->hold;
	pthread_t to_thread, by_thread, spinners[MAX_SPINNERS];
	int nr_spinners = cur->interrupt ? start_spinners(spinners) : 0;

	must(-pthread_create(&to_thread, NULL, wakee, NULL), "pthread_create");
	await_count(&wakee_tid, 1);
	wakee_stat = open_stat(atomic_load(&wakee_tid));
	if (by) {
		must(-pthread_create(&by_thread, NULL, waker, NULL), "pthread_create");
		await_count(&waker_tid, 1);
	} else {
		atomic_store(&turn, mode__nr());
	}
	if (cur->hold)
		release_all();
	if (by)
		pthread_join(by_thread, NULL);
	pthread_join(to_thread, NULL);
	close(wakee_stat);
	if (nr_spinners)
		atomic_store(&m.stop, true);
	while (nr_spinners)
		pthread_join(spinners[--nr_spinners], NULL);
}

static void run(const struct mode *mode)
{
	const char *reason;

	cur = mode;
	memset(&m, 0, sizeof(m));
	m.fd[0] = m.fd[1] = m.aux = -1;
	turn = done = entered = wakee_tid = waker_tid = 0;
	reason = mode->setup ? mode->setup() : NULL;
	if (reason) {
		printf("%s skip %s\n", mode->name, reason);
	} else {
		run_threads();
		printf("%s %d %ld\n", mode->name, mode__nr(), sleeps);
	}
	fflush(stdout);
	if (mode->cleanup && !reason)
		mode->cleanup();
	close(m.fd[0]);
	if (m.fd[1] != m.fd[0])
		close(m.fd[1]);
	close(m.aux);
}

int main(int argc, char **argv)
{
	const size_t nr_modes = sizeof(modes) / sizeof(modes[0]);
	sigset_t set;
	int first = 1;

	if (argc > 2 && !strcmp(argv[1], "-n")) {
		nr = atoi(argv[2]);
		first = 3;
	}
	if (nr < 1)
		return 2;
	/* a wakeup that never comes is a failure, not a hang */
	alarm(120);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	for (size_t k = 0; k < nr_modes; k++) {
		bool wanted = first >= argc;

		for (int i = first; i < argc; i++)
			wanted = wanted || !strcmp(argv[i], modes[k].name);
		if (wanted)
			run(&modes[k]);
	}
	return 0;
}
