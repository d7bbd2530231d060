/* SPDX-License-Identifier: GPL-2.0 */
/*
 * price: how much longer a task runs in its first work slice after a move than in those that
 * stayed, in ns, without a PMU.
 *
 * A work slice begins with a wakeup and ends in sleep. Slices cut short by preemption are none, nor
 * is what is left of a sched_setaffinity() call after the stopper has moved its caller. Lengths are
 * compared only between slices of one thread, woken by one thread, through one mechanism: the
 * difference of a slice after a move to the median of those that stayed. The price is the median of
 * all these differences; its interval is the middle 95% of PRICE_DRAWS bootstrap draws, in each of
 * which both sides of each such set are drawn anew. A set needs PRICE_MIN_STAYED slices that
 * stayed; all together PRICE_MIN of either side, or nothing is said.
 *
 * What the kernel does for the task on its CPU right after a move is in its slice, and so in the
 * price.
 */
#ifndef MIG_PRICE_H
#define MIG_PRICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "facts.h"
#include "hash.h"

enum {
	PRICE_MIN = 20,
	PRICE_MIN_STAYED = 8,
	PRICE_KEEP = 256, /* lengths of a side of a set that are kept, drawn at random of all */
	PRICE_DRAWS = 400,
};

struct price_side {
	uint64_t n; /* all */
	uint32_t *ns; /* at most PRICE_KEEP of them, 4.3 s at most each */
	uint32_t kept, room;
};

struct price_set {
	int32_t tid, waker;
	uint8_t mechanism;
	struct price_side side[2]; /* stayed, moved */
};

struct price_result {
	bool known;
	double ns, lo, hi;
	uint64_t moved, stayed; /* slices of the sets that could be compared */
};

struct price {
	struct hash hash;
	struct price_set *set;
	uint32_t nr, room;
	uint64_t random; /* state: draws depend on nothing but the slices */
	bool done; /* result is of all slices */
	struct price_result result;
};

/* Of all slices, by what moved and how far; those that stayed are the same for each. */
struct price_summary {
	struct price by_class[MIG_NR_CLASS + 1]; /* the last: not known */
	struct price by_distance[MIG_NR_DIST];
};

/* A zeroed struct price is empty. */
void price__exit(struct price *p);
/* -ENOMEM */
int price__add(struct price *p, int32_t tid, int32_t waker, uint8_t mechanism, bool moved,
	       uint64_t ns);
int price__merge(struct price *to, const struct price *from);
/* Works it out where that is not done yet. Without memory it is not known. */
const struct price_result *price__result(struct price *p);

/* A slice, if it is one that is compared. -ENOMEM */
int price__add_slice(struct price *p, const struct mig_slice *f, bool moved);
/* The same for all that it counts for. -ENOMEM */
int price_summary__add(struct price_summary *s, const struct mig_slice *f);
void price_summary__exit(struct price_summary *s);

#endif
