/* SPDX-License-Identifier: GPL-2.0 */
/*
 * runs-table: one row a run: value, cache misses, CPU migrations, misses a migration (truncated),
 * and any other metrics.
 */
#ifndef MIG_RUNS_TABLE_H
#define MIG_RUNS_TABLE_H

#include <stddef.h>
#include <stdio.h>

struct run_arm;

/* fields: comma-separated names of more metrics, or NULL. */
void runs_table__head(const char *fields, FILE *fp);
void runs_table__row(const struct run_arm *arm, size_t run, const char *fields, FILE *fp);
/* Means, what failed, what could not be measured and why. 0 or -ENOMEM. */
int runs_table__foot(const struct run_arm *arm, FILE *fp);

#endif
