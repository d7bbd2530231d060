// SPDX-License-Identifier: GPL-2.0
/*
 * column: the table of columns, and how values look. Rows come from group.c; who prints them is
 * ui/'s business.
 */
#include "column.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "strtab.h"
#include "utf8.h"

static void put_u64(struct mig_value *v, uint64_t u)
{
	v->type = u == MIG_NULL ? MIG_V_NULL : MIG_V_U64;
	v->u = u;
}

static void put_ratio(struct mig_value *v, double a, double b, double scale)
{
	v->type = b > 0 ? MIG_V_DOUBLE : MIG_V_NULL;
	v->d = b > 0 ? a / b * scale : 0;
}

const char *mig_key__comm(const struct strtab *names, uint32_t key, char *buf, size_t size)
{
	const char *name = key == MIG_KEY_IRQ        ? "[irq]"
			   : key == MIG_KEY_RECORDER ? "[recorder]"
			   : key == MIG_KEY_IDLE     ? "[idle]"
			   : key == MIG_KEY_NONE     ? "-"
						     : strtab__name(names, key);

	utf8__clean(buf, size, *name ? name : "-");
	return buf;
}

static void put_comm(struct mig_value *v, const struct mig_column_ctx *ctx, uint32_t key)
{
	bool known = key != MIG_KEY_NONE && (key >= MIG_KEY_IDLE || *strtab__name(ctx->names, key));

	v->type = known ? MIG_V_TEXT : MIG_V_NULL;
	mig_key__comm(ctx->names, key, v->text, sizeof(v->text));
}

static bool has_dim(const struct mig_column_ctx *ctx, enum mig_dim d)
{
	return ctx->table->dims & 1U << d;
}

static uint32_t waker_comm_of(const struct mig_row *r, const struct mig_column_ctx *ctx)
{
	if (has_dim(ctx, MIG_DIM_WAKER))
		return r->key[MIG_DIM_WAKER];
	if (!has_dim(ctx, MIG_DIM_WAKER_TID) || r->key[MIG_DIM_WAKER_TID] == MIG_KEY_NONE)
		return MIG_KEY_NONE;
	if (r->key[MIG_DIM_WAKER_TID] == MIG_KEY_IRQ)
		return MIG_KEY_IRQ;
	return r->key[MIG_DIM_WAKER_TID] ? r->waker_comm : MIG_KEY_IDLE;
}

static uint32_t wakee_comm_of(const struct mig_row *r, const struct mig_column_ctx *ctx)
{
	if (has_dim(ctx, MIG_DIM_WAKEE))
		return r->key[MIG_DIM_WAKEE];
	if (!has_dim(ctx, MIG_DIM_WAKEE_TID))
		return MIG_KEY_NONE;
	return r->key[MIG_DIM_WAKEE_TID] ? r->comm : MIG_KEY_IDLE;
}

static void get_waker(const struct mig_row *r, const struct mig_column_ctx *ctx,
		      struct mig_value *v)
{
	put_comm(v, ctx, waker_comm_of(r, ctx));
}

static void get_wakee(const struct mig_row *r, const struct mig_column_ctx *ctx,
		      struct mig_value *v)
{
	put_comm(v, ctx, wakee_comm_of(r, ctx));
}

static void put_id(struct mig_value *v, uint32_t key)
{
	put_u64(v, key >= MIG_KEY_IDLE ? MIG_NULL : key);
}

static void get_waker_tid(const struct mig_row *r, const struct mig_column_ctx *ctx,
			  struct mig_value *v)
{
	(void)ctx;
	put_id(v, r->key[MIG_DIM_WAKER_TID]);
}

static void get_wakee_tid(const struct mig_row *r, const struct mig_column_ctx *ctx,
			  struct mig_value *v)
{
	(void)ctx;
	put_id(v, r->key[MIG_DIM_WAKEE_TID]);
}

static void get_comm(const struct mig_row *r, const struct mig_column_ctx *ctx, struct mig_value *v)
{
	uint32_t key = has_dim(ctx, MIG_DIM_COMM)   ? r->key[MIG_DIM_COMM]
		       : !has_dim(ctx, MIG_DIM_TID) ? MIG_KEY_NONE
		       : r->key[MIG_DIM_TID]        ? r->comm
						    : MIG_KEY_IDLE;

	put_comm(v, ctx, key);
}

