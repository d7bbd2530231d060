// SPDX-License-Identifier: GPL-2.0
/*
 * stdio-table: rows of a report under their column heads. Knows columns, not what they mean, and
 * which rows share a line (interrupts, small ones) above the total.
 */
#include <inttypes.h>
#include <string.h>

#include "color.h"
#include "report.h"
#include "stdio-int.h"
#include "utf8.h"

#define WIDTH 80

/* Names give way so that a row fits 80 columns; they are cut in the middle. */
static unsigned name_width(const struct mig_columns *cols, const struct mig_column *c)
{
	unsigned i, names = 0, rest = 0, w;

	if (c->kind != MIG_KIND_NAME || c->width < 15)
		return c->width;
	for (i = 0; i < cols->nr; i++) {
		rest += 1;
		if (cols->c[i]->kind == MIG_KIND_NAME && cols->c[i]->width >= 15)
			names++;
		else
			rest += cols->c[i]->width;
	}
	w = rest < WIDTH ? (WIDTH - rest) / names : 0;
	return w > 16 ? 16 : w < 8 ? 8 : w;
}

static void print_name(FILE *fp, const char *s, unsigned width, bool pad)
{
	size_t len = utf8__width(s), tail;

	if (len <= width) {
		fprintf(fp, "%s%*s", s, pad ? (int)(width - len) : 0, "");
		return;
	}
	tail = (width - 2) / 2;
	fprintf(fp, "%.*s..%s", (int)utf8__prefix(s, width - 2 - tail), s,
		s + utf8__prefix(s, len - tail));
}

void stdio__table_head(const struct mig_columns *cols, FILE *fp)
{
	unsigned i, k, pad = 0;
	bool groups = false;

	for (i = 0; i < cols->nr; i++)
		groups |= cols->c[i]->group != NULL;
	fputs(color__title(), fp);
	for (i = 0; groups && i < cols->nr; i = k) {
		const char *g = cols->c[i]->group;
		unsigned width = 0;

		for (k = i; k < cols->nr &&
			    (k == i || (g && cols->c[k]->group && !strcmp(g, cols->c[k]->group)));
		     k++)
			width += name_width(cols, cols->c[k]) + (k > i);
		if (g) {
			fprintf(fp, "%*s%*s%.*s", (int)pad, "",
				(int)(width > strlen(g) ? width - strlen(g) : 0), "",
				(int)(width > strlen(g) ? strlen(g) : width), g);
			pad = 1;
		} else {
			pad += width + 1;
		}
	}
	if (groups)
		fputc('\n', fp);
	for (i = 0; i < cols->nr; i++) {
		const struct mig_column *c = cols->c[i];
		unsigned w = name_width(cols, c);

		if (i)
			fputc(' ', fp);
		if (c->kind == MIG_KIND_NAME)
			print_name(fp, c->head, w, i + 1 < cols->nr);
		else
			fprintf(fp, "%*s", (int)w, c->head);
	}
	fprintf(fp, "%s\n", color__reset());
}

static void print_value(const struct mig_value *v, const struct mig_column *c,
			const struct mig_column_ctx *ctx, FILE *fp)
{
	struct mig_value one = *v;
	char buf[80];

	if (v->type == MIG_V_MISSES) {
		one.type = v->misses[ctx->miss] == MIG_NULL || ctx->no_misses ? MIG_V_NULL
									      : MIG_V_U64;
		one.u = v->misses[ctx->miss];
	}
	mig_value__print(&one, c->kind, buf, sizeof(buf));
	if (c->kind == MIG_KIND_PERCENT && v->type == MIG_V_DOUBLE)
		fprintf(fp, "%s%*s%s", color__percent(v->d), c->width, buf,
			*color__percent(v->d) ? color__reset() : "");
	else
		fprintf(fp, "%*s", c->width, buf);
}

void stdio__table_row(const struct mig_row *row, const struct mig_columns *cols,
		      const struct mig_column_ctx *ctx, FILE *fp)
{
	struct mig_value v;
	unsigned i;

	for (i = 0; i < cols->nr; i++) {
		const struct mig_column *c = cols->c[i];

		mig_column__get(c, row, ctx, &v);
		if (i)
			fputc(' ', fp);
		if (c->kind == MIG_KIND_NAME)
			print_name(fp, v.type == MIG_V_TEXT ? v.text : "-", name_width(cols, c),
				   i + 1 < cols->nr);
		else
			print_value(&v, c, ctx, fp);
	}
	fputc('\n', fp);
}

