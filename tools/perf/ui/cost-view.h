/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cost-view: what perf migstat cost shows: tables and plots (cost-text.c, cost-plot.c,
 * cost-matrix.c), JSON and separated values (cost-export.c). All read only; 0 or -EIO.
 */
#ifndef MIG_COST_VIEW_H
#define MIG_COST_VIEW_H

#include <stdbool.h>
#include <stdio.h>

struct cost;
struct cost_pair;
struct cost_switch;

struct cost_view {
	double kernel_ns; /* what the kernel takes a migration to cost ... */
	const char *kernel_why; /* ... and why that is its default only; "" = it was read */
	size_t llc; /* bytes, 0 = sysfs does not tell */
	const char *cpu; /* the model; NULL = not told */
	bool curves; /* also where there is a matrix */
};

int cost_view__text(const struct cost *c, const struct cost_view *v, FILE *fp);
int cost_view__json(const struct cost *c, const struct cost_view *v, FILE *fp);
int cost_view__separated(const struct cost *c, const char *sep, FILE *fp);

int cost_view__switch_text(const struct cost_switch *s, FILE *fp);
int cost_view__switch_json(const struct cost_switch *s, FILE *fp);
int cost_view__switch_separated(const struct cost_switch *s, const char *sep, FILE *fp);

/* Shared by the files above. */
enum { COST_SIZE_LEN = 16, COST_US_LEN = 32 };
/* "4K", "1.5M"; "64" below 1 KiB. */
const char *cost_text__size(double bytes, char ret[COST_SIZE_LEN]);
/* Microseconds from ns, at most 8 characters below 1e8 us; "-" for NAN. */
const char *cost_text__us(double ns, char ret[COST_US_LEN]);
/* The mode with most probes. */
unsigned cost_pair__main_mode(const struct cost_pair *p);
void cost_plot__print(const struct cost *c, const struct cost_pair *p, unsigned mode, FILE *fp);
void cost_matrix__print(const struct cost *c, FILE *fp);

#endif
