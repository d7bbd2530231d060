/* SPDX-License-Identifier: GPL-2.0 */
/*
 * value: the figure that a workload reports about itself, found in its output.
 */
#ifndef MIG_VALUE_H
#define MIG_VALUE_H

#include <regex.h>
#include <stdbool.h>

#include "metric.h"

struct mig_err;

struct value_finder {
	const struct value_known *known; /* NULL = by the user's regular expression */
	regex_t re;
	const char *pattern; /* what was compiled, for messages */
	const char *unit;
	enum metric_better better;
};

/*
 * spec: the name of a program whose output is known (hackbench, perf-bench, schbench, netperf,
 * iperf3, tbench, sysbench, hyperfine), else an extended regular expression with a group.
 * -EINVAL (wrong usage) for an expression that does not compile or has no group.
 */
int value_finder__init(struct value_finder *f, const char *spec, struct mig_err *err);
void value_finder__exit(struct value_finder *f);

/* The last match in the output. False if there is none, or it is no number. */
bool value_finder__find(const struct value_finder *f, const char *output, double *ret);

/* A text that is a number and nothing else but blanks. */
bool value__parse(const char *text, double *ret);

/* "hackbench, perf-bench, ..." */
const char *value__names(void);

#endif
