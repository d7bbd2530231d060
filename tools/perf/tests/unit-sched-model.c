// SPDX-License-Identifier: GPL-2.0
/*
 * The rules of the model, one function each: events in, facts out (Documentation/model.md).
 */
#include "sched-tests.h"

#define SLEEP   MIG_STATE_SLEEP
#define PREEMPT MIG_STATE_PREEMPTED

static void current_task(void)
{
	struct world *w = world__new(0);

	/* nothing is known of CPU 0: the sample says who is current */
	waking(w, 0, 10, 5, 6, 0);
	sw(w, 0, 20, 5, 6, SLEEP);
	/* an exiting task has tid -1 in its samples: the switch says who is current */
	waking(w, 0, 30, -1, 7, 1);
	world__end(w);
	is_int(w->wakeups, 2, "current: two wakeups");
	is_int(w->wakeup[0].waker_tid, 5, "current: the sample's tid");
	is_int(w->wakeup[1].waker_tid, 6, "current: next_pid where the sample says -1");
	is_int((int64_t)w->m.unseen_switches, 0, "current: nothing unseen");
	world__delete(w);
}

static void unseen_switch(void)
{
	struct world *w = world__new(1);

	sw_value(w, 0, 10, 0, 5, 1000);
	sw_value(w, 0, 20, 5, 0, 1007);
	waking(w, 1, 25, 9, 6, 0);
	/* 0 -> 6 was not recorded */
	sw_value(w, 0, 40, 6, 0, 1020);
	world__end(w);
	is_int((int64_t)w->m.unseen_switches, 1, "unseen switch: counted");
	is_int(w->slices, 3, "unseen switch: three slices");
	is_int(w->slice[1].tid, 5, "unseen switch: owner is prev_pid");
	is_int((int64_t)w->slice[1].misses[0], 7, "unseen switch: misses before it");
	is_int((int64_t)w->slice[1].length_ns, 10, "unseen switch: length before it");
	is_int(w->slice[2].tid, 6, "unseen switch: the slice belongs to prev_pid");
	ok(w->slice[2].length_ns == MIG_NULL, "unseen switch: no length");
	ok(!w->slice[2].start_known, "unseen switch: no start");
	is_int((int64_t)w->slice[2].misses[0], 13, "unseen switch: its misses stay prev_pid's");
	is_int(w->slice[2].began, MIG_BEGAN_UNKNOWN, "unseen switch: how it began is not known");
	is_int(w->wakeups, 1, "unseen switch: one wakeup");
	ok(w->wakeup[0].delay_ns == MIG_NULL, "unseen switch: no delay is made up");
	is_int(w->wakeup[0].run_cpu, 0, "unseen switch: where it ran is known");
	is_int((int64_t)w->slice_wakeup[2].time, 0, "unseen switch: the slice has no wakeup");
	world__delete(w);
}

static void unseen_move(void)
{
	struct world *w = world__new(0);

	sw(w, 1, 10, 0, 5, SLEEP);
	sw(w, 1, 20, 5, 0, SLEEP);
	sw(w, 3, 30, 0, 5, SLEEP); /* no sched_migrate_task */
	sw(w, 3, 40, 5, 0, SLEEP);
	world__end(w);
	is_int((int64_t)w->m.unseen_moves, 1, "unseen move: counted");
	is_int(w->migrations, 0, "unseen move: no migration is made up");
	is_int(w->slice[3].moved, MIG_MOVED, "unseen move: the slice moved all the same");
	world__delete(w);

	w = world__new(0);
	w->dec.seen[MIG_EV_MIGRATE] = false;
	sw(w, 1, 10, 0, 5, SLEEP);
	sw(w, 1, 20, 5, 0, SLEEP);
	sw(w, 3, 30, 0, 5, SLEEP);
	world__end(w);
	is_int((int64_t)w->m.unseen_moves, 0, "unseen move: none where moves are not recorded");
	world__delete(w);
}

