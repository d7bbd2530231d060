/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cost: what a migration of a task with a warm working set costs on this machine: which pairs of
 * CPUs are measured, at which sizes, in which order, until when. One pair: cost-pair.h; the
 * arithmetic: cost-figures.h.
 */
#ifndef MIG_COST_H
#define MIG_COST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cost-figures.h"
#include "cost-pair.h"
#include "cost-touch.h"
#include "topo.h"

struct mig_err;

/* What was measured at one size in one way. */
struct cost_point {
	size_t size;
	enum cost_pattern pattern;
	enum cost_pages pages;
	struct cost_samples samples;
	unsigned nr_allocs;
	double huge; /* least share in huge pages of all allocations; NAN = not known */
	struct cost_figures fig[COST_MAX_MODES]; /* by the pair's modes; filled by cost__finish() */
};

/* Points lie pattern by pattern, in each page kind by page kind, in each size by size. */
struct cost_pair {
	int cpu[2];
	enum mig_distance distance;
	struct cost_point *point;
	size_t nr_points;
	struct cost_modes modes; /* filled by cost__finish() */
	unsigned mode_changes; /* from one probe to the next */
	double *probe; /* of all samples, in the order they were taken */
	size_t nr_probes;
};

struct cost_config {
	const int *cpu; /* those that may be used, ascending */
	size_t nr_cpus;
	bool all_pairs; /* else one pair for each distance: the first found */
	const size_t *size;
	size_t nr_sizes;
	bool pattern[COST_NR_PATTERNS], pages[COST_NR_PAGES];
	bool write;
	double seconds; /* for all of it */
	unsigned repeat; /* samples wanted of a point */
	unsigned allocs; /* fresh allocations wanted of a point */
	bool (*stop)(void);
	void (*progress)(uint64_t done, uint64_t total, void *ctx); /* ms; NULL = none */
};

struct cost {
	struct cost_config config; /* arrays are borrowed */
	struct topo topo;
	struct cost_pair *pair;
	size_t nr_pairs;
	double seconds; /* that it took */
	bool stopped; /* by config.stop */
	bool pages_missing[COST_NR_PAGES]; /* left out of several, see why */
	char why_missing[COST_NR_PAGES][160];
};

enum { COST_MAX_SIZES = 64, COST_MAX_SIZE_MIB = 1024 };

/*
 * Sizes by default: doubled from 4 KiB to twice the last-level cache. Where sysfs does not tell
 * how large it is (*ret_llc 0), up to 64 MiB; never more than an eighth of the free memory.
 * Returns how many.
 */
size_t cost__default_sizes(int cpu, size_t size[COST_MAX_SIZES], size_t *ret_llc);

/*
 * "4K,64K,1M" or "4K-64M" (doubled), rounded down to whole lines. -EINVAL with the reason.
 */
int cost__parse_sizes(const char *text, size_t size[COST_MAX_SIZES], size_t *ret_nr,
		      struct mig_err *err);

/*
 * Chooses pairs and points. -ENODEV when there are no two CPUs; page kinds that this machine does
 * not give are an error when they were asked for alone, else left out with the reason.
 */
int cost__init(struct cost *c, const struct cost_config *config, struct mig_err *err);
/* Measures until all is done, the time is over, or stop() says so; what is done then is kept. */
int cost__run(struct cost *c, struct mig_err *err);
/* Modes and figures of what was measured. -ENOMEM. */
int cost__finish(struct cost *c);
void cost__exit(struct cost *c);

/* The cost of a point in a mode, ns for each line that a touch reaches; NAN without samples. */
double cost_point__per_line(const struct cost_point *p, unsigned mode);

/*
 * What the kernel takes a migration to cost: tasks that ran less than that ago are hot. Reads
 * debugfs or, before Linux 5.13, sysctl below root ("" = here). Where neither can be read *ret_why
 * says why and the kernel's default of 500000 is returned. ns.
 */
enum { COST_KERNEL_DEFAULT = 500000 };
double cost__kernel_limit(const char *root, char ret_why[160]);

#endif
