// SPDX-License-Identifier: GPL-2.0
/* column-choice: what wakeups could have chosen, and what it would have spared (group-choice.h). */
#include "column.h"
#include "group-choice.h"

static void get_choice(const struct mig_row *r, const struct mig_column_ctx *ctx, unsigned id,
		       struct mig_value *v)
{
	const struct mig_choice_counts *c = mig_row__part(r, MIG_PART_CHOICE);

	(void)ctx;
	v->type = c && c->of[id].known ? MIG_V_DOUBLE : MIG_V_NULL;
	v->d = v->type == MIG_V_NULL ? 0 : 100.0 * (double)c->of[id].yes / (double)c->of[id].known;
}

static void get_choice_n(const struct mig_row *r, const struct mig_column_ctx *ctx, unsigned id,
			 struct mig_value *v)
{
	const struct mig_choice_counts *c = mig_row__part(r, MIG_PART_CHOICE);

	(void)ctx;
	v->type = MIG_V_U64;
	v->u = c ? c->of[id].known : 0;
}

static void get_choice_yes(const struct mig_row *r, const struct mig_column_ctx *ctx, unsigned id,
			   struct mig_value *v)
{
	const struct mig_choice_counts *c = mig_row__part(r, MIG_PART_CHOICE);

	(void)ctx;
	v->type = c && c->of[id].known ? MIG_V_U64 : MIG_V_NULL;
	v->u = c ? c->of[id].yes : 0;
}

#define CHOICE(name, head, id, json, what)                                                         \
	{ name "%", "choice", head,       5,    MIG_KIND_PERCENT,     id,                          \
	  NULL,     NULL,     get_choice, what, 1U << MIG_PART_CHOICE },                           \
		{ name "-n",                                                                       \
		  "choice",                                                                        \
		  "n",                                                                             \
		  7,                                                                               \
		  MIG_KIND_COUNT,                                                                  \
		  id,                                                                              \
		  "choice." json,                                                                  \
		  NULL,                                                                            \
		  get_choice_yes,                                                                  \
		  "how many of them: " what,                                                       \
		  1U << MIG_PART_CHOICE },                                                         \
	{                                                                                          \
		name "-of", "choice", "of", 7, MIG_KIND_COUNT, id, "choice." json "_of", NULL,     \
			get_choice_n, "wakeups of which it is known: " what, 1U << MIG_PART_CHOICE \
	}

/* clang-format off */
const struct mig_column mig_columns_choice[] = {
	CHOICE("chosen-idle", "idle", MIG_CHOSEN_IDLE, "chosen_idle", "the chosen CPU was idle"),
	CHOICE("prev-idle", "prev", MIG_PREV_IDLE, "prev_idle", "the previous CPU was idle"),
	CHOICE("stacked", "stack", MIG_STACKED, "stacked", "the chosen CPU was not idle"),
	CHOICE("missed-idle", "miss", MIG_MISSED_IDLE, "missed_idle",
	       "it was not, and another CPU of its LLC was idle"),
	CHOICE("busy-sib", "sib", MIG_SIBLING_BUSY, "busy_sibling",
	       "another thread of the chosen CPU's core was busy"),
	CHOICE("core-free", "core", MIG_CORE_FREE, "core_free",
	       "a whole core of the chosen CPU's LLC was idle"),
	CHOICE("missed-core", "mcore", MIG_SIBLING_MISSED, "missed_core",
	       "sibling busy although a whole core of the LLC was idle"),
	{ NULL, NULL, NULL, 0, 0, 0, NULL, NULL, NULL, NULL, 0 },
};
/* clang-format on */

static void get_regret(const struct mig_row *r, const struct mig_column_ctx *ctx, unsigned id,
		       struct mig_value *v)
{
	const struct mig_regret_sums *s = mig_row__part(r, MIG_PART_REGRET);

	(void)ctx;
	v->type = s && s->of[id].n ? MIG_V_U64 : MIG_V_NULL;
	v->u = s ? s->of[id].ns : 0;
}

static void get_regret_mean(const struct mig_row *r, const struct mig_column_ctx *ctx, unsigned id,
			    struct mig_value *v)
{
	const struct mig_regret_sums *s = mig_row__part(r, MIG_PART_REGRET);

