// SPDX-License-Identifier: GPL-2.0
/*
 * pairs [THREADS [TOKENS [HOPS [SEED]]]]: threads that wake each other at random, so that a
 * recording has nearly THREADS * (THREADS - 1) pairs of waker and wakee (default: 400, so 159,600).
 *
 * Each thread sleeps on an eventfd of its own. TOKENS (64) wander: who gets one hands it to a
 * random other thread, HOPS (750,000) times in all. A hop to a thread that is not asleep is no
 * wakeup; at 4.7 hops for each pair few pairs are missed. Prints "THREADS HOPS PAIRS", the pairs
 * that a token crossed.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define MAX_THREADS 10000

static long threads = 400, tokens = 64, hops = 750000, seed = 1;
static int fd[MAX_THREADS];
static uint8_t *crossed; /* [from * threads + to]; a thread writes to its own row only */
static atomic_long done;

static void hand_to(long to)
{
	static const uint64_t one = 1;

	if (write(fd[to], &one, sizeof(one)) != sizeof(one))
		abort();
}

static void *hopper(void *arg)
{
	long self = (long)(intptr_t)arg, to, i;
	uint64_t got, x = (uint64_t)(seed * MAX_THREADS + self + 1) * 0x9e3779b97f4a7c15ull;

	while (read(fd[self], &got, sizeof(got)) == sizeof(got)) {
		i = atomic_fetch_add(&done, 1);
		if (i == hops)
			for (to = 0; to < threads; to++)
				hand_to(to);
		if (i >= hops)
			break;
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		to = (long)((x >> 11) % (uint64_t)(threads - 1));
		to += to >= self;
		crossed[self * threads + to] = 1;
		hand_to(to);
	}
	return NULL;
}

static int number(const char *s, long min, long max, long *ret_n)
{
	char *end;

	*ret_n = strtol(s, &end, 10);
	return !*s || *end || *ret_n < min || *ret_n > max;
}

static int start(pthread_t *t)
{
	pthread_attr_t attr;
	long i;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 256 << 10);
	for (i = 0; i < threads; i++) {
		fd[i] = eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC);
		if (fd[i] < 0)
			return -1;
	}
	for (i = 0; i < threads; i++)
		if (pthread_create(&t[i], &attr, hopper, (void *)(intptr_t)i))
			return -1;
	return 0;
}

static int parse(int argc, char **argv)
{
	return argc > 5 || (argc > 1 && number(argv[1], 2, MAX_THREADS, &threads)) ||
	       (argc > 2 && number(argv[2], 1, 1000000, &tokens)) ||
	       (argc > 3 && number(argv[3], 1, INT32_MAX, &hops)) ||
	       (argc > 4 && number(argv[4], 0, INT32_MAX, &seed));
}

int main(int argc, char **argv)
{
	long i, pairs = 0;
	pthread_t *t;

	if (parse(argc, argv)) {
		fprintf(stderr, "Usage: pairs [THREADS [TOKENS [HOPS [SEED]]]]\n");
		return 2;
	}
	t = calloc((size_t)threads, sizeof(*t));
	crossed = calloc((size_t)threads, (size_t)threads);
	if (!t || !crossed || start(t)) {
		perror("pairs");
		return 1;
	}
	for (i = 0; i < tokens; i++)
		hand_to(i % threads);
	for (i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	for (i = 0; i < threads * threads; i++)
		pairs += crossed[i];
	printf("%ld %ld %ld\n", threads, hops, pairs);
	free(crossed);
	free(t);
	return 0;
}
