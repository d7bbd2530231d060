// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <math.h>
#include <string.h>

#include "cost-view.h"
#include "cost.h"

/* What was used in the tables and needs a line below them. */
struct marks {
	bool unsure, few, heaps, dropped;
};

const char *cost_text__size(double bytes, char ret[COST_SIZE_LEN])
{
	static const char unit[] = { '\0', 'K', 'M', 'G' };
	unsigned i = 0;

	while (i < 3 && bytes >= 1024) {
		bytes /= 1024;
		i++;
	}
	snprintf(ret, COST_SIZE_LEN, bytes == floor(bytes) || bytes >= 100 ? "%.0f%c" : "%.1f%c",
		 bytes, unit[i]);
	return ret;
}

const char *cost_text__us(double ns, char ret[COST_US_LEN])
{
	double us = ns / 1000, size = fabs(us);

	if (!isfinite(ns))
		snprintf(ret, COST_US_LEN, "-");
	else
		snprintf(ret, COST_US_LEN, "%.*f", size < 10 ? 2 : size < 100 ? 1 : 0, us);
	return ret;
}

unsigned cost_pair__main_mode(const struct cost_pair *p)
{
	unsigned best = 0;

	for (unsigned m = 1; m < p->modes.nr; m++) {
		if (p->modes.mode[m].nr > p->modes.mode[best].nr)
			best = m;
	}
	return best;
}

static void print_point(const struct cost_point *p, unsigned mode, struct marks *marks, FILE *fp)
{
	const struct cost_figures *f = &p->fig[mode];
	char size[COST_SIZE_LEN], stay[COST_US_LEN], moved[COST_US_LEN], cost[COST_US_LEN];
	char q1[COST_US_LEN], q3[COST_US_LEN], line[32] = "-", alloc[32] = "-";
	bool unsure = f->moved.n && !cost_figures__is_cost(f), few = f->moved.n < COST_FEW;
	double drops = 100 * cost_figures__drop_share(f);

	if (f->moved.n)
		snprintf(line, sizeof(line), "%.2f", cost_point__per_line(p, mode));
	if (!isnan(f->alloc_min) && f->cost > 0)
		snprintf(alloc, sizeof(alloc), "%.0f%%",
			 100 * (f->alloc_max - f->alloc_min) / f->cost);
	fprintf(fp, "%6s %8s %8s %8s%c%c %8s %8s %7s %5zu%c %4.0f%% %5s\n",
		cost_text__size(p->size, size), cost_text__us(f->stay.median, stay),
		cost_text__us(f->moved.median, moved), cost_text__us(f->cost, cost),
		unsure ? '?' : ' ', f->two_heaps ? '~' : ' ', cost_text__us(f->q1, q1),
		cost_text__us(f->q3, q3), line, f->moved.n, few ? '!' : ' ', drops, alloc);
	marks->unsure |= unsure;
	marks->few |= few;
	marks->heaps |= f->two_heaps;
	marks->dropped |= drops > 50;
}

static void print_head(const struct cost *c, const struct cost_point *p, FILE *fp)
{
	fprintf(fp,
		"\n%s, %s, %s pages (us)\n"
		"%6s %8s %8s %8s   %8s %8s %7s %5s  %5s %5s\n",
		cost_pattern__name(p->pattern),
		c->config.write || p->pattern >= COST_2005_SIX ? "write" : "read",
		cost_pages__name(p->pages), "size", "stay", "moved", "cost", "q1", "q3", "ns/line",
		"n", "drop", "alloc");
}

/* The sizes of one pattern and kind of pages; what has no sample is told in one line. */
static void print_curve(const struct cost *c, const struct cost_point *curve, unsigned mode,
			struct marks *marks, FILE *fp)
{
	char text[COST_SIZE_LEN];
	bool missing = false;

	print_head(c, curve, fp);
	for (size_t i = 0; i < c->config.nr_sizes; i++) {
		if (curve[i].fig[mode].moved.n)
			print_point(&curve[i], mode, marks, fp);
	}
	for (size_t i = 0; i < c->config.nr_sizes; i++) {
		const struct cost_figures *f = &curve[i].fig[mode];

		if (f->moved.n)
			continue;
		fprintf(fp, "%s %s%s",
			missing ? "," : "no samples:", cost_text__size(curve[i].size, text),
			cost_figures__drop_share(f) > 0 ? " (dropped)" : "");
		missing = true;
	}
	if (missing)
		fputc('\n', fp);
}

static void print_marks(const struct cost *c, const struct marks *m, FILE *fp)
{
	fputs("\ncost = median moved - median stay; q1, q3 of moved, minus the same median.\n"
	      "drop: samples with an involuntary switch, a page fault or a change of mode.\n"
	      "alloc: spread of the costs of single fresh allocations, percent of cost.\n",
	      fp);
	if (m->unsure)
		fputs("?: the 95% interval reaches down to zero, no cost is shown.\n", fp);
	if (m->few)
		fprintf(fp, "!: fewer than %d samples; more --time helps%s.\n", COST_FEW,
			c->config.repeat < COST_FEW ? ", and a larger -r" : "");
	if (m->heaps)
		fputs("~: two heaps within one mode: something changed that the probe does not "
		      "see.\n",
		      fp);
	if (m->dropped)
		fputs("More than half of some samples were dropped: the CPUs were not idle.\n", fp);
}

