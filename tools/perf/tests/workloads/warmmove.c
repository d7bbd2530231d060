// SPDX-License-Identifier: GPL-2.0
/*
 * warmmove KIB N: a thread that sleeps and then touches KIB, N times, while another moves it from
 * one of two CPUs to the other now and then, at random, mostly in its sleeps. Each touch is timed;
 * prints the medians of touches on another CPU than the one before and of those on the same, and
 * how many: "moved_ns stayed_ns moved stayed".
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

enum { LINE = 64 };

static long kib, n;
static double *side[2];
static long nr[2];
static volatile unsigned long sum;
static atomic_bool over;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void touch(char *p)
{
	for (long i = 0; i < kib * 1024; i += LINE) {
		sum += (unsigned long)p[i];
		p[i]++;
	}
}

static void *worker(void *arg)
{
	const struct timespec nap = { 0, 600000 };
	char *p = aligned_alloc(4096, (size_t)kib * 1024);
	int last = -1;

	(void)arg;
	prctl(PR_SET_NAME, "warm-worker");
	for (long i = 0; i < kib * 1024; i++)
		p[i] = 0;
	for (long i = 0; i < n; i++) {
		double t;
		int cpu;

		nanosleep(&nap, NULL);
		cpu = sched_getcpu();
		t = now();
		touch(p);
		t = now() - t;
		if (last >= 0 && cpu == sched_getcpu())
			side[cpu != last][nr[cpu != last]++] = t;
		last = sched_getcpu();
	}
	atomic_store(&over, true);
	free(p);
	return NULL;
}

static void pin(pthread_t t, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	pthread_setaffinity_np(t, sizeof(set), &set);
}

int main(int argc, char **argv)
{
	pthread_t t;
	int cpu = 0;

	if (argc != 3)
		return 2;
	kib = atol(argv[1]);
	n = atol(argv[2]);
	side[0] = calloc((size_t)n + 1, sizeof(double));
	side[1] = calloc((size_t)n + 1, sizeof(double));
	if (kib < 1 || n < 1 || !side[0] || !side[1])
		return 2;
	srand(1);
	pthread_create(&t, NULL, worker, NULL);
	while (!atomic_load(&over)) {
		const struct timespec nap = { 0, 700000 + rand() % 1500000 };

		nanosleep(&nap, NULL);
		cpu = !cpu;
		pin(t, cpu);
	}
	pthread_join(t, NULL);
	for (int i = 0; i < 2; i++)
		qsort(side[i], (size_t)nr[i], sizeof(double), compare);
	printf("%.0f %.0f %ld %ld\n", nr[1] ? side[1][nr[1] / 2] : 0,
	       nr[0] ? side[0][nr[0] / 2] : 0, nr[1], nr[0]);
	return 0;
}
