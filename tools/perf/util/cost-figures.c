// SPDX-License-Identifier: GPL-2.0
#include "cost-figures.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double cost__quantile(const double *sorted, size_t n, double q)
{
	double at = q * (n - 1);
	size_t i = (size_t)at;

	return i + 1 < n ? sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}

/* --- modes --- */

enum { BINS_PER_OCTAVE = 4, NR_BINS = 40 * BINS_PER_OCTAVE, MODE_LEAST = 5 };

static int bin_of(double x)
{
	int bin = x > 1 ? (int)(log2(x) * BINS_PER_OCTAVE) : 0;

	return bin < NR_BINS ? bin : NR_BINS - 1;
}

/* Three bins at a time, so that a heap that straddles two is one. */
static size_t height(const size_t *count, int bin)
{
	return count[bin] + (bin ? count[bin - 1] : 0) + (bin + 1 < NR_BINS ? count[bin + 1] : 0);
}

static size_t sum(const size_t *count, int from, int to)
{
	size_t n = 0;

	for (int i = from; i < to; i++)
		n += count[i];
	return n;
}

/* The bin with the highest heap around it, all of which lies in [from, to). */
static int find_peak(const size_t *count, int from, int to)
{
	int peak = from;

	for (int i = from; i + 1 < to; i++) {
		if (height(count, i) > height(count, peak))
			peak = i;
	}
	return peak;
}

/* One bin against three: less than a third of a third. */
static bool is_valley(const size_t *count, int from, int at, size_t least)
{
	int left = find_peak(count, from, at), right = find_peak(count, at + 2, NR_BINS);

	return right - left >= 3 && 9 * count[at] < height(count, left) &&
	       9 * count[at] < height(count, right) && sum(count, from, at) >= least &&
	       sum(count, at + 1, NR_BINS) >= least;
}

/* Where the values from bin 'from' on are cut first: the bottom of a valley. -1 if nowhere. */
static int find_cut(const size_t *count, int from, size_t least)
{
	for (int at = from + 1; at + 2 < NR_BINS; at++) {
		if (!is_valley(count, from, at, least))
			continue;
		while (count[at + 1] <= count[at] && is_valley(count, from, at + 1, least))
			at++;
		return at;
	}
	return -1;
}

/* The last mode is open upward. */
static void fill_modes(const double *sorted, size_t n, struct cost_modes *m)
{
	size_t at = 0;

	for (unsigned i = 0; i < m->nr; i++) {
		size_t first = at;

		while (at < n && (i + 1 == m->nr || sorted[at] <= m->mode[i].hi))
			at++;
		m->mode[i].nr = at - first;
		m->mode[i].median = at > first ? cost__quantile(sorted + first, at - first, 0.5)
					       : NAN;
	}
}

int cost_modes__find(const double *x, size_t n, double share, struct cost_modes *ret)
{
	size_t count[NR_BINS] = { 0 }, least = (size_t)(share * n);
	double *sorted, lo = 0;
	int from = 0, cut;

	memset(ret, 0, sizeof(*ret));
	if (!n)
		return -EINVAL;
	sorted = malloc(n * sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	memcpy(sorted, x, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), compare_doubles);
	for (size_t i = 0; i < n; i++)
		count[bin_of(x[i])]++;
	if (least < MODE_LEAST)
		least = MODE_LEAST;
	do {
		struct cost_mode *m = &ret->mode[ret->nr++];

		cut = ret->nr < COST_MAX_MODES ? find_cut(count, from, least) : -1;
		m->lo = lo;
		m->hi = cut < 0 ? INFINITY : exp2((cut + 0.5) / BINS_PER_OCTAVE);
		lo = m->hi;
		from = cut;
	} while (cut >= 0);
	fill_modes(sorted, n, ret);
	free(sorted);
	return 0;
}

unsigned cost_modes__of(const struct cost_modes *m, double x)
{
	unsigned i = 0;

	while (i + 1 < m->nr && x > m->mode[i].hi)
		i++;
	return i;
}

/* --- figures --- */

static void spread(double *x, size_t n, struct cost_spread *ret)
{
	struct stats_one one;

	*ret = (struct cost_spread){ n, NAN, NAN, NAN, -INFINITY, INFINITY };
	if (!n || stats__one(x, n, &one))
		return;
	qsort(x, n, sizeof(*x), compare_doubles);
	ret->q1 = cost__quantile(x, n, 0.25);
	ret->median = one.median;
	ret->q3 = cost__quantile(x, n, 0.75);
	ret->lo = one.median_lo;
	ret->hi = one.median_hi;
}