static void losses(void)
{
	struct world *w = world__new(1);

	sw_value(w, 0, 10, 0, 5, 100);
	sw_value(w, 0, 20, 5, 0, 110);
	waking(w, 1, 22, 9, 6, 0);
	lost(w, 0, 30, 17);
	sw_value(w, 0, 40, 0, 6, 200);
	sw_value(w, 0, 50, 6, 0, 205);
	world__end(w);
	is_int((int64_t)w->m.unseen_switches, 0, "loss: what it hid is not an unseen switch");
	is_int(w->slices, 4, "loss: four slices");
	ok(w->slice[2].misses[0] == MIG_NULL, "loss: the value after it is only a base");
	ok(w->slice[2].length_ns == MIG_NULL, "loss: no length across it");
	ok(w->slice[2].lost_nearby, "loss: marked");
	ok(!w->slice[1].lost_nearby, "loss: what ended before it is not marked");
	is_int((int64_t)w->slice[3].misses[0], 5, "loss: the next difference counts");
	is_int((int64_t)w->slice[3].length_ns, 10, "loss: the next length counts");
	ok(!w->slice[3].lost_nearby, "loss: over once the CPU has switched again");
	ok(w->wakeup[0].delay_ns == MIG_NULL, "loss: no delay across it");
	ok(w->wakeup[0].lost_nearby, "loss: the wakeup is marked");
	is_int((int64_t)w->m.cpus[0].lost_records, 17, "loss: counted for its CPU");
	world__delete(w);
}

static void written_twice(void)
{
	struct world *w = world__new(1);
	struct mig_event ev;
	struct mig_reads r = { .id = 1, .value = { 50 } };

	sw_value(w, 0, 10, 0, 5, 100);
	sw_value(w, 0, 20, 5, 0, 107);
	sw_value(w, 0, 20, 5, 0, 107);
	sw_value(w, 0, 30, 0, 5, 110);
	world__end(w);
	is_int(w->slices, 3, "twice: one slice for two copies");
	is_int((int64_t)w->m.odd[MIG_ODD_DUPLICATE], 1, "twice: counted as odd");
	is_int((int64_t)w->slice[1].misses[0], 7, "twice: its misses count once");
	is_int((int64_t)w->m.unseen_switches, 0, "twice: no unseen switch");
	world__delete(w);

	/* two sched_switch events: a group's leader (event 3) and a plain one (event 4) */
	w = world__new(1);
	w->m.twin_switches = true;
	for (int i = 0; i < 6; i++) {
		ev = event(MIG_EV_SWITCH, 0, 10 + 10 * (uint64_t)(i / 2), i / 2 % 2 ? 5 : 0);
		ev.sw.prev_tid = i / 2 % 2 ? 5 : 0;
		ev.sw.next_tid = i / 2 % 2 ? 0 : 5;
		ev.sw.prev_state = SLEEP;
		ev.event = i % 2 ? 4 : 3;
		r.value[0] += i % 2 ? 0 : 7;
		feed(w, &ev, i % 2 ? NULL : &r);
	}
	world__end(w);
	is_int(w->slices, 3, "twins: one slice a switch");
	ok(w->slice[0].misses[0] == MIG_NULL && w->slice[1].misses[0] == 7 &&
		   w->slice[2].misses[0] == 7,
	   "twins: with the counters of the one that has them");
	ok(!sched_model__reads_refused(&w->m), "twins: nothing is refused");
	world__delete(w);
}

