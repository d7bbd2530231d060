// SPDX-License-Identifier: GPL-2.0
/*
 * compare-series: results in order: the plot of a metric, each result on its side of the change,
 * and which is the first bad one.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare-view.h"
#include "number.h"
#include "plot.h"
#include "series.h"
#include "utf8.h"

enum { GLYPH_GOOD = '*', GLYPH_BAD = 'O', GLYPH_UNDECIDED = '?', NAME_WIDTH = 30 };

static char glyph_of(enum series_class class)
{
	return class == SERIES_GOOD  ? GLYPH_GOOD
	       : class == SERIES_BAD ? GLYPH_BAD
				     : GLYPH_UNDECIDED;
}

/* Is the change one for the better, as the metric has it? */
static bool is_gain(const struct series *s)
{
	return compare__goodness(s->better, s->two.superiority - 0.5) > 0;
}

static const char *far_word(const struct series *s)
{
	return is_gain(s) ? "better" : "bad";
}

static const char *class_word(const struct series *s, enum series_class class)
{
	switch (class) {
	case SERIES_GOOD:
		return is_gain(s) ? "before" : "good";
	case SERIES_BAD:
		return far_word(s);
	case SERIES_NO_RUNS:
		return "no runs";
	default:
		return "undecided";
	}
}

static int print_plot(const struct series *s, FILE *fp)
{
	static const enum series_class classes[] = { SERIES_GOOD, SERIES_BAD, SERIES_UNDECIDED };
	struct plot_sample *sample;
	size_t n = 0, used[3] = { 0 };
	char title[160];
	bool both;
	int rc;

	for (size_t i = 0; i < s->nr; i++)
		n += s->point[i].side.n;
	sample = malloc((n + 1) * sizeof(*sample));
	if (!sample)
		return -ENOMEM;
	n = 0;
	for (size_t i = 0; i < s->nr; i++) {
		const struct series_point *p = &s->point[i];

		for (size_t k = 0; k < p->side.n; k++)
			sample[n++] = (struct plot_sample){ p->side.x[k], glyph_of(p->class) };
		for (int c = 0; c < 3; c++)
			used[c] += p->class == classes[c] ? p->side.n : 0;
	}
	utf8__clean(title, sizeof(title), s->metric);
	rc = plot__print(title, sample, n, GLYPH_GOOD, &both, fp);
	free(sample);
	if (rc)
		return rc == -EINVAL ? 0 : rc;
	putc('\n', fp);
	for (int c = 0; c < 3; c++)
		if (used[c])
			fprintf(fp, "  [%c] %s sample\n", glyph_of(classes[c]),
				class_word(s, classes[c]));
	if (both)
		fputs("  [#] samples of two kinds\n", fp);
	putc('\n', fp);
	return 0;
}

static void print_point(const struct series *s, size_t i, FILE *fp)
{
	const struct series_point *p = &s->point[i];
	char name[256], median[NUMBER_MAX];
	size_t failed = p->arm->nr_runs - run_arm__good(p->arm);

	utf8__clean(name, sizeof(name), p->arm->name);
	fprintf(fp, "%c %-*.*s %10s n=%-3zu %s", p->side.n ? glyph_of(p->class) : ' ', NAME_WIDTH,
		NAME_WIDTH, name, p->side.n ? number__short(p->side.one.median, median) : "-",
		p->side.n, class_word(s, p->class));
	if (failed)
		fprintf(fp, " (%zu failed)", failed);
	fputs(i == s->first && s->proven ? "  <===\n" : "\n", fp);
}

static void print_p(FILE *fp, double p)
{
	if (p < 0.0005)
		fputs("p<0.001", fp);
	else
		fprintf(fp, "p=%.3f", p);
}

/* "X is the first bad: cpu-migrations -66.8%, p<0.001 (15+10 runs)" */
static void print_first(const struct series *s, FILE *fp)
{
	char pct[NUMBER_MAX], name[256];

	if (!s->first) {
		fprintf(fp, "%s: results on one side only, nothing to compare\n", s->metric);
		return;
	}
	utf8__clean(name, sizeof(name), s->point[s->first].arm->name);
	if (s->proven)
		fprintf(fp, "%s is the first %s\n  %s ", name, far_word(s), s->metric);
	else
		fprintf(fp, "%s: no change is proven\n  likeliest at %.40s: ", s->metric, name);
	fprintf(fp, "%s, ", number__percent(s->two.change_pct, pct));
	print_p(fp, s->p);
	fprintf(fp, ", %zu+%zu runs\n", s->two.n, s->two.m);
	if (s->proven && s->point[s->first].class != SERIES_BAD)
		fprintf(fp, "%s is undecided by its own runs: it may be a later one\n", name);
	for (size_t i = s->first - s->unsure; i < s->first && s->proven; i++)
		fprintf(fp, "%s %s: it may be the first\n", s->point[i].arm->name,
			s->point[i].side.n ? "is undecided" : "has no runs");
	for (size_t i = 0; i < s->nr && s->proven; i++) {
		const enum series_class other = i < s->first ? SERIES_BAD : SERIES_GOOD;

		if (s->point[i].class == other)
			fprintf(fp, "%s is out of line: its runs are like those %s the change\n",
				s->point[i].arm->name, i < s->first ? "after" : "before");
	}
	if (s->proven && s->better <= METRIC_NONE)
		fputs("neither direction of this metric is better: bad is unlike the first\n", fp);
}

static int print_series(const struct series *s, FILE *fp)
{
	int rc = print_plot(s, fp);

	for (size_t i = 0; i < s->nr && !rc; i++)
		print_point(s, i, fp);
	if (!rc)
		print_first(s, fp);
	return rc;
}

int compare_view__series(const struct compare_view *v, FILE *fp)
{
	int rc = 0;

	for (size_t b = 0; b < v->table->nr && !rc; b++) {
		const struct series_list *l = &v->series[b];
		size_t shown = 0, left = 0;

		if (v->table->block[b].group)
			fprintf(fp, "%s%s\n", b ? "\n" : "", v->table->block[b].group);
		for (size_t i = 0; i < l->nr && !rc; i++) {
			const struct series *s = &l->series[i];

			if (!s->proven && s->family != COMPARE_PRIMARY && !v->all) {
				left++;
				continue;
			}
			if (shown++)
				putc('\n', fp);
			if (s->proven || v->all)
				rc = print_series(s, fp);
			else
				print_first(s, fp);
		}
		if (left)
			fprintf(fp, "%s%zu of %zu metrics shown; -a shows all\n", shown ? "\n" : "",
				shown, shown + left);
	}
	return rc ? rc : ferror(fp) ? -EIO : 0;
}
