/* SPDX-License-Identifier: GPL-2.0 */
/*
 * report: everything a report shows, gathered in one pass: the summary, the rows of --by, and what
 * the detail of a pair needs. Views (ui/) take it read-only.
 */
#ifndef MIG_REPORT_H
#define MIG_REPORT_H

#include "column.h"
#include "group.h"
#include "hash.h"
#include "label.h"
#include "llc-story.h"
#include "miss-symbols.h"
#include "price.h"
#include "session.h"
#include "slowest.h"
#include "summary.h"

struct report_move {
	int from, to;
	uint64_t n;
};

/* Moves by CPU pair; by their numbers once all are read. */
struct report_moves {
	struct hash hash;
	struct report_move *moves;
	uint32_t nr, max;
};

struct report {
	struct session *session; /* borrowed */
	struct mig_summary sum;
	struct mig_table table; /* rows of --by; within them at most REPORT_MAX_TIDS tid pairs */
	struct mig_table paths; /* by path; only with pair_detail */
	struct mig_table all; /* everything in one row; only with pair_detail */
	struct report_moves moves;
	struct slowest slowest;
	unsigned max_slowest; /* how many of them to keep */
	bool pair_detail;
	bool text; /* the busiest threads are wanted, too */
	bool matrix; /* CPU by CPU instead of rows */
	bool want_symbols; /* `symbols` instead of rows; needs session_opts.want_mmaps */
	struct miss_symbols symbols; /* dsos.symfs and its like may be set before run */
	bool want_insights; /* of pairs: what stands out; set before run, it needs MIG_PART_BOUNCE
			     */
	bool want_llc; /* `llc` instead of rows */
	struct llc_story llc;
	struct price_summary price; /* where MIG_PART_PRICE is wanted */
	struct labels labels; /* rules may be added before run */
	struct mig_column_ctx cctx;
	struct mig_columns cols;
	struct mig_sort sort;
	const char *fields, *sort_arg; /* as typed, NULL = the grouping's own */
	struct mig_fact_ops also; /* further receivers of the facts; NULL = none */
	void *also_ctx;
	bool has_more; /* facts go elsewhere than to `table`, too; set by run */
	uint32_t want; /* bits 1 << enum mig_part: of views; what columns need is added by run */
	const struct cost_file *prices; /* borrowed; NULL = none */
	uint64_t within_ns; /* how soon a move must follow to undo or repeat another */
	double percent_limit; /* of wakeups (of migrations where there are none) */
	int verbose;
	bool fine;
};

#define REPORT_MAX_TIDS 20000

/*
 * dims: of --by. Fields may be set between init and run: fields, sort_arg, want, prices,
 * within_ns,
 * percent_limit, verbose, fine, table.open_irq, pair_detail, text, matrix, want_llc, want_insights,
 * max_slowest, also, also_ctx.
 */
void report__init(struct report *r, struct session *s, uint32_t dims);
void report__exit(struct report *r);
/* Reads the recording to its end, sorts the rows. Columns and keys are checked before reading. */
int report__run(struct report *r, struct mig_err *err);

/* The counter that misses/ms is about; NULL when there is none. */
const struct mig_counter *report__miss(const struct report *r);
/* Why extra misses have no price in this recording, --cost or not; NULL = they can have one. */
const char *report__no_prices(const struct report *r);
/* The table whose tid pairs a text shows. */
const struct mig_table *report__tids(const struct report *r);
/* Is row below --percent-limit? */
bool report__below_limit(const struct report *r, const struct mig_row *row);
/* cachemisses/migrations, truncated; MIG_NULL when unknown, without migrations, of one pair. */
uint64_t report__ratio(const struct report *r);
/* Total of a group counter, MIG_NULL when refused or never known. */
uint64_t report__misses(const struct report *r, unsigned counter);
/* Sum of a sampled counter, MIG_NULL when beyond 64 bits or when the recording has no samples. */
uint64_t report__sampled(const struct report *r, unsigned counter);
/* The sum of the sampled miss counter is beyond 64 bits. */
bool report__sampled_overflow(const struct report *r);
/* The cpu-migrations software counter (not the number of migrations), MIG_NULL if not recorded. */
uint64_t report__cpu_migrations(const struct report *r);
/* Misses of the primary kind: exact if the group holds one, else sampled; *ret_sampled says which.
 */
uint64_t report__primary_misses(const struct report *r, const char **ret_name, bool *ret_sampled);
/* Index of the sampled counter that "misses" means, -1 = none. */
int report__sampled_miss(const struct report *r);
/* Events lost: two counts of the same, of which the larger saw more. */
static inline uint64_t report__lost(const struct report *r)
{
	const struct decode *d = &r->session->dec;

	return d->lost_records > d->lost_samples ? d->lost_records : d->lost_samples;
}
/* CPUs of the machine; where no topology tells, up to the last one with an event. */
unsigned report__nr_cpus(const struct report *r);
/* Does the recording hold (decodable) events of this type? */
static inline bool report__has(const struct report *r, enum mig_event_type type)
{
	return r->session->dec.seen[type];
}

#endif
