// SPDX-License-Identifier: GPL-2.0
/*
 * compare-lkp: the table of the 0-day robot's mails: means truncated, ~ the population sd in
 * percent of the mean, truncated, the change of the unrounded means; a TOTAL row for each metric.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare-view.h"
#include "compare.h"
#include "number.h"

/* The form of all numbers of a metric, chosen over all of its rows. */
static const char *form(const struct compare_table *t, const char *name)
{
	bool big = false, small = false;

	for (size_t b = 0; b < t->nr; b++) {
		for (size_t k = 0; k < t->block[b].nr; k++) {
			const struct compare_row *r = compare__find(&t->block[b].c[k], name);

			for (int s = 0; r && s < 2; s++) {
				for (size_t i = 0; i < r->side[s].n; i++) {
					double v = fabs(r->side[s].x[i]);

					big |= v >= 1e8;
					small |= v > 0 && v < 100 && v != trunc(v);
				}
			}
		}
	}
	return big ? "%10.4g" : small ? "%10.2f" : "%10.0f";
}

static void print_mean(FILE *fp, const char *fmt, double mean, double sd)
{
	double pct = stats__percent(sd, mean);
	char text[NUMBER_MAX];

	/* the forms are the three of form() */
	if (!strcmp(fmt, "%10.0f"))
		snprintf(text, sizeof(text), "%10.0f", trunc(mean));
	else if (!strcmp(fmt, "%10.2f"))
		snprintf(text, sizeof(text), "%10.2f", mean);
	else if (mean == trunc(mean) && fabs(mean) < 1e8)
		snprintf(text, sizeof(text), "%10.0f", mean);
	else
		snprintf(text, sizeof(text), "%10.4g", mean);
	fputs(text, fp);
	if (isnan(pct))
		fputs("     ", fp);
	else
		fprintf(fp, " ~%2.0f%%", trunc(fabs(pct)));
}

static void print_change(FILE *fp, double pct)
{
	if (isnan(pct))
		fprintf(fp, "  %8s  ", "-");
	else
		fprintf(fp, fabs(pct) >= 1e5 ? "  %+8.2g%% " : "  %+8.1f%% ", pct);
}

/* One spread alone is of one run: not printed. */
static double spread(const struct compare_side *s)
{
	return s->n > 1 ? s->one.sd_pop : NAN;
}

static void print_metric(const struct compare_table *t, size_t k, const char *name, FILE *fp)
{
	const char *fmt = form(t, name);
	double sum[2] = { 0, 0 };

	for (size_t b = 0; b < t->nr; b++) {
		const struct compare_block *block = &t->block[b];
		const struct compare_row *r = k < block->nr ? compare__find(&block->c[k], name)
							    : NULL;

		if (!r || !r->side[0].n || !r->side[1].n)
			continue;
		print_mean(fp, fmt, r->side[0].one.mean, spread(&r->side[0]));
		print_change(fp, r->two.change_pct);
		print_mean(fp, fmt, r->side[1].one.mean, spread(&r->side[1]));
		fprintf(fp, "  %s\n", block->group ? block->group : name);
		sum[0] += r->side[0].one.mean;
		sum[1] += r->side[1].one.mean;
	}
	print_mean(fp, fmt, sum[0], NAN);
	print_change(fp, stats__percent(sum[1] - sum[0], sum[0]));
	print_mean(fp, fmt, sum[1], NAN);
	fprintf(fp, "  TOTAL %s\n\n", name);
}

/* Shown in any block, and on both sides there. */
static bool is_shown(const struct compare_table *t, size_t k, const char *name)
{
	for (size_t b = 0; b < t->nr; b++) {
		const struct compare_row *r =
			k < t->block[b].nr ? compare__find(&t->block[b].c[k], name) : NULL;

		if (r && r->shown && r->side[0].n && r->side[1].n)
			return true;
	}
	return false;
}

/* Was the metric printed for an earlier block? */
static bool is_known(const struct compare_table *t, size_t k, size_t block, const char *name)
{
	for (size_t b = 0; b < block; b++)
		if (k < t->block[b].nr && compare__find(&t->block[b].c[k], name))
			return true;
	return false;
}

static void print_arm(const struct compare_table *t, size_t k, FILE *fp)
{
	const struct compare *first = &t->block[0].c[k];
	size_t shown = 0, all = 0;

	fprintf(fp, "%15.15s  %25.25s\n", first->base->name, first->other->name);
	fputs("---------------  -------------------------\n", fp);
	for (size_t b = 0; b < t->nr; b++) {
		const struct compare *c = k < t->block[b].nr ? &t->block[b].c[k] : NULL;

		for (size_t i = 0; c && i < c->nr; i++) {
			if (is_known(t, k, b, c->row[i].name))
				continue;
			all++;
			if (!is_shown(t, k, c->row[i].name))
				continue;
			shown++;
			print_metric(t, k, c->row[i].name, fp);
		}
	}
	fprintf(fp, "%zu of %zu metrics shown%s\n", shown, all,
		shown < all ? "; -a shows all" : "");
}

int compare_view__lkp(const struct compare_view *v, FILE *fp)
{
	const struct compare_table *t = v->table;

	for (size_t k = 0; t->nr && k < t->block[0].nr; k++) {
		if (k)
			putc('\n', fp);
		print_arm(t, k, fp);
	}
	return ferror(fp) ? -EIO : 0;
}
