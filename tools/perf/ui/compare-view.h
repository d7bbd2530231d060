/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compare-view: a comparison as text for people, for mails and for other programs. Every view takes
 * the same table, read-only, and returns 0 or -EIO.
 */
#ifndef MIG_COMPARE_VIEW_H
#define MIG_COMPARE_VIEW_H

#include <stdbool.h>
#include <stdio.h>

struct compare;
struct compare_table;
struct runset;
struct run_arm;
struct series_list;

struct compare_view {
	const struct compare_table *table;
	const struct runset *set;
	const struct series_list *series; /* of each block; only for compare_view__series() */
	bool all; /* series that did not change, too */
	bool verbose; /* intervals and full names */
	bool corr; /* correlations between the primary metrics */
	unsigned per_line; /* of --format=runs */
};

/* compare-text.c: one line a metric: mean ~sd% change mean ~sd% p verdict name */
int compare_view__text(const struct compare_view *v, FILE *fp);
/* compare-corr.c: correlations over the runs of both arms; 0 or -ENOMEM */
int compare_view__corr(const struct compare *c, FILE *fp);
/* A coefficient in 9 columns; "-" where there is none, as with a constant. */
void compare_view__r(double r, FILE *fp);
/* compare-lkp.c: as the 0-day robot mailed it: population sd, truncated, TOTAL rows */
int compare_view__lkp(const struct compare_view *v, FILE *fp);
/* compare-suite.c: baseline 1, others as ratios, words for direction, notes */
int compare_view__suite(const struct compare_view *v, FILE *fp);
/* compare-runs.c: the raw runs with their average; the means side by side */
int compare_view__runs(const struct compare_view *v, FILE *fp);
int compare_view__values(const struct compare_view *v, FILE *fp);
/* compare-series.c: results in order, with a plot: which is the first bad one */
int compare_view__series(const struct compare_view *v, FILE *fp);
/* compare-pairs.c: pairs of tasks side by side; without a pair it prints nothing */
int compare_view__pairs(const struct compare_view *v, FILE *fp);
int compare_pairs__print(const struct compare_view *v, const struct compare *c, FILE *fp);
/* compare-style.c: tables as scheduler authors post them */
int compare_view__intel(const struct compare_view *v, FILE *fp);
int compare_view__intel_latency(const struct compare_view *v, FILE *fp);
int compare_view__amd(const struct compare_view *v, FILE *fp);
int compare_view__amd_diff(const struct compare_view *v, FILE *fp);
int compare_view__mmtests(const struct compare_view *v, FILE *fp);
int compare_view__schedstat(const struct compare_view *v, FILE *fp);
int compare_view__schedstat_count(const struct compare_view *v, FILE *fp);
/* compare-export.c, compare-json.c: for programs */
int compare_view__json(const struct compare_view *v, FILE *fp);
int compare_view__csv(const struct compare_view *v, FILE *fp);
int compare_view__go(const struct compare_view *v, FILE *fp);
int compare_view__ktap(const struct compare_view *v, FILE *fp);
int compare_view__junit(const struct compare_view *v, FILE *fp);
int compare_view__openmetrics(const struct compare_view *v, FILE *fp);

#endif
