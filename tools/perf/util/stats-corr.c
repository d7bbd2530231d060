// SPDX-License-Identifier: GPL-2.0
/*
 * stats-corr: do two figures of the same runs go together; does one go with the run number.
 */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "stats-int.h"
#include "stats.h"

enum { PERMUTE_MAX = 8 };

static double pearson(const double *x, const double *y, size_t n)
{
	double mx = stats__mean(x, n), my = stats__mean(y, n);
	long double xy = 0, xx = 0, yy = 0;

	for (size_t i = 0; i < n; i++) {
		xy += ((long double)x[i] - mx) * (y[i] - my);
		xx += ((long double)x[i] - mx) * (x[i] - mx);
		yy += ((long double)y[i] - my) * (y[i] - my);
	}
	return xx > 0 && yy > 0 ? (double)(xy / sqrtl(xx * yy)) : NAN;
}

static double corr_p(double r, size_t n)
{
	if (isnan(r) || n < 3)
		return NAN;
	return fabs(r) >= 1 ? 0 : stats__t_p(r * sqrt((n - 2) / (1 - r * r)), n - 2.0);
}

struct permute {
	double *x, *y;
	size_t n;
	double limit; /* |sum of products about the means| that counts as extreme */
	double fixed; /* n * mean(x) * mean(y) */
	size_t all, extreme;
};

/* Heap's algorithm over x. */
static void permute(struct permute *p, size_t k)
{
	double sum = 0;

	if (k <= 1) {
		for (size_t i = 0; i < p->n; i++)
			sum += p->x[i] * p->y[i];
		p->all++;
		p->extreme += fabs(sum - p->fixed) >= p->limit;
		return;
	}
	for (size_t i = 0; i < k; i++) {
		size_t j = k % 2 ? 0 : i;
		double t;

		permute(p, k - 1);
		t = p->x[j];
		p->x[j] = p->x[k - 1];
		p->x[k - 1] = t;
	}
}

static double permutation_p(double *x, double *y, size_t n)
{
	struct permute p = { .x = x, .y = y, .n = n };
	double sum = 0;

	p.fixed = n * stats__mean(x, n) * stats__mean(y, n);
	for (size_t i = 0; i < n; i++)
		sum += x[i] * y[i];
	p.limit = fabs(sum - p.fixed) - 1e-9;
	permute(&p, n);
	return (double)p.extreme / p.all;
}

static int ranks(const double *x, size_t n, double *ret)
{
	uint32_t *rank2 = malloc(n * sizeof(*rank2));
	int rc = rank2 ? stats__ranks2(x, n, rank2) : -ENOMEM;

	for (size_t i = 0; !rc && i < n; i++)
		ret[i] = rank2[i] / 2.0;
	free(rank2);
	return rc;
}

int stats__corr(const double *x, const double *y, size_t n, struct stats_corr *ret)
{
	double *rx, z, half;
	int rc;

	*ret = (struct stats_corr){ n, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
	if (n < 3)
		return n ? 0 : -EINVAL;
	rx = malloc(2 * n * sizeof(*rx));
	rc = rx ? ranks(x, n, rx) : -ENOMEM;
	if (!rc)
		rc = ranks(y, n, rx + n);
	if (rc)
		goto out;
	ret->pearson = pearson(x, y, n);
	ret->pearson_p = corr_p(ret->pearson, n);
	if (n > 3 && fabs(ret->pearson) < 1) {
		z = atanh(ret->pearson);
		half = STATS_Z95 / sqrt(n - 3.0);
		ret->pearson_lo = tanh(z - half);
		ret->pearson_hi = tanh(z + half);
	}
	ret->spearman = pearson(rx, rx + n, n);
	ret->spearman_p = ret->spearman_p_t = corr_p(ret->spearman, n);
	if (n <= PERMUTE_MAX && !isnan(ret->spearman))
		ret->spearman_p = permutation_p(rx, rx + n, n);
out:
	free(rx);
	return rc;
}

int stats__corr_within(const double *x, const double *y, const int *group, size_t n, double *ret_r)
{
	double *cx = malloc((n ? n : 1) * 2 * sizeof(*cx)), *cy = cx + n, mx, my;
	size_t same;

	if (!cx)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		mx = my = 0;
		same = 0;
		for (size_t j = 0; j < n; j++) {
			if (group[j] != group[i])
				continue;
			mx += x[j];
			my += y[j];
			same++;
		}
		cx[i] = x[i] - mx / same;
		cy[i] = y[i] - my / same;
	}
	*ret_r = n ? pearson(cx, cy, n) : NAN;
	free(cx);
	return 0;
}

int stats__drift(const double *x, size_t n, double *ret_rho, double *ret_p)
{
	double *order = malloc((n ? n : 1) * sizeof(*order));
	struct stats_corr c;
	int rc;

	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		order[i] = i + 1;
	rc = stats__corr(order, x, n, &c);
	*ret_rho = c.spearman;
	*ret_p = c.spearman_p;
	free(order);
	return rc;
}
