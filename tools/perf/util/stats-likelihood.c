// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <math.h>

#include "stats.h"

/* What one sample predicts of a further run. */
struct predict {
	double centre, scale, df;
};

static double at(double x, bool logs)
{
	return logs ? log(x) : x;
}

static bool all_positive(const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(x[i] > 0))
			return false;
	return true;
}

static struct predict predict(const double *x, size_t n, bool logs)
{
	struct predict p = { .df = n - 1 };
	double square = 0;

	for (size_t i = 0; i < n; i++)
		p.centre += at(x[i], logs) / n;
	for (size_t i = 0; i < n; i++)
		square += pow(at(x[i], logs) - p.centre, 2);
	p.scale = sqrt(square / (n - 1) * (1 + 1.0 / n));
	return p;
}

/* The logarithm of the density of Student's t there. */
static double log_density(const struct predict *p, double x)
{
	double z = (x - p->centre) / p->scale;

	return lgamma((p->df + 1) / 2) - lgamma(p->df / 2) - log(p->df * M_PI) / 2 - log(p->scale) -
	       (p->df + 1) / 2 * log1p(z * z / p->df);
}

int stats__likelihood(const double *x, size_t k, const double *a, size_t n, const double *b,
		      size_t m, double *ret_llr)
{
	bool logs = all_positive(x, k) && all_positive(a, n) && all_positive(b, m);
	struct predict pa, pb;
	double least;

	if (!k || n < 2 || m < 2)
		return -EINVAL;
	pa = predict(a, n, logs);
	pb = predict(b, m, logs);
	/* runs that are all alike do not forbid one beside them: a hundredth of the distance */
	least = fabs(pa.centre - pb.centre) / 100;
	if (!(least > 0))
		least = fmax(fabs(pa.centre), 1) * 1e-9;
	pa.scale = fmax(pa.scale, least);
	pb.scale = fmax(pb.scale, least);
	*ret_llr = 0;
	for (size_t i = 0; i < k; i++)
		*ret_llr += log_density(&pb, at(x[i], logs)) - log_density(&pa, at(x[i], logs));
	return 0;
}