static void get_tid(const struct mig_row *r, const struct mig_column_ctx *ctx, struct mig_value *v)
{
	(void)ctx;
	put_id(v, r->key[MIG_DIM_TID]);
}

static void get_cpu(const struct mig_row *r, const struct mig_column_ctx *ctx, struct mig_value *v)
{
	(void)ctx;
	put_id(v, r->key[MIG_DIM_CPU]);
}

static void put_name(struct mig_value *v, uint32_t key, const char *name)
{
	v->type = key == MIG_KEY_NONE ? MIG_V_NULL : MIG_V_TEXT;
	snprintf(v->text, sizeof(v->text), "%s", key == MIG_KEY_NONE ? "-" : name);
}

#define GET_NAME(what, dim)                                                               \
	static void get_##what(const struct mig_row *r, const struct mig_column_ctx *ctx, \
			       struct mig_value *v)                                       \
	{                                                                                 \
		(void)ctx;                                                                \
		put_name(v, r->key[dim], mig_##what##__name((int)r->key[dim]));           \
	}
GET_NAME(path, MIG_DIM_PATH)
GET_NAME(mechanism, MIG_DIM_MECHANISM)
GET_NAME(cause, MIG_DIM_CAUSE)
GET_NAME(distance, MIG_DIM_DISTANCE)

/* A count of events that the recording does not have is not 0. */
#define GET_COUNT(field, absent)                                                           \
	static void get_##field(const struct mig_row *r, const struct mig_column_ctx *ctx, \
				struct mig_value *v)                                       \
	{                                                                                  \
		put_u64(v, ctx->absent ? MIG_NULL : r->field);                             \
	}
GET_COUNT(wakeups, no_wakeups)
GET_COUNT(migrations, no_moves)
GET_COUNT(slices, no_switches)

static void get_placements(const struct mig_row *r, const struct mig_column_ctx *ctx,
			   struct mig_value *v)
{
	put_u64(v, ctx->no_forks ? MIG_NULL : r->rare ? r->rare->placements : 0);
}

static void get_lost_nearby(const struct mig_row *r, const struct mig_column_ctx *ctx,
			    struct mig_value *v)
{
	(void)ctx;
	put_u64(v, r->lost_nearby);
}

static void get_sampled(const struct mig_row *r, const struct mig_column_ctx *ctx,
			struct mig_value *v)
{
	uint64_t sum = 0;
	unsigned i;

	/* one event of two PMUs is one figure */
	for (i = 0; r->rare && ctx->sampled >= 0 && i < ctx->all_sampled->nr; i++)
		if (ctx->all_sampled->c[i].first == (unsigned)ctx->sampled &&
		    __builtin_add_overflow(sum, r->rare->sampled[i], &sum))
			sum = MIG_NULL;
	put_u64(v, ctx->sampled < 0 ? MIG_NULL : sum);
}

static void get_share(const struct mig_row *r, const struct mig_column_ctx *ctx,
		      struct mig_value *v)
{
	put_ratio(v, (double)r->wakeups, (double)ctx->total_wakeups, 100);
}

static void get_migrations_share(const struct mig_row *r, const struct mig_column_ctx *ctx,
				 struct mig_value *v)
{
	put_ratio(v, (double)r->migrations, (double)ctx->total_migrations, 100);
}

static void get_moved_percent(const struct mig_row *r, const struct mig_column_ctx *ctx,
			      struct mig_value *v)
{
	put_ratio(v, (double)r->at_wakeup, ctx->no_moves ? 0 : (double)r->wakeups, 100);
}

static void get_delay_p50(const struct mig_row *r, const struct mig_column_ctx *ctx,
			  struct mig_value *v)
{
	(void)ctx;
	put_u64(v, hist__percentile(&r->delay, 50));
}

static void get_delay_p99(const struct mig_row *r, const struct mig_column_ctx *ctx,
			  struct mig_value *v)
{
	(void)ctx;
	put_u64(v, hist__p99(&r->delay));
}

