// SPDX-License-Identifier: GPL-2.0
/* group-anatomy: what the run delays of a row are made of. */
#include "group-parts.h"

static int add_wakeup(void *part, const struct mig_wakeup *f)
{
	struct group_anatomy *a = part;
	unsigned i;
	int ret = 0;

	if (!f->more || !f->more->separated)
		return 0;
	a->n++;
	a->delay_ns += f->delay_ns;
	for (i = 0; i < MIG_NR_TERM && !ret; i++)
		ret = hist__add(&a->term[i], f->more->term_ns[i]);
	return ret;
}

static int merge(void *to, const void *from)
{
	const struct group_anatomy *f = from;
	struct group_anatomy *a = to;
	unsigned i;
	int ret = 0;

	a->n += f->n;
	a->delay_ns += f->delay_ns;
	for (i = 0; i < MIG_NR_TERM && !ret; i++)
		ret = hist__merge(&a->term[i], &f->term[i]);
	return ret;
}

static void part_exit(void *part)
{
	struct group_anatomy *a = part;
	unsigned i;

	for (i = 0; i < MIG_NR_TERM; i++)
		hist__exit(&a->term[i]);
}

const struct mig_part_ops mig_part_anatomy = {
	.size = sizeof(struct group_anatomy),
	.wakeup = add_wakeup,
	.merge = merge,
	.exit = part_exit,
};
