// SPDX-License-Identifier: GPL-2.0
/*
 * tui-timeline: wakeups, moves and misses by time, a row for each stretch of it. ENTER begins a
 * range, ENTER again zooms the whole report into it.
 */
#include "tui-int.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "column.h"

#define MAX_ROWS 60
#define WIDE     64 /* columns; below there is room for moves only */

struct strip {
	uint64_t width; /* of a row, ns */
	struct timeline_bucket max; /* of each count */
	struct timeline_bucket row[MAX_ROWS];
	uint64_t begin[MAX_ROWS];
	bool lost[MAX_ROWS]; /* events were lost in it */
	const char *misses; /* what is counted, NULL = nothing is */
	unsigned nr;
	int marked; /* where a range begins, -1 = none does */
};

static struct strip *strip_of(const struct tui_view *v)
{
	return v->priv;
}

static unsigned index_of(const struct tree_node *n)
{
	return (unsigned)(uintptr_t)n->item - 1;
}

static unsigned heads(struct tui_view *v, struct line *lines, unsigned columns)
{
	const struct strip *s = strip_of(v);
	char width[16];

	mig_ns__print(s->width, width, sizeof(width));
	line__init(&lines[0], columns);
	if (columns < WIDE) {
		line__printf(&lines[0], THEME_HEAD, "%18s %7s each row %s", "from (s)", "moves",
			     width);
		return 1;
	}
	line__printf(&lines[0], THEME_HEAD, "%18s %8s %7s %12.12s", "from (s)", "wakeups", "moves",
		     s->misses ? s->misses : "misses");
	line__printf(&lines[0], THEME_HEAD, "  each row %s", width);
	return 1;
}

static unsigned bar(uint64_t n, uint64_t max, unsigned room)
{
	/* few are not none */
	return n ? 1 + (unsigned)((double)n / (double)max * (double)(room - 1)) : 0;
}

static void put_bar(struct line *l, enum theme theme, char sign, unsigned n)
{
	char text[LINE_MAX_COLUMNS];

	memset(text, sign, sizeof(text));
	line__printf(l, theme, "%.*s", (int)(n < sizeof(text) ? n : sizeof(text)), text);
}

static bool is_marked(const struct tui_view *v, unsigned i)
{
	const unsigned at = v->browser.scroll.at, mark = (unsigned)strip_of(v)->marked;

	return strip_of(v)->marked >= 0 && ((i >= mark && i <= at) || (i <= mark && i >= at));
}

/* A count; what was not recorded is not 0, and where events were lost it is a bound. */
static void put_count(struct line *l, int width, uint64_t n, bool unknown, bool lost)
{
	if (unknown)
		line__printf(l, THEME_NORMAL, "%*s ", width, "-");
	else
		line__printf(l, THEME_NORMAL, "%*" PRIu64 "%c", width, n, lost ? '!' : ' ');
}

static void put_counts(const struct tui_view *v, unsigned i, bool wide, struct line *l)
{
	const struct mig_column_ctx *c = &v->run->report.cctx;
	const struct strip *s = strip_of(v);
	const struct timeline_bucket *b = &s->row[i];

	if (wide)
		put_count(l, 9, b->wakeups, c->no_wakeups, s->lost[i]);
	put_count(l, wide ? 7 : 8, b->migrations, c->no_moves, s->lost[i]);
	if (wide)
		put_count(l, 12, b->misses, !s->misses, s->lost[i]);
}

static void row(struct tui_view *v, const struct tree_node *n, struct line *l)
{
	const struct strip *s = strip_of(v);
	const unsigned i = index_of(n);
	const struct timeline_bucket *b = &s->row[i];
	const bool wide = l->max_columns >= WIDE, in = is_marked(v, i);
	unsigned from, room;

	line__printf(l, in ? THEME_MARK : THEME_NORMAL, "%c%10" PRIu64 ".%06" PRIu64,
		     in ? '>' : ' ', s->begin[i] / 1000000000, s->begin[i] % 1000000000 / 1000);
	put_counts(v, i, wide, l);
	from = l->columns;
	room = (l->max_columns - from) / (wide ? 2 : 1);
	if (room < 4)
		return;
	put_bar(l, THEME_BAR, '#', bar(b->migrations, s->max.migrations, room));
	line__pad(l, THEME_NORMAL, from + room + 1);
	if (wide && s->misses)
		put_bar(l, THEME_BAR_MISS, '=', bar(b->misses, s->max.misses, room - 1));
}

