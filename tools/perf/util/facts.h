/* SPDX-License-Identifier: GPL-2.0 */
/*
 * facts: what the model hands out, by value. Names are strtab ids, times ns of the recording's
 * clock, durations ns; MIG_NULL (or -1 for ids and CPUs) is "not known" and never means 0.
 */
#ifndef MIG_FACTS_H
#define MIG_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "cause.h"
#include "decode.h"
#include "mechanism.h"
#include "topo.h"
#include "wakepath.h"

#define MIG_NULL UINT64_MAX

enum mig_relation { MIG_REL_UNKNOWN, MIG_REL_NEAR, MIG_REL_FAR, MIG_NR_REL };
enum mig_moved { MIG_MOVED_UNKNOWN, MIG_MOVED, MIG_STAYED, MIG_NR_MOVED };
enum mig_began { MIG_BEGAN_UNKNOWN, MIG_BEGAN_WAKEUP, MIG_BEGAN_PREEMPT, MIG_BEGAN_FORK };
enum mig_end { MIG_END_UNKNOWN, MIG_END_SLEEP, MIG_END_PREEMPT, MIG_END_EXIT };

/*
 * What is worked out, and counted in rows, only where it is asked for (sched_model.want,
 * mig_table.want: bits 1 << enum mig_part).
 */
enum mig_part {
	MIG_PART_CHOICE, /* what else the wakeup could have chosen */
	MIG_PART_OVERLAP, /* how long wakers keep running */
	MIG_PART_BOUNCE, /* moves that undo the one before */
	MIG_PART_REGRET, /* delay while a better CPU was idle */
	MIG_PART_PRICE, /* run time after a move against that of slices that stayed */
	MIG_PART_ANATOMY, /* what the run delay is made of */
	MIG_NR_PART
};

/* Those that the model works out; the others are counted from what facts have anyway. */
#define MIG_MODEL_PARTS                                                           \
	(1U << MIG_PART_CHOICE | 1U << MIG_PART_OVERLAP | 1U << MIG_PART_REGRET | \
	 1U << MIG_PART_ANATOMY)

enum mig_choice_answer { MIG_CHOICE_UNKNOWN, MIG_CHOICE_NO, MIG_CHOICE_YES };

/* MIG_PART_CHOICE: of the moment before the waking (sched-idle.h); enum mig_choice_answer */
struct mig_choice {
	uint8_t chosen_idle, prev_idle; /* the CPU it was put on, the one it ran on before */
	uint8_t sibling_busy; /* another thread of the chosen CPU's core was not idle */
	uint8_t llc_idle, core_free; /* in the chosen CPU's LLC a CPU, a whole core was idle */
	bool bound; /* the wakee may run on one CPU only, as its name says */
};

/* MIG_PART_REGRET: which CPU was idle meanwhile; core, LLC: of the chosen CPU's LLC */
enum mig_regret { MIG_REGRET_PREV, MIG_REGRET_CORE, MIG_REGRET_LLC, MIG_REGRET_ANY, MIG_NR_REGRET };

/* What a run delay is made of, in the order in which it happens (sched-anatomy.c). */
enum mig_term {
	MIG_TERM_SELECT,
	MIG_TERM_IPI,
	MIG_TERM_IDLE,
	MIG_TERM_QUEUE,
	MIG_TERM_SWITCH,
	MIG_NR_TERM
};

/* .. of a wakeup: members are valid whose bit the model was asked for */
struct mig_wakeup_more {
	struct mig_choice choice;
	uint64_t regret_ns[MIG_NR_REGRET]; /* NULL: not known */
	/* MIG_PART_OVERLAP: the old kernel's rule, replayed (sched-overlap.c) */
	bool replayed; /* would_sync is known */
	bool would_sync;
	/* MIG_PART_ANATOMY */
	bool separated; /* term_ns are known; their sum is delay_ns */
	uint64_t term_ns[MIG_NR_TERM];
};

struct mig_slice_more; /* .. of a slice */

/*
 * One sched_waking (or sched_wakeup where the recording has no sched_waking). Handed out when its
 * task next runs, or when it is known that this will not be seen.
 */
