// SPDX-License-Identifier: GPL-2.0
/*
 * sched-migrate: the life of a migration in the model. Its cause may only be known from what comes
 * next (does execve follow? does the CPU go to sleep? whom does the stopper wake?), and what it
 * cost only when its task has run: until then it waits here, then it is handed out.
 */
#include "sched-model-int.h"
#include "cause-chain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NUMA_RECENT_NS  500000000ULL
#define CPUHP_RECENT_NS 1000000000ULL

static struct mig_pending *pending__new(struct sched_model *m)
{
	struct mig_pending *p = m->free_pending;

	if (!p)
		return calloc(1, sizeof(*p));
	m->free_pending = p->older;
	memset(p, 0, sizeof(*p));
	return p;
}

static void pending__unlink(struct sched_model *m, struct mig_pending *p)
{
	struct task *t = task_table__find(&m->tasks, p->fact.tid);
	struct mig_pending **pp;

	if (t)
		for (pp = &t->pending; *pp; pp = &(*pp)->older)
			if (*pp == p) {
				*pp = p->older;
				break;
			}
	if (p->on_cpu_list)
		for (pp = &m->cpus[p->cpu].pending; *pp; pp = &(*pp)->next_on_cpu)
			if (*pp == p) {
				*pp = p->next_on_cpu;
				break;
			}
}

/* Hands the migration out if nothing more is awaited. */
static int pending__try_emit(struct sched_model *m, struct mig_pending *p)
{
	int ret = 0;

	if (p->verdict.wait != CAUSE_WAIT_NONE || p->wait_slice)
		return 0;
	pending__unlink(m, p);
	p->fact.cause = (uint8_t)p->verdict.cause;
	p->fact.certain = p->verdict.certain;
	if (m->ops->migration)
		ret = m->ops->migration(&p->fact, m->ctx);
	p->older = m->free_pending;
	m->free_pending = p;
	return ret;
}

static void pending__decide(struct mig_pending *p, bool seen)
{
	if (seen) {
		p->verdict.cause = p->verdict.if_seen;
		p->verdict.certain = p->verdict.if_seen_certain;
	}
	p->verdict.wait = CAUSE_WAIT_NONE;
}

/* Did c's switch `ev` show that the balance was a new-idle one: k slept, and a pulled task runs? */
static bool went_idle(struct sched_model *m, const struct mig_pending *p,
		      const struct mig_event *ev)
{
	const struct task *next = task_table__find(&m->tasks, ev->sw.next_tid);

	if (ev->sw.prev_state == MIG_STATE_RUNNABLE || ev->sw.prev_state == MIG_STATE_PREEMPTED)
		return false;
	if (ev->time - p->fact.time > CAUSE_NEWIDLE_MAX_NS)
		return false;
	return !ev->sw.next_tid ||
	       (next && next->move_batch == m->cpus[p->cpu].switches + 1 && next->cpu == p->cpu);
}

/* 1: the event decides p; *ret_seen says how. 0: it says nothing. */
static int pending__judge(struct sched_model *m, struct mig_pending *p, const struct mig_event *ev,
			  bool *ret_seen)
{
	const struct task *w;

	switch (p->verdict.wait) {
	case CAUSE_WAIT_STOP:
		if (ev->type == MIG_EV_WAKING && ev->wake.tid == p->stop_waker) {
			*ret_seen = true;
			return 1;
		}
		if (ev->type != MIG_EV_SWITCH)
			return 0;
		w = task_table__find(&m->tasks, p->stop_waker);
		*ret_seen = p->stop_waker && w && w->after_stop == MIG_STATE_DISK + 1;
		return 1;
	case CAUSE_WAIT_NEWIDLE:
		if (ev->type == MIG_EV_MIGRATE || ev->type == MIG_EV_WAKING ||
		    ev->type == MIG_EV_WAKEUP || ev->type == MIG_EV_SAMPLE)
			return 0;
		*ret_seen = ev->type == MIG_EV_SWITCH && went_idle(m, p, ev);
		return 1;
	default:
		return 0;
	}
}

