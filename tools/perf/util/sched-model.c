// SPDX-License-Identifier: GPL-2.0
/*
 * sched-model: one event in, zero or more facts out (see sched-model.h). Every rule that is not
 * plain bookkeeping names where it comes from; they are described in Documentation/model.md.
 */
#include "sched-model-int.h"
#include "cgroup.h"

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
		[MIG_ODD_NO_TASK] = "impossible-tid",
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
	m->back_max_ns = MIG_BACK_MAX_NS;
	m->no_levels = !topo->has[MIG_DIST_SMT] && !topo->has[MIG_DIST_LLC] &&
		       !topo->has[MIG_DIST_NODE] && !topo->has[MIG_DIST_REMOTE];
	m->recorder_pid = MIG_NO_RECORDER;
	m->overlap_ns = MIG_OVERLAP_NS;
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
	sched_model__more_exit(m);
	task_table__exit(&m->tasks);
	sched_idle__delete(m->idle);
	free(m->cpus);
	loss__exit(&m->losses);
	free(m->comm_class);
	free(m->chain_causes);
	free(m->chain_asked);
}

/* Makes room for a CPU that was not seen before. */
static struct cpu_state *sched_model__new_cpu(struct sched_model *m, unsigned cpu)
{
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
	return &m->cpus[cpu];
}

static inline struct cpu_state *sched_model__cpu(struct sched_model *m, unsigned cpu)
{
	return cpu < m->nr_cpus ? &m->cpus[cpu] : sched_model__new_cpu(m, cpu);
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

int sched_model__no_task(struct sched_model *m, int32_t tid)
{
	if (tid >= 0 && (uint32_t)tid >> TASK_PAGE_BITS < TASK_NR_PAGES)
		return -ENOMEM;
	m->odd[MIG_ODD_NO_TASK]++;
	return 0;
}

bool sched_model__found_on(struct sched_model *m, struct task *t, int cpu)
{
	bool broke = t->cpu >= 0 && t->cpu != cpu && t->tid && m->dec->seen[MIG_EV_MIGRATE];

	/* the recorder walks over all CPUs to disable the events: its last moves come after them */
	if (broke) {
		if (sched_model__is_recorder(m, t))
			m->odd[MIG_ODD_RECORDER_MOVE]++;
		else
			m->unseen_moves++;
	}
	if (broke)
		t->move_time = 0; /* what it undid was another */
	t->cpu = cpu;
	return broke;
}

void sched_model__new_comm(struct sched_model *m, struct task *t, uint32_t comm)
{
	t->comm = comm;
	t->comm_class = (uint8_t)comm_class(m, comm);
	/* perf record names its child so until it executes the workload (builtin-record.c) */
	if (m->recorder_pid < 0 && t->ppid > 0 && t->comm_class == COMM_PERF_EXEC &&
	    m->first_time == MIG_NULL) /* later ones are children of another perf (perf stat) */
		m->recorder_pid = t->ppid;
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
		.ip = ev->sample.addr,
		.chain = ev->chain,
		.moved_by = MIG_NR_CLASS,
		.is_recorder = sched_model__is_recorder(m, t),
	};

	if (ev->cpu < m->nr_cpus) {
		m->cpus[ev->cpu].sample_time = ev->time;
		/* its slice is known while its switch-in was the last one here */
		if (t && t->tid && m->cpus[ev->cpu].cur == t && t->run_cpu == ev->cpu) {
			s.moved = t->slice_cpu < 0          ? MIG_MOVED_UNKNOWN
				  : t->slice_cpu == ev->cpu ? MIG_STAYED
							    : MIG_MOVED;
			s.wakeup = t->first_slice ? &t->woken : NULL;
			/* a move waits here for the end of the slice after it */
			if (s.moved == MIG_MOVED && t->pending)
				s.moved_by = (uint8_t)mig_cause__class(t->pending->verdict.cause);
		}
	}
	return m->ops->sample ? m->ops->sample(&s, m->ctx) : 0;
}

static int feed_task(struct sched_model *m, const struct mig_event *ev)
{
	const struct task *parent = NULL;
	int ret = 0;

	struct task *t =
		task_table__get(&m->tasks, ev->type == MIG_EV_TASK ? ev->rel.tid : ev->task.tid);

	if (!t)
		return sched_model__no_task(m, ev->task.tid);
	if (ev->type == MIG_EV_TASK) {
		if (t->state == TASK_DEAD) /* the number is used again */
			ret = sched_model__new_life(m, t);
		t->pid = ev->rel.pid;
		t->ppid = ev->rel.ppid;
		t->pid_noted = true;
		/* it has its parent's name until it takes another; a synthesized record tells of no
		 * fork */
		if (ev->time)
			parent = task_table__find(&m->tasks, ev->rel.ptid);
		if (parent)
			sched_model__set_comm(m, t, parent->comm);
		return ret;
	}
	if (ev->pid > 0)
		t->pid = ev->pid;
	sched_model__set_comm(m, t, ev->task.comm);
	return 0;
}

