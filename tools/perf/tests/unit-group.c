// SPDX-License-Identifier: GPL-2.0
/*
 * unit-group: facts to rows: levels, moves in the queue, and the comparison within pairs of
 * threads.
 */
#include <math.h>

#include "group.h"
#include "tests.h"

enum { WAKER = 1U << MIG_DIM_WAKER, WAKEE = 1U << MIG_DIM_WAKEE };

/* 8 CPUs: two nodes of one last-level cache each, two cores of two threads in each. */
static int core[8] = { 0, 0, 2, 2, 4, 4, 6, 6 };
static int llc[8] = { 0, 0, 0, 0, 4, 4, 4, 4 };
static int node[8] = { 0, 0, 0, 0, 1, 1, 1, 1 };
static const struct topo topo = { .nr_cpus = 8, .core = core, .llc = llc, .node = node };

static struct mig_wakeup wakeup(int waker, int wakee, int waker_cpu, int run_cpu)
{
	struct mig_wakeup w = { .delay_ns = 1000,
				.waker_tid = waker,
				.wakee_tid = wakee,
				.waker_comm = 1,
				.wakee_comm = 2,
				.waker_cpu = waker_cpu,
				.prev_cpu = run_cpu,
				.cpu = run_cpu,
				.run_cpu = run_cpu,
				.partner = MIG_PARTNER_YES,
				.path = MIG_PATH_PREV };

	w.level = (uint8_t)topo__distance(&topo, waker_cpu, run_cpu);
	w.relation = w.level >= MIG_DIST_REMOTE ? MIG_REL_FAR : MIG_REL_NEAR;
	return w;
}

/* A wakeup of wakee by waker on CPU 0, and its slice on run_cpu, n times. */
static int feed(struct mig_table *t, int waker, int wakee, int run_cpu, bool moved, uint64_t ns,
		uint64_t misses, unsigned n)
{
	struct mig_wakeup w = wakeup(waker, wakee, 0, run_cpu);
	struct mig_slice s = { .length_ns = ns,
			       .wait_ns = MIG_NULL,
			       .tid = wakee,
			       .comm = 2,
			       .cpu = run_cpu,
			       .misses = { misses },
			       .moved = moved ? MIG_MOVED : MIG_STAYED,
			       .wakeup = &w };
	int ret = 0;

	while (n-- && !ret) {
		ret = mig_table__add_wakeup(t, &w);
		if (!ret)
			ret = mig_table__add_slice(t, &s);
	}
	return ret;
}

static void table(struct mig_table *t, uint32_t dims, bool within)
{
	mig_table__init(t, dims);
	t->nr_counters = 1;
	t->within = within;
}

static bool rates(const struct mig_row *row, unsigned which, double a, double b)
{
	double got[2];

	return mig_row__compared(row, which, 0, &got[0]) &&
	       mig_row__compared(row, which, 1, &got[1]) && fabs(got[0] - a) < 1e-9 * a &&
	       fabs(got[1] - b) < 1e-9 * b;
}

static void test_levels(void)
{
	static const int cpu[] = { 0, 1, 2, 4, 6 };
	static const unsigned level[] = { MIG_DIST_SELF, MIG_DIST_SMT, MIG_DIST_LLC,
					  MIG_DIST_REMOTE };
	static const unsigned want[] = { 1, 2, 3, 4 + 5 };
	struct mig_slice s = { .length_ns = 7, .wait_ns = MIG_NULL, .tid = 11, .comm = 2 };
	struct mig_wakeup w;
	struct mig_table t;
	struct mig_side side;
	const struct hist *delay;
	struct hist room;
	unsigned i;

	table(&t, WAKER | WAKEE, true);
	for (i = 0; i < 5; i++)
		feed(&t, 10, 11, cpu[i], false, 100, 1, i + 1);
	is_int(t.nr, 1, "one row");
	for (i = 0; i < 4; i++) {
		mig_row__side(t.rows[0], 1, MIG_SIDE_LEVEL + level[i], &side);
		ok(side.n == want[i] && side.misses[0] == want[i] && side.run_ns == 100 * want[i],
		   "level %s", mig_distance__name(level[i]));
	}
	is_int((int64_t)mig_row__side_n(t.rows[0], MIG_SIDE_NEAR), 1 + 2 + 3, "near: same node");
	is_int((int64_t)mig_row__side_n(t.rows[0], MIG_SIDE_FAR), 4 + 5, "far: the other");
	ok(!mig_row__side_delay(t.rows[0], MIG_SIDE_FAR, &room, &delay) && delay->n == 9,
	   "delays of a side of one cell");
	hist__exit(&room);
	ok(!mig_row__side_delay(t.rows[0], MIG_SIDE_NEAR, &room, &delay) && delay->n == 6,
	   "of three cells");
	hist__exit(&room);
	is_int((int64_t)mig_row__side_n(t.rows[0], MIG_SIDE_QUEUED), 0,
	       "none was moved in the queue");

	/* chosen 1, ran on 2: moved in between; on 1 there is nothing of it */
	w = wakeup(10, 11, 0, 2);
	w.cpu = 1;
	w.queued = true;
	s.wakeup = &w;
	s.moved = MIG_MOVED;
	mig_table__add_slice(&t, &s);
	is_int((int64_t)mig_row__side_n(t.rows[0], MIG_SIDE_QUEUED), 1, "moved in the queue");
	is_int((int64_t)mig_row__side_n(t.rows[0], MIG_SIDE_LEVEL + MIG_DIST_LLC), 4,
	       "counts where it ran");
	/* a run CPU that is not known is on no side */
	w.run_cpu = -1;
	w.relation = MIG_REL_UNKNOWN;
	w.level = MIG_NR_DIST;
	w.queued = false;
	mig_table__add_slice(&t, &s);
	is_int((int64_t)mig_row__side_n(t.rows[0], MIG_SIDE_QUEUED), 1, "unknown CPU: not queued");
	is_int((int64_t)mig_row__side_n(t.rows[0], MIG_SIDE_NEAR) +
		       (int64_t)mig_row__side_n(t.rows[0], MIG_SIDE_FAR),
	       16, "unknown CPU: neither near nor far");
	is_int((int64_t)mig_row__side_n(t.rows[0], MIG_SIDE_ALL), 17, "but a slice");
	mig_table__exit(&t);
}

