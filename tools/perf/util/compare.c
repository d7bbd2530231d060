// SPDX-License-Identifier: GPL-2.0
#include "compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"

void compare_side__exit(struct compare_side *s)
{
	free(s->x);
	free(s->run);
}

void compare__exit(struct compare *c)
{
	for (size_t i = 0; i < c->nr; i++) {
		compare_side__exit(&c->row[i].side[0]);
		compare_side__exit(&c->row[i].side[1]);
	}
	free(c->row);
	*c = (struct compare){ 0 };
}

/* Is name one of the comma-separated words; with value, of "name=value", set it. */
static bool in_list(const char *list, const char *name, const char **ret_value)
{
	size_t len = strlen(name), n;

	for (const char *p = list; p && *p; p += n + (p[n] == ',')) {
		n = strcspn(p, ",");
		if (strncmp(p, name, len))
			continue;
		if (ret_value && p[len] == '=' && len < n) {
			*ret_value = p + len + 1;
			return true;
		}
		if (!ret_value && len == n)
			return true;
	}
	return false;
}

int compare_side__fill(struct compare_side *s, const struct run_arm *arm, const char *name)
{
	const struct run_metric *m = run_arm__find(arm, name);
	int rc;

	if (!m)
		return 0;
	s->x = malloc((arm->nr_runs + 1) * sizeof(*s->x));
	s->run = malloc((arm->nr_runs + 1) * sizeof(*s->run));
	if (!s->x || !s->run)
		return -ENOMEM;
	s->n = run_arm__values(arm, m, s->x, s->run);
	if (!s->n)
		return 0;
	rc = stats__one(s->x, s->n, &s->one);
	if (!rc)
		rc = stats__split(s->x, s->n, &s->split);
	if (!rc)
		rc = stats__drift(s->x, s->n, &s->drift_rho, &s->drift_p);
	return rc;
}

static enum metric_better direction(const struct compare *c, const struct run_metric *m)
{
	const char *word;
	char name[8];

	if (!in_list(c->opts.better, m->name, &word))
		return m->better;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, ","), word);
	return metric__parse_better(name);
}

static enum compare_family family(const struct compare *c, const char *name)
{
	if (c->opts.primary ? in_list(c->opts.primary, name, NULL) : metric__is_primary(name))
		return COMPARE_PRIMARY;
	return strncmp(name, "pair ", 5) ? COMPARE_OTHER : COMPARE_PAIR;
}

static int aa__fill(struct compare *c, struct compare_row *row)
{
	struct compare_side aa = { 0 };
	struct stats_two two;
	int rc;

	row->aa_pct = row->aa_p = NAN;
	if (!c->opts.aa || !row->side[0].n)
		return 0;
	rc = compare_side__fill(&aa, c->opts.aa, row->name);
	if (!rc && aa.n) {
		rc = stats__two(row->side[0].x, row->side[0].n, aa.x, aa.n, &two);
		row->aa_pct = two.change_pct;
		row->aa_p = two.p;
	}
	compare_side__exit(&aa);
	return rc;
}

static int add_row(struct compare *c, const struct run_metric *m)
{
	struct compare_row *row = &c->row[c->nr];
	int rc;

	*row = (struct compare_row){ .name = m->name,
				     .unit = m->unit,
				     .note = m->note,
				     .better = direction(c, m),
				     .family = family(c, m->name),
				     .adjusted_p = NAN };
	c->nr++;
	rc = compare_side__fill(&row->side[0], c->base, m->name);
	if (!rc)
		rc = compare_side__fill(&row->side[1], c->other, m->name);
	if (!rc && !row->side[0].n && !row->side[1].n) { /* nobody measured it */
		compare_side__exit(&row->side[0]);
		compare_side__exit(&row->side[1]);
		c->nr--;
		return 0;
	}
	if (!rc && row->side[0].n && row->side[1].n)
		rc = stats__two(row->side[0].x, row->side[0].n, row->side[1].x, row->side[1].n,
				&row->two);
	return rc ? rc : aa__fill(c, row);
}

static bool is_tested(const struct compare_row *r)
{
	return r->side[0].n && r->side[1].n;
}

