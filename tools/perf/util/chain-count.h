/* SPDX-License-Identifier: GPL-2.0 */
/*
 * chain-count: how often each kernel callchain woke a task, and how long the woken then waited.
 */
#ifndef MIG_CHAIN_COUNT_H
#define MIG_CHAIN_COUNT_H

#include <stdint.h>

#include "facts.h"

struct chain_count {
	uint32_t chain; /* of the chain table; 0 = wakeups without one */
	uint64_t n, delay_n, delay_ns; /* wakeups; those whose delay is known, and their sum */
};

struct chain_counts {
	struct chain_count *c; /* by chain number; after chain_counts__sort() by n */
	uint32_t nr, max;
};

/* A zeroed struct chain_counts is empty. */
void chain_counts__exit(struct chain_counts *cc);
int chain_counts__add(struct chain_counts *cc, const struct mig_wakeup *f); /* -ENOMEM */
/* When all are in: drops those that did not occur, the most frequent come first. */
void chain_counts__sort(struct chain_counts *cc);

#endif