/* From the CPU's record before to its LOST record. */
static int note_loss(struct sched_model *m, const struct mig_event *ev)
{
	const struct cpu_state *cpu = &m->cpus[ev->cpu];
	struct loss_window w = { .to = ev->time, .records = ev->lost.lost, .cpu = ev->cpu };

	w.from = cpu->last_time > cpu->sample_time ? cpu->last_time : cpu->sample_time;
	if (cpu->loss_time > w.from)
		w.from = cpu->loss_time;
	if (ev->lost.left_out > w.from)
		w.from = ev->lost.left_out;
	if (w.from > w.to)
		w.from = w.to;
	return loss__add(&m->losses, &w);
}

static int feed_lost(struct sched_model *m, const struct mig_event *ev)
{
	unsigned i, from = ev->cpu, to = ev->cpu + 1U;

	if (ev->cpu == MIG_NO_CPU) { /* it does not say where: everywhere */
		from = 0;
		to = m->nr_cpus;
	} else if (!sched_model__cpu(m, ev->cpu) || note_loss(m, ev)) {
		return -ENOMEM;
	}
	m->lost_any = true;
	for (i = from; i < to; i++) {
		struct cpu_state *cpu = &m->cpus[i];

		cpu->loss_time = ev->time;
		if (ev->cpu != MIG_NO_CPU)
			cpu->lost_records += ev->lost.lost;
		cpu->cur_tid = -1;
		cpu->cur = NULL;
		cpu->start_known = cpu->base_valid = cpu->in_softirq = false;
		cpu->selecting = -1;
	}
	return 0;
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
	return sched_model__wakeup_unseen(m, t, ev->cpu);
}

/* What happens seldom. */
static int feed_seldom(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev)
{
	struct task *t;

	switch (ev->type) {
	case MIG_EV_WAKEUP_NEW:
		return sched_model__wakeup_new(m, cpu, ev);
	case MIG_EV_MIGRATE:
		return sched_model__migrate(m, cpu, ev);
	case MIG_EV_FORK:
		return sched_model__fork(m, ev);
	case MIG_EV_EXEC:
		t = task_table__find(&m->tasks, ev->task.tid);
		return t && t->pending ? sched_model__settle_self(m, t, true) : 0;
	case MIG_EV_EXIT:
		t = task_table__find(&m->tasks, ev->task.tid);
		if (t)
			t->exits = true;
		return 0;
	case MIG_EV_NUMA:
		feed_numa(m, ev);
		return 0;
	case MIG_EV_SOFTIRQ:
		cpu->in_softirq = ev->flags & MIG_EVF_ENTER;
		return 0;
	case MIG_EV_SETAFFINITY:
		t = task_table__get(&m->tasks, sched_model__current_tid(cpu, ev));
		if (t)
			t->in_setaffinity = ev->flags & MIG_EVF_ENTER;
		return 0;
	default:
		return 0;
	}
}

static inline int feed_one(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev,
			   const struct mig_reads *reads)
{
	int ret = 0;

	if (__builtin_expect(m->want, 0) && sched_model__more_event(m, cpu, ev))
		return 0;
	if (ev->flags & MIG_EVF_GAP)
		cpu->selecting = -1;
	if (__builtin_expect(cpu->pending != NULL, 0))
		ret = sched_model__settle_cpu(m, cpu, ev);
	/*
	 * Between sched_waking and the migrate of try_to_wake_up() nothing else happens on the CPU:
	 * whatever comes ends the choice of a CPU.
	 */
	if (ev->type == MIG_EV_SWITCH) {
		cpu->selecting = -1;
		return ret ? ret : sched_model__switch(m, cpu, ev, reads);
	}
	if (__builtin_expect(ev->tid != cpu->cur_tid && ev->tid > 0, 0) && !ret)
		ret = ran_unseen(m, cpu, ev);
	if (ret)
		return ret;
	if (ev->type == MIG_EV_WAKING || ev->type == MIG_EV_WAKEUP) {
		cpu->selecting = -1;
		return sched_model__waking(m, cpu, ev);
	}
	ret = feed_seldom(m, cpu, ev);
	cpu->selecting = -1;
	return ret;
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
		return feed_one(m, cpu, &was, has_reads ? &was_reads : reads);
	if (held)
		ret = feed_one(m, cpu, &was, has_reads ? &was_reads : NULL);
	if (ret || ev->type != MIG_EV_SWITCH)
		return ret ? ret : feed_one(m, cpu, ev, reads);
	cpu->held = *ev;
	cpu->held_valid = true;
	if (reads)
		cpu->held_reads = *reads;
	return 0;
}

static void note_time(struct sched_model *m, uint64_t time)
{
	if (time < m->first_time)
		m->first_time = time;
	if (time > m->last_time)
		m->last_time = time;
}

/* What is no scheduler event, or one that does not say where it was. */
static int feed_rest(struct sched_model *m, const struct mig_event *ev)
{
	if (ev->time && ev->type != MIG_EV_COMM && ev->type != MIG_EV_TASK)
		note_time(m, ev->time);
	switch (ev->type) {
	case MIG_EV_COMM:
	case MIG_EV_TASK:
		return feed_task(m, ev);
	case MIG_EV_SAMPLE:
		return feed_sample(m, ev);
	case MIG_EV_LOST:
		return feed_lost(m, ev);
	default:
		return sched_model__feed_nocpu(m, ev);
	}
}

