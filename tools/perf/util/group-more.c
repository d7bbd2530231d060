// SPDX-License-Identifier: GPL-2.0
/*
 * group-more: what rows count only on request. Each kind of figures is a line in parts[] and a file
 * of its own (group-NAME.c); its columns are in column-NAME.c.
 */
#include <errno.h>
#include <stdlib.h>

#include "group-bounce.h"
#include "group-choice.h"
#include "group.h"

static const struct mig_part_ops *const parts[MIG_NR_PART] = {
	[MIG_PART_CHOICE] = &mig_part_choice,   [MIG_PART_REGRET] = &mig_part_regret,
	[MIG_PART_OVERLAP] = &mig_part_overlap, [MIG_PART_BOUNCE] = &mig_part_bounce,
	[MIG_PART_PRICE] = &mig_part_price,     [MIG_PART_ANATOMY] = &mig_part_anatomy,
};

/* The part of a row, made if it is not there. NULL: no memory. */
static void *part_of(struct mig_row *row, unsigned i)
{
	struct mig_rare *rare = mig_row__rare(row);

	if (rare && !rare->part[i])
		rare->part[i] = calloc(1, parts[i]->size);
	return rare ? rare->part[i] : NULL;
}

#define for_each_part(want, i, op)              \
	for ((i) = 0; (i) < MIG_NR_PART; (i)++) \
		if ((want)&1U << (i) && parts[i] && parts[i]->op)

#define ADD_FACT(fact)                                                                           \
	int mig_row__more_##fact(struct mig_row *row, uint32_t want, const struct mig_##fact *f) \
	{                                                                                        \
		unsigned i;                                                                      \
		void *part;                                                                      \
		int ret;                                                                         \
                                                                                                 \
		for_each_part(want, i, fact)                                                     \
		{                                                                                \
			part = part_of(row, i);                                                  \
			ret = part ? parts[i]->fact(part, f) : -ENOMEM;                          \
			if (ret)                                                                 \
				return ret;                                                      \
		}                                                                                \
		return 0;                                                                        \
	}
ADD_FACT(wakeup)
ADD_FACT(migration)
ADD_FACT(slice)
ADD_FACT(overlap)

int mig_row__more_merge(struct mig_row *to, const struct mig_rare *from)
{
	unsigned i;
	void *part;
	int ret;

	for (i = 0; i < MIG_NR_PART; i++) {
		if (!from->part[i])
			continue;
		part = part_of(to, i);
		ret = part ? parts[i]->merge(part, from->part[i]) : -ENOMEM;
		if (ret)
			return ret;
	}
	return 0;
}

void mig_rare__more_exit(struct mig_rare *rare)
{
	unsigned i;

	for (i = 0; i < MIG_NR_PART; i++) {
		if (rare->part[i] && parts[i]->exit)
			parts[i]->exit(rare->part[i]);
		free(rare->part[i]);
	}
}
