// SPDX-License-Identifier: GPL-2.0
#include "price.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"

enum { STAYED, MOVED };

void price__exit(struct price *p)
{
	for (uint32_t i = 0; i < p->nr; i++) {
		free(p->set[i].side[STAYED].ns);
		free(p->set[i].side[MOVED].ns);
	}
	free(p->set);
	hash__exit(&p->hash);
	memset(p, 0, sizeof(*p));
}

/* xorshift64* (Vigna 2016) */
static uint64_t draw(uint64_t *state)
{
	uint64_t x = *state ? *state : 0x9e3779b97f4a7c15ULL;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	return x * 0x2545f4914f6cdd1dULL;
}

/* One of n, evenly. */
static uint32_t draw_below(uint64_t *state, uint64_t n)
{
	return (uint32_t)(((unsigned __int128)draw(state) * n) >> 64);
}

static struct price_set *find_set(struct price *p, int32_t tid, int32_t waker, uint8_t mechanism)
{
	uint32_t hv = (uint32_t)hash__mix(hash__mix(mechanism, (uint32_t)tid), (uint32_t)waker);
	uint32_t pos, k;
	struct price_set *s;

	for (pos = hash__start(&p->hash, hv); (k = hash__next(&p->hash, hv, &pos));) {
		s = &p->set[k - 1];
		if (s->tid == tid && s->waker == waker && s->mechanism == mechanism)
			return s;
	}
	s = array__room(p->set, p->nr, &p->room, sizeof(*s));
	if (!s)
		return NULL;
	p->set = s;
	s += p->nr;
	*s = (struct price_set){ .tid = tid, .waker = waker, .mechanism = mechanism };
	return hash__add(&p->hash, hv, p->nr++) ? NULL : s;
}

/* Of all that come each has the same chance to be kept (Waterman's algorithm R). */
static int keep(struct price *p, struct price_side *side, uint32_t ns)
{
	uint32_t *room, at;

	if (side->kept == PRICE_KEEP) {
		at = draw_below(&p->random, ++side->n);
		if (at < PRICE_KEEP)
			side->ns[at] = ns;
		return 0;
	}
	if (side->kept == side->room) {
		uint32_t n = side->room ? side->room * 2 : 4;

		room = reallocarray(side->ns, n, sizeof(*room));
		if (!room)
			return -ENOMEM;
		side->ns = room;
		side->room = n;
	}
	side->ns[side->kept++] = ns;
	side->n++;
	return 0;
}

int price__add(struct price *p, int32_t tid, int32_t waker, uint8_t mechanism, bool moved,
	       uint64_t ns)
{
	struct price_set *s = find_set(p, tid, waker, mechanism);

	p->done = false;
	return s ? keep(p, &s->side[moved], ns > UINT32_MAX ? UINT32_MAX : (uint32_t)ns) : -ENOMEM;
}

int price__merge(struct price *to, const struct price *from)
{
	int ret = 0;

	to->done = false;
	for (uint32_t i = 0; i < from->nr && !ret; i++) {
		const struct price_set *f = &from->set[i];
		struct price_set *t = find_set(to, f->tid, f->waker, f->mechanism);

		if (!t)
			return -ENOMEM;
		for (int side = 0; side < 2; side++) {
			for (uint32_t k = 0; k < f->side[side].kept && !ret; k++)
				ret = keep(to, &t->side[side], f->side[side].ns[k]);
			/* those that were not kept count, too */
			t->side[side].n += f->side[side].n - f->side[side].kept;
		}
	}
	return ret;
}

static bool is_compared(const struct mig_slice *f)
{
	return f->wakeup && f->is_work && !f->lost_nearby && f->length_ns != MIG_NULL &&
	       !f->is_recorder;
}

