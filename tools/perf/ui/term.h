/* SPDX-License-Identifier: GPL-2.0 */
/*
 * term: the screen and the keys. The only file that uses slang, beside theme.c. Whatever ends the
 * program while it runs (a signal, a crash), the terminal is given back as it was.
 */
#ifndef MIG_TERM_H
#define MIG_TERM_H

#include <stdbool.h>
#include <stddef.h>

#include "line.h"

/* What is no character. */
enum term_key {
	KEY_ESC = 033,
	KEY_BASE = 0x400,
	KEY_UP,
	KEY_DOWN,
	KEY_LEFT,
	KEY_RIGHT,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_HOME,
	KEY_END,
	KEY_ENTER,
	KEY_BACKSPACE,
	KEY_DELETE,
	KEY_BACKTAB,
	KEY_F1,
	KEY_REDRAW, /* the screen has another size, or was left and taken again */
	KEY_GONE, /* the terminal is gone */
	KEY_UNKNOWN,
};

/* false: there is no terminal that can do it; *ret_why says so, without a full stop. */
bool term__can(const char **ret_why);
/* Takes the terminal. Sizes and drawing are valid until term__stop(). -1: *ret_why. */
int term__start(const char **ret_why);
void term__stop(void);
/* The colour of perf's configuration that is not known (colors.X), NULL = none. */
const char *term__bad_color(void);

unsigned term__rows(void);
unsigned term__columns(void);
void term__clear(void);
/* Draws a line in that row; the rest of it gets the theme `rest`. selected: all in one theme. */
void term__draw(unsigned row, const struct line *l, enum theme rest, bool selected);
/* Shows what was drawn; the cursor stands there, or is not to be seen (row < 0). */
void term__refresh(int row, int column);
/* Is ESC or ^C the next key? Takes it; other keys stay where they are. Does not wait. */
bool term__stop_asked(void);
/* Waits for a key: a character (a byte of UTF-8), or a term_key. */
int term__key(void);

#endif
