// SPDX-License-Identifier: GPL-2.0
/*
 * compare-style: the tables that scheduler authors post with their patches. intel, amd and mmtests
 * print improvement (+ is better, also for times); schedstat prints change. The first lines say so.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare-view.h"
#include "compare.h"

/* In percent of the base; above 0 is better. Without a direction more counts as better. */
static double improvement(const struct compare_row *r)
{
	double a = r->side[0].one.mean, b = r->side[1].one.mean;

	if (!r->side[0].n || !r->side[1].n || a == 0)
		return NAN;
	return r->better == METRIC_LOWER ? 100 * (a - b) / a : 100 * (b - a) / a;
}

static double ratio(const struct compare_row *r)
{
	return r->side[0].n && r->side[1].n && r->side[0].one.mean != 0
		       ? r->side[1].one.mean / r->side[0].one.mean
		       : NAN;
}

/* sd (n - 1) in percent of the mean; 0 for a single run, as they post it */
static double spread(const struct compare_side *s)
{
	double pct = s->n > 1 ? stats__percent(s->one.sd, s->one.mean) : 0;

	return isnan(pct) ? 0 : pct;
}

static bool is_proven(const struct compare_row *r)
{
	return r->verdict == COMPARE_BETTER || r->verdict == COMPARE_WORSE ||
	       r->verdict == COMPARE_CHANGED;
}

static bool has_both(const struct compare_row *r)
{
	return r->side[0].n && r->side[1].n && r->side[0].one.mean != 0;
}

typedef void (*row_fn)(const struct compare_block *b, const struct compare *c,
		       const struct compare_row *r, FILE *fp);

/* All rows of all comparisons; rows without a base or without a value are counted, not printed. */
static int each_row(const struct compare_view *v, row_fn fn, FILE *fp)
{
	size_t left = 0;

	for (size_t b = 0; b < v->table->nr; b++) {
		for (size_t k = 0; k < v->table->block[b].nr; k++) {
			const struct compare *c = &v->table->block[b].c[k];

			for (size_t i = 0; i < c->nr; i++) {
				if (has_both(&c->row[i]))
					fn(&v->table->block[b], c, &c->row[i], fp);
				else
					left++;
			}
		}
	}
	if (left)
		fprintf(fp, "# %zu metrics without a figure on both sides, or from 0\n", left);
	return ferror(fp) ? -EIO : 0;
}

/* "threads-pipe-8/1-groups": the part before the last slash, or the block, is the case. */
static void intel_row(const struct compare_block *b, const struct compare *c,
		      const struct compare_row *r, FILE *fp)
{
	const char *slash = strrchr(r->name, '/');
	char name[256];

	(void)c;
	if (b->group)
		snprintf(name, sizeof(name), "%s", b->group);
	else if (slash)
		snprintf(name, sizeof(name), "%.*s", (int)(slash - r->name), r->name);
	else
		snprintf(name, sizeof(name), "%s", r->name);
	fprintf(fp, "%-24s%-16s%5.2f (%6.2f)  %+6.2f (%6.2f)%s\n", name,
		b->group ? r->name
		: slash  ? slash + 1
			 : "-",
		1.0, spread(&r->side[0]), improvement(r), spread(&r->side[1]),
		is_proven(r) ? " *" : "");
}

int compare_view__intel(const struct compare_view *v, FILE *fp)
{
	fputs("# compare%: improvement, + is better; * proven; std% n-1\n", fp);
	fprintf(fp, "%-24s%-16s%s  %s\n", "case", "load", "baseline(std%)", "compare%( std%)");
	return each_row(v, intel_row, fp);
}

/* They post the change of the means as printed: 12.33 and 9.67 are +21.57%. */
static void intel_latency_row(const struct compare_block *b, const struct compare *c,
			      const struct compare_row *r, FILE *fp)
{
	double x = round(100 * r->side[0].one.mean), y = round(100 * r->side[1].one.mean);

	(void)b;
	(void)c;
	fprintf(fp, "%s  %.2f(%.2f)  %.2f(%.2f)  %+.2f%%%s\n", r->name, x / 100,
		r->side[0].n > 1 ? r->side[0].one.sd : 0, y / 100,
		r->side[1].n > 1 ? r->side[1].one.sd : 0,
		x == 0 ? NAN : 100 * (r->better == METRIC_LOWER ? x - y : y - x) / x,
		is_proven(r) ? " *" : "");
}

int compare_view__intel_latency(const struct compare_view *v, FILE *fp)
{
	fputs("# mean(sd n-1); Change: improvement, + is better; * proven\n", fp);
	fputs("Name  Base (mean(sd))  Compare (mean(sd))  Change\n", fp);
	return each_row(v, intel_latency_row, fp);
}

static void amd_cell(FILE *fp, double r, double imp, double cv)
{
	fprintf(fp, "  %.2f [%6.2f](%5.2f)", r, imp, cv);
}

static void amd_box(const struct compare_block *b, const struct compare_row *r, FILE *fp)
{
	static const char *const way[] = { "No direction is better", "No direction is better",
					   "Higher is better", "Lower is better" };
	const char *line = "==================================================================";

	fprintf(fp, "%s\nTest          : %s\nUnits         : Normalized %s\n", line,
		b->group ? b->group : r->name, r->unit && *r->unit ? r->unit : "figures");
	fprintf(fp, "Interpretation: %s\nStatistic     : AMean; pct imp: + is better\n%s\n",
		way[r->better], line);
}

