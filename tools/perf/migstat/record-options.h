/* SPDX-License-Identifier: GPL-2.0 */
/*
 * record-options: the options of `perf migstat record`: perf record's and our own.
 *
 * One table says of each option whether it takes an argument and what becomes of it: passed on,
 * bound to the user's own events, turned into a filter of the report, refused with the cure, or
 * ours. Parsing, -h and --list-opts are driven by it.
 */
#ifndef MIG_RECORD_OPTIONS_H
#define MIG_RECORD_OPTIONS_H

#include <stdbool.h>

#include "util/argv.h"
#include "util/events.h"
#include "util/workload.h"

struct mig_err;

struct record_options {
	struct events_want want; /* its strings are in miss and in the caller's argv */
	struct argv miss;
	struct argv user_events; /* the user's -e, --filter, --exclude-perf in their order */
	struct argv rest; /* what else goes to perf record */
	struct argv unknown; /* names of options in rest that the table does not hold */
	struct workload tasks; /* -p -t -u -G and the command */
	char *uids; /* owned; tasks.uids */

	const char *output; /* -o; NULL = perf's default */
	const char *count; /* -c */
	const char *freq; /* -F */
	const char *chain; /* mode of -g, --call-graph; NULL = none */
	char chain_term[64]; /* the same as a call-graph term */
	const char *sysroot; /* for tests: another machine's /sys and /proc */
	bool help, quiet, verbose, dry_run;
	bool rings; /* the user chose -m */
	bool many_outputs; /* the name of the output is not known before */
	bool kernel_chains; /* --kernel-callchains beside -g */
	bool exclude_perf; /* --exclude-perf without an event of the user's to bind it to */
};

/*
 * Parses argv (argv[0] is "record"). ret must be zero; free it with record_options__exit() in any
 * case. Strings are borrowed from argv. Returns 0 or a negative errno for wrong usage, with one
 * line in err.
 */
int record_options__parse(struct record_options *ret, int argc, char **argv, struct mig_err *err);
void record_options__exit(struct record_options *o);

/* -h, on stdout. */
void record_options__help(void);

/* What becomes of option "--name" or "-k": for tests; NULL if the table does not hold it. */
const char *record_options__action(const char *word);

#endif