static void get_delay_max(const struct mig_row *r, const struct mig_column_ctx *ctx,
			  struct mig_value *v)
{
	(void)ctx;
	put_u64(v, r->delay.n ? r->delay.max : MIG_NULL);
}

static void get_wait_p50(const struct mig_row *r, const struct mig_column_ctx *ctx,
			 struct mig_value *v)
{
	(void)ctx;
	put_u64(v, r->rare ? hist__percentile(&r->rare->wait, 50) : MIG_NULL);
}

static void get_wait_p99(const struct mig_row *r, const struct mig_column_ctx *ctx,
			 struct mig_value *v)
{
	(void)ctx;
	put_u64(v, r->rare ? hist__p99(&r->rare->wait) : MIG_NULL);
}

/* --- near, far, moved, stayed, levels: each side has the same figures --- */

static void side_n(const struct mig_row *r, const struct mig_column_ctx *ctx, unsigned side,
		   struct mig_value *v)
{
	(void)ctx;
	put_u64(v, mig_row__side_n(r, side));
}

static void side_run(const struct mig_row *r, const struct mig_column_ctx *ctx, unsigned side,
		     struct mig_value *v)
{
	struct mig_side s;

	mig_row__side(r, ctx->table->nr_counters, side, &s);
	put_u64(v, s.run_n ? s.run_ns : s.n || ctx->no_switches ? MIG_NULL : 0);
}

static void side_misses(const struct mig_row *r, const struct mig_column_ctx *ctx, unsigned side,
			struct mig_value *v)
{
	struct mig_side s;
	unsigned i;

	mig_row__side(r, ctx->table->nr_counters, side, &s);
	v->type = MIG_V_MISSES;
	for (i = 0; i < MIG_MAX_COUNTERS; i++)
		v->misses[i] = ctx->no_misses || (s.n && !s.miss_n) ? MIG_NULL : s.misses[i];
}

/* misses/ms of all slices of a side */
static void side_plain_rate(const struct mig_row *r, const struct mig_column_ctx *ctx,
			    unsigned side, struct mig_value *v)
{
	struct mig_side s;

	mig_row__side(r, ctx->table->nr_counters, side, &s);
	if (ctx->no_misses || s.rate_n < MIG_MIN_SLICES)
		v->type = MIG_V_NULL;
	else
		put_ratio(v, (double)s.rate_misses[ctx->miss], (double)s.rate_ns, 1e6);
}

/* misses/ms, where there are two sides compared within pairs of threads */
static void side_rate(const struct mig_row *r, const struct mig_column_ctx *ctx, unsigned side,
		      struct mig_value *v)
{
	v->type = MIG_V_NULL;
	if (side < MIG_SIDE_NEAR || side > MIG_SIDE_STAYED) {
		side_plain_rate(r, ctx, side, v);
	} else if (!ctx->no_misses && mig_row__compared(r, (side - MIG_SIDE_NEAR) / 2,
							(side - MIG_SIDE_NEAR) % 2, &v->d)) {
		v->type = MIG_V_DOUBLE;
	}
}

static void side_per_slice(const struct mig_row *r, const struct mig_column_ctx *ctx, unsigned side,
			   struct mig_value *v)
{
	struct mig_side s;

	mig_row__side(r, ctx->table->nr_counters, side, &s);
	if (ctx->no_misses)
		v->type = MIG_V_NULL;
	else
		put_ratio(v, (double)s.misses[ctx->miss], (double)s.miss_n, 1);
}

static void side_length(const struct mig_row *r, const struct mig_column_ctx *ctx, unsigned side,
			struct mig_value *v)
{
	struct mig_side s;

	mig_row__side(r, ctx->table->nr_counters, side, &s);
	put_u64(v, s.run_n ? s.run_ns / s.run_n : MIG_NULL);
}

static void side_share(const struct mig_row *r, const struct mig_column_ctx *ctx, unsigned side,
		       struct mig_value *v)
{
	uint64_t near = mig_row__side_n(r, MIG_SIDE_NEAR), far = mig_row__side_n(r, MIG_SIDE_FAR);

	(void)ctx;
	put_ratio(v, (double)(side == MIG_SIDE_NEAR ? near : far), (double)(near + far), 100);
}

