// SPDX-License-Identifier: GPL-2.0
/*
 * unit-timeline: counts by time, the slowest wakeups, single moves, counts by call chain: further
 * receivers of facts.
 */
#include "chain-count.h"
#include "move-list.h"
#include "slowest.h"
#include "tests.h"
#include "timeline.h"
#include "wake-chain.h"

static void test_timeline(void)
{
	struct timeline_bucket sum;
	struct timeline t;
	uint64_t i, w, from, all = 0;

	timeline__init(&t, 0);
	timeline__begin(&t, 5000000123);
	for (i = 0; i < 1000003; i++) {
		struct mig_wakeup f = { .time = 5000000123 + i * 7001,
					.delay_ns = i % 2 ? MIG_NULL : 4 };

		timeline__add_wakeup(&t, &f);
	}
	ok(t.nr <= TIMELINE_NR && t.nr > TIMELINE_NR / 8, "7 s fit, and not in too few buckets");
	is_int((int64_t)(t.start % t.width), 0, "buckets begin at multiples of their width");
	timeline__sum(&t, 0, 20000000000, &sum);
	is_int((int64_t)sum.wakeups, 1000003, "none is lost when buckets become wider");
	is_int((int64_t)sum.delay_n, 500002, "those with a delay");
	w = timeline__row_width(&t, 60);
	is_int((int64_t)w, 200000000, "7 s in at most 60 rows: 200 ms each");
	for (from = t.start - t.start % w; from < t.start + t.nr * t.width; from += w) {
		timeline__sum(&t, from, w, &sum);
		all += sum.wakeups;
	}
	is_int((int64_t)all, 1000003, "rows hold all of them");
	/* in the row from 6.0 to 6.2 s, counted by hand */
	timeline__sum(&t, 6000000000, w, &sum);
	is_int((int64_t)sum.wakeups, 28568, "and each what falls into it");
	timeline__add_migration(&t, &(struct mig_migration){ .time = 1 });
	timeline__sum(&t, t.start, t.width, &sum);
	is_int((int64_t)sum.migrations, 1, "a fact from before the start is in the first bucket");
	timeline__exit(&t);
}

static void test_misses(void)
{
	struct mig_slice s = { .time = 2000000000, .misses = { 5, 7 } };
	struct timeline_bucket sum;
	struct timeline t;

	timeline__init(&t, 1);
	timeline__begin(&t, 0);
	timeline__add_slice(&t, &s);
	s.misses[1] = MIG_NULL;
	timeline__add_slice(&t, &s);
	timeline__sum(&t, 0, 20000000000, &sum);
	is_int((int64_t)sum.misses, 7, "misses of the counter asked for; unknown ones are none");
	timeline__add_sample(&t, &(struct mig_sample){ .time = 2000000001, .period = 11 });
	timeline__sum(&t, 0, 20000000000, &sum);
	is_int((int64_t)sum.misses, 18, "a sample counts as its period");
	timeline__exit(&t);
	timeline__init(&t, 0);
	is_int(t.nr, 0, "no facts, no buckets");
	ok(timeline__row_width(&t, 60) > 0, "and still a width");
	timeline__exit(&t);
}

static void test_slowest(void)
{
	static const uint64_t delays[] = { 5, MIG_NULL, 9, 5, 1, 7 };
	struct slowest s;
	unsigned i;

	slowest__init(&s, 3);
	for (i = 0; i < 6; i++)
		slowest__add(&s, &(struct mig_wakeup){ .delay_ns = delays[i], .time = i });
	is_int(s.nr, 3, "as many as asked for");
	ok(s.w[0].delay_ns == 9 && s.w[1].delay_ns == 7 && s.w[2].delay_ns == 5, "longest first");
	is_int((int64_t)s.w[2].time, 0, "of equal ones the first seen");
	slowest__exit(&s);
	slowest__init(&s, 0);
	slowest__add(&s, &(struct mig_wakeup){ .delay_ns = 1 });
	is_int(s.nr, 0, "none asked for");
	slowest__exit(&s);
}

