/* SPDX-License-Identifier: GPL-2.0 */
/*
 * browser: a list on the screen: heads, rows, a cursor. What the rows are is the owner's business,
 * behind four callbacks; only rows that are shown are asked for.
 */
#ifndef MIG_BROWSER_H
#define MIG_BROWSER_H

#include <stdio.h>

#include "line.h"
#include "scroll.h"

#define BROWSER_MAX_HEADS 4

struct browser_ops {
	unsigned (*nr)(void *ctx); /* rows */
	/* Writes up to BROWSER_MAX_HEADS lines above the rows; returns how many. */
	unsigned (*heads)(void *ctx, struct line *lines, unsigned columns);
	void (*row)(void *ctx, unsigned row, struct line *ret_line);
	/* A key that does not move the cursor; what it returns is up to the owner. */
	int (*key)(void *ctx, int key);
};

struct browser {
	const struct browser_ops *ops;
	void *ctx;
	struct scroll scroll;
	bool hide_heads;
};

void browser__init(struct browser *b, const struct browser_ops *ops, void *ctx);
/* Draws into the screen's rows [from, to). */
void browser__draw(struct browser *b, unsigned from, unsigned to, unsigned columns);
/* Moves the cursor (and returns 0), or asks the owner. */
int browser__key(struct browser *b, int key);
/* All rows as text. 0, or a negative errno. */
int browser__print(struct browser *b, unsigned columns, FILE *fp);

#endif
