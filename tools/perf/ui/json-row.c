// SPDX-License-Identifier: GPL-2.0
/*
 * json-row: the rows of report --json. Written straight to the file: there can be a hundred
 * thousand of them, and building a tree of each first would cost more than reading the recording.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "json-int.h"
#include "report.h"
#include "utf8.h"

void json_buf__exit(struct json_buf *b)
{
	free(b->p);
	memset(b, 0, sizeof(*b));
}

static void put(struct json_buf *b, const char *s, size_t len)
{
	if (b->n + len > b->max) {
		size_t max = (b->n + len) * 2 + 1024;
		char *p = realloc(b->p, max);

		if (!p) {
			b->failed = true;
			return;
		}
		b->p = p;
		b->max = max;
	}
	memcpy(b->p + b->n, s, len);
	b->n += len;
}

static void put_char(struct json_buf *b, char c)
{
	put(b, &c, 1);
}

static void put_u64(struct json_buf *b, uint64_t v)
{
	char buf[24], *p = buf + sizeof(buf);

	if (v > INT64_MAX) { /* as json_u64() */
		put(b, "null", 4);
		return;
	}
	do
		*--p = (char)('0' + v % 10);
	while (v /= 10);
	put(b, p, (size_t)(buf + sizeof(buf) - p));
}

/* Valid UTF-8, whatever the recording holds. */
static void put_text(struct json_buf *b, const char *s)
{
	char esc[8];

	put_char(b, '"');
	while (*s) {
		size_t len = utf8__len(s);

		if (!len)
			put(b, "\xef\xbf\xbd", 3);
		else if (*s == '"' || *s == '\\')
			put(b, esc, (size_t)snprintf(esc, sizeof(esc), "\\%c", *s));
		else if ((unsigned char)*s < 0x20)
			put(b, esc, (size_t)snprintf(esc, sizeof(esc), "\\u%04x", (unsigned)*s));
		else
			put(b, s, len);
		s += len ? len : 1;
	}
	put_char(b, '"');
}

static void put_name(struct json_buf *b, const char *name, size_t len)
{
	if (!b->first)
		put_char(b, ',');
	put_char(b, '"');
	put(b, name, len);
	put(b, "\":", 2);
	b->first = false;
}

static void close_to(struct json_buf *b, unsigned depth)
{
	for (; b->depth > depth; b->depth--) {
		put_char(b, '}');
		b->first = false;
	}
}

/*
 * Opens and closes objects until the last name of path can be written; columns of one object are
 * neighbours.
 */
static void enter(struct json_buf *b, const char *path)
{
	unsigned depth = 0;
	const char *dot;

	for (; (dot = strchr(path, '.')); path = dot + 1) {
		size_t len = (size_t)(dot - path);

		if (depth == b->depth || b->len[depth] != len || memcmp(b->in[depth], path, len)) {
			close_to(b, depth);
			put_name(b, path, len);
			put_char(b, '{');
			b->first = true;
			b->in[depth] = path;
			b->len[depth] = len;
			b->depth++;
		}
		depth++;
	}
	close_to(b, depth);
	put_name(b, path, strlen(path));
}

static void put_counters(struct json_buf *b, const struct mig_counters *cs, const uint64_t *n)
{
	unsigned i;

	put_char(b, '{');
	for (i = 0; i < cs->nr; i++) {
		if (i)
			put_char(b, ',');
		put_text(b, cs->c[i].name);
		put_char(b, ':');
		put_u64(b, n[i]);
	}
	put_char(b, '}');
}

static void put_value(struct json_buf *b, const struct mig_value *v, const struct report *r)
{
	char num[32];

	switch (v->type) {
	case MIG_V_U64:
		put_u64(b, v->u);
		break;
	case MIG_V_DOUBLE:
		put(b, num, (size_t)snprintf(num, sizeof(num), "%.9g", v->d));
		break;
	case MIG_V_TEXT:
		put_text(b, v->text);
		break;
	case MIG_V_MISSES:
		put_counters(b, &r->session->dec.group, v->misses);
		break;
	default:
		put(b, "null", 4);
	}
}

int json__row(const struct mig_row *row, const struct report *r, struct json_buf *b, FILE *fp)
{
	static const uint64_t none[MIG_MAX_COUNTERS];
	const struct mig_column *const *t, *c;
	bool levels = false;
	struct mig_value v;

	b->n = b->depth = 0;
	b->first = true;
	put_char(b, '{');
	for_each_column(t, c)
	{
		if (!c->json || (c->want & ~r->want)) /* not kept is not 0 */
			continue;
		if ((*t == mig_columns_cost && !r->prices) ||
		    (*t == mig_columns_label && !mig_dims__label(r->table.dims)))
			break;
		if (c->side >= MIG_SIDE_LEVEL && t == mig_column__tables()) {
			if (!mig_row__side_n(row, c->side)) /* levels that this row has */
				continue;
			levels = true;
		}
		mig_column__get(c, row, &r->cctx, &v);
		enter(b, c->json);
		put_value(b, &v, r);
	}
	close_to(b, 0);
	if (!levels) {
		enter(b, "levels");
		put(b, "{}", 2);
	}
	if (r->session->dec.sampled.nr) {
		enter(b, "sampled_misses");
		put_counters(b, &r->session->dec.sampled, row->rare ? row->rare->sampled : none);
	}
	put_char(b, '}');
	if (b->failed)
		return -ENOMEM;
	return fwrite(b->p, 1, b->n, fp) == b->n ? 0 : -EIO;
}
