// SPDX-License-Identifier: GPL-2.0
/*
 * compare-runs: the raw runs with their average; the means of all arms side by side.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare-view.h"
#include "compare.h"
#include "number.h"
#include "runset.h"

enum { NAME_MIN = 19, COLUMN_MIN = 11 };

/* As many decimals as any of them needs. */
static int decimals(const double *v, size_t n)
{
	int most = 0, d;

	for (size_t i = 0; i < n; i++) {
		d = isnan(v[i]) ? 0 : number__decimals(v[i]);
		if (d > most)
			most = d;
	}
	return most;
}

/* Averages of 1000 and more without decimals, truncated. */
static void print_average(FILE *fp, double mean)
{
	char buf[NUMBER_MAX];

	if (fabs(mean) >= 1000)
		fprintf(fp, "  average=%.0f\n", trunc(mean));
	else
		fprintf(fp, "  average=%s\n", number__short(mean, buf));
}

static int print_arm(const struct compare_view *v, const struct run_arm *arm, const char *metric,
		     int width, FILE *fp)
{
	const struct run_metric *m = run_arm__find(arm, metric);
	double *x = malloc((arm->nr_runs + 1) * sizeof(*x)), sum = 0;
	size_t n;

	if (!x)
		return -ENOMEM;
	n = m ? run_arm__values(arm, m, x, NULL) : 0;
	fprintf(fp, "%-*s", width, arm->name);
	if (!n)
		fputs(" not measured\n", fp);
	for (size_t i = 0; i < n; i++) {
		if (i && i % v->per_line == 0)
			fprintf(fp, "\n%*s", width, "");
		fprintf(fp, " %.*f", decimals(x, n), x[i]);
		sum += x[i];
	}
	if (n)
		print_average(fp, sum / n);
	free(x);
	return 0;
}

int compare_view__runs(const struct compare_view *v, FILE *fp)
{
	int rc = 0;

	for (size_t b = 0; b < v->table->nr; b++) {
		const struct compare_block *block = &v->table->block[b];
		const struct run_arm *base = block->base;
		int width = strlen(base->name);

		for (size_t k = 0; k < block->nr; k++)
			if ((int)strlen(block->c[k].other->name) > width)
				width = strlen(block->c[k].other->name);
		for (size_t i = 0; i < base->nr_metrics && !rc; i++) {
			fprintf(fp, "%s%s%s%s\n", block->group ? block->group : "",
				block->group ? ": " : "", base->metric[i].name,
				base->metric[i].better > METRIC_NONE
					? base->metric[i].better == METRIC_HIGHER
						  ? " (higher is better)"
						  : " (lower is better)"
					: "");
			rc = print_arm(v, base, base->metric[i].name, width, fp);
			for (size_t k = 0; k < block->nr && !rc; k++)
				rc = print_arm(v, block->c[k].other, base->metric[i].name, width,
					       fp);
		}
	}
	return rc ? rc : ferror(fp) ? -EIO : 0;
}

static double mean_of(const struct run_arm *arm, const char *metric)
{
	const struct run_metric *m = run_arm__find(arm, metric);
	double *x, mean = 0;
	size_t n;

	x = m ? malloc((arm->nr_runs + 1) * sizeof(*x)) : NULL;
	if (!x)
		return NAN;
	n = run_arm__values(arm, m, x, NULL);
	for (size_t i = 0; i < n; i++)
		mean += x[i] / n;
	free(x);
	return n ? mean : NAN;
}

static const struct run_arm *arm_at(const struct compare_block *b, size_t k)
{
	return k ? b->c[k - 1].other : b->base;
}

static void print_values_row(const struct compare_block *b, const char *metric, int width, FILE *fp)
{
	double v[64];
	size_t n = b->nr + 1 < 64 ? b->nr + 1 : 64;
	int d;

	for (size_t k = 0; k < n; k++)
		v[k] = mean_of(arm_at(b, k), metric);
	d = decimals(v, n);
	fprintf(fp, "%-*s", width, metric);
	for (size_t k = 0; k < n; k++) {
		int column = strlen(arm_at(b, k)->name) + 3;
		char text[64] = "-";

		if (column < COLUMN_MIN)
			column = COLUMN_MIN;
		if (!isnan(v[k]))
			snprintf(text, sizeof(text), "%.*f", d, v[k]);
		fprintf(fp, k + 1 < n ? "%-*s" : "%.*s", k + 1 < n ? column : 63, text);
	}
	putc('\n', fp);
}

int compare_view__values(const struct compare_view *v, FILE *fp)
{
	const struct compare_table *t = v->table;
	int width = NAME_MIN;

	for (size_t b = 0; b < t->nr; b++)
		for (size_t i = 0; i < t->block[b].base->nr_metrics; i++)
			if ((int)strlen(t->block[b].base->metric[i].name) + 2 > width)
				width = strlen(t->block[b].base->metric[i].name) + 2;
	for (size_t b = 0; b < t->nr; b++) {
		const struct compare_block *block = &t->block[b];

		if (b && block->group && block->nr == t->block[b - 1].nr) {
			fprintf(fp, "%s\n", block->group);
		} else {
			fprintf(fp, "%-*s", width, block->group ? block->group : "");
			for (size_t k = 0; k <= block->nr; k++) {
				int column = strlen(arm_at(block, k)->name) + 3;

				if (column < COLUMN_MIN)
					column = COLUMN_MIN;
				fprintf(fp, "%-*s", k < block->nr ? column : 0,
					arm_at(block, k)->name);
			}
			putc('\n', fp);
		}
		for (size_t i = 0; i < block->base->nr_metrics; i++)
			print_values_row(block, block->base->metric[i].name, width, fp);
	}
	return ferror(fp) ? -EIO : 0;
}
