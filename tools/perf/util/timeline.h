/* SPDX-License-Identifier: GPL-2.0 */
/*
 * timeline: wakeups, migrations and misses by time, in buckets of equal width. How long the
 * recording is need not be known: where the buckets come to an end two become one.
 */
#ifndef MIG_TIMELINE_H
#define MIG_TIMELINE_H

#include <stdbool.h>

#include "facts.h"

struct timeline_bucket {
	uint64_t wakeups, migrations, misses; /* misses: of slices that end in it, or sampled */
	uint64_t delay_ns, delay_n; /* of the wakeups whose delay is known: sum, how many */
};

#define TIMELINE_NR 4096

struct timeline {
	struct timeline_bucket *b; /* TIMELINE_NR of them */
	uint64_t start, width; /* ns; the first bucket begins at start, a multiple of width */
	unsigned nr; /* up to the last one that is not empty */
	unsigned at; /* the bucket of the last fact, and where it begins: the next is mostly there
		      */
	uint64_t at_begin;
	unsigned miss; /* the counter whose misses are summed */
	bool begun;
};

int timeline__init(struct timeline *t, unsigned miss); /* -ENOMEM */
void timeline__exit(struct timeline *t);
/* Before the first fact: no fact is older than time. (One that is counts in the first bucket.) */
void timeline__begin(struct timeline *t, uint64_t time);
void timeline__add_wakeup(struct timeline *t, const struct mig_wakeup *f);
void timeline__add_migration(struct timeline *t, const struct mig_migration *f);
void timeline__add_slice(struct timeline *t, const struct mig_slice *f);
/* A sample of the counter that is shown; where slices have no misses. */
void timeline__add_sample(struct timeline *t, const struct mig_sample *f);

/*
 * The width of rows of which at most `rows` show it all: 1, 2 or 5 times a power of ten ns, a
 * multiple of a bucket's.
 */
uint64_t timeline__row_width(const struct timeline *t, unsigned rows);
/* The sum of [from, from + width), both multiples of a bucket's width. */
void timeline__sum(const struct timeline *t, uint64_t from, uint64_t width,
		   struct timeline_bucket *ret_sum);

#endif
