// SPDX-License-Identifier: GPL-2.0
/*
 * unit-tui-model: what the terminal UI knows without a terminal: the cursor, rows that open, filter
 * and search, lines of a given width, the heat of a cell.
 */
#include "heat.h"
#include "line.h"
#include "report.h"
#include "scroll.h"
#include "tests.h"
#include "tree.h"

#include <locale.h>

static void test_scroll(void)
{
	struct scroll s = { 0 };

	scroll__resize(&s, 0, 10);
	scroll__move(&s, SCROLL_DOWN);
	scroll__move(&s, SCROLL_PAGE_UP);
	is_int(s.at, 0, "an empty list: the cursor stays at 0");
	scroll__resize(&s, 25, 10);
	scroll__move(&s, SCROLL_DOWN);
	is_int(s.at, 1, "down");
	scroll__move(&s, SCROLL_PAGE_DOWN);
	is_int(s.at, 11, "a page down");
	is_int(s.top, 10, "a screen further");
	scroll__move(&s, SCROLL_PAGE_DOWN);
	scroll__move(&s, SCROLL_PAGE_DOWN);
	is_int(s.at, 24, "not beyond the end");
	is_int(s.top, 15, "the last screen is full");
	scroll__resize(&s, 25, 3);
	ok(s.at == 24 && s.top == 22, "a smaller screen: the cursor stays on it");
	scroll__resize(&s, 5, 10);
	ok(s.at == 4 && s.top == 0, "a shorter list: the cursor stays in it");
	scroll__resize(&s, 100, 0);
	is_int(s.height, 1, "a screen without rows is taken for one row");
	scroll__to(&s, 50);
	scroll__move(&s, SCROLL_HOME);
	ok(s.at == 0 && s.top == 0, "home");
	scroll__move(&s, SCROLL_UP);
	is_int(s.at, 0, "not above the start");
	scroll__move(&s, SCROLL_END);
	is_int(s.at, 99, "end");
}

static unsigned asked; /* how often a node's text was */

static void text(void *ctx, const struct tree_node *n, char *buf, size_t size)
{
	(void)ctx;
	asked++;
	snprintf(buf, size, "%s", (const char *)n->item);
}

static int open(void *ctx, struct tree_node *n)
{
	(void)ctx;
	return strcmp(n->item, "closed") ? tree_node__add_text(n, "first\nsecond\n\nfourth") : 0;
}

static const struct tree_ops ops = { .text = text, .open = open };
static const char *const names[] = { "Alpha", "beta", "closed", "alphabet" };

static void make_tree(struct tree *t)
{
	unsigned i;

	tree__init(t, &ops, NULL);
	for (i = 0; i < 4; i++)
		tree__add(t, names[i], NULL);
	tree__update(t);
}

static void test_tree(void)
{
	struct tree t;
	char buf[64];

	make_tree(&t);
	is_int(t.nr_rows, 4, "a row for each node");
	tree__open(&t, 1, true);
	tree__open(&t, 2, true);
	tree__update(&t);
	is_int(t.nr_rows, 8, "an open node shows its lines, also an empty one");
	ok(!t.nodes[2].open, "one without lines does not open");
	tree__row_text(&t, 3, buf, sizeof(buf));
	is_str(buf, "second", "a line's text");
	is_int(tree__find(&t, names[1], 3), 5, "a line is found again");
	is_int(tree__find(&t, names[3], 2), 7, "of a closed node its own row");
	tree__filter(&t, "ALPHA");
	tree__update(&t);
	is_int(t.nr_rows, 2, "a filter, case does not matter");
	is_int(t.nr_hidden, 2, "and what it hides");
	is_int(tree__find(&t, names[1], -1), UINT32_MAX, "a hidden row is not found");
	tree__filter(&t, NULL);
	tree__update(&t);
	is_int(t.nr_rows, 8, "without it everything comes back, open as it was");
	is_int(tree__search(&t, "alpha", 0, false), 7, "the next hit");
	is_int(tree__search(&t, "alpha", 7, false), 0, "around the end");
	is_int(tree__search(&t, "alpha", 0, true), 7, "and around the start");
	is_int(tree__search(&t, "fourth", 0, false), 5, "in lines, too");
	is_int(tree__search(&t, "nowhere", 0, false), UINT32_MAX, "none");
	tree__exit(&t);
}