static void delays(void)
{
	struct world *w = world__new(0);

	sw(w, 2, 5, 8, 0, SLEEP);
	sw(w, 1, 5, 0, 9, SLEEP);
	waking(w, 1, 100, 9, 8, 2);
	migrate(w, 1, 103, 9, 8, 2, 0);
	wakeup(w, 1, 105, 9, 8, 0);
	sw(w, 0, 130, 0, 8, SLEEP);
	sw(w, 0, 170, 8, 7, PREEMPT); /* preempted */
	sw(w, 0, 250, 7, 8, SLEEP); /* waited 80 */
	sw(w, 0, 260, 8, 0, SLEEP);
	world__end(w);
	is_int(w->wakeups, 1, "delay: waking and wakeup are one");
	is_int((int64_t)w->wakeup[0].delay_ns, 30, "delay: waking to switch-in, move included");
	is_int(w->wakeup[0].waker_tid, 9, "delay: waker");
	is_int(w->wakeup[0].waker_cpu, 1, "delay: waker's CPU");
	is_int(w->wakeup[0].prev_cpu, 2, "delay: previous CPU = target of the waking");
	is_int(w->wakeup[0].cpu, 0, "delay: chosen CPU = destination of the migration");
	is_int(w->wakeup[0].run_cpu, 0, "delay: where it ran");
	is_int(w->wakeup[0].context, MIG_CTX_TASK, "delay: context");
	is_int(w->wakeup[0].partner, MIG_PARTNER_YES, "delay: a partner");

	is_int(w->migrations, 1, "delay: one migration");
	is_int(w->migration[0].cause, MIG_CAUSE_WAKEUP, "migration: its cause");
	is_int((int64_t)w->migration[0].queued_ns, 0, "migration: at a wakeup nothing queued");
	is_int((int64_t)w->migration[0].ran_after_ns, 27, "migration: then ran after");
	is_int((int64_t)w->migration[0].next_length_ns, 40, "migration: the slice that follows");
	is_int(w->migration[0].by_tid, 9, "migration: by whom");
	ok(w->migration[0].at_wakeup && w->migration[0].waker_tid == 9,
	   "migration: at whose wakeup");

	/* slices: 8 on 2, idle on 1; idle on 0, then 8, 7, 8 on 0 */
	is_int(w->slices, 6, "slices");
	is_int(w->slice[3].tid, 8, "first slice after the wakeup: owner");
	is_int(w->slice[3].began, MIG_BEGAN_WAKEUP, ".. began by it");
	is_int(w->slice[3].end, MIG_END_PREEMPT, ".. ends preempted");
	is_int((int64_t)w->slice_wakeup[3].time, 100, ".. belongs to it");
	ok(w->slice[3].wait_ns == MIG_NULL, ".. has no preemption wait");
	is_int(w->slice[3].moved, MIG_MOVED, ".. moved");
	is_int(w->slice[5].began, MIG_BEGAN_PREEMPT, "next slice: began after a preemption");
	is_int((int64_t)w->slice_wakeup[5].time, 0, ".. does not belong to the wakeup");
	is_int((int64_t)w->slice[5].wait_ns, 80, ".. waited");
	is_int(w->slice[5].moved, MIG_STAYED, ".. stayed");
	is_int(w->slice[5].end, MIG_END_SLEEP, ".. ends asleep");
	is_int(w->slice[0].moved, MIG_MOVED_UNKNOWN, "a first slice neither moved nor stayed");
	world__delete(w);
}

