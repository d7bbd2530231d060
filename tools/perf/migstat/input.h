/* SPDX-License-Identifier: GPL-2.0 */
/*
 * input: the options that every subcommand reading a recording shares: which one, which part of it,
 * from which events to infer. One argp child, so that report and script take the same words.
 */
#ifndef MIG_INPUT_H
#define MIG_INPUT_H

#include <argp.h>
#include <stdbool.h>

#include "session.h"

struct input_opts {
	struct session_opts session;
	bool quiet, force;
	int verbose;
};

extern const struct argp input_argp;

/* What an argp parser of a subcommand calls in ARGP_KEY_INIT: hands its input_opts to the child. */
void input__init(struct input_opts *opts, struct argp_state *state);

/*
 * Opens the recording that the options name; without -i that is perf.data, or standard input if it
 * is a pipe and there is no perf.data. Also makes -f's check: the file must be the user's or
 * root's.
 */
int input__open(struct input_opts *opts, struct session **ret_s, struct mig_err *err);
/* Prints the reader's warnings on stderr, unless -q. */
void input__warn(const struct input_opts *opts, const struct session *s);

#endif
