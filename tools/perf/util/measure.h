/* SPDX-License-Identifier: GPL-2.0 */
/*
 * measure: one run of a command under perf stat, as a run of an arm: its counts, the value it
 * reports, what the kernel counted meanwhile. Failed runs are kept, with the reason.
 */
#ifndef MIG_MEASURE_H
#define MIG_MEASURE_H

#include <stdbool.h>

#include "argv.h"
#include "runset.h"
#include "value.h"

struct mig_err;

struct measure {
	const char *perf; /* path */
	const char *events; /* for perf stat -e */
	struct argv options; /* further options of perf stat: -a, -C, ... */
	char *const *command; /* NULL-terminated */
	const struct value_finder *value; /* NULL: elapsed seconds, unless there is value_cmd */
	const char *value_cmd; /* shell; reads the output, prints a number */
	const char *pre, *post; /* shell, before and after each run, not measured */
	double timeout; /* seconds, 0 = none */
	bool monitor;
	char dir[64]; /* for perf's output; made by measure__init() */
};

int measure__init(struct measure *m, struct mig_err *err);
void measure__exit(struct measure *m);

/*
 * Runs the command once. arm gets the run; with arm NULL it is a warm-up. *ret_output is what the
 * command wrote (its end), to free. -EINTR after ^C: the run is not in the arm. Other errors: perf
 * could not be run or its output not read; a command that fails is none.
 */
int measure__run(const struct measure *m, struct run_arm *arm, char **ret_output,
		 struct mig_err *err);

#endif
