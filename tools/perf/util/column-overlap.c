// SPDX-License-Identifier: GPL-2.0
/* column-overlap: sync, and how long wakers keep their CPU (MIG_PART_OVERLAP). */
#include "column.h"
#include "group-parts.h"

static const struct group_overlap *part_of(const struct mig_row *r)
{
	return mig_row__part(r, MIG_PART_OVERLAP);
}

static void put(struct mig_value *v, uint64_t u)
{
	v->type = u == MIG_NULL ? MIG_V_NULL : MIG_V_U64;
	v->u = u;
}

static void put_percent(struct mig_value *v, uint64_t a, uint64_t b)
{
	v->type = b ? MIG_V_DOUBLE : MIG_V_NULL;
	v->d = b ? 100.0 * (double)a / (double)b : 0;
}

/* Nothing is known of wakers without wakings, nothing of their leave without switches. */
#define GET_COUNT(name, expr, absent)                                                              \
	static void get_##name(const struct mig_row *r, const struct mig_column_ctx *ctx,          \
			       struct mig_value *v)                                                \
	{                                                                                          \
		const struct group_overlap *o = part_of(r);                                        \
                                                                                                   \
		put(v, ctx->no_wakeups || (absent && ctx->no_switches) ? MIG_NULL : o ? expr : 0); \
	}
GET_COUNT(overlaps, o->overlap.n, true)
GET_COUNT(short, o->is_short, true)
GET_COUNT(sync, o->sync, false)
GET_COUNT(sync_known, o->sync_known, false)
GET_COUNT(would, o->would_sync, true)
GET_COUNT(replayed, o->replayed, true)

#define GET_PERCENT(name, a, b)                                                           \
	static void get_##name(const struct mig_row *r, const struct mig_column_ctx *ctx, \
			       struct mig_value *v)                                       \
	{                                                                                 \
		const struct group_overlap *o = part_of(r);                               \
                                                                                          \
		(void)ctx;                                                                \
		put_percent(v, o ? a : 0, o ? b : 0);                                     \
	}
GET_PERCENT(sync_percent, o->sync, o->sync_known)
GET_PERCENT(short_percent, o->is_short, o->overlap.n)
GET_PERCENT(would_percent, o->would_sync, o->replayed)

static void get_p50(const struct mig_row *r, const struct mig_column_ctx *ctx, struct mig_value *v)
{
	(void)ctx;
	put(v, part_of(r) ? hist__percentile(&part_of(r)->overlap, 50) : MIG_NULL);
}

static void get_p90(const struct mig_row *r, const struct mig_column_ctx *ctx, struct mig_value *v)
{
	(void)ctx;
	put(v, part_of(r) ? hist__percentile(&part_of(r)->overlap, 90) : MIG_NULL);
}

#define WANT (1U << MIG_PART_OVERLAP)
const struct mig_column mig_columns_overlap[] = {
	{ "sync%", "sync", "asked%", 6, MIG_KIND_PERCENT, 0, NULL, get_sync_percent, NULL,
	  "share of the wakeups by tasks that are sync, where the chain tells", WANT },
	{ "sync", "sync", "n", 6, MIG_KIND_COUNT, 0, "overlap.sync", get_sync, NULL,
	  "wakeups by tasks that are sync", WANT },
	{ "sync-known", "sync", "of", 6, MIG_KIND_COUNT, 0, "overlap.sync_known", get_sync_known,
	  NULL, "wakeups by tasks whose chain tells whether they are", WANT },
	{ "would-sync%", "would be", "sync%", 6, MIG_KIND_PERCENT, 0, NULL, get_would_percent, NULL,
	  "share that the old kernel's rule takes for sync (--overlap-threshold)", WANT },
	{ "would-sync", "would be", "n", 6, MIG_KIND_COUNT, 0, "overlap.would_sync", get_would,
	  NULL, "wakeups that it takes for sync", WANT },
	{ "replayed", "would be", "of", 6, MIG_KIND_COUNT, 0, "overlap.replayed", get_replayed,
	  NULL, "wakeups that it could be asked about", WANT },
	{ "overlap-p50", "overlap", "p50", 5, MIG_KIND_NS, 0, "overlap.p50_ns", get_p50, NULL,
	  "median time that a waker keeps its CPU after the wakeup", WANT },
	{ "overlap-p90", "overlap", "p90", 5, MIG_KIND_NS, 0, "overlap.p90_ns", get_p90, NULL,
	  "90th percentile of it", WANT },
	{ "short%", "overlap", "short%", 6, MIG_KIND_PERCENT, 0, NULL, get_short_percent, NULL,
	  "share of the overlaps up to --overlap-threshold", WANT },
	{ "short", "overlap", "short", 6, MIG_KIND_COUNT, 0, "overlap.short", get_short, NULL,
	  "overlaps up to --overlap-threshold", WANT },
	{ "overlaps", "overlap", "of", 6, MIG_KIND_COUNT, 0, "overlap.n", get_overlaps, NULL,
	  "wakeups by tasks whose overlap is known", WANT },
	{ NULL, NULL, NULL, 0, 0, 0, NULL, NULL, NULL, NULL, 0 },
};
