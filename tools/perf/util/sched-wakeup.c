// SPDX-License-Identifier: GPL-2.0
/*
 * sched-wakeup: the life of a wakeup in the model: from its sched_waking to the switch-in of its
 * task, or to the proof that this was not seen; and the birth of tasks.
 */
#include "sched-model-int.h"

#include <string.h>

/* How far from its waker the wakee ran. */
static inline void relate(const struct sched_model *m, struct mig_wakeup *w)
{
	enum mig_distance d = topo__distance(m->topo, w->waker_cpu, w->run_cpu);

	/* a machine without levels: near is the same CPU, and an unknown distance another one */
	if (d == MIG_DIST_UNKNOWN && !m->no_levels)
		return;
	w->relation = d >= m->far_from ? MIG_REL_FAR : MIG_REL_NEAR;
	w->level = (uint8_t)d;
}

/* What is to be known of wakeup w is known: its task runs on run_cpu since time, or (-1, !seen)
 * not. */
int sched_model__emit_wakeup(struct sched_model *m, struct mig_wakeup *w, int run_cpu,
			     uint64_t time, bool seen)
{
	const struct topo *topo = m->topo;

	if (w->chain) {
		const struct mig_chain_facts *cf = chain_table__facts(m->chains, w->chain);

		w->mechanism = (uint8_t)cf->mechanism;
		w->sync = (uint8_t)cf->sync;
	}
	if (w->path != MIG_PATH_RUNNING)
		w->path = (uint8_t)mig_path__of(topo, w->waker_cpu, w->prev_cpu, w->cpu);
	w->distance = w->prev_cpu < 0 || w->cpu < 0
			      ? MIG_DIST_UNKNOWN
			      : (uint8_t)topo__distance(topo, w->prev_cpu, w->cpu);
	w->run_cpu = run_cpu;
	if (run_cpu >= 0) {
		w->queued = w->cpu != run_cpu && w->cpu >= 0;
		if (w->waker_cpu >= 0)
			relate(m, w);
	}
	if (seen && time >= w->time)
		w->delay_ns = time - w->time;
	if (__builtin_expect(m->want, 0))
		return sched_model__emit_more(m, w, time);
	return m->ops->wakeup ? m->ops->wakeup(w, m->ctx) : 0;
}

int sched_model__close_wakeup(struct sched_model *m, struct task *t, int run_cpu)
{
	t->waking_open = false;
	return sched_model__emit_wakeup(m, &t->waking, run_cpu, 0, false);
}

/*
 * A waking of the current task: try_to_wake_up() either finds it still queued and only makes it
 * runnable again (ttwu_runnable), or finds it past deactivate_task() on its way out, waits until it
 * is off the CPU and chooses one (p->on_cpu). In the second case its next own event is the
 * switch-out to sleep, and it runs again without another waking. Here the first case has shown.
 */
int sched_model__drop_waking(struct sched_model *m, struct task *t)
{
	t->waking_maybe = false;
	t->waking.path = MIG_PATH_RUNNING;
	return sched_model__emit_wakeup(m, &t->waking, -1, 0, false);
}

void sched_model__wakeup_was_one(struct task *t)
{
	if (!t->waking_maybe)
		return;
	t->waking_maybe = false;
	t->waking_open = true;
	t->queued_since = t->waking.time;
	sched_model__moved_queued(t, t->waking.time);
	if (t->state == TASK_SLEEPING)
		t->state = TASK_QUEUED;
}

/* Who woke it: sched_waking runs in the waker's context; sched_wakeup need not. */
static bool knows_waker(const struct mig_event *ev, int32_t cur)
{
	if (ev->type == MIG_EV_WAKING || ev->cpu != ev->wake.target_cpu)
		return true;
	/*
	 * sched_wakeup on the target CPU itself: the waker ran there too, or the wakeup was queued
	 * to it (ttwu_queue_wakelist) and ends in an interrupt or in idle.
	 */
	return cur > 0 && !(ev->flags & MIG_EVF_HARDIRQ);
}