static void note_max(struct timeline_bucket *max, const struct timeline_bucket *b)
{
	if (b->wakeups > max->wakeups)
		max->wakeups = b->wakeups;
	if (b->migrations > max->migrations)
		max->migrations = b->migrations;
	if (b->misses > max->misses)
		max->misses = b->misses;
}

static void exit_timeline(struct tui_view *v)
{
	free(v->priv);
	v->priv = NULL;
}

static void text(void *ctx, const struct tree_node *n, char *buf, size_t size)
{
	const struct strip *s = strip_of(ctx);
	uint64_t t = s->begin[index_of(n)];

	snprintf(buf, size, "%" PRIu64 ".%06" PRIu64, t / 1000000000, t % 1000000000 / 1000);
}

static const char *miss_name(const struct report *r)
{
	const struct mig_column_ctx *c = &r->cctx;

	if (!c->no_misses)
		return report__miss(r)->name;
	return c->sampled >= 0 && r->table.miss >= r->table.nr_counters
		       ? c->all_sampled->c[c->sampled].name
		       : NULL;
}

/* Which rows a loss lies in, if only in part. */
static int mark_losses(struct strip *s, const struct sched_model *m)
{
	struct loss_span *spans;
	uint32_t k, nr;
	unsigned i;
	int ret = loss__spans(&m->losses, m->first_time, &spans, &nr);

	for (k = 0; k < nr; k++)
		for (i = 0; i < s->nr; i++)
			s->lost[i] |= spans[k].from < s->begin[i] + s->width &&
				      spans[k].to >= s->begin[i];
	free(spans);
	return ret;
}

static int load(struct tui_view *v, struct mig_err *err)
{
	const struct timeline *t = &v->tui->run->timeline;
	struct strip *s;
	uint64_t from;

	exit_timeline(v);
	v->run = v->tui->run;
	v->priv = s = calloc(1, sizeof(*s));
	if (!s)
		return mig_err__set(err, -ENOMEM, "out of memory");
	s->marked = -1;
	s->width = timeline__row_width(t, MAX_ROWS);
	from = t->start - t->start % s->width;
	for (; t->nr && from < t->start + t->nr * t->width && s->nr < MAX_ROWS; from += s->width) {
		s->begin[s->nr] = from;
		timeline__sum(t, from, s->width, &s->row[s->nr]);
		note_max(&s->max, &s->row[s->nr]);
		if (!tree__add(&v->tree, (const void *)(uintptr_t)(++s->nr), NULL))
			return mig_err__set(err, -ENOMEM, "out of memory");
	}
	s->misses = miss_name(&v->run->report);
	if (mark_losses(s, &v->run->session->model))
		return mig_err__set(err, -ENOMEM, "out of memory");
	return 0;
}

static int zoom(struct tui_view *v, unsigned a, unsigned b, struct mig_err *err)
{
	const struct strip *s = strip_of(v);
	uint64_t from = s->begin[a < b ? a : b], to = s->begin[a < b ? b : a] + s->width - 1;
	char arg[64], label[64];

	snprintf(arg, sizeof(arg), "%" PRIu64 ".%09" PRIu64 ",%" PRIu64 ".%09" PRIu64,
		 from / 1000000000, from % 1000000000, to / 1000000000, to % 1000000000);
	to++;
	snprintf(label, sizeof(label), "time %" PRIu64 ".%06" PRIu64 "-%" PRIu64 ".%06" PRIu64,
		 from / 1000000000, from % 1000000000 / 1000, to / 1000000000,
		 to % 1000000000 / 1000);
	return tui__add_filter(v->tui, TUI_FILTER_TIME, arg, label, err);
}

static int act(struct tui_view *v, enum tui_action action, struct mig_err *err)
{
	const struct tree_node *n = tui_view__node(v);
	struct strip *s = strip_of(v);
	int marked = s->marked;

	if (action == ACT_BACK) {
		s->marked = -1;
		return marked >= 0;
	}
	if (!n)
		return 0;
	if (marked < 0 && action == ACT_OPEN) {
		s->marked = (int)index_of(n);
		tui__say(v->tui, "to the end of the range, then ENTER; ESC: no range");
		return 0;
	}
	s->marked = -1;
	return zoom(v, marked < 0 ? index_of(n) : (unsigned)marked, index_of(n), err);
}

const struct tui_view_ops tui_timeline_ops = {
	.name = "Timeline",
	.can = 1U << ACT_OPEN | 1U << ACT_ZOOM | 1U << ACT_BACK,
	.load = load,
	.heads = heads,
	.row = row,
	.act = act,
	.exit = exit_timeline,
	.tree = { .text = text },
};