static void side_delay(const struct mig_row *r, unsigned side, struct mig_value *v, bool p99)
{
	const struct hist *one;
	struct hist h;

	v->type = MIG_V_NULL;
	if (!mig_row__side_delay(r, side, &h, &one))
		put_u64(v, p99 ? hist__p99(one) : hist__percentile(one, 50));
	hist__exit(&h);
}

static void side_p50(const struct mig_row *r, const struct mig_column_ctx *ctx, unsigned side,
		     struct mig_value *v)
{
	(void)ctx;
	side_delay(r, side, v, false);
}

static void side_p99(const struct mig_row *r, const struct mig_column_ctx *ctx, unsigned side,
		     struct mig_value *v)
{
	(void)ctx;
	side_delay(r, side, v, true);
}

/* clang-format off */
/* words: which slices; json: where they stand in a row */
#define SIDE_COLUMNS(name, id, words, json)                                                       \
	{ name "-n", words, "n", 7, MIG_KIND_COUNT, id, json ".n", NULL, side_n,                   \
	  "slices " words, 0 },                                                                   \
	{ name "-run", words, "run", 6, MIG_KIND_NS, id, json ".run_ns", NULL, side_run,           \
	  "run time of slices " words, 0 },                                                       \
	{ name "-misses", words, "misses", 9, MIG_KIND_MISSES, id, json ".misses", NULL,           \
	  side_misses, "misses of slices " words, 0 },                                            \
	{ name "-delay-p50", words, "p50", 5, MIG_KIND_NS, id, json ".delay_p50_ns", NULL,         \
	  side_p50, "median run delay before slices " words, 0 },                                 \
	{ name "-delay-p99", words, "p99", 5, MIG_KIND_NS, id, json ".delay_p99_ns", NULL,         \
	  side_p99, "99th percentile of it (maximum below 100)", 0 },                             \
	{ name "-per-slice", "misses/slice", name, 6, MIG_KIND_RATE, id, NULL, NULL,               \
	  side_per_slice, "misses per slice " words, 0 },                                         \
	{ name "-slice", "ms/slice", name, 6, MIG_KIND_NS, id, NULL, NULL, side_length,            \
	  "mean slice " words, 0 }
#define COMPARED_COLUMNS(name, id)                                                                \
	SIDE_COLUMNS(name, id, name, name),                                                       \
	{ name "-rate", "miss/ms", name, 5, MIG_KIND_RATE, id, name ".rate", NULL, side_rate,      \
	  "misses per ms of slices " name ", compared within pairs of threads", 0 }
#define LEVEL_COLUMNS(name, dist)                                                                 \
	SIDE_COLUMNS(name, MIG_SIDE_LEVEL + dist, name, "levels." name),                          \
	{ name "-rate", "miss/ms", name, 5, MIG_KIND_RATE, MIG_SIDE_LEVEL + dist, NULL, NULL,      \
	  side_rate, "misses per ms of slices " name, 0 }
/* clang-format on */

