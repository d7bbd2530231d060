// SPDX-License-Identifier: GPL-2.0
/* tui-prompt: asking the user: a line of text, one of several, yes or no. */
#include "tui-int.h"

#include <stdio.h>
#include <string.h>

#include "utf8.h"

static void draw_prompt(struct tui *t, const char *label, const char *buf)
{
	unsigned last = term__rows() - 1;
	struct line l;

	tui__draw(t);
	line__init(&l, term__columns() - 1);
	line__printf(&l, THEME_BOX, " %s", label);
	/* the end of a long text is what is being typed */
	while (*buf && l.columns + utf8__columns(buf) > l.max_columns)
		buf += utf8__prefix(buf, 1);
	line__put(&l, THEME_BOX, buf);
	term__draw(last, &l, THEME_BOX, false);
	term__refresh((int)last, (int)l.columns);
}

static void remember(struct tui *t, const char *text)
{
	unsigned i, nr = t->nr_history;

	if (!*text)
		return;
	for (i = 0; i < nr; i++)
		if (!strcmp(t->history[i], text))
			break;
	if (i == TUI_MAX_HISTORY)
		i--;
	else if (i == nr)
		t->nr_history++;
	memmove(t->history[1], t->history[0], i * sizeof(t->history[0]));
	snprintf(t->history[0], sizeof(t->history[0]), "%s", text);
}

/* One character less. */
static void rub_out(char *buf)
{
	size_t len = strlen(buf);

	while (len && (buf[len - 1] & 0xc0) == 0x80)
		len--;
	buf[len ? len - 1 : 0] = '\0';
}

/* at: which of the history is shown, -1 = what was typed */
static void recall(const struct tui *t, int key, int *at, char *buf, size_t size)
{
	if (key == KEY_UP && *at + 1 < (int)t->nr_history)
		++*at;
	else if (key == KEY_DOWN && *at >= 0)
		--*at;
	else
		return;
	snprintf(buf, size, "%s", *at >= 0 ? t->history[*at] : "");
}

bool tui__prompt(struct tui *t, const char *label, char *buf, size_t size)
{
	int at = -1;

	for (;;) {
		size_t len = strlen(buf);
		int key;

		draw_prompt(t, label, buf);
		key = term__key();
		if (key == KEY_ENTER)
			break;
		if (key == KEY_GONE || key == KEY_ESC || key == 3) {
			t->quit |= key == KEY_GONE;
			return false;
		}
		if (key == KEY_BACKSPACE || key == KEY_DELETE)
			rub_out(buf);
		else if (key == ('U' & 0x1f))
			*buf = '\0';
		else if (key >= ' ' && key < 0x100 && len + 1 < size)
			snprintf(buf + len, size - len, "%c", key);
		else
			recall(t, key, &at, buf, size);
	}
	utf8__clean(buf, size, buf);
	remember(t, buf);
	return true;
}

static void draw_menu(struct tui *t, const char *title, const char *const *entries,
		      const struct scroll *s)
{
	unsigned i, row = 2;
	struct line l;

	tui__draw(t);
	line__init(&l, term__columns());
	line__printf(&l, THEME_TITLE, "   %-30s %u/%u", title, s->at + 1, s->nr);
	term__draw(row++, &l, THEME_TITLE, false);
	for (i = s->top; i < s->nr && i < s->top + s->height; i++) {
		line__init(&l, term__columns());
		line__printf(&l, THEME_BOX, "   %s", entries[i]);
		term__draw(row++, &l, THEME_BOX, i == s->at);
	}
	term__refresh(-1, -1);
}

int tui__menu(struct tui *t, const char *title, const char *const *entries, unsigned nr,
	      unsigned at, int *ret_key)
{
	struct scroll s = { .nr = nr, .at = at };
	int key;

	*ret_key = 0;
	for (;;) {
		scroll__resize(&s, nr, term__rows() > 5 ? term__rows() - 4 : 1);
		draw_menu(t, title, entries, &s);
		key = term__key();
		switch (key) {
		case KEY_UP:
			scroll__move(&s, SCROLL_UP);
			break;
		case KEY_DOWN:
			scroll__move(&s, SCROLL_DOWN);
			break;
		case KEY_PAGE_UP:
			scroll__move(&s, SCROLL_PAGE_UP);
			break;
		case KEY_PAGE_DOWN:
			scroll__move(&s, SCROLL_PAGE_DOWN);
			break;
		case KEY_HOME:
			scroll__move(&s, SCROLL_HOME);
			break;
		case KEY_END:
			scroll__move(&s, SCROLL_END);
			break;
		case KEY_REDRAW:
			break;
		case KEY_ENTER:
		case KEY_RIGHT:
			return (int)s.at;
		case KEY_ESC:
		case KEY_LEFT:
			return -1;
		default:
			*ret_key = key;
			return -1;
		}
	}
}

bool tui__yes(struct tui *t, const char *question)
{
	int key;

	do {
		draw_prompt(t, question, "");
		key = term__key();
	} while (key == KEY_REDRAW);
	t->quit |= key == KEY_GONE;
	return key == KEY_ENTER || key == 'y' || key == 'Y';
}
