// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare-view.h"
#include "compare.h"
#include "err.h"
#include "runs-table.h"
#include "sweep-view.h"

struct pairs {
	double *x, *y;
	int *group;
	size_t n;
};

/* Has the set a value of that metric at all? */
static bool has_values(const struct runset *set, const char *name)
{
	for (size_t a = 0; a < set->nr; a++) {
		const struct run_metric *m = run_arm__find(&set->arm[a], name);

		for (size_t i = 0; m && i < set->arm[a].nr_runs; i++)
			if (isfinite(m->value[i]))
				return true;
	}
	return false;
}

/* Runs that count and have both figures, of all arms. */
static void collect(struct pairs *p, const struct runset *set, const char *x, const char *y)
{
	p->n = 0;
	for (size_t a = 0; a < set->nr; a++) {
		const struct run_arm *arm = &set->arm[a];
		const struct run_metric *mx = run_arm__find(arm, x), *my = run_arm__find(arm, y);

		for (size_t i = 0; mx && my && i < arm->nr_runs; i++) {
			if (arm->run[i].status != RUN_OK || !isfinite(mx->value[i]) ||
			    !isfinite(my->value[i]))
				continue;
			p->x[p->n] = mx->value[i];
			p->y[p->n] = my->value[i];
			p->group[p->n++] = (int)a;
		}
	}
}

static int print_pair(struct pairs *p, const struct runset *set, const char *x, const char *y,
		      FILE *fp)
{
	struct stats_corr corr;
	double within;
	int rc;

	collect(p, set, x, y);
	if (p->n < 8)
		return 0;
	rc = stats__corr(p->x, p->y, p->n, &corr);
	if (!rc)
		rc = stats__corr_within(p->x, p->y, p->group, p->n, &within);
	if (rc)
		return rc;
	compare_view__r(corr.pearson, fp);
	compare_view__r(corr.spearman, fp);
	compare_view__r(within, fp);
	fprintf(fp, "%5zu%s %s x %s%s\n", p->n,
		corr.pearson_p <= 0.05 && corr.spearman_p <= 0.05 ? "*" : " ", x, y,
		corr.pearson * within < 0 ? " (sign flips)" : "");
	return 0;
}

/* Migrations, misses (page faults where none can be counted) and the value, each with each. */
static int correlations(const struct runset *set, FILE *fp)
{
	const char *name[] = { METRIC_MIGRATIONS,
			       has_values(set, METRIC_MISSES) ? METRIC_MISSES : "page-faults",
			       METRIC_VALUE };
	size_t most = 0;
	struct pairs p;
	int rc;

	for (size_t a = 0; a < set->nr; a++)
		most += run_arm__good(&set->arm[a]);
	if (most < 8) {
		fprintf(fp, "\nCorrelations need 8 runs in all.\n");
		return 0;
	}
	p = (struct pairs){ malloc(most * sizeof(double)), malloc(most * sizeof(double)),
			    malloc(most * sizeof(int)), 0 };
	rc = p.x && p.y && p.group ? 0 : -ENOMEM;
	fprintf(fp, "\n pearson spearman   within  runs  over all values"
		    " (* p <= 0.05 by both of the pooled)\n");
	for (int i = 0; i < 3 && !rc; i++)
		for (int k = i + 1; k < 3 && !rc; k++)
			rc = print_pair(&p, set, name[i], name[k], fp);
	free(p.x);
	free(p.y);
	free(p.group);
	return rc;
}

int sweep_view__text(const struct runset *set, const char *fields, FILE *fp, struct mig_err *err)
{
	struct compare_options opts = { .alpha = 0.05, .fdr = 0.05 };
	struct compare_table table = { 0 };
	struct compare_view view = { .table = &table, .set = set };
	int rc = 0;

	for (size_t a = 0; a < set->nr && !rc; a++) {
		fprintf(fp, "%s%s\n", a ? "\n" : "", set->arm[a].name);
		runs_table__head(fields, fp);
		for (size_t i = 0; i < set->arm[a].nr_runs; i++)
			runs_table__row(&set->arm[a], i, fields, fp);
		rc = runs_table__foot(&set->arm[a], fp);
	}
	if (!rc && set->nr > 1) {
		rc = compare_table__build(&table, set, &opts, err);
		if (rc)
			return rc;
		fputc('\n', fp);
		rc = compare_view__text(&view, fp);
		compare_table__exit(&table);
	}
	if (!rc)
		rc = correlations(set, fp);
	return rc ? mig_err__set(err, rc, "standard output: %s", strerror(-rc)) : 0;
}
