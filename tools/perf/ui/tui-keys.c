// SPDX-License-Identifier: GPL-2.0
/*
 * tui-keys: the keys, what each does, and the words of the help and the menu; one table.
 */
#include "tui-int.h"

#include <stdio.h>

struct tui_key {
	int key[3]; /* 0 = none */
	enum tui_action action;
	const char *name; /* in the help; NULL = no line of its own */
	const char *help;
	const char *menu; /* in the menu of a row, NULL = not there */
};

#define CTRL(c) ((c)&0x1f)

static const struct tui_key keys[] = {
	{ { 0 }, ACT_NONE, "UP DOWN PGUP PGDN", "move; SPACE is PGDN", NULL },
	{ { 0 }, ACT_NONE, "HOME END", "to the first, to the last row", NULL },
	{ { '\t' }, ACT_NEXT_VIEW, "TAB", "next view", NULL },
	{ { KEY_BACKTAB }, ACT_PREV_VIEW, "Shift-TAB", "previous view", NULL },
	{ { KEY_ENTER, KEY_RIGHT },
	  ACT_OPEN,
	  "ENTER RIGHT",
	  "open a pair's detail, a row; begin and end a range of time",
	  "Open" },
	{ { 'm' }, ACT_MENU, "m", "menu of the row", NULL },
	{ { KEY_ESC },
	  ACT_BACK,
	  "ESC LEFT",
	  "back: close what is open, take the last filter away",
	  NULL },
	{ { KEY_LEFT }, ACT_LEFT, NULL, NULL, NULL },
	{ { 'e', '+' }, ACT_FOLD, "e +", "open or close the row", "Open or close its parts" },
	{ { 'c' }, ACT_CLOSE, "c", "close the row", NULL },
	{ { 't' }, ACT_ZOOM, "t", "zoom into the row's task (the wakee), or CPU", "Zoom into it" },
	{ { 'd' },
	  ACT_ZOOM_OTHER,
	  "d",
	  "zoom into the pair's other side, the waker",
	  "Zoom into the waker" },
	{ { 'l' },
	  ACT_LIST,
	  "l",
	  "list the migrations of the pair, task, cause, or CPU",
	  "List its migrations" },
	{ { 'w' },
	  ACT_CHAINS,
	  "w",
	  "wake chains: who woke the pair's waker, and who that",
	  "List its wake chains" },
	{ { 'E' }, ACT_OPEN_ALL, "E", "open all rows", NULL },
	{ { 'C' }, ACT_CLOSE_ALL, "C", "close all rows", NULL },
	{ { '/' },
	  ACT_FILTER,
	  "/",
	  "show rows with a text; none: all; UP DOWN: earlier texts",
	  "Filter by a text" },
	{ { 'n' }, ACT_NEXT_HIT, "n", "to the next row with that text", NULL },
	{ { 'N' }, ACT_PREV_HIT, "N", "to the previous one", NULL },
	{ { 's' }, ACT_SORT, "s", "choose the column to sort by", "Sort by .." },
	{ { 'S' }, ACT_REVERSE, "S", "reverse the order", "Reverse the order" },
	{ { 'f' },
	  ACT_FIELDS,
	  "f",
	  "columns: +NAME adds, -NAME takes away, a list replaces",
	  "Choose columns .." },
	{ { 'H' }, ACT_HEADS, "H", "show or hide the column heads", NULL },
	{ { '<' }, ACT_SHIFT_LEFT, "< >", "scroll columns", NULL },
	{ { '>' }, ACT_SHIFT_RIGHT, NULL, NULL, NULL },
	{ { 'P' },
	  ACT_WRITE,
	  "P",
	  "write the view as text into perf.migstat.N",
	  "Write the view into a file" },
	{ { 'i' },
	  ACT_ENVIRONMENT,
	  "i",
	  "the recording, its machine, what was not seen",
	  "The recording and its machine" },
	{ { '?', 'h', KEY_F1 }, ACT_HELP, "? h F1", "this help", "Keys" },
	{ { 'q', CTRL('C') }, ACT_QUIT, "q Ctrl-C", "leave", "Leave" },
};

#define NR_KEYS (sizeof(keys) / sizeof(keys[0]))

enum tui_action tui_keys__action(int key)
{
	size_t i, k;

	for (i = 0; i < NR_KEYS; i++)
		for (k = 0; k < 3; k++)
			if (keys[i].key[k] && keys[i].key[k] == key)
				return keys[i].action;
	return ACT_NONE;
}

void tui_keys__help(FILE *fp)
{
	size_t i;

	for (i = 0; i < NR_KEYS; i++)
		if (keys[i].name)
			fprintf(fp, "  %-18s %s\n", keys[i].name, keys[i].help);
}

const char *tui_keys__menu(uint32_t can, unsigned i, enum tui_action *ret_action)
{
	const uint32_t always = 1U << ACT_WRITE | 1U << ACT_ENVIRONMENT | 1U << ACT_HELP |
				1U << ACT_QUIT | 1U << ACT_FILTER | 1U << ACT_FOLD;
	size_t k;

	for (k = 0; k < NR_KEYS; k++) {
		if (!keys[k].menu || !((can | always) & 1U << keys[k].action) || i--)
			continue;
		*ret_action = keys[k].action;
		return keys[k].menu;
	}
	return NULL;
}
