// SPDX-License-Identifier: GPL-2.0
/*
 * Figures of cost against sums done by hand; patterns against lines counted one by one; samples of
 * a real pair.
 */
#include <errno.h>
#include <math.h>
#include <sched.h>

#include "cost.h"
#include "err.h"
#include "tests.h"

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-9 * (fabs(b) + 1);
}

static void add(struct cost_samples *s, double moved, double stay, double probe, unsigned alloc,
		unsigned to, enum cost_drop drop)
{
	struct cost_sample p = { moved, stay, probe, probe, to, drop, alloc };

	cost_samples__add(s, &p);
}

static void quantiles(void)
{
	const double x[] = { 1, 2, 4, 8 };

	ok(near(cost__quantile(x, 4, 0.25), 1.75), "first quartile of 1 2 4 8 is 1.75");
	ok(near(cost__quantile(x, 4, 0.5), 3), "median is 3");
	ok(near(cost__quantile(x, 4, 0.75), 5), "third quartile is 5");
	ok(near(cost__quantile(x, 1, 0.75), 1), "of one value");
}

static void figures(void)
{
	const struct cost_modes one = { .mode = { { 0, INFINITY, 100, 7 } }, .nr = 1 };
	struct cost_samples s = { 0 };
	struct cost_figures f;

	/* moved 50 60 70 80 100: median 70; stay 10 11 12 13 14: median 12 */
	add(&s, 50, 14, 100, 0, 0, COST_CLEAN);
	add(&s, 60, 10, 100, 0, 1, COST_CLEAN);
	add(&s, 70, 12, 100, 0, 0, COST_CLEAN);
	add(&s, 9000, 11, 100, 0, 0, COST_SWITCHED);
	add(&s, 80, 11, 100, 0, 1, COST_CLEAN);
	add(&s, 100, 13, 100, 0, 0, COST_CLEAN);
	add(&s, 5, 9000, 100, 0, 0, COST_FAULTED);
	is_int(cost_figures__fill(&s, &one, 0, &f), 0, "figures");
	is_int((int)f.moved.n, 5, "5 clean samples");
	ok(near(f.cost, 58), "70 - 12");
	ok(near(f.q1, 48) && near(f.q3, 68), "quartiles of moved 60, 80, minus 12");
	ok(near(f.to[0], 70 - 13) && near(f.to[1], 70 - 10.5), "by direction");
	is_int((int)f.dropped[COST_SWITCHED], 1, "one was switched out");
	is_int((int)f.dropped[COST_FAULTED], 1, "one had a page fault");
	ok(near(cost_figures__drop_share(&f), 2.0 / 7), "2 of 7 were dropped");
	ok(!cost_figures__is_cost(&f), "5 samples prove nothing: their interval is infinite");
	ok(isnan(f.alloc_min), "one allocation has no spread");
	/* a second allocation: 5 samples with a cost of exactly 40 */
	for (int i = 0; i < 5; i++)
		add(&s, 52, 12, 100, 1, i % 2, COST_CLEAN);
	cost_figures__fill(&s, &one, 0, &f);
	is_int((int)f.nr_allocs, 2, "two allocations");
	ok(near(f.alloc_min, 40) && near(f.alloc_max, 58), "from 40 to 58");
	ok(near(f.cost, 40), "all of them: moved 50 52 52 52 52 52 60 .., median 52, minus 12");
	ok(cost_figures__is_cost(&f), "10 samples, all moved above all stay: a cost");
	cost_samples__exit(&s);
}

