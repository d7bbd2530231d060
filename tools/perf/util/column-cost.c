// SPDX-License-Identifier: GPL-2.0
/*
 * column-cost: misses that moves add, and the time that takes by what a line costs (--cost).
 */
#include "column.h"
#include "cost-file.h"

/* Misses of a mean slice moved beyond those that its run time takes where it stayed. */
static bool extra(const struct mig_row *r, const struct mig_column_ctx *ctx, double *ret)
{
	double moved, stayed;
	struct mig_side s;

	if (ctx->no_misses || !mig_row__compared(r, MIG_COMPARE_MOVE, 0, &moved) ||
	    !mig_row__compared(r, MIG_COMPARE_MOVE, 1, &stayed))
		return false;
	mig_row__side(r, ctx->table->nr_counters, MIG_SIDE_MOVED, &s);
	*ret = (moved - stayed) * (double)s.rate_ns / 1e6 / (double)s.rate_n;
	return s.rate_n > 0;
}

static void get_extra(const struct mig_row *r, const struct mig_column_ctx *ctx,
		      struct mig_value *v)
{
	v->type = extra(r, ctx, &v->d) ? MIG_V_DOUBLE : MIG_V_NULL;
}

/* The lowest and highest price of the distances that the moves of a row had. */
static bool price_of(const struct mig_row *r, const struct mig_column_ctx *ctx,
		     struct cost_price *ret)
{
	unsigned d, nr = 0;

	for (d = 0; ctx->prices && r->detail && d < MIG_NR_DIST; d++) {
		const struct cost_price *p = &ctx->prices->price[d];

		if (!r->detail->distance[d])
			continue;
		if (!cost_price__known(p))
			return false;
		if (!nr || p->lo < ret->lo)
			ret->lo = p->lo;
		if (!nr || p->hi > ret->hi)
			ret->hi = p->hi;
		nr++;
	}
	return nr;
}

static void get_time(const struct mig_row *r, const struct mig_column_ctx *ctx, bool high,
		     struct mig_value *v)
{
	struct cost_price p;
	double n;

	v->type = MIG_V_NULL;
	if (!extra(r, ctx, &n) || n <= 0 || !price_of(r, ctx, &p) ||
	    ctx->counters->c[ctx->miss].no_lines)
		return;
	v->type = MIG_V_U64;
	v->u = (uint64_t)(n * (high ? p.hi : p.lo) + 0.5);
}

static void get_extra_lo(const struct mig_row *r, const struct mig_column_ctx *ctx,
			 struct mig_value *v)
{
	get_time(r, ctx, false, v);
}

static void get_extra_hi(const struct mig_row *r, const struct mig_column_ctx *ctx,
			 struct mig_value *v)
{
	get_time(r, ctx, true, v);
}

const struct mig_column mig_columns_cost[] = {
	{ "extra", "extra", "misses", 6, MIG_KIND_RATE, MIG_SIDE_ALL, "extra.misses", get_extra,
	  NULL, "misses that a slice moved has beyond those of slices that stayed", 0 },
	{ "extra-lo", "extra", "from", 5, MIG_KIND_NS, MIG_SIDE_ALL, "extra.lo_ns", get_extra_lo,
	  NULL, "time of these at the lowest price of a line (--cost)", 0 },
	{ "extra-hi", "extra", "to", 5, MIG_KIND_NS, MIG_SIDE_ALL, "extra.hi_ns", get_extra_hi,
	  NULL, "time of these at the highest price of a line (--cost)", 0 },
	{ NULL, NULL, NULL, 0, 0, 0, NULL, NULL, NULL, NULL, 0 },
};

bool mig_columns__need_prices(const struct mig_columns *cols)
{
	unsigned i;

	for (i = 0; i < cols->nr; i++)
		if (cols->c[i]->get == get_extra_lo || cols->c[i]->get == get_extra_hi)
			return true;
	return false;
}
