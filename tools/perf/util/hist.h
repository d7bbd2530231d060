/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hist: percentiles of durations within 1.6%, in little memory.
 *
 * Buckets are 1/32 of an octave wide. A few values are kept as they come, the first ones in the
 * struct itself; more become a window of counters over the octaves that occur.
 */
#ifndef MIG_HIST_H
#define MIG_HIST_H

#include <stdint.h>

struct hist {
	uint64_t n, sum, max; /* exact; sum wraps at 2^64 (584 years of ns) */
	uint16_t lo, nr; /* first bucket and number of buckets of `count`; nr = 0: bucket numbers */
	uint16_t max_few; /* nr = 0: room in `few`; 0: in `own` */
	union {
		uint16_t own[4];
		uint16_t *few;
		uint32_t *count;
	};
};

/* A zeroed struct hist is empty. */
void hist__exit(struct hist *h);
int hist__add_slow(struct hist *h, uint64_t v);

#define HIST_SUB_BITS 5
#define HIST_SUB      (1U << HIST_SUB_BITS)

/* 0..31 are exact; then 32 buckets an octave. */
static inline unsigned hist__bucket(uint64_t v)
{
	unsigned octave;

	if (v < HIST_SUB)
		return (unsigned)v;
	octave = 63U - (unsigned)__builtin_clzll(v) - HIST_SUB_BITS;
	return (octave + 1) * HIST_SUB + ((unsigned)(v >> octave) & (HIST_SUB - 1));
}

/* -ENOMEM */
static inline int hist__add(struct hist *h, uint64_t v)
{
	unsigned i = hist__bucket(v) - h->lo;

	if (i >= h->nr) /* also while there are few */
		return hist__add_slow(h, v);
	h->count[i]++;
	h->n++;
	h->sum += v;
	if (v > h->max)
		h->max = v;
	return 0;
}

int hist__merge(struct hist *h, const struct hist *from); /* -ENOMEM */
/* The value below which pct percent of them lie; MIG_NULL when empty. Never above max. */
uint64_t hist__percentile(const struct hist *h, double pct);
/* p99 where there are 100 values to speak of one, else the maximum; MIG_NULL when empty. */
uint64_t hist__p99(const struct hist *h);

#endif