static const struct mig_column columns[] = {
	{ "waker", NULL, "waker", 15, MIG_KIND_NAME, MIG_SIDE_ALL, "waker", get_waker, NULL,
	  "comm of the waker", 0 },
	{ "wakee", NULL, "wakee", 15, MIG_KIND_NAME, MIG_SIDE_ALL, "wakee", get_wakee, NULL,
	  "comm of the wakee", 0 },
	{ "waker-tid", NULL, "waker", 7, MIG_KIND_ID, MIG_SIDE_ALL, "waker_tid", get_waker_tid,
	  NULL, "thread id of the waker", 0 },
	{ "wakee-tid", NULL, "wakee", 7, MIG_KIND_ID, MIG_SIDE_ALL, "wakee_tid", get_wakee_tid,
	  NULL, "thread id of the wakee", 0 },
	{ "comm", NULL, "comm", 15, MIG_KIND_NAME, MIG_SIDE_ALL, "comm", get_comm, NULL,
	  "name of the task", 0 },
	{ "tid", NULL, "tid", 7, MIG_KIND_ID, MIG_SIDE_ALL, "tid", get_tid, NULL,
	  "thread id of the task", 0 },
	{ "cpu", NULL, "cpu", 5, MIG_KIND_ID, MIG_SIDE_ALL, "cpu", get_cpu, NULL,
	  "CPU: chosen by the wakeup, destination of the move, where the slice ran", 0 },
	{ "path", NULL, "path", 10, MIG_KIND_NAME, MIG_SIDE_ALL, "path", get_path, NULL,
	  "path of the wakeup", 0 },
	{ "mechanism", NULL, "mechanism", 11, MIG_KIND_NAME, MIG_SIDE_ALL, "mechanism",
	  get_mechanism, NULL, "what woke the task", 0 },
	{ "cause", NULL, "cause", 14, MIG_KIND_NAME, MIG_SIDE_ALL, "cause", get_cause, NULL,
	  "why the task was moved", 0 },
	{ "distance", NULL, "distance", 8, MIG_KIND_NAME, MIG_SIDE_ALL, "distance", get_distance,
	  NULL, "how far it was moved", 0 },
	{ "wakeups", NULL, "wakeups", 7, MIG_KIND_COUNT, MIG_SIDE_ALL, "wakeups", get_wakeups, NULL,
	  "sched_waking events", 0 },
	{ "share", NULL, "share", 6, MIG_KIND_PERCENT, MIG_SIDE_ALL, NULL, get_share, NULL,
	  "share of all wakeups", 0 },
	{ "migrations", NULL, "moves", 7, MIG_KIND_COUNT, MIG_SIDE_ALL, "migrations",
	  get_migrations, NULL, "sched_migrate_task events", 0 },
	{ "moves-share", NULL, "share", 6, MIG_KIND_PERCENT, MIG_SIDE_ALL, NULL,
	  get_migrations_share, NULL, "share of all migrations", 0 },
	{ "placements", NULL, "fork pl", 7, MIG_KIND_COUNT, MIG_SIDE_ALL, "fork_placements",
	  get_placements, NULL, "new tasks put on another CPU than their parent's", 0 },
	{ "slices", NULL, "slices", 7, MIG_KIND_COUNT, MIG_SIDE_ALL, "slices", get_slices, NULL,
	  "stays on a CPU that ended", 0 },
	{ "run", NULL, "run", 6, MIG_KIND_NS, MIG_SIDE_ALL, "run_ns", NULL, side_run,
	  "run time of those slices", 0 },
	{ "misses", NULL, "misses", 9, MIG_KIND_MISSES, MIG_SIDE_ALL, "misses", NULL, side_misses,
	  "misses charged to those slices", 0 },
	{ "sampled", "sampled", "misses", 9, MIG_KIND_COUNT, MIG_SIDE_ALL, NULL, get_sampled, NULL,
	  "sum of the periods of sampled misses, by task (see sampled_misses in JSON)", 0 },
	{ "delay-p50", "delay", "p50", 5, MIG_KIND_NS, MIG_SIDE_ALL, "delay_p50_ns", get_delay_p50,
	  NULL, "median run delay: waking to running", 0 },
	{ "delay-p99", "delay", "p99", 5, MIG_KIND_NS, MIG_SIDE_ALL, "delay_p99_ns", get_delay_p99,
	  NULL, "99th percentile of it (maximum below 100 wakeups)", 0 },
	{ "delay-max", "delay", "max", 5, MIG_KIND_NS, MIG_SIDE_ALL, "delay_max_ns", get_delay_max,
	  NULL, "longest of it", 0 },
	{ "wait-p50", "wait", "p50", 5, MIG_KIND_NS, MIG_SIDE_ALL, "wait_p50_ns", get_wait_p50,
	  NULL, "median preemption wait: switched out runnable to running", 0 },
	{ "wait-p99", "wait", "p99", 5, MIG_KIND_NS, MIG_SIDE_ALL, "wait_p99_ns", get_wait_p99,
	  NULL, "99th percentile of it (maximum below 100)", 0 },
	{ "moved%", "moved", "at%", 5, MIG_KIND_PERCENT, MIG_SIDE_ALL, NULL, get_moved_percent,
	  NULL, "share of the wakeups at which the wakee was moved", 0 },
	{ "near%", "ran", "near%", 5, MIG_KIND_PERCENT, MIG_SIDE_NEAR, NULL, NULL, side_share,
	  "share that ran near its waker", 0 },
	{ "far%", "ran", "far%", 5, MIG_KIND_PERCENT, MIG_SIDE_FAR, NULL, NULL, side_share,
	  "share that ran far from its waker", 0 },
	{ "rate", "miss/ms", "all", 5, MIG_KIND_RATE, MIG_SIDE_ALL, NULL, NULL, side_rate,
	  "misses per ms of run time", 0 },
	{ "per-slice", "misses/", "slice", 6, MIG_KIND_RATE, MIG_SIDE_ALL, NULL, NULL,
	  side_per_slice, "misses per slice", 0 },
	{ "slice", "mean", "slice", 6, MIG_KIND_NS, MIG_SIDE_ALL, NULL, NULL, side_length,
	  "mean length of a slice", 0 },
	COMPARED_COLUMNS("near", MIG_SIDE_NEAR),
	COMPARED_COLUMNS("far", MIG_SIDE_FAR),
	COMPARED_COLUMNS("moved", MIG_SIDE_MOVED),
	COMPARED_COLUMNS("stayed", MIG_SIDE_STAYED),
	SIDE_COLUMNS("queued", MIG_SIDE_QUEUED, "moved while queued", "queued"),
	LEVEL_COLUMNS("self", MIG_DIST_SELF),
	LEVEL_COLUMNS("smt", MIG_DIST_SMT),
	LEVEL_COLUMNS("llc", MIG_DIST_LLC),
	LEVEL_COLUMNS("node", MIG_DIST_NODE),
	LEVEL_COLUMNS("remote", MIG_DIST_REMOTE),
	{ "lost", NULL, "lost", 6, MIG_KIND_COUNT, MIG_SIDE_ALL, "lost_nearby", get_lost_nearby,
	  NULL, "facts beside lost events", 0 },
	{ NULL, NULL, NULL, 0, 0, 0, NULL, NULL, NULL, NULL, 0 },
};

