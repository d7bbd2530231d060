/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stats: the numbers of a few repeated runs.
 *
 * In: arrays of finite doubles, one value a run, in run order. Out: figures by value. Nothing is
 * ever left out of a sample. Every figure is defined in Documentation/comparing.md; the tests hold
 * them against values computed by other programs (tests/data/golden/statistics.tsv).
 *
 * Errors: -EINVAL for an empty sample, -ENOMEM. A figure that does not exist is NAN (the spread of
 * one run, the geometric mean of a zero).
 */
#ifndef MIG_STATS_H
#define MIG_STATS_H

#include <stdbool.h>
#include <stddef.h>

/* One sample. */
struct stats_one {
	size_t n;
	double mean, min, max;
	double sd; /* divided by n - 1 */
	double sd_pop; /* divided by n: what LKP prints */
	double median; /* mean of the middle two where n is even */
	double median_upper; /* sorted[n / 2]: LKP's */
	double mad; /* median of |x - median|, not scaled */
	double geomean, hmean;
	double mean_lo, mean_hi; /* 95% interval of the mean, Student's t */
	double median_lo, median_hi; /* of the median, by order statistics, at least 95% ... */
	double median_conf; /* ... this level; +-INFINITY and 1 where n is too small */
};

int stats__one(const double *x, size_t n, struct stats_one *ret);

/* 100 * sd / mean, NAN without a mean. */
double stats__percent(double sd, double mean);

/* Two samples, a the base: figures above zero mean b is larger. */
struct stats_two {
	size_t n, m;
	double change_pct; /* of the means */
	double change_median_pct;
	double u; /* pairs with b > a, ties half */
	double p; /* Mann-Whitney, two-sided: exact up to STATS_EXACT_MAX runs a side, else normal
		   */
	double p_normal; /* its approximation, corrected for ties and continuity */
	bool exact;
	bool identical; /* all values of both are the same one */
	double welch_t, welch_df, welch_p, welch_lo, welch_hi; /* unequal variances */
	double pooled_t, pooled_p, pooled_sd; /* Student's; what ministat computes */
	double hl, hl_lo, hl_hi; /* Hodges-Lehmann shift and its interval by inversion */
	double hl_conf; /* the level that interval achieves; 1 where it is infinite */
	double ratio_pct, ratio_lo_pct, ratio_hi_pct; /* the same on logarithms; NAN unless all > 0
						       */
	double superiority; /* P(b > a) */
	double cliff, cohen, hedges;
	double ks_d, ks_p; /* Kolmogorov-Smirnov: did the shape change */
};

enum { STATS_EXACT_MAX = 25 };

int stats__two(const double *a, size_t n, const double *b, size_t m, struct stats_two *ret);

/* Pairs of values, one a run. */
struct stats_corr {
	size_t n;
	double pearson, pearson_p; /* p: t with n - 2 degrees */
	double pearson_lo, pearson_hi; /* 95%, Fisher's z; NAN below n = 4 */
	double spearman, spearman_p_t; /* midranks */
	double spearman_p; /* by all permutations up to n = 8, else spearman_p_t */
};

/* NAN figures where one side does not vary or n < 3. */
int stats__corr(const double *x, const double *y, size_t n, struct stats_corr *ret);

/*
 * Pearson's r within groups: group[i] says which sample run i belongs to, and each group's mean is
 * taken off first. NAN if one side does not vary.
 */
int stats__corr_within(const double *x, const double *y, const int *group, size_t n, double *ret_r);

/* Does a sample rise or fall with the run number? Spearman against 1, 2, 3, ... */
int stats__drift(const double *x, size_t n, double *ret_rho, double *ret_p);

/* Is run i far from the median: |x - median| > 3.5 * MAD / 0.6745. Never true where MAD is 0. */
bool stats__is_outlier(const struct stats_one *s, double x);

/* The best split of a sample into a low and a high part. */
struct stats_split {
	size_t nr_low, nr_high;
	double low, high; /* means of the parts */
	double low_median, high_median;
	double gap; /* from the highest low to the lowest high value */
	double r2; /* share of the variance that the split explains */
	double limit; /* what one normal sample of this size reaches in 1 of 100; NAN: n too small
		       */
	bool two_modes; /* r2 > limit, n >= 8, two runs or more on each side */
};

int stats__split(const double *x, size_t n, struct stats_split *ret);

/*
 * Of which of two samples are the runs x: the logarithm of how much likelier they are as further
 * runs of b than of a; above 0 speaks for b. Each run counts by Student's t as a prediction from
 * the sample: few runs of a sample, or a wide spread, say little, and no single run decides alone
 * against many. Taken on logarithms where all values are above 0. a and b need two runs each.
 */
int stats__likelihood(const double *x, size_t k, const double *a, size_t n, const double *b,
		      size_t m, double *ret_llr);

/* Adjusted p-values in place of p: Holm (any of them wrong), Benjamini-Hochberg (share wrong). */
int stats__holm(double *p, size_t n);
int stats__bh(double *p, size_t n);

/* The smallest p that n + m runs can give, all of one side above the other. */
double stats__smallest_p(size_t n, size_t m);
/* The smallest n for which n + n runs can give a p of alpha or less; 0 if alpha <= 0. */
size_t stats__runs_needed(double alpha);

/* Two-sided p of Student's t, and the t whose two-sided p is this. */
double stats__t_p(double t, double df);
double stats__t_quantile(double p, double df);

#endif
