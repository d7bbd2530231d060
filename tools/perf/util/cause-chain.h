/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cause-chain: the cause of a move from kernel callchains: of sched_migrate_task itself, and of the
 * waking of the stopper that carried it out.
 *
 * Functions are those of 6.1, 6.12 and 6.18, seen in recordings or in the source; see
 * Documentation/model.md.
 */
#ifndef MIG_CAUSE_CHAIN_H
#define MIG_CAUSE_CHAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "cause.h"

/* What the chain of a sched_migrate_task says by itself. */
enum chain_move {
	CHAIN_MOVE_NONE, /* no names, or no rule fits */
	CHAIN_MOVE_CAUSE, /* .cause */
	CHAIN_MOVE_STOP, /* migration_cpu_stop(): ask who woke the stopper */
	CHAIN_MOVE_AFFINITY, /* affine_move_task() in the caller's context: self or other */
	CHAIN_MOVE_STOP_WAKEUP, /* a wakeup, by a stopper: it may have found its requester asleep */
};

/* Why a stopper was woken. */
enum chain_stop {
	CHAIN_STOP_NONE,
	CHAIN_STOP_CAUSE, /* .cause */
	CHAIN_STOP_AFFINITY, /* self or other, by who asked */
};

struct cause_chain {
	enum chain_move move;
	enum mig_cause cause; /* of move, if it is CHAIN_MOVE_CAUSE */
	enum chain_stop stop;
	enum mig_cause stop_cause;
};

/* names: nr frames, leaf first, NULL where unnamed. Frames beyond an interrupt entry are cut. */
void cause_chain__classify(const char *const *names, size_t nr, struct cause_chain *ret_cc);

#endif
