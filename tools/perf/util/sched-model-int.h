/* SPDX-License-Identifier: GPL-2.0 */
/* sched-model-int: shared by the files sched-*.c only. */
#ifndef MIG_SCHED_MODEL_INT_H
#define MIG_SCHED_MODEL_INT_H

#include "sched-model.h"

/* A migration of which not all is known yet. */
struct mig_pending {
	struct mig_migration fact;
	struct cause_verdict verdict;
	int32_t cpu; /* of the event */
	int32_t stop_waker; /* CAUSE_WAIT_STOP */
	bool wait_slice; /* its task has not finished a slice since */
	bool wait_run; /* .. nor begun one */
	bool asleep; /* its task slept (a load balancer moves delayed dequeues too) */
	bool on_cpu_list;
	struct mig_pending *next_on_cpu, *older; /* older: of the same task */
};

void sched_model__new_comm(struct sched_model *m, struct task *t, uint32_t comm);
/* t is called comm now; 0 = the event does not say. */
static inline void sched_model__set_comm(struct sched_model *m, struct task *t, uint32_t comm)
{
	if (comm && t->comm != comm)
		sched_model__new_comm(m, t, comm);
}

/* Is t the stopper thread of its CPU: named so, and of the stop class (priority 0). */
bool sched_model__is_stopper(const struct task *t);

/* A scheduler event that does not say on which CPU it was taken (sched-nocpu.c). */
int sched_model__feed_nocpu(struct sched_model *m, const struct mig_event *ev);

/* Does a sched_migrate_task move its task? Those that do not are counted as odd. */
bool sched_model__is_move(struct sched_model *m, const struct mig_event *ev);
/*
 * How long ago the move of p was that this one, from where it went to where it came from, undoes;
 * MIG_NULL = the last one went elsewhere, was longer ago than back_max_ns, or undid one itself.
 */
uint64_t sched_model__undoes(const struct sched_model *m, struct task *p,
			     const struct mig_event *ev);
/* sched_migrate_task */
int sched_model__migrate(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev);
/* t is woken by w, as a sched_wakeup tells after it was moved: the move was the wakeup's choice. */
void sched_model__moved_by_wakeup(struct task *t, const struct mig_wakeup *w);
/* The CPU's next event ev comes: decide what waited for it. */
int sched_model__settle_cpu(struct sched_model *m, struct cpu_state *cpu,
			    const struct mig_event *ev);
/* t execs, or switches out for good (in S, X, Z): decide what waited for it. */
int sched_model__settle_self(struct sched_model *m, struct task *t, bool exec);
/* What t does after its moves so far cannot be told: hands them out. */
int sched_model__moved_unseen(struct sched_model *m, struct task *t);
/* t begins to run at time. */
void sched_model__moved_runs(struct task *t, uint64_t time);
/* t ends a slice. */
int sched_model__moved_ran(struct sched_model *m, struct task *t, const struct mig_slice *s);
/* No more is to come for t: hands out all its migrations as they are. */
int sched_model__settle_all(struct sched_model *m, struct task *t);

/* The task with this tid, which is most often the CPU's current one. */
static inline struct task *sched_model__task_of(struct sched_model *m, const struct cpu_state *cpu,
						int32_t tid)
{
	if (cpu->cur && cpu->cur->tid == tid)
		return cpu->cur;
	return task_table__get(&m->tasks, tid);
}

/* The current task of a CPU: what the sample says, else the last switch. */
static inline int32_t sched_model__current_tid(const struct cpu_state *cpu,
					       const struct mig_event *ev)
{
	return ev->tid >= 0 ? ev->tid : cpu->cur_tid;
}

/* There is no task for tid: -ENOMEM, or 0 and counted if no kernel gives out such a tid. */
int sched_model__no_task(struct sched_model *m, int32_t tid);
/* The tid begins a new life: what its last owner left open is handed out. */
int sched_model__new_life(struct sched_model *m, struct task *t);

/* Were events lost on cpu after since? */
static inline bool sched_model__lost_on(const struct sched_model *m, int cpu, uint64_t since)
{
	return m->lost_any && (unsigned)cpu < m->nr_cpus && m->cpus[cpu].loss_time > since;
}

/*
 * Does a fact of t on cpu stand beside a loss: the CPU's last switch, or the last that is known of
 * t, lies before one.
 */
static inline bool sched_model__lost_nearby(const struct sched_model *m,
					    const struct cpu_state *cpu, const struct task *t)
{
	return m->lost_any &&
	       (cpu->loss_time > cpu->sw_time || sched_model__lost_on(m, t->cpu, t->last_time));
}

/* The time of an event that is the first of its CPU, or older than the one before. */
void sched_model__first_or_late(struct sched_model *m, struct cpu_state *cpu, uint64_t time);

/* An event of this CPU and time comes. */
static inline void sched_model__take_time(struct sched_model *m, struct cpu_state *cpu,
					  uint64_t time)
{
	if (__builtin_expect(time <= cpu->last_time || !cpu->last_time, 0))
		sched_model__first_or_late(m, cpu, time);
	else
		cpu->last_time = time;
}

/* An event of this CPU that is not just a switch (sched-model.c). */
int sched_model__feed_on(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev);

/* sched-switch.c: events of one CPU in time order, the hot loop */
int sched_model__feed_cpu(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev,
			  const struct mig_event *end);
int sched_model__switch(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev,
			const struct mig_reads *reads);

