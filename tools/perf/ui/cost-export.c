// SPDX-License-Identifier: GPL-2.0
/*
 * cost-export: JSON, schema migstat.cost/1 (Documentation/migstat-json.md), and separated values.
 */
#include <errno.h>
#include <math.h>

#include "cost-view.h"
#include "cost.h"
#include "json-int.h"
#include "number.h"

static json_t *spread(const struct cost_spread *s)
{
	return json_pack("{s:o, s:o, s:o}", "q1", json_finite(s->q1), "median",
			 json_finite(s->median), "q3", json_finite(s->q3));
}

static json_t *figures(const struct cost_point *p, unsigned mode)
{
	const struct cost_figures *f = &p->fig[mode];
	json_t *o = json_pack("{s:i, s:I, s:o, s:o, s:o, s:o, s:o}", "mode", (int)mode + 1, "n",
			      (json_int_t)f->moved.n, "stay_ns", spread(&f->stay), "moved_ns",
			      spread(&f->moved), "cost_ns", json_finite(f->cost), "cost_lo_ns",
			      json_finite(f->lo), "cost_hi_ns", json_finite(f->hi));

	json_object_set_new(o, "per_line_ns", json_finite(cost_point__per_line(p, mode)));
	json_object_set_new(o, "cost_to_ns",
			    json_pack("[o, o]", json_finite(f->to[0]), json_finite(f->to[1])));
	json_object_set_new(o, "alloc_min_ns", json_finite(f->alloc_min));
	json_object_set_new(o, "alloc_max_ns", json_finite(f->alloc_max));
	json_object_set_new(o, "two_heaps", json_boolean(f->two_heaps));
	json_object_set_new(o, "dropped",
			    json_pack("{s:I, s:I, s:I}", "switched",
				      (json_int_t)f->dropped[COST_SWITCHED], "faulted",
				      (json_int_t)f->dropped[COST_FAULTED], "mode_changed",
				      (json_int_t)f->dropped[COST_CLEAN]));
	return o;
}

static json_t *point(const struct cost *c, const struct cost_pair *pair, const struct cost_point *p)
{
	json_t *list = json_array();

	for (unsigned m = 0; m < pair->modes.nr; m++)
		json_array_append_new(list, figures(p, m));
	return json_pack("{s:I, s:s, s:s, s:b, s:I, s:i, s:o, s:o}", "size", (json_int_t)p->size,
			 "pattern", cost_pattern__name(p->pattern), "pages",
			 cost_pages__name(p->pages), "write",
			 c->config.write || p->pattern >= COST_2005_SIX, "lines",
			 (json_int_t)cost_pattern__lines(p->pattern, p->size), "allocations",
			 (int)p->nr_allocs, "huge_share", json_finite(p->huge), "figures", list);
}

static json_t *pair_json(const struct cost *c, const struct cost_pair *p)
{
	json_t *modes = json_array(), *points = json_array();

	for (unsigned m = 0; m < p->modes.nr; m++)
		json_array_append_new(
			modes,
			json_pack("{s:i, s:o, s:o}", "mode", (int)m + 1, "one_way_ns",
				  json_finite(p->modes.mode[m].median), "share",
				  json_finite((double)p->modes.mode[m].nr / (double)p->nr_probes)));
	for (size_t i = 0; i < p->nr_points; i++)
		json_array_append_new(points, point(c, p, &p->point[i]));
	return json_pack("{s:[i, i], s:s, s:I, s:i, s:o, s:o}", "cpus", p->cpu[0], p->cpu[1],
			 "distance", mig_distance__name(p->distance), "probes",
			 (json_int_t)p->nr_probes, "mode_changes", (int)p->mode_changes, "modes",
			 modes, "points", points);
}

static int dump(json_t *o, FILE *fp)
{
	int rc = o ? json_dumpf(o, fp, JSON_INDENT(1)) : -1;

	json_decref(o);
	return rc || fputc('\n', fp) == EOF ? -EIO : 0;
}

int cost_view__json(const struct cost *c, const struct cost_view *v, FILE *fp)
{
	json_t *pairs = json_array(), *missing = json_object();

	for (size_t i = 0; i < c->nr_pairs; i++)
		json_array_append_new(pairs, pair_json(c, &c->pair[i]));
	for (int i = 0; i < COST_NR_PAGES; i++) {
		if (c->pages_missing[i])
			json_object_set_new(missing, cost_pages__name(i),
					    json_text(c->why_missing[i]));
	}
	return dump(json_pack("{s:s, s:s, s:s?, s:o, s:b, s:o, s:o, s:o, s:s, s:o, s:o}", "schema",
			      "migstat.cost/1", "method", "move", "cpu", v->cpu, "seconds",
			      json_finite(c->seconds), "stopped", c->stopped, "migration_cost_ns",
			      *v->kernel_why ? json_null() : json_finite(v->kernel_ns),
			      "migration_cost_why",
			      *v->kernel_why ? json_text(v->kernel_why) : json_null(), "llc_bytes",
			      v->llc ? json_integer(v->llc) : json_null(), "llc_source",
			      topo__llc_source(&c->topo), "pages_missing", missing, "pairs", pairs),
		    fp);
}

static void field(double v, const char *sep, FILE *fp)
{
	char text[NUMBER_MAX];

	fprintf(fp, "%s%s", sep, isfinite(v) ? number__exact(v, text) : "");
}

int cost_view__separated(const struct cost *c, const char *sep, FILE *fp)
{
	static const char *const heads[] = {
		"cpu1",         "distance",     "pattern",      "pages",
		"size",         "mode",         "one_way_ns",   "n",
		"stay_ns",      "moved_ns",     "cost_ns",      "q1_ns",
		"q3_ns",        "cost_lo_ns",   "cost_hi_ns",   "per_line_ns",
		"alloc_min_ns", "alloc_max_ns", "dropped_share"
	};

	fputs("cpu0", fp);
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		fprintf(fp, "%s%s", sep, heads[i]);
	fputc('\n', fp);
	for (size_t i = 0; i < c->nr_pairs; i++) {
		const struct cost_pair *p = &c->pair[i];

		for (size_t k = 0; k < p->nr_points * p->modes.nr; k++) {
			const struct cost_point *pt = &p->point[k / p->modes.nr];
			unsigned mode = k % p->modes.nr;
			const struct cost_figures *f = &pt->fig[mode];
			const double v[] = { p->modes.mode[mode].median,
					     f->moved.n,
					     f->stay.median,
					     f->moved.median,
					     f->cost,
					     f->q1,
					     f->q3,
					     f->lo,
					     f->hi,
					     cost_point__per_line(pt, mode),
					     f->alloc_min,
					     f->alloc_max,
					     cost_figures__drop_share(f) };

			fprintf(fp, "%d%s%d%s%s%s%s%s%s%s%zu%s%u", p->cpu[0], sep, p->cpu[1], sep,
				mig_distance__name(p->distance), sep,
				cost_pattern__name(pt->pattern), sep, cost_pages__name(pt->pages),
				sep, pt->size, sep, mode + 1);
			for (size_t j = 0; j < sizeof(v) / sizeof(v[0]); j++)
				field(v[j], sep, fp);
			fputc('\n', fp);
		}
	}
	return ferror(fp) ? -EIO : 0;
}
