/* SPDX-License-Identifier: GPL-2.0 */
/*
 * move-list: single migrations, those that were asked for; at most MOVE_LIST_MAX of them are kept.
 */
#ifndef MIG_MOVE_LIST_H
#define MIG_MOVE_LIST_H

#include "facts.h"

#define MOVE_LIST_MAX 20000

/* Which ones; -1 = any. */
struct move_match {
	int class, cause; /* enum mig_cause_class, enum mig_cause */
	int from, to; /* CPUs */
	int tid;
};

#define MOVE_MATCH_ANY ((struct move_match){ -1, -1, -1, -1, -1 })

struct move_list {
	struct move_match match;
	struct mig_migration *m; /* the first ones handed out; in order of time once sorted */
	uint32_t nr, max;
	uint64_t more; /* that match, but were not kept */
};

/* Keeps nothing yet. */
void move_list__init(struct move_list *l, const struct move_match *match);
void move_list__exit(struct move_list *l);
int move_list__add(struct move_list *l, const struct mig_migration *f); /* -ENOMEM */
/* When all are in: facts are handed out when their causes are known, not in order of time. */
void move_list__sort(struct move_list *l);

#endif
