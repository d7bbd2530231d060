/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cost-pair: what it costs to go on with a warm working set on another CPU, measured on one pair.
 *
 * Two threads, each pinned to its CPU, hand the working set to each other by a flag; nothing is
 * migrated by the kernel, so that its stopper thread and run queues are not in the figure. In turn
 * each thread
 *     times a touch of what the other had warm       (moved)
 *     touches it again
 *     times a touch of what is now warm here         (stay)
 * The cost of a move is moved minus stay on the CPU that is moved to. Next to each turn a cache
 * line goes back and forth (the probe), which tells how far apart the CPUs are at that moment.
 */
#ifndef MIG_COST_PAIR_H
#define MIG_COST_PAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cost_set;
struct mig_err;

/* Why a sample does not count. */
enum cost_drop {
	COST_CLEAN,
	COST_SWITCHED, /* an involuntary context switch in it, or in what warmed it */
	COST_FAULTED, /* a page fault in it (pages that move or are collapsed) */
	COST_NR_DROPS,
};

struct cost_sample {
	double moved, stay; /* ns of one touch, clock included */
	double probe_before, probe_after; /* ns, one way, the fastest of a few */
	uint8_t to; /* index of the CPU that was moved to: 0, 1 */
	uint8_t drop; /* enum cost_drop */
	uint16_t alloc; /* number of the fresh allocation */
};

struct cost_samples {
	struct cost_sample *s;
	size_t nr, max;
};

void cost_samples__exit(struct cost_samples *s);
/* -ENOMEM */
int cost_samples__add(struct cost_samples *s, const struct cost_sample *sample);

/* A monotonic clock that costs no system call where the kernel has it in the vDSO. */
double cost__now_ns(void);

struct cost_batch {
	int cpu[2]; /* the memory is first touched, so placed, on cpu[0] */
	struct cost_set *set; /* fresh: is filled here */
	unsigned alloc;
	unsigned min_turns, max_turns; /* there and back is one turn: two samples */
	double seconds; /* no new turn after that time */
	bool (*stop)(void); /* polled between turns */
};

/*
 * Runs a batch and appends its samples. The calling thread sleeps meanwhile; its own affinity is
 * not touched. -EINVAL for a CPU that this process may not use or that is offline.
 */
int cost_batch__run(const struct cost_batch *b, struct cost_samples *samples, struct mig_err *err);

#endif