int sched_model__settle_cpu(struct sched_model *m, struct cpu_state *cpu,
			    const struct mig_event *ev)
{
	struct mig_pending *p, *next;
	bool seen = false;
	int ret = 0;

	for (p = cpu->pending; p && !ret; p = next) {
		next = p->next_on_cpu;
		if (!pending__judge(m, p, ev, &seen))
			continue;
		pending__decide(p, seen);
		ret = pending__try_emit(m, p);
	}
	/* what is decided but waits for its slice only need not stay on this list */
	if (cpu->pending) {
		struct mig_pending **pp = &cpu->pending;

		while ((p = *pp)) {
			if (p->verdict.wait == CAUSE_WAIT_NONE) {
				*pp = p->next_on_cpu;
				p->on_cpu_list = false;
			} else {
				pp = &p->next_on_cpu;
			}
		}
	}
	return ret;
}

int sched_model__settle_self(struct sched_model *m, struct task *t, bool exec)
{
	struct mig_pending *p, *older;
	int ret = 0;

	for (p = t->pending; p && !ret; p = older) {
		older = p->older;
		if (p->verdict.wait != CAUSE_WAIT_SELF)
			continue;
		pending__decide(p, exec);
		ret = pending__try_emit(m, p);
	}
	return ret;
}

int sched_model__moved_unseen(struct sched_model *m, struct task *t)
{
	int ret = 0;

	while (t->pending && t->pending->wait_run && !ret) {
		struct mig_pending *p = t->pending;

		p->wait_run = p->wait_slice = false;
		if (p->verdict.wait != CAUSE_WAIT_NONE)
			break;
		ret = pending__try_emit(m, p);
	}
	return ret;
}

void sched_model__moved_runs(struct task *t, uint64_t time)
{
	struct mig_pending *p;

	for (p = t->pending; p; p = p->older)
		if (p->wait_run) {
			if (!p->asleep && time >= p->fact.time)
				p->fact.ran_after_ns = time - p->fact.time;
			p->wait_run = false;
		}
}

void sched_model__moved_queued(struct task *t, uint64_t since)
{
	struct mig_pending *p;

	for (p = t->pending; p; p = p->older)
		if (p->asleep && p->fact.time >= since) {
			p->fact.queued_ns = p->fact.time - since;
			p->asleep = false;
		}
}

int sched_model__moved_ran(struct sched_model *m, struct task *t, const struct mig_slice *s)
{
	struct mig_pending *p, *older;
	int ret = 0;

	for (p = t->pending; p && !ret; p = older) {
		older = p->older;
		if (!p->wait_slice)
			continue;
		/* wait_run: the switch-in was not seen, so it is not known which slice this is */
		if (!p->wait_run) {
			p->fact.next_length_ns = s->length_ns;
			memcpy(p->fact.next_misses, s->misses, sizeof(s->misses));
		}
		p->wait_slice = p->wait_run = false;
		ret = pending__try_emit(m, p);
	}
	return ret;
}

int sched_model__settle_all(struct sched_model *m, struct task *t)
{
	int ret = 0;

	while (t->pending && !ret) {
		t->pending->verdict.wait = CAUSE_WAIT_NONE;
		t->pending->wait_slice = t->pending->wait_run = false;
		ret = pending__try_emit(m, t->pending);
	}
	return ret;
}

