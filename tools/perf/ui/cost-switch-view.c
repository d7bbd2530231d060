// SPDX-License-Identifier: GPL-2.0
/*
 * cost-switch-view: the direct and the indirect cost of a context switch.
 */
#include <errno.h>
#include <math.h>

#include "cost-switch.h"
#include "cost-view.h"
#include "json-int.h"
#include "number.h"

static void print_row(const struct cost_switch *s, const struct cost_switch_point *p, FILE *fp)
{
	const struct cost_figures *f = &p->fig;
	char size[COST_SIZE_LEN], single[COST_US_LEN], both[COST_US_LEN], total[COST_US_LEN];
	char q1[COST_US_LEN], q3[COST_US_LEN], indirect[COST_US_LEN];

	fprintf(fp, "%-9s %6s %8s %8s %8s %8s %8s %8s %5zu%c %4.0f%%\n",
		p->size ? cost_pattern__name(p->pattern) : "(direct)",
		cost_text__size(p->size, size), cost_text__us(f->stay.median, single),
		cost_text__us(f->moved.median, both), cost_text__us(f->cost, total),
		cost_text__us(f->q1, q1), cost_text__us(f->q3, q3),
		p->size ? cost_text__us(cost_switch__indirect(s, p), indirect) : "-", f->moved.n,
		f->moved.n < COST_FEW ? '!' : ' ', 100 * cost_figures__drop_share(f));
}

int cost_view__switch_text(const struct cost_switch *s, FILE *fp)
{
	bool few = false;

	fprintf(fp,
		"CPU %d, %.1f s%s: two processes switch, each goes through a set of its own (us)\n",
		s->config.cpu[0], s->seconds, s->stopped ? ", stopped early" : "");
	fprintf(fp, "%-9s %6s %8s %8s %8s %8s %8s %8s %5s  %5s\n", "pattern", "size", "single",
		"both", "switch", "q1", "q3", "indirect", "n", "drop");
	for (size_t i = 0; i < s->nr_points; i++) {
		if (!s->point[i].samples.nr)
			continue;
		print_row(s, &s->point[i], fp);
		few |= s->point[i].fig.moved.n < COST_FEW;
	}
	fputs("switch = median both - median single; indirect = switch - direct.\n", fp);
	if (few)
		fprintf(fp, "!: fewer than %d samples; more --time helps.\n", COST_FEW);
	return ferror(fp) ? -EIO : 0;
}

int cost_view__switch_json(const struct cost_switch *s, FILE *fp)
{
	json_t *points = json_array(), *o;
	int rc;

	for (size_t i = 0; i < s->nr_points; i++) {
		const struct cost_switch_point *p = &s->point[i];
		const struct cost_figures *f = &p->fig;

		o = json_pack("{s:I, s:o, s:I, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "size",
			      (json_int_t)p->size, "pattern",
			      p->size ? json_string(cost_pattern__name(p->pattern)) : json_null(),
			      "n", (json_int_t)f->moved.n, "allocations", (int)p->nr_allocs,
			      "single_ns", json_finite(f->stay.median), "both_ns",
			      json_finite(f->moved.median), "switch_ns", json_finite(f->cost),
			      "switch_lo_ns", json_finite(f->lo), "switch_hi_ns",
			      json_finite(f->hi), "indirect_ns",
			      p->size ? json_finite(cost_switch__indirect(s, p)) : json_null());
		json_object_set_new(o, "dropped",
				    json_pack("{s:I}", "switched",
					      (json_int_t)f->dropped[COST_SWITCHED]));
		json_array_append_new(points, o);
	}
	o = json_pack("{s:s, s:s, s:o, s:b, s:i, s:b, s:o}", "schema", "migstat.cost/1", "method",
		      "switch", "seconds", json_finite(s->seconds), "stopped", s->stopped, "cpu",
		      s->config.cpu[0], "write", s->config.write, "points", points);
	rc = json_dumpf(o, fp, JSON_INDENT(1));
	json_decref(o);
	return rc || fputc('\n', fp) == EOF ? -EIO : 0;
}

int cost_view__switch_separated(const struct cost_switch *s, const char *sep, FILE *fp)
{
	static const char *const heads[] = {
		"size",  "n",     "single_ns",    "both_ns",      "switch_ns",
		"q1_ns", "q3_ns", "switch_lo_ns", "switch_hi_ns", "indirect_ns"
	};
	char text[NUMBER_MAX];

	fputs("pattern", fp);
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		fprintf(fp, "%s%s", sep, heads[i]);
	fputc('\n', fp);
	for (size_t i = 0; i < s->nr_points; i++) {
		const struct cost_switch_point *p = &s->point[i];
		const struct cost_figures *f = &p->fig;
		const double v[] = { p->size,        f->moved.n,
				     f->stay.median, f->moved.median,
				     f->cost,        f->q1,
				     f->q3,          f->lo,
				     f->hi,          p->size ? cost_switch__indirect(s, p) : NAN };

		fputs(p->size ? cost_pattern__name(p->pattern) : "", fp);
		for (size_t k = 0; k < sizeof(v) / sizeof(v[0]); k++)
			fprintf(fp, "%s%s", sep, isfinite(v[k]) ? number__exact(v[k], text) : "");
		fputc('\n', fp);
	}
	return ferror(fp) ? -EIO : 0;
}