/* Two roles under one name: 10 > 11 is mostly near and misses much, 12 > 13 mostly far, little. */
static void feed_roles(struct mig_table *t)
{
	feed(t, 10, 11, 1, false, 1000000, 40, 90);
	feed(t, 10, 11, 4, true, 500000, 20, 10);
	feed(t, 12, 13, 1, true, 2000000, 2, 20);
	feed(t, 12, 13, 4, false, 1000000, 1, 80);
}

static void test_roles(void)
{
	/* weights: 90 ms with 5 ms, 40 ms with 80 ms; rates 40 and 1 a ms on either side */
	const double w1 = 90. * 5 / 95, w2 = 40. * 80 / 120, rate = (40 * w1 + w2) / (w1 + w2);
	struct mig_table t, tids;
	struct mig_row sum = { 0 };
	struct mig_side near, far;
	unsigned i;

	table(&t, WAKER | WAKEE, true);
	feed_roles(&t);
	ok(!mig_table__compare(&t), "compared");
	mig_row__side(t.rows[0], 1, MIG_SIDE_NEAR, &near);
	mig_row__side(t.rows[0], 1, MIG_SIDE_FAR, &far);
	ok((double)near.rate_misses[0] / (double)near.rate_ns >
		   8 * (double)far.rate_misses[0] / (double)far.rate_ns,
	   "the sums say that near costs eight times as much");
	ok(rates(t.rows[0], MIG_COMPARE_PLACE, rate, rate), "near and far: no difference");
	ok(rates(t.rows[0], MIG_COMPARE_MOVE, rate, rate), "moved and stayed: none");
	is_int((int64_t)t.rows[0]->compare[0].pairs, 2, "of two pairs of threads");
	is_int((int64_t)t.rows[0]->compare[0].n[0], 110, "slices on one side");
	is_int((int64_t)t.rows[0]->compare[0].n[1], 90, "on the other");

	/* pairs that have one side only change nothing */
	mig_table__exit(&t);
	table(&t, WAKER | WAKEE, true);
	feed_roles(&t);
	feed(&t, 14, 15, 1, true, 1000000, 1000, 500);
	feed(&t, 11, 10, 4, false, 1000000, 1000, 500); /* the other direction is another pair */
	mig_table__compare(&t);
	ok(rates(t.rows[0], MIG_COMPARE_PLACE, rate, rate), "pairs of one side are left out");

	/* rows of pairs of threads, folded: the same */
	table(&tids, 1U << MIG_DIM_WAKER_TID | 1U << MIG_DIM_WAKEE_TID, false);
	feed_roles(&tids);
	mig_table__compare(&tids);
	is_int(tids.nr, 2, "by threads: two rows");
	for (i = 0; i < tids.nr; i++)
		mig_row__merge(&sum, tids.rows[i], 1);
	ok(rates(&sum, MIG_COMPARE_PLACE, rate, rate), "rows of threads folded into one");
	ok(!rates(tids.rows[0], MIG_COMPARE_PLACE, 40, 40), "10 slices far are too few");
	ok(!rates(tids.rows[1], MIG_COMPARE_PLACE, 1, 1), "20 near too");
	feed(&tids, 10, 11, 4, true, 500000, 20, 20);
	mig_row__exit(&sum);
	mig_table__exit(&t);
	mig_table__exit(&tids);
}

