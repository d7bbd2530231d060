// SPDX-License-Identifier: GPL-2.0
/*
 * compare-notes: what has to be said of a comparison in words.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "number.h"

struct notes {
	char **text;
	int nr;
	bool failed;
};

static void add(struct notes *n, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void add(struct notes *n, const char *fmt, ...)
{
	va_list ap;

	if (n->nr == COMPARE_NOTES_MAX || n->failed)
		return;
	va_start(ap, fmt);
	n->failed = vasprintf(&n->text[n->nr], fmt, ap) < 0;
	va_end(ap);
	n->nr += !n->failed;
}

static void far_runs(struct notes *n, const char *arm, const struct compare_side *s)
{
	char value[NUMBER_MAX], median[NUMBER_MAX];

	if (s->n < 4)
		return;
	for (size_t i = 0; i < s->n; i++) {
		if (stats__is_outlier(&s->one, s->x[i]))
			add(n, "%s run %zu (%s) is far from the median %s; not dropped", arm,
			    s->run[i], number__short(s->x[i], value),
			    number__short(s->one.median, median));
	}
}

static void drift(struct notes *n, const char *arm, const struct compare_side *s)
{
	if (s->n < 4 || !(s->drift_p <= 0.05))
		return;
	add(n, "%s %s with run order (rho %+.2f): runs may not be independent", arm,
	    s->drift_rho > 0 ? "rises" : "falls", s->drift_rho);
}

static void modes(struct notes *n, const char *arm, const struct compare_side *s)
{
	const struct stats_split *sp = &s->split;
	char low[NUMBER_MAX], high[NUMBER_MAX];

	if (!sp->two_modes)
		return;
	add(n, "%s has two modes: %zu runs near %s, %zu near %s; one change is not the answer", arm,
	    sp->nr_low, number__short(sp->low_median, low), sp->nr_high,
	    number__short(sp->high_median, high));
}

static void control(struct notes *n, const struct compare_row *row)
{
	char aa[NUMBER_MAX], result[NUMBER_MAX];

	if (isnan(row->aa_pct) || isnan(row->two.change_pct))
		return;
	if (fabs(row->aa_pct) >= fabs(row->two.change_pct))
		add(n, "the two control arms differ by %s, as much as the result (%s)",
		    number__percent(row->aa_pct, aa), number__percent(row->two.change_pct, result));
	else if (row->aa_p <= 0.05)
		add(n, "the two control arms differ by %s (p=%.3f): something else changed, too",
		    number__percent(row->aa_pct, aa), row->aa_p);
}

int compare__notes(const struct compare *c, const struct compare_row *row,
		   char *ret[COMPARE_NOTES_MAX])
{
	const char *arm[2] = { c->base->name, c->other->name };
	struct notes n = { .text = ret };

	if (row->note)
		add(&n, "%s", row->note);
	for (int s = 0; s < 2; s++)
		far_runs(&n, arm[s], &row->side[s]);
	for (int s = 0; s < 2; s++)
		drift(&n, arm[s], &row->side[s]);
	for (int s = 0; s < 2; s++)
		modes(&n, arm[s], &row->side[s]);
	control(&n, row);
	if (row->verdict == COMPARE_TOO_FEW)
		add(&n, "no result of %zu+%zu runs is proof here: at least %zu+%zu are needed",
		    row->side[0].n, row->side[1].n, row->runs_needed, row->runs_needed);
	if (row->verdict == COMPARE_ONE_SIDE)
		add(&n, "not measured in %s", row->side[0].n ? arm[1] : arm[0]);
	while (n.failed && n.nr)
		free(ret[--n.nr]);
	return n.failed ? -ENOMEM : n.nr;
}

char **compare__environment(const struct run_arm *a, const struct run_arm *b)
{
	const struct machine *ma = &a->machine, *mb = &b->machine;
	char **list = calloc(ma->nr + mb->nr + 1, sizeof(*list));
	size_t nr = 0;
	bool failed = !list;

	if (!ma->nr || !mb->nr)
		return list;
	for (size_t i = 0; !failed && i < ma->nr; i++) {
		const char *other = machine__get(mb, ma->item[i].name);

		if (!machine__matters(ma->item[i].name) ||
		    (other && !strcmp(other, ma->item[i].text)))
			continue;
		failed = asprintf(&list[nr++], "%s: %s | %s", ma->item[i].name, ma->item[i].text,
				  other ? other : "-") < 0;
	}
	for (size_t i = 0; !failed && i < mb->nr; i++) {
		if (machine__get(ma, mb->item[i].name) || !machine__matters(mb->item[i].name))
			continue;
		failed = asprintf(&list[nr++], "%s: - | %s", mb->item[i].name, mb->item[i].text) <
			 0;
	}
	if (!failed)
		return list;
	for (size_t i = 0; list && i + 1 < nr; i++)
		free(list[i]);
	free(list);
	return NULL;
}