/* sched-wakeup.c: sched_waking and sched_wakeup, sched_wakeup_new, sched_process_fork */
int sched_model__waking(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev);
int sched_model__wakeup_new(struct sched_model *m, struct cpu_state *cpu,
			    const struct mig_event *ev);
int sched_model__fork(struct sched_model *m, const struct mig_event *ev);

/* sched-idle.c: which CPUs are idle; where one of these parts is wanted */
#define SCHED_IDLE_PARTS (1U << MIG_PART_CHOICE | 1U << MIG_PART_REGRET)

/* NULL: no memory. */
struct sched_idle *sched_idle__new(const struct topo *topo);
void sched_idle__delete(struct sched_idle *s);

/* Around each event that the model is fed. -ENOMEM */
int sched_idle__before(struct sched_model *m, const struct mig_event *ev);
int sched_idle__after(struct sched_model *m, const struct mig_event *ev);
/* What is to be said of wakeup w, which is handed out. */
void sched_idle__describe(struct sched_model *m, const struct mig_wakeup *w,
			  struct mig_wakeup_more *more);

/* What is to be known of wakeup w is known: its task runs on run_cpu since time, or (-1, !seen)
 * not. */
int sched_model__emit_wakeup(struct sched_model *m, struct mig_wakeup *w, int run_cpu,
			     uint64_t time, bool seen);
int sched_model__close_wakeup(struct sched_model *m, struct task *t, int run_cpu);
int sched_model__drop_waking(struct sched_model *m, struct task *t);

/* t's open wakeup, if there is one, ends without a switch-in that was seen. */
static inline int sched_model__wakeup_unseen(struct sched_model *m, struct task *t, int run_cpu)
{
	return t->waking_open ? sched_model__close_wakeup(m, t, run_cpu) : 0;
}

/* The waking that met t while it was current, if there was one, found it runnable. */
static inline int sched_model__wakeup_was_none(struct sched_model *m, struct task *t)
{
	return t->waking_maybe ? sched_model__drop_waking(m, t) : 0;
}

/* A waking that met t on its way to sleep was a wakeup after all. */
void sched_model__wakeup_was_one(struct task *t);
/* .. so t was runnable since then when it was moved, and did not sleep. */
void sched_model__moved_queued(struct task *t, uint64_t since);

/* A wakeup of t as its event tells of it, waker and CPU of the choice left open. */
static inline void sched_model__wakeup_of(const struct sched_model *m, const struct mig_event *ev,
					  const struct task *t, struct mig_wakeup *w)
{
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
		.level = MIG_NR_DIST,
		.wakee_is_recorder = sched_model__is_recorder(m, t),
	};
}

/* .. and that tid, whose task is k (or NULL), is current where it happens. */
static inline void sched_model__wakeup_by(const struct sched_model *m, const struct mig_event *ev,
					  int32_t tid, const struct task *k, struct mig_wakeup *w)
{
	w->waker_tid = tid;
	w->waker_pid = k ? k->pid : -1;
	w->waker_is_recorder = sched_model__is_recorder(m, k);
	w->context = (uint8_t)mig_context__of(ev->flags & (MIG_EVF_HARDIRQ | MIG_EVF_NMI),
					      ev->flags & MIG_EVF_SOFTIRQ,
					      chain_table__facts(m->chains, ev->chain),
					      !tid || (k && k->comm_class == COMM_KSOFTIRQD));
	w->partner = (uint8_t)mig_partner__of(w->context, tid);
}

/* Name of the task k that is current on cpu; k may be NULL. */
static inline uint32_t sched_model__current_comm(const struct cpu_state *cpu, const struct task *k)
{
	return !k ? 0 : k->tid ? k->comm : cpu->idle_comm;
}

/*
 * sched-more.c: what facts carry on request. event: before anything else is done with it, true: it
 * is of no other use; switch: before prev's slice ends; waking: t's new t->waking is complete;
 * emit: w is handed out with what belongs to it, its task runs since time; born: t is new.
 */
bool sched_model__more_event(struct sched_model *m, struct cpu_state *cpu,
			     const struct mig_event *ev);
int sched_model__more_switch(struct sched_model *m, struct cpu_state *cpu,
			     const struct mig_event *ev);
int sched_model__more_waking(struct sched_model *m, struct cpu_state *cpu,
			     const struct mig_event *ev, struct task *t);
int sched_model__emit_more(struct sched_model *m, struct mig_wakeup *w, uint64_t time);
int sched_model__more_born(const struct sched_model *m, struct task *t);
void sched_model__more_exit(struct sched_model *m);

/* sched-anatomy.c, the same for MIG_PART_ANATOMY */
void anatomy__event(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev);
void anatomy__switch(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev);
int anatomy__waking(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev,
		    struct task *t);
void anatomy__emit(const struct sched_model *m, const struct mig_wakeup *w, uint64_t time,
		   struct mig_wakeup_more *more);

/* sched-overlap.c, the same for MIG_PART_OVERLAP */
int overlap__born(struct task *t);
int overlap__switch(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev);
int overlap__waking(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev,
		    struct task *t);
/* .. before w is handed out, and after */
void overlap__emit(const struct sched_model *m, const struct mig_wakeup *w,
		   struct mig_wakeup_more *more);
int overlap__emitted(struct sched_model *m, const struct mig_wakeup *w);
void overlap__exit(struct sched_model *m);

/* Notes that t was found on cpu. true: it had moved there and no event told of it; counted. */
bool sched_model__found_on(struct sched_model *m, struct task *t, int cpu);

#endif