static void modes(void)
{
	struct cost_samples s = { 0 };
	struct cost_figures f;
	struct cost_modes m;
	double x[300];

	for (int i = 0; i < 300; i++)
		x[i] = i % 3 ? 200 + i % 20 : 30 + i % 4;
	is_int(cost_modes__find(x, 300, 0.05, &m), 0, "modes");
	is_int(m.nr, 2, "30 to 33 and 200 to 219 are two modes");
	is_int((int)m.mode[0].nr, 100, "100 near ones");
	is_int((int)m.mode[1].nr, 200, "200 far ones");
	ok(m.mode[0].median >= 30 && m.mode[0].median <= 33, "the median of the near ones");
	for (int i = 0; i < 300; i++)
		x[i] = 100 + i % 40;
	cost_modes__find(x, 300, 0.05, &m);
	is_int(m.nr, 1, "100 to 139 is one");
	for (int i = 0; i < 300; i++)
		x[i] = i < 4 ? 5000 + 1000 * i : 100 + i % 10;
	cost_modes__find(x, 300, 0.05, &m);
	is_int(m.nr, 1, "4 stragglers are no mode");
	for (int i = 0; i < 300; i++)
		x[i] = 50 * exp2(i % 30 / 10.0);
	cost_modes__find(x, 300, 0.05, &m);
	is_int(m.nr, 1, "evenly spread over three octaves is one");
	for (int i = 0; i < 300; i++)
		x[i] = (i % 3 == 0 ? 10 : i % 3 == 1 ? 50 : 250) + i % 2;
	cost_modes__find(x, 300, 0.05, &m);
	is_int(m.nr, 3, "10, 50 and 250 are three");
	is_int(cost_modes__of(&m, 11), 0, "11 is in the first");
	is_int(cost_modes__of(&m, 1e9), 2, "what is far off in the last");
	is_int(cost_modes__find(x, 0, 0.05, &m), -EINVAL, "nothing has no modes");

	/* samples of two modes: a cost of 10 and one of 100, and one in between the modes */
	for (int i = 0; i < 40; i++)
		add(&s, i % 2 ? 110 : 20, 10, i % 2 ? 200 : 30, 0, 0, COST_CLEAN);
	add(&s, 60, 10, 30, 0, 0, COST_CLEAN);
	s.s[40].probe_after = 200;
	for (size_t i = 0; i < s.nr; i++)
		x[i] = s.s[i].probe_before;
	cost_modes__find(x, s.nr, 0.05, &m);
	cost_figures__fill(&s, &m, 0, &f);
	ok(near(f.cost, 10) && f.moved.n == 20, "20 samples near: 10");
	is_int((int)f.dropped[COST_CLEAN], 1, "the one that changed the mode is dropped");
	cost_figures__fill(&s, &m, 1, &f);
	ok(near(f.cost, 100) && f.moved.n == 20, "20 samples far: 100, not averaged with 10");
	ok(!f.two_heaps, "one heap in a mode");
	cost_samples__exit(&s);
}

static void heaps(void)
{
	const struct cost_modes one = { .mode = { { 0, INFINITY, 100, 60 } }, .nr = 1 };
	struct cost_samples s = { 0 };
	struct cost_figures f;

	for (int i = 0; i < 60; i++)
		add(&s, i % 2 ? 1000 + i : 100 + i % 5, 10, 100, 0, 0, COST_CLEAN);
	cost_figures__fill(&s, &one, 0, &f);
	ok(f.two_heaps, "two heaps of moved with one mode of the probe are told");
	cost_samples__exit(&s);
}

static void curves(void)
{
	const double size[] = { 1, 2, 4, 8 }, cost[] = { 10, 20, NAN, 80 };
	const double line[] = { 1, 1.1, 3, 3.2 };
	double knee[4];

	ok(near(cost__crossing(size, cost, 4, 40), 4), "10 20 . 80 crosses 40 at 4");
	ok(near(cost__crossing(size, cost, 4, 100), 0), "and never 100");
	ok(near(cost__crossing(size, cost, 4, 5), -1), "and 5 before the first");
	is_int((int)cost__knees(size, line, 4, knee, 4), 1, "one knee");
	ok(near(knee[0], 2), "beyond 2");
}

