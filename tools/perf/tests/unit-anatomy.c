// SPDX-License-Identifier: GPL-2.0
/*
 * What a run delay is made of, and overlaps, from constructed events: the figures beside them are
 * what Documentation/model.md, 2, makes of their times.
 */
#include "sched-tests.h"

#define SLEEP   MIG_STATE_SLEEP
#define PREEMPT MIG_STATE_PREEMPTED

static void is_num(uint64_t got, uint64_t want, const char *name, const char *what)
{
	ok(got == want, "%s: %s: %" PRIu64 ", want %" PRIu64, name, what, got, want);
}

static struct world *world(uint32_t want)
{
	struct world *w = world__new(0);

	w->m.want = 1U << want;
	return w;
}

static void ipi(struct world *w, int cpu, uint64_t time, int cur, int to, bool call)
{
	struct mig_event ev = event(MIG_EV_IPI_SEND, cpu, time, cur);

	ev.ipi.cpu = to;
	ev.flags = call ? MIG_EVF_CALL : 0;
	feed(w, &ev, NULL);
}

static void simple(struct world *w, uint8_t type, int cpu, uint64_t time, int cur)
{
	const struct mig_event ev = event(type, cpu, time, cur);

	feed(w, &ev, NULL);
}

static void idle_exit(struct world *w, int cpu, uint64_t time)
{
	struct mig_event ev = event(MIG_EV_IDLE, cpu, time, 0);

	ev.flags = MIG_EVF_ENTER;
	feed(w, &ev, NULL);
}

/* The last wakeup's terms; their sum is the delay. */
static void terms(const struct world *w, const char *name, uint64_t select, uint64_t to_cpu,
		  uint64_t idle, uint64_t queue, uint64_t to_task)
{
	const uint64_t want[MIG_NR_TERM] = { select, to_cpu, idle, queue, to_task };
	static const char *const term[] = { "select", "ipi", "idle", "queue", "switch" };
	const struct mig_wakeup_more *m = &w->more[w->wakeups - 1];
	uint64_t sum = 0;
	unsigned i;

	ok(m->separated, "%s: taken apart", name);
	for (i = 0; i < MIG_NR_TERM; i++) {
		is_num(m->term_ns[i], want[i], name, term[i]);
		sum += m->term_ns[i];
	}
	is_num(sum, w->wakeup[w->wakeups - 1].delay_ns, name, "the sum");
}

static void not_apart(const struct world *w, const char *name)
{
	ok(w->wakeups && !w->more[w->wakeups - 1].separated, "%s: not taken apart", name);
}

/* t5 runs on CPU 0; CPU 4 runs first, 0 = idle, since 100; t6 slept there last. */
static struct world *begin(int first)
{
	struct world *w = world(MIG_PART_ANATOMY);

	sw(w, 0, 10, 0, 5, SLEEP);
	sw(w, 4, 20, 0, 6, SLEEP);
	sw(w, 4, 100, 6, first, SLEEP);
	return w;
}

/* An idle CPU that sleeps in HLT: the interrupt comes before the exit from idle. */
static void halted(void)
{
	struct world *w = begin(0);

	waking(w, 0, 1000, 5, 6, 4);
	ipi(w, 0, 1007, 5, 4, true);
	simple(w, MIG_EV_IPI_CALL, 4, 1060, 0);
	wakeup(w, 4, 1062, 0, 6, 4);
	idle_exit(w, 4, 1075);
	sw(w, 4, 1080, 0, 6, SLEEP);
	terms(w, "halted", 7, 53, 15, 0, 5);
	world__end(w);
	world__delete(w);
}

/* .. that sleeps in MWAIT: after. A reschedule to another CPU is not for it. */
static void mwait(void)
{
	struct world *w = begin(0);

	waking(w, 0, 1000, 5, 6, 4);
	ipi(w, 0, 1003, 5, 2, false);
	ipi(w, 0, 1007, 5, 4, false);
	wakeup(w, 0, 1009, 5, 6, 4);
	idle_exit(w, 4, 1060);
	simple(w, MIG_EV_IPI_RESCHED, 4, 1063, 0);
	sw(w, 4, 1080, 0, 6, SLEEP);
	terms(w, "mwait", 7, 53, 3, 0, 17);
	world__end(w);
	world__delete(w);
}

