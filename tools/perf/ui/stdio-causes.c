// SPDX-License-Identifier: GPL-2.0
/*
 * stdio-causes: moves by cause: how many, how long their tasks had waited and waited then, what the
 * next slice cost, how far they went.
 */
#include <inttypes.h>
#include <string.h>

#include "color.h"
#include "report.h"
#include "stdio-int.h"

struct cause_line {
	const char *name;
	struct mig_cause_cost cost;
	uint64_t distance[MIG_NR_DIST];
};

/* Adds one cause to a line; the first is the line. */
static int line__add(struct cause_line *l, const struct report *r, int cause)
{
	const struct mig_cause_cost *c = &r->sum.by_cause[cause];
	int k;

	l->cost.n += c->n;
	l->cost.certain += c->certain;
	l->cost.lost_nearby += c->lost_nearby;
	l->cost.next_n += c->next_n;
	for (k = 0; k < MIG_MAX_COUNTERS; k++)
		l->cost.next_misses[k] += c->next_misses[k];
	for (k = 0; k < MIG_NR_DIST; k++)
		l->distance[k] += r->sum.cause_distance[cause][k];
	return hist__merge(&l->cost.ran_after, &c->ran_after) ||
	       hist__merge(&l->cost.queued, &c->queued);
}

/* One cause, or a class of them. */
static void line__make(struct cause_line *l, const struct report *r, bool fine, int k)
{
	int i;

	memset(l, 0, sizeof(*l));
	l->name = fine ? mig_cause__name((enum mig_cause)k)
		       : mig_class__name((enum mig_cause_class)k);
	for (i = 0; i < MIG_NR_CAUSE; i++)
		if (fine ? i == k : (int)mig_cause__class((enum mig_cause)i) == k)
			line__add(l, r, i);
}

static void line__exit(struct cause_line *l)
{
	hist__exit(&l->cost.ran_after);
	hist__exit(&l->cost.queued);
}

/* The causes, or their classes, that occurred. Returns how many lines. */
static unsigned make_lines(const struct report *r, struct cause_line *lines)
{
	bool fine = r->fine || r->verbose;
	unsigned nr = 0;
	int k;

	for (k = 0; k < (fine ? (int)MIG_NR_CAUSE : (int)MIG_NR_CLASS); k++) {
		line__make(&lines[nr], r, fine, k);
		if (lines[nr].cost.n)
			nr++;
	}
	return nr;
}

static void print_line(const struct report *r, const struct cause_line *l, FILE *fp)
{
	const struct mig_cause_cost *c = &l->cost;
	char label[32], after[16] = "-", next[16] = "-", after99[16] = "-", q50[16] = "-",
			q99[16] = "-";

	snprintf(label, sizeof(label), "%s%s", l->name,
		 c->certain == c->n ? ""
		 : c->certain       ? " (some likely)"
				    : " (likely)");
	if (c->ran_after.n) {
		mig_ns__print(hist__percentile(&c->ran_after, 50), after, sizeof(after));
		mig_ns__print(hist__p99(&c->ran_after), after99, sizeof(after99));
	}
	if (c->queued.n) {
		mig_ns__print(hist__percentile(&c->queued, 50), q50, sizeof(q50));
		mig_ns__print(hist__p99(&c->queued), q99, sizeof(q99));
	}
	if (c->next_n && !r->cctx.no_misses)
		snprintf(next, sizeof(next), "%.2f",
			 (double)c->next_misses[r->cctx.miss] / (double)c->next_n);
	fprintf(fp, "  %-22s %7" PRIu64 "%c %5.1f%%", label, c->n, c->lost_nearby ? '!' : ' ',
		(double)c->n * 100 / (double)r->sum.migrations);
	if (r->verbose)
		fprintf(fp, "  %5s %5s   %5s %5s %10s\n", q50, q99, after, after99, next);
	else
		fprintf(fp, "    %8s %s %17s\n", after, c->ran_after.n ? "p50" : "   ", next);
}

