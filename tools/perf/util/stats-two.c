// SPDX-License-Identifier: GPL-2.0
/*
 * stats-two: two samples against each other.
 */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "stats-int.h"
#include "stats.h"

static double u_statistic(const double *a, size_t n, const double *b, size_t m)
{
	double u = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < m; j++)
			u += b[j] > a[i] ? 1 : b[j] == a[i] ? 0.5 : 0;
	return u;
}

/* Sum of t^3 - t over the groups of equal values. */
static double tie_term(const double *sorted, size_t n)
{
	double sum = 0;
	size_t run;

	for (size_t i = 0; i < n; i += run) {
		for (run = 1; i + run < n && sorted[i + run] == sorted[i]; run++)
			;
		sum += (double)run * run * run - run;
	}
	return sum;
}

static double u_normal(double u, size_t n, size_t m, const double *sorted)
{
	double all = n + m, var, z;

	var = n * m / 12.0 * (all + 1 - tie_term(sorted, n + m) / (all * (all - 1)));
	if (var <= 0)
		return 1;
	z = (fabs(u - n * m / 2.0) - 0.5) / sqrt(var);
	return z <= 0 ? 1 : erfc(z / M_SQRT2);
}

/* Over all ways to pick b's ranks: twice the smaller tail, ties as midranks. */
static int u_exact(const double *both, size_t n, size_t m, double *ret_p)
{
	uint32_t *rank = malloc((n + m) * sizeof(*rank));
	uint64_t *count = NULL, le = 0, ge = 0, all = 0;
	size_t max, w = 0;
	int rc = rank ? stats__ranks2(both, n + m, rank) : -ENOMEM;

	if (!rc)
		rc = stats__choices(rank, n + m, m, &count, &max);
	if (rc)
		goto out;
	for (size_t i = n; i < n + m; i++)
		w += rank[i];
	for (size_t s = 0; s <= max; s++) {
		all += count[s];
		le += s <= w ? count[s] : 0;
		ge += s >= w ? count[s] : 0;
	}
	*ret_p = 2.0 * (le < ge ? le : ge) / all;
	if (*ret_p > 1)
		*ret_p = 1;
out:
	free(count);
	free(rank);
	return rc;
}

/*
 * How many differences to leave out at each end, and the level that is then achieved: the largest k
 * with P(U < k) <= 2.5% where all values are distinct. 0: no interval.
 */
static int hl_depth(size_t n, size_t m, size_t *ret_k, double *ret_conf)
{
	uint32_t ranks[2 * STATS_EXACT_MAX];
	uint64_t *count, below = 0, acc = 0, all = 0;
	size_t max, k = 0, base = m * (m + 1) / 2;
	int rc;

	if (n > STATS_EXACT_MAX || m > STATS_EXACT_MAX) {
		double z = n * m / 2.0 - STATS_Z95 * sqrt(n * m * (n + m + 1) / 12.0);

		*ret_k = z > 1 ? (size_t)z : 0;
		*ret_conf = *ret_k ? 0.95 : 1;
		return 0;
	}
	for (size_t i = 0; i < n + m; i++)
		ranks[i] = i + 1;
	rc = stats__choices(ranks, n + m, m, &count, &max);
	if (rc)
		return rc;
	for (size_t s = 0; s <= max; s++)
		all += count[s];
	for (size_t u = 0; u <= n * m; u++) {
		acc += count[base + u];
		if ((double)acc / all > 0.025)
			break;
		k = u + 1;
		below = acc;
	}
	free(count);
	*ret_k = k;
	*ret_conf = 1 - 2.0 * below / all;
	return 0;
}

/* The median of all differences b - a and its interval. */
static int hodges_lehmann(const double *a, size_t n, const double *b, size_t m, double *ret,
			  double *ret_conf)
{
	double *d = malloc(n * m * sizeof(*d)), *s;
	size_t k;
	int rc = d ? hl_depth(n, m, &k, ret_conf) : -ENOMEM;

	if (rc)
		goto out;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < m; j++)
			d[i * m + j] = b[j] - a[i];
	s = stats__sorted(d, n * m);
	if (!s) {
		rc = -ENOMEM;
		goto out;
	}
	ret[0] = stats__median_sorted(s, n * m);
	ret[1] = k ? s[k - 1] : -INFINITY;
	ret[2] = k ? s[n * m - k] : INFINITY;
	free(s);
out:
	free(d);
	return rc;
}

static int fill_hl(const double *a, size_t n, const double *b, size_t m, struct stats_two *t)
{
	double *log_both, r[3], conf;
	int rc = hodges_lehmann(a, n, b, m, r, &t->hl_conf);

	if (rc)
		return rc;
	t->hl = r[0];
	t->hl_lo = r[1];
	t->hl_hi = r[2];
	t->ratio_pct = t->ratio_lo_pct = t->ratio_hi_pct = NAN;
	log_both = malloc((n + m) * sizeof(*log_both));
	if (!log_both)
		return -ENOMEM;
	for (size_t i = 0; i < n + m; i++) {
		double v = i < n ? a[i] : b[i - n];

		if (v <= 0)
			goto out;
		log_both[i] = log(v);
	}
	rc = hodges_lehmann(log_both, n, log_both + n, m, r, &conf);
	if (rc)
		goto out;
	t->ratio_pct = 100 * expm1(r[0]);
	t->ratio_lo_pct = 100 * expm1(r[1]);
	t->ratio_hi_pct = 100 * expm1(r[2]);
out:
	free(log_both);
	return rc;
}

