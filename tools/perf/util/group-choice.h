/* SPDX-License-Identifier: GPL-2.0 */
/*
 * group-choice: MIG_PART_CHOICE and MIG_PART_REGRET: what the wakeups of a row could have chosen,
 * and how long their tasks waited while that was idle. What each answer means: sched-idle.h.
 */
#ifndef MIG_GROUP_CHOICE_H
#define MIG_GROUP_CHOICE_H

#include "group.h"

enum mig_choice_id {
	MIG_CHOSEN_IDLE, /* the chosen CPU was idle */
	MIG_PREV_IDLE, /* the previous CPU was */
	MIG_SIBLING_BUSY, /* a sibling of the chosen CPU was not */
	MIG_CORE_FREE, /* a whole core was idle in the chosen CPU's LLC */
	MIG_SIBLING_MISSED, /* sibling busy, and a whole core was idle */
	MIG_MISSED_IDLE, /* the chosen CPU was not idle, another in its LLC was */
	MIG_STACKED, /* the chosen CPU was not idle */
	MIG_NR_CHOICE,
};

struct mig_choice_counts { /* uint64_t only */
	struct {
		uint64_t yes, known;
	} of[MIG_NR_CHOICE];
};

struct mig_regret_sums {
	uint64_t wakeups, delay_ns; /* whose delay and chosen CPU are known */
	struct {
		uint64_t n, some; /* wakeups it is known of; is not 0 of */
		uint64_t ns;
	} of[MIG_NR_REGRET];
};

extern const struct mig_part_ops mig_part_choice, mig_part_regret;

#endif