static void amd_head(const struct compare_block *b, int width, FILE *fp)
{
	fprintf(fp, "%-*s  %s[pct imp](CV)", width, "Case:", b->base->name);
	for (size_t k = 0; k < b->nr; k++)
		fprintf(fp, "  %s[pct imp](CV)", b->c[k].other->name);
	putc('\n', fp);
}

static bool same_kind(const struct compare_row *a, const struct compare_row *b)
{
	return a->better == b->better && !strcmp(a->unit ? a->unit : "", b->unit ? b->unit : "");
}

/* A box above the rows, and another where the unit or the direction changes. */
static void amd_block(const struct compare_block *b, FILE *fp)
{
	const struct compare_row *before = NULL;
	int width = 9;

	for (size_t i = 0; i < b->c[0].nr; i++)
		if ((int)strlen(b->c[0].row[i].name) + 1 > width)
			width = strlen(b->c[0].row[i].name) + 1;
	for (size_t i = 0; i < b->c[0].nr; i++) {
		const struct compare_row *r = &b->c[0].row[i];

		if (!r->side[0].n || r->side[0].one.mean == 0)
			continue;
		if (!before || !same_kind(before, r)) {
			amd_box(b, r, fp);
			amd_head(b, width, fp);
		}
		before = r;
		fprintf(fp, "%*s", width, r->name);
		amd_cell(fp, 1, r->better == METRIC_LOWER ? -0.0 : 0.0, spread(&r->side[0]));
		for (size_t k = 0; k < b->nr; k++) {
			const struct compare_row *o = compare__find(&b->c[k], r->name);

			if (o && has_both(o))
				amd_cell(fp, ratio(o), improvement(o), spread(&o->side[1]));
			else
				fprintf(fp, "  %20s", "-");
		}
		putc('\n', fp);
	}
}

int compare_view__amd(const struct compare_view *v, FILE *fp)
{
	for (size_t b = 0; b < v->table->nr; b++)
		if (v->table->block[b].nr)
			amd_block(&v->table->block[b], fp);
	return ferror(fp) ? -EIO : 0;
}

static void amd_diff_row(const struct compare_block *b, const struct compare *c,
			 const struct compare_row *r, FILE *fp)
{
	double a = r->side[0].one.median, o = r->side[1].one.median;

	(void)b;
	(void)c;
	fprintf(fp, "%s  %.2f%%\n", r->name,
		a == 0                      ? NAN
		: r->better == METRIC_LOWER ? 100 * (a - o) / a
					    : 100 * (o - a) / a);
}

int compare_view__amd_diff(const struct compare_view *v, FILE *fp)
{
	fputs("# medians; %diff: improvement, + is better\nBenchmarks: %diff\n", fp);
	return each_row(v, amd_diff_row, fp);
}

static void mmtests_block(const struct compare_block *b, FILE *fp)
{
	int width = 18;

	for (size_t i = 0; i < b->c[0].nr; i++)
		if ((int)strlen(b->c[0].row[i].name) > width)
			width = strlen(b->c[0].row[i].name);
	fprintf(fp, "%-*s  %12.12s           ", width, b->group ? b->group : "", b->base->name);
	for (size_t k = 0; k < b->nr; k++)
		fprintf(fp, "%12.12s%s", b->c[k].other->name, k + 1 < b->nr ? "           " : "\n");
	for (size_t i = 0; i < b->c[0].nr; i++) {
		const struct compare_row *r = &b->c[0].row[i];

		if (!r->side[0].n)
			continue;
		fprintf(fp, "%-*s  %12.2f (%7.2f%%)", width, r->name, r->side[0].one.mean, 0.0);
		for (size_t k = 0; k < b->nr; k++) {
			const struct compare_row *o = compare__find(&b->c[k], r->name);

			if (!o || !has_both(o))
				fprintf(fp, "%12s           ", "-");
			else
				fprintf(fp, is_proven(o) ? "%12.2f *%7.2f%%*" : "%12.2f (%7.2f%%)",
					o->side[1].one.mean, improvement(o));
		}
		putc('\n', fp);
	}
}

int compare_view__mmtests(const struct compare_view *v, FILE *fp)
{
	fputs("# mean (improvement, + is better), *proven*\n", fp);
	for (size_t b = 0; b < v->table->nr; b++)
		if (v->table->block[b].nr)
			mmtests_block(&v->table->block[b], fp);
	return ferror(fp) ? -EIO : 0;
}

static void schedstat_row(const struct compare_block *b, const struct compare *c,
			  const struct compare_row *r, FILE *fp)
{
	(void)b;
	(void)c;
	fprintf(fp, "%s : %.0f, %.0f  | %6.2f%% |%s\n", r->name, trunc(r->side[0].one.mean),
		trunc(r->side[1].one.mean), r->two.change_pct, is_proven(r) ? " <===" : "");
}

int compare_view__schedstat(const struct compare_view *v, FILE *fp)
{
	fputs("# PCT_CHANGE: change of the means, not improvement; <=== proven\n", fp);
	fputs("DESC  COUNT1  COUNT2  PCT_CHANGE\n", fp);
	return each_row(v, schedstat_row, fp);
}

static void schedstat_count_row(const struct compare_block *b, const struct compare *c,
				const struct compare_row *r, FILE *fp)
{
	(void)c;
	fprintf(fp, " %s: %s : %.0f, %.0f  | %7.2f|%s\n", b->group ? b->group : "all", r->name,
		trunc(r->side[0].one.mean), trunc(r->side[1].one.mean), r->two.change_pct,
		is_proven(r) ? " <===" : "");
}

int compare_view__schedstat_count(const struct compare_view *v, FILE *fp)
{
	fputs("# change of the means in percent, not improvement; <=== proven\n", fp);
	return each_row(v, schedstat_count_row, fp);
}