static void repeated_waking(void)
{
	struct world *w = world__new(0);
	unsigned i, with_delay = 0;

	sw(w, 0, 10, 8, 0, SLEEP);
	waking(w, 1, 100, 9, 8, 0);
	waking(w, 2, 120, 7, 8, 0);
	sw(w, 0, 150, 0, 8, SLEEP);
	world__end(w);
	is_int(w->wakeups, 2, "repeated waking: both count");
	for (i = 0; i < w->wakeups; i++)
		with_delay += w->wakeup[i].delay_ns != MIG_NULL;
	is_int(with_delay, 1, "repeated waking: one run has one delay");
	world__delete(w);

	/* of the task that is current and stays so */
	w = world__new(0);
	sw(w, 0, 10, 0, 8, SLEEP);
	waking(w, 1, 20, 9, 8, 0);
	sw(w, 0, 30, 8, 7, PREEMPT);
	sw(w, 0, 40, 7, 8, SLEEP);
	world__end(w);
	is_int(w->wakeups, 1, "waking of the current task: counts");
	is_int(w->wakeup[0].path, MIG_PATH_RUNNING,
	       "waking of the current task: no CPU was chosen");
	ok(w->wakeup[0].delay_ns == MIG_NULL, "waking of the current task: no delay");
	is_int((int64_t)w->m.odd[MIG_ODD_WAKING_OF_RUNNING], 1, "waking of the current task: odd");
	world__delete(w);

	/* of a task that was preempted and is queued */
	w = world__new(0);
	sw(w, 0, 10, 0, 8, SLEEP);
	sw(w, 0, 20, 8, 7, PREEMPT);
	waking(w, 1, 30, 9, 8, 0);
	sw(w, 0, 40, 7, 8, SLEEP);
	sw(w, 0, 50, 8, 0, SLEEP);
	world__end(w);
	is_int(w->wakeup[0].path, MIG_PATH_RUNNING, "waking of a queued task: no CPU was chosen");
	ok(w->wakeup[0].delay_ns == MIG_NULL, "waking of a queued task: no delay");
	is_int(w->slice[3].began, MIG_BEGAN_PREEMPT, "waking of a queued task: it began preempted");
	is_int((int64_t)w->slice[3].wait_ns, 20, "waking of a queued task: its wait is whole");
	world__delete(w);

	/* of a task that never runs again */
	w = world__new(0);
	sw(w, 0, 10, 8, 0, SLEEP);
	waking(w, 1, 30, 9, 8, 0);
	world__end(w);
	is_int(w->wakeups, 1, "never ran: counts");
	ok(w->wakeup[0].delay_ns == MIG_NULL, "never ran: no delay");
	is_int(w->wakeup[0].run_cpu, -1, "never ran: ran nowhere");
	world__delete(w);
}

static void contexts(void)
{
	static const struct {
		uint8_t flags;
		int cur;
		enum mig_context context;
		enum mig_partner partner;
	} cases[] = {
		{ 0, 9, MIG_CTX_TASK, MIG_PARTNER_YES },
		{ MIG_EVF_HARDIRQ, 9, MIG_CTX_HARDIRQ, MIG_PARTNER_NO },
		{ MIG_EVF_HARDIRQ, 0, MIG_CTX_HARDIRQ, MIG_PARTNER_NO },
		{ MIG_EVF_HARDIRQ | MIG_EVF_SOFTIRQ, 9, MIG_CTX_HARDIRQ, MIG_PARTNER_NO },
		{ MIG_EVF_NMI, 9, MIG_CTX_HARDIRQ, MIG_PARTNER_NO },
		{ MIG_EVF_SOFTIRQ, 0, MIG_CTX_SOFTIRQ, MIG_PARTNER_NO },
		/* no chain tells loopback TCP from an interrupt in the middle of a task */
		{ MIG_EVF_SOFTIRQ, 9, MIG_CTX_SOFTIRQ_LIKELY_TASK, MIG_PARTNER_UNKNOWN },
		{ 0, 0, MIG_CTX_TASK, MIG_PARTNER_NO },
	};
	struct world *w = world__new(0);
	unsigned i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		sw(w, 1, 10 + 100 * i, cases[i].cur ? 0 : 9, cases[i].cur, SLEEP);
		wake_flags(w, MIG_EV_WAKING, 1, 20 + 100 * i, cases[i].cur, 8, 0, cases[i].flags);
		sw(w, 0, 30 + 100 * i, 0, 8, SLEEP);
		sw(w, 0, 40 + 100 * i, 8, 0, SLEEP);
		is_int(w->wakeup[i].context, cases[i].context, "context");
		is_int(w->wakeup[i].partner, cases[i].partner, "partner");
		is_int(w->wakeup[i].waker_tid, cases[i].cur, "waker_tid always holds current");
	}
	world__end(w);
	world__delete(w);
}

