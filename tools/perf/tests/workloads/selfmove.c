// SPDX-License-Identifier: GPL-2.0
/*
 * selfmove N [A B]: a running thread moves itself N times between CPUs A and B (the first two that
 * are allowed) by sched_setaffinity(), and never sleeps in between. Prints "TID MOVES".
 *
 * The thread is born on its CPU and may run on that one alone, so nothing else can move it: neither
 * its placement nor the load balancer. After each call it runs on the other CPU, or the program
 * fails.
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int cpus[2], moves, moved, tid;

static int pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

/* About 2 ms of work, so that the slices are more than the moves themselves. */
static void work(void)
{
	volatile int i;

	for (i = 0; i < 500000; i++)
		;
}

static void *mover(void *arg)
{
	int i;

	(void)arg;
	tid = (int)syscall(SYS_gettid);
	for (i = 0; i < moves; i++) {
		work();
		if (pin(cpus[(i + 1) % 2]) || sched_getcpu() != cpus[(i + 1) % 2])
			return NULL;
		moved++;
	}
	work();
	return NULL;
}

int main(int argc, char **argv)
{
	cpu_set_t set;
	pthread_t t;
	int i, n = 0;

	moves = argc > 1 ? atoi(argv[1]) : 23;
	if (sched_getaffinity(0, sizeof(set), &set))
		return 1;
	for (i = 0; i < CPU_SETSIZE && n < 2; i++)
		if (CPU_ISSET(i, &set))
			cpus[n++] = i;
	if (argc > 3) {
		cpus[0] = atoi(argv[2]);
		cpus[1] = atoi(argv[3]);
		n = 2;
	}
	if (n < 2) {
		fprintf(stderr, "selfmove: needs two CPUs\n");
		return 2;
	}
	if (pin(cpus[0]) || pthread_create(&t, NULL, mover, NULL) || pthread_join(t, NULL))
		return 1;
	printf("%d %d\n", tid, moved);
	return moved == moves ? 0 : 1;
}
