/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cell: what stands in one place of a table: heads, values and names, cut and padded to their
 * column's width. Text output and the terminal UI both build their rows from it.
 */
#ifndef MIG_CELL_H
#define MIG_CELL_H

#include <stdbool.h>
#include <stddef.h>

#include "column.h"

#define CELL_MAX 160 /* bytes of a cell's text */

/* Columns that c takes in a table of that width; names give way, down to 8. */
unsigned cell__width(const struct mig_columns *cols, const struct mig_column *c, unsigned width);
/* s in exactly `width` columns, cut in the middle with "..", blanks behind it if pad. */
void cell__name(char *buf, size_t size, const char *s, unsigned width, bool pad);
/* The value of row, right aligned (names: left); *ret_percent: a share, to be coloured, else -1. */
void cell__value(char *buf, size_t size, const struct mig_row *row, const struct mig_column *c,
		 const struct mig_column_ctx *ctx, unsigned width, double *ret_percent);
/*
 * What stands between column i - 1 and i of a row: a blank; before the row's first figure "!" where
 * facts of it stand beside a loss, so that they all are bounds.
 */
char cell__gap(const struct mig_columns *cols, unsigned i, const struct mig_row *row);
/* Where the group that begins at column i ends (the next group's first); *ret_width its columns. */
unsigned cell__group(const struct mig_columns *cols, unsigned i, unsigned width,
		     unsigned *ret_width);

#endif
