// SPDX-License-Identifier: GPL-2.0
/*
 * stats-many: many tests at once, how many runs a test needs, and two modes in one sample.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "stats-int.h"
#include "stats.h"

struct ranked {
	double p;
	size_t at;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return (x->p > y->p) - (x->p < y->p);
}

static struct ranked *rank(const double *p, size_t n)
{
	struct ranked *r = malloc((n ? n : 1) * sizeof(*r));

	if (!r)
		return NULL;
	for (size_t i = 0; i < n; i++)
		r[i] = (struct ranked){ p[i], i };
	qsort(r, n, sizeof(*r), compare_ranked);
	return r;
}

int stats__holm(double *p, size_t n)
{
	struct ranked *r = rank(p, n);
	double high = 0;

	if (!r)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		high = fmax(high, fmin(1, (n - i) * r[i].p));
		p[r[i].at] = high;
	}
	free(r);
	return 0;
}

int stats__bh(double *p, size_t n)
{
	struct ranked *r = rank(p, n);
	double low = 1;

	if (!r)
		return -ENOMEM;
	for (size_t i = n; i-- > 0;) {
		low = fmin(low, r[i].p * n / (i + 1));
		p[r[i].at] = low;
	}
	free(r);
	return 0;
}

double stats__smallest_p(size_t n, size_t m)
{
	double ways = 1;

	for (size_t i = 1; i <= m; i++)
		ways *= (double)(n + i) / i;
	return fmin(1, 2 / ways);
}

size_t stats__runs_needed(double alpha)
{
	size_t n = 1;

	if (alpha <= 0)
		return 0;
	while (stats__smallest_p(n, n) > alpha)
		n++;
	return n;
}

/*
 * The 99th percentile of r2 in normal samples, by simulation (20000 draws each); between them by
 * straight lines, beyond the last the last, which is cautious.
 */
static double split_limit(size_t n)
{
	static const struct {
		size_t n;
		double r2;
	} at[] = { { 8, .937 }, { 10, .907 }, { 20, .832 } };

	if (n < at[0].n)
		return NAN;
	for (size_t i = 1; i < sizeof(at) / sizeof(at[0]); i++) {
		if (n <= at[i].n)
			return at[i - 1].r2 + (at[i].r2 - at[i - 1].r2) * (n - at[i - 1].n) /
						      (at[i].n - at[i - 1].n);
	}
	return at[2].r2;
}

int stats__split(const double *x, size_t n, struct stats_split *ret)
{
	double *s = stats__sorted(x, n), all, best = INFINITY, within;
	size_t cut = 0;

	*ret = (struct stats_split){ .limit = split_limit(n), .r2 = NAN };
	if (!s)
		return -ENOMEM;
	all = n > 1 ? stats__variance(s, n) * (n - 1) : 0;
	for (size_t k = 1; k < n && all > 0; k++) {
		within = (k > 1 ? stats__variance(s, k) * (k - 1) : 0) +
			 (n - k > 1 ? stats__variance(s + k, n - k) * (n - k - 1) : 0);
		if (within < best) {
			best = within;
			cut = k;
		}
	}
	if (cut) {
		ret->nr_low = cut;
		ret->nr_high = n - cut;
		ret->low = stats__mean(s, cut);
		ret->high = stats__mean(s + cut, n - cut);
		ret->low_median = stats__median_sorted(s, cut);
		ret->high_median = stats__median_sorted(s + cut, n - cut);
		ret->gap = s[cut] - s[cut - 1];
		ret->r2 = 1 - best / all;
		ret->two_modes = n >= 8 && cut >= 2 && n - cut >= 2 && ret->r2 > ret->limit;
	}
	free(s);
	return 0;
}