	(void)ctx;
	v->type = s && s->of[id].n ? MIG_V_U64 : MIG_V_NULL;
	v->u = v->type == MIG_V_NULL ? 0 : s->of[id].ns / s->of[id].n;
}

static void get_regret_n(const struct mig_row *r, const struct mig_column_ctx *ctx, unsigned id,
			 struct mig_value *v)
{
	const struct mig_regret_sums *s = mig_row__part(r, MIG_PART_REGRET);

	(void)ctx;
	v->type = MIG_V_U64;
	v->u = s ? s->of[id].n : 0;
}

static void get_regret_some(const struct mig_row *r, const struct mig_column_ctx *ctx, unsigned id,
			    struct mig_value *v)
{
	const struct mig_regret_sums *s = mig_row__part(r, MIG_PART_REGRET);

	(void)ctx;
	v->type = s && s->of[id].n ? MIG_V_U64 : MIG_V_NULL;
	v->u = s ? s->of[id].some : 0;
}

/* of all delay */
static void get_regret_share(const struct mig_row *r, const struct mig_column_ctx *ctx, unsigned id,
			     struct mig_value *v)
{
	const struct mig_regret_sums *s = mig_row__part(r, MIG_PART_REGRET);

	(void)ctx;
	v->type = s && s->of[id].n && s->delay_ns ? MIG_V_DOUBLE : MIG_V_NULL;
	v->d = v->type == MIG_V_NULL ? 0 : 100.0 * (double)s->of[id].ns / (double)s->delay_ns;
}

#define REGRET(name, head, id, json, what)                                                      \
	{ name "-regret",                                                                       \
	  "regret",                                                                             \
	  head,                                                                                 \
	  6,                                                                                    \
	  MIG_KIND_NS,                                                                          \
	  id,                                                                                   \
	  "regret." json "_ns",                                                                 \
	  NULL,                                                                                 \
	  get_regret,                                                                           \
	  "waited in all while " what,                                                          \
	  1U << MIG_PART_REGRET },                                                              \
		{ name "-regret-mean",                                                          \
		  "regret",                                                                     \
		  "mean",                                                                       \
		  6,                                                                            \
		  MIG_KIND_NS,                                                                  \
		  id,                                                                           \
		  NULL,                                                                         \
		  NULL,                                                                         \
		  get_regret_mean,                                                              \
		  "mean of all wakeups: waited while " what,                                    \
		  1U << MIG_PART_REGRET },                                                      \
		{ name "-regret%",                                                              \
		  "regret",                                                                     \
		  head,                                                                         \
		  5,                                                                            \
		  MIG_KIND_PERCENT,                                                             \
		  id,                                                                           \
		  NULL,                                                                         \
		  NULL,                                                                         \
		  get_regret_share,                                                             \
		  "share of the delay in which " what,                                          \
		  1U << MIG_PART_REGRET },                                                      \
		{ name "-regret-n",                                                             \
		  "regret",                                                                     \
		  "n",                                                                          \
		  7,                                                                            \
		  MIG_KIND_COUNT,                                                               \
		  id,                                                                           \
		  "regret." json "_n",                                                          \
		  NULL,                                                                         \
		  get_regret_some,                                                              \
		  "wakeups that waited while " what,                                            \
		  1U << MIG_PART_REGRET },                                                      \
	{                                                                                       \
		name "-regret-of", "regret", "of", 7, MIG_KIND_COUNT, id, "regret." json "_of", \
			NULL, get_regret_n, "wakeups of which it is known: waited while " what, \
			1U << MIG_PART_REGRET                                                   \
	}

/* clang-format off */
const struct mig_column mig_columns_regret[] = {
	REGRET("prev", "prev", MIG_REGRET_PREV, "prev", "its previous CPU was idle"),
	REGRET("core", "core", MIG_REGRET_CORE, "core", "a whole core of the LLC was idle"),
	REGRET("llc", "llc", MIG_REGRET_LLC, "llc", "a CPU of the LLC was idle"),
	REGRET("any", "any", MIG_REGRET_ANY, "any", "any CPU was idle"),
	{ NULL, NULL, NULL, 0, 0, 0, NULL, NULL, NULL, NULL, 0 },
};
/* clang-format on */
