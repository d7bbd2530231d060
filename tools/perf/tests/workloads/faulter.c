// SPDX-License-Identifier: GPL-2.0
/*
 * faulter N: threads "faulter" that touch a fresh page every 20 us of their CPU time, whatever CPU
 * they are on; a thread "mover" wakes one of them N times, for 0.2 to 2 ms of work, and before that
 * lets it run on one CPU alone that it draws by lot, as its own.
 *
 * So slices that moved and slices that stayed, near and far of the mover, have the same page faults
 * in each ms: 50. A report that shows a difference invents it. Prints "N PAGES".
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define THREADS   3
#define PAGES     1024
#define PAGE_NS   20000
#define PAGE_SIZE 4096

struct worker {
	pthread_t thread;
	int fd[2];
	atomic_bool busy;
	unsigned long pages;
};

static struct worker worker[THREADS];
static int cpus[CPU_SETSIZE], nr_cpus;

static uint64_t cpu_time(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static void pin(pthread_t t)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpus[rand() % nr_cpus], &set);
	pthread_setaffinity_np(t, sizeof(set), &set);
}

static void *work(void *arg)
{
	struct worker *w = arg;
	uint64_t next = 0, end, now;
	uint8_t quanta;
	char *mem;

	prctl(PR_SET_NAME, "faulter");
	mem = mmap(NULL, PAGES * PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		   0);
	if (mem == MAP_FAILED)
		exit(1);
	madvise(mem, PAGES * PAGE_SIZE, MADV_NOHUGEPAGE);
	next = cpu_time();
	while (read(w->fd[0], &quanta, 1) == 1) {
		end = cpu_time() + quanta * UINT64_C(100000);
		while ((now = cpu_time()) < end) {
			if (now < next)
				continue;
			mem[w->pages++ % PAGES * PAGE_SIZE] = 1;
			if (w->pages % PAGES == 0)
				madvise(mem, PAGES * PAGE_SIZE, MADV_DONTNEED);
			next += PAGE_NS;
		}
		w->busy = false;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	const struct timespec ms = { .tv_nsec = 1000000 };
	int i, n = argc > 1 ? atoi(argv[1]) : 1000;
	unsigned long pages = 0;
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		return 1;
	for (i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set))
			cpus[nr_cpus++] = i;
	srand(1);
	prctl(PR_SET_NAME, "mover");
	for (i = 0; i < THREADS; i++)
		if (pipe(worker[i].fd) || pthread_create(&worker[i].thread, NULL, work, &worker[i]))
			return 1;
	for (i = 0; i < n; i++) {
		struct worker *w = &worker[rand() % THREADS];
		uint8_t quanta = (uint8_t)(2 + rand() % 19);

		while (w->busy)
			nanosleep(&ms, NULL);
		pin(pthread_self());
		pin(w->thread);
		w->busy = true;
		if (write(w->fd[1], &quanta, 1) != 1)
			return 1;
		nanosleep(&ms, NULL);
	}
	for (i = 0; i < THREADS; i++) {
		close(worker[i].fd[1]);
		pthread_join(worker[i].thread, NULL);
		pages += worker[i].pages;
	}
	printf("%d %lu\n", n, pages);
	return 0;
}
