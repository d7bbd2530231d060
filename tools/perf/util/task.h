/* SPDX-License-Identifier: GPL-2.0 */
/*
 * task: what is known of every task: tid -> struct task, in constant time.
 *
 * Facts only; what follows from an event is the model's business (sched-model.c).
 */
#ifndef MIG_TASK_H
#define MIG_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "facts.h"

struct mig_pending;
struct idle_note; /* sched-idle.c */
struct strtab;
struct task_anatomy;
struct task_overlap;

enum task_state {
	TASK_UNKNOWN,
	TASK_NEW, /* forked, not yet woken */
	TASK_QUEUED, /* runnable, waits for a CPU */
	TASK_RUNNING,
	TASK_SLEEPING,
	TASK_DEAD,
};

/* What a comm says of its owner (a name alone proves nothing: the model adds prio and place). */
enum comm_class {
	COMM_UNSEEN, /* not looked at yet */
	COMM_PLAIN,
	COMM_STOPPER, /* migration/N */
	COMM_KSOFTIRQD, /* ksoftirqd/N */
	COMM_CPUHP, /* cpuhp/N */
	COMM_PERF_EXEC, /* perf-exec: perf record's child before it becomes the workload */
};

struct task {
	int32_t tid, pid; /* pid = process (tgid), -1 = unknown */
	bool pid_noted; /* by a FORK record, which comes before sched_process_fork */
	uint32_t comm;
	int32_t cpu; /* last known, -1 = unknown */
	int32_t asleep_from; /* where it was when it was moved asleep, -1 = was not (recordings
			      * without sched_waking: the wakeup comes after the move) */
	int32_t slice_cpu; /* of the last slice, -1 = none seen */
	int32_t run_cpu; /* where it was last seen to begin or end a slice, -1 = not seen */
	int16_t prio;
	uint8_t state; /* enum task_state */
	uint8_t comm_class; /* enum comm_class of comm */
	bool exits; /* its sched_process_exit was seen */
	bool preempted; /* TASK_QUEUED because it was switched out runnable */
	bool fork_queued; /* TASK_QUEUED because it is new */
	bool in_setaffinity;
	bool after_move; /* it has ended no slice of work since it was moved */
	uint8_t moved_by, moved_to; /* .. what moved it, how far */
	bool first_slice; /* its current slice is the first after `woken` */
	uint8_t began; /* enum mig_began of its current slice */
	uint64_t wait_ns; /* preemption wait before it */
	uint64_t last_time; /* of its last event */
	uint64_t queued_since; /* MIG_NULL = unknown */
	int32_t forked_by; /* parent while it has not run, else -1 */
	int32_t last_waker; /* of a stopper: who woke it last, -1 = unknown */
	uint32_t stop_chain; /* .. and the chain of that waking */
	int32_t last_waker_cpu; /* .. and where that was */
	uint64_t stop_asked; /* when it last woke a stopper, 0 = never */
	uint8_t after_stop; /* state + 1 of its first switch-out since, 0 = none */
	uint64_t numa_time; /* of the last sched_move_numa/swap_numa that names it, 0 = none */
	bool numa_swap;
	uint64_t move_batch; /* switch count of the CPU that moved it last */
	bool waking_open; /* it was woken and has not run since */
	bool waking_maybe; /* it was woken while it was current: on its way to sleep, or not at all
			    */
	struct mig_wakeup waking; /* that wakeup, while it is open */
	struct mig_wakeup woken; /* the wakeup its current slice is the first after */
	struct mig_pending *pending; /* its migrations of which not all is known, newest first */
	int32_t ppid; /* parent's process, -1 = unknown */
	struct idle_note *idle; /* owned; sched-idle.c */
	/* its last move, unless that was undone: each is one end of one way there and back */
	uint64_t move_time; /* 0 = none */
	int32_t move_from, move_to;
	/* kept where sched_model.want asks for it, else NULL; owned by sched-more.c */
	struct task_anatomy *anatomy;
	struct task_overlap *overlap;
};

struct task_table {
	struct task ***top; /* two levels by tid */
	struct task **all;
	uint32_t nr, max;
};

void task_table__init(struct task_table *tt);
void task_table__exit(struct task_table *tt);
#define TASK_PAGE_BITS 11
#define TASK_NR_PAGES  ((1U << 22 >> TASK_PAGE_BITS) + 1) /* PID_MAX_LIMIT is 2^22 */

/* NULL when never seen. */
static inline struct task *task_table__find(const struct task_table *tt, int32_t tid)
{
	struct task **page;

	if ((uint32_t)tid >> TASK_PAGE_BITS >= TASK_NR_PAGES || !tt->top)
		return NULL;
	page = tt->top[tid >> TASK_PAGE_BITS];
	return page ? page[tid & ((1 << TASK_PAGE_BITS) - 1)] : NULL;
}

/* Makes the task that is not there yet. */
struct task *task_table__make(struct task_table *tt, int32_t tid);

/* Finds or makes; NULL when tid is negative or above 2^22 (PID_MAX_LIMIT) or on lack of memory. */
static inline struct task *task_table__get(struct task_table *tt, int32_t tid)
{
	struct task *t = task_table__find(tt, tid);

	return t ? t : task_table__make(tt, tid);
}

/* Forgets the past of a task whose tid starts a new life (fork). */
void task__reset(struct task *t);

enum comm_class comm_class__of(const char *comm);

#endif
