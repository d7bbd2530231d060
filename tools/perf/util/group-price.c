// SPDX-License-Identifier: GPL-2.0
/* group-price: MIG_PART_PRICE: slices after a move against those that stayed (price.h). */
#include "group-parts.h"
#include "price.h"

static int add_slice(void *part, const struct mig_slice *f)
{
	return price__add_slice(part, f, f->after_move);
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
	.slice = add_slice,
	.merge = merge,
	.exit = exit_part,
};
