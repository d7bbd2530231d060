// SPDX-License-Identifier: GPL-2.0
/*
 * sched-switch: one sched_switch: a slice ends and is handed out with its misses, another begins.
 */
#include "sched-model-int.h"

/*
 * Misses since the group's last read here. The first value of a counter on a CPU is only a base, so
 * is one after a loss, and one that went back (hotplug, another window of recording).
 */
static void take_reads(struct sched_model *m, struct cpu_state *cpu, const struct mig_reads *r,
		       uint64_t *misses)
{
	unsigned i, nr = m->dec->group.nr;
	bool good;

	for (i = 0; i < MIG_MAX_COUNTERS; i++)
		misses[i] = MIG_NULL;
	if (!nr)
		return;
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

static uint8_t slice_end(uint8_t state)
{
	switch (state) {
	case MIG_STATE_RUNNABLE:
	case MIG_STATE_PREEMPTED:
		return MIG_END_PREEMPT;
	case MIG_STATE_DEAD:
		return MIG_END_EXIT;
	default:
		return MIG_END_SLEEP;
	}
}

static int switch_out(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev,
		      const struct mig_reads *reads)
{
	struct task *p = sched_model__task_of(m, cpu, ev->sw.prev_tid);
	/* not if it began to run elsewhere since: it was not here all the time */
	bool seen = cpu->cur_tid == ev->sw.prev_tid && (!p || !p->tid || p->run_cpu == ev->cpu);
	bool known = seen && cpu->start_known;
	struct mig_slice s;
	int ret = 0;

	if (!seen && cpu->cur_tid >= 0) {
		struct task *lost = task_table__find(&m->tasks, cpu->cur_tid);

		m->unseen_switches++;
		if (lost && lost->tid && lost->state == TASK_RUNNING && lost->cpu == ev->cpu)
			lost->state = TASK_UNKNOWN; /* it left unseen */
	}
	s.wakeup = NULL;
	take_reads(m, cpu, reads, s.misses);
	if (!p)
		return sched_model__no_task(m, ev->sw.prev_tid);
	sched_model__set_comm(m, p, ev->sw.prev_comm);
	p->prio = ev->sw.prev_prio;
	if (ev->pid > 0 && ev->tid == p->tid)
		p->pid = ev->pid;
	if (!seen) {
		sched_model__found_on(m, p, ev->cpu);
		ret = sched_model__wakeup_unseen(m, p, ev->cpu); /* it ran; since when was not seen
								  */
		if (!ret)
			ret = sched_model__wakeup_was_none(m, p);
		p->began = MIG_BEGAN_UNKNOWN;
		p->first_slice = false;
		p->wait_ns = MIG_NULL;
	}
	s.time = ev->time;
	s.length_ns = known && ev->time >= cpu->cur_since ? ev->time - cpu->cur_since : MIG_NULL;
	s.start_known = known;
	s.wait_ns = p->wait_ns;
	s.tid = p->tid;
	s.pid = p->pid;
	s.comm = p->comm;
	s.cpu = ev->cpu;
	s.moved = p->slice_cpu < 0 || !p->tid ? MIG_MOVED_UNKNOWN
		  : p->slice_cpu == ev->cpu   ? MIG_STAYED
					      : MIG_MOVED;
	s.began = p->began;
	s.end = p->tid ? slice_end(ev->sw.prev_state) : MIG_END_UNKNOWN;
	s.lost_nearby = cpu->loss_time > cpu->sw_time;
	s.is_recorder = sched_model__is_recorder(m, p);
	if (seen && p->first_slice)
		s.wakeup = &p->woken;
	if (!ret && m->ops->slice)
		ret = m->ops->slice(&s, m->ctx);
	if (!ret && p->pending)
		ret = sched_model__moved_ran(m, p, &s);
	if (!ret && p->pending && ev->sw.prev_state >= MIG_STATE_SLEEP &&
	    ev->sw.prev_state != MIG_STATE_DISK)
		ret = sched_model__settle_self(m, p, false);
	p->slice_cpu = p->run_cpu = ev->cpu;
	p->first_slice = false;
	p->began = MIG_BEGAN_UNKNOWN;
	p->wait_ns = MIG_NULL;
	if (!ret && s.end != MIG_END_SLEEP)
		ret = sched_model__wakeup_was_none(m, p);
	if (!p->tid) { /* one task stands for the idle tasks of all CPUs: it has no past */
		cpu->idle_comm = ev->sw.prev_comm;
		return ret;
	}
	p->preempted = s.end == MIG_END_PREEMPT;
	p->state = p->preempted ? TASK_QUEUED : s.end == MIG_END_EXIT ? TASK_DEAD : TASK_SLEEPING;
	p->queued_since = p->preempted ? ev->time : MIG_NULL;
	p->fork_queued = false;
	if (p->stop_asked && !p->after_stop)
		p->after_stop = (uint8_t)(ev->sw.prev_state + 1);
	p->last_time = ev->time;
	return ret;
}

static int switch_in(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev)
{
	struct task *n = task_table__get(&m->tasks, ev->sw.next_tid);
	bool broke;
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
	broke = sched_model__found_on(m, n, ev->cpu);
	if (n->state == TASK_SLEEPING)
		sched_model__wakeup_was_one(n);
	ret = sched_model__wakeup_was_none(m, n);
	if (ret)
		return ret;
	n->first_slice = n->waking_open;
	n->wait_ns = MIG_NULL;
	if (n->waking_open) {
		/* a loss, or a move that was not seen, may have hidden an earlier run */
		bool lost = broke || cpu->loss_time > n->waking.time ||
			    sched_model__lost_on(m, n->waking.prev_cpu, n->waking.time) ||
			    sched_model__lost_on(m, n->waking.cpu, n->waking.time);

		n->waking.lost_nearby |= lost;
		n->began = MIG_BEGAN_WAKEUP;
		n->waking_open = false;
		ret = sched_model__emit_wakeup(m, &n->waking, ev->cpu, ev->time, !lost);
		n->woken = n->waking;
	} else if (n->state == TASK_QUEUED && n->fork_queued) {
		n->began = MIG_BEGAN_FORK;
	} else if (n->state == TASK_QUEUED && n->preempted) {
		n->began = MIG_BEGAN_PREEMPT;
		if (n->queued_since != MIG_NULL && n->queued_since <= ev->time && !broke &&
		    cpu->loss_time <= n->queued_since &&
		    !sched_model__lost_on(m, n->slice_cpu, n->queued_since))
			n->wait_ns = ev->time - n->queued_since;
	} else {
		n->began = MIG_BEGAN_UNKNOWN;
	}
	sched_model__moved_runs(n, ev->time);
	n->state = TASK_RUNNING;
	n->run_cpu = ev->cpu;
	n->preempted = n->fork_queued = false;
	n->forked_by = n->asleep_from = -1;
	n->last_time = ev->time;
	if (n->comm_class == COMM_CPUHP)
		cpu->cpuhp_time = ev->time;
	return ret;
}

int sched_model__switch(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev,
			const struct mig_reads *reads)
{
	int ret;

	if (cpu->switches && ev->time == cpu->sw_time && ev->sw.prev_tid == cpu->sw_prev &&
	    ev->sw.next_tid == cpu->sw_next && ev->event == cpu->sw_event) {
		m->odd[MIG_ODD_DUPLICATE]++;
		return 0;
	}
	if (ev->tid >= 0 && ev->sw.prev_tid) {
		m->same_ids += ev->tid == ev->sw.prev_tid;
		m->foreign_ids += ev->tid != ev->sw.prev_tid;
	}
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