/* The line "seq: working sets under .. are cheaper". */
static void print_limit(const struct cost *c, const struct cost_point *curve, unsigned mode,
			double limit, FILE *fp)
{
	double size[COST_MAX_SIZES], cost[COST_MAX_SIZES], at;
	char from[COST_SIZE_LEN], to[COST_SIZE_LEN];
	size_t n = 0;

	for (size_t i = 0; i < c->config.nr_sizes; i++) {
		if (!curve[i].fig[mode].moved.n)
			continue;
		size[n] = curve[i].size;
		cost[n++] = curve[i].fig[mode].cost;
	}
	if (!n)
		return;
	at = cost__crossing(size, cost, n, limit);
	fprintf(fp, "  %-9s %-7s ", cost_pattern__name(curve->pattern),
		cost_pages__name(curve->pages));
	if (at > 0)
		fprintf(fp, "working sets under %s are cheaper to move than that\n",
			cost_text__size(at, from));
	else
		fprintf(fp, "all that was measured, %s to %s, costs %s\n",
			cost_text__size(size[0], from), cost_text__size(size[n - 1], to),
			at < 0 ? "more" : "less");
}

static void print_follows(const struct cost *c, const struct cost_view *v,
			  const struct cost_pair *p, unsigned mode, FILE *fp)
{
	fprintf(fp, "\nThe kernel's migration_cost is %g ms%s", v->kernel_ns / 1e6,
		*v->kernel_why ? " by default" : "");
	if (*v->kernel_why)
		fprintf(fp, "; it cannot be read here:\n  %.76s", v->kernel_why);
	fputc('\n', fp);
	for (size_t i = 0; i < p->nr_points; i += c->config.nr_sizes)
		print_limit(c, &p->point[i], mode, v->kernel_ns, fp);
}

/* Knees of the random walk, which prefetchers do not hide; of the first curve that has one. */
static void print_knees(const struct cost *c, const struct cost_view *v, const struct cost_pair *p,
			unsigned mode, FILE *fp)
{
	double size[COST_MAX_SIZES], line[COST_MAX_SIZES], knee[8];
	char text[COST_SIZE_LEN];
	size_t n = 0, nr;

	for (size_t i = 0; i < p->nr_points && n < c->config.nr_sizes; i++) {
		const struct cost_point *pt = &p->point[i];

		if (pt->pattern != COST_RANDOM)
			continue;
		size[n] = pt->size;
		line[n++] = pt->fig[mode].stay.median / cost_pattern__lines(pt->pattern, pt->size);
	}
	nr = cost__knees(size, line, n, knee, 8);
	if (!nr)
		return;
	fputs("\nWhere it stays, a line takes longer beyond", fp);
	for (size_t i = 0; i < nr; i++)
		fprintf(fp, "%s %s", i ? "," : "", cost_text__size(knee[i], text));
	if (v->llc)
		fprintf(fp, "\n  (the last-level cache has %s, says sysfs)\n",
			cost_text__size(v->llc, text));
	else
		fputs("\n  (sysfs does not tell cache sizes)\n", fp);
}

static void print_modes(const struct cost_pair *p, FILE *fp)
{
	const struct cost_modes *m = &p->modes;

	fprintf(fp, "\nCPUs %d and %d (%s): ", p->cpu[0], p->cpu[1],
		mig_distance__name(p->distance));
	if (m->nr == 1) {
		fprintf(fp, "a cache line goes one way in %.0f ns\n", m->mode[0].median);
		return;
	}
	fprintf(fp, "%u modes, changed %u time%s: a hypervisor moved the CPUs\n", m->nr,
		p->mode_changes, p->mode_changes == 1 ? "" : "s");
	for (unsigned i = 0; i < m->nr; i++)
		fprintf(fp, "  mode %u: a cache line goes one way in %.0f ns, %.0f%% of the time\n",
			i + 1, m->mode[i].median, 100.0 * m->mode[i].nr / p->nr_probes);
}

static void print_pair(const struct cost *c, const struct cost_view *v, const struct cost_pair *p,
		       struct marks *marks, FILE *fp)
{
	if (!p->nr_probes) {
		fprintf(fp, "\nCPUs %d and %d (%s): not measured, it was stopped before\n",
			p->cpu[0], p->cpu[1], mig_distance__name(p->distance));
		return;
	}
	print_modes(p, fp);
	for (unsigned m = 0; m < p->modes.nr; m++) {
		if (p->modes.nr > 1)
			fprintf(fp, "\n--- mode %u: %.0f ns ---\n", m + 1, p->modes.mode[m].median);
		for (size_t i = 0; i < p->nr_points; i += c->config.nr_sizes)
			print_curve(c, &p->point[i], m, marks, fp);
		if (c->config.nr_sizes > 2)
			cost_plot__print(c, p, m, fp);
		print_follows(c, v, p, m, fp);
		print_knees(c, v, p, m, fp);
	}
}

int cost_view__text(const struct cost *c, const struct cost_view *v, FILE *fp)
{
	struct marks marks = { 0 };

	fprintf(fp, "%zu pair%s of CPUs, %.1f s%s; last-level cache: %s\n", c->nr_pairs,
		c->nr_pairs == 1 ? "" : "s", c->seconds, c->stopped ? ", stopped early" : "",
		topo__llc_source(&c->topo));
	for (int i = 0; i < COST_NR_PAGES; i++) {
		if (c->pages_missing[i])
			fprintf(fp, "Without %s pages: %s\n", cost_pages__name(i),
				c->why_missing[i]);
	}
	if (c->config.all_pairs)
		cost_matrix__print(c, fp);
	if (c->config.all_pairs && !v->curves)
		return ferror(fp) ? -EIO : 0;
	for (size_t i = 0; i < c->nr_pairs; i++)
		print_pair(c, v, &c->pair[i], &marks, fp);
	print_marks(c, &marks, fp);
	return ferror(fp) ? -EIO : 0;
}
