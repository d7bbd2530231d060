// SPDX-License-Identifier: GPL-2.0
/*
 * sched-switch: one sched_switch: a slice ends and is handed out with its misses, another begins.
 */
#include "sched-model-int.h"

#include <string.h>

/*
 * Misses since the group's last read here. The first value of a counter on a CPU is only a base, so
 * is one after a loss, and one that went back (hotplug, another window of recording).
 */
static void take_reads(struct sched_model *m, struct cpu_state *cpu, const struct mig_reads *r,
		       uint64_t *misses)
{
	unsigned i, nr = m->dec->group.nr;
	bool good;

	if (!r) {
		m->switches_without_read++;
		cpu->base_valid = false;
		return;
	}
	if (!r->enabled)
		m->reads_untimed = true;
	if (r->running < r->enabled)
		m->reads_multiplexed++;
	good = cpu->base_valid && cpu->base_id == r->id;
	for (i = 0; good && i < nr; i++)
		good = r->value[i] != MIG_NULL && r->value[i] >= cpu->base[i];
	if (!good)
		m->reads_null++;
	for (i = 0; i < nr; i++) {
		if (good)
			misses[i] = r->value[i] - cpu->base[i];
		cpu->base[i] = r->value[i];
	}
	cpu->base_valid = true;
	cpu->base_id = r->id;
}

static const uint8_t end_of[] = {
	[MIG_STATE_RUNNABLE] = MIG_END_PREEMPT, [MIG_STATE_PREEMPTED] = MIG_END_PREEMPT,
	[MIG_STATE_SLEEP] = MIG_END_SLEEP,      [MIG_STATE_DISK] = MIG_END_SLEEP,
	[MIG_STATE_DEAD] = MIG_END_EXIT,
};

/* p leaves the CPU, and was not known to run here: another switch was not seen. */
static __attribute__((noinline)) int
ran_here_unseen(struct sched_model *m, const struct cpu_state *cpu, struct task *p, int here)
{
	struct task *lost = cpu->cur_tid >= 0 ? cpu->cur : NULL;
	int ret;

	m->unseen_switches += cpu->cur_tid >= 0;
	if (lost && lost->tid && lost->state == TASK_RUNNING && lost->cpu == here)
		lost->state = TASK_UNKNOWN; /* it left unseen */
	if (!p)
		return 0;
	sched_model__found_on(m, p, here);
	ret = sched_model__wakeup_unseen(m, p, here); /* it ran; since when was not seen */
	if (!ret)
		ret = sched_model__wakeup_was_none(m, p);
	p->began = MIG_BEGAN_UNKNOWN;
	p->first_slice = false;
	p->wait_ns = MIG_NULL;
	return ret;
}

/* What p's migrations waited for: a slice (s), and how it ended. */
static int settle_moves(struct sched_model *m, struct task *p, const struct mig_slice *s,
			uint8_t state)
{
	int ret = sched_model__moved_ran(m, p, s);

	if (!ret && p->pending && state >= MIG_STATE_SLEEP && state != MIG_STATE_DISK)
		ret = sched_model__settle_self(m, p, false);
	return ret;
}

/*
 * After a move what comes first may be no work: the rest of a sched_setaffinity() call, whose
 * caller the stopper wakes (stop_one_cpu()), or a slice that was cut short.
 */
static __attribute__((noinline)) void work_after_move(struct sched_model *m, struct task *p,
						      struct mig_slice *s)
{
	const struct task *w = s->wakeup ? task_table__find(&m->tasks, s->wakeup->waker_tid) : NULL;

	s->is_work &= !w || !sched_model__is_stopper(w);
	s->after_move = true;
	if (s->moved == MIG_MOVED) {
		/* the move waits for the end of this slice */
		p->moved_by = MIG_NR_CLASS;
		p->moved_to = MIG_DIST_UNKNOWN;
		if (p->pending) {
			p->moved_by = (uint8_t)mig_cause__class(p->pending->verdict.cause);
			p->moved_to = p->pending->fact.distance;
		}
	}
	s->moved_by = p->moved_by;
	s->moved_to = p->moved_to;
	p->after_move = !s->is_work;
}

