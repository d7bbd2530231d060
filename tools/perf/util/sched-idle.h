/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sched-idle: which CPUs are idle at each moment, what a wakeup could have chosen, and how long its
 * task waited while a better CPU was idle. Only where MIG_PART_CHOICE or MIG_PART_REGRET is wanted.
 *
 * - A CPU is *idle* when the idle task is current there and no task waits for it
 *   (available_idle_cpu(), idle_cpu(): rq->curr == rq->idle, nr_running == 0, no ttwu_pending).
 * Known from its first sched_switch on, and not between a loss and the next one. CPUs that the
 * topology does not have do not count.
 * - The state at the *choice* is that before sched_waking; the wakee itself waits nowhere then.
 * From sched_waking on it waits on its previous CPU, from sched_migrate_task on where it was moved
 * to.
 * - *Regret*: of a wakee that was put on a CPU that was not idle, the time from there
 * (sched_waking, or the wakeup's sched_migrate_task) to running in which a CPU was idle: its
 * previous one, one of the LLC it was put on, any; or a whole core of that LLC
 * (select_idle_core()). Where the chosen CPU was idle it is 0: nothing was better.
 * - *Wasted*: some CPU idles while a task waits on another that does not (Lozi et al., The Linux
 *   Scheduler: a Decade of Wasted Cores, EuroSys 2016), within an LLC and on the machine.
 *
 * The affinity of tasks is not in the events: all are taken to be allowed everywhere, but kernel
 * threads that have the CPU in their names (ksoftirqd/3, kworker/3:1, migration/3): for them no
 * other CPU is better, and they do not wait in vain.
 */
#ifndef MIG_SCHED_IDLE_H
#define MIG_SCHED_IDLE_H

#include "facts.h"

struct idle_interval {
	uint64_t n, sum_ns, longest_ns;
	bool on;
	uint64_t since;
};

struct idle_group; /* an LLC, or the machine */
struct idle_cpu;
struct idle_core;
struct idle_note;

struct sched_idle {
	unsigned nr_cpus, nr_llcs, words; /* words: 64-bit ones in a set of CPUs */
	struct idle_cpu *cpu;
	struct idle_core *core;
	struct idle_group *llc; /* one more: the machine */
	uint64_t *sets; /* idle, known: `words` each */
	struct idle_note *next; /* of the wakeup that the model is about to take up */
	uint64_t now;
};

/* Time that CPUs idled while tasks waited, up to the last event. llc: index, or -1 = the machine.
 */
struct idle_interval sched_idle__wasted(const struct sched_idle *s, int llc);

#endif
