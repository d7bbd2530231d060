/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cost-figures: from raw samples to figures. Pure arithmetic, nothing is measured here.
 *
 * Modes: a hypervisor may move virtual CPUs, so that one pair of CPUs is near at one time and far
 * at another. The latency of the probe tells; samples of different modes are never put together.
 */
#ifndef MIG_COST_FIGURES_H
#define MIG_COST_FIGURES_H

#include <stdbool.h>
#include <stddef.h>

#include "cost-pair.h"

enum {
	COST_MAX_MODES = 4,
	COST_FEW = 30, /* fewer clean samples than that: marked */
	COST_ALLOC_FEW = 5, /* of one allocation */
};

/* One mode: probes from above lo up to hi belong to it, ns one way. */
struct cost_mode {
	double lo, hi;
	double median; /* of its probes */
	size_t nr;
};

struct cost_modes {
	struct cost_mode mode[COST_MAX_MODES]; /* nearest first */
	unsigned nr;
};

/*
 * The modes of positive values: heaps on a logarithmic scale, at least a factor of 1.5 apart, each
 * of at least 5 values and 'share' of all (0.05 for probes), with a valley between them that is
 * less than a third as deep as the lower of the two. All values belong to one. -EINVAL for none,
 * -ENOMEM.
 */
int cost_modes__find(const double *x, size_t n, double share, struct cost_modes *ret);

/* Index of the mode of a value. */
unsigned cost_modes__of(const struct cost_modes *m, double x);

/* Linear interpolation between order statistics (R's type 7); sorted ascending, n > 0. */
double cost__quantile(const double *sorted, size_t n, double q);

struct cost_spread {
	size_t n;
	double q1, median, q3; /* NAN without samples */
	double lo, hi; /* 95% interval of the median; infinite where n is too small */
};

/* Figures of one point in one mode, ns. Both directions are taken together unless said. */
struct cost_figures {
	struct cost_spread stay, moved;
	double cost; /* median moved - median stay */
	double q1, q3; /* quartiles of moved, minus median stay */
	double lo, hi; /* moved's interval minus stay's, the ends that are farthest apart */
	double to[2]; /* cost by the CPU that is moved to; NAN without samples */
	double alloc_min, alloc_max; /* of the costs of single allocations; NAN below two */
	unsigned nr_allocs; /* that have COST_ALLOC_FEW clean samples */
	bool two_heaps; /* moved has two modes although the probe shows one */
	size_t dropped[COST_NR_DROPS]; /* [COST_CLEAN]: the mode changed during the sample */
};

/*
 * Figures of the samples whose probes are in mode 'mode' before and after. Drops are those of this
 * mode by the probe before. -ENOMEM.
 */
int cost_figures__fill(const struct cost_samples *samples, const struct cost_modes *modes,
		       unsigned mode, struct cost_figures *ret);

/* Is a cost above zero beyond what its interval leaves open? */
bool cost_figures__is_cost(const struct cost_figures *f);

/* Share of samples that were dropped, 0 to 1; 0 without any. */
double cost_figures__drop_share(const struct cost_figures *f);

/*
 * Size at which a rising curve crosses 'limit' ns, by straight lines between points on logarithmic
 * scales. 0 where all points are below it, -1 where the first point that is known is above already.
 * Unknown costs are NAN.
 */
double cost__crossing(const double *size, const double *cost, size_t n, double limit);

/*
 * Knees: sizes after which the time of a warm line (stay / lines) rises by half or more until the
 * next size. Writes at most max of them, returns how many.
 */
size_t cost__knees(const double *size, const double *ns_per_line, size_t n, double *ret,
		   size_t max);

#endif
