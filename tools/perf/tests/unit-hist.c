// SPDX-License-Identifier: GPL-2.0
/*
 * Percentiles against the sorted values themselves; merging against adding.
 */
#include "hist.h"
#include "tests.h"

static uint64_t state = 88172645463325252ULL;

static uint64_t rnd(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static int cmp(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Nearest rank: the smallest value with at least pct percent of all at or below it. */
static uint64_t exact(const uint64_t *sorted, size_t n, double pct)
{
	size_t k = (size_t)((double)n * pct / 100);

	while ((double)k * 100 < (double)n * pct)
		k++;
	return sorted[k ? k - 1 : 0];
}

static bool close_to(uint64_t got, uint64_t want, double by)
{
	double d = got > want ? (double)(got - want) : (double)(want - got);

	return d <= by * (double)want;
}

/* kind: how the values are spread */
static uint64_t value(int kind)
{
	switch (kind) {
	case 0:
		return rnd() % 30; /* small: exact */
	case 1:
		return 1000 + rnd() % 1000000;
	case 2:
		return 1ULL << (rnd() % 50); /* octaves */
	case 3:
		return (rnd() % 1000) * (rnd() % 1000) * (rnd() % 1000); /* a long tail */
	default:
		return rnd() % 4 ? 50000 + rnd() % 100 : 20000000 + rnd() % 100; /* two hills */
	}
}

static void percentiles(int kind, size_t n)
{
	static const double pcts[] = { 0, 1, 10, 25, 50, 75, 90, 99, 99.9, 100 };
	uint64_t *v = calloc(n, sizeof(*v)), sum = 0, max = 0, worst = 0;
	struct hist all = { 0 }, part[3] = { 0 };
	bool good = true, merged = true, monotone = true;
	size_t i;

	for (i = 0; i < n; i++) {
		v[i] = value(kind);
		sum += v[i];
		max = v[i] > max ? v[i] : max;
		if (hist__add(&all, v[i]) || hist__add(&part[i % 7 ? i % 2 : 2], v[i]))
			exit(1);
	}
	qsort(v, n, sizeof(*v), cmp);
	for (i = 0; i < sizeof(pcts) / sizeof(pcts[0]); i++) {
		uint64_t got = hist__percentile(&all, pcts[i]);

		good &= close_to(got, exact(v, n, pcts[i]), 0.03);
		monotone &= got >= worst && got <= max;
		worst = got;
	}
	ok(good, "kind %d, %zu values: percentiles within 3%%", kind, n);
	ok(monotone, "kind %d, %zu values: they rise and stay below the maximum", kind, n);
	ok(all.n == n && all.sum == sum && all.max == max, "kind %d, %zu values: n, sum, max", kind,
	   n);
	is_int((int64_t)hist__p99(&all), (int64_t)(n >= 100 ? hist__percentile(&all, 99) : max),
	       n >= 100 ? "p99" : "below 100 values p99 is the maximum");

	/* merged from parts, also from and into an empty one */
	hist__merge(&part[0], &part[1]);
	hist__merge(&part[0], &part[2]);
	for (i = 0; i < sizeof(pcts) / sizeof(pcts[0]); i++)
		merged &= hist__percentile(&part[0], pcts[i]) == hist__percentile(&all, pcts[i]);
	ok(merged && part[0].n == n && part[0].sum == sum && part[0].max == max,
	   "kind %d, %zu values: merged parts are as the whole", kind, n);
	hist__exit(&all);
	for (i = 0; i < 3; i++)
		hist__exit(&part[i]);
	free(v);
}

static void edges(void)
{
	struct hist h = { 0 }, empty = { 0 };
	int i;

	ok(hist__percentile(&h, 50) == UINT64_MAX && hist__p99(&h) == UINT64_MAX, "empty: null");
	is_int(hist__merge(&h, &empty), 0, "empty into empty");
	ok(hist__percentile(&h, 50) == UINT64_MAX, "still empty");
	hist__add(&h, 123456789);
	is_int((int64_t)hist__percentile(&h, 50), 123456789, "one value is exact");
	is_int((int64_t)hist__percentile(&h, 1), 123456789, "at any percentage");
	hist__exit(&h);
	for (i = 0; i < 200; i++)
		hist__add(&h, i % 32);
	is_int((int64_t)hist__percentile(&h, 50), 15, "values below 32 are exact");
	hist__add(&h, UINT64_MAX - 1);
	hist__add(&h, 0);
	ok(h.max == UINT64_MAX - 1, "the largest value");
	ok(close_to(hist__percentile(&h, 100), UINT64_MAX - 1, 0.03), "at 100%%");
	is_int((int64_t)hist__percentile(&h, 0), 0, "at 0%");
	hist__exit(&h);
}

int main(void)
{
	static const size_t sizes[] = { 2, 5, 31, 32, 33, 34, 99, 100, 1000, 30000 };

	for (int kind = 0; kind < 5; kind++)
		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
			percentiles(kind, sizes[i]);
	edges();
	return done_testing();
}