int price__add_slice(struct price *p, const struct mig_slice *f, bool moved)
{
	const struct mig_wakeup *w = f->wakeup;

	if (!is_compared(f))
		return 0;
	/* a task that an interrupt hit is no waker */
	return price__add(p, f->tid, w->partner == MIG_PARTNER_YES ? w->waker_tid : -1,
			  w->mechanism, moved, f->length_ns);
}

int price_summary__add(struct price_summary *s, const struct mig_slice *f)
{
	int ret = 0;

	if (!is_compared(f))
		return 0;
	for (int i = 0; i <= MIG_NR_CLASS && !ret; i++)
		if (!f->after_move || i == f->moved_by)
			ret = price__add_slice(&s->by_class[i], f, f->after_move);
	for (int i = 0; i < MIG_NR_DIST && !ret; i++)
		if (!f->after_move || i == f->moved_to)
			ret = price__add_slice(&s->by_distance[i], f, f->after_move);
	return ret;
}

void price_summary__exit(struct price_summary *s)
{
	for (int i = 0; i <= MIG_NR_CLASS; i++)
		price__exit(&s->by_class[i]);
	for (int i = 0; i < MIG_NR_DIST; i++)
		price__exit(&s->by_distance[i]);
}

/* --- the arithmetic --- */

static int compare(const void *pa, const void *pb)
{
	double a = *(const double *)pa, b = *(const double *)pb;

	return (a > b) - (a < b);
}

static double median(double *x, size_t n)
{
	qsort(x, n, sizeof(*x), compare);
	return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

static bool is_comparable(const struct price_set *s)
{
	return s->side[MOVED].kept && s->side[STAYED].kept >= PRICE_MIN_STAYED;
}

/*
 * The differences of all sets, in d; as they are, or (state) each side of each set drawn anew.
 * room: of PRICE_KEEP. Returns how many.
 */
static size_t differences(const struct price *p, uint64_t *state, double *room, double *d)
{
	size_t n = 0;

	for (uint32_t i = 0; i < p->nr; i++) {
		const struct price_side *stayed = &p->set[i].side[STAYED];
		const struct price_side *moved = &p->set[i].side[MOVED];
		double at;

		if (!is_comparable(&p->set[i]))
			continue;
		for (uint32_t k = 0; k < stayed->kept; k++)
			room[k] = stayed->ns[state ? draw_below(state, stayed->kept) : k];
		at = median(room, stayed->kept);
		for (uint32_t k = 0; k < moved->kept; k++)
			d[n++] = moved->ns[state ? draw_below(state, moved->kept) : k] - at;
	}
	return n;
}

static void bootstrap(const struct price *p, double *d, double *room, double *draws,
		      struct price_result *ret)
{
	uint64_t state = 1;
	size_t n = differences(p, NULL, room, d);

	ret->ns = median(d, n);
	for (int i = 0; i < PRICE_DRAWS; i++) {
		n = differences(p, &state, room, d);
		draws[i] = median(d, n);
	}
	qsort(draws, PRICE_DRAWS, sizeof(*draws), compare);
	ret->lo = draws[PRICE_DRAWS / 40];
	ret->hi = draws[PRICE_DRAWS - 1 - PRICE_DRAWS / 40];
	ret->known = true;
}

const struct price_result *price__result(struct price *p)
{
	size_t n = 0;
	double *d;

	if (p->done)
		return &p->result;
	p->done = true;
	p->result = (struct price_result){ 0 };
	for (uint32_t i = 0; i < p->nr; i++) {
		if (!is_comparable(&p->set[i]))
			continue;
		n += p->set[i].side[MOVED].kept;
		p->result.moved += p->set[i].side[MOVED].n;
		p->result.stayed += p->set[i].side[STAYED].n;
	}
	if (p->result.moved < PRICE_MIN || p->result.stayed < PRICE_MIN)
		return &p->result;
	d = malloc((n + PRICE_KEEP + PRICE_DRAWS) * sizeof(*d));
	if (d)
		bootstrap(p, d, d + n, d + n + PRICE_KEEP, &p->result);
	free(d);
	return &p->result;
}