/* A polling idle CPU is told by a write to its flags. */
static void polling(void)
{
	struct world *w = begin(0);

	waking(w, 0, 1000, 5, 6, 4);
	wakeup(w, 0, 1009, 5, 6, 4);
	idle_exit(w, 4, 1030);
	sw(w, 4, 1036, 0, 6, SLEEP);
	terms(w, "polling", 9, 0, 21, 0, 6);
	world__end(w);
	world__delete(w);
}

/* The same times as halted(), with a hog on the target for 4000 more. */
static void hog(void)
{
	struct world *w = begin(7);

	waking(w, 0, 1000, 5, 6, 4);
	ipi(w, 0, 1007, 5, 4, true);
	simple(w, MIG_EV_IPI_RESCHED, 4, 1050, 7); /* of another waking: not the one awaited */
	simple(w, MIG_EV_IPI_CALL, 4, 1060, 7);
	wakeup(w, 4, 1062, 7, 6, 4);
	sw(w, 4, 5080, 7, 6, PREEMPT);
	terms(w, "hog", 7, 53, 0, 4020, 0);
	world__end(w);
	world__delete(w);
}

/* The CPU was idle, but another task came first. */
static void overtaken(void)
{
	struct world *w = begin(0);

	waking(w, 0, 1000, 5, 6, 4);
	ipi(w, 0, 1007, 5, 4, true);
	simple(w, MIG_EV_IPI_CALL, 4, 1060, 0);
	idle_exit(w, 4, 1075);
	sw(w, 4, 1080, 0, 8, SLEEP);
	sw(w, 4, 1500, 8, 6, SLEEP);
	terms(w, "overtaken", 7, 53, 15, 425, 0);
	world__end(w);
	world__delete(w);
}

/* The waker's own CPU: the waker is the queue. An interrupt over idle there: no IPI. */
static void own_cpu(void)
{
	struct world *w = begin(0);

	sw(w, 4, 500, 0, 8, SLEEP);
	waking(w, 4, 1000, 8, 6, 4);
	wakeup(w, 4, 1004, 8, 6, 4);
	sw(w, 4, 1100, 8, 6, SLEEP);
	terms(w, "own CPU", 4, 0, 0, 96, 0);
	sw(w, 4, 1200, 6, 0, SLEEP);
	wake_flags(w, MIG_EV_WAKING, 4, 2000, 0, 6, 4, MIG_EVF_HARDIRQ);
	wakeup(w, 4, 2005, 0, 6, 4);
	idle_exit(w, 4, 2012);
	sw(w, 4, 2020, 0, 6, SLEEP);
	terms(w, "timer", 5, 0, 7, 0, 8);
	world__end(w);
	world__delete(w);
}

/* Chosen elsewhere than before; then moved again while it waits. */
static void moved(void)
{
	struct world *w = begin(0);

	sw(w, 3, 200, 0, 9, SLEEP);
	waking(w, 0, 1000, 5, 6, 4);
	migrate(w, 0, 1002, 5, 6, 4, 3);
	ipi(w, 0, 1005, 5, 3, false);
	wakeup(w, 0, 1006, 5, 6, 3);
	simple(w, MIG_EV_IPI_RESCHED, 3, 1040, 9);
	sw(w, 2, 1050, 0, 10, SLEEP);
	migrate(w, 2, 1100, 10, 6, 3, 2);
	sw(w, 2, 1150, 10, 6, SLEEP);
	terms(w, "moved", 5, 35, 0, 110, 0);
	world__end(w);
	world__delete(w);
}

