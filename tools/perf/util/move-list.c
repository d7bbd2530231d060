// SPDX-License-Identifier: GPL-2.0
#include "move-list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void move_list__init(struct move_list *l, const struct move_match *match)
{
	memset(l, 0, sizeof(*l));
	l->match = *match;
}

void move_list__exit(struct move_list *l)
{
	free(l->m);
	l->m = NULL;
	l->nr = l->max = 0;
}

static bool is_or_any(int want, int is)
{
	return want < 0 || want == is;
}

static bool matches(const struct move_match *w, const struct mig_migration *f)
{
	return is_or_any(w->tid, f->tid) && is_or_any(w->from, f->from) &&
	       is_or_any(w->to, f->to) && is_or_any(w->cause, f->cause) &&
	       is_or_any(w->class, (int)mig_cause__class((enum mig_cause)f->cause));
}

int move_list__add(struct move_list *l, const struct mig_migration *f)
{
	if (!matches(&l->match, f))
		return 0;
	if (l->nr == MOVE_LIST_MAX) {
		l->more++;
		return 0;
	}
	if (l->nr == l->max) {
		uint32_t max = l->max ? l->max * 2 : 256;
		struct mig_migration *p = realloc(l->m, max * sizeof(*p));

		if (!p)
			return -ENOMEM;
		l->m = p;
		l->max = max;
	}
	l->m[l->nr++] = *f;
	return 0;
}

static int cmp_time(const void *pa, const void *pb)
{
	const struct mig_migration *a = pa, *b = pb;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->tid - b->tid;
}

void move_list__sort(struct move_list *l)
{
	if (l->nr)
		qsort(l->m, l->nr, sizeof(*l->m), cmp_time);
}