/* What is known at the moment of the move. k: current task of the event's CPU. */
static void gather_clues(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev,
			 const struct task *p, const struct task *k, struct cause_clues *cl)
{
	const struct task *w;

	memset(cl, 0, sizeof(*cl));
	cl->p = p->tid;
	cl->stop_waker = -1;
	/* still open: p may have run elsewhere in the meantime, and be pulled to here */
	cl->open_waking = cpu->selecting == p->tid && (p->waking_open || p->waking_maybe);
	cl->no_wakings = !m->dec->seen[MIG_EV_WAKING];
	cl->no_switches = !m->dec->seen[MIG_EV_SWITCH];
	cl->p_asleep = p->state == TASK_SLEEPING;
	cl->dest_is_here = ev->mig.dest_cpu == ev->cpu;
	cl->stopper_moved = cpu->stopper_moved;
	cl->rt = ev->mig.prio >= 0 && ev->mig.prio < 100;
	cl->dl = ev->mig.prio < 0;
	cl->numa_recent = p->numa_time && ev->time - p->numa_time < NUMA_RECENT_NS;
	cl->numa_swap = p->numa_swap;
	cl->cpuhp_recent = cpu->cpuhp_time && ev->time - cpu->cpuhp_time < CPUHP_RECENT_NS;
	cl->helpers = !m->ignore_helpers &&
		      (m->dec->seen[MIG_EV_SOFTIRQ] && m->dec->seen[MIG_EV_SETAFFINITY]);
	cl->in_softirq = cpu->in_softirq;
	if (!k)
		return;
	cl->k_is_idle = !k->tid;
	cl->k_exits = k->exits;
	cl->k_is_ksoftirqd = k->comm_class == COMM_KSOFTIRQD;
	cl->in_setaffinity = k->in_setaffinity;
	cl->forked_by_k = p->forked_by == k->tid;
	cl->k_is_stopper = sched_model__is_stopper(k);
	if (!cl->k_is_stopper)
		return;
	cl->stop_waker = k->last_waker;
	w = task_table__find(&m->tasks, cl->stop_waker);
	if (w && w->stop_asked && w->tid) {
		cl->stop_waker_slept = w->after_stop;
		cl->stop_waker_slept_d = w->after_stop == MIG_STATE_DISK + 1;
	}
	cl->stop_waker_on_dest = k->last_waker_cpu == ev->mig.dest_cpu;
}

static uint64_t queued_before(const struct sched_model *m, const struct task *p,
			      const struct mig_event *ev)
{
	if (p->state != TASK_QUEUED || p->queued_since == MIG_NULL || p->queued_since > ev->time ||
	    sched_model__lost_on(m, p->cpu, p->queued_since))
		return MIG_NULL;
	return ev->time - p->queued_since;
}

/* What chain id says of moves; NULL when there is no chain, or it has no names. */
static const struct cause_chain *chain_cause(struct sched_model *m, uint32_t id)
{
	const char *names[CHAIN_MAX_DEPTH];
	size_t nr;

	if (!id || m->ignore_callchain || !m->chains->symtab)
		return NULL;
	if (id >= m->nr_chain_causes) {
		uint32_t n = m->chains->nr + 64;
		struct cause_chain *cc = realloc(m->chain_causes, n * sizeof(*cc));
		uint8_t *asked = cc ? realloc(m->chain_asked, n) : NULL;

		if (cc)
			m->chain_causes = cc;
		if (!asked)
			return NULL;
		m->chain_asked = asked;
		memset(asked + m->nr_chain_causes, 0, n - m->nr_chain_causes);
		m->nr_chain_causes = n;
	}
	if (!m->chain_asked[id]) {
		m->chain_asked[id] = 1;
		nr = chain_table__names(m->chains, id, names, CHAIN_MAX_DEPTH);
		cause_chain__classify(names, nr, &m->chain_causes[id]);
	}
	return &m->chain_causes[id];
}

/* The stopper k carries out what woke it: by the chain of that waking. */
static bool stop_cause(struct sched_model *m, const struct task *k, const struct task *p,
		       struct cause_verdict *v)
{
	const struct cause_chain *cc = k ? chain_cause(m, k->stop_chain) : NULL;

