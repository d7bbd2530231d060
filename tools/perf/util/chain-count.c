// SPDX-License-Identifier: GPL-2.0
#include "chain-count.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void chain_counts__exit(struct chain_counts *cc)
{
	free(cc->c);
	memset(cc, 0, sizeof(*cc));
}

int chain_counts__add(struct chain_counts *cc, const struct mig_wakeup *f)
{
	struct chain_count *c;

	if (f->chain >= cc->max) {
		uint32_t max = (f->chain + 1) * 2;
		struct chain_count *p = realloc(cc->c, max * sizeof(*p));

		if (!p)
			return -ENOMEM;
		memset(p + cc->max, 0, (max - cc->max) * sizeof(*p));
		cc->c = p;
		cc->max = max;
	}
	if (f->chain >= cc->nr)
		cc->nr = f->chain + 1;
	c = &cc->c[f->chain];
	c->chain = f->chain;
	c->n++;
	if (f->delay_ns != MIG_NULL) {
		c->delay_n++;
		c->delay_ns += f->delay_ns;
	}
	return 0;
}

static int cmp_n(const void *pa, const void *pb)
{
	const struct chain_count *a = pa, *b = pb;

	if (a->n != b->n)
		return a->n < b->n ? 1 : -1;
	return (a->chain > b->chain) - (a->chain < b->chain);
}

void chain_counts__sort(struct chain_counts *cc)
{
	uint32_t i, k;

	for (i = k = 0; i < cc->nr; i++)
		if (cc->c[i].n)
			cc->c[k++] = cc->c[i];
	cc->nr = k;
	if (k)
		qsort(cc->c, k, sizeof(*cc->c), cmp_n);
}