/* The t-tests and the effect sizes that use a variance. */
static void fill_t(const double *a, size_t n, const double *b, size_t m, struct stats_two *t)
{
	double va = stats__variance(a, n), vb = stats__variance(b, m);
	double ea = va / n, eb = vb / m, df = n + m - 2.0;
	double diff = stats__mean(b, m) - stats__mean(a, n), half;

	t->welch_t = t->welch_df = t->welch_p = t->welch_lo = t->welch_hi = NAN;
	t->pooled_t = t->pooled_p = t->pooled_sd = t->cohen = t->hedges = NAN;
	if (n < 2 || m < 2 || va + vb <= 0)
		return;
	t->welch_t = diff / sqrt(ea + eb);
	t->welch_df = (ea + eb) * (ea + eb) / (ea * ea / (n - 1) + eb * eb / (m - 1));
	t->welch_p = stats__t_p(t->welch_t, t->welch_df);
	half = stats__t_quantile(0.05, t->welch_df) * sqrt(ea + eb);
	t->welch_lo = diff - half;
	t->welch_hi = diff + half;
	t->pooled_sd = sqrt(((n - 1) * va + (m - 1) * vb) / df);
	t->pooled_t = diff / (t->pooled_sd * sqrt(1.0 / n + 1.0 / m));
	t->pooled_p = stats__t_p(t->pooled_t, df);
	t->cohen = diff / t->pooled_sd;
	t->hedges = t->cohen * (1 - 3 / (4 * df - 1));
}

/*
 * The share of orders in which the two step functions are nowhere further apart than d, counted as
 * paths on a grid; ties make it cautious.
 */
static int ks_p(size_t n, size_t m, double d, double *ret_p)
{
	double *ways = calloc(m + 1, sizeof(*ways));

	if (!ways)
		return -ENOMEM;
	for (size_t i = 0; i <= n; i++) {
		for (size_t j = 0; j <= m; j++) {
			double apart = fabs((double)i / n - (double)j / m), left, up, all = i + j;

			/* shares of paths, not counts: nothing overflows */
			left = i ? ways[j] * i / all : 0;
			up = j ? ways[j - 1] * j / all : 0;
			ways[j] = apart >= d - 1e-9 ? 0 : i + j ? left + up : 1;
		}
	}
	*ret_p = 1 - ways[m];
	free(ways);
	return 0;
}

/* a and b sorted. */
static double ks_distance(const double *a, size_t n, const double *b, size_t m)
{
	size_t i = 0, j = 0;
	double d = 0, apart;

	while (i < n && j < m) {
		double at = a[i] < b[j] ? a[i] : b[j];

		while (i < n && a[i] == at)
			i++;
		while (j < m && b[j] == at)
			j++;
		apart = fabs((double)i / n - (double)j / m);
		if (apart > d)
			d = apart;
	}
	return d;
}

static int fill_ks(const double *a, size_t n, const double *b, size_t m, struct stats_two *t)
{
	double *sa = stats__sorted(a, n), *sb = stats__sorted(b, m);
	int rc = sa && sb ? 0 : -ENOMEM;

	if (!rc) {
		t->ks_d = ks_distance(sa, n, sb, m);
		rc = ks_p(n, m, t->ks_d, &t->ks_p);
		t->change_median_pct =
			stats__percent(stats__median_sorted(sb, m) - stats__median_sorted(sa, n),
				       stats__median_sorted(sa, n));
	}
	free(sa);
	free(sb);
	return rc;
}

static int fill_u(const double *a, size_t n, const double *b, size_t m, struct stats_two *t)
{
	double *both = malloc((n + m) * sizeof(*both)), *sorted = NULL;
	int rc = -ENOMEM;

	if (!both)
		return rc;
	memcpy(both, a, n * sizeof(*both));
	memcpy(both + n, b, m * sizeof(*both));
	sorted = stats__sorted(both, n + m);
	if (!sorted)
		goto out;
	t->u = u_statistic(a, n, b, m);
	t->p_normal = u_normal(t->u, n, m, sorted);
	t->identical = sorted[0] == sorted[n + m - 1];
	t->exact = n <= STATS_EXACT_MAX && m <= STATS_EXACT_MAX;
	t->p = t->p_normal;
	rc = t->exact ? u_exact(both, n, m, &t->p) : 0;
out:
	free(sorted);
	free(both);
	return rc;
}

int stats__two(const double *a, size_t n, const double *b, size_t m, struct stats_two *ret)
{
	int rc;

	if (!n || !m)
		return -EINVAL;
	*ret = (struct stats_two){ .n = n, .m = m };
	ret->change_pct = stats__percent(stats__mean(b, m) - stats__mean(a, n), stats__mean(a, n));
	rc = fill_u(a, n, b, m, ret);
	if (!rc)
		rc = fill_hl(a, n, b, m, ret);
	if (!rc)
		rc = fill_ks(a, n, b, m, ret);
	if (rc)
		return rc;
	ret->superiority = ret->u / ((double)n * m);
	ret->cliff = 2 * ret->superiority - 1;
	fill_t(a, n, b, m, ret);
	return 0;
}
