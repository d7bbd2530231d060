/* SPDX-License-Identifier: GPL-2.0 */
/*
 * group: facts -> rows. A row is everything that has one key: a pair of comms, of tids, a path, a
 * task, a CPU, or a combination. Every fact falls into exactly one row of any table, so sums over
 * the rows are the summary's figures.
 */
#ifndef MIG_GROUP_H
#define MIG_GROUP_H

#include "facts.h"
#include "hash.h"
#include "hist.h"

struct mig_err;

enum mig_dim {
	MIG_DIM_WAKER, /* comm */
	MIG_DIM_WAKEE,
	MIG_DIM_WAKER_TID,
	MIG_DIM_WAKEE_TID,
	MIG_DIM_COMM,
	MIG_DIM_TID,
	MIG_DIM_CPU,
	MIG_DIM_PATH,
	MIG_DIM_MECHANISM,
	MIG_DIM_CAUSE,
	MIG_DIM_DISTANCE,
	MIG_NR_DIM,
};

/* Keys that are no value of their dimension. */
#define MIG_KEY_NONE     UINT32_MAX /* does not apply, or is not known */
#define MIG_KEY_IRQ      (UINT32_MAX - 1) /* waker: an interrupt, not a partner */
#define MIG_KEY_RECORDER (UINT32_MAX - 2) /* comm: the recorder's threads */
#define MIG_KEY_IDLE     (UINT32_MAX - 3) /* comm: the idle tasks */

/* A set of slices and what they cost. */
struct mig_cell {
	uint64_t n; /* slices */
	uint64_t run_n, run_ns; /* those whose start was seen */
	uint64_t miss_n; /* those whose misses are known */
	uint64_t rate_ns; /* run time of those with both */
	struct hist delay; /* of the wakeups they are the first slice after */
	uint64_t v[]; /* misses by counter, then misses within rate_ns by counter */
};

/* What the wakeups and migrations of a row were made of (tables with `detail`). */
struct mig_detail {
	uint64_t path[MIG_NR_PATH], mechanism[MIG_NR_MECH], sync[3], context[MIG_NR_CTX];
	uint64_t cause[MIG_NR_CAUSE], distance[MIG_NR_DIST];
};

struct mig_row {
	uint32_t key[MIG_NR_DIM]; /* MIG_KEY_NONE where the table has not the dimension */
	uint32_t comm, waker_comm; /* names to a tid key, last seen */
	uint64_t wakeups, migrations, at_wakeup, forks, placements, slices;
	uint64_t lost_nearby;
	uint64_t sampled[MIG_MAX_COUNTERS];
	struct hist delay; /* run delay of its wakeups */
	struct hist wait; /* preemption wait of its slices */
	struct mig_cell *cell[MIG_NR_REL][MIG_NR_MOVED];
	struct mig_detail *detail;
};

struct mig_table {
	uint32_t dims; /* bit per enum mig_dim */
	uint8_t dim[MIG_NR_DIM]; /* the same as a list */
	unsigned nr_dims;
	unsigned nr_counters; /* of the group */
	bool detail; /* rows get a struct mig_detail */
	bool open_irq; /* do not fold interrupts into MIG_KEY_IRQ */
	uint32_t max_rows; /* 0 = no limit; beyond, facts without a row are dropped and `full` set
			    */
	bool full;
	bool counts_only; /* no percentiles: rows stay small */
	struct hash hash;
	struct mig_row **rows;
	uint32_t nr, max;
};

/* What --by accepts: "pair", "tids", "path", ...; several with commas. -EINVAL with err. */
int mig_table__parse_by(const char *arg, uint32_t *ret_dims, struct mig_err *err);
/* Its words, for JSON and titles, e.g. { "pair", "path" }; *ret_n of at most MIG_NR_DIM. */
void mig_table__by_words(uint32_t dims, const char **words, unsigned *ret_n);

void mig_table__init(struct mig_table *t, uint32_t dims);
void mig_table__exit(struct mig_table *t);

/* 0, -ENOMEM. nr_counters must be set (it can grow until the first slice with misses). */
int mig_table__add_wakeup(struct mig_table *t, const struct mig_wakeup *f);
int mig_table__add_migration(struct mig_table *t, const struct mig_migration *f);
int mig_table__add_slice(struct mig_table *t, const struct mig_slice *f);
int mig_table__add_fork(struct mig_table *t, const struct mig_fork *f);
int mig_table__add_sample(struct mig_table *t, const struct mig_sample *f);

/* Adds row `from` to `to` (folding rows into one line). */
int mig_row__merge(struct mig_row *to, const struct mig_row *from, unsigned nr_counters);
void mig_row__exit(struct mig_row *row);

/* One side of near/far or moved/stayed, or everything (ANY), summed over the cells. */
#define MIG_REL_ANY   MIG_NR_REL
#define MIG_MOVED_ANY MIG_NR_MOVED

struct mig_side {
	uint64_t n, run_n, run_ns, miss_n, rate_ns;
	uint64_t misses[MIG_MAX_COUNTERS], rate_misses[MIG_MAX_COUNTERS];
};

void mig_row__side(const struct mig_row *row, unsigned nr_counters, unsigned rel, unsigned moved,
		   struct mig_side *ret_side);
/* Delays of that side; the caller calls hist__exit(). -ENOMEM. */
int mig_row__side_delay(const struct mig_row *row, unsigned rel, unsigned moved,
			struct hist *ret_hist);

#endif