/* Further tables, each of figures that are kept on request, are named here. */
/* clang-format off */
static const struct mig_column *const tables[] = {
	columns,
	mig_columns_label,
	mig_columns_cost,
	mig_columns_bounce,
	mig_columns_choice,
	mig_columns_regret,
	mig_columns_overlap,
	mig_columns_anatomy,
	mig_columns_price,
	NULL,
};
/* clang-format on */

const struct mig_column *const *mig_column__tables(void)
{
	return tables;
}

const struct mig_column *mig_column__find(const char *name, size_t len)
{
	const struct mig_column *const *t, *c;

	for_each_column(t, c) if (strlen(c->name) == len && !memcmp(c->name, name, len)) return c;
	return NULL;
}

/* Words for -F that stand for all columns of a kind of figures. */
static const char *const part_names[MIG_NR_PART] = {
	[MIG_PART_PRICE] = "price",   [MIG_PART_CHOICE] = "choice", [MIG_PART_OVERLAP] = "overlap",
	[MIG_PART_BOUNCE] = "bounce", [MIG_PART_REGRET] = "regret", [MIG_PART_ANATOMY] = "anatomy",
};

/* Sums and counts behind a share or a mean; a word for all of a kind leaves them out. */
static bool is_behind(const struct mig_column *c)
{
	static const char *const ends[] = { "-n", "-of", "-regret" };
	size_t len = strlen(c->name), i;

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (len > strlen(ends[i]) && !strcmp(c->name + len - strlen(ends[i]), ends[i]))
			return true;
	return false;
}

/* What a part of a list of --fields stands for: a column, or all columns of a want. */
static const struct mig_column *find_field(const char *name, size_t len, uint32_t *ret_want)
{
	unsigned i;

	*ret_want = 0;
	for (i = 0; i < MIG_NR_PART; i++)
		if (strlen(part_names[i]) == len && !memcmp(part_names[i], name, len))
			*ret_want = 1U << i;
	return mig_column__find(name, len);
}

static void columns__add(struct mig_columns *cols, const char *list)
{
	const char *p = list;

	while (*p) {
		size_t len = strcspn(p, " ");

		if (cols->nr < MIG_MAX_COLUMNS)
			cols->c[cols->nr++] = mig_column__find(p, len);
		p += len + (p[len] == ' ');
	}
}

