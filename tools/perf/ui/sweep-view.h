/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sweep-view: what a sweep found: the runs of each value, each value against the first, and
 * whether the figures go together, over all runs and within the values.
 */
#ifndef MIG_SWEEP_VIEW_H
#define MIG_SWEEP_VIEW_H

#include <stdio.h>

struct mig_err;
struct runset;

/* fields: comma-separated names of more metrics in the tables of runs, or NULL. */
int sweep_view__text(const struct runset *set, const char *fields, FILE *fp, struct mig_err *err);

#endif