static void paths(void)
{
	static const struct {
		int w, p, c;
		enum mig_path path;
		enum mig_distance distance; /* p to c */
		enum mig_relation relation; /* c against w: node or not */
	} cases[] = {
		{ 0, 0, 0, MIG_PATH_LOCAL, MIG_DIST_SELF, MIG_REL_NEAR },
		{ 0, 2, 2, MIG_PATH_PREV, MIG_DIST_SELF, MIG_REL_NEAR },
		{ 0, 5, 5, MIG_PATH_PREV, MIG_DIST_SELF, MIG_REL_FAR },
		{ 0, 1, 0, MIG_PATH_AFFINE, MIG_DIST_SMT, MIG_REL_NEAR },
		{ 0, 5, 0, MIG_PATH_AFFINE, MIG_DIST_REMOTE, MIG_REL_NEAR },
		{ 0, 1, 2, MIG_PATH_LLC, MIG_DIST_LLC, MIG_REL_NEAR },
		{ 0, 3, 1, MIG_PATH_WAKER_LLC, MIG_DIST_NODE, MIG_REL_NEAR },
		{ 0, 3, 4, MIG_PATH_PREV_LLC, MIG_DIST_LLC, MIG_REL_NEAR },
		{ 0, 5, 6, MIG_PATH_PREV_LLC, MIG_DIST_LLC, MIG_REL_FAR },
		{ 0, 3, 5, MIG_PATH_CROSS_NODE, MIG_DIST_REMOTE, MIG_REL_FAR },
		{ 0, 5, 7, MIG_PATH_CROSS_NODE, MIG_DIST_REMOTE, MIG_REL_FAR },
		{ 0, 1, 3, MIG_PATH_CROSS_LLC, MIG_DIST_NODE, MIG_REL_NEAR },
		/* another cache than both, but the waker's node, or the previous CPU's */
		{ 0, 7, 3, MIG_PATH_CROSS_LLC, MIG_DIST_REMOTE, MIG_REL_NEAR },
		{ 5, 0, 3, MIG_PATH_CROSS_LLC, MIG_DIST_NODE, MIG_REL_FAR },
	};
	unsigned i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct world *w = world__new(0);
		const char *name = mig_path__name(cases[i].path);

		sw(w, cases[i].p, 10, 8, 0, SLEEP);
		sw(w, cases[i].w, 11, 0, 9, SLEEP);
		waking(w, cases[i].w, 20, 9, 8, cases[i].p);
		if (cases[i].c != cases[i].p)
			migrate(w, cases[i].w, 21, 9, 8, cases[i].p, cases[i].c);
		sw(w, cases[i].c, 30, 0, 8, SLEEP);
		world__end(w);
		ok(w->wakeups == 1 && w->wakeup[0].path == cases[i].path, "w %d p %d c %d: path %s",
		   cases[i].w, cases[i].p, cases[i].c, name);
		is_str(mig_path__name(w->wakeup[0].path), name, name);
		is_int(w->wakeup[0].distance, cases[i].distance, ".. distance");
		is_int(w->wakeup[0].relation, cases[i].relation, ".. relation");
		world__delete(w);
	}
}

static void wakeup_only(void)
{
	struct world *w = world__new(0);

	/* a recording without sched_waking */
	w->dec.seen[MIG_EV_WAKING] = false;
	sw(w, 2, 10, 8, 0, SLEEP);
	sw(w, 1, 10, 0, 9, SLEEP);
	wakeup(w, 1, 100, 9, 8, 2); /* from another CPU: the waker ran it */
	sw(w, 2, 130, 0, 8, SLEEP);
	sw(w, 2, 150, 8, 0, SLEEP);
	wakeup(w, 2, 200, 0, 8, 2); /* on the wakee's CPU, by idle: a remote one, waker unknown */
	sw(w, 2, 220, 0, 8, SLEEP);
	sw(w, 2, 230, 8, 7, SLEEP);
	wakeup(w, 2, 240, 7, 8, 2); /* on the wakee's CPU, by a task: local */
	world__end(w);
	is_int(w->wakeups, 3, "sched_wakeup only: each is a wakeup");
	is_int(w->wakeup[0].waker_tid, 9, "sched_wakeup only: waker on another CPU");
	is_int((int64_t)w->wakeup[0].delay_ns, 30, "sched_wakeup only: delay");
	is_int(w->wakeup[1].waker_tid, -1,
	       "sched_wakeup only: from a remote CPU the waker is unknown");
	is_int(w->wakeup[1].partner, MIG_PARTNER_UNKNOWN, "sched_wakeup only: so is the partner");
	is_int(w->wakeup[2].waker_tid, 7, "sched_wakeup only: local");
	world__delete(w);
}

