// SPDX-License-Identifier: GPL-2.0
#include "tree.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tree__init(struct tree *t, const struct tree_ops *ops, void *ctx)
{
	memset(t, 0, sizeof(*t));
	t->ops = ops;
	t->ctx = ctx;
}

static void node__exit(struct tree_node *n)
{
	uint32_t i;

	for (i = 0; i < n->nr_lines; i++)
		free(n->lines[i]);
	free(n->lines);
	free(n->title);
}

void tree__clear(struct tree *t)
{
	uint32_t i;

	for (i = 0; i < t->nr_nodes; i++)
		node__exit(&t->nodes[i]);
	t->nr_nodes = t->nr_rows = t->nr_hidden = 0;
}

void tree__exit(struct tree *t)
{
	tree__clear(t);
	free(t->nodes);
	free(t->rows);
	tree__init(t, t->ops, t->ctx);
}

struct tree_node *tree__add(struct tree *t, const void *item, const char *title)
{
	struct tree_node *n;

	if (t->nr_nodes == t->max_nodes) {
		uint32_t max = t->max_nodes ? t->max_nodes * 2 : 64;
		struct tree_node *p = realloc(t->nodes, max * sizeof(*p));

		if (!p)
			return NULL;
		t->nodes = p;
		t->max_nodes = max;
	}
	n = &t->nodes[t->nr_nodes];
	memset(n, 0, sizeof(*n));
	n->item = item;
	n->title = title ? strdup(title) : NULL;
	if (title && !n->title)
		return NULL;
	t->nr_nodes++;
	return n;
}

int tree_node__add_line(struct tree_node *n, const char *text, size_t len)
{
	if (!(n->nr_lines & (n->nr_lines - 1))) { /* full: 0, 1, 2, 4 .. */
		uint32_t max = n->nr_lines ? n->nr_lines * 2 : 1;
		char **p = realloc(n->lines, max * sizeof(*p));

		if (!p)
			return -ENOMEM;
		n->lines = p;
	}
	n->lines[n->nr_lines] = strndup(text, len);
	if (!n->lines[n->nr_lines])
		return -ENOMEM;
	n->nr_lines++;
	return 0;
}

int tree_node__add_text(struct tree_node *n, const char *text)
{
	int ret = 0;

	while (*text && !ret) {
		size_t len = strcspn(text, "\n");

		ret = tree_node__add_line(n, text, len);
		text += len + (text[len] == '\n');
	}
	return ret;
}

static void node_text(const struct tree *t, const struct tree_node *n, char *buf, size_t size)
{
	if (t->ops->text)
		t->ops->text(t->ctx, n, buf, size);
	else
		snprintf(buf, size, "%s", n->title ? n->title : "");
}

/* Where the text is all there is to a view, its lines are searched as well. */
static bool lines_have(const struct tree_node *n, const char *needle)
{
	uint32_t i;

	for (i = 0; i < n->nr_lines && !n->item; i++)
		if (strcasestr(n->lines[i], needle))
			return true;
	return false;
}

void tree__filter(struct tree *t, const char *needle)
{
	char buf[256];
	uint32_t i;

	t->nr_hidden = 0;
	for (i = 0; i < t->nr_nodes; i++) {
		struct tree_node *n = &t->nodes[i];

		n->hidden = false;
		if (!needle || !*needle)
			continue;
		node_text(t, n, buf, sizeof(buf));
		n->hidden = !strcasestr(buf, needle) && !lines_have(n, needle);
		t->nr_hidden += n->hidden;
	}
}

static int add_row(struct tree *t, uint32_t node, int32_t line)
{
	if (t->nr_rows == t->max_rows) {
		uint32_t max = t->max_rows ? t->max_rows * 2 : 256;
		struct tree_row *p = realloc(t->rows, max * sizeof(*p));

		if (!p)
			return -ENOMEM;
		t->rows = p;
		t->max_rows = max;
	}
	t->rows[t->nr_rows++] = (struct tree_row){ node, line };
	return 0;
}

int tree__update(struct tree *t)
{
	uint32_t i, k;
	int ret = 0;

	t->nr_rows = 0;
	for (i = 0; i < t->nr_nodes && !ret; i++) {
		const struct tree_node *n = &t->nodes[i];

		if (n->hidden)
			continue;
		ret = add_row(t, i, -1);
		for (k = 0; n->open && k < n->nr_lines && !ret; k++)
			ret = add_row(t, i, (int32_t)k);
	}
	return ret;
}

int tree__open(struct tree *t, uint32_t node, bool open)
{
	struct tree_node *n = &t->nodes[node];
	int ret = 0;

	if (open && !n->has_lines && t->ops->open) {
		n->has_lines = true;
		ret = t->ops->open(t->ctx, n);
	}
	n->open = open && n->nr_lines;
	return ret;
}

int tree__open_all(struct tree *t, bool open)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; i < t->nr_nodes && !ret; i++)
		if (!t->nodes[i].hidden)
			ret = tree__open(t, i, open);
	return ret;
}

static int cmp_item(const void *pa, const void *pb)
{
	const struct tree_node *a = pa, *b = pb;

	return ((uintptr_t)a->item > (uintptr_t)b->item) -
	       ((uintptr_t)a->item < (uintptr_t)b->item);
}

int tree__reorder(struct tree *t, const void *const *items, uint32_t nr)
{
	struct tree_node *nodes = malloc((t->nr_nodes + 1) * sizeof(*nodes)), *n;
	uint32_t i, k = 0;

	if (!nodes)
		return -ENOMEM;
	if (t->nr_nodes)
		qsort(t->nodes, t->nr_nodes, sizeof(*t->nodes), cmp_item);
	for (i = 0; i < nr && t->nr_nodes; i++) {
		const struct tree_node key = { .item = items[i] };

		n = bsearch(&key, t->nodes, t->nr_nodes, sizeof(key), cmp_item);
		if (!n || !n->item)
			continue;
		nodes[k++] = *n;
		n->title = (char *)n; /* taken */
	}
	for (i = 0; i < t->nr_nodes; i++)
		if (t->nodes[i].title != (char *)&t->nodes[i])
			nodes[k++] = t->nodes[i];
	memcpy(t->nodes, nodes, k * sizeof(*nodes));
	free(nodes);
	return 0;
}

uint32_t tree__find(const struct tree *t, const void *item, int32_t line)
{
	uint32_t i, found = UINT32_MAX;

	for (i = 0; i < t->nr_rows; i++) {
		const struct tree_row *r = &t->rows[i];

		if (t->nodes[r->node].item != item)
			continue;
		if (r->line == line)
			return i;
		if (r->line < 0)
			found = i;
	}
	return found;
}

void tree__row_text(const struct tree *t, uint32_t row, char *buf, size_t size)
{
	const struct tree_node *n = &t->nodes[t->rows[row].node];

	if (t->rows[row].line >= 0)
		snprintf(buf, size, "%s", n->lines[t->rows[row].line]);
	else
		node_text(t, n, buf, size);
}

uint32_t tree__search(const struct tree *t, const char *needle, uint32_t at, bool backwards)
{
	char buf[256];
	uint32_t i, row;

	for (i = 1; i <= t->nr_rows; i++) {
		row = backwards ? (at + t->nr_rows - i) % t->nr_rows : (at + i) % t->nr_rows;
		tree__row_text(t, row, buf, sizeof(buf));
		if (strcasestr(buf, needle))
			return row;
	}
	return UINT32_MAX;
}
