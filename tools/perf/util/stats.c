// SPDX-License-Identifier: GPL-2.0
/*
 * stats: one sample, and what all of stats*.c shares.
 */
#include "stats.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "stats-int.h"

/* Neumaier: what a plain sum of values of different size loses is kept. */
double stats__sum(const double *x, size_t n)
{
	long double sum = 0, lost = 0, t;

	for (size_t i = 0; i < n; i++) {
		t = sum + x[i];
		lost += fabsl(sum) >= fabs(x[i]) ? (sum - t) + x[i] : (x[i] - t) + sum;
		sum = t;
	}
	return (double)(sum + lost);
}

double stats__mean(const double *x, size_t n)
{
	return stats__sum(x, n) / n;
}

static double squares(const double *x, size_t n)
{
	double mean = stats__mean(x, n);
	long double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += ((long double)x[i] - mean) * ((long double)x[i] - mean);
	return (double)sum;
}

double stats__variance(const double *x, size_t n)
{
	return n > 1 ? squares(x, n) / (n - 1) : NAN;
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double *stats__sorted(const double *x, size_t n)
{
	double *s = malloc((n ? n : 1) * sizeof(*s));

	if (!s)
		return NULL;
	if (n)
		memcpy(s, x, n * sizeof(*s));
	qsort(s, n, sizeof(*s), compare_doubles);
	return s;
}

double stats__median_sorted(const double *s, size_t n)
{
	return n % 2 ? s[n / 2] : (s[n / 2 - 1] + s[n / 2]) / 2;
}

double stats__percent(double sd, double mean)
{
	return mean != 0 ? 100 * sd / mean : NAN;
}

static void fill_means(const double *x, size_t n, struct stats_one *s)
{
	long double logs = 0, inverse = 0;

	for (size_t i = 0; i < n; i++) {
		if (x[i] <= 0) {
			s->geomean = s->hmean = NAN;
			return;
		}
		logs += logl(x[i]);
		inverse += 1 / (long double)x[i];
	}
	s->geomean = (double)expl(logs / n);
	s->hmean = (double)(n / inverse);
}

/*
 * The narrowest symmetric pair of order statistics that covers the median in 95% of samples:
 * it misses with 2 * P(Binomial(n, 1/2) < k).
 */
static void fill_median_interval(const double *sorted, size_t n, struct stats_one *s)
{
	double term = pow(0.5, n), tail = 0, best = 0;
	size_t k = 0;

	for (size_t i = 0; i < n / 2; i++) {
		tail += term;
		if (2 * tail > 0.05 + 1e-12)
			break;
		k = i + 1;
		best = tail;
		term *= (double)(n - i) / (i + 1);
	}
	s->median_lo = k ? sorted[k - 1] : -INFINITY;
	s->median_hi = k ? sorted[n - k] : INFINITY;
	s->median_conf = 1 - 2 * best;
}

int stats__one(const double *x, size_t n, struct stats_one *ret)
{
	double *s, half;

	if (!n)
		return -EINVAL;
	s = stats__sorted(x, n);
	if (!s)
		return -ENOMEM;
	*ret = (struct stats_one){ .n = n, .mean = stats__mean(x, n) };
	ret->min = s[0];
	ret->max = s[n - 1];
	ret->median = stats__median_sorted(s, n);
	ret->median_upper = s[n / 2];
	ret->sd = sqrt(stats__variance(x, n));
	ret->sd_pop = sqrt(squares(x, n) / n);
	fill_means(x, n, ret);
	fill_median_interval(s, n, ret);
	half = n > 1 ? stats__t_quantile(0.05, n - 1) * ret->sd / sqrt(n) : NAN;
	ret->mean_lo = ret->mean - half;
	ret->mean_hi = ret->mean + half;
	for (size_t i = 0; i < n; i++)
		s[i] = fabs(x[i] - ret->median);
	qsort(s, n, sizeof(*s), compare_doubles);
	ret->mad = stats__median_sorted(s, n);
	free(s);
	return 0;
}

int stats__ranks2(const double *x, size_t n, uint32_t *ret_rank2)
{
	double *s = stats__sorted(x, n);
	size_t below, same;

	if (!s)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		below = same = 0;
		for (size_t j = 0; j < n && s[j] <= x[i]; j++) {
			below += s[j] < x[i];
			same += s[j] == x[i];
		}
		ret_rank2[i] = 2 * below + same + 1;
	}
	free(s);
	return 0;
}

int stats__choices(const uint32_t *v, size_t n, size_t k, uint64_t **ret_count, size_t *ret_max)
{
	size_t max = 0, width;
	uint64_t *dp;

	for (size_t i = 0; i < n; i++)
		max += v[i];
	width = max + 1;
	dp = calloc((k + 1) * width, sizeof(*dp));
	if (!dp)
		return -ENOMEM;
	dp[0] = 1;
	for (size_t i = 0; i < n; i++) {
		for (size_t c = k; c-- > 0;) {
			uint64_t *from = dp + c * width, *to = from + width + v[i];

			for (size_t s = 0; s + v[i] <= max; s++)
				to[s] += from[s];
		}
	}
	memmove(dp, dp + k * width, width * sizeof(*dp));
	*ret_count = dp;
	*ret_max = max;
	return 0;
}

bool stats__is_outlier(const struct stats_one *s, double x)
{
	return s->mad > 0 && fabs(x - s->median) > 3.5 * s->mad / 0.6745;
}