void sched_model__first_or_late(struct sched_model *m, struct cpu_state *cpu, uint64_t time)
{
	if (time < cpu->last_time)
		m->odd[MIG_ODD_TIME_BACK]++;
	else
		cpu->last_time = time;
	if (time)
		note_time(m, time);
}

int sched_model__feed(struct sched_model *m, const struct mig_event *ev,
		      const struct mig_reads *reads)
{
	struct cpu_state *cpu;

	if (ev->type >= MIG_EV_NR_TP || ev->cpu == MIG_NO_CPU)
		return feed_rest(m, ev);
	cpu = sched_model__cpu(m, ev->cpu);
	if (!cpu)
		return -ENOMEM;
	sched_model__take_time(m, cpu, ev->time);
	return m->twin_switches ? feed_twin(m, cpu, ev, reads) : feed_one(m, cpu, ev, reads);
}

/* What has to be followed from the first event on. */
static int begin_hooks(struct sched_model *m)
{
	if (!m->idle && m->want & SCHED_IDLE_PARTS) {
		m->idle = sched_idle__new(m->topo);
		if (!m->idle)
			return -ENOMEM;
	}
	return 0;
}

/* The sample tells the cgroup of the current task; a child is in its parent's. */
static int follow_cgroup(struct sched_model *m, const struct mig_event *ev)
{
	struct cgroup_map *map = m->dec->cgroups;
	uint16_t parents;

	if (ev->type < MIG_EV_NR_TP && ev->cgroup && ev->tid > 0 &&
	    cgroup_map__note(map, ev->tid, ev->cgroup, false))
		return -ENOMEM;
	if (ev->type != MIG_EV_FORK)
		return 0;
	parents = cgroup_map__of(map, ev->fork.parent_tid);
	return parents ? cgroup_map__note(map, ev->fork.child_tid, parents, false) : 0;
}

static int feed_hooked(struct sched_model *m, const struct mig_event *ev,
		       const struct mig_reads *reads)
{
	int ret = m->dec->cgroups ? follow_cgroup(m, ev) : 0;

	if (!ret && m->idle)
		ret = sched_idle__before(m, ev);
	if (!ret)
		ret = sched_model__feed(m, ev, reads);
	if (!ret && m->idle)
		ret = sched_idle__after(m, ev);
	return ret;
}

/* One by one, as samples whose ids name tasks of another pid namespace need it, among others. */
static int feed_each(struct sched_model *m, const struct mig_event *ev, const struct mig_event *end)
{
	const bool nameless = sched_model__ids_differ(m);
	struct mig_event own;
	int ret = begin_hooks(m);

	for (; ev < end && !ret; ev++) {
		own = *ev;
		if (nameless && ev->type < MIG_EV_NR_TP && ev->type != MIG_EV_SWITCH)
			own.pid = own.tid = -1;
		ret = feed_hooked(m, &own, decode__reads(m->dec, ev));
		decode__put_reads(m->dec, ev);
	}
	return ret;
}

int sched_model__feed_on(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev)
{
	int ret;

	if (__builtin_expect(ev->type >= MIG_EV_NR_TP, 0))
		return feed_rest(m, ev);
	sched_model__take_time(m, cpu, ev->time);
	ret = feed_one(m, cpu, ev, decode__reads(m->dec, ev));
	decode__put_reads(m->dec, ev);
	return ret;
}

int sched_model__feed_run(const struct mig_event *ev, uint32_t nr, void *ctx)
{
	const struct mig_event *const end = ev + nr;
	struct sched_model *m = ctx;
	struct cpu_state *cpu;

	if (__builtin_expect(ev->cpu == MIG_NO_CPU || m->twin_switches || m->dec->cgroups ||
				     (m->want & SCHED_IDLE_PARTS) || sched_model__ids_differ(m),
			     0))
		return feed_each(m, ev, end);
	cpu = sched_model__cpu(m, ev->cpu);
	if (!cpu)
		return -ENOMEM;
	return sched_model__feed_cpu(m, cpu, ev, end);
}

int sched_model__finish(struct sched_model *m)
{
	unsigned i;
	int ret = 0;

	for (i = 0; i < m->nr_cpus && !ret; i++) {
		if (m->cpus[i].last_time > m->last_time)
			m->last_time = m->cpus[i].last_time;
		if (m->cpus[i].held_valid) {
			m->cpus[i].held_valid = false;
			ret = feed_one(m, &m->cpus[i], &m->cpus[i].held,
				       m->cpus[i].held.reads ? &m->cpus[i].held_reads : NULL);
		}
	}
	for (i = 0; i < m->tasks.nr && !ret; i++) {
		struct task *t = m->tasks.all[i];

		ret = sched_model__wakeup_unseen(m, t, -1);
		if (!ret)
			ret = sched_model__wakeup_was_none(m, t);
		if (!ret)
			ret = sched_model__settle_all(m, t);
	}
	return ret;
}
