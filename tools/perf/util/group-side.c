// SPDX-License-Identifier: GPL-2.0
/*
 * group-side: near, far, moved, stayed, and the levels between them: each the sum of some cells of
 * a row. A row has cells only of the kinds that occurred, which are few.
 */
#include <stdlib.h>
#include <string.h>

#include "group.h"

struct mig_cell *mig_row__cell(struct mig_row *row, unsigned nr_counters,
			       struct mig_slice_kind kind)
{
	struct mig_cell **p, *c;
	size_t size;

	for (p = &row->cells; (c = *p); p = &c->next) {
		if (memcmp(&c->kind, &kind, sizeof(kind)))
			continue;
		*p = c->next; /* to the front: the next slice is most often of the same kind */
		c->next = row->cells;
		row->cells = c;
		return c;
	}
	size = sizeof(*c) + 2 * nr_counters * sizeof(uint64_t);
	if (!row->mem)
		c = calloc(1, size);
	else if (!row->cells)
		c = (struct mig_cell *)(row + 1);
	else
		c = arena__alloc(row->mem, size);
	if (!c)
		return NULL;
	c->kind = kind;
	*p = c;
	return c;
}

static bool cell_is(const struct mig_cell *c, unsigned side)
{
	switch (side) {
	case MIG_SIDE_ALL:
		return true;
	case MIG_SIDE_NEAR:
		return c->kind.relation == MIG_REL_NEAR;
	case MIG_SIDE_FAR:
		return c->kind.relation == MIG_REL_FAR;
	case MIG_SIDE_MOVED:
		return c->kind.moved == MIG_MOVED;
	case MIG_SIDE_STAYED:
		return c->kind.moved == MIG_STAYED;
	case MIG_SIDE_QUEUED:
		return c->kind.queued;
	default:
		return c->kind.level == side - MIG_SIDE_LEVEL;
	}
}

uint64_t mig_row__side_n(const struct mig_row *row, unsigned side)
{
	const struct mig_cell *c;
	uint64_t n = 0;

	for (c = row->cells; c; c = c->next)
		n += cell_is(c, side) ? c->n : 0;
	return n;
}

void mig_row__side(const struct mig_row *row, unsigned nr_counters, unsigned side,
		   struct mig_side *s)
{
	const struct mig_cell *c;
	unsigned i;

	memset(s, 0, sizeof(*s));
	for (c = row->cells; c; c = c->next) {
		if (!cell_is(c, side))
			continue;
		s->n += c->n;
		s->run_n += c->run_n;
		s->miss_n += c->miss_n;
		s->rate_n += c->rate_n;
		s->run_ns += c->run_ns;
		s->rate_ns += c->rate_ns;
		for (i = 0; i < nr_counters; i++) {
			s->misses[i] += c->v[i];
			s->rate_misses[i] += c->v[nr_counters + i];
		}
	}
}

int mig_row__side_delay(const struct mig_row *row, unsigned side, struct hist *room,
			const struct hist **ret_delay)
{
	const struct mig_cell *c;
	int ret = 0;

	memset(room, 0, sizeof(*room));
	*ret_delay = room;
	for (c = row->cells; c && !ret; c = c->next) {
		if (!cell_is(c, side))
			continue;
		if (*ret_delay == room && !room->n) { /* nearly always the only one */
			*ret_delay = &c->delay;
			continue;
		}
		if (*ret_delay != room)
			ret = hist__merge(room, *ret_delay);
		if (!ret)
			ret = hist__merge(room, &c->delay);
		*ret_delay = room;
	}
	return ret;
}
