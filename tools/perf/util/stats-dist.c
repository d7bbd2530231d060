// SPDX-License-Identifier: GPL-2.0
/*
 * stats-dist: Student's t, by the continued fraction of the incomplete beta function (Lentz).
 */
#include <math.h>

#include "stats.h"

static double guarded(double v)
{
	return fabs(v) < 1e-300 ? 1e-300 : v;
}

static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 / guarded(1 - (a + b) * x / (a + 1)), h = d, step;

	for (int m = 1; m < 10000; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

		d = 1 / guarded(1 + even * d);
		c = guarded(1 + even / c);
		h *= d * c;
		d = 1 / guarded(1 + odd * d);
		c = guarded(1 + odd / c);
		step = d * c;
		h *= step;
		if (fabs(step - 1) < 1e-16)
			break;
	}
	return h;
}

/* The regularised incomplete beta function. */
static double beta(double a, double b, double x)
{
	double front;

	if (x <= 0)
		return 0;
	if (x >= 1)
		return 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a
					 : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double stats__t_p(double t, double df)
{
	return beta(df / 2, 0.5, df / (df + t * t));
}

double stats__t_quantile(double p, double df)
{
	double lo = 0, hi = 1e4, mid;

	for (int i = 0; i < 200; i++) {
		mid = (lo + hi) / 2;
		if (stats__t_p(mid, df) > p)
			lo = mid;
		else
			hi = mid;
	}
	return (lo + hi) / 2;
}
