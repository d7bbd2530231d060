// SPDX-License-Identifier: GPL-2.0
/*
 * sched-model: one event in, zero or more facts out (see sched-model.h). Every rule that is not
 * plain bookkeeping names where it comes from; they are described in Documentation/model.md.
 */
#include "sched-model-int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *mig_odd__name(enum mig_odd odd)
{
	static const char *const names[MIG_NR_ODD] = {
		[MIG_ODD_MIGRATE_NO_MOVE] = "migrate-without-move",
		[MIG_ODD_MIGRATE_NO_DEST] = "migrate-without-destination",
		[MIG_ODD_REPEATED_WAKING] = "waking-while-queued",
		[MIG_ODD_RAN_UNSEEN] = "woken-again",
		[MIG_ODD_WAKING_OF_RUNNING] = "waking-of-running",
		[MIG_ODD_DUPLICATE] = "record-twice",
		[MIG_ODD_TIME_BACK] = "time-goes-back",
		[MIG_ODD_RECORDER_MOVE] = "unseen-move-of-recorder",
	};

	return (unsigned)odd < MIG_NR_ODD ? names[odd] : "unknown";
}

int sched_model__init(struct sched_model *m, struct strtab *names, struct chain_table *chains,
		      const struct topo *topo, struct decode *dec, const struct mig_fact_ops *ops,
		      void *ctx)
{
	memset(m, 0, sizeof(*m));
	m->names = names;
	m->chains = chains;
	m->topo = topo;
	m->dec = dec;
	m->ops = ops;
	m->ctx = ctx;
	m->far_from = topo__far_from(topo);
	m->no_levels = !topo->has[MIG_DIST_SMT] && !topo->has[MIG_DIST_LLC] &&
		       !topo->has[MIG_DIST_NODE] && !topo->has[MIG_DIST_REMOTE];
	m->recorder_pid = -1;
	m->first_time = MIG_NULL;
	task_table__init(&m->tasks);
	return 0;
}

void sched_model__exit(struct sched_model *m)
{
	struct mig_pending *p;
	uint32_t i;

	for (i = 0; i < m->tasks.nr; i++)
		while ((p = m->tasks.all[i]->pending)) {
			m->tasks.all[i]->pending = p->older;
			free(p);
		}
	while ((p = m->free_pending)) {
		m->free_pending = p->older;
		free(p);
	}
	for (i = 0; i < m->nr_cpus; i++) {
		/* migrations that left their task's list live on the CPU's only while undecided */
		m->cpus[i].pending = NULL;
	}
	task_table__exit(&m->tasks);
	free(m->cpus);
	free(m->comm_class);
	free(m->chain_causes);
	free(m->chain_asked);
}

static struct cpu_state *sched_model__cpu(struct sched_model *m, unsigned cpu)
{
	if (cpu >= m->nr_cpus) {
		unsigned nr = cpu + 8, i;
		struct cpu_state *p;

		if (cpu >= MIG_NO_CPU)
			return NULL;
		p = realloc(m->cpus, nr * sizeof(*p));
		if (!p)
			return NULL;
		m->cpus = p;
		memset(p + m->nr_cpus, 0, (nr - m->nr_cpus) * sizeof(*p));
		for (i = m->nr_cpus; i < nr; i++)
			p[i].cur_tid = p[i].selecting = p[i].sw_prev = p[i].sw_next = -1;
		m->nr_cpus = nr;
	}
	return &m->cpus[cpu];
}

static enum comm_class comm_class(struct sched_model *m, uint32_t comm)
{
	if (comm >= m->nr_comm_class) {
		uint32_t nr = comm + 256;
		uint8_t *p = realloc(m->comm_class, nr);

		if (!p)
			return COMM_PLAIN;
		memset(p + m->nr_comm_class, COMM_UNSEEN, nr - m->nr_comm_class);
		m->comm_class = p;
		m->nr_comm_class = nr;
	}
	if (m->comm_class[comm] == COMM_UNSEEN)
		m->comm_class[comm] = (uint8_t)comm_class__of(strtab__name(m->names, comm));
	return m->comm_class[comm];
}

bool sched_model__is_stopper(const struct task *t)
{
	return t->prio == 0 && t->comm_class == COMM_STOPPER;
}

