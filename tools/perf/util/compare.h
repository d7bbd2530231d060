/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compare: two arms of a set of runs, metric by metric: what changed, for better or worse, and
 * whether these runs prove it.
 *
 * The rules are those of Documentation/comparing.md. In short: exact Mann-Whitney U; a few primary
 * metrics judged by Holm at alpha, the others and the pairs of tasks each by Benjamini-Hochberg.
 */
#ifndef MIG_COMPARE_H
#define MIG_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "runset.h"
#include "stats.h"

enum compare_family { COMPARE_PRIMARY, COMPARE_OTHER, COMPARE_PAIR, COMPARE_NR_FAMILIES };

enum compare_verdict {
	COMPARE_SAME_VALUE, /* = all runs of both gave the one value */
	COMPARE_NO_EVIDENCE, /* ~ */
	COMPARE_TOO_FEW, /* ? no result of so few runs could be proof */
	COMPARE_BETTER,
	COMPARE_WORSE,
	COMPARE_CHANGED, /* no direction is better */
	COMPARE_ONE_SIDE, /* the metric is in one arm only */
};

/* A side of a row. */
struct compare_side {
	double *x; /* the values that count, in run order */
	size_t *run; /* their run numbers, from 1 */
	size_t n;
	struct stats_one one; /* where n > 0 */
	struct stats_split split;
	double drift_rho, drift_p;
};

/* The runs of a metric that count; empty if the arm has none. -ENOMEM; to exit in any case. */
int compare_side__fill(struct compare_side *s, const struct run_arm *arm, const char *metric);
void compare_side__exit(struct compare_side *s);

struct compare_row {
	const char *name; /* borrowed from the set */
	const char *unit;
	const char *note; /* of the results file, or NULL */
	enum metric_better better;
	enum compare_family family;
	struct compare_side side[2]; /* base, other */
	struct stats_two two; /* where both sides have values */
	double adjusted_p; /* Holm or Benjamini-Hochberg, NAN where there is no test */
	size_t runs_needed; /* with COMPARE_TOO_FEW: this many a side could be proof */
	enum compare_verdict verdict;
	bool shown; /* by the rule of its family */
	size_t nr_alike; /* rows that say the same (|Spearman| >= 0.95) and are not shown */
	double aa_pct; /* change between the two control arms, NAN without --aa */
	double aa_p;
};

struct compare_options {
	double alpha; /* 0.05 */
	double fdr; /* 0.05 */
	bool all; /* show all rows */
	bool keep_alike; /* do not fold rows that say the same */
	const char *primary; /* comma-separated names instead of metric.h's, or NULL */
	const char *better; /* "name=higher,name=lower", or NULL */
	const struct run_arm *aa; /* the second control arm (the first is the base), or NULL */
};

struct compare {
	const struct run_arm *base, *other;
	struct compare_row *row;
	size_t nr;
	size_t nr_family[COMPARE_NR_FAMILIES], nr_tested, nr_shown;
	size_t nr_chance; /* with p < alpha by chance alone, expected, in the other families */
	struct compare_options opts;
};

/*
 * Compares the metrics of both arms, base first. The arms must outlive the comparison. -ENOMEM, or
 * -EINVAL with err for a list in opts that does not fit.
 */
int compare__build(struct compare *c, const struct run_arm *base, const struct run_arm *other,
		   const struct compare_options *opts, struct mig_err *err);
void compare__exit(struct compare *c);

const char *compare__verdict_name(enum compare_verdict v); /* "=", "~", "?", "better", "WORSE", ..
							    */

/* Is a change (sign as of the change) good (1), bad (-1) or neither (0)? */
int compare__goodness(enum metric_better better, double change);

/* Any primary metric WORSE (or, with strict, undecided)? Where none is primary, any metric. */
bool compare__is_worse(const struct compare *c, bool strict);

/*
 * compare-notes.c: what a reader has to know of a row: far runs, drift, two modes, the A/A control.
 * Up to COMPARE_NOTES_MAX texts that the caller frees; returns how many, or -ENOMEM.
 */
enum { COMPARE_NOTES_MAX = 12 };
int compare__notes(const struct compare *c, const struct compare_row *row,
		   char *ret[COMPARE_NOTES_MAX]);

/*
 * Differences of the environments that matter, one text each, in an array that ends with NULL; the
 * caller frees texts and array. NULL without memory.
 */
char **compare__environment(const struct run_arm *a, const struct run_arm *b);

/*
 * compare-table.c: all arms of a set: block by block (run_arm.group), each arm against the first of
 * its block. The set must outlive the table.
 */
struct compare_block {
	const char *group; /* NULL = the only one */
	const struct run_arm *base;
	struct compare *c; /* one for each other arm of the block; may be none */
	size_t nr;
};

struct compare_table {
	struct compare_block *block;
	size_t nr;
};

int compare_table__build(struct compare_table *t, const struct runset *set,
			 const struct compare_options *opts, struct mig_err *err);
void compare_table__exit(struct compare_table *t);
/* The row of that name, NULL if there is none. */
const struct compare_row *compare__find(const struct compare *c, const char *name);

/*
 * compare-gate.c: --fail-on 'NAME>+5%', 'NAME<-2%', 'NAME>1000': conditions on the change of the
 * means, or on the other arm's mean, separated by commas.
 */
struct compare_gate {
	const char *text; /* the condition, for messages; not terminated, len long */
	int len;
	bool tripped; /* the condition holds */
	bool undecided; /* but the runs do not prove a change */
	bool missing; /* no such metric on both sides */
	double value; /* what was compared with the limit */
};

/* -EINVAL with err for what is no condition. The caller frees *ret. */
int compare__gate(const struct compare *c, const char *conditions, struct compare_gate **ret,
		  size_t *ret_nr, struct mig_err *err);

#endif
