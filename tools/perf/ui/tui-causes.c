// SPDX-License-Identifier: GPL-2.0
/*
 * tui-causes: moves by cause: classes, which open into their causes and how far they went.
 */
#include "tui-int.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stdio-int.h"

/* Nodes are told apart by a pointer: that of their class here. */
static const char classes[MIG_NR_CLASS];

static unsigned heads(struct tui_view *v, struct line *lines, unsigned columns)
{
	const struct report *r = &v->tui->run->report;
	struct tui_text tx;
	char *p, *save;
	unsigned nr = 0;

	if (!tui_text__open(&tx))
		return 0;
	stdio__cause_head(r, tx.fp);
	fclose(tx.fp);
	for (p = strtok_r(tx.buf, "\n", &save); p && nr < BROWSER_MAX_HEADS;
	     p = strtok_r(NULL, "\n", &save)) {
		line__init(&lines[nr], columns);
		line__put(&lines[nr++], THEME_HEAD, p);
	}
	free(tx.buf);
	return nr;
}

static void row(struct tui_view *v, const struct tree_node *n, struct line *l)
{
	(void)v;
	line__put(l, THEME_DIM, !n->item ? "  " : n->open ? "- " : "+ ");
	line__put(l, THEME_NORMAL, n->title + 2);
}

static int open(void *ctx, struct tree_node *n)
{
	const struct tui_view *v = ctx;
	struct tui_text tx;

	if (!n->item)
		return 0;
	if (!tui_text__open(&tx))
		return -ENOMEM;
	stdio__cause_parts(&v->run->report, (int)((const char *)n->item - classes), tx.fp);
	return tui_text__close(&tx, n);
}

static int add(struct tui_view *v, int class)
{
	const struct report *r = &v->run->report;
	const bool forks = class == MIG_NR_CLASS;
	struct tui_text tx;
	char line[160];

	if (!tui_text__open(&tx))
		return -ENOMEM;
	if (forks)
		stdio__forks(r, tx.fp);
	else
		stdio__cause_class(r, class, tx.fp);
	if (tui_text__line(&tx, line, sizeof(line)))
		return -ENOMEM;
	if (*line && !tree__add(&v->tree, forks ? NULL : &classes[class], line))
		return -ENOMEM;
	return 0;
}

static int load(struct tui_view *v, struct mig_err *err)
{
	int class, ret = 0;

	v->run = v->tui->run;
	for (class = 0; class <= MIG_NR_CLASS && !ret; class ++)
		ret = add(v, class);
	return ret ? mig_err__set(err, ret, "out of memory") : 0;
}

/* The cause that a line of an open class is about; -1: none. */
static int cause_of_line(const char *line)
{
	char word[32];
	int i;

	if (sscanf(line, "%31s", word) != 1)
		return -1;
	for (i = 0; i < MIG_NR_CAUSE; i++)
		if (!strcmp(word, mig_cause__name((enum mig_cause)i)))
			return i;
	return -1;
}

static int list(struct tui_view *v, struct mig_err *err)
{
	const struct tree_node *n = tui_view__node(v);
	struct move_match match = MOVE_MATCH_ANY;
	struct tree_row at;

	tui_view__here(v, &at);
	if (!n || !n->item)
		return mig_err__set(err, -EINVAL, "that is no cause of migrations");
	match.class = (int)((const char *)n->item - classes);
	match.cause = at.line < 0 ? -1 : cause_of_line(n->lines[at.line]);
	return tui__list_moves(v->tui, NULL, &match,
			       match.cause < 0 ? mig_class__name((enum mig_cause_class)match.class)
					       : mig_cause__name((enum mig_cause)match.cause),
			       err);
}

static int act(struct tui_view *v, enum tui_action action, struct mig_err *err)
{
	return action == ACT_LIST ? list(v, err) : tui__do(v->tui, ACT_FOLD, err);
}

const struct tui_view_ops tui_causes_ops = {
	.name = "Causes",
	.can = 1U << ACT_OPEN | 1U << ACT_LIST,
	.load = load,
	.heads = heads,
	.row = row,
	.act = act,
	.tree = { .open = open },
};
