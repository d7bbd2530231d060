/* SPDX-License-Identifier: GPL-2.0 */
/* group-overlap: MIG_PART_OVERLAP: how long the wakers of a row run on (sched-overlap.h), sync. */
#ifndef MIG_GROUP_OVERLAP_H
#define MIG_GROUP_OVERLAP_H

#include "group.h"

struct mig_overlap {
	struct hist ns; /* of the wakeups it is known of */
	uint64_t below; /* those of them below the threshold */
	uint64_t sync, sync_known; /* by the chains */
};

/* -ENOMEM */
int mig_overlap__add(struct mig_overlap *o, uint64_t ns, bool below);

extern const struct mig_part_ops mig_part_overlap;

#endif
