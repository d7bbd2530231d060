/* SPDX-License-Identifier: GPL-2.0 */
/* sched-model-int: shared by sched-model.c and sched-migrate.c only. */
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
/* sched_migrate_task */
int sched_model__migrate(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev);
/* The CPU's next event ev comes: decide what waited for it. k: the switch's prev, or NULL. */
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

/* A waking that met t on its way to sleep was a wakeup after all. */
void sched_model__wakeup_was_one(struct task *t);
/* .. so t was runnable since then when it was moved, and did not sleep. */
void sched_model__moved_queued(struct task *t, uint64_t since);

/* Name of the task k that is current on cpu; k may be NULL. */
static inline uint32_t sched_model__current_comm(const struct cpu_state *cpu, const struct task *k)
{
	return !k ? 0 : k->tid ? k->comm : cpu->idle_comm;
}

/* Notes that t was found on cpu; counts a move that no event told of. */
void sched_model__found_on(struct sched_model *m, struct task *t, int cpu);

#endif
