// SPDX-License-Identifier: GPL-2.0
/*
 * stdio-table: rows of a report under their column heads. Knows columns, not what they mean, and
 * which rows share a line (interrupts, small ones) above the total.
 */
#include <inttypes.h>
#include <string.h>

#include "cell.h"
#include "color.h"
#include "report.h"
#include "stdio-int.h"

#define WIDTH 80

void stdio__name(FILE *fp, const char *s, unsigned width, bool pad)
{
	char buf[CELL_MAX];

	cell__name(buf, sizeof(buf), s, width, pad);
	fputs(buf, fp);
}

static void print_groups(const struct mig_columns *cols, FILE *fp)
{
	unsigned i, k, width, pad = 0;

	for (i = 0; i < cols->nr; i = k) {
		const char *g = cols->c[i]->group;

		k = cell__group(cols, i, WIDTH, &width);
		if (g) {
			fprintf(fp, "%*s%*s%.*s", (int)pad, "",
				(int)(width > strlen(g) ? width - strlen(g) : 0), "",
				(int)(width > strlen(g) ? strlen(g) : width), g);
			pad = 1;
		} else {
			pad += width + 1;
		}
	}
	fputc('\n', fp);
}

void stdio__table_head(const struct mig_columns *cols, FILE *fp)
{
	bool groups = false;
	unsigned i;

	for (i = 0; i < cols->nr; i++)
		groups |= cols->c[i]->group != NULL;
	fputs(color__title(), fp);
	if (groups)
		print_groups(cols, fp);
	for (i = 0; i < cols->nr; i++) {
		const struct mig_column *c = cols->c[i];
		unsigned w = cell__width(cols, c, WIDTH);

		if (i)
			fputc(' ', fp);
		if (c->kind == MIG_KIND_NAME)
			stdio__name(fp, c->head, w, i + 1 < cols->nr);
		else
			fprintf(fp, "%*s", (int)w, c->head);
	}
	fprintf(fp, "%s\n", color__reset());
}

/* Column i of a row; blanks at the end of a line are left away. */
static void print_cell(const struct mig_row *row, const struct mig_columns *cols, unsigned i,
		       const struct mig_column_ctx *ctx, FILE *fp)
{
	const struct mig_column *c = cols->c[i];
	char buf[CELL_MAX];
	double percent;
	size_t len;

	cell__value(buf, sizeof(buf), row, c, ctx, cell__width(cols, c, WIDTH), &percent);
	for (len = strlen(buf); i + 1 == cols->nr && len && buf[len - 1] == ' '; len--)
		buf[len - 1] = '\0';
	if (percent >= 0 && *color__percent(percent))
		fprintf(fp, "%s%s%s", color__percent(percent), buf, color__reset());
	else
		fputs(buf, fp);
}

void stdio__table_row(const struct mig_row *row, const struct mig_columns *cols,
		      const struct mig_column_ctx *ctx, FILE *fp)
{
	unsigned i;

	for (i = 0; i < cols->nr; i++) {
		if (i)
			fputc(cell__gap(cols, i, row), fp);
		print_cell(row, cols, i, ctx, fp);
	}
	fputc('\n', fp);
}

/* A line for many rows: label where the names stand, the figures of their sum. */
static void print_folded(const struct report *r, const struct mig_row *sum, const char *label,
			 FILE *fp)
{
	unsigned i, names = 0, used = 0;

	for (i = 0; i < r->cols.nr && r->cols.c[i]->kind <= MIG_KIND_ID; i++) {
		const struct mig_column *c = r->cols.c[i];

		if (!mig_column__is_key(c))
			break;
		names += cell__width(&r->cols, c, WIDTH) + (i > 0);
		used++;
	}
	if (used)
		stdio__name(fp, label, names, used < r->cols.nr);
	for (i = used; i < r->cols.nr; i++) {
		const struct mig_column *c = r->cols.c[i];

		if (i)
			fputc(cell__gap(&r->cols, i, sum), fp);
		if (c->kind == MIG_KIND_NAME)
			stdio__name(fp, "", cell__width(&r->cols, c, WIDTH), i + 1 < r->cols.nr);
		else
			print_cell(sum, &r->cols, i, &r->cctx, fp);
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
bool stdio__is_pairs_only(const struct report *r)
{
	return (r->table.dims & ~PAIR_DIMS) == 0 && has_pairs(r);
}

/* Rows not listed one by one: below --percent-limit; of pairs: no wakeups, interrupts. */
static bool fold_row(const struct report *r, const struct mig_row *row, struct folds *f)
{
	unsigned n = r->table.nr_counters;

	mig_row__merge(&f->total, row, n);
	if (!row->wakeups && stdio__is_pairs_only(r))
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
		snprintf(label, sizeof(label),
			 stdio__is_pairs_only(r) ? "(%u more pairs)" : "(%u more)", f.nr_small);
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
