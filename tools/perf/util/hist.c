// SPDX-License-Identifier: GPL-2.0
#include "hist.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SUB     HIST_SUB
#define MAX_FEW 32
#define MAX_OWN 4

static uint64_t bucket_middle(unsigned b)
{
	unsigned octave;

	if (b < SUB)
		return b;
	octave = b / SUB - 1;
	return ((uint64_t)(SUB + (b & (SUB - 1))) << octave) + ((1ULL << octave) >> 1);
}

/* While there are no counters: the bucket numbers. */
static const uint16_t *hist__few(const struct hist *h)
{
	return h->max_few ? h->few : h->own;
}

void hist__exit(struct hist *h)
{
	if (h->nr)
		free(h->count);
	else if (h->max_few)
		free(h->few);
	memset(h, 0, sizeof(*h));
}

/* Makes the window of counters hold buckets lo..hi. */
static int hist__widen(struct hist *h, unsigned lo, unsigned hi)
{
	unsigned nlo = lo & ~(SUB - 1), nhi = hi | (SUB - 1);
	uint32_t *count;

	if (h->nr) {
		if (nlo > h->lo)
			nlo = h->lo;
		if (nhi < h->lo + h->nr - 1U)
			nhi = h->lo + h->nr - 1U;
	}
	count = calloc(nhi - nlo + 1, sizeof(*count));
	if (!count)
		return -ENOMEM;
	if (h->nr) {
		memcpy(count + (h->lo - nlo), h->count, h->nr * sizeof(*count));
		free(h->count);
	}
	h->count = count;
	h->lo = (uint16_t)nlo;
	h->nr = (uint16_t)(nhi - nlo + 1);
	return 0;
}

static int hist__count(struct hist *h, unsigned b, uint32_t by)
{
	if (b < h->lo || b >= (unsigned)h->lo + h->nr) {
		int ret = hist__widen(h, b, b);

		if (ret)
			return ret;
	}
	h->count[b - h->lo] += by;
	return 0;
}

static int hist__to_counters(struct hist *h)
{
	uint16_t few[MAX_FEW], *was = h->max_few ? h->few : NULL;
	unsigned lo = UINT16_MAX, hi = 0;
	uint64_t i;

	memcpy(few, hist__few(h), h->n * sizeof(*few));
	for (i = 0; i < h->n; i++) {
		lo = few[i] < lo ? few[i] : lo;
		hi = few[i] > hi ? few[i] : hi;
	}
	if (hist__widen(h, h->n ? lo : 0, hi))
		return -ENOMEM;
	for (i = 0; i < h->n; i++)
		h->count[few[i] - h->lo]++;
	h->max_few = 0;
	free(was);
	return 0;
}

static int hist__add_bucket(struct hist *h, unsigned b)
{
	int ret = 0;

	if (!h->nr && h->n == MAX_FEW)
		ret = hist__to_counters(h);
	if (ret)
		return ret;
	if (h->nr)
		return hist__count(h, b, 1);
	if (!h->max_few && h->n < MAX_OWN) {
		h->own[h->n] = (uint16_t)b;
		return 0;
	}
	if (h->n == (h->max_few ? h->max_few : MAX_OWN)) {
		uint16_t max = (uint16_t)(h->n * 2);
		uint16_t *few = realloc(h->max_few ? h->few : NULL, max * sizeof(*few));

		if (!few)
			return -ENOMEM;
		if (!h->max_few)
			memcpy(few, h->own, sizeof(h->own));
		h->few = few;
		h->max_few = max;
	}
	h->few[h->n] = (uint16_t)b;
	return 0;
}

int hist__add_slow(struct hist *h, uint64_t v)
{
	int ret = hist__add_bucket(h, hist__bucket(v));

	if (ret)
		return ret;
	h->n++;
	h->sum += v;
	if (v > h->max)
		h->max = v;
	return 0;
}

int hist__merge(struct hist *h, const struct hist *from)
{
	uint64_t i;
	int ret = 0;

	if (!from->nr) {
		for (i = 0; i < from->n && !ret; i++) {
			ret = hist__add_bucket(h, hist__few(from)[i]);
			h->n += !ret;
		}
	} else {
		if (!h->nr)
			ret = hist__to_counters(h);
		for (i = 0; i < from->nr && !ret; i++)
			if (from->count[i])
				ret = hist__count(h, (unsigned)(from->lo + i), from->count[i]);
		h->n += ret ? 0 : from->n;
	}
	h->sum += from->sum;
	if (from->max > h->max)
		h->max = from->max;
	return ret;
}

static int cmp_u16(const void *a, const void *b)
{
	return *(const uint16_t *)a - *(const uint16_t *)b;
}

uint64_t hist__percentile(const struct hist *h, double pct)
{
	uint64_t want, seen = 0, v, i;

	if (h->n <= 1)
		return h->n ? h->max : UINT64_MAX;
	/* nearest rank: the smallest value with at least pct percent of all at or below it */
	want = (uint64_t)((double)h->n * pct / 100.0 + 0.999999);
	if (!want)
		want = 1;
	if (want > h->n)
		want = h->n;
	if (!h->nr) {
		uint16_t few[MAX_FEW];

		memcpy(few, hist__few(h), h->n * sizeof(*few));
		qsort(few, h->n, sizeof(*few), cmp_u16);
		v = bucket_middle(few[want - 1]);
	} else {
		for (i = 0; i + 1 < h->nr; i++) {
			seen += h->count[i];
			if (seen >= want)
				break;
		}
		v = bucket_middle((unsigned)(h->lo + i));
	}
	return v > h->max ? h->max : v;
}

uint64_t hist__p99(const struct hist *h)
{
	if (!h->n)
		return UINT64_MAX;
	return h->n >= 100 ? hist__percentile(h, 99) : h->max;
}
