// SPDX-License-Identifier: GPL-2.0
/*
 * column-sort: rows in the order of --sort. Numbers are taken once per row and then compared, as
 * there can be a hundred thousand rows; names are asked for when it comes to them.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "column.h"
#include "err.h"

#define MAX_TAKEN 3

struct sort_row {
	struct mig_row *row;
	double key[MAX_TAKEN]; /* of the first keys; NAN: null, or a name */
	uint64_t group; /* of the table's first two dimensions, which decide where keys do not */
};

struct sort_ctx {
	const struct mig_sort *sort;
	const struct mig_column_ctx *ctx;
};

uint32_t mig_sort__want(const struct mig_sort *sort)
{
	uint32_t want = 0;
	unsigned i;

	for (i = 0; i < sort->nr; i++)
		want |= sort->key[i]->want;
	return want;
}

int mig_sort__parse(struct mig_sort *sort, const char *arg, struct mig_err *err)
{
	const char *p = arg;

	sort->nr = 0;
	while (*p) {
		size_t len = strcspn(p, ",");
		bool reverse = *p == '-';
		const struct mig_column *c = mig_column__find(p + reverse, len - reverse);

		if (!c) {
			mig_err__usage(err, "--sort: there is no column '%.*s'", (int)len, p);
			return mig_err__hint(err, "perf migstat report --list-fields prints them "
						  "all");
		}
		if (sort->nr == sizeof(sort->key) / sizeof(sort->key[0]))
			return mig_err__usage(err, "--sort: too many keys");
		sort->reverse[sort->nr] = reverse;
		sort->key[sort->nr++] = c;
		p += len + (p[len] == ',');
	}
	return sort->nr ? 0 : mig_err__usage(err, "--sort: an empty list");
}

static double value_number(const struct mig_value *v, const struct mig_column_ctx *ctx)
{
	switch (v->type) {
	case MIG_V_U64:
		return (double)v->u;
	case MIG_V_DOUBLE:
		return v->d;
	case MIG_V_MISSES:
		return v->misses[ctx->miss] == MIG_NULL ? NAN : (double)v->misses[ctx->miss];
	default:
		return NAN;
	}
}

/* numbers fall, nulls last */
static int cmp_numbers(double x, double y)
{
	if (isnan(x) || isnan(y))
		return !!isnan(x) - !!isnan(y);
	return (x < y) - (x > y);
}

/* names rise, nulls last */
static int cmp_names(const struct mig_value *a, const struct mig_value *b)
{
	if (a->type == MIG_V_NULL || b->type == MIG_V_NULL)
		return (a->type == MIG_V_NULL) - (b->type == MIG_V_NULL);
	return strcmp(a->text, b->text);
}

static int cmp_key(const struct sort_row *a, const struct sort_row *b, const struct sort_ctx *sc,
		   unsigned i)
{
	const struct mig_column *c = sc->sort->key[i];
	struct mig_value va, vb;

	if (c->kind != MIG_KIND_NAME && i < MAX_TAKEN)
		return cmp_numbers(a->key[i], b->key[i]);
	mig_column__get(c, a->row, sc->ctx, &va);
	mig_column__get(c, b->row, sc->ctx, &vb);
	if (c->kind == MIG_KIND_NAME)
		return cmp_names(&va, &vb);
	return cmp_numbers(value_number(&va, sc->ctx), value_number(&vb, sc->ctx));
}

static int cmp_rows(const void *pa, const void *pb, void *arg)
{
	const struct sort_row *a = pa, *b = pb;
	const struct sort_ctx *sc = arg;
	unsigned i;
	int c;

	for (i = 0; i < sc->sort->nr; i++) {
		c = cmp_key(a, b, sc, i);
		if (c)
			return sc->sort->reverse[i] ? -c : c;
	}
	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	for (i = 0; i < MIG_NR_DIM; i++)
		if (a->row->key[i] != b->row->key[i])
			return a->row->key[i] < b->row->key[i] ? -1 : 1;
	return 0;
}

static uint64_t group_of(const struct mig_table *t, const struct mig_row *row)
{
	uint64_t first = t->nr_dims > 0 ? row->key[t->dim[0]] : 0;

	return first << 32 | (t->nr_dims > 1 ? row->key[t->dim[1]] : 0);
}

int mig_table__sort(struct mig_table *t, const struct mig_sort *sort,
		    const struct mig_column_ctx *ctx)
{
	struct sort_row *rows = malloc((t->nr + 1) * sizeof(*rows));
	struct sort_ctx sc = { sort, ctx };
	struct mig_value v;
	uint32_t i, k;

	if (!rows)
		return -ENOMEM;
	for (i = 0; i < t->nr; i++) {
		rows[i].row = t->rows[i];
		rows[i].group = group_of(t, t->rows[i]);
		for (k = 0; k < sort->nr && k < MAX_TAKEN; k++) {
			rows[i].key[k] = NAN;
			if (sort->key[k]->kind == MIG_KIND_NAME)
				continue;
			mig_column__get(sort->key[k], t->rows[i], ctx, &v);
			rows[i].key[k] = value_number(&v, ctx);
		}
	}
	qsort_r(rows, t->nr, sizeof(*rows), cmp_rows, &sc);
	for (i = 0; i < t->nr; i++)
		t->rows[i] = rows[i].row;
	free(rows);
	/* rows moved: the index is of no use any more */
	hash__exit(&t->hash);
	return 0;
}
