// SPDX-License-Identifier: GPL-2.0
#include "timeline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_WIDTH 1000 /* ns */

int timeline__init(struct timeline *t, unsigned miss)
{
	memset(t, 0, sizeof(*t));
	t->miss = miss;
	t->width = FIRST_WIDTH;
	t->b = calloc(TIMELINE_NR, sizeof(*t->b));
	return t->b ? 0 : -ENOMEM;
}

void timeline__exit(struct timeline *t)
{
	free(t->b);
	memset(t, 0, sizeof(*t));
}

static void bucket__add(struct timeline_bucket *to, const struct timeline_bucket *from)
{
	to->wakeups += from->wakeups;
	to->migrations += from->migrations;
	to->misses += from->misses;
	to->delay_ns += from->delay_ns;
	to->delay_n += from->delay_n;
}

/* 1, 2, 10, 20, 100 .. times the first width: a new bucket is made of whole old ones. */
static void timeline__widen(struct timeline *t)
{
	const uint64_t old = t->width, from = t->start;
	unsigned i, k, nr = t->nr;
	uint64_t lead = old;

	while (lead >= 10)
		lead /= 10;
	t->width = lead == 1 ? old * 2 : old * 5;
	t->start -= t->start % t->width;
	t->nr = 0;
	for (i = 0; i < nr; i++) {
		struct timeline_bucket one = t->b[i];

		k = (unsigned)((from + i * old - t->start) / t->width);
		memset(&t->b[i], 0, sizeof(one));
		bucket__add(&t->b[k], &one);
		t->nr = k + 1;
	}
}

void timeline__begin(struct timeline *t, uint64_t time)
{
	t->begun = true;
	t->start = time - time % t->width;
	t->at_begin = t->start + (1ULL << 63); /* none yet */
}

static struct timeline_bucket *bucket_of(struct timeline *t, uint64_t time)
{
	uint64_t i;

	if (time - t->at_begin < t->width)
		return &t->b[t->at];
	while (time > t->start && (time - t->start) / t->width >= TIMELINE_NR)
		timeline__widen(t);
	i = time > t->start ? (time - t->start) / t->width : 0;
	if (i >= t->nr)
		t->nr = (unsigned)i + 1;
	t->at = (unsigned)i;
	t->at_begin = t->start + i * t->width;
	return &t->b[i];
}

void timeline__add_wakeup(struct timeline *t, const struct mig_wakeup *f)
{
	struct timeline_bucket *b = bucket_of(t, f->time);

	b->wakeups++;
	if (f->delay_ns != MIG_NULL) {
		b->delay_n++;
		b->delay_ns += f->delay_ns;
	}
}

void timeline__add_migration(struct timeline *t, const struct mig_migration *f)
{
	bucket_of(t, f->time)->migrations++;
}

void timeline__add_slice(struct timeline *t, const struct mig_slice *f)
{
	struct timeline_bucket *b = bucket_of(t, f->time);

	if (t->miss < MIG_MAX_COUNTERS && f->misses[t->miss] != MIG_NULL)
		b->misses += f->misses[t->miss];
}

void timeline__add_sample(struct timeline *t, const struct mig_sample *f)
{
	bucket_of(t, f->time)->misses += f->period;
}

uint64_t timeline__row_width(const struct timeline *t, unsigned rows)
{
	static const uint8_t steps[] = { 1, 2, 5 };
	uint64_t span = t->nr * t->width, ten = FIRST_WIDTH, w;
	unsigned i = 0;

	for (;; i = (i + 1) % 3, ten *= i ? 1 : 10) {
		w = steps[i] * ten;
		if (w >= t->width && !(w % t->width) && span / w + 2 <= (rows > 2 ? rows : 3))
			return w;
	}
}

void timeline__sum(const struct timeline *t, uint64_t from, uint64_t width,
		   struct timeline_bucket *ret_sum)
{
	uint64_t i = from > t->start ? (from - t->start + t->width - 1) / t->width : 0;

	memset(ret_sum, 0, sizeof(*ret_sum));
	for (; i < t->nr && t->start + i * t->width < from + width; i++)
		bucket__add(ret_sum, &t->b[i]);
}
