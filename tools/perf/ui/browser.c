// SPDX-License-Identifier: GPL-2.0
#include "browser.h"

#include <errno.h>
#include <string.h>

#include "term.h"

void browser__init(struct browser *b, const struct browser_ops *ops, void *ctx)
{
	memset(b, 0, sizeof(*b));
	b->ops = ops;
	b->ctx = ctx;
}

void browser__draw(struct browser *b, unsigned from, unsigned to, unsigned columns)
{
	struct line heads[BROWSER_MAX_HEADS], line;
	unsigned nr = b->hide_heads ? 0 : b->ops->heads(b->ctx, heads, columns), i;

	/* few rows: what is listed matters more than its heads */
	for (i = 0; i < nr && from + 3 < to; i++)
		term__draw(from++, &heads[i], THEME_NORMAL, false);
	scroll__resize(&b->scroll, b->ops->nr(b->ctx), to - from);
	for (i = b->scroll.top; from < to; from++, i++) {
		line__init(&line, columns);
		if (i < b->scroll.nr)
			b->ops->row(b->ctx, i, &line);
		term__draw(from, &line, THEME_NORMAL, i < b->scroll.nr && i == b->scroll.at);
	}
}

int browser__key(struct browser *b, int key)
{
	static const struct {
		int key;
		enum scroll_move move;
	} moves[] = {
		{ KEY_UP, SCROLL_UP },           { KEY_DOWN, SCROLL_DOWN },
		{ KEY_PAGE_UP, SCROLL_PAGE_UP }, { KEY_PAGE_DOWN, SCROLL_PAGE_DOWN },
		{ ' ', SCROLL_PAGE_DOWN },       { KEY_HOME, SCROLL_HOME },
		{ KEY_END, SCROLL_END },
	};
	size_t i;

	for (i = 0; i < sizeof(moves) / sizeof(moves[0]); i++)
		if (moves[i].key == key) {
			scroll__move(&b->scroll, moves[i].move);
			return 0;
		}
	return b->ops->key(b->ctx, key);
}

int browser__print(struct browser *b, unsigned columns, FILE *fp)
{
	struct line heads[BROWSER_MAX_HEADS], line;
	unsigned nr = b->ops->heads(b->ctx, heads, columns), i;

	for (i = 0; i < nr; i++)
		fprintf(fp, "%s\n", heads[i].text);
	nr = b->ops->nr(b->ctx);
	for (i = 0; i < nr; i++) {
		line__init(&line, columns);
		b->ops->row(b->ctx, i, &line);
		while (line.len && line.text[line.len - 1] == ' ')
			line.text[--line.len] = '\0';
		fprintf(fp, "%s\n", line.text);
	}
	return ferror(fp) ? -EIO : 0;
}
