// SPDX-License-Identifier: GPL-2.0
/*
 * unit-browser: a list of 100,000 rows: only what is on the screen is asked for, whatever the key.
 * Nothing is drawn: the terminal is not started.
 */
#include "browser.h"
#include "term.h"
#include "tests.h"

static unsigned asked, last_key;

static unsigned nr(void *ctx)
{
	(void)ctx;
	return 100000;
}

static unsigned heads(void *ctx, struct line *lines, unsigned columns)
{
	(void)ctx;
	line__init(&lines[0], columns);
	line__init(&lines[1], columns);
	return 2;
}

static void row(void *ctx, unsigned idx, struct line *l)
{
	(void)ctx;
	asked++;
	line__printf(l, THEME_NORMAL, "row %u", idx);
}

static int key(void *ctx, int k)
{
	(void)ctx;
	last_key = (unsigned)k;
	return 42;
}

static const struct browser_ops ops = { nr, heads, row, key };

int main(void)
{
	static const int keys[] = {
		KEY_DOWN, KEY_PAGE_DOWN, KEY_END, KEY_PAGE_UP, KEY_UP, KEY_HOME
	};
	struct browser b;
	unsigned i, most = 0;
	char *text = NULL;
	size_t size;
	FILE *fp;

	browser__init(&b, &ops, NULL);
	browser__draw(&b, 2, 23, 80);
	is_int(asked, 19, "24 lines: 19 rows are formatted");
	for (i = 0; i < 600; i++) {
		asked = 0;
		browser__key(&b, keys[i % 6]);
		browser__draw(&b, 2, 23, 80);
		most = asked > most ? asked : most;
	}
	is_int(most, 19, "and never more for a key");
	is_int(b.scroll.at, 0, "the last key was HOME");
	is_int(browser__key(&b, 'x'), 42, "other keys are the owner's");
	is_int(last_key, 'x', "as they are");
	b.hide_heads = true;
	asked = 0;
	browser__draw(&b, 2, 23, 80);
	is_int(asked, 21, "without heads there are two more rows");
	b.hide_heads = false;
	asked = 0;
	browser__draw(&b, 2, 6, 80);
	is_int(asked, 3, "on four lines the heads give way");
	fp = open_memstream(&text, &size);
	is_int(browser__print(&b, 80, fp), 0, "as text");
	fclose(fp);
	is_int(size, 2 + 488890 + 4 * 100000 + 100000, "all rows are there");
	free(text);
	return done_testing();
}
