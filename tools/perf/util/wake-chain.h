/* SPDX-License-Identifier: GPL-2.0 */
/*
 * wake-chain: who woke the waker, and who woke that: how often each chain of tasks came about. A
 * link counts where the waker had been woken itself and had run since.
 */
#ifndef MIG_WAKE_CHAIN_H
#define MIG_WAKE_CHAIN_H

#include "facts.h"
#include "hash.h"

#define WAKE_CHAIN_TASKS 4 /* the longest that is told apart */
#define WAKE_CHAINS_MAX  50000

struct wake_chain {
	uint32_t task[WAKE_CHAIN_TASKS]; /* names as keys of rows (group.h), the first waker first
					  */
	unsigned nr;
	uint64_t n; /* wakeups at its end */
	uint64_t took_n, took_ns; /* first waking to last running, where that is known */
};

/* What woke a thread at one of its last two wakeups. */
struct wake_chain_link {
	uint64_t ran_at;
	uint64_t time[WAKE_CHAIN_TASKS - 1]; /* when task[i] woke the next one */
	uint32_t task[WAKE_CHAIN_TASKS - 1];
	unsigned nr;
};

struct wake_chain_thread {
	int32_t tid;
	struct wake_chain_link last[2]; /* the later one first */
};

/* A zeroed struct wake_chains is empty. */
struct wake_chains {
	struct wake_chain *c; /* after wake_chains__sort() the most frequent first */
	struct wake_chain_thread *threads;
	struct hash by_tasks, by_tid;
	uint32_t nr, max, nr_threads, max_threads;
	bool open_irq; /* interrupts are not folded into MIG_KEY_IRQ */
	uint64_t more; /* wakeups of chains beyond WAKE_CHAINS_MAX */
};

void wake_chains__exit(struct wake_chains *wc);
/* Each wakeup of the recording, as they are handed out; -ENOMEM. */
int wake_chains__add(struct wake_chains *wc, const struct mig_wakeup *f);
void wake_chains__sort(struct wake_chains *wc);

#endif
