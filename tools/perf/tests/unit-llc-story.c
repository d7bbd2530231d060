// SPDX-License-Identifier: GPL-2.0
/*
 * unit-llc-story: moves of which it is known by hand who came back and who followed whom. Two
 * caches, CPUs 0-3 and 4-7.
 */
#include "tests.h"
#include "llc-story.h"

enum { MS = 1000000 };

static int llc[8] = { 0, 0, 0, 0, 4, 4, 4, 4 };
static const struct topo topo = { .nr_cpus = 8, .llc = llc };
static struct llc_story s;

static void begin(void)
{
	llc_story__init(&s, &topo, 10 * MS, MIG_MAX_COUNTERS);
	s.start = 0;
}

static void move(int32_t tid, double ms, int from, int to, enum mig_cause cause)
{
	const struct mig_migration f = {
		.time = (uint64_t)(ms * MS + 0.5),
		.tid = tid,
		.pid = tid,
		.from = from,
		.to = to,
		.cause = cause,
		.ran_after_ns = 5,
	};

	llc_story__add_move(&s, &f);
}

static void pair(int32_t a, int32_t b)
{
	const struct mig_wakeup f = { .partner = MIG_PARTNER_YES, .waker_tid = a, .wakee_tid = b };

	llc_story__add_wakeup(&s, &f);
}

static void ran(int32_t pid, int32_t tid, double from, double to, int cpu)
{
	const struct mig_slice f = {
		.pid = pid,
		.tid = tid,
		.time = (uint64_t)(to * MS + 0.5),
		.length_ns = (uint64_t)((to - from) * MS + 0.5),
		.cpu = cpu,
	};

	llc_story__add_slice(&s, &f);
}

static uint64_t trips(enum llc_level level, enum mig_cause there, enum mig_cause back)
{
	return llc_story__trips(&s, level, there, back)->n;
}

static void test_there_and_back(void)
{
	begin();
	/* out by the balancer, back by a wakeup: a trip of both levels */
	move(1, 100, 0, 4, MIG_CAUSE_NEWIDLE_PULL);
	move(1, 103, 4, 0, MIG_CAUSE_WAKEUP);
	/* the move back is used up: this is a new one, and 11 ms are too long */
	move(1, 104, 0, 4, MIG_CAUSE_NEWIDLE_PULL);
	move(1, 115, 4, 0, MIG_CAUSE_WAKEUP);
	/* to another CPU of the cache it came from: of the caches only */
	move(2, 100, 1, 5, MIG_CAUSE_PERIODIC_PULL);
	move(2, 101, 5, 2, MIG_CAUSE_WAKEUP);
	/* a move within the cache between both: of the caches only */
	move(3, 100, 0, 4, MIG_CAUSE_WAKEUP);
	move(3, 101, 4, 5, MIG_CAUSE_WAKEUP);
	move(3, 110, 5, 0, MIG_CAUSE_EXEC);
	/* within a cache: of CPUs only; exactly 10 ms count */
	move(4, 100, 0, 1, MIG_CAUSE_WAKEUP);
	move(4, 110, 1, 0, MIG_CAUSE_WAKEUP);
	/* another task */
	move(5, 100, 0, 1, MIG_CAUSE_WAKEUP);
	move(6, 101, 1, 0, MIG_CAUSE_WAKEUP);
	is_int(llc_story__finish(&s), 0, "finish");
	is_int(s.nr_trips[LLC_LEVEL_CPU], 2, "there and back, CPUs");
	is_int(s.nr_trips[LLC_LEVEL_CACHE], 3, "there and back, caches");
	is_int(trips(LLC_LEVEL_CPU, MIG_CAUSE_NEWIDLE_PULL, MIG_CAUSE_WAKEUP), 1,
	       "pulled out, back");
	is_int(trips(LLC_LEVEL_CPU, MIG_CAUSE_WAKEUP, MIG_CAUSE_WAKEUP), 1, "by wakeups");
	is_int(trips(LLC_LEVEL_CACHE, MIG_CAUSE_PERIODIC_PULL, MIG_CAUSE_WAKEUP), 1, "another CPU");
	is_int(trips(LLC_LEVEL_CACHE, MIG_CAUSE_WAKEUP, MIG_CAUSE_EXEC), 1, "over another CPU");
	is_int(hist__percentile(&llc_story__trips(&s, LLC_LEVEL_CPU, MIG_CAUSE_NEWIDLE_PULL,
						  MIG_CAUSE_WAKEUP)
					 ->away,
				50),
	       3 * MS, "3 ms away");
	is_int(llc_story__trips(&s, LLC_LEVEL_CPU, MIG_CAUSE_WAKEUP, MIG_CAUSE_WAKEUP)->ran_after_ns,
	       10, "both ends waited");
	is_int(s.cells[MIG_CLASS_WAKEUP][LLC_CELL_OTHER], 4, "wakeup, other cache");
	is_int(s.cells[MIG_CLASS_WAKEUP][LLC_CELL_SAME], 5, "wakeup, same cache");
	is_int(s.cells[MIG_CLASS_BALANCE][LLC_CELL_OTHER], 3, "balance, other cache");
	is_int(s.cells[MIG_CLASS_EXEC][LLC_CELL_OTHER], 1, "exec, other cache");
	is_int(s.crossings, 8, "moves between caches");
	llc_story__exit(&s);
}

