// SPDX-License-Identifier: GPL-2.0
#include "cost-pair.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "cost-touch.h"
#include "err.h"

enum { PROBE_ROUNDS = 16, PROBE_CHUNKS = 6, SPINS_BEFORE_YIELD = 20000 };

/* A line of its own, so that waiting for one word does not move another. */
struct word {
	_Alignas(128) _Atomic unsigned v;
};

/* What a thread counted at one moment. */
struct usage {
	long switches, faults;
};

struct run {
	struct word step; /* of the whole batch, see half_turn() */
	struct word ball; /* of the probe */
	struct word ready; /* the leader has filled the set, or does not start */
	struct word quit; /* the leader is done */
	const struct cost_batch *b;
	struct cost_samples *samples;
	struct cost_sample pair[2]; /* of this turn, by the CPU moved to */
	bool cold; /* the giver was disturbed before the taker had its first touch */
	double probe; /* ns one way, the last one */
	bool elsewhere; /* a thread was not on its CPU */
	int ret;
};

struct side {
	struct run *run;
	unsigned me; /* 0 leads */
	struct usage warm; /* when the set was last touched here */
	bool disturbed; /* while it was being warmed here */
	unsigned long sum; /* of what was read */
};

void cost_samples__exit(struct cost_samples *s)
{
	free(s->s);
	memset(s, 0, sizeof(*s));
}

int cost_samples__add(struct cost_samples *s, const struct cost_sample *sample)
{
	if (s->nr == s->max) {
		size_t max = s->max ? 2 * s->max : 64;
		struct cost_sample *more = realloc(s->s, max * sizeof(*more));

		if (!more)
			return -ENOMEM;
		s->s = more;
		s->max = max;
	}
	s->s[s->nr++] = *sample;
	return 0;
}

double cost__now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e9 + ts.tv_nsec;
}

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

static struct usage usage_now(void)
{
	struct rusage ru;

	getrusage(RUSAGE_THREAD, &ru);
	return (struct usage){ ru.ru_nivcsw, ru.ru_minflt + ru.ru_majflt };
}

/* Waits for a value; if the other thread cannot run (one CPU for both), it gets its turn. */
static void wait_for(struct word *w, unsigned value)
{
	unsigned spins = 0;

	while (atomic_load_explicit(&w->v, memory_order_acquire) != value) {
		relax();
		if (++spins % SPINS_BEFORE_YIELD == 0)
			sched_yield();
	}
}

static void post(struct word *w, unsigned value)
{
	atomic_store_explicit(&w->v, value, memory_order_release);
}

/* The fastest of a few: a preempted round tells nothing about the distance. */
static void probe(struct run *r, unsigned me)
{
	double best = 0, t0, t;

	for (int chunk = 0; chunk < PROBE_CHUNKS; chunk++) {
		unsigned base = chunk * 2 * PROBE_ROUNDS;

		t0 = cost__now_ns();
		for (unsigned i = 0; i < 2 * PROBE_ROUNDS; i += 2) {
			if (me == 0) {
				post(&r->ball, base + i + 1);
				wait_for(&r->ball, base + i + 2);
			} else {
				wait_for(&r->ball, base + i + 1);
				post(&r->ball, base + i + 2);
			}
		}
		t = (cost__now_ns() - t0) / (2 * PROBE_ROUNDS);
		if (!chunk || t < best)
			best = t;
	}
	if (me == 0) {
		post(&r->ball, 0);
		r->probe = best;
	} else {
		wait_for(&r->ball, 0);
	}
}

static double timed_touch(struct side *side)
{
	double t0 = cost__now_ns();

	side->sum += cost_set__touch(side->run->b->set);
	return cost__now_ns() - t0;
}

static enum cost_drop judge(const struct usage *a, const struct usage *b)
{
	if (a->switches != b->switches)
		return COST_SWITCHED;
	return a->faults != b->faults ? COST_FAULTED : COST_CLEAN;
}

/* Takes the set over, which the other side has warm, and warms it here. */
static void take(struct side *side, unsigned step)
{
	struct run *r = side->run;
	struct cost_sample *s = &r->pair[side->me];
	struct usage u[4];

	wait_for(&r->step, step);
	u[0] = usage_now();
	s->moved = timed_touch(side);
	u[1] = usage_now();
	post(&r->step, step + 1);
	wait_for(&r->step, step + 2);
	side->sum += cost_set__touch(r->b->set);
	u[2] = usage_now(); /* a timed touch follows a system call here as above */
	s->stay = timed_touch(side);
	u[3] = usage_now();
	s->drop = judge(&u[0], &u[1]);
	if (s->drop == COST_CLEAN)
		s->drop = judge(&u[1], &u[3]);
	if (s->drop == COST_CLEAN && r->cold)
		s->drop = COST_SWITCHED;
	s->to = side->me;
	s->alloc = r->b->alloc;
	side->disturbed = u[1].switches != u[3].switches;
	side->warm = u[3];
	r->elsewhere |= sched_getcpu() != r->b->cpu[side->me];
	post(&r->step, step + 3);
}

