/* SPDX-License-Identifier: GPL-2.0 */
/*
 * scroll: a cursor in a list of which some rows are on the screen.
 */
#ifndef MIG_SCROLL_H
#define MIG_SCROLL_H

#include <stdbool.h>

struct scroll {
	unsigned nr, at; /* rows; the cursor's; 0 while nr is 0 */
	unsigned top, height; /* first row on the screen, how many fit (at least 1) */
};

enum scroll_move {
	SCROLL_UP,
	SCROLL_DOWN,
	SCROLL_PAGE_UP,
	SCROLL_PAGE_DOWN,
	SCROLL_HOME,
	SCROLL_END,
};

void scroll__move(struct scroll *s, enum scroll_move move);
/* The list or the screen has changed: the cursor stays in the list and on the screen. */
void scroll__resize(struct scroll *s, unsigned nr, unsigned height);
void scroll__to(struct scroll *s, unsigned at);

#endif