static inline __attribute__((always_inline)) int switch_out(struct sched_model *m,
							    struct cpu_state *cpu,
							    const struct mig_event *ev,
							    const struct mig_reads *reads)
{
	const int here = ev->cpu;
	struct task *p = sched_model__task_of(m, cpu, ev->sw.prev_tid);
	struct mig_slice s;
	int ret = 0;

	s.wakeup = NULL;
	s.length_ns = MIG_NULL;
	s.start_known = false;
	memset(s.misses, 0xff, sizeof(s.misses)); /* MIG_NULL */
	if (m->dec->group.nr)
		take_reads(m, cpu, reads, s.misses);
	/* not if it began to run elsewhere since: it was not here all the time */
	if (__builtin_expect(p && p == cpu->cur && (p->run_cpu == here || !p->tid), 1)) {
		if (cpu->start_known) {
			s.start_known = true;
			if (ev->time >= cpu->cur_since)
				s.length_ns = ev->time - cpu->cur_since;
		}
		if (p->first_slice)
			s.wakeup = &p->woken;
	} else if (p || cpu->cur_tid != ev->sw.prev_tid) {
		ret = ran_here_unseen(m, cpu, p, here);
	}
	if (!p)
		return sched_model__no_task(m, ev->sw.prev_tid);
	sched_model__set_comm(m, p, ev->sw.prev_comm);
	p->prio = ev->sw.prev_prio;
	if (ev->tid == p->tid && ev->pid > 0)
		p->pid = ev->pid;
	s.time = ev->time;
	s.wait_ns = p->wait_ns;
	s.tid = p->tid;
	s.pid = p->pid;
	s.comm = p->comm;
	s.cpu = here;
	s.lost_nearby = m->lost_any && cpu->loss_time > cpu->sw_time;
	s.is_recorder = sched_model__is_recorder(m, p);
	if (!p->tid) { /* one task stands for the idle tasks of all CPUs: it has no past */
		s.moved = MIG_MOVED_UNKNOWN;
		s.began = MIG_BEGAN_UNKNOWN;
		s.end = MIG_END_UNKNOWN;
		s.is_work = s.after_move = false;
		m->idle_switches++;
		cpu->idle_comm = ev->sw.prev_comm;
		return !ret && m->ops->slice ? m->ops->slice(&s, m->ctx) : ret;
	}
	s.moved = MIG_STAYED;
	if (__builtin_expect(p->slice_cpu != here, 0))
		s.moved = p->slice_cpu < 0 ? MIG_MOVED_UNKNOWN : MIG_MOVED;
	s.began = p->began;
	s.end = end_of[ev->sw.prev_state];
	s.is_work = s.wakeup && s.end == MIG_END_SLEEP;
	s.after_move = false;
	if (__builtin_expect(s.moved == MIG_MOVED || p->after_move, 0))
		work_after_move(m, p, &s);
	if (!ret && m->ops->slice)
		ret = m->ops->slice(&s, m->ctx);
	if (!ret && p->pending)
		ret = settle_moves(m, p, &s, ev->sw.prev_state);
	p->slice_cpu = p->run_cpu = here;
	p->first_slice = p->fork_queued = p->preempted = false;
	p->began = MIG_BEGAN_UNKNOWN;
	p->wait_ns = MIG_NULL;
	p->queued_since = MIG_NULL;
	p->last_time = ev->time;
	if (p->stop_asked && !p->after_stop)
		p->after_stop = (uint8_t)(ev->sw.prev_state + 1);
	if (s.end == MIG_END_SLEEP) {
		p->state = TASK_SLEEPING;
		return ret;
	}
	p->state = TASK_DEAD;
	if (s.end == MIG_END_PREEMPT) {
		p->state = TASK_QUEUED;
		p->preempted = true;
		p->queued_since = ev->time;
	}
	return ret ? ret : sched_model__wakeup_was_none(m, p);
}

/* n begins the slice that its open wakeup asked for. broke: a move of it was not seen. */
static int begin_woken(struct sched_model *m, const struct cpu_state *cpu, struct task *n, int here,
		       uint64_t time, bool broke)
{
	struct mig_wakeup *w = &n->waking;
	bool lost = broke;
	int ret;

	/* a loss, or a move that was not seen, may have hidden an earlier run */
	if (m->lost_any)
		lost |= cpu->loss_time > w->time || sched_model__lost_on(m, w->prev_cpu, w->time) ||
			sched_model__lost_on(m, w->cpu, w->time);
	w->lost_nearby |= lost;
	n->began = MIG_BEGAN_WAKEUP;
	n->waking_open = false;
	n->first_slice = true;
	ret = sched_model__emit_wakeup(m, w, here, time, !lost);
	n->woken = *w;
	return ret;
}

/* n was on a runqueue since it was switched out, or is new. */
static void begin_queued(const struct sched_model *m, const struct cpu_state *cpu, struct task *n,
			 uint64_t time, bool broke)
{
	if (n->state != TASK_QUEUED)
		return;
	if (n->fork_queued) {
		n->began = MIG_BEGAN_FORK;
		return;
	}
	if (!n->preempted)
		return;
	n->began = MIG_BEGAN_PREEMPT;
	if (n->queued_since != MIG_NULL && n->queued_since <= time && !broke &&
	    cpu->loss_time <= n->queued_since &&
	    !sched_model__lost_on(m, n->slice_cpu, n->queued_since))
		n->wait_ns = time - n->queued_since;
}

