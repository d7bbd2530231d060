// SPDX-License-Identifier: GPL-2.0
/* column-overlap: how long wakers run on, and sync (group-overlap.h). */
#include "column.h"
#include "group-overlap.h"

static const struct mig_overlap *overlap_of(const struct mig_row *r)
{
	return mig_row__part(r, MIG_PART_OVERLAP);
}

static void put(struct mig_value *v, uint64_t u)
{
	v->type = u == MIG_NULL ? MIG_V_NULL : MIG_V_U64;
	v->u = u;
}

static void put_share(struct mig_value *v, uint64_t n, uint64_t of)
{
	v->type = of ? MIG_V_DOUBLE : MIG_V_NULL;
	v->d = of ? 100.0 * (double)n / (double)of : 0;
}

static void get_n(const struct mig_row *r, const struct mig_column_ctx *ctx, struct mig_value *v)
{
	const struct mig_overlap *o = overlap_of(r);

	(void)ctx;
	put(v, o ? o->ns.n : 0);
}

static void get_p50(const struct mig_row *r, const struct mig_column_ctx *ctx, struct mig_value *v)
{
	const struct mig_overlap *o = overlap_of(r);

	(void)ctx;
	put(v, o ? hist__percentile(&o->ns, 50) : MIG_NULL);
}

static void get_p90(const struct mig_row *r, const struct mig_column_ctx *ctx, struct mig_value *v)
{
	const struct mig_overlap *o = overlap_of(r);

	(void)ctx;
	put(v, o ? hist__percentile(&o->ns, 90) : MIG_NULL);
}

static void get_below(const struct mig_row *r, const struct mig_column_ctx *ctx,
		      struct mig_value *v)
{
	const struct mig_overlap *o = overlap_of(r);

	(void)ctx;
	put_share(v, o ? o->below : 0, o ? o->ns.n : 0);
}

static void get_below_n(const struct mig_row *r, const struct mig_column_ctx *ctx,
			struct mig_value *v)
{
	const struct mig_overlap *o = overlap_of(r);

	(void)ctx;
	put(v, o && o->ns.n ? o->below : MIG_NULL);
}

static void get_sync(const struct mig_row *r, const struct mig_column_ctx *ctx, struct mig_value *v)
{
	const struct mig_overlap *o = overlap_of(r);

	(void)ctx;
	put_share(v, o ? o->sync : 0, o ? o->sync_known : 0);
}

static void get_sync_n(const struct mig_row *r, const struct mig_column_ctx *ctx,
		       struct mig_value *v)
{
	const struct mig_overlap *o = overlap_of(r);

	(void)ctx;
	put(v, o && o->sync_known ? o->sync : MIG_NULL);
}

static void get_sync_of(const struct mig_row *r, const struct mig_column_ctx *ctx,
			struct mig_value *v)
{
	const struct mig_overlap *o = overlap_of(r);

	(void)ctx;
	put(v, o ? o->sync_known : 0);
}

/* clang-format off */
#define COLUMN(name, group, head, width, kind, json, get, what)                                \
	{ name, group, head, width, kind, MIG_SIDE_ALL, json, get, NULL, what,                 \
	  1U << MIG_PART_OVERLAP }

const struct mig_column mig_columns_overlap[] = {
	COLUMN("sync%", "sync", "%", 5, MIG_KIND_PERCENT, NULL, get_sync,
	       "wakeups that said their waker is about to sleep, of those whose chain tells"),
	COLUMN("sync-n", "sync", "n", 7, MIG_KIND_COUNT, "overlap.sync_n", get_sync_n,
	       "how many of them"),
	COLUMN("sync-of", "sync", "of", 7, MIG_KIND_COUNT, "overlap.sync_of", get_sync_of,
	       "wakeups whose chain tells"),
	COLUMN("overlap-p50", "overlap", "p50", 5, MIG_KIND_NS, "overlap.p50_ns", get_p50,
	       "median run time of the waker from the waking to its sleep"),
	COLUMN("overlap-p90", "overlap", "p90", 5, MIG_KIND_NS, "overlap.p90_ns", get_p90,
	       "90th percentile of it"),
	COLUMN("overlap-sync%", "overlap", "below", 5, MIG_KIND_PERCENT, NULL, get_below,
	       "share below --overlap-threshold: sync by the rule of Linux 2.6"),
	COLUMN("overlap-sync-n", "overlap", "n", 7, MIG_KIND_COUNT, "overlap.below_n", get_below_n,
	       "how many are below it"),
	COLUMN("overlap-of", "overlap", "of", 7, MIG_KIND_COUNT, "overlap.of", get_n,
	       "wakeups whose overlap is known"),
	{ NULL, NULL, NULL, 0, 0, 0, NULL, NULL, NULL, NULL, 0 },
};
/* clang-format on */