/* Which samples: of one allocation (-1 all), to one CPU (-1 both). */
static size_t collect(const struct cost_samples *s, const struct cost_modes *modes, unsigned mode,
		      int alloc, int to, double *moved, double *stay)
{
	size_t n = 0;

	for (size_t i = 0; i < s->nr; i++) {
		const struct cost_sample *p = &s->s[i];

		if (p->drop != COST_CLEAN || cost_modes__of(modes, p->probe_before) != mode ||
		    cost_modes__of(modes, p->probe_after) != mode ||
		    (alloc >= 0 && p->alloc != alloc) || (to >= 0 && p->to != to))
			continue;
		moved[n] = p->moved;
		stay[n++] = p->stay;
	}
	return n;
}

static double difference(double *moved, double *stay, size_t n)
{
	struct cost_spread m, s;

	spread(moved, n, &m);
	spread(stay, n, &s);
	return m.median - s.median;
}

static void fill_allocs(const struct cost_samples *s, const struct cost_modes *modes, unsigned mode,
			double *moved, double *stay, struct cost_figures *f)
{
	int last = 0;

	f->alloc_min = INFINITY;
	f->alloc_max = -INFINITY;
	for (size_t i = 0; i < s->nr; i++)
		last = s->s[i].alloc > last ? s->s[i].alloc : last;
	for (int a = 0; a <= last; a++) {
		size_t n = collect(s, modes, mode, a, -1, moved, stay);
		double cost;

		if (n < COST_ALLOC_FEW)
			continue;
		cost = difference(moved, stay, n);
		f->alloc_min = fmin(f->alloc_min, cost);
		f->alloc_max = fmax(f->alloc_max, cost);
		f->nr_allocs++;
	}
	if (f->nr_allocs < 2)
		f->alloc_min = f->alloc_max = NAN;
}

static void count_drops(const struct cost_samples *s, const struct cost_modes *modes, unsigned mode,
			struct cost_figures *f)
{
	for (size_t i = 0; i < s->nr; i++) {
		const struct cost_sample *p = &s->s[i];

		if (cost_modes__of(modes, p->probe_before) == mode &&
		    (p->drop != COST_CLEAN || cost_modes__of(modes, p->probe_after) != mode))
			f->dropped[p->drop]++;
	}
}

int cost_figures__fill(const struct cost_samples *samples, const struct cost_modes *modes,
		       unsigned mode, struct cost_figures *ret)
{
	double *moved = malloc((samples->nr + 1) * sizeof(*moved));
	double *stay = malloc((samples->nr + 1) * sizeof(*stay));
	struct cost_modes heaps;
	int rc = -ENOMEM;
	size_t n;

	memset(ret, 0, sizeof(*ret));
	if (!moved || !stay)
		goto out;
	rc = 0;
	count_drops(samples, modes, mode, ret);
	fill_allocs(samples, modes, mode, moved, stay, ret);
	for (int to = 0; to < 2; to++) {
		n = collect(samples, modes, mode, -1, to, moved, stay);
		ret->to[to] = difference(moved, stay, n);
	}
	n = collect(samples, modes, mode, -1, -1, moved, stay);
	spread(moved, n, &ret->moved);
	spread(stay, n, &ret->stay);
	ret->cost = ret->moved.median - ret->stay.median;
	ret->q1 = ret->moved.q1 - ret->stay.median;
	ret->q3 = ret->moved.q3 - ret->stay.median;
	ret->lo = ret->moved.lo - ret->stay.hi;
	ret->hi = ret->moved.hi - ret->stay.lo;
	if (n >= COST_FEW) {
		rc = cost_modes__find(moved, n, 0.25, &heaps);
		ret->two_heaps = !rc && heaps.nr > 1;
	}
out:
	free(moved);
	free(stay);
	return rc;
}

bool cost_figures__is_cost(const struct cost_figures *f)
{
	return f->moved.n && f->lo > 0;
}

double cost_figures__drop_share(const struct cost_figures *f)
{
	size_t dropped = 0;

	for (int i = 0; i < COST_NR_DROPS; i++)
		dropped += f->dropped[i];
	return dropped ? (double)dropped / (dropped + f->moved.n) : 0;
}

double cost__crossing(const double *size, const double *cost, size_t n, double limit)
{
	size_t before = n;

	for (size_t i = 0; i < n; i++) {
		if (isnan(cost[i]))
			continue;
		if (cost[i] < limit) {
			before = i;
			continue;
		}
		if (before == n)
			return -1;
		/* what is no cost at all has no logarithm */
		if (cost[before] <= 0)
			return size[i];
		return size[before] * pow(size[i] / size[before],
					  log(limit / cost[before]) / log(cost[i] / cost[before]));
	}
	return 0;
}

size_t cost__knees(const double *size, const double *ns_per_line, size_t n, double *ret, size_t max)
{
	size_t nr = 0;

	for (size_t i = 0; i + 1 < n && nr < max; i++) {
		if (ns_per_line[i] > 0 && ns_per_line[i + 1] >= 1.5 * ns_per_line[i])
			ret[nr++] = size[i];
	}
	return nr;
}