/* The narrowest a table can be: names give way down to 8 (ui/stdio-table.c). */
static unsigned columns__width(const struct mig_columns *cols)
{
	unsigned i, w = 0;

	for (i = 0; i < cols->nr; i++) {
		const struct mig_column *c = cols->c[i];

		w += 1 + (c->kind == MIG_KIND_NAME && c->width >= 15 ? 8 : c->width);
	}
	return w - 1;
}

/* Figures leave until the rest fits a terminal; what is grouped by stays, and one figure. */
static void columns__fit(struct mig_columns *cols, unsigned nr_keys)
{
	static const char *const first[] = { "slices", "delay-p99", "moves-share", "far%", "run" };
	unsigned i, k = 0, at;

	while (columns__width(cols) > 80 && cols->nr > nr_keys + 1) {
		at = cols->nr - 1;
		if (k < sizeof(first) / sizeof(first[0])) {
			for (i = nr_keys; i < cols->nr && strcmp(cols->c[i]->name, first[k]); i++)
				;
			k++;
			if (i == cols->nr)
				continue;
			at = i;
		}
		cols->nr--;
		memmove(&cols->c[at], &cols->c[at + 1], (cols->nr - at) * sizeof(cols->c[0]));
	}
}

void mig_columns__default(struct mig_columns *cols, uint32_t dims, enum mig_misses misses)
{
	static const struct {
		enum mig_dim dim;
		const char *columns;
	} keys[] = {
		{ MIG_DIM_WAKER_LABEL, "waker-label" },
		{ MIG_DIM_WAKEE_LABEL, "wakee-label" },
		{ MIG_DIM_LABEL, "label" },
		{ MIG_DIM_WAKER, "waker" },
		{ MIG_DIM_WAKER_TID, "waker-tid waker" },
		{ MIG_DIM_WAKEE, "wakee" },
		{ MIG_DIM_WAKEE_TID, "wakee-tid wakee" },
		{ MIG_DIM_TID, "tid comm" },
		{ MIG_DIM_COMM, "comm" },
		{ MIG_DIM_CPU, "cpu" },
		{ MIG_DIM_PATH, "path" },
		{ MIG_DIM_MECHANISM, "mechanism" },
		{ MIG_DIM_CAUSE, "cause" },
		{ MIG_DIM_DISTANCE, "distance" },
	};
	const uint32_t wakers = 1U << MIG_DIM_WAKER_LABEL | 1U << MIG_DIM_WAKER |
				1U << MIG_DIM_WAKER_TID | 1U << MIG_DIM_PATH |
				1U << MIG_DIM_MECHANISM;
	/* two names and more: fewer figures, or the names would be cut to nothing */
	const bool wide =
		dims & 1U << MIG_DIM_WAKER_TID ||
		(dims & 1U << MIG_DIM_WAKER && dims & ~(1U << MIG_DIM_WAKER | 1U << MIG_DIM_WAKEE));
	unsigned nr_keys;
	size_t i;

	cols->nr = 0;
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		/* with tids the comms come along */
		if (!(dims & 1U << keys[i].dim) ||
		    (keys[i].dim == MIG_DIM_WAKER && dims & 1U << MIG_DIM_WAKER_TID) ||
		    (keys[i].dim == MIG_DIM_WAKEE && dims & 1U << MIG_DIM_WAKEE_TID) ||
		    (keys[i].dim == MIG_DIM_COMM && dims & 1U << MIG_DIM_TID))
			continue;
		columns__add(cols, keys[i].columns);
	}
	nr_keys = cols->nr;
	if (dims & (1U << MIG_DIM_CAUSE | 1U << MIG_DIM_DISTANCE) && !(dims & wakers))
		columns__add(cols, "migrations moves-share wakeups");
	else if (dims & wakers)
		columns__add(cols, wide ? "wakeups moved% near% delay-p50 delay-p99"
					: "wakeups moved% near% far% delay-p50 delay-p99");
	else
		columns__add(cols, "migrations wakeups slices run delay-p50 delay-p99");
	if (dims & 1U << MIG_DIM_CAUSE && !(dims & wakers))
		; /* a slice has no cause, and so none of its misses */
	else if (misses == MIG_MISSES_PRICED)
		columns__add(cols, "extra extra-lo extra-hi");
	else if (misses == MIG_MISSES_EXACT && dims & wakers && !wide)
		columns__add(cols, "near-rate far-rate");
	else if (misses == MIG_MISSES_SAMPLED && !(dims & wakers))
		columns__add(cols, "sampled");
	else if (misses == MIG_MISSES_EXACT && !(dims & wakers))
		columns__add(cols, "misses rate");
	columns__fit(cols, nr_keys);
}

