// SPDX-License-Identifier: GPL-2.0
/*
 * tui-view: what all views have in common: a tree in a browser, whose cursor stays on its row.
 */
#include "tui-int.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static unsigned view_nr(void *ctx)
{
	return ((struct tui_view *)ctx)->tree.nr_rows;
}

static unsigned view_heads(void *ctx, struct line *lines, unsigned columns)
{
	struct tui_view *v = ctx;

	return v->ops->heads && v->loaded ? v->ops->heads(v, lines, columns) : 0;
}

/* The first columns of a wide text are scrolled away. */
static void put_shifted(struct line *l, enum theme theme, const char *text, unsigned shift)
{
	for (; shift && *text; shift--) {
		for (text++; (*text & 0xc0) == 0x80; text++)
			;
	}
	line__put(l, theme, text);
}

static void view_row(void *ctx, unsigned row, struct line *l)
{
	struct tui_view *v = ctx;
	const struct tree_row *tr = &v->tree.rows[row];
	const struct tree_node *n = &v->tree.nodes[tr->node];

	if (tr->line >= 0) {
		put_shifted(l, THEME_NORMAL, n->lines[tr->line], v->shift);
	} else if (v->ops->row) {
		v->ops->row(v, n, l);
	} else {
		line__put(l, THEME_HEAD, n->open ? "- " : "+ ");
		put_shifted(l, THEME_HEAD, n->title, v->shift);
	}
}

static int view_key(void *ctx, int key)
{
	(void)ctx;
	return (int)tui_keys__action(key);
}

static const struct browser_ops view_browser_ops = {
	.nr = view_nr,
	.heads = view_heads,
	.row = view_row,
	.key = view_key,
};

void tui_view__init(struct tui_view *v, const struct tui_view_ops *ops, struct tui *t)
{
	memset(v, 0, sizeof(*v));
	v->ops = ops;
	v->tui = t;
	browser__init(&v->browser, &view_browser_ops, v);
	tree__init(&v->tree, &ops->tree, v);
}

void tui_view__exit(struct tui_view *v)
{
	if (v->ops->exit)
		v->ops->exit(v);
	tree__exit(&v->tree);
	tui_run__delete(v->own_run);
	v->own_run = NULL;
	v->loaded = false;
}

const void *tui_view__here(const struct tui_view *v, struct tree_row *ret_row)
{
	unsigned at = v->browser.scroll.at;

	*ret_row = (struct tree_row){ 0, -1 };
	if (at >= v->tree.nr_rows)
		return NULL;
	*ret_row = v->tree.rows[at];
	return v->tree.nodes[ret_row->node].item;
}

struct tree_node *tui_view__node(struct tui_view *v)
{
	unsigned at = v->browser.scroll.at;

	return at < v->tree.nr_rows ? &v->tree.nodes[v->tree.rows[at].node] : NULL;
}

/* Of nodes without an item, which do not change their order, the place is who they are. */
static uint32_t find_row(const struct tree *t, const struct tree_row *row, const void *item)
{
	uint32_t i, found = UINT32_MAX;

	if (item)
		return tree__find(t, item, row->line);
	for (i = 0; i < t->nr_rows; i++) {
		if (t->rows[i].node != row->node)
			continue;
		if (t->rows[i].line < 0 || t->rows[i].line == row->line)
			found = i;
	}
	return found;
}

int tui_view__update(struct tui_view *v, const struct tree_row *at_row, const void *at_item)
{
	struct scroll *s = &v->browser.scroll;
	unsigned below = s->at - s->top;
	uint32_t at;
	int ret;

	tree__filter(&v->tree, tui__text_filter(v));
	ret = tree__update(&v->tree);
	if (ret)
		return ret;
	at = find_row(&v->tree, at_row, at_item);
	if (at == UINT32_MAX)
		at = 0;
	/* on the same line of the screen, too, where that can be */
	s->top = at > below ? at - below : 0;
	s->at = at;
	scroll__resize(s, v->tree.nr_rows, s->height);
	return 0;
}

void tui_view__forget(struct tui_view *v)
{
	if (v->browser.scroll.at < v->tree.nr_rows)
		tree__row_text(&v->tree, v->browser.scroll.at, v->row_text, sizeof(v->row_text));
	tree__clear(&v->tree);
	v->run = NULL;
	v->loaded = false;
}

int tui_view__load(struct tui_view *v, struct mig_err *err)
{
	char is[256];
	struct tree_row row = { 0, -1 };
	const void *item = NULL;
	uint32_t i;
	int ret;

	tree__clear(&v->tree);
	ret = v->ops->load(v, err);
	if (ret)
		return ret;
	v->loaded = true;
	ret = tree__update(&v->tree);
	for (i = 0; *v->row_text && !ret && i < v->tree.nr_rows; i++) {
		tree__row_text(&v->tree, i, is, sizeof(is));
		if (strcmp(v->row_text, is))
			continue;
		row = v->tree.rows[i];
		item = v->tree.nodes[row.node].item;
		break;
	}
	if (!ret)
		ret = tui_view__update(v, &row, item);
	/* from the start of the list, if the row can be seen from there */
	v->browser.scroll.top = 0;
	scroll__to(&v->browser.scroll, v->browser.scroll.at);
	return ret ? mig_err__set(err, ret, "out of memory") : 0;
}
