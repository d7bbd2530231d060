// SPDX-License-Identifier: GPL-2.0
/*
 * tui-moves: single migrations in order of time: of a pair, a task, a cause, a CPU, or from one CPU
 * to another. A row opens into all that is known of its migration.
 */
#include "tui-int.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "cell.h"
#include "column.h"

#define NAME 14

static unsigned heads(struct tui_view *v, struct line *lines, unsigned columns)
{
	const struct mig_counter *c = report__miss(&v->run->report);

	line__init(&lines[0], columns);
	line__printf(&lines[0], THEME_HEAD, "  %13s %-*s %-7s %-14s %-10s %5s %7.7s", "time (s)",
		     NAME, "task", "CPU", "cause", "path", "delay", c ? c->name : "misses");
	return 1;
}

/* A cause that is not proved has a '?'. */
static void put_cause(const struct mig_migration *m, char *buf, size_t size)
{
	snprintf(buf, size, "%s%s", mig_cause__name((enum mig_cause)m->cause),
		 m->certain ? "" : "?");
}

static const char *path_of(const struct mig_migration *m)
{
	return m->at_wakeup ? mig_path__name((enum mig_path)m->path) : "-";
}

static void put_misses(const struct tui_view *v, const struct mig_migration *m, char *buf,
		       size_t size)
{
	const struct mig_column_ctx *c = &v->run->report.cctx;

	if (c->no_misses || m->next_misses[c->miss] == MIG_NULL)
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "%" PRIu64, m->next_misses[c->miss]);
}

static void row(struct tui_view *v, const struct tree_node *n, struct line *l)
{
	const struct mig_migration *m = n->item;
	char task[64], cell[CELL_MAX], cpus[32], cause[32], delay[16] = "-", misses[32];

	if (!m) {
		line__put(l, THEME_WARN, n->title);
		return;
	}
	tui_text__task(v->run->session, m->comm, m->tid, task, sizeof(task));
	cell__name(cell, sizeof(cell), task, NAME, true);
	snprintf(cpus, sizeof(cpus), "%d>%d", m->from, m->to);
	put_cause(m, cause, sizeof(cause));
	if (m->ran_after_ns != MIG_NULL)
		mig_ns__print(m->ran_after_ns, delay, sizeof(delay));
	put_misses(v, m, misses, sizeof(misses));
	line__put(l, THEME_DIM, n->open ? "- " : "+ ");
	line__printf(l, THEME_NORMAL, "%6" PRIu64 ".%06" PRIu64 " %s %-7s %-14s %-10s %5s %7s",
		     m->time / 1000000000, m->time % 1000000000 / 1000, cell, cpus, cause,
		     path_of(m), delay, misses);
	if (m->lost_nearby)
		line__put(l, THEME_WARN, " !");
}

static void text(void *ctx, const struct tree_node *n, char *buf, size_t size)
{
	const struct mig_migration *m = n->item;
	const struct tui_view *v = ctx;
	char task[64], cause[32];

	if (!m) {
		snprintf(buf, size, "%s", n->title);
		return;
	}
	tui_text__task(v->run->session, m->comm, m->tid, task, sizeof(task));
	put_cause(m, cause, sizeof(cause));
	snprintf(buf, size, "%" PRIu64 ".%06" PRIu64 " %s %d>%d %s %s", m->time / 1000000000,
		 m->time % 1000000000 / 1000, task, m->from, m->to, cause, path_of(m));
}

static void print_ns(const char *before, uint64_t ns, const char *unknown, FILE *fp)
{
	char buf[16];

	if (ns != MIG_NULL)
		mig_ns__print(ns, buf, sizeof(buf));
	fprintf(fp, "%s %s", before, ns == MIG_NULL ? unknown : buf);
}

static int open(void *ctx, struct tree_node *n)
{
	const struct tui_view *v = ctx;
	const struct session *s = v->run->session;
	const struct mig_migration *m = n->item;
	struct tui_text tx;
	char by[64];

	if (!m)
		return 0;
	if (!tui_text__open(&tx))
		return -ENOMEM;
	tui_text__task(s, m->by_comm, m->by_tid, by, sizeof(by));
	fprintf(tx.fp, "%s, moved by %s", mig_distance__name((enum mig_distance)m->distance), by);
	if (m->at_wakeup)
		fprintf(tx.fp, ", woken by %s",
			mig_mechanism__name((enum mig_mechanism)m->mechanism));
	print_ns("\nqueued", m->queued_ns, "for an unknown time", tx.fp);
	print_ns(" before, then ran for", m->next_length_ns, "an unknown time", tx.fp);
	fputc('\n', tx.fp);
	if (m->at_wakeup)
		tui_text__chain(s, m->chain, tx.fp);
	return tui_text__close(&tx, n);
}

static int load(struct tui_view *v, struct mig_err *err)
{
	const struct move_list *moves;
	char more[96];
	uint32_t i;

	/* what is opened from a view with a run of its own shows that */
	v->run = v->own_run ? v->own_run : (v - 1)->run;
	moves = &v->run->moves;
	for (i = 0; i < moves->nr; i++)
		if (!tree__add(&v->tree, &moves->m[i], NULL))
			return mig_err__set(err, -ENOMEM, "out of memory");
	snprintf(more, sizeof(more), "  %" PRIu64 " later ones not kept: choose a range of time",
		 moves->more);
	if (moves->more && !tree__add(&v->tree, NULL, more))
		return mig_err__set(err, -ENOMEM, "out of memory");
	return 0;
}

static int act(struct tui_view *v, enum tui_action action, struct mig_err *err)
{
	return action == ACT_OPEN ? tui__do(v->tui, ACT_FOLD, err) : 0;
}

int tui__list_moves(struct tui *t, const char *row, const struct move_match *match,
		    const char *subject, struct mig_err *err)
{
	struct tui_want want = { .dims = 0, .row = row, .moves = match };
	struct tui_run *run;
	int ret = tui_run__new(t, &want, &run, err);

	return run ? tui__open_over(t, &tui_moves_ops, run, subject, err) : ret;
}

const struct tui_view_ops tui_moves_ops = {
	.name = "Moves",
	.can = 1U << ACT_OPEN,
	.load = load,
	.heads = heads,
	.row = row,
	.act = act,
	.tree = { .text = text, .open = open },
};