/* Woken on its way to sleep: its CPU takes the interrupt when it has left. */
static void leaving(void)
{
	struct world *w = begin(0);

	sw(w, 4, 900, 0, 6, SLEEP);
	waking(w, 0, 1000, 5, 6, 4);
	ipi(w, 0, 1007, 5, 4, true);
	sw(w, 4, 1030, 6, 0, SLEEP);
	simple(w, MIG_EV_IPI_CALL, 4, 1060, 0);
	sw(w, 4, 1080, 0, 6, SLEEP);
	terms(w, "leaving", 7, 53, 0, 0, 20);
	world__end(w);
	world__delete(w);
}

/* Without the events a term is part of a later one. */
static void merged(void)
{
	struct world *w = begin(0);

	w->dec.seen[MIG_EV_IPI_SEND] = false;
	ok(!sched_model__has_term(&w->m, MIG_TERM_SELECT), "no IPIs: no select");
	ok(!sched_model__has_term(&w->m, MIG_TERM_IPI), "no IPIs: no ipi");
	waking(w, 0, 1000, 5, 6, 4);
	wakeup(w, 4, 1062, 0, 6, 4);
	idle_exit(w, 4, 1075);
	sw(w, 4, 1080, 0, 6, SLEEP);
	/* nothing came on the waker's CPU: the end of its choice was not seen */
	not_apart(w, "no IPIs, waker silent");
	sw(w, 4, 1100, 6, 0, SLEEP);
	waking(w, 0, 2000, 5, 6, 4);
	sw(w, 0, 2010, 5, 0, SLEEP);
	wakeup(w, 4, 2062, 0, 6, 4);
	idle_exit(w, 4, 2075);
	sw(w, 4, 2080, 0, 6, SLEEP);
	terms(w, "no IPIs", 0, 0, 75, 0, 5);
	sw(w, 4, 2100, 6, 0, SLEEP);
	w->dec.seen[MIG_EV_IDLE] = false;
	waking(w, 1, 3000, 11, 6, 4);
	sw(w, 4, 3080, 0, 6, SLEEP);
	terms(w, "plain", 0, 0, 0, 0, 80);
	world__end(w);
	world__delete(w);
}

/* What was not seen is not made up. */
static void unseen(void)
{
	struct world *w = begin(0);

	waking(w, 0, 1000, 5, 6, 4);
	ipi(w, 0, 1007, 5, 4, true);
	sw(w, 4, 1080, 9, 6, SLEEP); /* idle -> t9 was not recorded */
	not_apart(w, "unseen switch");
	sw(w, 4, 1100, 6, 0, SLEEP);
	waking(w, 0, 2000, 5, 6, 4);
	ipi(w, 0, 2007, 5, 4, true);
	lost(w, 0, 2050, 3);
	sw(w, 4, 2080, 0, 6, SLEEP);
	not_apart(w, "loss on the waker's CPU");
	world__end(w);
	world__delete(w);
}

static void overlaps(void)
{
	struct world *w = world(MIG_PART_OVERLAP);

	sw(w, 0, 10, 0, 5, SLEEP);
	sw(w, 4, 20, 0, 6, SLEEP);
	sw(w, 4, 100, 6, 0, SLEEP);
	/* the wakee runs before the waker leaves */
	waking(w, 0, 1000, 5, 6, 4);
	sw(w, 4, 1080, 0, 6, SLEEP);
	is_int(w->overlaps, 0, "overlap: not known while the waker runs");
	sw(w, 0, 1300, 5, 0, SLEEP);
	is_int(w->overlaps, 1, "overlap: handed out when it leaves");
	is_int((int64_t)w->overlap[0].ns, 300, "overlap: from the waking to the switch-out");
	ok(w->overlap[0].is_short, "overlap: short");
	is_int(w->overlap_wakeup[0].run_cpu, 4, "overlap: with its wakeup");
	/* the waker leaves before the wakee runs; an interrupt has no waker */
	sw(w, 4, 1400, 6, 0, SLEEP);
	sw(w, 0, 1500, 0, 5, SLEEP);
	wake_flags(w, MIG_EV_WAKING, 0, 1600, 5, 7, 4, MIG_EVF_HARDIRQ);
	waking(w, 0, 2000, 5, 6, 4);
	sw(w, 0, 602000, 5, 0, SLEEP);
	is_int(w->overlaps, 1, "overlap: not before its wakeup");
	sw(w, 4, 603000, 0, 6, SLEEP);
	is_int(w->overlaps, 2, "overlap: after it");
	is_int((int64_t)w->overlap[1].ns, 600000, "overlap: known");
	ok(!w->overlap[1].is_short, "overlap: above 500 us");
	/* a loss hides when the waker left */
	sw(w, 0, 604000, 0, 5, SLEEP);
	waking(w, 0, 605000, 5, 8, 3);
	lost(w, 0, 606000, 1);
	sw(w, 0, 607000, 5, 0, SLEEP);
	sw(w, 3, 608000, 0, 8, SLEEP);
	is_int(w->overlaps, 2, "overlap: none beside a loss");
	world__end(w);
	is_int(w->overlaps, 2, "overlap: that is all");
	world__delete(w);
}

