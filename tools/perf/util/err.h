/* SPDX-License-Identifier: GPL-2.0 */
/*
 * err: what went wrong, and what to do about it.
 *
 * Nothing below migstat/ and ui/ prints. A call that can fail takes a caller-owned struct mig_err,
 * returns a negative errno and leaves the cause (and, where there is one, the cure) in it; the
 * subcommand prints both.
 */
#ifndef MIG_ERR_H
#define MIG_ERR_H

#include <stdbool.h>

struct mig_err {
	int code; /* negative errno, 0 = no error */
	bool usage; /* the command line is wrong, not the input */
	char msg[1024]; /* one line: what, where */
	char hint[512]; /* one line: what to do; "" if there is nothing to say */
};

/*
 * Sets code and message (printf format), clears the hint. Returns code, so that
 * `return mig_err__set(err, -EINVAL, ...)` is the usual form. err may be NULL.
 */
int mig_err__set(struct mig_err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The same for a wrong option: perf's exit code for that is 129. */
int mig_err__usage(struct mig_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Adds the hint to an error that is already set. Returns err->code (or -EINVAL if err is NULL). */
int mig_err__hint(struct mig_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
