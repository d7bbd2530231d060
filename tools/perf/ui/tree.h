/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tree: what a view lists: nodes that open into lines of text. Knows which of them are shown
 * (filter, open or not), and finds a row again when the list has changed. No terminal here.
 */
#ifndef MIG_TREE_H
#define MIG_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tree_node {
	const void *item; /* the owner's; NULL where the title is all there is */
	char *title; /* owned, may be NULL */
	char **lines; /* owned; made when it opens for the first time */
	uint32_t nr_lines;
	bool open, has_lines, hidden; /* hidden: not in the filter */
};

/* A row on the screen: a node (line < 0), or one of its lines. */
struct tree_row {
	uint32_t node;
	int32_t line;
};

struct tree_ops {
	/* what is searched of a node, in buf; NULL: its title */
	void (*text)(void *ctx, const struct tree_node *n, char *buf, size_t size);
	/* the lines of a node, by tree__add_line(); NULL: none opens. 0, -ENOMEM */
	int (*open)(void *ctx, struct tree_node *n);
};

struct tree {
	const struct tree_ops *ops;
	void *ctx;
	struct tree_node *nodes;
	uint32_t nr_nodes, max_nodes;
	struct tree_row *rows; /* what is shown */
	uint32_t nr_rows, max_rows, nr_hidden;
};

void tree__init(struct tree *t, const struct tree_ops *ops, void *ctx);
void tree__exit(struct tree *t);
/* Takes all nodes away. */
void tree__clear(struct tree *t);

/* Adds a node; title (may be NULL) is copied. NULL: no memory. Valid until the next one. */
struct tree_node *tree__add(struct tree *t, const void *item, const char *title);
int tree_node__add_line(struct tree_node *n, const char *text, size_t len); /* -ENOMEM */
/* Each line of text. */
int tree_node__add_text(struct tree_node *n, const char *text);

/* Hides the nodes that do not have needle in them (NULL or "": none); case does not matter. */
void tree__filter(struct tree *t, const char *needle);
/* Makes rows anew, after any change. -ENOMEM */
int tree__update(struct tree *t);
/* Opens or closes a node; tree__update() shows it. -ENOMEM */
int tree__open(struct tree *t, uint32_t node, bool open);
int tree__open_all(struct tree *t, bool open);

/* Nodes come into the order of these items; one that is not among them goes to the end. */
int tree__reorder(struct tree *t, const void *const *items, uint32_t nr);

/* The row that shows this item (or its node's line); where that is hidden, UINT32_MAX. */
uint32_t tree__find(const struct tree *t, const void *item, int32_t line);
/* The next row whose text has needle in it, from row `at` on (not itself), around the end. */
uint32_t tree__search(const struct tree *t, const char *needle, uint32_t at, bool backwards);
/* What is searched of a row. */
void tree__row_text(const struct tree *t, uint32_t row, char *buf, size_t size);

#endif
