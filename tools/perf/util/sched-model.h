/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sched-model: per-CPU and per-task state; turns events in time order into facts.
 *
 * The rules (what is current, what proves an unseen switch, which wakeup a slice belongs to) are in
 * Documentation/model.md; none of them depends on the machine that reads the recording.
 */
#ifndef MIG_SCHED_MODEL_H
#define MIG_SCHED_MODEL_H

#include "decode.h"
#include "facts.h"
#include "loss.h"
#include "strtab.h"
#include "task.h"
#include "topo.h"

struct cause_chain;
struct overlap_open;
struct mig_pending;

/* Sequences that ought not to be, counted by kind. */
enum mig_odd {
	MIG_ODD_MIGRATE_NO_MOVE, /* sched_migrate_task with dest == orig */
	MIG_ODD_MIGRATE_NO_DEST, /* .. with a CPU below 0 */
	MIG_ODD_REPEATED_WAKING, /* a waking of a task that was preempted on the way to sleep */
	MIG_ODD_RAN_UNSEEN, /* a waking of a woken task, which must have run in between */
	MIG_ODD_WAKING_OF_RUNNING, /* a waking of the current task */
	MIG_ODD_NO_TASK, /* a tid that no kernel gives out */
	MIG_ODD_DUPLICATE, /* one record written twice */
	MIG_ODD_TIME_BACK, /* an event older than the one before on its CPU */
	MIG_ODD_RECORDER_MOVE, /* an unseen move of the recorder (the last ones always are) */
	MIG_NR_ODD,
};

/* "migrate-without-move", ... */
const char *mig_odd__name(enum mig_odd odd);

struct cpu_state {
	int32_t cur_tid; /* next_pid of the last sched_switch, -1 = unknown */
	struct task *cur; /* .. its task; NULL with -1 */
	uint32_t idle_comm; /* each idle task has its own name, but all tid 0; 0 = not seen */
	bool start_known; /* .. and it is known when it began */
	uint64_t cur_since;
	uint64_t last_time; /* of the newest event here, 0 = none yet */
	uint64_t sample_time; /* of the newest sample of a counter here, 0 = none */
	uint64_t loss_time; /* of the last LOST here, 0 = none */
	uint64_t lost_records; /* here, in all */
	uint64_t switches;
	uint64_t base_id, base[MIG_MAX_COUNTERS];
	bool base_valid;
	bool in_softirq, stopper_moved;
	int32_t selecting; /* task whose CPU is being chosen here (try_to_wake_up), -1 = none */
	uint64_t cpuhp_time;
	struct mig_pending *pending; /* migrations that wait for this CPU's next events */
	/* the last switch, to tell a record written twice */
	uint64_t sw_time;
	int32_t sw_prev, sw_next;
	uint16_t sw_event;
	/* with two sched_switch events: one that waits for its twin */
	/* sched-overlap.c: wakeups of the current slice; sched-anatomy.c: whose CPU is chosen here,
	 * and which tasks this CPU is to run that it may not know of */
	struct overlap_open *woke;
	uint32_t nr_woke;
	struct task *choosing, *coming;
	uint64_t idle_since; /* the task that leaves is idle: since when, MIG_NULL = it is not */
	bool held_valid;
	struct mig_event held;
	struct mig_reads held_reads;
};

#define MIG_BACK_MAX_NS 10000000 /* 10 ms: a time slice and a balance interval or two */

#define MIG_NO_RECORDER (-2) /* no task has this process */

struct sched_model {
	struct task_table tasks;
	struct cpu_state *cpus;
	unsigned nr_cpus;
	struct strtab *names; /* borrowed, like the next three */
	struct chain_table *chains;
	const struct topo *topo;
	struct decode *dec;
	const struct mig_fact_ops *ops;
	void *ctx;
	enum mig_distance far_from;
	bool no_levels; /* the topology tells no two CPUs apart */
	uint8_t *comm_class; /* by strtab id */
	uint32_t nr_comm_class;
	int32_t recorder_pid; /* MIG_NO_RECORDER = unknown */
	struct mig_pending *free_pending;
	struct cause_chain *chain_causes; /* by chain id, once asked for */
	uint8_t *chain_asked;
	uint32_t nr_chain_causes;
	bool ignore_callchain;
	bool twin_switches; /* two sched_switch events in the recording */
	bool ignore_helpers;
	struct sched_idle *idle; /* NULL: not wanted */
	uint64_t back_max_ns; /* a move undoes the one before within that (MIG_BACK_MAX_NS) */
	uint32_t want; /* bits 1 << enum mig_part: facts carry these figures, too */
	uint64_t overlap_ns; /* MIG_PART_OVERLAP: what counts as short; the old migration_cost */
	struct overlap_open *free_open;
	bool saw_idle; /* MIG_PART_ANATOMY: cpu_idle was not only asked for (6.18 guests) */
	/* what was not seen */
	uint64_t unseen_switches, unseen_moves;
	uint64_t odd[MIG_NR_ODD];
	uint64_t idle_switches; /* away from idle */
	uint64_t foreign_ids; /* switches whose sample names another task than prev_pid */
	uint64_t missing_ids; /* .. or none */
	uint64_t switches, switches_without_read, reads_multiplexed, reads_null;
	bool reads_untimed; /* without enabled and running time: multiplexing would not show */
	bool lost_any; /* records were lost somewhere */
	struct loss_list losses; /* .. when, where the LOST records say where */
	uint64_t first_time; /* of events; MIG_NULL = none */
	uint64_t last_time; /* .. known when the model has finished */
};

/* All pointers are borrowed and must outlive the model. */
int sched_model__init(struct sched_model *m, struct strtab *names, struct chain_table *chains,
		      const struct topo *topo, struct decode *dec, const struct mig_fact_ops *ops,
		      void *ctx);
void sched_model__exit(struct sched_model *m);

/* One event, in time order; reads: of a switch, or NULL. 0 or a receiver's error, -ENOMEM. */
int sched_model__feed(struct sched_model *m, const struct mig_event *ev,
		      const struct mig_reads *reads);
/* An order_fn: ctx is the model; the reads of the events are taken from decode and freed. */
int sched_model__feed_run(const struct mig_event *ev, uint32_t nr, void *ctx);
/* The default of overlap_ns: sysctl_sched_migration_cost of kernel/sched.c, 2.6.28 to 2.6.33. */
#define MIG_OVERLAP_NS 500000

/* Is term measured in this recording, or part of a later one (sched-anatomy.c)? */
bool sched_model__has_term(const struct sched_model *m, enum mig_term term);

/* End of the recording: hands out what is still open (wakeups that never ran, migrations). */
int sched_model__finish(struct sched_model *m);

static inline bool sched_model__is_recorder(const struct sched_model *m, const struct task *t)
{
	return t && t->pid == m->recorder_pid;
}

/*
 * The samples hold the ids of another pid namespace (perf ran in a container) than the events do:
 * they say nothing of who is current. A tid that no task has in perf's namespace is 0 there.
 */
static inline bool sched_model__ids_differ(const struct sched_model *m)
{
	return m->foreign_ids > m->switches - m->idle_switches - m->missing_ids - m->foreign_ids;
}

/* The figures of a group read are worthless: counters were rotated or never fitted. */
static inline bool sched_model__reads_refused(const struct sched_model *m)
{
	return m->reads_multiplexed || m->switches_without_read;
}

#endif
