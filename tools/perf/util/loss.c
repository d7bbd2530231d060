// SPDX-License-Identifier: GPL-2.0
#include "loss.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void loss__exit(struct loss_list *l)
{
	free(l->w);
	memset(l, 0, sizeof(*l));
}

int loss__add(struct loss_list *l, const struct loss_window *w)
{
	if (l->nr == LOSS_MAX_WINDOWS) {
		struct loss_window *last = &l->w[l->nr - 1];

		last->records += w->records;
		if (w->from < last->from)
			last->from = w->from;
		if (w->to > last->to)
			last->to = w->to;
		return 0;
	}
	if (l->nr == l->max) {
		uint32_t max = l->max ? l->max * 2 : 16;
		struct loss_window *p = realloc(l->w, max * sizeof(*p));

		if (!p)
			return -ENOMEM;
		l->w = p;
		l->max = max;
	}
	l->w[l->nr++] = *w;
	return 0;
}

static int cmp_from(const void *pa, const void *pb)
{
	const struct loss_window *a = pa, *b = pb;

	return a->from < b->from ? -1 : a->from > b->from;
}

static int cmp_cpu(const void *pa, const void *pb)
{
	const struct loss_window *a = pa, *b = pb;

	return a->cpu < b->cpu ? -1 : a->cpu > b->cpu;
}

/* w[0..nr): the windows of one span. */
static void make_span(struct loss_span *s, struct loss_window *w, uint32_t nr)
{
	uint32_t i;

	*s = (struct loss_span){ .from = w->from, .to = w->to };
	for (i = 0; i < nr; i++) {
		s->records += w[i].records;
		if (w[i].to > s->to)
			s->to = w[i].to;
	}
	qsort(w, nr, sizeof(*w), cmp_cpu);
	for (i = 0; i < nr; i++)
		s->cpus += !i || w[i].cpu != w[i - 1].cpu;
}

int loss__spans(const struct loss_list *l, uint64_t begin, struct loss_span **ret_spans,
		uint32_t *ret_nr)
{
	struct loss_window *w = malloc((l->nr + 1) * sizeof(*w));
	struct loss_span *spans = malloc((l->nr + 1) * sizeof(*spans));
	uint32_t i, first = 0, nr = 0;
	uint64_t to = 0;

	*ret_spans = NULL;
	*ret_nr = 0;
	if (!w || !spans) {
		free(w);
		free(spans);
		return -ENOMEM;
	}
	if (l->nr)
		memcpy(w, l->w, l->nr * sizeof(*w));
	for (i = 0; i < l->nr; i++)
		if (!w[i].from)
			w[i].from = begin < w[i].to ? begin : w[i].to;
	qsort(w, l->nr, sizeof(*w), cmp_from);
	for (i = 0; i < l->nr; i++) {
		if (i > first && w[i].from > to) {
			make_span(&spans[nr++], w + first, i - first);
			first = i;
		}
		if (i == first || w[i].to > to)
			to = w[i].to;
	}
	if (l->nr)
		make_span(&spans[nr++], w + first, i - first);
	free(w);
	*ret_spans = spans;
	*ret_nr = nr;
	return 0;
}
