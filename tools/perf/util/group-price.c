// SPDX-License-Identifier: GPL-2.0
/* group-price: MIG_PART_PRICE: slices after a move against those that stayed (price.h). */
#include "group-parts.h"
#include "price.h"

static int price__slice(void *part, const struct mig_slice *f)
{
	const struct mig_wakeup *w = f->wakeup;

	if (!w || !f->is_work || f->lost_nearby || f->length_ns == MIG_NULL || f->is_recorder)
		return 0;
	/* a task that an interrupt hit is no waker */
	return price__add(part, f->tid, w->partner == MIG_PARTNER_YES ? w->waker_tid : -1,
			  w->mechanism, f->after_move, f->length_ns);
}

static int merge(void *to, const void *from)
{
	return price__merge(to, from);
}

static void exit_part(void *part)
{
	price__exit(part);
}

const struct mig_part_ops mig_part_price = {
	.size = sizeof(struct price),
	.slice = price__slice,
	.merge = merge,
	.exit = exit_part,
};
