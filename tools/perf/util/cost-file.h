/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cost-file: what perf migstat cost --json measured, as prices: how long it takes to fetch a line
 * again after a move, by how far the move was.
 *
 * The price of a line, for one pair of CPUs, pattern and mode, is the slope of the cost over the
 * lines of the working set (Theil and Sen: the median of the slopes of all pairs of points), which
 * leaves out what a move costs whatever the working set. Points count whose cost is above zero
 * beyond its interval, up to the last size that a CPU's own cache holds: the first knee above
 * 64 KiB of the time that a warm line takes; beyond it lines lie in a shared cache or in memory,
 * and a move does not miss more of them. Where there is one such point only, it is divided by its
 * lines. 2005's patterns do not count.
 */
#ifndef MIG_COST_FILE_H
#define MIG_COST_FILE_H

#include "topo.h"

struct mig_err;

/* ns for each line, lowest and highest of all patterns, modes and pairs; NAN = not measured */
struct cost_price {
	double lo, hi;
};

struct cost_file {
	struct cost_price price[MIG_NR_DIST];
	char *cpu; /* the model it was measured on, as machine's item "cpu"; NULL = not told */
	const char *path; /* borrowed */
};

/*
 * -errno of the file, -EINVAL for what is not JSON of perf migstat cost, -ENODATA where no distance
 * has a price.
 */
int cost_file__read(const char *path, struct cost_file *ret, struct mig_err *err);
void cost_file__exit(struct cost_file *f);

static inline bool cost_price__known(const struct cost_price *p)
{
	return p->lo <= p->hi;
}

#endif