	if (!cc || cc->stop == CHAIN_STOP_NONE)
		return false;
	v->cause = cc->stop == CHAIN_STOP_CAUSE ? cc->stop_cause
		   : k->last_waker == p->tid    ? MIG_CAUSE_AFFINITY_SELF
						: MIG_CAUSE_AFFINITY_OTHER;
	return true;
}

/*
 * The cause by the move's own chain. A stopper that found its requester asleep moves it by waking
 * it: then the requester is p itself, and the stopper has moved nothing before in this run.
 */
static bool cause_by_chain(struct sched_model *m, const struct cpu_state *cpu,
			   const struct mig_event *ev, const struct task *p, const struct task *k,
			   struct cause_verdict *v)
{
	const struct cause_chain *cc = chain_cause(m, ev->chain);
	struct cause_verdict by_stop = { .certain = true };

	if (!cc || cc->move == CHAIN_MOVE_NONE)
		return false;
	memset(v, 0, sizeof(*v));
	v->certain = true;
	v->cause = cc->cause;
	switch (cc->move) {
	case CHAIN_MOVE_STOP:
		return stop_cause(m, k, p, v);
	case CHAIN_MOVE_STOP_WAKEUP:
		if (k && k->last_waker == p->tid && !cpu->stopper_moved &&
		    stop_cause(m, k, p, &by_stop) &&
		    (by_stop.cause == MIG_CAUSE_AFFINITY_SELF || by_stop.cause == MIG_CAUSE_EXEC ||
		     by_stop.cause == MIG_CAUSE_NUMA_MOVE))
			*v = by_stop;
		return true;
	case CHAIN_MOVE_AFFINITY:
		v->cause = k && k->tid == p->tid ? MIG_CAUSE_AFFINITY_SELF
						 : MIG_CAUSE_AFFINITY_OTHER;
		return true;
	default:
		return true;
	}
}

/* The move is the open wakeup's choice of a CPU (try_to_wake_up -> select_task_rq -> set_task_cpu).
 */
static void chose_cpu(struct sched_model *m, struct task *p, struct mig_migration *f)
{
	struct mig_wakeup *w = &p->waking;

	w->cpu = f->to;
	f->at_wakeup = true;
	f->waker_tid = w->waker_tid;
	f->waker_comm = w->waker_comm;
	f->waker_is_recorder = w->waker_is_recorder;
	f->partner = w->partner;
	f->chain = w->chain;
	f->mechanism = (uint8_t)chain_table__facts(m->chains, w->chain)->mechanism;
	f->path = (uint8_t)mig_path__of(m->topo, w->waker_cpu, w->prev_cpu, w->cpu);
}

bool sched_model__is_move(struct sched_model *m, const struct mig_event *ev)
{
	if (ev->mig.dest_cpu < 0 || ev->mig.orig_cpu < 0)
		m->odd[MIG_ODD_MIGRATE_NO_DEST]++;
	else if (ev->mig.dest_cpu == ev->mig.orig_cpu)
		m->odd[MIG_ODD_MIGRATE_NO_MOVE]++;
	else
		return true;
	return false;
}

/*
 * Without sched_waking the wakeup (sched_wakeup) comes after the move that it chose: the moves made
 * while the task slept were its.
 */
void sched_model__moved_by_wakeup(struct task *t, const struct mig_wakeup *w)
{
	struct mig_pending *mp;

	if (t->asleep_from < 0)
		return;
	t->asleep_from = -1;
	for (mp = t->pending; mp; mp = mp->older) {
		struct mig_migration *f = &mp->fact;

		if (!mp->asleep || f->at_wakeup)
			continue;
		mp->asleep = false;
		f->at_wakeup = true;
		f->queued_ns = 0;
		f->waker_tid = w->waker_tid;
		f->waker_comm = w->waker_comm;
		f->waker_is_recorder = w->waker_is_recorder;
		f->partner = w->partner;
		f->path = MIG_PATH_UNKNOWN;
	}
}