static void test_reorder(void)
{
	const void *order[] = { names[3], "unknown", names[1], names[0] };
	struct tree t;
	unsigned i;

	make_tree(&t);
	tree__open(&t, 1, true);
	tree__reorder(&t, order, 4);
	tree__update(&t);
	is_str(t.nodes[0].item, "alphabet", "another order: the first");
	is_str(t.nodes[3].item, "closed", "what is not in it comes last");
	ok(t.nodes[1].open && t.nr_rows == 8, "what was open stays open");
	tree__open_all(&t, false);
	tree__update(&t);
	is_int(t.nr_rows, 4, "close all");
	tree__clear(&t);
	for (asked = i = 0; i < 100000; i++)
		tree__add(&t, names[i % 4], NULL);
	tree__filter(&t, "beta");
	tree__update(&t);
	is_int(t.nr_rows, 25000, "100,000 rows filtered");
	is_int(asked, 100000, "each was asked for its text once");
	tree__exit(&t);
}

static void test_line(void)
{
	struct line l;

	line__init(&l, 10);
	line__put(&l, THEME_NORMAL, "12345");
	line__put(&l, THEME_TOP, "67890abc");
	is_str(l.text, "1234567890", "a line ends at its width");
	is_int(l.nr_runs, 2, "two colours");
	is_int(l.run[1].at, 5, "the second begins where it was put");
	line__init(&l, 10);
	line__put(&l, THEME_NORMAL, "\033[31mred\t\x7f\xff");
	is_str(l.text, "?[31mred??", "control characters do not reach the terminal");
	line__init(&l, 5);
	line__put(&l, THEME_NORMAL, "日本語");
	is_str(l.text, "日本", "a wide character that does not fit is left away");
	is_int(l.columns, 4, "two columns each");
	line__pad(&l, THEME_NORMAL, 99);
	is_int(l.columns, 5, "padded to the width");
	line__init(&l, 5);
	line__put(&l, THEME_NORMAL, "e\u0301a\u0308x");
	is_int(l.columns, 3, "combining characters take no column");
	line__init(&l, 1);
	line__printf(&l, THEME_NORMAL, "%s", "");
	is_int(l.nr_runs, 0, "nothing");
}

static void test_heat(void)
{
	static struct session session;
	static struct report_move moves[] = {
		{ 0, 1, 1 }, { 0, 2, 10 }, { 2, 0, 100 }, { 2, 5, 3 }
	};
	static struct report r = { .session = &session, .moves = { .moves = moves, .nr = 4 } };
	struct heat h;
	unsigned i;
	bool rises = true;

	is_int(heat__init(&h, &r), 0, "a heat map of a file without topology");
	is_int(h.nr_cpus, 6, "as many CPUs as occur");
	is_int((int64_t)heat__cell(&h, 0, 2), 10, "a cell");
	is_int((int64_t)heat__cell(&h, 2, 5), 3, "the last one");
	is_int((int64_t)heat__cell(&h, 1, 0), 0, "a CPU without moves");
	is_int((int64_t)heat__from(&h, 2), 103, "all from a CPU");
	is_int(heat__level(&h, 0), 0, "none is no heat");
	is_int(heat__level(&h, 1), 1, "one is some");
	is_int(heat__level(&h, 100), HEAT_LEVELS - 1, "the most is the hottest");
	for (i = 1; i < 100; i++)
		rises &= heat__level(&h, i) <= heat__level(&h, i + 1);
	ok(rises, "more is never cooler");
	heat__exit(&h);
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	test_scroll();
	test_tree();
	test_reorder();
	test_line();
	test_heat();
	return done_testing();
}
