/* SPDX-License-Identifier: GPL-2.0 */
/*
 * series: one metric over results in order (commits, dates): where does it change, and on which
 * side of the change is each result?
 *
 * Of all places to cut the series in two the one with the largest standardised Mann-Whitney U is
 * taken (Pettitt's test with sizes allowed for); its p is multiplied by the number of places. Then
 * each result is judged by its own runs: likelier as runs of the results before the cut, or of
 * those after it. Documentation/comparing.md.
 */
#ifndef MIG_SERIES_H
#define MIG_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "compare.h"

enum series_class {
	SERIES_UNDECIDED, /* its runs fit both sides */
	SERIES_GOOD, /* as before the change */
	SERIES_BAD, /* as after it */
	SERIES_NO_RUNS,
};

struct series_point {
	const struct run_arm *arm;
	struct compare_side side;
	enum series_class class;
};

struct series {
	const char *metric, *unit; /* borrowed from the set */
	enum metric_better better;
	enum compare_family family;
	struct series_point *point; /* in the order of the set */
	size_t nr;
	size_t first; /* the first point after the change; 0 = there is none to look at */
	size_t unsure; /* points right before it that are undecided or have no runs */
	struct stats_two two; /* all runs before the change against all after it */
	double p; /* times the number of places; after series_list__build() adjusted */
	bool proven;
};

/* The series of all metrics of a block, primary ones first. */
struct series_list {
	struct series *series;
	size_t nr;
};

/* The block and its comparisons must outlive the list. -ENOMEM. */
int series_list__build(struct series_list *l, const struct compare_block *b);
void series_list__exit(struct series_list *l);

/* Does a primary metric (where none is primary, any) get worse, proven? */
bool series_list__is_worse(const struct series_list *l);

/* From this logarithm of a likelihood ratio on a result is decided: 100 to 1. */
#define SERIES_DECIDED 4.605170185988092

#endif
