/* SPDX-License-Identifier: GPL-2.0 */
/*
 * insight: what of a report by pair stands out, as sentences of facts: counts, shares, ratios of
 * two measured figures, with how many values each has. No causes are guessed. Rules, with n of at
 * least INSIGHT_MIN on either side:
 *
 * - misses far (of a hardware event): misses/ms of slices far from the waker, compared within pairs
 * of threads of one direction, are at least 1.5 times those near, or those near 1.5 times those
 * far;
 * - misses moved: the same of slices after a move against those that stayed;
 * - delay far: the median run delay far from the waker is at least 3 times the one near, or the
 * other way round, and one of them above 100 us;
 * - late: the median time from a move to running of one cause is at least 10 times that of another,
 * and above 1 ms;
 * - away: at least a fifth of all moves cross the outermost boundary of the machine;
 * - undone: at least a twentieth of all moves undo the one before (MIG_PART_BOUNCE).
 *
 * They are sorted by the share of wakeups or moves that they are about times the logarithm of the
 * ratio.
 */
#ifndef MIG_INSIGHT_H
#define MIG_INSIGHT_H

#include <stdint.h>

struct report;

#define INSIGHT_MIN 30
#define INSIGHT_MAX 5

enum insight_kind {
	INSIGHT_MISSES_FAR,
	INSIGHT_MISSES_MOVED,
	INSIGHT_DELAY_FAR,
	INSIGHT_LATE,
	INSIGHT_AWAY,
	INSIGHT_UNDONE,
};

struct insight {
	enum insight_kind kind;
	double weight;
	double value[2]; /* far, moved, late .. against near, stayed, the other; share and NAN */
	uint64_t n[2]; /* of what */
	char text[320], command[160]; /* command: options of report that show it */
};

/* "misses-far", .. */
const char *insight_kind__name(enum insight_kind kind);

/* At most INSIGHT_MAX of them, most important first; of a report that has run. Returns how many. */
unsigned insights__find(const struct report *r, struct insight *ret);

#endif
