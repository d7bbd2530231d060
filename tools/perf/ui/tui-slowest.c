// SPDX-License-Identifier: GPL-2.0
/*
 * tui-slowest: the wakeups whose task waited longest. A row opens into where that was and what the
 * kernel was doing.
 */
#include "tui-int.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "cell.h"
#include "column.h"

/* Columns of a name. */
static unsigned name_width(unsigned columns)
{
	return columns >= 76 ? 24 : columns > 30 ? (columns - 10) / 2 : 10;
}

static unsigned heads(struct tui_view *v, struct line *lines, unsigned columns)
{
	const int w = (int)name_width(columns);

	(void)v;
	line__init(&lines[0], columns);
	line__printf(&lines[0], THEME_HEAD, "  %6s %-*s %-*s %-10s %4s", "delay", w, "waker", w,
		     "wakee", "path", "CPU");
	return 1;
}

static void row(struct tui_view *v, const struct tree_node *n, struct line *l)
{
	const struct mig_wakeup *w = n->item;
	const unsigned width = name_width(l->max_columns);
	char delay[16], task[64], cell[CELL_MAX];

	mig_ns__print(w->delay_ns, delay, sizeof(delay));
	line__put(l, THEME_DIM, n->open ? "- " : "+ ");
	line__printf(l, THEME_NORMAL, "%6s ", delay);
	tui_text__task(v->run->session, w->waker_comm, w->waker_tid, task, sizeof(task));
	cell__name(cell, sizeof(cell), task, width, true);
	line__printf(l, THEME_NORMAL, "%s ", cell);
	tui_text__task(v->run->session, w->wakee_comm, w->wakee_tid, task, sizeof(task));
	cell__name(cell, sizeof(cell), task, width, true);
	line__printf(l, THEME_NORMAL, "%s %-10s %4d", cell, mig_path__name(w->path), w->run_cpu);
	if (w->lost_nearby)
		line__put(l, THEME_WARN, " !");
}

static void text(void *ctx, const struct tree_node *n, char *buf, size_t size)
{
	const struct tui_view *v = ctx;
	const struct mig_wakeup *w = n->item;
	char a[64], b[64];

	tui_text__task(v->run->session, w->waker_comm, w->waker_tid, a, sizeof(a));
	tui_text__task(v->run->session, w->wakee_comm, w->wakee_tid, b, sizeof(b));
	snprintf(buf, size, "%s %s %s", a, b, mig_path__name(w->path));
}

static int open(void *ctx, struct tree_node *n)
{
	const struct tui_view *v = ctx;
	const struct mig_wakeup *w = n->item;
	const struct session *s = v->run->session;
	struct tui_text tx;
	FILE *fp = tui_text__open(&tx);

	if (!fp)
		return -ENOMEM;
	fprintf(fp,
		"at %" PRIu64 ".%09" PRIu64 ": waker on CPU %d, wakee last on %d, put on %d, ran "
		"on %d\n",
		w->time / 1000000000, w->time % 1000000000, w->waker_cpu, w->prev_cpu, w->cpu,
		w->run_cpu);
	fprintf(fp, "%s, woken by %s%s, in %s\n", mig_distance__name(w->distance),
		mig_mechanism__name(w->mechanism), w->sync == MIG_SYNC_YES ? ", sync" : "",
		mig_context__name(w->context));
	tui_text__chain(s, w->chain, fp);
	return tui_text__close(&tx, n);
}

static int load(struct tui_view *v, struct mig_err *err)
{
	const struct slowest *s;
	unsigned i;

	v->run = v->tui->run;
	s = &v->run->report.slowest;
	for (i = 0; i < s->nr; i++)
		if (!tree__add(&v->tree, &s->w[i], NULL))
			return mig_err__set(err, -ENOMEM, "out of memory");
	return 0;
}

static int act(struct tui_view *v, enum tui_action action, struct mig_err *err)
{
	const struct tree_node *n = tui_view__node(v);
	char arg[16], label[32];
	int32_t tid;

	if (action == ACT_OPEN)
		return tui__do(v->tui, ACT_FOLD, err);
	if (!n)
		return 0;
	tid = action == ACT_ZOOM ? ((const struct mig_wakeup *)n->item)->wakee_tid
				 : ((const struct mig_wakeup *)n->item)->waker_tid;
	if (tid <= 0)
		return mig_err__set(err, -EINVAL, "that is no task to zoom into");
	snprintf(arg, sizeof(arg), "%d", tid);
	snprintf(label, sizeof(label), "thread %d", tid);
	return tui__add_filter(v->tui, TUI_FILTER_TID, arg, label, err);
}

const struct tui_view_ops tui_slowest_ops = {
	.name = "Slowest wakeups",
	.can = 1U << ACT_OPEN | 1U << ACT_ZOOM | 1U << ACT_ZOOM_OTHER,
	.load = load,
	.heads = heads,
	.row = row,
	.act = act,
	.tree = { .text = text, .open = open },
};