static void print_likely(const struct report *r, FILE *fp)
{
	const struct mig_cause_cost *unknown = &r->sum.by_cause[MIG_CAUSE_UNKNOWN];
	uint64_t likely = unknown->certain - unknown->n;
	int i;

	for (i = 0; i < MIG_NR_CAUSE; i++)
		likely += r->sum.by_cause[i].n - r->sum.by_cause[i].certain;
	fprintf(fp, "  (unknown %.1f%%, likely %.1f%%)\n",
		(double)unknown->n * 100 / (double)r->sum.migrations,
		(double)likely * 100 / (double)r->sum.migrations);
}

/* Causes down, distances across: those that occurred. */
static void print_distances(const struct report *r, const struct cause_line *lines, unsigned nr,
			    FILE *fp)
{
	unsigned i;
	int d;

	fprintf(fp, "\n%s%-24s", color__title(), "moved to");
	for (d = 0; d < MIG_NR_DIST; d++)
		if (r->sum.by_distance[d])
			fprintf(fp, " %8s", mig_distance__name(d));
	fprintf(fp, "%s\n", color__reset());
	for (i = 0; i < nr; i++) {
		fprintf(fp, "  %-22s", lines[i].name);
		for (d = 0; d < MIG_NR_DIST; d++)
			if (r->sum.by_distance[d])
				fprintf(fp, " %8" PRIu64, lines[i].distance[d]);
		fputc('\n', fp);
	}
}

void stdio__cause_head(const struct report *r, FILE *fp)
{
	if (r->verbose)
		fprintf(fp,
			"%s%42s   was queued      then ran\n"
			"moves by cause                n   share     p50   p99     p50   p99  "
			"miss/next%s\n",
			color__title(), "", color__reset());
	else
		fprintf(fp,
			"%smoves by cause                n   share   then ran after  misses in "
			"next slice%s\n",
			color__title(), color__reset());
}

void stdio__forks(const struct report *r, FILE *fp)
{
	if (r->sum.forks)
		fprintf(fp,
			"  %-22s %7" PRIu64 "  of %" PRIu64 " forks (not counted as migrations)\n",
			"fork placement", r->sum.placements, r->sum.forks);
}

bool stdio__cause_class(const struct report *r, int class, FILE *fp)
{
	struct cause_line l;
	bool any;

	line__make(&l, r, false, class);
	any = l.cost.n;
	if (any)
		print_line(r, &l, fp);
	line__exit(&l);
	return any;
}

void stdio__cause_parts(const struct report *r, int class, FILE *fp)
{
	uint64_t distance[MIG_NR_DIST] = { 0 };
	struct cause_line l;
	int i, d;

	for (i = 0; i < MIG_NR_CAUSE; i++) {
		if ((int)mig_cause__class((enum mig_cause)i) != class)
			continue;
		line__make(&l, r, true, i);
		if (l.cost.n)
			print_line(r, &l, fp);
		for (d = 0; d < MIG_NR_DIST; d++)
			distance[d] += l.distance[d];
		line__exit(&l);
	}
	fputs("  moved to: ", fp);
	stdio__shares(fp, distance, MIG_NR_DIST, mig_distance__name, 0.5);
	fputc('\n', fp);
}

void stdio__causes(const struct report *r, FILE *fp)
{
	struct cause_line lines[MIG_NR_CAUSE];
	unsigned nr, i;

	if (!r->sum.migrations && !r->sum.forks)
		return;
	fputc('\n', fp);
	stdio__cause_head(r, fp);
	nr = make_lines(r, lines);
	for (i = 0; i < nr; i++)
		print_line(r, &lines[i], fp);
	stdio__forks(r, fp);
	if (r->sum.migrations)
		print_likely(r, fp);
	if (r->sum.migrations > r->sum.by_distance[MIG_DIST_UNKNOWN]) {
		if (r->verbose) {
			print_distances(r, lines, nr, fp);
		} else {
			fprintf(fp, "  moved to: ");
			stdio__shares(fp, r->sum.by_distance, MIG_NR_DIST, mig_distance__name, 0.5);
			fputc('\n', fp);
		}
	}
	for (i = 0; i < nr; i++)
		line__exit(&lines[i]);
}
