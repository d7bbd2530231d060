// SPDX-License-Identifier: GPL-2.0
/*
 * hop N CPU_A CPU_B HOGS: "hop-a" on CPU_A and "hop-b" on CPU_B hand a byte to each other N times
 * through two pipes. Meanwhile HOGS tasks "hop-hog" compute on CPU_B: 3 ms of each 4, under
 * SCHED_FIFO, so that hop-b waits in the queue behind them whatever the fair class thinks of it.
 * For tests of what a run delay is made of. Ends with 0 when all was handed over.
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void be(const char *name, int cpu, int policy)
{
	const struct sched_param param = { .sched_priority = policy == SCHED_FIFO };
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	prctl(PR_SET_NAME, name);
	if (sched_setaffinity(0, sizeof(set), &set) || sched_setscheduler(0, policy, &param)) {
		perror(name);
		exit(1);
	}
}

static void hand(int from, int to, int n)
{
	char c;

	while (n-- > 0)
		if (read(from, &c, 1) != 1 || write(to, "x", 1) != 1)
			exit(1);
}

static void hog_on(void)
{
	struct timespec from, now;

	for (;;) {
		clock_gettime(CLOCK_MONOTONIC, &from);
		do
			clock_gettime(CLOCK_MONOTONIC, &now);
		while ((now.tv_sec - from.tv_sec) * 1000000000L + now.tv_nsec - from.tv_nsec <
		       3000000);
		usleep(1000);
	}
}

int main(int argc, char **argv)
{
	int n, a, b, nr_hogs, i, there[2], back[2];
	pid_t hog[8], peer;

	if (argc != 5)
		return 2;
	n = atoi(argv[1]);
	a = atoi(argv[2]);
	b = atoi(argv[3]);
	nr_hogs = atoi(argv[4]);
	if (nr_hogs > 8 || pipe(there) || pipe(back))
		return 2;
	for (i = 0; i < nr_hogs; i++) {
		hog[i] = fork();
		if (!hog[i]) {
			be("hop-hog", b, SCHED_FIFO);
			hog_on();
		}
	}
	peer = fork();
	if (!peer) {
		be("hop-b", b, SCHED_OTHER);
		hand(there[0], back[1], n);
		return 0;
	}
	be("hop-a", a, SCHED_OTHER);
	if (write(there[1], "x", 1) != 1)
		return 1;
	hand(back[0], there[1], n);
	for (i = 0; i < nr_hogs; i++)
		kill(hog[i], SIGKILL);
	while (wait(NULL) > 0)
		;
	return 0;
}
