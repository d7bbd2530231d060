// SPDX-License-Identifier: GPL-2.0
/*
 * missmove N: N times moves itself to the other of two CPUs and touches 40 new pages there in
 * touch_after_move(), sleeps, and touches 10 more in touch_always(). Prints nothing.
 */
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { PAGE = 4096, AFTER = 40, ALWAYS = 10 };

static inline __attribute__((always_inline)) void touch_one(char *p)
{
	*(volatile char *)p = 1;
}

static __attribute__((noinline)) void touch_after_move(char *p)
{
	for (int i = 0; i < AFTER; i++)
		touch_one(p + (long)PAGE * i);
}

static __attribute__((noinline)) void touch_always(char *p)
{
	for (int i = 0; i < ALWAYS; i++)
		*(volatile char *)(p + (long)PAGE * i) = 1;
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

int main(int argc, char **argv)
{
	const struct timespec nap = { 0, 500000 };
	int n = argc > 1 ? atoi(argv[1]) : 100;

	for (int i = 0; i < n; i++) {
		char *p = mmap(NULL, (AFTER + ALWAYS) * PAGE, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p == MAP_FAILED)
			return 1;
		pin(i % 2);
		touch_after_move(p);
		nanosleep(&nap, NULL);
		touch_always(p + AFTER * PAGE);
		nanosleep(&nap, NULL);
		munmap(p, (AFTER + ALWAYS) * PAGE);
	}
	return 0;
}
