// SPDX-License-Identifier: GPL-2.0
/*
 * llc-trips: from all moves, at the end: who went there and back, who followed whom.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "llc-story.h"

/* The crossings of one thread, moves[first .. first + nr) of what is left after sorting. */
struct thread_moves {
	int32_t tid;
	uint32_t first, nr;
};

struct crossings {
	struct llc_move **m; /* by thread, in order of time */
	struct thread_moves *t; /* by tid */
	uint32_t nr, nr_threads;
};

static int compare_moves(const void *pa, const void *pb)
{
	const struct llc_move *a = pa, *b = pb;

	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return (a->time > b->time) - (a->time < b->time);
}

static void count_end(struct llc_trips *t, const struct llc_move *m)
{
	if (m->ran_after_ns != MIG_NULL) {
		t->ran_n++;
		t->ran_after_ns += m->ran_after_ns;
	}
	if (m->misses != MIG_NULL) {
		t->miss_n++;
		t->misses += m->misses;
	}
}

static int count_trip(struct llc_story *s, enum llc_level level, const struct llc_move *there,
		      const struct llc_move *back)
{
	struct llc_trips *t = &s->trips[level][there->cause * MIG_NR_CAUSE + back->cause];
	struct llc_proc *p;

	t->n++;
	s->nr_trips[level]++;
	count_end(t, there);
	count_end(t, back);
	if (level == LLC_LEVEL_CACHE) {
		p = llc_story__proc(s, back->pid >= 0 ? back->pid : back->tid);
		if (!p)
			return -ENOMEM;
		p->back++;
	}
	return hist__add(&t->away, back->time - there->time);
}

static int place(const struct llc_story *s, enum llc_level level, int cpu)
{
	return level == LLC_LEVEL_CPU ? cpu : llc_story__cache(s, cpu);
}

/* m: moves of all threads, sorted; those of one level. */
static int find_trips(struct llc_story *s, enum llc_level level, struct llc_move **m, uint32_t nr)
{
	int ret = 0;

	for (uint32_t i = 0; i < nr; i++)
		m[i]->used = false;
	for (uint32_t i = 1; i < nr && !ret; i++) {
		struct llc_move *a = m[i - 1], *b = m[i];

		if (a->used || a->tid != b->tid || b->time - a->time > s->within_ns ||
		    place(s, level, a->from) != place(s, level, b->to) ||
		    place(s, level, a->to) != place(s, level, b->from))
			continue;
		b->used = true;
		ret = count_trip(s, level, a, b);
	}
	return ret;
}

static bool crosses(const struct llc_story *s, const struct llc_move *m)
{
	int from = llc_story__cache(s, m->from), to = llc_story__cache(s, m->to);

	return from >= 0 && to >= 0 && from != to;
}

/* --- chases --- */

static int compare_tid(const void *key, const void *elem)
{
	int32_t tid = *(const int32_t *)key;
	const struct thread_moves *t = elem;

	return (tid > t->tid) - (tid < t->tid);
}

static const struct thread_moves *find_thread(const struct crossings *c, int32_t tid)
{
	return bsearch(&tid, c->t, c->nr_threads, sizeof(*c->t), compare_tid);
}

static int list_threads(struct crossings *c)
{
	c->t = malloc((c->nr + 1) * sizeof(*c->t));
	if (!c->t)
		return -ENOMEM;
	for (uint32_t i = 0; i < c->nr; i++) {
		if (!i || c->m[i]->tid != c->m[i - 1]->tid)
			c->t[c->nr_threads++] = (struct thread_moves){ c->m[i]->tid, i, 0 };
		c->t[c->nr_threads - 1].nr++;
	}
	return 0;
}

/* Did b do what a did last, soon after it? */
static bool is_step(const struct llc_story *s, const struct llc_move *a, const struct llc_move *b)
{
	return b->time - a->time <= s->within_ns &&
	       llc_story__cache(s, a->from) == llc_story__cache(s, b->from) &&
	       llc_story__cache(s, a->to) == llc_story__cache(s, b->to);
}