/* A line for many rows: label where the names stand, the figures of their sum. */
static void print_folded(const struct report *r, const struct mig_row *sum, const char *label,
			 FILE *fp)
{
	unsigned i, names = 0, used = 0;
	struct mig_value v;

	for (i = 0; i < r->cols.nr && r->cols.c[i]->kind <= MIG_KIND_ID; i++) {
		const struct mig_column *c = r->cols.c[i];

		if (c->kind != MIG_KIND_NAME && c->kind != MIG_KIND_ID)
			break;
		names += name_width(&r->cols, c) + (i > 0);
		used++;
	}
	if (used)
		print_name(fp, label, names, used < r->cols.nr);
	for (i = used; i < r->cols.nr; i++) {
		const struct mig_column *c = r->cols.c[i];

		if (i)
			fputc(' ', fp);
		mig_column__get(c, sum, &r->cctx, &v);
		if (c->kind == MIG_KIND_NAME)
			print_name(fp, "", name_width(&r->cols, c), i + 1 < r->cols.nr);
		else
			print_value(&v, c, &r->cctx, fp);
	}
	fputc('\n', fp);
}

struct folds {
	struct mig_row irq, small, total;
	unsigned nr_irq, nr_small;
};

#define PAIR_DIMS                                                              \
	(1U << MIG_DIM_WAKER | 1U << MIG_DIM_WAKEE | 1U << MIG_DIM_WAKER_TID | \
	 1U << MIG_DIM_WAKEE_TID)

static bool has_pairs(const struct report *r)
{
	return r->table.dims & (1U << MIG_DIM_WAKER | 1U << MIG_DIM_WAKER_TID);
}

static bool is_irq_row(const struct report *r, const struct mig_row *row)
{
	return has_pairs(r) && (row->key[MIG_DIM_WAKER] == MIG_KEY_IRQ ||
				row->key[MIG_DIM_WAKER_TID] == MIG_KEY_IRQ);
}

/* --by pair or tids: a row without wakeups is a task that ran, not a pair. */
static bool is_pairs_only(const struct report *r)
{
	return (r->table.dims & ~PAIR_DIMS) == 0 && has_pairs(r);
}

/* Rows not listed one by one: below --percent-limit; of pairs: no wakeups, interrupts. */
static bool fold_row(const struct report *r, const struct mig_row *row, struct folds *f)
{
	unsigned n = r->table.nr_counters;

	mig_row__merge(&f->total, row, n);
	if (!row->wakeups && is_pairs_only(r))
		return true;
	if (is_irq_row(r, row) && !r->verbose) {
		mig_row__merge(&f->irq, row, n);
		f->nr_irq++;
		return true;
	}
	if (report__below_limit(r, row)) {
		mig_row__merge(&f->small, row, n);
		f->nr_small++;
		return true;
	}
	return false;
}

void stdio__rows(const struct report *r, FILE *fp)
{
	struct folds f;
	char label[64];
	unsigned i;

	memset(&f, 0, sizeof(f));
	stdio__table_head(&r->cols, fp);
	if (r->verbose)
		stdio__side_head("  ran", fp);
	for (i = 0; i < r->table.nr; i++) {
		if (fold_row(r, r->table.rows[i], &f))
			continue;
		stdio__table_row(r->table.rows[i], &r->cols, &r->cctx, fp);
		if (r->verbose)
			stdio__levels(r, r->table.rows[i], MIG_DIST_SELF, MIG_NR_DIST, true, fp);
	}
	if (f.nr_small) {
		snprintf(label, sizeof(label), is_pairs_only(r) ? "(%u more pairs)" : "(%u more)",
			 f.nr_small);
		print_folded(r, &f.small, label, fp);
	}
	if (f.nr_irq) {
		snprintf(label, sizeof(label), "[irq] > %u tasks", f.nr_irq);
		print_folded(r, &f.irq, label, fp);
	}
	if (r->table.nr > 1)
		print_folded(r, &f.total, has_pairs(r) ? "total (all slices)" : "total", fp);
	stdio__incomplete(r, &r->table, fp);
	mig_row__exit(&f.irq);
	mig_row__exit(&f.small);
	mig_row__exit(&f.total);
}