uint64_t sched_model__undoes(const struct sched_model *m, struct task *p,
			     const struct mig_event *ev)
{
	bool back = p->move_time && p->move_to == ev->mig.orig_cpu &&
		    p->move_from == ev->mig.dest_cpu && p->move_time <= ev->time &&
		    ev->time - p->move_time <= m->back_max_ns;
	uint64_t since = back ? ev->time - p->move_time : MIG_NULL;

	p->move_time = back ? 0 : ev->time;
	p->move_from = ev->mig.orig_cpu;
	p->move_to = ev->mig.dest_cpu;
	return since;
}

int sched_model__migrate(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev)
{
	struct task *p = task_table__get(&m->tasks, ev->mig.tid);
	struct task *k = task_table__find(&m->tasks, ev->tid >= 0 ? ev->tid : cpu->cur_tid);
	struct cause_clues cl;
	struct mig_pending *mp;
	bool broke;
	int i, ret = 0;

	if (!sched_model__is_move(m, ev))
		return 0;
	mp = pending__new(m);
	if (!p || !mp) {
		free(mp);
		return p ? -ENOMEM : sched_model__no_task(m, ev->mig.tid);
	}
	broke = sched_model__found_on(m, p, ev->mig.orig_cpu);
	/* moved again before it ran: what the move before it led to cannot be told apart */
	ret = sched_model__moved_unseen(m, p);
	gather_clues(m, cpu, ev, p, k, &cl);
	if (cl.open_waking)
		sched_model__wakeup_was_one(p);
	if (!cause_by_chain(m, cpu, ev, p, k, &mp->verdict))
		cause__infer(&cl, &mp->verdict);
	sched_model__set_comm(m, p, ev->mig.comm);
	mp->fact = (struct mig_migration){
		.time = ev->time,
		.tid = p->tid,
		.pid = p->pid,
		.comm = p->comm,
		.from = ev->mig.orig_cpu,
		.to = ev->mig.dest_cpu,
		.by_tid = k ? k->tid : -1,
		.by_comm = sched_model__current_comm(cpu, k),
		.queued_ns = cl.open_waking ? 0
			     : broke        ? MIG_NULL
					    : queued_before(m, p, ev),
		.ran_after_ns = MIG_NULL,
		.back_ns = sched_model__undoes(m, p, ev),
		.next_length_ns = MIG_NULL,
		.distance = (uint8_t)topo__distance(m->topo, ev->mig.orig_cpu, ev->mig.dest_cpu),
		.lost_nearby = broke || sched_model__lost_nearby(m, cpu, p),
		.is_recorder = sched_model__is_recorder(m, p),
	};
	for (i = 0; i < MIG_MAX_COUNTERS; i++)
		mp->fact.next_misses[i] = MIG_NULL;
	mp->cpu = ev->cpu;
	mp->stop_waker = cl.stop_waker;
	mp->wait_run = mp->wait_slice = true;
	mp->asleep = p->state == TASK_SLEEPING;
	mp->older = p->pending;
	p->pending = mp;
	if (mp->verdict.wait == CAUSE_WAIT_STOP || mp->verdict.wait == CAUSE_WAIT_NEWIDLE) {
		mp->on_cpu_list = true;
		mp->next_on_cpu = cpu->pending;
		cpu->pending = mp;
	}
	if (cl.open_waking && p->waking_open)
		chose_cpu(m, p, &mp->fact);
	if (p->state == TASK_SLEEPING && !m->dec->seen[MIG_EV_WAKING] && p->asleep_from < 0)
		p->asleep_from = ev->mig.orig_cpu;
	p->cpu = ev->mig.dest_cpu;
	p->move_batch = cpu->switches + 1;
	p->numa_time = cl.numa_recent ? 0 : p->numa_time;
	cpu->stopper_moved = true;
	return ret;
}
