// SPDX-License-Identifier: GPL-2.0
/*
 * cost-matrix: pairs of CPUs as a square, from the row's CPU to the column's.
 */
#include <math.h>
#include <string.h>

#include "cost-view.h"
#include "cost.h"

enum { COLUMNS = 8 }; /* side by side, so that 80 columns do */

static const struct cost_pair *find(const struct cost *c, int a, int b)
{
	for (size_t i = 0; i < c->nr_pairs; i++) {
		const struct cost_pair *p = &c->pair[i];

		if ((p->cpu[0] == a && p->cpu[1] == b) || (p->cpu[0] == b && p->cpu[1] == a))
			return p;
	}
	return NULL;
}

struct marks {
	bool modes, few, none;
};

/* point: index in each pair, or -1 for the latency. */
static void print_cell(const struct cost *c, int from, int to, int point, struct marks *marks,
		       FILE *fp)
{
	const struct cost_pair *p = find(c, from, to);
	char text[COST_US_LEN] = "-", mark = ' ';
	unsigned mode;

	if (from == to) {
		fprintf(fp, " %7s ", "");
		return;
	}
	if (p && p->nr_probes) {
		mode = cost_pair__main_mode(p);
		if (point < 0)
			snprintf(text, sizeof(text), "%.0f", p->modes.mode[mode].median);
		else
			cost_text__us(p->point[point].fig[mode].to[p->cpu[1] == to], text);
		if (p->modes.nr > 1)
			mark = '*';
		else if (point >= 0 && p->point[point].fig[mode].moved.n < COST_FEW)
			mark = '!';
	}
	if (!strcmp(text, "-"))
		mark = ' ';
	fprintf(fp, " %7s%c", text, mark);
	marks->none |= !strcmp(text, "-");
	marks->modes |= mark == '*';
	marks->few |= mark == '!';
}

static void print_square(const struct cost *c, int point, struct marks *marks, FILE *fp)
{
	const int *cpu = c->config.cpu;
	size_t n = c->config.nr_cpus;

	for (size_t first = 0; first < n; first += COLUMNS) {
		size_t end = first + COLUMNS < n ? first + COLUMNS : n;

		fputs("from\\to", fp);
		for (size_t j = first; j < end; j++)
			fprintf(fp, " %7d ", cpu[j]);
		fputc('\n', fp);
		for (size_t i = 0; i < n; i++) {
			fprintf(fp, "%7d", cpu[i]);
			for (size_t j = first; j < end; j++)
				print_cell(c, cpu[i], cpu[j], point, marks, fp);
			fputc('\n', fp);
		}
	}
}

void cost_matrix__print(const struct cost *c, FILE *fp)
{
	char size[COST_SIZE_LEN];
	struct marks marks = { 0 };

	fputs("\none way of a cache line (ns)\n", fp);
	print_square(c, -1, &marks, fp);
	for (size_t i = 0; i < c->pair[0].nr_points; i++) {
		const struct cost_point *p = &c->pair[0].point[i];

		fprintf(fp, "\ncost of a move (us): %s, %s, %s pages\n",
			cost_text__size(p->size, size), cost_pattern__name(p->pattern),
			cost_pages__name(p->pages));
		print_square(c, (int)i, &marks, fp);
	}
	if (marks.none)
		fputs("\n-: no sample that was not disturbed; more --time helps", fp);
	if (marks.few)
		fprintf(fp, "\n!: fewer than %d samples of both directions", COST_FEW);
	if (marks.modes)
		fputs("\n*: has several modes, this is the most frequent one; -v shows all", fp);
	fputc('\n', fp);
}
