/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sched-overlap: how long a waker keeps running after it woke somebody: its run time from the
 * waking to its next switch-out to sleep, preemption left out. Only where MIG_PART_OVERLAP is
 * wanted.
 *
 * Linux up to 2.6.37 kept the running mean of it for each task, of its last wakeup before each
 * sleep (avg_overlap: update_avg(&p->se.avg_overlap, p->se.sum_exec_runtime - p->se.last_wakeup),
 * in dequeue_task()), and took a wakeup for a synchronous one where the mean of both tasks was
 * below sysctl_sched_migration_cost (select_task_rq_fair(), 500 us).
 *
 * Not known: of wakers that are no tasks (interrupts), that exit or have not slept when the
 * recording ends, and where a switch of the waker was lost or not seen.
 */
#ifndef MIG_SCHED_OVERLAP_H
#define MIG_SCHED_OVERLAP_H

#include "facts.h"

#define MIG_OVERLAP_SYNC_NS 500000 /* the old sysctl_sched_migration_cost */

#endif