/* The p-values of a family, adjusted for there being many of them. */
static int adjust(struct compare *c, enum compare_family f)
{
	double *p = malloc((c->nr + 1) * sizeof(*p));
	size_t n = 0;
	int rc;

	if (!p)
		return -ENOMEM;
	for (size_t i = 0; i < c->nr; i++)
		if (c->row[i].family == f && is_tested(&c->row[i]))
			p[n++] = c->row[i].two.p;
	rc = f == COMPARE_PRIMARY ? stats__holm(p, n) : stats__bh(p, n);
	c->nr_family[f] = n;
	c->nr_tested += n;
	n = 0;
	for (size_t i = 0; !rc && i < c->nr; i++)
		if (c->row[i].family == f && is_tested(&c->row[i]))
			c->row[i].adjusted_p = p[n++];
	free(p);
	return rc;
}

int compare__goodness(enum metric_better better, double change)
{
	if (better <= METRIC_NONE || change == 0 || isnan(change))
		return 0;
	return (change > 0) == (better == METRIC_HIGHER) ? 1 : -1;
}

static void judge(const struct compare *c, struct compare_row *r)
{
	bool primary = r->family == COMPARE_PRIMARY;
	size_t n = r->side[0].n, m = r->side[1].n, family = c->nr_family[r->family];
	double limit = primary ? c->opts.alpha : c->opts.fdr, least;
	int good;

	if (!is_tested(r)) {
		r->verdict = COMPARE_ONE_SIDE;
		return;
	}
	/*
	 * The smallest p that so many runs can give. Holm asks alpha / metrics of the first;
	 * Benjamini-Hochberg asks alpha of it if all of the family changed, which is possible.
	 */
	least = stats__smallest_p(n, m);
	if (r->two.identical) {
		r->verdict = COMPARE_SAME_VALUE;
	} else if (r->adjusted_p <= limit) {
		good = compare__goodness(r->better, r->two.u - n * m / 2.0);
		r->verdict = good > 0 ? COMPARE_BETTER : good < 0 ? COMPARE_WORSE : COMPARE_CHANGED;
	} else if (least > limit || (primary && least * family > limit && r->two.p <= least)) {
		r->verdict = COMPARE_TOO_FEW;
		r->runs_needed = stats__runs_needed(primary ? limit / family : limit);
	} else {
		r->verdict = COMPARE_NO_EVIDENCE;
	}
}

static bool is_change(enum compare_verdict v)
{
	return v == COMPARE_BETTER || v == COMPARE_WORSE || v == COMPARE_CHANGED;
}

/* Do two rows rise and fall together over all runs of both arms? */
static int alike(const struct compare_row *a, const struct compare_row *b, bool *ret)
{
	size_t n = a->side[0].n + a->side[1].n, half = a->side[0].n;
	struct stats_corr corr;
	double *x;
	int rc;

	*ret = false;
	if (half != b->side[0].n || n - half != b->side[1].n || n < 6)
		return 0;
	x = malloc(2 * n * sizeof(*x));
	if (!x)
		return -ENOMEM;
	for (int s = 0; s < 2; s++) {
		size_t at = s ? half : 0;

		memcpy(x + at, a->side[s].x, a->side[s].n * sizeof(*x));
		memcpy(x + n + at, b->side[s].x, b->side[s].n * sizeof(*x));
	}
	rc = stats__corr(x, x + n, n, &corr);
	*ret = !rc && fabs(corr.spearman) >= 0.95;
	free(x);
	return rc;
}

/* Of rows that say the same the first stays. */
static int fold_alike(struct compare *c)
{
	bool same;
	int rc;

	for (size_t i = 0; i < c->nr; i++) {
		struct compare_row *first = &c->row[i];

		if (!first->shown || first->family == COMPARE_PRIMARY)
			continue;
		for (size_t j = i + 1; j < c->nr; j++) {
			struct compare_row *r = &c->row[j];

			if (!r->shown || r->family != first->family)
				continue;
			rc = alike(first, r, &same);
			if (rc)
				return rc;
			if (same) {
				r->shown = false;
				first->nr_alike++;
			}
		}
	}
	return 0;
}

static int choose(struct compare *c)
{
	size_t others = 0;
	int rc = 0;

	for (size_t i = 0; i < c->nr; i++) {
		struct compare_row *r = &c->row[i];

		judge(c, r);
		r->shown = c->opts.all || r->family == COMPARE_PRIMARY || is_change(r->verdict);
		others += r->family != COMPARE_PRIMARY && is_tested(r) &&
			  stats__smallest_p(r->side[0].n, r->side[1].n) <= c->opts.alpha;
	}
	c->nr_chance = (size_t)(c->opts.alpha * others + 0.5);
	if (!c->opts.all && !c->opts.keep_alike)
		rc = fold_alike(c);
	for (size_t i = 0; i < c->nr; i++)
		c->nr_shown += c->row[i].shown;
	return rc;
}

