// SPDX-License-Identifier: GPL-2.0
/*
 * tui-cpus: moves from CPU (down) to CPU (across) as a heat map. A row opens into the list of where
 * its CPU's tasks went.
 */
#include "tui-int.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "heat.h"

#define LEFT 16 /* columns before the cells: mark, CPU, sum */

static struct heat *heat_of(const struct tui_view *v)
{
	return v->priv;
}

/* Numbers where all CPUs fit as such, else signs of one column. */
static unsigned cell_width(const struct heat *h, unsigned columns)
{
	unsigned room = columns > LEFT ? columns - LEFT : 0;

	return h->nr_cpus * 6 <= room ? 6 : 1;
}

/* At least the last CPU stays on the screen. */
static unsigned shift_of(struct tui_view *v, unsigned columns)
{
	const struct heat *h = heat_of(v);
	unsigned room = columns > LEFT ? columns - LEFT : 1;

	if (cell_width(h, columns) > 1 || h->nr_cpus <= room)
		v->shift = 0;
	else if (v->shift > h->nr_cpus - room)
		v->shift = h->nr_cpus - room;
	return v->shift;
}

/* CPU numbers stand upright: a line for each digit. */
static unsigned heads(struct tui_view *v, struct line *lines, unsigned columns)
{
	const struct heat *h = heat_of(v);
	unsigned shift = shift_of(v, columns), width = cell_width(h, columns), nr = 0, cpu, ten;

	for (ten = width > 1           ? 1
		   : h->nr_cpus > 1000 ? 1000
		   : h->nr_cpus > 100  ? 100
		   : h->nr_cpus > 10   ? 10
				       : 1;
	     ten; ten /= 10) {
		struct line *l = &lines[nr++];

		line__init(l, columns);
		line__printf(l, THEME_HEAD, "%-*s", LEFT, ten == 1 ? "  from    moves " : "");
		for (cpu = shift; cpu < h->nr_cpus && l->columns < columns; cpu++) {
			if (width > 1)
				line__printf(l, THEME_HEAD, "%*u", (int)width, cpu);
			else if (cpu >= ten || ten == 1)
				line__printf(l, THEME_HEAD, "%u", cpu / ten % 10);
			else
				line__put(l, THEME_HEAD, " ");
		}
	}
	return nr;
}

static unsigned cpu_of(const struct tree_node *n)
{
	return (unsigned)(uintptr_t)n->item - 1;
}

static void row(struct tui_view *v, const struct tree_node *n, struct line *l)
{
	static const enum theme themes[HEAT_LEVELS] = {
		THEME_NORMAL, THEME_HEAT_1, THEME_HEAT_1, THEME_HEAT_2,
		THEME_HEAT_2, THEME_HEAT_3, THEME_HEAT_3, THEME_HEAT_4,
	};
	const struct heat *h = heat_of(v);
	unsigned shift = shift_of(v, l->max_columns), width = cell_width(h, l->max_columns), cpu;

	line__put(l, THEME_DIM, n->open ? "- " : "+ ");
	if (v->run->report.cctx.no_moves) { /* unknown, not 0 */
		line__printf(l, THEME_NORMAL, "%4u %8s", cpu_of(n), "-");
		return;
	}
	line__printf(l, THEME_NORMAL, "%4u %8" PRIu64 " ", cpu_of(n), heat__from(h, cpu_of(n)));
	for (cpu = shift; cpu < h->nr_cpus && l->columns < l->max_columns; cpu++) {
		uint64_t moves = heat__cell(h, cpu_of(n), cpu);
		unsigned level = heat__level(h, moves);

		if (width > 1 && moves)
			line__printf(l, themes[level], "%*" PRIu64, (int)width, moves);
		else if (width > 1)
			line__printf(l, THEME_DIM, "%*s", (int)width, cpu == cpu_of(n) ? "-" : ".");
		else if (cpu == cpu_of(n) && !moves)
			line__put(l, THEME_DIM, "\\");
		else
			line__printf(l, themes[level], "%c", heat__sign(level));
	}
}