static void migrations(void)
{
	struct world *w = world__new(0);

	sw(w, 0, 10, 7, 8, PREEMPT); /* 7 is queued on 0 */
	migrate(w, 3, 30, 0, 7, 0, 3); /* idle CPU 3 pulls it */
	sw(w, 3, 45, 0, 7, SLEEP);
	migrate(w, 3, 60, 7, 6, 2, 2); /* goes nowhere */
	migrate(w, 3, 70, 7, 6, 2, -1);
	sw(w, 3, 85, 7, 0, SLEEP);
	world__end(w);
	is_int(w->migrations, 1, "migration: dest == orig and dest -1 are none");
	is_int((int64_t)w->m.odd[MIG_ODD_MIGRATE_NO_MOVE], 1, "migration: without a move: odd");
	is_int((int64_t)w->m.odd[MIG_ODD_MIGRATE_NO_DEST], 1,
	       "migration: without a destination: odd");
	is_int((int64_t)w->migration[0].queued_ns, 20, "migration: queued before the move");
	is_int((int64_t)w->migration[0].ran_after_ns, 15, "migration: then ran after");
	is_int((int64_t)w->migration[0].next_length_ns, 40, "migration: next slice");
	is_int(mig_cause__class((enum mig_cause)w->migration[0].cause), MIG_CLASS_BALANCE,
	       "migration: pulled by idle: a balance");
	is_int(w->migration[0].distance, MIG_DIST_NODE, "migration: distance");
	is_int((int64_t)w->m.unseen_moves, 0, "migration: nothing unseen");
	world__delete(w);
}

static void fork_placement(void)
{
	struct world *w = world__new(0);

	sw(w, 0, 10, 0, 9, SLEEP);
	forks(w, 0, 20, 9, 30);
	wakeup_new(w, 0, 25, 9, 30, 2);
	sw(w, 2, 40, 0, 30, SLEEP);
	sw(w, 2, 60, 30, 0, MIG_STATE_DEAD);
	forks(w, 0, 70, 9, 31);
	wakeup_new(w, 0, 75, 9, 31, 0);
	world__end(w);
	is_int(w->forks, 2, "fork: two");
	is_int(w->fork[0].parent_tid, 9, "fork: parent");
	is_int(w->fork[0].tid, 30, "fork: child");
	is_int(w->fork[0].from, 0, "fork: parent's CPU");
	is_int(w->fork[0].to, 2, "fork: placed on");
	is_int(w->fork[1].to, 0, "fork: placed on the parent's CPU");
	is_int(w->migrations, 0, "fork: a placement is no migration");
	is_int(w->wakeups, 0, "fork: sched_wakeup_new is no wakeup");
	is_int((int64_t)w->m.unseen_moves, 0, "fork: a placement is no unseen move");
	is_int(w->slice[2].tid, 30, "fork: the child's slice");
	is_int(w->slice[2].began, MIG_BEGAN_FORK, "fork: began");
	is_int(w->slice[2].end, MIG_END_EXIT, "fork: ended by its exit");
	world__delete(w);
}

