// SPDX-License-Identifier: GPL-2.0
/*
 * group-within: what a place or a move costs, compared within pairs of threads.
 *
 * The sides of a pair of names are made of different threads: those that send wake others near,
 * those that receive are moved more, and each has its own rate of misses. Sums over them all would
 * show the roles as a cost of places.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "group.h"

struct mig_unit *mig_table__new_unit(struct mig_table *t, uint32_t hv, uint32_t waker,
				     uint32_t wakee, struct mig_row *row)
{
	struct mig_unit *u;

	if (t->max_units && t->nr_units >= t->max_units) {
		t->full = true;
		row->incomplete = true;
		return NULL;
	}
	if (t->nr_units == t->room_units) {
		uint32_t room = t->room_units ? t->room_units * 2 : 64;
		struct mig_unit *units = realloc(t->units, room * sizeof(*units));

		if (!units) {
			row->incomplete = true;
			return NULL;
		}
		t->units = units;
		t->room_units = room;
	}
	if (hash__add(&t->unit_hash, hv, t->nr_units)) {
		row->incomplete = true;
		return NULL;
	}
	u = &t->units[t->nr_units++];
	memset(u, 0, sizeof(*u));
	u->row = row;
	u->waker = waker;
	u->wakee = wakee;
	return u;
}

static int compare_add(struct mig_row *row, unsigned which, const uint64_t *n, const uint64_t *ns,
		       const uint64_t *misses)
{
	const double a = (double)ns[0], b = (double)ns[1];
	struct mig_compare *c;

	if (!ns[0] || !ns[1])
		return 0;
	if (!row->compare)
		row->compare = calloc(MIG_NR_COMPARE, sizeof(*row->compare));
	if (!row->compare)
		return -ENOMEM;
	c = &row->compare[which];
	c->pairs++;
	c->n[0] += n[0];
	c->n[1] += n[1];
	c->weight += a * b / (a + b);
	/* weight * misses / time, which stays finite for the shortest of slices */
	c->sum[0] += (double)misses[0] * b / (a + b);
	c->sum[1] += (double)misses[1] * a / (a + b);
	return 0;
}

static int compare_unit(const struct mig_unit *u, unsigned which)
{
	uint64_t n[2], ns[2], misses[2];
	unsigned i;

	for (i = 0; i < 2; i++) {
		n[i] = u->side[2 * which + i].n;
		ns[i] = u->side[2 * which + i].ns;
		misses[i] = u->side[2 * which + i].misses;
	}
	return compare_add(u->row, which, n, ns, misses);
}

/* A row of one pair of threads: its own sides. */
static int compare_row(struct mig_row *row, const struct mig_table *t, unsigned which)
{
	static const uint8_t sides[MIG_NR_COMPARE][2] = {
		[MIG_COMPARE_PLACE] = { MIG_SIDE_NEAR, MIG_SIDE_FAR },
		[MIG_COMPARE_MOVE] = { MIG_SIDE_MOVED, MIG_SIDE_STAYED },
	};
	uint64_t n[2], ns[2], misses[2];
	struct mig_side s;
	unsigned i;

	for (i = 0; i < 2; i++) {
		mig_row__side(row, t->nr_counters, sides[which][i], &s);
		n[i] = s.rate_n;
		ns[i] = s.rate_ns;
		misses[i] = s.rate_misses[t->miss];
	}
	return compare_add(row, which, n, ns, misses);
}

int mig_table__compare(struct mig_table *t)
{
	uint32_t i, which;
	int ret = 0;

	if (t->miss >= t->nr_counters)
		return 0;
	for (which = 0; which < MIG_NR_COMPARE; which++) {
		for (i = 0; t->within && i < t->nr_units && !ret; i++)
			ret = compare_unit(&t->units[i], which);
		for (i = 0; !t->within && i < t->nr && !ret; i++)
			ret = compare_row(t->rows[i], t, which);
	}
	return ret;
}

bool mig_row__compared(const struct mig_row *row, unsigned compare, unsigned side, double *ret_rate)
{
	const struct mig_compare *c = row->compare ? &row->compare[compare] : NULL;

	if (!c || row->incomplete || c->n[0] < MIG_MIN_SLICES || c->n[1] < MIG_MIN_SLICES ||
	    c->weight <= 0)
		return false;
	*ret_rate = c->sum[side] / c->weight * 1e6;
	return true;
}
