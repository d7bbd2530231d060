/* SPDX-License-Identifier: GPL-2.0 */
/*
 * slowest: the wakeups whose task waited longest, out of any number.
 */
#ifndef MIG_SLOWEST_H
#define MIG_SLOWEST_H

#include "facts.h"

struct slowest {
	struct mig_wakeup *w; /* longest delay first */
	unsigned nr, max;
};

int slowest__init(struct slowest *s, unsigned max); /* max 0 = none; -ENOMEM */
void slowest__exit(struct slowest *s);
/* One whose delay is not known is not kept. Of equal delays the first one seen stays first. */
void slowest__add(struct slowest *s, const struct mig_wakeup *f);

#endif
