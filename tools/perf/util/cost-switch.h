/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cost-switch: what a context switch costs on one CPU, split as Li, Ding and Shen do ("Quantifying
 * the cost of context switch", ExpCS 2007).
 *
 * both:   two processes pinned to the CPU send a byte to and fro through two pipes, and each goes
 *         through a set of its own when it gets it
 * single: one process does the same with a pipe to itself
 * A switch costs both - single. With sets of size 0 that is the direct cost; what it is more with
 * larger ones is the indirect cost: the caches that the processes take from each other.
 */
#ifndef MIG_COST_SWITCH_H
#define MIG_COST_SWITCH_H

#include <stdbool.h>
#include <stddef.h>

#include "cost.h"

struct mig_err;

struct cost_switch_point {
	size_t size; /* of each of the two sets, 0 = none */
	enum cost_pattern pattern;
	struct cost_samples samples; /* moved: both, stay: single, ns a switch; probes are 1 */
	unsigned nr_allocs;
	struct cost_figures fig;
};

struct cost_switch {
	struct cost_config config; /* borrowed; cpu[0] is used */
	/* [0] has size 0; then pattern by pattern, in each size by size */
	struct cost_switch_point *point;
	size_t nr_points;
	double seconds;
	bool stopped;
};

/* -ENOMEM */
int cost_switch__init(struct cost_switch *s, const struct cost_config *config, struct mig_err *err);
/*
 * Until all points have their samples or the time is over. It forks: the processes are gone when it
 * returns. Ends with the figures filled.
 */
int cost_switch__run(struct cost_switch *s, struct mig_err *err);
void cost_switch__exit(struct cost_switch *s);

/* Cost of a point beyond the direct one, ns; NAN without samples of both. */
double cost_switch__indirect(const struct cost_switch *s, const struct cost_switch_point *p);

#endif
