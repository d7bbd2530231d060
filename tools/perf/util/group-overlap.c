// SPDX-License-Identifier: GPL-2.0
/*
 * group-overlap: how long the wakers of a row keep their CPU. Wakeups in an interrupt are in none
 * of the counts: they have no waker.
 */
#include "group-parts.h"

static int add_wakeup(void *part, const struct mig_wakeup *f)
{
	struct group_overlap *o = part;

	if (f->waker_tid <= 0 || f->partner == MIG_PARTNER_NO || f->path == MIG_PATH_RUNNING)
		return 0;
	o->sync_known += f->sync != MIG_SYNC_UNKNOWN;
	o->sync += f->sync == MIG_SYNC_YES;
	if (f->more) {
		o->replayed += f->more->replayed;
		o->would_sync += f->more->would_sync;
	}
	return 0;
}

static int add_overlap(void *part, const struct mig_overlap *f)
{
	struct group_overlap *o = part;

	o->is_short += f->is_short;
	return hist__add(&o->overlap, f->ns);
}

static int merge(void *to, const void *from)
{
	const struct group_overlap *f = from;
	struct group_overlap *o = to;

	o->sync += f->sync;
	o->sync_known += f->sync_known;
	o->would_sync += f->would_sync;
	o->replayed += f->replayed;
	o->is_short += f->is_short;
	return hist__merge(&o->overlap, &f->overlap);
}

static void part_exit(void *part)
{
	struct group_overlap *o = part;

	hist__exit(&o->overlap);
}

const struct mig_part_ops mig_part_overlap = {
	.size = sizeof(struct group_overlap),
	.wakeup = add_wakeup,
	.overlap = add_overlap,
	.merge = merge,
	.exit = part_exit,
};
