/* SPDX-License-Identifier: GPL-2.0 */
/* stdio-int: shared by stdio-*.c. */
#ifndef MIG_STDIO_INT_H
#define MIG_STDIO_INT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct report;
struct mig_row;
struct mig_table;
struct mig_columns;
struct mig_column_ctx;

/* 1234567 -> "1,234,567" */
const char *stdio__thousands(uint64_t n, char *buf, size_t size);
/* "near 47, far 53" lists: "NAME n%, NAME n%" of the parts of n above min percent, rest as "other"
 */
void stdio__shares(FILE *fp, const uint64_t *n, int nr, const char *(*name)(int), double min);

/* A name of at most width columns, cut in the middle; with pad, blanks behind it. stdio-table.c */
void stdio__name(FILE *fp, const char *s, unsigned width, bool pad);

/* stdio-summary.c */
void stdio__summary(const struct report *r, FILE *fp);
/* stdio-loss.c: nothing where no LOST record was written */
void stdio__losses(const struct report *r, FILE *fp);
/* stdio-table.c */
void stdio__rows(const struct report *r, FILE *fp);
/* Are the rows pairs of tasks, so that one without wakeups is none? */
bool stdio__is_pairs_only(const struct report *r);
void stdio__table_head(const struct mig_columns *cols, FILE *fp);
void stdio__table_row(const struct mig_row *row, const struct mig_columns *cols,
		      const struct mig_column_ctx *ctx, FILE *fp);
/* stdio-sides.c: a line of n, misses/slice, ms/slice, misses/ms, delays */
void stdio__side_head(const char *label, FILE *fp);
void stdio__side(const struct report *r, const char *label, const struct mig_row *row,
		 unsigned side, FILE *fp);
/* A line for each level from .. to - 1 (enum mig_distance) that this machine has, or, where `some`,
 * that the row has. */
void stdio__levels(const struct report *r, const struct mig_row *row, unsigned from, unsigned to,
		   bool some, FILE *fp);
/* Where pairs of threads were too many to compare: says so. */
void stdio__incomplete(const struct report *r, const struct mig_table *t, FILE *fp);
/* stdio-causes.c */
void stdio__causes(const struct report *r, FILE *fp);
/* The head of cause lines; one class (enum mig_cause_class), its causes, how far they went. */
void stdio__cause_head(const struct report *r, FILE *fp);
/* false: none of that class */
bool stdio__cause_class(const struct report *r, int class, FILE *fp);
void stdio__cause_parts(const struct report *r, int class, FILE *fp);
/* Where new tasks were put; nothing without forks. */
void stdio__forks(const struct report *r, FILE *fp);
/* stdio-matrix.c */
void stdio__matrix(const struct report *r, FILE *fp);
/* stdio-llc.c; separated: a line for each figure. 0 or -EIO */
void stdio__llc(const struct report *r, FILE *fp);
/* .. and of its parts */
void stdio__llc_moves(const struct report *r, FILE *fp);
void stdio__llc_homes(const struct report *r, FILE *fp);
void stdio__llc_trips(const struct report *r, FILE *fp);
void stdio__llc_chases(const struct report *r, FILE *fp);
int stdio__separated_llc(const struct report *r, const char *sep, FILE *fp);
/* stdio-symbols.c; run: ns of all slices of a side (MIG_SIDE_*), idle left out. 0 or -EIO */
void stdio__symbols(const struct report *r, FILE *fp);
int stdio__separated_symbols(const struct report *r, const char *sep, FILE *fp);
uint64_t stdio__symbols_run(const struct report *r, unsigned side);
/* stdio-pair.c */
void stdio__top_pair(const struct report *r, FILE *fp);
void stdio__pair_detail(const struct report *r, FILE *fp);
/* .. and of its parts; all: the row of the whole pair, r->all.rows[0] */
void stdio__pair_head(const struct report *r, const struct mig_row *all, FILE *fp);
void stdio__pair_sides(const struct report *r, const struct mig_row *all, FILE *fp);
void stdio__pair_busiest(const struct report *r, const struct mig_row *all, FILE *fp);
void stdio__pair_notes(const struct report *r, const struct mig_row *all, FILE *fp);
/* What the wakeups and moves of a row with detail were made of, a line each. */
void stdio__made_of(const struct mig_row *row, FILE *fp);

#endif