static void misses(void)
{
	struct world *w = world__new(1);
	struct mig_reads other = { .id = 999, .value = { 3000 } };

	sw_value(w, 0, 10, 0, 5, 1000); /* base */
	sw_value(w, 0, 20, 5, 6, 1011);
	sw_value(w, 1, 25, 0, 7, 4); /* another CPU: a base of its own */
	sw_value(w, 1, 26, 7, 0, 9);
	sw_value(w, 0, 30, 6, 5, 1011); /* none */
	sw_value(w, 0, 40, 5, 6, 12); /* it went back: hotplug, another window */
	sw_value(w, 0, 50, 6, 5, 20);
	sw_reads(w, 0, 60, 5, 6, SLEEP, &other); /* another id: another counter */
	other.value[0] = 3002;
	sw_reads(w, 0, 70, 6, 5, SLEEP, &other);
	world__end(w);
	ok(w->slice[0].misses[0] == MIG_NULL, "misses: the first value is only a base");
	is_int((int64_t)w->slice[1].misses[0], 11, "misses: the difference is the owner's");
	is_int(w->slice[1].tid, 5, "misses: owner is prev_pid");
	ok(w->slice[2].misses[0] == MIG_NULL, "misses: each CPU has its own base");
	is_int((int64_t)w->slice[3].misses[0], 5, "misses: and its own differences");
	is_int((int64_t)w->slice[4].misses[0], 0, "misses: none is 0, not null");
	ok(w->slice[5].misses[0] == MIG_NULL, "misses: a value that went back is only a base");
	is_int((int64_t)w->slice[6].misses[0], 8, "misses: from there on it counts");
	ok(w->slice[7].misses[0] == MIG_NULL, "misses: another id starts anew");
	is_int((int64_t)w->slice[8].misses[0], 2, "misses: and counts on");
	ok(!sched_model__reads_refused(&w->m), "misses: nothing is refused");
	world__delete(w);
}

static void refused(void)
{
	struct mig_reads r = { .enabled = 100, .running = 100, .id = 1, .value = { 10 } };
	struct world *w = world__new(1);

	sw_reads(w, 0, 10, 0, 5, SLEEP, &r);
	r.enabled = r.running = 200;
	sw_reads(w, 0, 20, 5, 0, SLEEP, &r);
	ok(!sched_model__reads_refused(&w->m), "running == enabled: taken");
	r.enabled = 300;
	r.running = 299;
	sw_reads(w, 0, 30, 0, 5, SLEEP, &r);
	ok(sched_model__reads_refused(&w->m), "running < enabled: refused");
	ok(w->m.reads_multiplexed, "running < enabled: multiplexed");
	world__delete(w);

	w = world__new(1);
	sw_value(w, 0, 10, 0, 5, 10);
	sw(w, 0, 20, 5, 0, SLEEP);
	is_int((int64_t)w->m.switches_without_read, 1, "a switch without its read is counted");
	ok(sched_model__reads_refused(&w->m), "a switch without its read: refused");
	world__delete(w);

	w = world__new(0);
	sw(w, 0, 10, 0, 5, SLEEP);
	ok(!sched_model__reads_refused(&w->m), "without counters there is nothing to refuse");
	world__delete(w);
}

static void sampled(void)
{
	struct world *w = world__new(0);
	struct mig_event ev = event(MIG_EV_SAMPLE, 1, 20, 5);

	sw(w, 0, 10, 0, 5, SLEEP);
	ev.sample.period = 1000;
	ev.sample.counter = 2;
	feed(w, &ev, NULL);
	ev.cpu = MIG_NO_CPU;
	feed(w, &ev, NULL);
	world__end(w);
	is_int(w->samples, 2, "sample: two");
	is_int(w->sample[0].tid, 5, "sample: owner is its own tid");
	is_int((int64_t)w->sample[0].period, 1000, "sample: period");
	is_int(w->sample[0].counter, 2, "sample: counter");
	is_int(w->sample[0].cpu, 1, "sample: CPU");
	is_int(w->sample[1].cpu, -1, "sample: without CPU");
	is_int((int64_t)w->m.unseen_switches, 0, "sample: says nothing of switches");
	world__delete(w);
}

