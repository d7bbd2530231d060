// SPDX-License-Identifier: GPL-2.0
/*
 * sched-nocpu: scheduler events of a recording whose samples do not say on which CPU they were
 * taken (no PERF_SAMPLE_CPU). Without it there is no chain of switches: what an event says by
 * itself becomes a fact, whatever would follow from the events around it (delays, run times, misses
 * of a slice, paths, causes) stays unknown.
 */
#include "sched-model-int.h"

#include <string.h>

static void name_task(struct sched_model *m, int32_t tid, uint32_t comm, struct task **ret_t)
{
	*ret_t = task_table__get(&m->tasks, tid);
	if (*ret_t)
		sched_model__set_comm(m, *ret_t, comm);
}

static int nocpu_switch(struct sched_model *m, const struct mig_event *ev)
{
	struct mig_slice s;
	struct task *p, *n;
	int i;

	name_task(m, ev->sw.next_tid, ev->sw.next_comm, &n);
	name_task(m, ev->sw.prev_tid, ev->sw.prev_comm, &p);
	m->switches++;
	if (!p || !m->ops->slice)
		return 0;
	if (ev->pid > 0 && ev->tid == p->tid)
		p->pid = ev->pid;
	s = (struct mig_slice){
		.time = ev->time,
		.length_ns = MIG_NULL,
		.wait_ns = MIG_NULL,
		.tid = p->tid,
		.pid = p->pid,
		.comm = p->comm,
		.cpu = -1,
		.is_recorder = sched_model__is_recorder(m, p),
	};
	for (i = 0; i < MIG_MAX_COUNTERS; i++)
		s.misses[i] = MIG_NULL;
	return m->ops->slice(&s, m->ctx);
}

static int nocpu_waking(struct sched_model *m, const struct mig_event *ev)
{
	const struct mig_chain_facts *cf = chain_table__facts(m->chains, ev->chain);
	const struct task *k = task_table__find(&m->tasks, ev->tid);
	struct mig_wakeup w;
	struct task *t;

	name_task(m, ev->wake.tid, ev->wake.comm, &t);
	if (!t || !m->ops->wakeup || (ev->type == MIG_EV_WAKEUP && m->dec->seen[MIG_EV_WAKING]))
		return 0;
	sched_model__wakeup_of(m, ev, t, &w);
	w.cpu = -1;
	w.distance = MIG_DIST_UNKNOWN;
	w.mechanism = (uint8_t)cf->mechanism;
	w.sync = (uint8_t)cf->sync;
	if (ev->type == MIG_EV_WAKEUP)
		w.prev_cpu = -1;
	/* sched_wakeup may be the end of a wakeup that another CPU began */
	if (ev->type == MIG_EV_WAKING && ev->tid >= 0) {
		sched_model__wakeup_by(m, ev, ev->tid, k, &w);
		w.waker_pid = ev->pid;
		w.waker_comm = k ? k->comm : 0;
	}
	return m->ops->wakeup(&w, m->ctx);
}

static int nocpu_wakeup_new(struct sched_model *m, const struct mig_event *ev)
{
	const struct task *k = task_table__find(&m->tasks, ev->tid);
	struct mig_fork f;
	struct task *t;

	name_task(m, ev->wake.tid, ev->wake.comm, &t);
	if (!t || !m->ops->fork)
		return 0;
	f = (struct mig_fork){
		.time = ev->time,
		.parent_tid = ev->tid,
		.parent_comm = k ? k->comm : 0,
		.tid = t->tid,
		.pid = t->pid,
		.comm = t->comm,
		.from = -1,
		.to = ev->wake.target_cpu,
		.is_recorder = sched_model__is_recorder(m, k),
	};
	return m->ops->fork(&f, m->ctx);
}

static int nocpu_migrate(struct sched_model *m, const struct mig_event *ev)
{
	const struct task *k = task_table__find(&m->tasks, ev->tid);
	struct mig_migration f;
	struct task *t;
	int i;

	if (!sched_model__is_move(m, ev))
		return 0;
	name_task(m, ev->mig.tid, ev->mig.comm, &t);
	if (!t || !m->ops->migration)
		return 0;
	f = (struct mig_migration){
		.time = ev->time,
		.tid = t->tid,
		.pid = t->pid,
		.comm = t->comm,
		.from = ev->mig.orig_cpu,
		.to = ev->mig.dest_cpu,
		.by_tid = ev->tid,
		.by_comm = k ? k->comm : 0,
		.queued_ns = MIG_NULL,
		.ran_after_ns = MIG_NULL,
		.next_length_ns = MIG_NULL,
		.back_ns = sched_model__undoes(m, t, ev),
		.cause = MIG_CAUSE_UNKNOWN,
		.distance = (uint8_t)topo__distance(m->topo, ev->mig.orig_cpu, ev->mig.dest_cpu),
		.is_recorder = sched_model__is_recorder(m, t),
	};
	for (i = 0; i < MIG_MAX_COUNTERS; i++)
		f.next_misses[i] = MIG_NULL;
	return m->ops->migration(&f, m->ctx);
}

int sched_model__feed_nocpu(struct sched_model *m, const struct mig_event *ev)
{
	switch (ev->type) {
	case MIG_EV_SWITCH:
		return nocpu_switch(m, ev);
	case MIG_EV_WAKING:
	case MIG_EV_WAKEUP:
		return nocpu_waking(m, ev);
	case MIG_EV_WAKEUP_NEW:
		return nocpu_wakeup_new(m, ev);
	case MIG_EV_MIGRATE:
		return nocpu_migrate(m, ev);
	default:
		return 0;
	}
}