void sched_model__found_on(struct sched_model *m, struct task *t, int cpu)
{
	/* the recorder walks over all CPUs to disable the events: its last moves come after them */
	if (t->cpu >= 0 && t->cpu != cpu && t->tid && m->dec->seen[MIG_EV_MIGRATE]) {
		if (sched_model__is_recorder(m, t))
			m->odd[MIG_ODD_RECORDER_MOVE]++;
		else
			m->unseen_moves++;
	}
	t->cpu = cpu;
}

void sched_model__new_comm(struct sched_model *m, struct task *t, uint32_t comm)
{
	t->comm = comm;
	t->comm_class = (uint8_t)comm_class(m, comm);
	/* perf record names its child so until it executes the workload (builtin-record.c) */
	if (m->recorder_pid < 0 && t->ppid > 0 && t->comm_class == COMM_PERF_EXEC)
		m->recorder_pid = t->ppid;
}

/* The task with this tid, which is most often the CPU's current one. */
static inline struct task *task_of(struct sched_model *m, const struct cpu_state *cpu, int32_t tid)
{
	if (cpu->cur && cpu->cur->tid == tid)
		return cpu->cur;
	return task_table__get(&m->tasks, tid);
}

/* The current task of a CPU: what the sample says, else the last switch. */
static int32_t current_tid(const struct cpu_state *cpu, const struct mig_event *ev)
{
	return ev->tid >= 0 ? ev->tid : cpu->cur_tid;
}

/* --- wakeups --- */

/* What is to be known of wakeup w is known: its task runs on run_cpu since time, or (-1, !seen)
 * not. */
static int emit_wakeup(struct sched_model *m, struct mig_wakeup *w, int run_cpu, uint64_t time,
		       bool seen)
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
	if (run_cpu >= 0 && w->waker_cpu >= 0) {
		enum mig_distance d = topo__distance(topo, w->waker_cpu, run_cpu);

		if (d != MIG_DIST_UNKNOWN)
			w->relation = d >= m->far_from ? MIG_REL_FAR : MIG_REL_NEAR;
		else if (m->no_levels) /* near is the same CPU, and this is another one */
			w->relation = MIG_REL_FAR;
	}
	if (seen && time >= w->time)
		w->delay_ns = time - w->time;
	return m->ops->wakeup ? m->ops->wakeup(w, m->ctx) : 0;
}

/* t's open wakeup, if there is one, ends without a switch-in that was seen. */
static int wakeup_unseen(struct sched_model *m, struct task *t, int run_cpu)
{
	if (!t->waking_open)
		return 0;
	t->waking_open = false;
	return emit_wakeup(m, &t->waking, run_cpu, 0, false);
}

/*
 * A waking of the current task: try_to_wake_up() either finds it still queued and only makes it
 * runnable again (ttwu_runnable), or finds it past deactivate_task() on its way out, waits until it
 * is off the CPU and chooses one (p->on_cpu). In the second case its next own event is the
 * switch-out to sleep, and it runs again without another waking. Here the first case has shown.
 */
