/* SPDX-License-Identifier: GPL-2.0 */
/* group-parts: what rows count on request, as columns read it: mig_row__part(). */
#ifndef MIG_GROUP_PARTS_H
#define MIG_GROUP_PARTS_H

#include "group.h"

/* MIG_PART_OVERLAP: of wakeups that have a waker and chose a CPU */
struct group_overlap {
	uint64_t sync, sync_known; /* by the chain */
	uint64_t would_sync, replayed; /* by the old kernel's rule */
	uint64_t is_short;
	struct hist overlap;
};

/* MIG_PART_ANATOMY: of wakeups whose delay was separated */
struct group_anatomy {
	uint64_t n, delay_ns; /* the terms' sums add up to delay_ns */
	struct hist term[MIG_NR_TERM];
};

#endif