/* 800 us first, then 1/8 of the way to 0 with each wakeup that is followed by sleep at once. */
static void replay(void)
{
	struct world *w = world(MIG_PART_OVERLAP);
	uint64_t t = 1000, avg = 800000;
	unsigned i;

	sw(w, 0, 10, 0, 5, SLEEP);
	sw(w, 4, 10, 0, 6, SLEEP);
	waking(w, 4, 20, 6, 9, 2); /* t6: 10 ns, well below */
	sw(w, 4, 30, 6, 0, SLEEP);
	waking(w, 0, t, 5, 6, 4);
	sw(w, 4, t + 10, 0, 6, SLEEP);
	ok(!w->more[w->wakeups - 1].replayed, "rule: not known before the waker's first sample");
	waking(w, 4, t + 20, 6, 10, 2);
	sw(w, 4, t + 30, 6, 0, SLEEP);
	sw(w, 0, t + 800000, 5, 0, SLEEP);
	for (i = 0; i < 6; i++) {
		t += 1000000;
		sw(w, 0, t, 0, 5, SLEEP);
		waking(w, 0, t + 100, 5, 6, 4);
		sw(w, 0, t + 100, 5, 0, SLEEP);
		sw(w, 4, t + 110, 0, 6, SLEEP);
		sw(w, 4, t + 120, 6, 0, SLEEP);
		ok(w->more[w->wakeups - 1].replayed, "rule: wakeup %u is judged", i);
		ok(w->more[w->wakeups - 1].would_sync == (avg <= 500000),
		   "rule: wakeup %u at an average of %" PRIu64, i, avg);
		avg -= avg / 8;
	}
	/* a new task begins with 0 */
	forks(w, 4, t + 200, 0, 13);
	wakeup_new(w, 4, t + 210, 0, 13, 3);
	sw(w, 3, t + 220, 0, 13, SLEEP);
	waking(w, 3, t + 230, 13, 6, 4);
	sw(w, 4, t + 240, 0, 6, SLEEP);
	sw(w, 4, t + 250, 6, 0, SLEEP);
	ok(w->more[w->wakeups - 1].would_sync, "rule: a new task");
	/* a preemption counts the slice, at most twice the limit */
	t += 1000000;
	sw(w, 0, t, 0, 5, SLEEP);
	sw(w, 0, t + 50000000, 5, 12, PREEMPT);
	sw(w, 0, t + 50000010, 12, 5, SLEEP);
	waking(w, 0, t + 50000020, 5, 6, 4);
	sw(w, 4, t + 50000030, 0, 6, SLEEP);
	avg += (1000000 - avg) / 8;
	is_int(w->more[w->wakeups - 1].would_sync, avg <= 500000, "rule: after a preemption");
	world__end(w);
	world__delete(w);
}

int main(void)
{
	halted();
	mwait();
	polling();
	hog();
	overtaken();
	own_cpu();
	moved();
	leaving();
	merged();
	unseen();
	overlaps();
	replay();
	return done_testing();
}
