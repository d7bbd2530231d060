/* SPDX-License-Identifier: GPL-2.0 */
/*
 * line: one line of the screen: text with colours, never wider than the screen. Views write lines;
 * the browser draws them, or prints their text into a file.
 */
#ifndef MIG_LINE_H
#define MIG_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "theme.h"

#define LINE_MAX_COLUMNS 512

struct line_run {
	unsigned at; /* byte where it begins; it ends where the next one begins */
	enum theme theme;
};

struct line {
	char text[4 * LINE_MAX_COLUMNS + 1];
	unsigned len, columns, max_columns, nr_runs;
	struct line_run run[128];
};

/* An empty line of at most that many columns. */
void line__init(struct line *l, unsigned max_columns);
/* Adds text as far as there is room. Control characters and what is no UTF-8 become '?'. */
void line__put(struct line *l, enum theme theme, const char *text);
void line__printf(struct line *l, enum theme theme, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Blanks up to that column. */
void line__pad(struct line *l, enum theme theme, unsigned column);

#endif