struct mig_wakeup {
	uint64_t time;
	uint64_t delay_ns; /* waking to switch-in; NULL: unseen, lost, never ran, path running */
	/* who: these stay together, so that they can be compared as bytes (group.c) */
	int32_t waker_tid, wakee_tid;
	uint32_t waker_comm, wakee_comm;
	uint8_t partner; /* enum mig_partner */
	bool waker_is_recorder, wakee_is_recorder;
	uint8_t who_end; /* 0 */
	int32_t waker_pid, wakee_pid;
	int32_t waker_cpu, prev_cpu, cpu, run_cpu; /* run_cpu: where it next ran, -1 = not seen */
	uint32_t chain;
	uint8_t context; /* enum mig_context */
	uint8_t path; /* enum mig_path */
	uint8_t distance; /* enum mig_distance, prev_cpu to cpu */
	uint8_t mechanism; /* enum mig_mechanism */
	uint8_t sync; /* enum mig_sync */
	uint8_t relation; /* enum mig_relation: run_cpu against waker_cpu */
	uint8_t level; /* enum mig_distance of these; MIG_NR_DIST where the relation is not known */
	bool queued; /* it was moved between the choice of cpu and run_cpu */
	bool lost_nearby;
	const struct mig_wakeup_more *more; /* borrowed for the call; NULL: nothing was asked for */
};

/* One sched_migrate_task; handed out when its cause is final and its task has run a slice since. */
struct mig_migration {
	uint64_t time;
	int32_t tid, pid;
	uint32_t comm;
	int32_t from, to;
	int32_t by_tid; /* current on the CPU of the event */
	uint32_t by_comm;
	uint64_t queued_ns; /* runnable to the move; 0 for wakeup moves; NULL: unknown or asleep */
	uint64_t ran_after_ns; /* move to running; NULL: not seen, or moved again before */
	uint64_t back_ns; /* since the move that this one undoes; NULL: it undoes none (task.h) */
	uint64_t next_length_ns; /* the slice that follows */
	uint64_t next_misses[MIG_MAX_COUNTERS];
	uint8_t cause, distance; /* enum mig_cause, enum mig_distance */
	bool certain, lost_nearby, is_recorder;
	/* the wakeup whose choice of a CPU this was: its waker and what else names a row */
	bool at_wakeup;
	int32_t waker_tid;
	uint32_t waker_comm, chain;
	uint8_t partner, path, mechanism;
	bool waker_is_recorder;
};

/* One stay on a CPU; handed out at the sched_switch that ends it. */
struct mig_slice {
	uint64_t time; /* switch-out; the start is time - length_ns */
	uint64_t length_ns; /* NULL: the switch-in was not seen */
	uint64_t wait_ns; /* preemption wait before it (switch-out in R to switch-in), NULL: none */
	int32_t tid, pid;
	uint32_t comm;
	int32_t cpu;
	uint64_t misses[MIG_MAX_COUNTERS]; /* by group counter */
	uint8_t moved, began, end; /* enum mig_moved, mig_began, mig_end */
	bool start_known, lost_nearby, is_recorder;
	bool is_work; /* from a wakeup, by no stopper, to sleep: all that its task did for it */
	bool after_move; /* its task has done no work since it was moved */
	uint8_t moved_by, moved_to; /* of that move: enum mig_cause_class (MIG_NR_CLASS = not
				       known), enum mig_distance; valid with after_move */
	const struct mig_wakeup *wakeup; /* the wakeup it is the first slice after, or NULL;
					    borrowed for the call */
	const struct mig_slice_more *more; /* as that of a wakeup */
};

/* How long a waker kept its CPU after a wakeup; handed out when both are known. MIG_PART_OVERLAP */
struct mig_overlap {
	const struct mig_wakeup *wakeup; /* handed out before; borrowed for the call */
	uint64_t ns;
	bool is_short; /* at most sched_model.overlap_ns */
};

/* One new task (sched_wakeup_new). from: the parent's CPU, to: where it was put. */
struct mig_fork {
	uint64_t time;
	int32_t parent_tid, tid, pid;
	uint32_t parent_comm, comm;
	int32_t from, to;
	bool is_recorder;
};

/* One sample of a counter (plain -e cache-misses recordings). */
struct mig_sample {
	uint64_t time, period;
	int32_t tid, pid;
	uint32_t comm;
	int32_t cpu; /* -1 = not recorded */
	uint64_t ip; /* where it was taken; 0 = not recorded */
	uint32_t chain; /* of the session's miss_chains; 0 = none */
	const struct mig_wakeup *wakeup; /* as that of the slice it is in; borrowed for the call */
	uint8_t moved; /* enum mig_moved, of the slice it is in */
	uint8_t moved_by; /* enum mig_cause_class of that move; MIG_NR_CLASS = unknown, or none */
	uint8_t counter; /* sampled counter */
	bool is_recorder;
};

/* Receivers; each may be NULL. A negative errno stops the reading. */
struct mig_fact_ops {
	int (*wakeup)(const struct mig_wakeup *f, void *ctx);
	int (*migration)(const struct mig_migration *f, void *ctx);
	int (*slice)(const struct mig_slice *f, void *ctx);
	int (*fork)(const struct mig_fork *f, void *ctx);
	int (*sample)(const struct mig_sample *f, void *ctx);
	int (*overlap)(const struct mig_overlap *f, void *ctx);
};

#endif