/* ret->caches: how many there were in `seen`, a byte each. */
static void count_steps(const struct llc_story *s, const struct crossings *c,
			const struct thread_moves *a, const struct thread_moves *b, uint8_t *seen,
			struct llc_chase *ret)
{
	struct llc_move **pa = c->m + a->first, **pb = c->m + b->first;
	uint32_t i = 0, followed = 0; /* a's first i are not after b's; index + 1 of a's last one */
	uint64_t run = 0;

	*ret = (struct llc_chase){ .first = a->tid,
				   .second = b->tid,
				   .first_comm = pa[a->nr - 1]->comm,
				   .second_comm = pb[b->nr - 1]->comm,
				   .crossings = { a->nr, b->nr } };
	memset(seen, 0, s->nr_caches);
	for (uint32_t k = 0; k < b->nr; k++) {
		while (i < a->nr && pa[i]->time <= pb[k]->time)
			i++;
		if (!i || followed == i || !is_step(s, pa[i - 1], pb[k])) {
			run = 0;
			continue;
		}
		followed = i;
		ret->steps++;
		run++;
		ret->longest = run > ret->longest ? run : ret->longest;
		ret->caches += !seen[llc_story__cache(s, pb[k]->to)];
		seen[llc_story__cache(s, pb[k]->to)] = 1;
	}
}

static int add_chase(struct llc_story *s, const struct llc_chase *chase)
{
	struct llc_chase *chases;

	if (!chase->steps)
		return 0;
	chases = array__room(s->chases, s->nr_chases, &s->room_chases, sizeof(*chases));
	if (!chases)
		return -ENOMEM;
	s->chases = chases;
	s->chases[s->nr_chases++] = *chase;
	return 0;
}

static int compare_chases(const void *pa, const void *pb)
{
	const struct llc_chase *a = pa, *b = pb;

	if (a->steps != b->steps)
		return a->steps < b->steps ? 1 : -1;
	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	return (a->second > b->second) - (a->second < b->second);
}

static int find_chases(struct llc_story *s, struct crossings *c)
{
	uint8_t *seen = malloc(s->nr_caches + 1);
	int ret = seen ? list_threads(c) : -ENOMEM;

	for (uint32_t i = 0; i < s->nr_pairs && !ret; i++) {
		const struct thread_moves *a = find_thread(c, s->pairs[i].tid[0]);
		const struct thread_moves *b = find_thread(c, s->pairs[i].tid[1]);
		struct llc_chase chase;

		if (!a || !b)
			continue;
		count_steps(s, c, a, b, seen, &chase);
		ret = add_chase(s, &chase);
		if (ret)
			break;
		count_steps(s, c, b, a, seen, &chase);
		ret = add_chase(s, &chase);
	}
	if (s->nr_chases)
		qsort(s->chases, s->nr_chases, sizeof(*s->chases), compare_chases);
	free(seen);
	free(c->t);
	return ret;
}

int llc_story__follow(struct llc_story *s)
{
	struct crossings c = { .m = malloc((s->nr_moves + 1) * sizeof(*c.m)) };
	int ret = c.m ? 0 : -ENOMEM;

	for (int level = 0; level < LLC_NR_LEVEL && !ret; level++) {
		s->trips[level] = calloc(MIG_NR_CAUSE * MIG_NR_CAUSE, sizeof(*s->trips[level]));
		ret = s->trips[level] ? 0 : -ENOMEM;
	}
	if (ret)
		goto out;
	if (s->nr_moves)
		qsort(s->moves, s->nr_moves, sizeof(*s->moves), compare_moves);
	for (uint32_t i = 0; i < s->nr_moves; i++)
		c.m[i] = &s->moves[i];
	ret = find_trips(s, LLC_LEVEL_CPU, c.m, s->nr_moves);
	for (uint32_t i = 0; i < s->nr_moves; i++)
		if (crosses(s, &s->moves[i]))
			c.m[c.nr++] = &s->moves[i];
	if (!ret)
		ret = find_trips(s, LLC_LEVEL_CACHE, c.m, c.nr);
	if (!ret)
		ret = find_chases(s, &c);
out:
	free(c.m);
	return ret;
}