/* Says, once the taker had its first touch, whether the set had stayed warm until then. */
static void give(struct side *side, unsigned step)
{
	struct run *r = side->run;

	wait_for(&r->step, step + 1);
	r->cold = side->disturbed || usage_now().switches != side->warm.switches;
	post(&r->step, step + 2);
}

static int keep(struct run *r, double probe_before)
{
	int ret = 0;

	for (int i = 0; i < 2 && !ret; i++) {
		r->pair[i].probe_before = probe_before;
		r->pair[i].probe_after = r->probe;
		ret = cost_samples__add(r->samples, &r->pair[i]);
	}
	return ret;
}

static void lead(struct side *side)
{
	struct run *r = side->run;
	double end = cost__now_ns() + r->b->seconds * 1e9, before;
	unsigned step = 1;

	probe(r, 0);
	for (unsigned n = 0;; n++, step += 8) {
		bool enough = n >= r->b->min_turns && cost__now_ns() > end;

		if (r->ret || enough || n == r->b->max_turns || r->b->stop()) {
			post(&r->quit, 1);
			post(&r->step, step);
			break;
		}
		before = r->probe;
		post(&r->step, step);
		give(side, step);
		take(side, step + 3);
		post(&r->step, step + 7);
		probe(r, 0);
		r->ret = keep(r, before);
	}
}

static void follow(struct side *side)
{
	struct run *r = side->run;

	probe(r, 1);
	for (unsigned step = 1;; step += 8) {
		wait_for(&r->step, step);
		if (atomic_load_explicit(&r->quit.v, memory_order_acquire))
			break;
		take(side, step);
		give(side, step + 3);
		wait_for(&r->step, step + 7);
		probe(r, 1);
	}
}

static void *side_main(void *arg)
{
	struct side *side = arg;
	struct run *r = side->run;

	if (side->me == 0) {
		cost_set__fill(r->b->set);
		side->sum += cost_set__touch(r->b->set);
		side->sum += cost_set__touch(r->b->set);
		side->warm = usage_now();
		post(&r->ready, 1);
		lead(side);
	} else {
		wait_for(&r->ready, 1);
		if (!atomic_load_explicit(&r->quit.v, memory_order_acquire))
			follow(side);
	}
	return NULL;
}

/* A thread on that CPU from its first instruction on, with all signals left to the others. */
static int start(pthread_t *ret_thread, struct side *side, int cpu)
{
	size_t size = CPU_ALLOC_SIZE(cpu + 1);
	cpu_set_t *set = CPU_ALLOC(cpu + 1);
	pthread_attr_t attr;
	sigset_t all, old;
	int ret;

	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(size, set);
	CPU_SET_S(cpu, size, set);
	pthread_attr_init(&attr);
	ret = pthread_attr_setaffinity_np(&attr, size, set);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	if (!ret)
		ret = pthread_create(ret_thread, &attr, side_main, side);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	CPU_FREE(set);
	return -ret;
}

int cost_batch__run(const struct cost_batch *b, struct cost_samples *samples, struct mig_err *err)
{
	struct run *r = aligned_alloc(_Alignof(struct run), sizeof(*r));
	struct side side[2] = { { .run = r, .me = 0 }, { .run = r, .me = 1 } };
	pthread_t thread[2];
	int ret;

	if (!r)
		return mig_err__set(err, -ENOMEM, "out of memory");
	memset(r, 0, sizeof(*r));
	r->b = b;
	r->samples = samples;
	/* the follower first: without a leader it can be told to end */
	for (int i = 1; i >= 0; i--) {
		ret = start(&thread[i], &side[i], b->cpu[i]);
		if (!ret)
			continue;
		mig_err__set(err, ret, "cannot start a thread on CPU %d: %s", b->cpu[i],
			     strerror(-ret));
		mig_err__hint(err, "is it online, and may this process use it (taskset, cpuset)?");
		if (i == 0) {
			post(&r->quit, 1);
			post(&r->ready, 1);
			pthread_join(thread[1], NULL);
		}
		goto out;
	}
	pthread_join(thread[0], NULL);
	pthread_join(thread[1], NULL);
	ret = r->ret;
	if (ret)
		mig_err__set(err, ret, "out of memory");
	else if (r->elsewhere)
		ret = mig_err__set(err, -EBUSY,
				   "CPU %d or %d was taken from this process while it measured",
				   b->cpu[0], b->cpu[1]);
out:
	free(r);
	return ret;
}