static void test_chains(void)
{
	static const uint32_t chains[] = { 3, 0, 3, 7, 3, 0 };
	struct chain_counts cc = { 0 };
	unsigned i;

	for (i = 0; i < 6; i++)
		chain_counts__add(&cc, &(struct mig_wakeup){ .chain = chains[i],
							     .delay_ns = i ? i : MIG_NULL });
	chain_counts__sort(&cc);
	is_int(cc.nr, 3, "chains that occurred");
	ok(cc.c[0].chain == 3 && cc.c[0].n == 3 && cc.c[1].chain == 0 && cc.c[2].chain == 7,
	   "the most frequent first");
	ok(cc.c[0].delay_n == 2 && cc.c[0].delay_ns == 6, "delays that are known");
	chain_counts__exit(&cc);
}

static void test_move_list(void)
{
	struct move_match match = MOVE_MATCH_ANY;
	struct move_list l;
	int i;

	match.class = MIG_CLASS_BALANCE;
	match.from = 3;
	move_list__init(&l, &match);
	for (i = 0; i < 90000; i++) {
		struct mig_migration f = { .time = (uint64_t)(i ^ 1),
					   .from = i % 3 ? 3 : 4,
					   .cause = i % 2 ? MIG_CAUSE_NOHZ_PULL
							  : MIG_CAUSE_WAKEUP };

		move_list__add(&l, &f);
	}
	/* two in six: odd, and not a multiple of three */
	is_int(l.nr, MOVE_LIST_MAX, "a list of moves keeps so many");
	is_int((int64_t)l.more, 30000 - MOVE_LIST_MAX, "and counts the others");
	move_list__sort(&l);
	for (i = 1; i < (int)l.nr && l.m[i - 1].time <= l.m[i].time; i++)
		;
	is_int(i, MOVE_LIST_MAX, "in order of time");
	is_int((int64_t)l.m[0].time, 0, "from the first that matches");
	move_list__exit(&l);
}

static void wake(struct wake_chains *wc, uint64_t time, int32_t waker, int32_t wakee,
		 uint64_t delay)
{
	struct mig_wakeup f = { .time = time,
				.delay_ns = delay,
				.waker_tid = waker,
				.waker_comm = (uint32_t)waker,
				.wakee_tid = wakee,
				.wakee_comm = (uint32_t)wakee,
				.partner = waker ? MIG_PARTNER_YES : MIG_PARTNER_NO };

	wake_chains__add(wc, &f);
}

/* irq > 1 > 2 > 3 twice, the second time 3 is late; then 1, never woken since, wakes 2 */
static void test_wake_chains(void)
{
	struct wake_chains wc = { 0 };

	wake(&wc, 100, 0, 1, 10);
	wake(&wc, 120, 1, 2, 10);
	wake(&wc, 140, 2, 3, 10);
	wake(&wc, 160, 3, 4, 10);
	wake(&wc, 200, 0, 1, 10);
	wake(&wc, 220, 1, 2, 10);
	/* 1 is woken again before 3 runs, and this is handed out first: it is not what woke 2 */
	wake(&wc, 250, 5, 1, 1);
	wake(&wc, 240, 2, 3, 90);
	wake(&wc, 245, 1, 6, 100);
	wake(&wc, 400, 2, 3, MIG_NULL);
	wake_chains__sort(&wc);
	is_int(wc.nr, 6, "chains: irq>1, irq>1>2, irq>1>2>3, 1>2>3>4, 5>1, irq>1>6");
	is_int((int64_t)wc.c[0].n, 3, "the most frequent one first");
	is_int(wc.c[0].nr, 4, "of four tasks");
	is_int(wc.c[0].task[3], 3, "that end in 3");
	is_int((int64_t)wc.c[0].took_n, 2, "two were seen to the end");
	is_int((int64_t)wc.c[0].took_ns, 50 + 130, "from the first waking to the last running");
	wake_chains__exit(&wc);
}

int main(void)
{
	test_wake_chains();
	test_move_list();
	test_timeline();
	test_misses();
	test_slowest();
	test_chains();
	return done_testing();
}
