// SPDX-License-Identifier: GPL-2.0
#include "series.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void series_list__exit(struct series_list *l)
{
	for (size_t i = 0; i < l->nr; i++) {
		for (size_t k = 0; k < l->series[i].nr; k++)
			compare_side__exit(&l->series[i].point[k].side);
		free(l->series[i].point);
	}
	free(l->series);
	*l = (struct series_list){ 0 };
}

/* The runs of points from..to-1, but not of `without`, one behind the other. Returns how many. */
static size_t gather(const struct series *s, size_t from, size_t to, size_t without, double *ret)
{
	size_t n = 0;

	for (size_t i = from; i < to; i++) {
		if (i == without || !s->point[i].side.n)
			continue;
		memcpy(ret + n, s->point[i].side.x, s->point[i].side.n * sizeof(*ret));
		n += s->point[i].side.n;
	}
	return n;
}

/* |U - its mean| over its standard deviation: from the approximate p, which falls with it. */
static int try_cut(const struct series *s, size_t at, double *x, struct stats_two *ret)
{
	size_t n = gather(s, 0, at, s->nr, x), m = gather(s, at, s->nr, s->nr, x + n);

	return n && m ? stats__two(x, n, x + n, m, ret) : -ENODATA;
}

static int find_change(struct series *s, double *x)
{
	size_t places = 0;
	struct stats_two two;
	int rc;

	for (size_t at = 1; at < s->nr; at++) {
		if (!s->point[at].side.n)
			continue;
		rc = try_cut(s, at, x, &two);
		if (rc == -ENODATA)
			continue;
		if (rc)
			return rc;
		places++;
		if (s->first && !(two.p_normal < s->two.p_normal))
			continue;
		s->first = at;
		s->two = two;
	}
	s->p = s->first ? fmin(1, s->two.p * places) : NAN;
	return 0;
}

/*
 * By the runs of the others on either side; of a side that is this point alone, by its own. Below
 * two runs on a side nothing is predicted.
 */
static void classify(struct series *s, size_t i, double *x)
{
	struct series_point *p = &s->point[i];
	size_t n = gather(s, 0, s->first, i, x), m;
	double llr;

	p->class = p->side.n ? SERIES_UNDECIDED : SERIES_NO_RUNS;
	if (!p->side.n || !s->first)
		return;
	if (!n)
		n = gather(s, 0, s->first, s->nr, x);
	m = gather(s, s->first, s->nr, i, x + n);
	if (!m)
		m = gather(s, s->first, s->nr, s->nr, x + n);
	if (stats__likelihood(p->side.x, p->side.n, x, n, x + n, m, &llr))
		return;
	if (fabs(llr) >= SERIES_DECIDED)
		p->class = llr > 0 ? SERIES_BAD : SERIES_GOOD;
}

static int build(struct series *s, const struct compare_block *b, const struct compare_row *row)
{
	size_t total = 0;
	double *x;
	int rc = 0;

	s->metric = row->name;
	s->unit = row->unit;
	s->better = row->better;
	s->family = row->family;
	s->nr = b->nr + 1;
	s->p = NAN;
	s->point = calloc(s->nr, sizeof(*s->point));
	if (!s->point)
		return -ENOMEM;
	for (size_t i = 0; i < s->nr && !rc; i++) {
		s->point[i].arm = i ? b->c[i - 1].other : b->base;
		rc = compare_side__fill(&s->point[i].side, s->point[i].arm, s->metric);
		total += s->point[i].side.n;
	}
	x = malloc((2 * total + 1) * sizeof(*x));
	if (!rc && !x)
		rc = -ENOMEM;
	if (!rc)
		rc = find_change(s, x);
	for (size_t i = 0; i < s->nr && !rc; i++)
		classify(s, i, x);
	for (size_t i = s->first; i > 0 && !rc; i--, s->unsure++)
		if (s->point[i - 1].class == SERIES_GOOD || s->point[i - 1].class == SERIES_BAD)
			break;
	free(x);
	return rc;
}

/* There are many metrics: as compare does, Holm for the primary, Benjamini-Hochberg for others. */
static int adjust(struct series_list *l, enum compare_family f, double level)
{
	double *p = malloc((l->nr + 1) * sizeof(*p));
	size_t n = 0;
	int rc;

	if (!p)
		return -ENOMEM;
	for (size_t i = 0; i < l->nr; i++)
		if (l->series[i].family == f && l->series[i].first)
			p[n++] = l->series[i].p;
	rc = f == COMPARE_PRIMARY ? stats__holm(p, n) : stats__bh(p, n);
	n = 0;
	for (size_t i = 0; i < l->nr && !rc; i++) {
		struct series *s = &l->series[i];

		if (s->family != f || !s->first)
			continue;
		s->p = p[n++];
		s->proven = s->p <= level;
	}
	free(p);
	return rc;
}

static bool is_known(const struct series_list *l, const char *metric)
{
	for (size_t i = 0; i < l->nr; i++)
		if (!strcmp(l->series[i].metric, metric))
			return true;
	return false;
}

/* Each metric that some comparison of the block has, once. */
static int add_all(struct series_list *l, const struct compare_block *b, enum compare_family f)
{
	int rc = 0;

	for (size_t k = 0; k < b->nr; k++) {
		for (size_t i = 0; i < b->c[k].nr && !rc; i++) {
			const struct compare_row *row = &b->c[k].row[i];

			if (row->family == f && !is_known(l, row->name))
				rc = build(&l->series[l->nr++], b, row);
		}
	}
	return rc;
}

int series_list__build(struct series_list *l, const struct compare_block *b)
{
	size_t most = 1;
	int rc = 0;

	for (size_t k = 0; k < b->nr; k++)
		most += b->c[k].nr;
	*l = (struct series_list){ .series = calloc(most, sizeof(*l->series)) };
	if (!l->series)
		return -ENOMEM;
	for (int f = 0; f < COMPARE_NR_FAMILIES && !rc; f++)
		rc = add_all(l, b, f);
	for (int f = 0; f < COMPARE_NR_FAMILIES && !rc && b->nr; f++)
		rc = adjust(l, f, f == COMPARE_PRIMARY ? b->c[0].opts.alpha : b->c[0].opts.fdr);
	if (rc)
		series_list__exit(l);
	return rc;
}

bool series_list__is_worse(const struct series_list *l)
{
	bool primary = false;

	for (size_t i = 0; i < l->nr; i++)
		primary |= l->series[i].family == COMPARE_PRIMARY && l->series[i].first;
	for (size_t i = 0; i < l->nr; i++) {
		const struct series *s = &l->series[i];

		if (s->proven && (s->family == COMPARE_PRIMARY || !primary) &&
		    compare__goodness(s->better, s->two.superiority - 0.5) < 0)
			return true;
	}
	return false;
}