static int cmp_n(const void *pa, const void *pb)
{
	const struct report_move *a = pa, *b = pb;

	if (a->n != b->n)
		return a->n < b->n ? 1 : -1;
	return a->to - b->to;
}

static int open(void *ctx, struct tree_node *n)
{
	const struct tui_view *v = ctx;
	const struct heat *h = heat_of(v);
	uint32_t first = h->first[cpu_of(n)], nr = h->first[cpu_of(n) + 1] - first, i;
	struct report_move *m = calloc(nr + 1, sizeof(*m));
	uint64_t sum = heat__from(h, cpu_of(n));
	char line[96];
	int ret = m ? 0 : -ENOMEM, len;

	for (i = 0; m && i < nr; i++)
		m[i] = h->moves[first + i];
	if (m)
		qsort(m, nr, sizeof(*m), cmp_n);
	for (i = 0; i < nr && !ret; i++) {
		len = snprintf(line, sizeof(line), "   to %4d %8" PRIu64 "  %5.1f%%  %s", m[i].to,
			       m[i].n, (double)m[i].n * 100 / (double)sum,
			       mig_distance__name(
				       topo__distance(&v->run->session->topo, m[i].from, m[i].to)));
		ret = tree_node__add_line(n, line, (size_t)len);
	}
	free(m);
	return ret;
}

static void text(void *ctx, const struct tree_node *n, char *buf, size_t size)
{
	(void)ctx;
	snprintf(buf, size, "CPU %u", cpu_of(n));
}

static void exit_cpus(struct tui_view *v)
{
	if (v->priv)
		heat__exit(v->priv);
	free(v->priv);
	v->priv = NULL;
}

static int load(struct tui_view *v, struct mig_err *err)
{
	struct heat *h;
	uintptr_t cpu;

	exit_cpus(v);
	v->run = v->tui->run;
	v->priv = h = calloc(1, sizeof(*h));
	if (!h || heat__init(h, &v->run->report))
		return mig_err__set(err, -ENOMEM, "out of memory");
	for (cpu = 0; cpu < h->nr_cpus; cpu++)
		if (!tree__add(&v->tree, (const void *)(cpu + 1), NULL))
			return mig_err__set(err, -ENOMEM, "out of memory");
	return 0;
}

static int list(struct tui_view *v, const struct tree_node *n, struct mig_err *err)
{
	struct move_match match = MOVE_MATCH_ANY;
	char subject[48];
	struct tree_row at;
	int to;

	tui_view__here(v, &at);
	match.from = (int)cpu_of(n);
	snprintf(subject, sizeof(subject), "from CPU %d", match.from);
	if (at.line >= 0 && sscanf(n->lines[at.line], " to %d", &to) == 1) {
		match.to = to;
		snprintf(subject, sizeof(subject), "from CPU %d to %d", match.from, to);
	}
	return tui__list_moves(v->tui, NULL, &match, subject, err);
}

static int act(struct tui_view *v, enum tui_action action, struct mig_err *err)
{
	const struct tree_node *n = tui_view__node(v);
	char arg[16], label[32];

	if (action == ACT_OPEN)
		return tui__do(v->tui, ACT_FOLD, err);
	if (!n)
		return 0;
	if (action == ACT_LIST)
		return list(v, n, err);
	snprintf(arg, sizeof(arg), "%u", cpu_of(n));
	snprintf(label, sizeof(label), "CPU %u", cpu_of(n));
	return tui__add_filter(v->tui, TUI_FILTER_CPU, arg, label, err);
}

const struct tui_view_ops tui_cpus_ops = {
	.name = "CPUs",
	.can = 1U << ACT_OPEN | 1U << ACT_ZOOM | 1U << ACT_LIST | 1U << ACT_SHIFT_LEFT |
	       1U << ACT_SHIFT_RIGHT,
	.load = load,
	.heads = heads,
	.row = row,
	.act = act,
	.exit = exit_cpus,
	.tree = { .text = text, .open = open },
};