/* Stable: the order of the file within a family. */
static int order(struct compare *c)
{
	struct compare_row *sorted = malloc((c->nr + 1) * sizeof(*sorted));
	size_t n = 0;

	if (!sorted)
		return -ENOMEM;
	for (int f = 0; f < COMPARE_NR_FAMILIES; f++)
		for (size_t i = 0; i < c->nr; i++)
			if ((int)c->row[i].family == f)
				sorted[n++] = c->row[i];
	free(c->row);
	c->row = sorted;
	return 0;
}

/* Each word of "name=higher,..." names a metric of one of the arms and a direction. */
static int check_lists(const struct compare *c, struct mig_err *err)
{
	const char *list = c->opts.better;
	size_t n;

	for (const char *p = list; p && *p; p += n + (p[n] == ',')) {
		char word[8], name[256];
		const char *eq;

		n = strcspn(p, ",");
		eq = memrchr(p, '=', n);
		if (!eq)
			return mig_err__usage(err, "--better %s: use NAME=higher, lower or none",
					      list);
		snprintf(word, sizeof(word), "%.*s", (int)(p + n - eq - 1), eq + 1);
		snprintf(name, sizeof(name), "%.*s", (int)(eq - p), p);
		if (metric__parse_better(word) == METRIC_UNKNOWN)
			return mig_err__usage(err, "--better %s: use NAME=higher, lower or none",
					      list);
		if (!run_arm__find(c->base, name) && !run_arm__find(c->other, name))
			return mig_err__usage(err, "--better %s: there is no metric %s", list,
					      name);
	}
	for (const char *p = c->opts.primary; p && *p; p += n + (p[n] == ',')) {
		char name[256];

		n = strcspn(p, ",");
		snprintf(name, sizeof(name), "%.*s", (int)n, p);
		if (!run_arm__find(c->base, name) && !run_arm__find(c->other, name))
			return mig_err__usage(err, "--primary %s: there is no metric %s",
					      c->opts.primary, name);
	}
	return 0;
}

int compare__build(struct compare *c, const struct run_arm *base, const struct run_arm *other,
		   const struct compare_options *opts, struct mig_err *err)
{
	int rc;

	*c = (struct compare){ .base = base, .other = other, .opts = *opts };
	rc = check_lists(c, err);
	if (rc)
		return rc;
	c->row = calloc(base->nr_metrics + other->nr_metrics + 1, sizeof(*c->row));
	rc = c->row ? 0 : -ENOMEM;
	for (size_t i = 0; !rc && i < base->nr_metrics; i++)
		rc = add_row(c, &base->metric[i]);
	for (size_t i = 0; !rc && i < other->nr_metrics; i++)
		if (!run_arm__find(base, other->metric[i].name))
			rc = add_row(c, &other->metric[i]);
	if (!rc)
		rc = order(c);
	for (int f = 0; !rc && f < COMPARE_NR_FAMILIES; f++)
		rc = adjust(c, f);
	if (!rc)
		rc = choose(c);
	if (rc) {
		compare__exit(c);
		mig_err__set(err, rc, "out of memory");
	}
	return rc;
}

const char *compare__verdict_name(enum compare_verdict v)
{
	static const char *const names[] = {
		[COMPARE_SAME_VALUE] = "=",     [COMPARE_NO_EVIDENCE] = "~",
		[COMPARE_TOO_FEW] = "?",        [COMPARE_BETTER] = "better",
		[COMPARE_WORSE] = "WORSE",      [COMPARE_CHANGED] = "chg",
		[COMPARE_ONE_SIDE] = "missing",
	};

	return names[v];
}

bool compare__is_worse(const struct compare *c, bool strict)
{
	for (size_t i = 0; i < c->nr; i++) {
		const struct compare_row *r = &c->row[i];

		if (r->family != COMPARE_PRIMARY && c->nr_family[COMPARE_PRIMARY])
			continue;
		if (r->verdict == COMPARE_WORSE || (strict && r->verdict == COMPARE_TOO_FEW))
			return true;
	}
	return false;
}
