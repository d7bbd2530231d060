/* SPDX-License-Identifier: GPL-2.0 */
/*
 * group-bounce: MIG_PART_BOUNCE, moves of a row that undo the one before (mig_migration.back_ns).
 * Of a pair those are counted that its wakeups did, of a task all.
 */
#ifndef MIG_GROUP_BOUNCE_H
#define MIG_GROUP_BOUNCE_H

#include "group.h"

struct mig_bounce { /* uint64_t only */
	uint64_t n;
	uint64_t away_ns; /* between the two moves */
	uint64_t ran_n, ran_after_ns; /* from the move back to running, where it was seen */
	uint64_t miss_n[MIG_MAX_COUNTERS], misses[MIG_MAX_COUNTERS]; /* of the slices after it */
};

extern const struct mig_part_ops mig_part_bounce;

#endif