static inline __attribute__((always_inline)) int
switch_in(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev)
{
	struct task *n = task_table__get(&m->tasks, ev->sw.next_tid);
	const int here = ev->cpu;
	bool broke = false;
	int ret = 0;

	cpu->cur_tid = ev->sw.next_tid;
	cpu->cur = n;
	cpu->cur_since = ev->time;
	cpu->start_known = true;
	if (!n)
		return sched_model__no_task(m, ev->sw.next_tid);
	if (!n->tid) {
		cpu->idle_comm = ev->sw.next_comm;
		return 0;
	}
	sched_model__set_comm(m, n, ev->sw.next_comm);
	n->prio = ev->sw.next_prio;
	if (__builtin_expect(n->cpu != here, 0))
		broke = sched_model__found_on(m, n, here);
	if (__builtin_expect(n->waking_maybe, 0)) {
		if (n->state == TASK_SLEEPING)
			sched_model__wakeup_was_one(n);
		ret = sched_model__wakeup_was_none(m, n);
		if (ret)
			return ret;
	}
	n->first_slice = false;
	n->wait_ns = MIG_NULL;
	n->began = MIG_BEGAN_UNKNOWN;
	if (n->waking_open)
		ret = begin_woken(m, cpu, n, here, ev->time, broke);
	else
		begin_queued(m, cpu, n, ev->time, broke);
	if (n->pending)
		sched_model__moved_runs(n, ev->time);
	n->state = TASK_RUNNING;
	n->run_cpu = here;
	n->preempted = n->fork_queued = false;
	n->forked_by = n->asleep_from = -1;
	n->last_time = ev->time;
	if (n->comm_class == COMM_CPUHP)
		cpu->cpuhp_time = ev->time;
	return ret;
}

/* A record written twice. */
static bool is_same_switch(const struct cpu_state *cpu, const struct mig_event *ev)
{
	return cpu->switches && ev->sw.prev_tid == cpu->sw_prev &&
	       ev->sw.next_tid == cpu->sw_next && ev->event == cpu->sw_event;
}

/* The sample of a switch names another task than the one that leaves. */
static __attribute__((noinline)) void other_ids(struct sched_model *m, const struct mig_event *ev)
{
	if (!ev->sw.prev_tid)
		return;
	m->foreign_ids += ev->tid >= 0;
	m->missing_ids += ev->tid < 0;
}

static inline __attribute__((always_inline)) int take_switch(struct sched_model *m,
							     struct cpu_state *cpu,
							     const struct mig_event *ev,
							     const struct mig_reads *reads)
{
	int ret;

	if (__builtin_expect(ev->time == cpu->sw_time, 0) && is_same_switch(cpu, ev)) {
		m->odd[MIG_ODD_DUPLICATE]++;
		return 0;
	}
	if (__builtin_expect(ev->tid != ev->sw.prev_tid, 0))
		other_ids(m, ev);
	ret = __builtin_expect(m->want, 0) ? sched_model__more_switch(m, cpu, ev) : 0;
	if (!ret)
		ret = switch_out(m, cpu, ev, reads);
	if (!ret)
		ret = switch_in(m, cpu, ev);
	cpu->switches++;
	m->switches++;
	cpu->stopper_moved = false;
	cpu->sw_time = ev->time;
	cpu->sw_prev = ev->sw.prev_tid;
	cpu->sw_next = ev->sw.next_tid;
	cpu->sw_event = ev->event;
	return ret;
}

int sched_model__switch(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev,
			const struct mig_reads *reads)
{
	return take_switch(m, cpu, ev, reads);
}

int sched_model__feed_cpu(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev,
			  const struct mig_event *end)
{
	int ret = 0;

	for (; ev < end && !ret; ev++) {
		if (__builtin_expect(ev->type != MIG_EV_SWITCH || cpu->pending, 0)) {
			ret = sched_model__feed_on(m, cpu, ev);
			continue;
		}
		sched_model__take_time(m, cpu, ev->time);
		cpu->selecting = -1;
		if (__builtin_expect(!ev->reads, 1)) {
			ret = take_switch(m, cpu, ev, NULL);
			continue;
		}
		ret = sched_model__switch(m, cpu, ev, decode__reads(m->dec, ev));
		decode__put_reads(m->dec, ev);
	}
	return ret;
}
