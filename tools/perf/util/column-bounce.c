// SPDX-License-Identifier: GPL-2.0
/* column-bounce: columns of moves that undo the one before (group-bounce.h). */
#include "column.h"
#include "group-bounce.h"

static const struct mig_bounce *bounce_of(const struct mig_row *r)
{
	return mig_row__part(r, MIG_PART_BOUNCE);
}

static void put(struct mig_value *v, bool known, uint64_t u)
{
	v->type = known ? MIG_V_U64 : MIG_V_NULL;
	v->u = u;
}

static void get_n(const struct mig_row *r, const struct mig_column_ctx *ctx, struct mig_value *v)
{
	const struct mig_bounce *b = bounce_of(r);

	put(v, !ctx->no_moves, b ? b->n : 0);
}

static void get_share(const struct mig_row *r, const struct mig_column_ctx *ctx,
		      struct mig_value *v)
{
	const struct mig_bounce *b = bounce_of(r);

	v->type = r->migrations && !ctx->no_moves ? MIG_V_DOUBLE : MIG_V_NULL;
	v->d = b && r->migrations ? 100.0 * (double)b->n / (double)r->migrations : 0;
}

static void get_away(const struct mig_row *r, const struct mig_column_ctx *ctx, struct mig_value *v)
{
	const struct mig_bounce *b = bounce_of(r);

	(void)ctx;
	put(v, b && b->n, b && b->n ? b->away_ns / b->n : 0);
}

static void get_ran(const struct mig_row *r, const struct mig_column_ctx *ctx, struct mig_value *v)
{
	const struct mig_bounce *b = bounce_of(r);

	(void)ctx;
	put(v, b && b->ran_n, b && b->ran_n ? b->ran_after_ns / b->ran_n : 0);
}

static void get_misses(const struct mig_row *r, const struct mig_column_ctx *ctx,
		       struct mig_value *v)
{
	const struct mig_bounce *b = bounce_of(r);
	uint64_t n = b && !ctx->no_misses ? b->miss_n[ctx->miss] : 0;

	v->type = n ? MIG_V_DOUBLE : MIG_V_NULL;
	v->d = n ? (double)b->misses[ctx->miss] / (double)n : 0;
}

#define COLUMN(name, head, width, kind, json, get, what)                              \
	{                                                                             \
		name, "back", head, width, kind, MIG_SIDE_ALL, json, get, NULL, what, \
			1U << MIG_PART_BOUNCE                                         \
	}

const struct mig_column mig_columns_bounce[] = {
	COLUMN("bounces", "n", 6, MIG_KIND_COUNT, "bounces.n", get_n,
	       "moves that undo the one before within --within (10 ms)"),
	COLUMN("bounce%", "%", 5, MIG_KIND_PERCENT, NULL, get_share, "their share of the moves"),
	COLUMN("bounce-away", "away", 5, MIG_KIND_NS, "bounces.away_ns", get_away,
	       "mean time between both moves"),
	COLUMN("bounce-ran", "ran", 5, MIG_KIND_NS, "bounces.ran_after_ns", get_ran,
	       "mean time from the move back to running"),
	COLUMN("bounce-misses", "miss", 6, MIG_KIND_RATE, "bounces.misses", get_misses,
	       "misses of the slice after the move back, mean"),
	{ NULL, NULL, NULL, 0, 0, 0, NULL, NULL, NULL, NULL, 0 },
};
