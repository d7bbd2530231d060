/* SPDX-License-Identifier: GPL-2.0 */
/* stats-int: shared by stats*.c. */
#ifndef MIG_STATS_INT_H
#define MIG_STATS_INT_H

#include <stddef.h>
#include <stdint.h>

double stats__sum(const double *x, size_t n);
double stats__mean(const double *x, size_t n);
double *stats__sorted(const double *x, size_t n); /* a copy to free, NULL without memory */
double stats__median_sorted(const double *s, size_t n);
double stats__variance(const double *x, size_t n); /* divided by n - 1 */

/* Twice the midrank of each value, so that ties stay whole numbers. -ENOMEM. */
int stats__ranks2(const double *x, size_t n, uint32_t *ret_rank2);

/*
 * How many choices of k out of n numbers have each sum: ret_count[0..sum of all]. The caller frees
 * it. Exact while a binomial fits into 64 bits (n <= 60). -ENOMEM.
 */
int stats__choices(const uint32_t *v, size_t n, size_t k, uint64_t **ret_count, size_t *ret_max);

#define STATS_Z95 1.959963984540054

#endif