static void idle_and_ends(void)
{
	struct world *w = world__new(0);

	sw(w, 0, 10, 5, 0, MIG_STATE_DISK);
	sw(w, 1, 20, 0, 5, SLEEP);
	sw(w, 0, 30, 0, 6, SLEEP); /* idle of CPU 0, then of CPU 1: no move of idle */
	sw(w, 1, 40, 5, 0, MIG_STATE_RUNNABLE);
	sw(w, 1, 50, 0, 5, SLEEP);
	world__end(w);
	is_int(w->slice[0].end, MIG_END_SLEEP, "end: D is sleep");
	is_int(w->slice[3].end, MIG_END_PREEMPT, "end: R is preempted (yield)");
	is_int(w->slice[1].moved, MIG_MOVED_UNKNOWN, "idle neither moves");
	is_int(w->slice[4].moved, MIG_MOVED_UNKNOWN, "nor stays");
	is_int(w->slice[4].end, MIG_END_UNKNOWN, "idle: no end");
	is_int((int64_t)w->m.unseen_moves, 1, "5 moved unseen, idle did not");
	world__delete(w);
}

static void recorder(void)
{
	struct world *w = world__new(0);
	struct mig_event ev = event(MIG_EV_TASK, MIG_NO_CPU, 1, -1);

	/* perf record (50) forks 51, which is called perf-exec until it becomes the workload */
	ev.rel.tid = ev.rel.pid = 51;
	ev.rel.ppid = 50;
	feed(w, &ev, NULL);
	ev.rel.tid = ev.rel.pid = 50;
	ev.rel.ppid = 1;
	feed(w, &ev, NULL);
	ev = event(MIG_EV_COMM, MIG_NO_CPU, 2, 51);
	ev.task.tid = 51;
	ev.task.comm = strtab__intern(&w->names, "perf-exec", 9);
	feed(w, &ev, NULL);
	sw(w, 0, 10, 0, 50, SLEEP);
	sw(w, 0, 20, 50, 51, SLEEP);
	sw(w, 0, 30, 51, 0, SLEEP);
	world__end(w);
	is_int(w->m.recorder_pid, 50, "recorder: the parent of perf-exec");
	ok(w->slice[1].is_recorder, "recorder: its slice");
	ok(!w->slice[2].is_recorder, "recorder: its child is not it");
	world__delete(w);
}

static void without_cpu(void)
{
	struct world *w = world__new(1);

	sw_value(w, MIG_NO_CPU, 10, 0, 5, 1000);
	waking(w, MIG_NO_CPU, 20, 5, 6, 2);
	migrate(w, MIG_NO_CPU, 21, 5, 6, 2, 3);
	sw_value(w, MIG_NO_CPU, 30, 5, 6, 1010);
	wakeup_new(w, MIG_NO_CPU, 40, 6, 7, 4);
	world__end(w);
	is_int(w->slices, 2, "no CPU: slices");
	is_int(w->slice[1].tid, 5, "no CPU: owner");
	ok(w->slice[1].length_ns == MIG_NULL && w->slice[1].misses[0] == MIG_NULL,
	   "no CPU: neither length nor misses");
	ok(w->wakeups == 1 && w->wakeup[0].waker_tid == 5 && w->wakeup[0].delay_ns == MIG_NULL &&
		   w->wakeup[0].waker_cpu == -1,
	   "no CPU: a wakeup without delay");
	ok(w->migrations == 1 && w->migration[0].to == 3 &&
		   w->migration[0].cause == MIG_CAUSE_UNKNOWN && !w->migration[0].certain,
	   "no CPU: a migration of unknown cause");
	ok(w->forks == 1 && w->fork[0].from == -1, "no CPU: a fork from an unknown CPU");
	is_int((int64_t)w->m.unseen_switches, 0, "no CPU: nothing is called unseen");
	world__delete(w);
}

int main(void)
{
	current_task();
	unseen_switch();
	unseen_move();
	losses();
	written_twice();
	delays();
	repeated_waking();
	contexts();
	paths();
	wakeup_only();
	migrations();
	fork_placement();
	misses();
	refused();
	sampled();
	idle_and_ends();
	recorder();
	without_cpu();
	return done_testing();
}