static void test_chase(void)
{
	begin();
	pair(1, 2);
	pair(2, 1);
	pair(3, 1);
	for (int i = 0; i < 10; i++) { /* 2 follows 1, 1 ms later, ten times over both caches */
		move(1, 100 * i, i % 2 ? 4 : 0, i % 2 ? 0 : 4, MIG_CAUSE_WAKEUP);
		move(2, 100 * i + 1, i % 2 ? 5 : 1, i % 2 ? 1 : 5, MIG_CAUSE_PERIODIC_PULL);
	}
	/* 3 follows 1 too late, then the other way round */
	move(3, 11, 0, 4, MIG_CAUSE_WAKEUP);
	move(3, 101, 0, 4, MIG_CAUSE_WAKEUP);
	/* 4 follows, but does not wake 1 nor is woken by it */
	move(4, 2, 0, 4, MIG_CAUSE_WAKEUP);
	is_int(llc_story__finish(&s), 0, "finish");
	is_int(s.nr_pairs, 2, "pairs");
	is_int(s.nr_chases, 1, "one chase");
	if (s.nr_chases) {
		is_int(s.chases[0].first, 1, "the first");
		is_int(s.chases[0].second, 2, "who follows");
		is_int(s.chases[0].steps, 10, "steps");
		is_int(s.chases[0].longest, 10, "longest");
		is_int(s.chases[0].caches, 2, "caches");
	}
	llc_story__exit(&s);

	begin();
	pair(1, 2);
	/* a crossing is followed once, and only while it is the last one */
	move(1, 0, 0, 4, MIG_CAUSE_WAKEUP);
	move(2, 1, 0, 4, MIG_CAUSE_WAKEUP);
	move(2, 2, 4, 0, MIG_CAUSE_WAKEUP);
	move(2, 3, 0, 4, MIG_CAUSE_WAKEUP);
	move(1, 4, 4, 0, MIG_CAUSE_WAKEUP);
	move(1, 5, 0, 4, MIG_CAUSE_WAKEUP);
	move(2, 6, 4, 0, MIG_CAUSE_WAKEUP);
	is_int(llc_story__finish(&s), 0, "finish");
	is_int(s.nr_chases, 2, "1 > 2 and, once by chance, 2 > 1");
	is_int(s.chases[0].steps, 1, "one step");
	is_int(s.chases[1].steps, 1, "one step back");
	llc_story__exit(&s);
}

static void test_homes(void)
{
	begin();
	/* 1 ms windows: 0 0 1 1 0; then 0.4 and 0.6 of a window that both caches share */
	ran(7, 7, 0, 2, 0);
	ran(7, 8, 2, 4, 5);
	ran(7, 7, 4, 5, 3);
	ran(7, 7, 6, 6.4, 0);
	ran(7, 8, 6.4, 7, 4);
	move(7, 5, 3, 4, MIG_CAUSE_NEWIDLE_PULL);
	move(8, 5, 4, 3, MIG_CAUSE_WAKEUP);
	is_int(llc_story__finish(&s), 0, "finish");
	is_int(s.nr_procs, 2, "processes: one that ran, one that only moved");
	is_int(s.procs[0]->pid, 7, "most run time first");
	is_int(s.procs[0]->home, 0, "home");
	is_int(s.procs[0]->run[0], 34 * MS / 10, "run time at home");
	is_int(s.procs[0]->run[1], 26 * MS / 10, "elsewhere");
	is_int(s.procs[0]->nr_threads, 2, "threads");
	is_int(s.procs[0]->nr_windows, 6, "windows");
	is_int(s.procs[0]->changes, 3, "changes");
	is_int(s.procs[0]->out[0 * MIG_NR_CLASS + MIG_CLASS_BALANCE], 1, "left by the balancer");
	llc_story__exit(&s);

	begin();
	ran(7, 7, 0, 100, 0);
	ran(7, 7, 100, 228, 4); /* 228 ms: windows of 2 ms */
	ran(7, 7, 1000, 1001, 0); /* of 8 ms */
	is_int(llc_story__finish(&s), 0, "finish");
	is_int(s.width, 8 * MS, "width of windows");
	/* 12.5 at home in the first, 16 (of which one shared: 4 of 8) elsewhere, one at home */
	is_int(s.procs[0]->nr_windows, 30, "windows after widening");
	is_int(s.procs[0]->changes, 2, "changes after widening");
	is_int(s.procs[0]->home, 1, "home");
	llc_story__exit(&s);
}

int main(void)
{
	test_there_and_back();
	test_chase();
	test_homes();
	return done_testing();
}
