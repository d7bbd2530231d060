// SPDX-License-Identifier: GPL-2.0
/* column-price: what a move costs in run time (price.h). */
#include "column.h"
#include "price.h"

/* Worked out once, when it is first shown: a row's part is the table's to change. */
static const struct price_result *result_of(const struct mig_row *r)
{
	static const struct price_result none;
	const void *part = mig_row__part(r, MIG_PART_PRICE);

	return part ? price__result((struct price *)part) : &none;
}

static void put(struct mig_value *v, bool known, double ns)
{
	v->type = known ? MIG_V_DOUBLE : MIG_V_NULL;
	v->d = ns;
}

static void get_price(const struct mig_row *r, const struct mig_column_ctx *ctx,
		      struct mig_value *v)
{
	(void)ctx;
	put(v, result_of(r)->known, result_of(r)->ns);
}

static void get_lo(const struct mig_row *r, const struct mig_column_ctx *ctx, struct mig_value *v)
{
	(void)ctx;
	put(v, result_of(r)->known, result_of(r)->lo);
}

static void get_hi(const struct mig_row *r, const struct mig_column_ctx *ctx, struct mig_value *v)
{
	(void)ctx;
	put(v, result_of(r)->known, result_of(r)->hi);
}

static void get_moved(const struct mig_row *r, const struct mig_column_ctx *ctx,
		      struct mig_value *v)
{
	(void)ctx;
	v->type = MIG_V_U64;
	v->u = result_of(r)->moved;
}

static void get_stayed(const struct mig_row *r, const struct mig_column_ctx *ctx,
		       struct mig_value *v)
{
	(void)ctx;
	v->type = MIG_V_U64;
	v->u = result_of(r)->stayed;
}

/* clang-format off */
#define COLUMN(name, head, width, kind, json, get, what)                                       \
	{ name, "price", head, width, kind, MIG_SIDE_ALL, json, get, NULL, what,               \
	  1U << MIG_PART_PRICE }

const struct mig_column mig_columns_price[] = {
	COLUMN("price-p50", "p50", 6, MIG_KIND_NS, "price.ns", get_price,
	       "extra run time of the first work slice after a move, median"),
	COLUMN("price-lo", "from", 6, MIG_KIND_NS, "price.lo_ns", get_lo,
	       "its 95% interval: from"),
	COLUMN("price-hi", "to", 6, MIG_KIND_NS, "price.hi_ns", get_hi, ".. to"),
	COLUMN("price-moved", "moved", 6, MIG_KIND_COUNT, "price.moved", get_moved,
	       "slices after a move that it is of"),
	COLUMN("price-stayed", "stayed", 6, MIG_KIND_COUNT, "price.stayed", get_stayed,
	       "slices that stayed, which they are compared with"),
	{ NULL, NULL, NULL, 0, 0, 0, NULL, NULL, NULL, NULL, 0 },
};
/* clang-format on */
