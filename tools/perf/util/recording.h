/* SPDX-License-Identifier: GPL-2.0 */
/*
 * recording: a recording as one run of an arm, so that recordings are compared like repeated runs:
 * totals, moves by cause, and for each pair of tasks its wakeups, moves, misses, delays and paths.
 */
#ifndef MIG_RECORDING_H
#define MIG_RECORDING_H

#include <stdbool.h>

#include "runset.h"

struct mig_err;
struct session;

/* Does the file begin as perf.data does? */
bool recording__is_one(const char *path);

/*
 * Reads the session to its end and adds it as a further run of the arm of that name. A recording
 * that is damaged is an error: half of it is no run. -ENOMEM, -ENODATA (no scheduler events), or of
 * the reader.
 */
int recording__add(struct runset *set, const char *name, struct session *s, struct mig_err *err);

/* Metrics of a pair are called "pair WAKER > WAKEE: FIGURE". */
enum recording_figure {
	RECORDING_WAKEUPS,
	RECORDING_MOVED, /* share of the wakeups that moved the wakee, in percent */
	RECORDING_MIGRATIONS, /* all moves of the wakee that the pair's row has */
	RECORDING_NEAR, /* share of first slices near the waker, in percent */
	RECORDING_RATE, /* misses per millisecond of run time */
	RECORDING_DELAY_P50, /* ns */
	RECORDING_DELAY_P99,
	RECORDING_PATH, /* .. + enum mig_path: share of the wakeups on it, in percent */
};

/* "wakeups", "moved%", ...; NULL behind the last one. */
const char *recording__figure(int figure);

#endif