static void sizes(void)
{
	size_t size[COST_MAX_SIZES], n = 0;
	struct mig_err err;

	is_int(cost__parse_sizes("64K-256K,8K,1MiB", size, &n, &err), 0, "a list of sizes");
	is_int((int)n, 5, "five of them");
	ok(size[0] == 8192 && size[1] == 65536 && size[3] == 262144 && size[4] == 1048576,
	   "in order");
	is_int(cost__parse_sizes("4K,4K,5000", size, &n, &err), 0, "twice the same");
	ok(n == 2 && size[1] == 4992, "is once, and 5000 are 78 lines");
	is_int(cost__parse_sizes("1M-4K", size, &n, &err), -EINVAL, "backwards");
	is_int(cost__parse_sizes("", size, &n, &err), -EINVAL, "nothing");
	is_int(cost__parse_sizes("4K,", size, &n, &err), -EINVAL, "a comma at the end");
	is_int(cost__parse_sizes("1K", size, &n, &err), -EINVAL, "too small");
	is_int(cost__parse_sizes("9999G", size, &n, &err), -EINVAL, "too large");
	is_int(cost__parse_sizes("nan", size, &n, &err), -EINVAL, "no number");
}

/* Lines that a touch writes, counted one by one. */
static void patterns(void)
{
	static const int want[] = { 1536, 1536, 1024, 1535 };

	for (int pattern = 0; pattern < COST_NR_PATTERNS; pattern++) {
		struct cost_set set;
		struct mig_err err;
		char *before;
		size_t n = 0;

		if (cost_set__init(&set, 96 << 10, pattern, COST_4K, true, &err)) {
			ok(false, "%s: %s", cost_pattern__name(pattern), err.msg);
			continue;
		}
		cost_set__fill(&set);
		before = malloc(set.size);
		memcpy(before, set.mem, set.size);
		cost_set__touch(&set);
		for (size_t i = 0; i < set.size; i += COST_LINE)
			n += !!memcmp(before + i, set.mem + i, COST_LINE);
		is_int((int)n, want[pattern], cost_pattern__name(pattern));
		is_int((int)cost_pattern__lines(pattern, set.size), (int)n, "as it says");
		free(before);
		cost_set__exit(&set);
	}
}

static bool never(void)
{
	return false;
}

/* A real pair: what was asked for is measured, and this thread stays where it may run. */
static void pair(void)
{
	struct cost_set set;
	struct cost_samples s = { 0 };
	struct mig_err err = { 0 };
	cpu_set_t before, after;
	struct cost_batch b = {
		.set = &set, .alloc = 3, .min_turns = 7, .max_turns = 7, .stop = never
	};
	int n = 0, good = 0;

	sched_getaffinity(0, sizeof(before), &before);
	for (int cpu = 0; cpu < CPU_SETSIZE && n < 2; cpu++) {
		if (CPU_ISSET(cpu, &before))
			b.cpu[n++] = cpu;
	}
	if (n < 2) {
		skip("a real pair", "there is one CPU only");
		return;
	}
	cost_set__init(&set, 64 << 10, COST_RANDOM, COST_4K, true, &err);
	is_int(cost_batch__run(&b, &s, &err), 0, "a batch on two CPUs");
	is_int((int)s.nr, 14, "7 turns there and back are 14 samples");
	for (size_t i = 0; i < s.nr; i++)
		good += s.s[i].moved > 0 && s.s[i].stay > 0 && s.s[i].probe_before > 0 &&
			s.s[i].probe_after > 0 && s.s[i].alloc == 3 && s.s[i].to == i % 2;
	is_int(good, 14, "each with its times, probes and direction");
	b.cpu[1] = 1000;
	ok(cost_batch__run(&b, &s, &err) < 0, "a CPU that is not there: %s", err.msg);
	b.cpu[1] = b.cpu[0];
	b.cpu[0] = 1000;
	ok(cost_batch__run(&b, &s, &err) < 0, "as the first: %s", err.msg);
	sched_getaffinity(0, sizeof(after), &after);
	ok(CPU_EQUAL(&before, &after), "this thread's affinity is untouched");
	cost_set__exit(&set);
	cost_samples__exit(&s);
}

int main(void)
{
	quantiles();
	figures();
	modes();
	heaps();
	curves();
	sizes();
	patterns();
	pair();
	return done_testing();
}