static int wakeup_was_none(struct sched_model *m, struct task *t)
{
	if (!t->waking_maybe)
		return 0;
	t->waking_maybe = false;
	t->waking.path = MIG_PATH_RUNNING;
	return emit_wakeup(m, &t->waking, -1, 0, false);
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

static void describe_wakeup(struct sched_model *m, struct cpu_state *cpu,
			    const struct mig_event *ev, struct task *t, struct mig_wakeup *w)
{
	int32_t cur = current_tid(cpu, ev);
	const struct task *k = cur < 0 ? NULL : task_of(m, cpu, cur);
	const struct mig_chain_facts *cf = chain_table__facts(m->chains, ev->chain);
	bool softirqd = !cur || (k && k->comm_class == COMM_KSOFTIRQD);

	*w = (struct mig_wakeup){
		.time = ev->time,
		.delay_ns = MIG_NULL,
		.waker_tid = -1,
		.waker_pid = -1,
		.wakee_tid = t->tid,
		.wakee_pid = t->pid,
		.wakee_comm = t->comm,
		.waker_cpu = -1,
		.prev_cpu = ev->wake.target_cpu,
		.cpu = ev->wake.target_cpu,
		.run_cpu = -1,
		.chain = ev->chain,
		.context = MIG_CTX_UNKNOWN,
		.path = MIG_PATH_UNKNOWN,
		.lost_nearby = cpu->loss_time > cpu->sw_time || t->last_time < cpu->loss_time,
		.wakee_is_recorder = sched_model__is_recorder(m, t),
	};
	if (ev->type == MIG_EV_WAKEUP) /* the CPU before is not in the event */
		w->prev_cpu = t->cpu;
	if (!knows_waker(ev, cur) || cur < 0)
		return;
	w->waker_tid = cur;
	w->waker_cpu = ev->cpu;
	w->waker_pid = k ? k->pid : -1;
	w->waker_comm = sched_model__current_comm(cpu, k);
	w->waker_is_recorder = sched_model__is_recorder(m, k);
	w->context = (uint8_t)mig_context__of(ev->flags & (MIG_EVF_HARDIRQ | MIG_EVF_NMI),
					      ev->flags & MIG_EVF_SOFTIRQ, cf, softirqd);
	w->partner = (uint8_t)mig_partner__of(w->context, cur);
}

/*
 * t waits for a CPU since an earlier waking (or its birth), and is woken. try_to_wake_up() leaves a
 * task alone that is not asleep, and writes no event: it has run and slept in between, unseen.
 */
static int woken_again(struct sched_model *m, struct task *t)
{
	int ret = wakeup_unseen(m, t, -1);

	m->odd[MIG_ODD_RAN_UNSEEN]++;
	return ret ? ret : sched_model__moved_unseen(m, t);
}

static int feed_waking(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev)
{
	struct task *t = task_table__get(&m->tasks, ev->wake.tid), *k;
	struct mig_wakeup again;
	int32_t cur = current_tid(cpu, ev);
	bool running;
	int ret = 0;

	if (!t)
		return 0;
	sched_model__set_comm(m, t, ev->wake.comm);
	t->prio = ev->wake.prio;
	if (ev->type == MIG_EV_WAKING) {
		m->dec->seen[MIG_EV_WAKING] = true; /* it has them, and not only asked for them */
	} else if (m->dec->seen[MIG_EV_WAKING]) {
		/* the waking told it all; this only ends the choice of a CPU */
		sched_model__found_on(m, t, ev->wake.target_cpu);
		return 0;
	}
	/* the waking of the task that is current here needs no CPU: it has not slept yet */
	running = cur == t->tid ||
		  (t->state == TASK_RUNNING && t->cpu == ev->wake.target_cpu &&
		   (unsigned)t->cpu < m->nr_cpus && m->cpus[t->cpu].cur_tid == t->tid);
	if (ev->type == MIG_EV_WAKING)
		sched_model__found_on(m, t, ev->wake.target_cpu);
	describe_wakeup(m, cpu, ev, t, &again);
	if (ev->type == MIG_EV_WAKEUP)
		t->cpu = ev->wake.target_cpu;
	if (t->comm_class == COMM_STOPPER) {
		k = task_table__find(&m->tasks, cur);
		t->last_waker = cur;
		t->last_waker_cpu = ev->cpu;
		t->stop_chain = ev->chain;
		if (k) {
			k->stop_asked = ev->time;
			k->after_stop = 0;
		}
	}
	ret = wakeup_was_none(m, t);
	if (ret)
		return ret;
	if (t->state == TASK_QUEUED && !t->preempted) {
		ret = woken_again(m, t);
		if (ret)
			return ret;
	} else if (t->state == TASK_QUEUED) {
		/* it chose no CPU */
		m->odd[MIG_ODD_REPEATED_WAKING]++;
		again.path = MIG_PATH_RUNNING;
		return emit_wakeup(m, &again, -1, 0, false);
	}
	if (running) {
		m->odd[MIG_ODD_WAKING_OF_RUNNING]++;
		t->waking = again;
		t->waking_maybe = true;
		cpu->selecting = t->tid;
		return 0;
	}
	t->waking = again;
	t->waking_open = true;
	t->state = TASK_QUEUED;
	t->preempted = t->fork_queued = false;
	t->queued_since = ev->time;
	if (ev->type == MIG_EV_WAKING)
		cpu->selecting = t->tid;
	return 0;
}

/* The tid begins a new life: what its last owner left open is handed out. */
static int new_life(struct sched_model *m, struct task *t)
{
	int ret = sched_model__settle_all(m, t);

	if (!ret)
		ret = wakeup_unseen(m, t, -1);
	if (!ret)
		ret = wakeup_was_none(m, t);
	task__reset(t);
	return ret;
}

static int feed_wakeup_new(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev)
{
	struct task *t = task_table__get(&m->tasks, ev->wake.tid);
	const struct task *k = task_table__find(&m->tasks, current_tid(cpu, ev));
	struct mig_fork f;
	int ret = 0;

	if (!t)
		return 0;
	if (t->state != TASK_NEW) { /* its sched_process_fork was not seen */
		ret = new_life(m, t);
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

/* --- switches --- */

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
		good = r->value[i] >= cpu->base[i];
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
	struct task *p = task_of(m, cpu, ev->sw.prev_tid);
	bool seen = cpu->cur_tid == ev->sw.prev_tid, known = seen && cpu->start_known;
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
		return 0;
	sched_model__set_comm(m, p, ev->sw.prev_comm);
	p->prio = ev->sw.prev_prio;
	if (ev->pid > 0 && ev->tid == p->tid)
		p->pid = ev->pid;
	if (!seen) {
		sched_model__found_on(m, p, ev->cpu);
		ret = wakeup_unseen(m, p, ev->cpu); /* it ran; since when was not seen */
		if (!ret)
			ret = wakeup_was_none(m, p);
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
	p->slice_cpu = ev->cpu;
	p->first_slice = false;
	p->began = MIG_BEGAN_UNKNOWN;
	p->wait_ns = MIG_NULL;
	if (!ret && s.end != MIG_END_SLEEP)
		ret = wakeup_was_none(m, p);
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
	int ret = 0;

	cpu->cur_tid = ev->sw.next_tid;
	cpu->cur = n;
	cpu->cur_since = ev->time;
	cpu->start_known = true;
	if (!n)
		return 0;
	if (!n->tid) {
		cpu->idle_comm = ev->sw.next_comm;
		return 0;
	}
	sched_model__set_comm(m, n, ev->sw.next_comm);
	n->prio = ev->sw.next_prio;
	sched_model__found_on(m, n, ev->cpu);
	if (n->state == TASK_SLEEPING)
		sched_model__wakeup_was_one(n);
	ret = wakeup_was_none(m, n);
	if (ret)
		return ret;
	n->first_slice = n->waking_open;
	n->wait_ns = MIG_NULL;
	if (n->waking_open) {
		/* a loss in between may have hidden an earlier run */
		bool lost = cpu->loss_time > n->waking.time;

		n->waking.lost_nearby |= lost;
		n->began = MIG_BEGAN_WAKEUP;
		n->waking_open = false;
		ret = emit_wakeup(m, &n->waking, ev->cpu, ev->time, !lost);
		n->woken = n->waking;
	} else if (n->state == TASK_QUEUED && n->fork_queued) {
		n->began = MIG_BEGAN_FORK;
	} else if (n->state == TASK_QUEUED && n->preempted) {
		n->began = MIG_BEGAN_PREEMPT;
		if (n->queued_since != MIG_NULL && n->queued_since <= ev->time &&
		    cpu->loss_time <= n->queued_since)
			n->wait_ns = ev->time - n->queued_since;
	} else {
		n->began = MIG_BEGAN_UNKNOWN;
	}
	sched_model__moved_runs(n, ev->time);
	n->state = TASK_RUNNING;
	n->preempted = n->fork_queued = false;
	n->forked_by = -1;
	n->last_time = ev->time;
	if (n->comm_class == COMM_CPUHP)
		cpu->cpuhp_time = ev->time;
	return ret;
}

static int feed_switch(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev,
		       const struct mig_reads *reads)
{
	int ret;

	if (cpu->switches && ev->time == cpu->sw_time && ev->sw.prev_tid == cpu->sw_prev &&
	    ev->sw.next_tid == cpu->sw_next && ev->event == cpu->sw_event) {
		m->odd[MIG_ODD_DUPLICATE]++;
		return 0;
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

/* --- the rest --- */

static int feed_fork(struct sched_model *m, const struct mig_event *ev)
{
	struct task *t = task_table__get(&m->tasks, ev->fork.child_tid);
	int ret;

	if (!t)
		return 0;
	ret = new_life(m, t);
	t->comm = ev->fork.child_comm;
	t->state = TASK_NEW;
	t->forked_by = ev->fork.parent_tid;
	return ret;
}

static int feed_sample(struct sched_model *m, const struct mig_event *ev)
{
	const struct task *t = task_table__get(&m->tasks, ev->tid);
	struct mig_sample s = {
		.time = ev->time,
		.period = ev->sample.period,
		.tid = ev->tid,
		.pid = ev->pid,
		.comm = t ? t->comm : 0,
		.cpu = ev->cpu == MIG_NO_CPU ? -1 : ev->cpu,
		.counter = ev->sample.counter,
		.is_recorder = sched_model__is_recorder(m, t),
	};

	return m->ops->sample ? m->ops->sample(&s, m->ctx) : 0;
}

static void feed_task(struct sched_model *m, const struct mig_event *ev)
{
	struct task *t =
		task_table__get(&m->tasks, ev->type == MIG_EV_TASK ? ev->rel.tid : ev->task.tid);

	if (!t)
		return;
	if (ev->type == MIG_EV_TASK) {
		t->pid = ev->rel.pid;
		t->ppid = ev->rel.ppid;
		return;
	}
	if (ev->pid > 0)
		t->pid = ev->pid;
	sched_model__set_comm(m, t, ev->task.comm);
}

static void feed_lost(struct sched_model *m, const struct mig_event *ev)
{
	unsigned i, from = ev->cpu, to = ev->cpu + 1U;

	if (ev->cpu == MIG_NO_CPU) { /* it does not say where: everywhere */
		from = 0;
		to = m->nr_cpus;
	} else if (!sched_model__cpu(m, ev->cpu)) {
		return;
	}
	for (i = from; i < to; i++) {
		struct cpu_state *cpu = &m->cpus[i];

		cpu->lost_from = cpu->last_time;
		cpu->loss_time = ev->time;
		if (ev->cpu != MIG_NO_CPU)
			cpu->lost_records += ev->lost.lost;
		cpu->cur_tid = -1;
		cpu->cur = NULL;
		cpu->start_known = cpu->base_valid = cpu->in_softirq = false;
		cpu->selecting = -1;
	}
}

static void feed_numa(struct sched_model *m, const struct mig_event *ev)
{
	const int32_t tids[2] = { ev->task.tid, ev->task.tid2 };
	int i;

	for (i = 0; i < 2; i++) {
		struct task *t = tids[i] > 0 ? task_table__get(&m->tasks, tids[i]) : NULL;

		if (t) {
			t->numa_time = ev->time;
			t->numa_swap = ev->flags & MIG_EVF_SWAP;
		}
	}
}

/* A sample says that another task runs here than the last switch said: that one was not the last.
 */
static int ran_unseen(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev)
{
	struct task *t = task_table__get(&m->tasks, ev->tid);

	cpu->start_known = false;
	if (!t || t->state == TASK_RUNNING)
		return 0;
	if (t->state == TASK_SLEEPING)
		sched_model__wakeup_was_one(t);
	sched_model__found_on(m, t, ev->cpu);
	t->state = TASK_RUNNING;
	t->began = MIG_BEGAN_UNKNOWN;
	t->first_slice = false;
	return wakeup_unseen(m, t, ev->cpu);
}

static inline __attribute__((always_inline)) int feed_one(struct sched_model *m,
							  struct cpu_state *cpu,
							  const struct mig_event *ev,
							  const struct mig_reads *reads)
{
	struct task *t;
	int ret = 0;

	if (ev->flags & MIG_EVF_GAP)
		cpu->selecting = -1;
	if (cpu->pending)
		ret = sched_model__settle_cpu(m, cpu, ev);
	if (!ret && ev->tid > 0 && ev->tid != cpu->cur_tid && ev->type != MIG_EV_SWITCH)
		ret = ran_unseen(m, cpu, ev);
	if (ret)
		return ret;
	switch (ev->type) {
	case MIG_EV_SWITCH:
		ret = feed_switch(m, cpu, ev, reads);
		break;
	case MIG_EV_WAKING:
	case MIG_EV_WAKEUP:
		cpu->selecting = -1;
		return feed_waking(m, cpu, ev);
	case MIG_EV_WAKEUP_NEW:
		ret = feed_wakeup_new(m, cpu, ev);
		break;
	case MIG_EV_MIGRATE:
		ret = sched_model__migrate(m, cpu, ev);
		break;
	case MIG_EV_FORK:
		ret = feed_fork(m, ev);
		break;
	case MIG_EV_EXEC:
		t = task_table__find(&m->tasks, ev->task.tid);
		if (t && t->pending)
			ret = sched_model__settle_self(m, t, true);
		break;
	case MIG_EV_EXIT:
		t = task_table__find(&m->tasks, ev->task.tid);
		if (t)
			t->exits = true;
		break;
	case MIG_EV_NUMA:
		feed_numa(m, ev);
		break;
	case MIG_EV_SOFTIRQ:
		cpu->in_softirq = ev->flags & MIG_EVF_ENTER;
		break;
	case MIG_EV_SETAFFINITY:
		t = task_table__get(&m->tasks, current_tid(cpu, ev));
		if (t)
			t->in_setaffinity = ev->flags & MIG_EVF_ENTER;
		break;
	default:
		break;
	}
	/* between sched_waking and the migrate of try_to_wake_up() nothing else happens on the CPU
	 */
	cpu->selecting = -1;
	return ret;
}

static int feed_held(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev,
		     const struct mig_reads *reads)
{
	return feed_one(m, cpu, ev, reads);
}

/* With two sched_switch events every switch comes twice; one of the two may carry the counters. */
static int feed_twin(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev,
		     const struct mig_reads *reads)
{
	struct mig_event was = cpu->held;
	struct mig_reads was_reads = cpu->held_reads;
	bool held = cpu->held_valid, has_reads = held && was.reads;
	int ret = 0;

	cpu->held_valid = false;
	if (held && ev->type == MIG_EV_SWITCH && ev->event != was.event &&
	    ev->sw.prev_tid == was.sw.prev_tid && ev->sw.next_tid == was.sw.next_tid)
		return feed_held(m, cpu, &was, has_reads ? &was_reads : reads);
	if (held)
		ret = feed_held(m, cpu, &was, has_reads ? &was_reads : NULL);
	if (ret || ev->type != MIG_EV_SWITCH)
		return ret ? ret : feed_held(m, cpu, ev, reads);
	cpu->held = *ev;
	cpu->held_valid = true;
	if (reads)
		cpu->held_reads = *reads;
	return 0;
}

static int feed_rest(struct sched_model *m, const struct mig_event *ev)
{
	switch (ev->type) {
	case MIG_EV_COMM:
	case MIG_EV_TASK:
		feed_task(m, ev);
		return 0;
	case MIG_EV_SAMPLE:
		return feed_sample(m, ev);
	case MIG_EV_LOST:
		feed_lost(m, ev);
		return 0;
	default:
		return sched_model__feed_nocpu(m, ev);
	}
}

static inline __attribute__((always_inline)) int
feed(struct sched_model *m, const struct mig_event *ev, const struct mig_reads *reads)
{
	struct cpu_state *cpu;

	if (ev->time && ev->type != MIG_EV_COMM && ev->type != MIG_EV_TASK) {
		if (ev->time < m->first_time)
			m->first_time = ev->time;
		if (ev->time > m->last_time)
			m->last_time = ev->time;
	}
	if (ev->type >= MIG_EV_NR_TP || ev->cpu == MIG_NO_CPU)
		return feed_rest(m, ev);
	cpu = ev->cpu < m->nr_cpus ? &m->cpus[ev->cpu] : sched_model__cpu(m, ev->cpu);
	if (!cpu)
		return -ENOMEM;
	if (ev->time < cpu->last_time)
		m->odd[MIG_ODD_TIME_BACK]++;
	else
		cpu->last_time = ev->time;
	cpu->seen = true;
	return m->twin_switches ? feed_twin(m, cpu, ev, reads) : feed_one(m, cpu, ev, reads);
}

int sched_model__feed(struct sched_model *m, const struct mig_event *ev,
		      const struct mig_reads *reads)
{
	return feed(m, ev, reads);
}

int sched_model__feed_next(const struct mig_event *ev, void *ctx)
{
	struct sched_model *m = ctx;
	int ret;

	if (!ev->reads)
		return feed(m, ev, NULL);
	ret = sched_model__feed(m, ev, decode__reads(m->dec, ev));
	decode__put_reads(m->dec, ev);
	return ret;
}

int sched_model__finish(struct sched_model *m)
{
	unsigned i;
	int ret = 0;

	for (i = 0; i < m->nr_cpus && !ret; i++)
		if (m->cpus[i].held_valid) {
			m->cpus[i].held_valid = false;
			ret = feed_held(m, &m->cpus[i], &m->cpus[i].held,
					m->cpus[i].held.reads ? &m->cpus[i].held_reads : NULL);
		}
	for (i = 0; i < m->tasks.nr && !ret; i++) {
		struct task *t = m->tasks.all[i];

		ret = wakeup_unseen(m, t, -1);
		if (!ret)
			ret = wakeup_was_none(m, t);
		if (!ret)
			ret = sched_model__settle_all(m, t);
	}
	return ret;
}
