// SPDX-License-Identifier: GPL-2.0
#include "group-overlap.h"

int mig_overlap__add(struct mig_overlap *o, uint64_t ns, bool below)
{
	o->below += below;
	return hist__add(&o->ns, ns);
}

static int overlap__wakeup(void *part, const struct mig_wakeup *f)
{
	struct mig_overlap *o = part;

	o->sync += f->sync == MIG_SYNC_YES;
	o->sync_known += f->sync != MIG_SYNC_UNKNOWN;
	return 0;
}

static int overlap__merge(void *to, const void *from)
{
	const struct mig_overlap *f = from;
	struct mig_overlap *t = to;

	t->below += f->below;
	t->sync += f->sync;
	t->sync_known += f->sync_known;
	return hist__merge(&t->ns, &f->ns);
}

static void overlap__exit(void *part)
{
	struct mig_overlap *o = part;

	hist__exit(&o->ns);
}

const struct mig_part_ops mig_part_overlap = {
	.size = sizeof(struct mig_overlap),
	.wakeup = overlap__wakeup,
	.merge = overlap__merge,
	.exit = overlap__exit,
};
