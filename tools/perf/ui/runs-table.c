// SPDX-License-Identifier: GPL-2.0
#include "runs-table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "runset.h"
#include "stats.h"

static const struct {
	const char *head, *metric;
	int width; /* the last one is not padded */
} columns[] = {
	{ "value", METRIC_VALUE, 9 },
	{ "cache misses", METRIC_MISSES, 15 },
	{ "CPU migrations", METRIC_MIGRATIONS, 16 },
	{ "cachemisses/migrations", METRIC_RATIO, 22 },
};

enum { NR = sizeof(columns) / sizeof(columns[0]) };

/* Calls print for each name of the list. */
static void each_field(const char *fields, void (*print)(const char *name, void *ctx), void *ctx)
{
	size_t n;
	char name[128];

	for (const char *p = fields; p && *p; p += n + (p[n] == ',')) {
		n = strcspn(p, ",");
		snprintf(name, sizeof(name), "%.*s", (int)n, p);
		print(name, ctx);
	}
}

struct row {
	const struct run_arm *arm;
	size_t run;
	FILE *fp;
};

static int field_width(const char *name)
{
	size_t len = strlen(name);

	return len < 10 ? 10 : len;
}

static void head_field(const char *name, void *ctx)
{
	fprintf(ctx, "  %*s", field_width(name), name);
}

void runs_table__head(const char *fields, FILE *fp)
{
	for (int i = 0; i < NR; i++)
		fprintf(fp, "%-*s", i + 1 < NR || fields ? columns[i].width : 0, columns[i].head);
	each_field(fields, head_field, fp);
	putc('\n', fp);
}

static double value_at(const struct row *r, const char *name)
{
	const struct run_metric *m = run_arm__find(r->arm, name);

	return m ? m->value[r->run] : NAN;
}

/* Counts are whole, the ratio is truncated, a value that is not whole has 2 decimals or more. */
static void format(const char *name, double v, char buf[NUMBER_MAX])
{
	int decimals = number__decimals(v);

	if (isnan(v))
		snprintf(buf, NUMBER_MAX, "-");
	else if (!strcmp(name, METRIC_RATIO))
		snprintf(buf, NUMBER_MAX, "%.0f", trunc(v));
	else
		snprintf(buf, NUMBER_MAX, "%.*f", decimals == 1 ? 2 : decimals, v);
}

static void row_field(const char *name, void *ctx)
{
	const struct row *r = ctx;
	char buf[NUMBER_MAX];

	format(name, value_at(r, name), buf);
	fprintf(r->fp, "  %*s", field_width(name), buf);
}

void runs_table__row(const struct run_arm *arm, size_t run, const char *fields, FILE *fp)
{
	const struct run *r = &arm->run[run];
	struct row row = { arm, run, fp };
	char buf[NUMBER_MAX];

	if (r->status != RUN_OK) {
		fprintf(fp, "%s: %s\n", run_status__name(r->status), r->why ? r->why : "");
		return;
	}
	for (int i = 0; i < NR; i++) {
		format(columns[i].metric, value_at(&row, columns[i].metric), buf);
		fprintf(fp, "%-*s", i + 1 < NR || fields ? columns[i].width : 0, buf);
	}
	each_field(fields, row_field, &row);
	putc('\n', fp);
}

static int print_mean(const struct run_arm *arm, const struct run_metric *m, FILE *fp)
{
	double *x = malloc((arm->nr_runs + 1) * sizeof(*x)), rho, p;
	char mean[NUMBER_MAX], median[NUMBER_MAX];
	struct stats_one s;
	size_t n;
	int rc = 0;

	if (!x)
		return -ENOMEM;
	n = run_arm__values(arm, m, x, NULL);
	if (!n)
		goto out;
	rc = stats__one(x, n, &s);
	if (!rc)
		rc = stats__drift(x, n, &rho, &p);
	if (rc)
		goto out;
	fprintf(fp, "%-22s mean %s, median %s", m->name, number__short(s.mean, mean),
		number__short(s.median, median));
	if (n >= 3 && s.mean != 0)
		fprintf(fp, ", sd (n-1) %.1f%%", fabs(stats__percent(s.sd, s.mean)));
	fprintf(fp, ", n=%zu%s\n", n,
		n >= 4 && p <= 0.05 ? rho > 0 ? ", rises with run order" : ", falls with run order"
				    : "");
out:
	free(x);
	return rc;
}

int runs_table__foot(const struct run_arm *arm, FILE *fp)
{
	size_t good = run_arm__good(arm);
	double least = 100;
	int rc = 0;

	for (int i = 0; i < NR && !rc; i++) {
		const struct run_metric *m = run_arm__find(arm, columns[i].metric);

		if (m)
			rc = print_mean(arm, m, fp);
	}
	for (size_t i = 0; i < arm->nr_metrics; i++)
		if (arm->metric[i].why)
			fprintf(fp, "%s: %s\n", arm->metric[i].name, arm->metric[i].why);
	for (size_t i = 0; i < arm->nr_runs; i++)
		least = fmin(least, arm->run[i].running_pct);
	if (least < 100)
		fprintf(fp, "events shared the counters (down to %.0f%% of the time), scaled\n",
			least);
	if (good < arm->nr_runs)
		fprintf(fp, "%zu of %zu runs failed; they are not in the means\n",
			arm->nr_runs - good, arm->nr_runs);
	return rc;
}