uint32_t mig_columns__want(const struct mig_columns *cols)
{
	uint32_t want = 0;
	unsigned i;

	for (i = 0; i < cols->nr; i++)
		want |= cols->c[i]->want;
	return want;
}

int mig_columns__parse(struct mig_columns *cols, const char *arg, struct mig_err *err)
{
	const char *p = arg;
	bool first = true;
	unsigned i, k;

	if (!*arg)
		return mig_err__usage(err, "--fields: an empty list");
	while (*p) {
		size_t len = strcspn(p, ",");
		bool add = *p == '+', take = *p == '-';
		uint32_t want;
		const struct mig_column *const *t,
			*c = find_field(p + (add || take), len - (add || take), &want);

		if (!c && !want) {
			mig_err__usage(err, "--fields: there is no column '%.*s'", (int)len, p);
			return mig_err__hint(err, "perf migstat report --list-fields prints them "
						  "all");
		}
		if (first && !add && !take)
			cols->nr = 0;
		first = false;
		if (take) {
			for (i = k = 0; i < cols->nr; i++)
				if (cols->c[i] != c && !(cols->c[i]->want & want))
					cols->c[k++] = cols->c[i];
			cols->nr = k;
		} else if (!c) {
			for_each_column(t, c) if (c->want & want && !is_behind(c) &&
						  cols->nr < MIG_MAX_COLUMNS)
				cols->c[cols->nr++] = c;
		} else if (cols->nr < MIG_MAX_COLUMNS) {
			cols->c[cols->nr++] = c;
		} else {
			return mig_err__usage(err, "--fields: more than %d columns",
					      MIG_MAX_COLUMNS);
		}
		p += len + (p[len] == ',');
	}
	return cols->nr ? 0 : mig_err__usage(err, "--fields: no column is left");
}

/* --- how values look --- */

int mig_ns__print(uint64_t ns, char *buf, size_t size)
{
	static const struct {
		uint64_t ns;
		char unit;
	} units[] = { { 1000000000, 's' }, { 1000000, 'm' }, { 1000, 'u' } };
	size_t i;

	if (ns < 1000)
		return snprintf(buf, size, "%lun", (unsigned long)ns);
	for (i = 0; i < 2; i++)
		if (ns >= units[i].ns)
			break;
	if (ns / units[i].ns >= 100 || units[i].unit == 'u')
		return snprintf(buf, size, "%lu%c",
				(unsigned long)((ns + units[i].ns / 2) / units[i].ns),
				units[i].unit);
	return snprintf(buf, size, "%.1f%c", (double)ns / (double)units[i].ns, units[i].unit);
}

int mig_value__print(const struct mig_value *v, enum mig_kind kind, char *buf, size_t size)
{
	switch (v->type) {
	case MIG_V_TEXT:
		return snprintf(buf, size, "%s", v->text);
	case MIG_V_U64:
		if (kind == MIG_KIND_NS)
			return mig_ns__print(v->u, buf, size);
		return snprintf(buf, size, "%lu", (unsigned long)v->u);
	case MIG_V_DOUBLE:
		if (kind == MIG_KIND_NS && v->d < 0 && size)
			*buf++ = '-';
		if (kind == MIG_KIND_NS)
			return (v->d < 0) +
			       mig_ns__print((uint64_t)(fabs(v->d) + 0.5), buf, size - (v->d < 0));
		if (kind == MIG_KIND_PERCENT)
			return snprintf(buf, size, "%.1f", v->d);
		return snprintf(buf, size,
				v->d < 10     ? "%.2f"
				: v->d < 1000 ? "%.1f"
					      : "%.0f",
				v->d);
	default:
		return snprintf(buf, size, "-");
	}
}
