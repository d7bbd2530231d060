// SPDX-License-Identifier: GPL-2.0
#include "group-choice.h"

static void count(struct mig_choice_counts *c, enum mig_choice_id id, uint8_t answer)
{
	c->of[id].known += answer != MIG_CHOICE_UNKNOWN;
	c->of[id].yes += answer == MIG_CHOICE_YES;
}

/* Yes if both say so, no if one says no. */
static uint8_t both(uint8_t a, uint8_t b)
{
	if (a == MIG_CHOICE_NO || b == MIG_CHOICE_NO)
		return MIG_CHOICE_NO;
	return a == MIG_CHOICE_YES && b == MIG_CHOICE_YES ? MIG_CHOICE_YES : MIG_CHOICE_UNKNOWN;
}

static int choice__wakeup(void *part, const struct mig_wakeup *f)
{
	struct mig_choice_counts *counts = part;
	const struct mig_choice *c = f->more ? &f->more->choice : NULL;
	uint8_t stacked;

	if (!c)
		return 0;
	stacked = c->chosen_idle == MIG_CHOICE_UNKNOWN ? MIG_CHOICE_UNKNOWN
		  : c->chosen_idle == MIG_CHOICE_YES   ? MIG_CHOICE_NO
						       : MIG_CHOICE_YES;
	count(counts, MIG_CHOSEN_IDLE, c->chosen_idle);
	count(counts, MIG_PREV_IDLE, c->prev_idle);
	count(counts, MIG_SIBLING_BUSY, c->sibling_busy);
	count(counts, MIG_CORE_FREE, c->core_free);
	count(counts, MIG_STACKED, stacked);
	if (c->bound) /* it had no choice, so it missed none */
		return 0;
	count(counts, MIG_SIBLING_MISSED, both(c->sibling_busy, c->core_free));
	count(counts, MIG_MISSED_IDLE, both(stacked, c->llc_idle));
	return 0;
}

static int regret__wakeup(void *part, const struct mig_wakeup *f)
{
	struct mig_regret_sums *r = part;
	bool any = false;

	if (!f->more || f->delay_ns == MIG_NULL)
		return 0;
	for (int i = 0; i < MIG_NR_REGRET; i++) {
		uint64_t ns = f->more->regret_ns[i];

		if (ns == MIG_NULL)
			continue;
		any = true;
		r->of[i].n++;
		r->of[i].some += ns > 0;
		r->of[i].ns += ns;
	}
	if (any) {
		r->wakeups++;
		r->delay_ns += f->delay_ns;
	}
	return 0;
}

static void add(uint64_t *to, const uint64_t *from, size_t size)
{
	for (size_t i = 0; i < size / sizeof(*to); i++)
		to[i] += from[i];
}

static int choice__merge(void *to, const void *from)
{
	add(to, from, sizeof(struct mig_choice_counts));
	return 0;
}

static int regret__merge(void *to, const void *from)
{
	add(to, from, sizeof(struct mig_regret_sums));
	return 0;
}

const struct mig_part_ops mig_part_choice = {
	.size = sizeof(struct mig_choice_counts),
	.wakeup = choice__wakeup,
	.merge = choice__merge,
};

const struct mig_part_ops mig_part_regret = {
	.size = sizeof(struct mig_regret_sums),
	.wakeup = regret__wakeup,
	.merge = regret__merge,
};
