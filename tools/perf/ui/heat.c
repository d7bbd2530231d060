// SPDX-License-Identifier: GPL-2.0
#include "heat.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

int heat__init(struct heat *h, const struct report *r)
{
	unsigned i, cpu;

	memset(h, 0, sizeof(*h));
	h->moves = r->moves.moves;
	h->nr_cpus = report__nr_cpus(r);
	for (i = 0; i < r->moves.nr; i++) {
		const struct report_move *m = &r->moves.moves[i];

		if (m->from >= (int)h->nr_cpus)
			h->nr_cpus = (unsigned)m->from + 1;
		if (m->to >= (int)h->nr_cpus)
			h->nr_cpus = (unsigned)m->to + 1;
		if (m->n > h->max)
			h->max = m->n;
	}
	h->first = calloc(h->nr_cpus + 1, sizeof(*h->first));
	if (!h->first)
		return -ENOMEM;
	/* they are sorted by from, then to */
	for (i = cpu = 0; cpu <= h->nr_cpus; cpu++) {
		while (i < r->moves.nr && r->moves.moves[i].from < (int)cpu)
			i++;
		h->first[cpu] = i;
	}
	return 0;
}

void heat__exit(struct heat *h)
{
	free(h->first);
	memset(h, 0, sizeof(*h));
}

uint64_t heat__cell(const struct heat *h, unsigned from, unsigned to)
{
	uint32_t lo = h->first[from], hi = h->first[from + 1];

	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;

		if (h->moves[mid].to == (int)to)
			return h->moves[mid].n;
		if (h->moves[mid].to < (int)to)
			lo = mid + 1;
		else
			hi = mid;
	}
	return 0;
}

uint64_t heat__from(const struct heat *h, unsigned from)
{
	uint64_t n = 0;
	uint32_t i;

	for (i = h->first[from]; i < h->first[from + 1]; i++)
		n += h->moves[i].n;
	return n;
}

unsigned heat__level(const struct heat *h, uint64_t n)
{
	if (!n)
		return 0;
	if (n >= h->max)
		return HEAT_LEVELS - 1;
	return 1 + (unsigned)(log((double)n) / log((double)h->max) * (HEAT_LEVELS - 2));
}

char heat__sign(unsigned level)
{
	return " .:-+*#@"[level < HEAT_LEVELS ? level : HEAT_LEVELS - 1];
}
