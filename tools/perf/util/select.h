/* SPDX-License-Identifier: GPL-2.0 */
/*
 * select: which facts are shown. The model always sees every event; a selection only decides what
 * reaches the rows.
 */
#ifndef MIG_SELECT_H
#define MIG_SELECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "facts.h"

struct cgroup_map;
struct mig_err;
struct strtab;

struct select_range {
	uint64_t from, to; /* ns, inclusive */
};

struct select_percent {
	double from, to; /* 0..1 of the recording */
};

/* Who a side of a pair is, beside a task of that name: as rows of pairs tell them apart. */
enum select_who { SELECT_COMM, SELECT_IRQ, SELECT_RECORDER, SELECT_IDLE };

struct select {
	struct select *also; /* owned: what must fit, too (a zoom within this selection), or NULL */
	struct select_range *ranges; /* empty = all */
	size_t nr_ranges;
	struct select_percent *percents; /* not yet turned into ranges (select__resolve) */
	size_t nr_percents;
	uint8_t *cpus; /* bitmap of 65536 bits, NULL = all */
	uint8_t *pids, *tids; /* bitmaps of ids up to 2^22, NULL = all */
	size_t nr_pids, nr_tids;
	bool follow; /* pids: children of the processes too */
	bool either; /* one of pids, tids and cgroups is enough */
	const char *cgroups; /* list as cgroup_map__has() takes it; borrowed */
	const char *only_cgroups; /* tasks of others do not fit; the same kind of list */
	const struct cgroup_map *cgroup_map; /* borrowed */
	uint32_t *comms; /* strtab ids */
	size_t nr_comms;
	uint32_t pair_waker, pair_wakee; /* comms */
	uint8_t waker_who, wakee_who; /* enum select_who, with pair_as_row */
	bool has_pair;
	bool pair_samples; /* samples in slices after the pair's wakeups fit, too */
	bool pair_as_row; /* a waker is a partner, no interrupt that hit a task of that name */
	bool pair_open_irq; /* .. or may be one, where rows do not tell (--irq) */
	bool empty; /* nothing is set: everything is shown */
};

void select__init(struct select *s);
void select__exit(struct select *s);

/* Arguments as typed, perf's forms; -EINVAL with err on a bad one. NULL is "not given". */
/* "a,b" seconds (either may be empty), "n%/m" or "a%-b%", several separated by commas or spaces */
int select__time(struct select *s, const char *arg, struct mig_err *err);
int select__cpus(struct select *s, const char *arg, struct mig_err *err);
int select__pids(struct select *s, const char *arg, struct mig_err *err);
int select__tids(struct select *s, const char *arg, struct mig_err *err);
int select__comms(struct select *s, const char *arg, struct strtab *names, struct mig_err *err);
/* "WAKER,WAKEE"; an empty side or "*" = any. A comma inside a comm is written "\,". */
int select__pair(struct select *s, const char *arg, struct strtab *names, struct mig_err *err);

/*
 * The facts of one row of a table of pairs: a side is a name of a task, or "[irq]", "[recorder]",
 * "[idle]" as mig_key__comm() shows them. A comma inside a name is written "\,". open_irq: as of
 * the table.
 */
int select__row(struct select *s, const char *arg, bool open_irq, struct strtab *names,
		struct mig_err *err);
/* Adds a selection that must fit as well; NULL: no memory. */
struct select *select__also(struct select *s);

/* Turns percentages into times; first and last: of the recording's samples, 0 = unknown (-EINVAL).
 */
int select__resolve(struct select *s, uint64_t first, uint64_t last, struct mig_err *err);

/* A process was forked: follows it if its parent is selected. */
void select__forked(struct select *s, int32_t pid, int32_t ppid);

bool select__wakeup(const struct select *s, const struct mig_wakeup *f);
bool select__migration(const struct select *s, const struct mig_migration *f);
bool select__slice(const struct select *s, const struct mig_slice *f);
bool select__fork(const struct select *s, const struct mig_fork *f);
bool select__sample(const struct select *s, const struct mig_sample *f);

#endif
