/* SPDX-License-Identifier: GPL-2.0 */
/*
 * column: what a row shows. One const table of columns drives text, CSV, JSON, sorting and the
 * terminal UI; there is no second definition of any figure.
 *
 * How to add a column: a line in the table of column.c (name, heads, width, kind, get function),
 * its meaning in Documentation/perf-migstat-report.txt; the docs test compares the two. Figures
 * that not every report needs (enum mig_part) have a table in a file of their own, column-NAME.c.
 */
#ifndef MIG_COLUMN_H
#define MIG_COLUMN_H

#include <stddef.h>
#include <stdint.h>

#include "group.h"

struct mig_err;
struct strtab;
struct decode;
struct cost_file;

enum mig_kind {
	MIG_KIND_NAME, /* text, left aligned */
	MIG_KIND_COUNT,
	MIG_KIND_ID, /* tid, CPU */
	MIG_KIND_NS, /* a duration */
	MIG_KIND_PERCENT,
	MIG_KIND_RATE, /* a ratio, three significant digits */
	MIG_KIND_MISSES, /* one value per counter (JSON object) */
};

struct mig_value {
	enum { MIG_V_NULL, MIG_V_U64, MIG_V_DOUBLE, MIG_V_TEXT, MIG_V_MISSES } type;
	union {
		uint64_t u;
		double d;
		uint64_t misses[MIG_MAX_COUNTERS];
	};
	char text[72]; /* MIG_V_TEXT; control characters are already made harmless for text output
			*/
};

/* What a get function may look at. */
struct mig_column_ctx {
	const struct strtab *names;
	const struct mig_table *table;
	const struct mig_counters *counters; /* of the group */
	unsigned miss; /* the counter that misses/ms is about */
	int sampled; /* the sampled counter that `sampled` shows, -1 = none; with all of its event
		      */
	const struct mig_counters *all_sampled;
	bool no_misses; /* there is none, or its figures are refused: NULL everywhere */
	/* the recording does not have these events: counts of them are NULL */
	bool no_wakeups, no_moves, no_forks, no_switches;
	uint8_t no_terms; /* bits 1 << enum mig_term: its events are not in the recording */
	uint64_t total_wakeups, total_migrations, total_run_ns;
	const struct cost_file *prices; /* what a line costs; NULL = not known */
};

struct mig_column {
	const char *name; /* for -F and -s */
	const char *group; /* first header line; neighbours with one group share it; NULL = none */
	const char *head; /* second header line */
	uint8_t width; /* 0 = takes what is left */
	uint8_t kind; /* enum mig_kind */
	uint8_t side; /* enum mig_side_id, for get_side */
	const char *json; /* its place in a JSON row, dots nest; NULL = derived, not in JSON */
	void (*get)(const struct mig_row *row, const struct mig_column_ctx *ctx,
		    struct mig_value *ret_v);
	/* instead of get, where several columns show the same of different sides */
	void (*get_side)(const struct mig_row *row, const struct mig_column_ctx *ctx, unsigned side,
			 struct mig_value *ret_v);
	const char *what; /* one line of meaning, for --help and the man page */
	uint32_t want; /* what has to be kept for it: bits 1 << enum mig_part; 0 = always kept */
};

extern const struct mig_column mig_columns_cost[]; /* column-cost.c: extra misses, their time */
extern const struct mig_column mig_columns_choice[], mig_columns_regret[]; /* column-choice.c */
extern const struct mig_column mig_columns_label[]; /* column-label.c: cgroups, VMs, .. */
extern const struct mig_column mig_columns_bounce[]; /* column-bounce.c: moves back */

static inline void mig_column__get(const struct mig_column *c, const struct mig_row *row,
				   const struct mig_column_ctx *ctx, struct mig_value *ret_v)
{
	if (c->get)
		c->get(row, ctx, ret_v);
	else
		c->get_side(row, ctx, c->side, ret_v);
}

extern const struct mig_column mig_columns_overlap[], mig_columns_anatomy[], mig_columns_price[];

/* All columns: tables, the list ends with NULL, each with name = NULL. */
const struct mig_column *const *mig_column__tables(void);

#define for_each_column(t, c)                         \
	for ((t) = mig_column__tables(); *(t); (t)++) \
		for ((c) = *(t); (c)->name; (c)++)

const struct mig_column *mig_column__find(const char *name, size_t len);

/* Does it say what the rows are grouped by: a name or an id? */
static inline bool mig_column__is_key(const struct mig_column *c)
{
	return c->kind == MIG_KIND_NAME || c->kind == MIG_KIND_ID;
}

#define MIG_MAX_COLUMNS 120

struct mig_columns {
	const struct mig_column *c[MIG_MAX_COLUMNS];
	unsigned nr;
};

/* Which misses there are to show: exact ones (a group's), sampled ones, or none. */
enum mig_misses {
	MIG_MISSES_NONE,
	MIG_MISSES_SAMPLED,
	MIG_MISSES_EXACT,
	MIG_MISSES_PRICED, /* .. and what a line costs */
};

/* The default columns of a grouping. */
void mig_columns__default(struct mig_columns *cols, uint32_t dims, enum mig_misses misses);
/* -F "a,b" replaces, "+a" adds, "-a" takes away. -EINVAL with err. */
int mig_columns__parse(struct mig_columns *cols, const char *arg, struct mig_err *err);
/* What has to be kept for them: bits 1 << enum mig_part. */
uint32_t mig_columns__want(const struct mig_columns *cols);
/* Is one of them about prices (mig_column_ctx.prices)? */
bool mig_columns__need_prices(const struct mig_columns *cols);

/* -s "a,-b": keys, '-' in front reverses. */
struct mig_sort {
	const struct mig_column *key[8];
	bool reverse[8];
	unsigned nr;
};

int mig_sort__parse(struct mig_sort *sort, const char *arg, struct mig_err *err);
uint32_t mig_sort__want(const struct mig_sort *sort);
/* Sorts the table's rows; numbers fall, names rise, nulls last; ties by key. -ENOMEM. */
int mig_table__sort(struct mig_table *t, const struct mig_sort *sort,
		    const struct mig_column_ctx *ctx);

/* The text of a value as a table shows it ("-" for null). Returns its length. */
int mig_value__print(const struct mig_value *v, enum mig_kind kind, char *buf, size_t size);
/* A duration in at most 5 characters: "21u", "4.0m", "507u", "13.4s". */
int mig_ns__print(uint64_t ns, char *buf, size_t size);
/* A comm as shown: "[irq]", "[recorder]", "[idle]", the name with control bytes as '?', or "-". */
const char *mig_key__comm(const struct strtab *names, uint32_t key, char *buf, size_t size);

#endif
