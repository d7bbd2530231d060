// SPDX-License-Identifier: GPL-2.0
/* column-anatomy: what the run delay is made of (MIG_PART_ANATOMY). `side` is the enum mig_term. */
#include "column.h"
#include "group-parts.h"

static const struct group_anatomy *part_of(const struct mig_row *r)
{
	return mig_row__part(r, MIG_PART_ANATOMY);
}

static void put(struct mig_value *v, uint64_t u)
{
	v->type = u == MIG_NULL ? MIG_V_NULL : MIG_V_U64;
	v->u = u;
}

static void get_n(const struct mig_row *r, const struct mig_column_ctx *ctx, struct mig_value *v)
{
	put(v, ctx->no_switches || ctx->no_wakeups ? MIG_NULL : part_of(r) ? part_of(r)->n : 0);
}

static void get_delay(const struct mig_row *r, const struct mig_column_ctx *ctx,
		      struct mig_value *v)
{
	(void)ctx;
	put(v, part_of(r) && part_of(r)->n ? part_of(r)->delay_ns : MIG_NULL);
}

/* The term's durations; NULL where the recording has not the events, or nothing was separated. */
static const struct hist *term_of(const struct mig_row *r, const struct mig_column_ctx *ctx,
				  unsigned term)
{
	const struct group_anatomy *a = part_of(r);

	return a && a->n && !(ctx->no_terms & 1U << term) ? &a->term[term] : NULL;
}

static void term_sum(const struct mig_row *r, const struct mig_column_ctx *ctx, unsigned term,
		     struct mig_value *v)
{
	const struct hist *h = term_of(r, ctx, term);

	put(v, h ? h->sum : MIG_NULL);
}

static void term_mean(const struct mig_row *r, const struct mig_column_ctx *ctx, unsigned term,
		      struct mig_value *v)
{
	const struct hist *h = term_of(r, ctx, term);

	put(v, h ? h->sum / h->n : MIG_NULL);
}

static void term_p50(const struct mig_row *r, const struct mig_column_ctx *ctx, unsigned term,
		     struct mig_value *v)
{
	const struct hist *h = term_of(r, ctx, term);

	put(v, h ? hist__percentile(h, 50) : MIG_NULL);
}

#define WANT (1U << MIG_PART_ANATOMY)
#define TERM(name, id, what)                                                                   \
	{ name, name, "mean", 6,         MIG_KIND_NS,                                          \
	  id,   NULL, NULL,   term_mean, "mean time of a run delay: " what,                    \
	  WANT },                                                                              \
		{ name "-p50",                                                                 \
		  name,                                                                        \
		  "p50",                                                                       \
		  6,                                                                           \
		  MIG_KIND_NS,                                                                 \
		  id,                                                                          \
		  "anatomy." name ".p50_ns",                                                   \
		  NULL,                                                                        \
		  term_p50,                                                                    \
		  "median of it",                                                              \
		  WANT },                                                                      \
	{                                                                                      \
		name "-sum", name, "sum", 6, MIG_KIND_NS, id, "anatomy." name ".sum_ns", NULL, \
			term_sum, "sum of it", WANT                                            \
	}

const struct mig_column mig_columns_anatomy[] = {
	{ "separated", "delays", "apart", 6, MIG_KIND_COUNT, 0, "anatomy.n", get_n, NULL,
	  "wakeups whose run delay is taken apart", WANT },
	{ "separated-sum", "delays", "sum", 6, MIG_KIND_NS, 0, "anatomy.delay_ns", get_delay, NULL,
	  "sum of these delays, and of the five terms", WANT },
	TERM("select", MIG_TERM_SELECT, "until a CPU is chosen"),
	TERM("ipi", MIG_TERM_IPI, "until that CPU is told"),
	TERM("idle", MIG_TERM_IDLE, "until it has left its idle state"),
	TERM("queue", MIG_TERM_QUEUE, "while other tasks run there"),
	TERM("switch", MIG_TERM_SWITCH, "from idle to the task"),
	{ NULL, NULL, NULL, 0, 0, 0, NULL, NULL, NULL, NULL, 0 },
};
