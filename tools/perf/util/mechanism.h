/* SPDX-License-Identifier: GPL-2.0 */
/*
 * mechanism: by what a task was woken (futex, pipe, timer, ...), from the kernel callchain of
 * sched_waking.
 *
 * Rules and their accuracy: measured on 6.1, 6.12 and 6.18, see Documentation/model.md.
 */
#ifndef MIG_MECHANISM_H
#define MIG_MECHANISM_H

#include <stdbool.h>
#include <stddef.h>

enum mig_mechanism {
	MIG_MECH_UNKNOWN, /* no chain, or no symbols */
	MIG_MECH_FUTEX,
	MIG_MECH_FUTEX_PI,
	MIG_MECH_PIPE,
	MIG_MECH_UNIX,
	MIG_MECH_TCP,
	MIG_MECH_UDP,
	MIG_MECH_EPOLL,
	MIG_MECH_POLL,
	MIG_MECH_EVENTFD,
	MIG_MECH_TIMER,
	MIG_MECH_TIMERFD,
	MIG_MECH_SIGNAL,
	MIG_MECH_CHILD_EXIT,
	MIG_MECH_SEM,
	MIG_MECH_MSG,
	MIG_MECH_IO,
	MIG_MECH_WORKQUEUE,
	MIG_MECH_KTHREAD,
	MIG_MECH_RCU,
	MIG_MECH_MUTEX,
	MIG_MECH_RWSEM,
	MIG_MECH_COMPLETION,
	MIG_MECH_OTHER, /* a chain with symbols, but no rule fits */
	MIG_NR_MECH,
};

enum mig_sync { MIG_SYNC_UNKNOWN, MIG_SYNC_NO, MIG_SYNC_YES };

/* What a chain of sched_waking says. */
struct mig_chain_facts {
	enum mig_mechanism mechanism;
	enum mig_sync sync;
	bool irq; /* the waking ran in an interrupt: the chain has its entry (or its end) */
	bool resolved; /* at least one frame has a name */
};

/* "futex", "futex-pi", ..., "unknown": the names of the JSON. */
const char *mig_mechanism__name(int mech);
/* -1 if there is no such name */
int mig_mechanism__parse(const char *name);

/*
 * Is this the entry of an interrupt? asm_sysvec_*, sysvec_*, *common_interrupt, asm_exc_nmi,
 * exc_nmi, and the entries of other architectures (do_IRQ, el1_interrupt, el1h_64_irq, do_irq,
 * riscv_intc_irq, handle_riscv_irq, ...).
 */
bool mig_frame__is_irq_entry(const char *name);

/*
 * Classifies a chain of nr function names, leaf first; unresolved frames are NULL. Cuts it at the
 * first interrupt entry (frames beyond belong to the interrupted task), skips leaf frames of
 * __traceiter_* and perf_trace_*, then the leaf-most known function decides; helpers that all use
 * (signals, completions, bit waits) only where nothing better is known. The search also ends at
 * softirqs, page faults and schedule(): what is beyond did not ask for the wakeup.
 *
 * Choices: a kworker, ksoftirqd or stopper that is given work is workqueue or kthread, whoever gave
 * it (RCU, the block layer). schedule_timeout() and POSIX timers are timer, even if they signal.
 * vfork() is completion: the parent wakes at the child's exec as well as at its exit. Page locks
 * and writeback count as io.
 *
 * sync: decided by the __wake_up*() nearest to try_to_wake_up(); UNKNOWN where only
 * __wake_up_common_lock() is left, behind which 6.1 hides __wake_up() and __wake_up_sync_key()
 * (tail calls), although kallsyms has both. inlined_sync: for kernels whose symbols lack
 * __wake_up_sync_key altogether; a chain without it then proves nothing, sync is YES or UNKNOWN.
 */
void mig_chain__classify(const char *const *names, size_t nr, bool inlined_sync,
			 struct mig_chain_facts *ret_facts);

#endif
