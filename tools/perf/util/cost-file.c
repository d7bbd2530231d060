// SPDX-License-Identifier: GPL-2.0
#include "cost-file.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cost.h"
#include "err.h"
#include "stats.h"

enum { OWN_CACHE_MIN = 64 << 10 };

/* The points of one pattern, kind of pages and mode, by size. */
struct curve {
	size_t nr;
	double size[COST_MAX_SIZES], lines[COST_MAX_SIZES], cost[COST_MAX_SIZES];
	double warm[COST_MAX_SIZES]; /* ns for each line; NAN = not known */
	bool clear[COST_MAX_SIZES]; /* the cost is above zero beyond its interval */
};

static double number(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	return json_is_number(v) ? json_number_value(v) : NAN;
}

static const char *text(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s ? s : "";
}

static bool same_curve(const json_t *a, const json_t *b)
{
	return !strcmp(text(a, "pattern"), text(b, "pattern")) &&
	       !strcmp(text(a, "pages"), text(b, "pages"));
}

static void curve__add(struct curve *c, const json_t *point, size_t mode)
{
	const json_t *f = json_array_get(json_object_get(point, "figures"), mode);
	double warm = number(json_object_get(f, "stay_ns"), "median");
	size_t i = c->nr;

	c->size[i] = number(point, "size");
	c->lines[i] = number(point, "lines");
	if (i == COST_MAX_SIZES - 1 || !(c->size[i] > 0) || !(c->lines[i] > 0))
		return;
	c->cost[i] = number(f, "cost_ns");
	c->warm[i] = warm / c->lines[i];
	c->clear[i] = isfinite(c->cost[i]) && number(f, "cost_lo_ns") > 0;
	c->nr++;
}

static double own_cache(const struct curve *c)
{
	double knee[COST_MAX_SIZES];
	size_t nr = cost__knees(c->size, c->warm, c->nr, knee, COST_MAX_SIZES);

	for (size_t i = 0; i < nr; i++) {
		if (knee[i] > OWN_CACHE_MIN)
			return knee[i];
	}
	return INFINITY;
}

/* ns for each line; NAN = there is no clear cost. */
static double curve__price(const struct curve *c)
{
	double slope[COST_MAX_SIZES * (COST_MAX_SIZES - 1) / 2], most = own_cache(c);
	struct stats_one s;
	size_t n = 0, last = c->nr;

	for (size_t i = 0; i < c->nr; i++) {
		if (!c->clear[i] || c->size[i] > most)
			continue;
		last = i;
		for (size_t k = 0; k < i; k++) {
			if (c->clear[k] && c->lines[i] != c->lines[k])
				slope[n++] =
					(c->cost[i] - c->cost[k]) / (c->lines[i] - c->lines[k]);
		}
	}
	if (n && !stats__one(slope, n, &s))
		return s.median > 0 ? s.median : NAN;
	return last < c->nr ? c->cost[last] / c->lines[last] : NAN;
}

static void add_price(struct cost_price *p, double ns)
{
	p->lo = fmin(p->lo, ns);
	p->hi = fmax(p->hi, ns);
}

static void read_pair(const json_t *pair, struct cost_price *price)
{
	const json_t *points = json_object_get(pair, "points");
	size_t nr_modes = json_array_size(json_object_get(pair, "modes"));
	size_t nr = json_array_size(points);

	for (size_t i = 0; i < nr; i++) {
		const json_t *first = json_array_get(points, i);
		bool old = !strncmp(text(first, "pattern"), "2005", 4);

		/* once for each curve, at its first point */
		if (old || (i && same_curve(first, json_array_get(points, i - 1))))
			continue;
		for (size_t mode = 0; mode < nr_modes; mode++) {
			struct curve c = { 0 };

			for (size_t k = i; k < nr; k++) {
				if (!same_curve(first, json_array_get(points, k)))
					break;
				curve__add(&c, json_array_get(points, k), mode);
			}
			add_price(price, curve__price(&c));
		}
	}
}

static int read_root(const json_t *root, const char *path, struct cost_file *ret,
		     struct mig_err *err)
{
	const json_t *pairs = json_object_get(root, "pairs"), *cpu;
	bool any = false;

	if (strcmp(text(root, "schema"), "migstat.cost/1") || !json_is_array(pairs)) {
		mig_err__set(err, -EINVAL, "%s: not a file of perf migstat cost", path);
		return mig_err__hint(
			err, "perf migstat cost --json >FILE makes one%s",
			strcmp(text(root, "method"), "switch") ? "" : "; not with --method switch");
	}
	cpu = json_object_get(root, "cpu");
	if (json_is_string(cpu)) {
		ret->cpu = strdup(json_string_value(cpu));
		if (!ret->cpu)
			return mig_err__set(err, -ENOMEM, "out of memory");
	}
	for (size_t i = 0; i < json_array_size(pairs); i++) {
		const json_t *pair = json_array_get(pairs, i);

		for (int d = 0; d < MIG_NR_DIST; d++) {
			if (!strcmp(mig_distance__name(d), text(pair, "distance")))
				read_pair(pair, &ret->price[d]);
		}
	}
	for (int d = 0; d < MIG_NR_DIST; d++)
		any |= cost_price__known(&ret->price[d]);
	if (any)
		return 0;
	mig_err__set(err, -ENODATA, "%s: no cost of a line in it is clear of its interval", path);
	return mig_err__hint(err, "measure longer: perf migstat cost --time 1m --json");
}

int cost_file__read(const char *path, struct cost_file *ret, struct mig_err *err)
{
	json_error_t why;
	json_t *root;
	FILE *fp = fopen(path, "re");
	int rc;

	*ret = (struct cost_file){ .path = path };
	for (int d = 0; d < MIG_NR_DIST; d++)
		ret->price[d] = (struct cost_price){ INFINITY, -INFINITY };
	if (!fp)
		return mig_err__set(err, -errno, "%s: %s", path, strerror(errno));
	root = json_loadf(fp, JSON_REJECT_DUPLICATES, &why);
	if (root) {
		rc = read_root(root, path, ret, err);
	} else {
		mig_err__set(err, -EINVAL, "%s: line %d: not JSON: %s", path, why.line, why.text);
		rc = mig_err__hint(err, "perf migstat cost --json >FILE makes such a file");
	}
	json_decref(root);
	fclose(fp);
	if (rc)
		cost_file__exit(ret);
	return rc;
}

void cost_file__exit(struct cost_file *f)
{
	free(f->cpu);
	f->cpu = NULL;
}
