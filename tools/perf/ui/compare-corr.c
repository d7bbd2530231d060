// SPDX-License-Identifier: GPL-2.0
/*
 * compare-corr: do the primary metrics go together over the runs, pooled and within the arms.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "compare-view.h"
#include "compare.h"

struct pairs {
	double *x, *y;
	int *group;
	size_t n;
};

/* Runs that have both figures, of both arms. */
static void collect_pairs(struct pairs *p, const struct compare_row *a, const struct compare_row *b)
{
	p->n = 0;
	for (int s = 0; s < 2; s++) {
		for (size_t i = 0, k = 0; i < a->side[s].n; i++) {
			while (k < b->side[s].n && b->side[s].run[k] < a->side[s].run[i])
				k++;
			if (k == b->side[s].n || b->side[s].run[k] != a->side[s].run[i])
				continue;
			p->x[p->n] = a->side[s].x[i];
			p->y[p->n] = b->side[s].x[k];
			p->group[p->n++] = s;
		}
	}
}

void compare_view__r(double r, FILE *fp)
{
	if (isnan(r))
		fprintf(fp, "%8s ", "-");
	else
		fprintf(fp, "%+8.2f ", r);
}

static int print_pair(struct pairs *p, const struct compare_row *a, const struct compare_row *b,
		      FILE *fp)
{
	struct stats_corr corr;
	double within;
	bool both;
	int rc;

	collect_pairs(p, a, b);
	if (p->n < 8)
		return 0;
	rc = stats__corr(p->x, p->y, p->n, &corr);
	if (!rc)
		rc = stats__corr_within(p->x, p->y, p->group, p->n, &within);
	if (rc)
		return rc;
	both = corr.pearson_p <= 0.05 && corr.spearman_p <= 0.05;
	compare_view__r(corr.pearson, fp);
	compare_view__r(corr.spearman, fp);
	compare_view__r(within, fp);
	fprintf(fp, "%s %s x %s%s\n", both ? "*" : " ", a->name, b->name,
		corr.pearson * within < 0 ? " (the sign flips within the arms)" : "");
	return 0;
}

int compare_view__corr(const struct compare *c, FILE *fp)
{
	size_t most = c->base->nr_runs + c->other->nr_runs;
	struct pairs p = { malloc((most + 1) * sizeof(double)), malloc((most + 1) * sizeof(double)),
			   malloc((most + 1) * sizeof(int)), 0 };
	int rc = p.x && p.y && p.group ? 0 : -ENOMEM;

	if (!rc && run_arm__good(c->base) + run_arm__good(c->other) < 8)
		fprintf(fp, "correlations: need 8 runs in all\n");
	else if (!rc)
		fprintf(fp,
			" pearson spearman   within  over runs (* p <= 0.05 by both of the pooled)\n");
	for (size_t i = 0; i < c->nr && !rc; i++) {
		for (size_t k = i + 1; k < c->nr && !rc; k++) {
			if (c->row[i].family == COMPARE_PRIMARY &&
			    c->row[k].family == COMPARE_PRIMARY)
				rc = print_pair(&p, &c->row[i], &c->row[k], fp);
		}
	}
	free(p.x);
	free(p.y);
	free(p.group);
	return rc;
}
