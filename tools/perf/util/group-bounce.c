// SPDX-License-Identifier: GPL-2.0
/* group-bounce: moves that undo the one before, and what came after them. */
#include "group-bounce.h"

static int bounce__migration(void *part, const struct mig_migration *f)
{
	struct mig_bounce *b = part;

	if (f->back_ns == MIG_NULL)
		return 0;
	b->n++;
	b->away_ns += f->back_ns;
	if (f->ran_after_ns != MIG_NULL) {
		b->ran_n++;
		b->ran_after_ns += f->ran_after_ns;
	}
	for (unsigned i = 0; i < MIG_MAX_COUNTERS; i++) {
		if (f->next_misses[i] == MIG_NULL)
			continue;
		b->miss_n[i]++;
		b->misses[i] += f->next_misses[i];
	}
	return 0;
}

static int bounce__merge(void *to, const void *from)
{
	const uint64_t *f = from;
	uint64_t *t = to;

	for (size_t i = 0; i < sizeof(struct mig_bounce) / sizeof(*f); i++)
		t[i] += f[i];
	return 0;
}

const struct mig_part_ops mig_part_bounce = {
	.size = sizeof(struct mig_bounce),
	.migration = bounce__migration,
	.merge = bounce__merge,
};
