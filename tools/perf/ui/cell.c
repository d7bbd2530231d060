// SPDX-License-Identifier: GPL-2.0
#include "cell.h"

#include <stdio.h>
#include <string.h>

#include "utf8.h"

/* len bytes of s and blanks to the left (right = false: to the right) up to width columns. */
static void put(char *buf, size_t size, const char *s, size_t len, size_t blanks, bool right)
{
	if (len >= size)
		len = size - 1;
	if (blanks > size - 1 - len)
		blanks = size - 1 - len;
	memset(buf + (right ? 0 : len), ' ', blanks);
	memcpy(buf + (right ? blanks : 0), s, len);
	buf[len + blanks] = '\0';
}

static bool is_wide_name(const struct mig_column *c)
{
	return c->kind == MIG_KIND_NAME && c->width >= 15;
}

unsigned cell__width(const struct mig_columns *cols, const struct mig_column *c, unsigned width)
{
	unsigned i, names = 0, rest = 0, w;

	if (!is_wide_name(c))
		return c->width;
	for (i = 0; i < cols->nr; i++) {
		rest += 1;
		if (is_wide_name(cols->c[i]))
			names++;
		else
			rest += cols->c[i]->width;
	}
	w = rest < width ? (width - rest) / names : 0;
	return w > 16 ? 16 : w < 8 ? 8 : w;
}

void cell__name(char *buf, size_t size, const char *s, unsigned width, bool pad)
{
	size_t len = utf8__columns(s), tail, head;
	const char *end;

	if (len <= width) {
		put(buf, size, s, strlen(s), pad ? width - len : 0, false);
		return;
	}
	tail = (width - 2) / 2;
	head = utf8__fit(s, width - 2 - tail);
	for (end = s; utf8__columns(end) > tail;)
		end += utf8__prefix(end, 1);
	snprintf(buf, size, "%.*s..%s", (int)head, s, end);
	len = utf8__columns(buf);
	if (pad && len < width && strlen(buf) + width - len < size)
		sprintf(buf + strlen(buf), "%*s", (int)(width - len), "");
}

void cell__value(char *buf, size_t size, const struct mig_row *row, const struct mig_column *c,
		 const struct mig_column_ctx *ctx, unsigned width, double *ret_percent)
{
	struct mig_value v;
	char text[CELL_MAX];
	size_t len;

	*ret_percent = -1;
	mig_column__get(c, row, ctx, &v);
	if (c->kind == MIG_KIND_NAME) {
		cell__name(buf, size, v.type == MIG_V_TEXT ? v.text : "-", width, true);
		return;
	}
	if (v.type == MIG_V_MISSES) {
		uint64_t u = v.misses[ctx->miss];

		v.type = u == MIG_NULL || ctx->no_misses ? MIG_V_NULL : MIG_V_U64;
		v.u = u;
	}
	if (c->kind == MIG_KIND_PERCENT && v.type == MIG_V_DOUBLE)
		*ret_percent = v.d;
	mig_value__print(&v, c->kind, text, sizeof(text));
	len = strlen(text);
	put(buf, size, text, len, len < width ? width - len : 0, true);
}

char cell__gap(const struct mig_columns *cols, unsigned i, const struct mig_row *row)
{
	const bool after_keys = mig_column__is_key(cols->c[i - 1]) || i == 1;

	return row->lost_nearby && after_keys && !mig_column__is_key(cols->c[i]) ? '!' : ' ';
}

unsigned cell__group(const struct mig_columns *cols, unsigned i, unsigned width,
		     unsigned *ret_width)
{
	const char *g = cols->c[i]->group;
	unsigned k;

	*ret_width = 0;
	for (k = i;
	     k < cols->nr && (k == i || (g && cols->c[k]->group && !strcmp(g, cols->c[k]->group)));
	     k++)
		*ret_width += cell__width(cols, cols->c[k], width) + (k > i);
	return k;
}