static inline __attribute__((always_inline)) void
describe_wakeup(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev,
		const struct task *t, bool lost, struct mig_wakeup *w)
{
	int32_t cur = sched_model__current_tid(cpu, ev);
	const struct task *k = cur < 0 ? NULL : sched_model__task_of(m, cpu, cur);

	sched_model__wakeup_of(m, ev, t, w);
	w->lost_nearby = lost;
	if (ev->type == MIG_EV_WAKEUP) /* the CPU before is not in the event */
		w->prev_cpu = t->asleep_from >= 0 ? t->asleep_from : t->cpu;
	if (!knows_waker(ev, cur) || cur < 0)
		return;
	sched_model__wakeup_by(m, ev, cur, k, w);
	w->waker_cpu = ev->cpu;
	w->waker_comm = sched_model__current_comm(cpu, k);
}

/*
 * t waits for a CPU since an earlier waking (or its birth), and is woken. try_to_wake_up() leaves a
 * task alone that is not asleep, and writes no event: it has run and slept in between, unseen.
 */
static int woken_again(struct sched_model *m, struct task *t)
{
	int ret = sched_model__wakeup_unseen(m, t, -1);

	m->odd[MIG_ODD_RAN_UNSEEN]++;
	return ret ? ret : sched_model__moved_unseen(m, t);
}

/* A stopper is woken: for whom it will move tasks, and why, is to be seen here only. */
static void stopper_asked(struct sched_model *m, struct task *stopper, const struct mig_event *ev,
			  int32_t cur)
{
	struct task *k = task_table__find(&m->tasks, cur);

	stopper->last_waker = cur;
	stopper->last_waker_cpu = ev->cpu;
	stopper->stop_chain = ev->chain;
	if (k) {
		k->stop_asked = ev->time;
		k->after_stop = 0;
	}
}

/* t waits for a CPU already. 1: this waking (early, or NULL) chose none, 0: it did. */
static int waking_of_queued(struct sched_model *m, struct cpu_state *cpu,
			    const struct mig_event *ev, struct task *t, bool lost,
			    const struct mig_wakeup *early)
{
	struct mig_wakeup again;
	int ret;

	if (t->waking_open || !t->preempted)
		return woken_again(m, t);
	m->odd[MIG_ODD_REPEATED_WAKING]++;
	if (early)
		again = *early;
	else
		describe_wakeup(m, cpu, ev, t, lost, &again);
	again.path = MIG_PATH_RUNNING;
	ret = sched_model__emit_wakeup(m, &again, -1, 0, false);
	return ret ? ret : 1;
}

/* The waking of the task that is current here needs no CPU: it has not slept yet. */
static bool is_current(const struct sched_model *m, const struct task *t, int32_t cur, int at)
{
	return cur == t->tid || (t->state == TASK_RUNNING && t->cpu == at &&
				 (unsigned)at < m->nr_cpus && m->cpus[at].cur_tid == t->tid);
}