/* What is there is found. */
static void test_cost(void)
{
	struct mig_table t;
	double v;

	table(&t, WAKER | WAKEE, true);
	feed(&t, 10, 11, 1, false, 1000000, 10, 40);
	feed(&t, 10, 11, 4, true, 2000000, 60, 29);
	mig_table__compare(&t);
	ok(!mig_row__compared(t.rows[0], MIG_COMPARE_PLACE, 0, &v), "29 on one side: not compared");
	mig_table__exit(&t);
	table(&t, WAKER | WAKEE, true);
	feed(&t, 10, 11, 1, false, 1000000, 10, 40);
	feed(&t, 10, 11, 4, true, 2000000, 60, 30);
	feed(&t, 10, 12, 4, true, 0, 60, 30); /* no length: no weight */
	mig_table__compare(&t);
	ok(rates(t.rows[0], MIG_COMPARE_PLACE, 10, 30), "near 10, far 30 misses/ms");
	ok(rates(t.rows[0], MIG_COMPARE_MOVE, 30, 10), "moved 30, stayed 10 misses/ms");
	mig_table__exit(&t);
}

static void test_bound(void)
{
	struct mig_table t;
	int i, ret = 0;
	double v;

	table(&t, WAKER | WAKEE, true);
	t.max_units = 100;
	for (i = 0; i < 200 && !ret; i++) {
		ret = feed(&t, 1000, i + 1, 1, false, 1000, 1, 1);
		ret = ret ? ret : feed(&t, 1000, i + 1, 4, true, 1000, 1, 1);
	}
	is_int(ret, 0, "200 pairs of threads, room for 100");
	is_int(t.nr_units, 100, "100 are kept");
	ok(t.full, "and it is known");
	mig_table__compare(&t);
	ok(!mig_row__compared(t.rows[0], MIG_COMPARE_PLACE, 0, &v), "such a row is not compared");
	is_int((int64_t)mig_row__side_n(t.rows[0], MIG_SIDE_NEAR), 200, "its sums are complete");
	mig_table__exit(&t);

	table(&t, WAKER | WAKEE, true);
	t.count_units = true;
	for (i = 0; i < 50; i++)
		feed(&t, 1000, i % 5 + 1, 1, false, 1000, 1, 1);
	is_int(t.nr_units, 5, "wakeups and slices share their units");
	is_int((int64_t)t.units[4].wakeups, 10, "wakeups of a unit");
	is_int(t.units[4].path[MIG_PATH_PREV], 10, "and their paths");
	mig_table__exit(&t);
}

/*
 * The bytes of a row of --by tids, its first cell behind it: what a large recording is made of.
 * With what malloc adds, the table's pointer (half used after it grew), a slot of the index (5/16
 * used).
 */
static void test_size(void)
{
	size_t row = sizeof(struct mig_row) + sizeof(struct mig_cell) + 16 + 2 * sizeof(void *) +
		     16 * sizeof(struct hash_slot) / 5;
	size_t cell = sizeof(struct mig_cell) + 16;

	ok(row <= 340 && row + cell <= 450, "a row: %zu bytes, %zu each further cell", row, cell);
}

/*
 * Rows and units of the last fact of a thread are found again without a search: not where the
 * waker, a name or the recorder is another one, nor by a thread whose number shares the place.
 */
static void test_hints(void)
{
	const int32_t wakees[] = { 5, 5 + MIG_NR_HINTS, 5 + 2 * MIG_NR_HINTS };
	struct mig_wakeup w = wakeup(10, 5, 0, 1);
	struct mig_slice s = {
		.length_ns = 10, .wait_ns = MIG_NULL, .tid = 5, .comm = 2, .misses = { MIG_NULL }
	};
	struct mig_table t;
	unsigned i;

	table(&t, 1U << MIG_DIM_WAKER_TID | 1U << MIG_DIM_WAKEE_TID, true);
	t.count_units = true;
	for (i = 0; i < 90; i++)
		feed(&t, 10 + (int)i % 2, wakees[i % 3], 1, false, 1000, 1, 1);
	is_int(t.nr, 6, "two wakers of three threads");
	for (i = 0; i < t.nr; i++)
		ok(t.rows[i]->wakeups == 15 && t.rows[i]->slices == 15, "15 of each");
	is_int(t.nr_units, 6, "and their units");
	mig_table__exit(&t);

	table(&t, WAKER | WAKEE, false);
	for (i = 0; i < 40; i++) {
		w.waker_comm = i & 1 ? 1 : 7;
		w.wakee_comm = i & 2 ? 2 : 8;
		w.partner = i & 4 ? MIG_PARTNER_YES : MIG_PARTNER_NO;
		mig_table__add_wakeup(&t, &w);
	}
	is_int(t.nr, 2 * 2 + 2, "names of both, and interrupts that woke two names");
	mig_table__exit(&t);

	table(&t, 1U << MIG_DIM_COMM, false);
	for (i = 0; i < 40; i++) {
		s.is_recorder = i % 4 == 3;
		s.comm = i & 1 ? 2 : 3;
		mig_table__add_slice(&t, &s);
	}
	is_int(t.nr, 3, "two names and the recorder");
	for (i = 0; i < t.nr; i++)
		is_int((int64_t)t.rows[i]->slices, t.rows[i]->key[MIG_DIM_COMM] == 3 ? 20 : 10,
		       "slices of a name");
	mig_table__exit(&t);
}

int main(void)
{
	test_levels();
	test_hints();
	test_roles();
	test_cost();
	test_bound();
	test_size();
	return done_testing();
}
