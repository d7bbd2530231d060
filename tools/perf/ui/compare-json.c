// SPDX-License-Identifier: GPL-2.0
/*
 * compare-json: a comparison as one JSON document; names in Documentation/migstat-results.md.
 */
#include <errno.h>
#include <math.h>

#include <stdlib.h>

#include "compare-view.h"
#include "compare.h"
#include "json-int.h"

static json_t *number(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

static json_t *text(const char *s)
{
	return s ? json_text(s) : json_null();
}

static json_t *side(const struct compare_side *s)
{
	json_t *o = json_object(), *runs = json_array();

	for (size_t i = 0; i < s->n; i++)
		json_array_append_new(runs, json_real(s->x[i]));
	json_object_set_new(o, "n", json_integer(s->n));
	json_object_set_new(o, "mean", s->n ? number(s->one.mean) : json_null());
	json_object_set_new(o, "sd", s->n ? number(s->one.sd) : json_null());
	json_object_set_new(o, "median", s->n ? number(s->one.median) : json_null());
	json_object_set_new(o, "min", s->n ? number(s->one.min) : json_null());
	json_object_set_new(o, "max", s->n ? number(s->one.max) : json_null());
	json_object_set_new(o, "values", runs);
	return o;
}

static void add_test(json_t *o, const struct stats_two *t)
{
	json_object_set_new(o, "change_pct", number(t->change_pct));
	json_object_set_new(o, "change_median_pct", number(t->change_median_pct));
	json_object_set_new(o, "u", number(t->u));
	json_object_set_new(o, "p", number(t->p));
	json_object_set_new(o, "p_exact", json_boolean(t->exact));
	json_object_set_new(o, "hl_shift", number(t->hl));
	json_object_set_new(o, "hl_lo", number(t->hl_lo));
	json_object_set_new(o, "hl_hi", number(t->hl_hi));
	json_object_set_new(o, "hl_level", number(t->hl_conf));
	json_object_set_new(o, "hl_ratio_pct", number(t->ratio_pct));
	json_object_set_new(o, "hl_ratio_lo_pct", number(t->ratio_lo_pct));
	json_object_set_new(o, "hl_ratio_hi_pct", number(t->ratio_hi_pct));
	json_object_set_new(o, "superiority", number(t->superiority));
	json_object_set_new(o, "cliffs_delta", number(t->cliff));
	json_object_set_new(o, "hedges_g", number(t->hedges));
	json_object_set_new(o, "welch_p", number(t->welch_p));
	json_object_set_new(o, "ks_p", number(t->ks_p));
}

static json_t *notes(const struct compare *c, const struct compare_row *r)
{
	char *note[COMPARE_NOTES_MAX];
	json_t *a = json_array();
	int nr = compare__notes(c, r, note);

	for (int i = 0; i < nr; i++) {
		json_array_append_new(a, json_text(note[i]));
		free(note[i]);
	}
	return a;
}

static json_t *row(const struct compare *c, const struct compare_row *r)
{
	static const char *const family[] = { "primary", "other", "pair" };
	static const char *const verdict[] = {
		[COMPARE_SAME_VALUE] = "identical", [COMPARE_NO_EVIDENCE] = "no evidence",
		[COMPARE_TOO_FEW] = "too few runs", [COMPARE_BETTER] = "better",
		[COMPARE_WORSE] = "worse",          [COMPARE_CHANGED] = "changed",
		[COMPARE_ONE_SIDE] = "one side",
	};
	json_t *o = json_object();

	json_object_set_new(o, "metric", json_text(r->name));
	json_object_set_new(o, "unit", text(r->unit));
	json_object_set_new(o, "better", json_string(metric__better_name(r->better)));
	json_object_set_new(o, "family", json_string(family[r->family]));
	json_object_set_new(o, "verdict", json_string(verdict[r->verdict]));
	json_object_set_new(o, "shown", json_boolean(r->shown));
	json_object_set_new(o, "base", side(&r->side[0]));
	json_object_set_new(o, "other", side(&r->side[1]));
	if (r->side[0].n && r->side[1].n)
		add_test(o, &r->two);
	json_object_set_new(o, "adjusted_p", number(r->adjusted_p));
	json_object_set_new(o, "runs_needed",
			    r->runs_needed ? json_integer(r->runs_needed) : json_null());
	json_object_set_new(o, "aa_change_pct", number(r->aa_pct));
	json_object_set_new(o, "notes", notes(c, r));
	return o;
}

static json_t *environment(const struct compare *c)
{
	char **diff = compare__environment(c->base, c->other);
	json_t *a = json_array();

	for (size_t i = 0; diff && diff[i]; i++) {
		json_array_append_new(a, json_text(diff[i]));
		free(diff[i]);
	}
	free(diff);
	return a;
}

static json_t *comparison(const struct compare_block *b, const struct compare *c)
{
	json_t *o = json_object(), *rows = json_array();

	for (size_t i = 0; i < c->nr; i++)
		json_array_append_new(rows, row(c, &c->row[i]));
	json_object_set_new(o, "group", text(b->group));
	json_object_set_new(o, "base", json_text(c->base->name));
	json_object_set_new(o, "other", json_text(c->other->name));
	json_object_set_new(o, "alpha", json_real(c->opts.alpha));
	json_object_set_new(o, "fdr", json_real(c->opts.fdr));
	json_object_set_new(o, "environment_differs", environment(c));
	json_object_set_new(o, "rows", rows);
	return o;
}

int compare_view__json(const struct compare_view *v, FILE *fp)
{
	json_t *o = json_object(), *list = json_array();
	int rc;

	json_object_set_new(o, "schema", json_string("migstat-compare"));
	json_object_set_new(o, "version", json_integer(1));
	for (size_t b = 0; b < v->table->nr; b++)
		for (size_t k = 0; k < v->table->block[b].nr; k++)
			json_array_append_new(list, comparison(&v->table->block[b],
							       &v->table->block[b].c[k]));
	json_object_set_new(o, "comparisons", list);
	rc = json_dumpf(o, fp, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
	json_decref(o);
	return rc || putc('\n', fp) == EOF ? -EIO : 0;
}
