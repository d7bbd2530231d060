/* SPDX-License-Identifier: GPL-2.0 */
/*
 * measure-options: the options of the subcommands that run a command and count (stat, bisect): what
 * is counted, which value is taken from the output. One argp child.
 */
#ifndef MIG_MEASURE_OPTIONS_H
#define MIG_MEASURE_OPTIONS_H

#include <argp.h>
#include <limits.h>
#include <stdbool.h>

#include "measure.h"

struct mig_err;

struct measure_opts {
	struct measure m;
	struct value_finder finder; /* valid with has_finder */
	bool has_finder;
	char perf[PATH_MAX];
	const char *value, *better;
	char *events; /* owned */
};

extern const struct argp measure_argp;

/* A number from least to most, else argp_error(). */
double measure_opts__number(const char *arg, double least, double most, const char *option,
			    struct argp_state *state);

/* After parsing: finds perf, compiles --value, makes the folder for counts. */
int measure_opts__prepare(struct measure_opts *o, struct mig_err *err);
/* Command, environment, unit and direction of the value, as they are kept in a results file. */
int measure_opts__describe(const struct measure_opts *o, struct run_arm *arm, struct mig_err *err);
void measure_opts__exit(struct measure_opts *o);

#endif