int sched_model__waking(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev)
{
	struct task *t = task_table__get(&m->tasks, ev->wake.tid);
	const int32_t cur = sched_model__current_tid(cpu, ev);
	struct mig_wakeup own;
	const struct mig_wakeup *early = NULL;
	bool running, lost;
	int ret = 0;

	if (!t)
		return sched_model__no_task(m, ev->wake.tid);
	sched_model__set_comm(m, t, ev->wake.comm);
	t->prio = ev->wake.prio;
	if (ev->type == MIG_EV_WAKING) {
		m->dec->seen[MIG_EV_WAKING] = true; /* it has them, and not only asked for them */
	} else if (m->dec->seen[MIG_EV_WAKING]) {
		/* the waking told it all; this only ends the choice of a CPU */
		sched_model__found_on(m, t, ev->wake.target_cpu);
		return 0;
	}
	lost = sched_model__lost_nearby(m, cpu, t); /* where t was before */
	running = is_current(m, t, cur, ev->wake.target_cpu);
	if (__builtin_expect(ev->type != MIG_EV_WAKING, 0)) {
		/* before its moves lead away from where it slept */
		describe_wakeup(m, cpu, ev, t, lost, &own);
		early = &own;
		sched_model__moved_by_wakeup(t, early);
		t->cpu = ev->wake.target_cpu;
	} else if (__builtin_expect(t->cpu != ev->wake.target_cpu, 0)) {
		sched_model__found_on(m, t, ev->wake.target_cpu);
	}
	if (__builtin_expect(t->comm_class == COMM_STOPPER, 0))
		stopper_asked(m, t, ev, cur);
	ret = sched_model__wakeup_was_none(m, t);
	if (!ret && __builtin_expect(t->waking_open || t->state == TASK_QUEUED, 0))
		ret = waking_of_queued(m, cpu, ev, t, lost, early);
	if (ret)
		return ret < 0 ? ret : 0;
	if (early)
		t->waking = *early;
	else
		describe_wakeup(m, cpu, ev, t, lost, &t->waking);
	if (__builtin_expect(running, 0)) {
		m->odd[MIG_ODD_WAKING_OF_RUNNING]++;
		t->waking_maybe = true;
		cpu->selecting = t->tid;
		return m->want ? sched_model__more_waking(m, cpu, ev, t) : 0;
	}
	t->waking_open = true;
	t->state = TASK_QUEUED;
	t->preempted = t->fork_queued = false;
	t->queued_since = ev->time;
	if (ev->type == MIG_EV_WAKING)
		cpu->selecting = t->tid;
	return m->want ? sched_model__more_waking(m, cpu, ev, t) : 0;
}

int sched_model__new_life(struct sched_model *m, struct task *t)
{
	int ret = sched_model__settle_all(m, t);

	if (!ret)
		ret = sched_model__wakeup_unseen(m, t, -1);
	if (!ret)
		ret = sched_model__wakeup_was_none(m, t);
	task__reset(t);
	t->pid_noted = false;
	if (!ret && m->want)
		ret = sched_model__more_born(m, t);
	return ret;
}

int sched_model__wakeup_new(struct sched_model *m, struct cpu_state *cpu,
			    const struct mig_event *ev)
{
	struct task *t = task_table__get(&m->tasks, ev->wake.tid);
	const struct task *k = task_table__find(&m->tasks, sched_model__current_tid(cpu, ev));
	struct mig_fork f;
	int ret = 0;

	if (!t)
		return sched_model__no_task(m, ev->wake.tid);
	if (t->state != TASK_NEW) { /* its sched_process_fork was not seen */
		ret = sched_model__new_life(m, t);
		t->forked_by = k ? k->tid : -1;
	}
	sched_model__set_comm(m, t, ev->wake.comm);
	t->prio = ev->wake.prio;
	t->cpu = ev->wake.target_cpu;
	t->state = TASK_QUEUED;
	t->fork_queued = true;
	t->queued_since = ev->time;
	f = (struct mig_fork){
		.time = ev->time,
		.parent_tid = k ? k->tid : -1,
		.parent_comm = k ? k->comm : 0,
		.tid = t->tid,
		.pid = t->pid,
		.comm = t->comm,
		.from = ev->cpu,
		.to = ev->wake.target_cpu,
		.is_recorder = sched_model__is_recorder(m, k),
	};
	return !ret && m->ops->fork ? m->ops->fork(&f, m->ctx) : ret;
}

int sched_model__fork(struct sched_model *m, const struct mig_event *ev)
{
	struct task *t = task_table__get(&m->tasks, ev->fork.child_tid);
	int ret;

	if (!t)
		return sched_model__no_task(m, ev->fork.child_tid);
	ret = sched_model__new_life(m, t);
	t->comm = ev->fork.child_comm;
	t->state = TASK_NEW;
	t->forked_by = ev->fork.parent_tid;
	return ret;
}
