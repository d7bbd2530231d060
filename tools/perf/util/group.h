/* SPDX-License-Identifier: GPL-2.0 */
/*
 * group: facts -> rows. A row is everything that has one key: a pair of comms, of tids, a path, a
 * task, a CPU, or a combination. Every fact falls into exactly one row of any table, so sums over
 * the rows are the summary's figures.
 */
#ifndef MIG_GROUP_H
#define MIG_GROUP_H

#include "arena.h"
#include "facts.h"
#include "hash.h"
#include "hist.h"

struct labels;
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
	MIG_DIM_WAKER_LABEL, /* strtab id of the label (label.h) */
	MIG_DIM_WAKEE_LABEL,
	MIG_DIM_LABEL,
	MIG_NR_DIM,
};

/* Which label: part of a set of dimensions that has one of the last three. */
#define MIG_DIMS_LABEL_SHIFT 28
static inline unsigned mig_dims__label(uint32_t dims) /* enum label_kind */
{
	return dims >> MIG_DIMS_LABEL_SHIFT;
}

/* Keys that are no value of their dimension. */
#define MIG_KEY_NONE     UINT32_MAX /* does not apply, or is not known */
#define MIG_KEY_IRQ      (UINT32_MAX - 1) /* waker: an interrupt, not a partner */
#define MIG_KEY_RECORDER (UINT32_MAX - 2) /* comm: the recorder's threads */
#define MIG_KEY_IDLE     (UINT32_MAX - 3) /* comm: the idle tasks */

/*
 * What slices are told apart by. level: how far they ran from their waker's CPU; MIG_NR_DIST where
 * that does not apply (not the first after a wakeup) or is not known.
 */
struct mig_slice_kind {
	uint8_t level; /* enum mig_distance */
	uint8_t relation, moved; /* enum mig_relation, mig_moved */
	uint8_t queued; /* bool: its task was moved between the choice of a CPU and this slice */
};

/* A set of slices of one kind and what they cost. */
struct mig_cell {
	struct mig_cell *next;
	struct mig_slice_kind kind;
	uint32_t n; /* slices; 2^32 of them would be a recording of some 400 GB */
	uint32_t run_n; /* those whose start was seen */
	uint32_t miss_n; /* those whose misses are known */
	uint32_t rate_n; /* those with both */
	uint64_t run_ns, rate_ns; /* run time of run_n, of rate_n */
	struct hist delay; /* of the wakeups they are the first slice after */
	uint64_t v[]; /* misses by counter, then misses within rate_ns by counter */
};

/* What the wakeups and migrations of a row were made of (tables with `detail`): uint64_t only. */
struct mig_detail {
	uint64_t path[MIG_NR_PATH], mechanism[MIG_NR_MECH], sync[3], context[MIG_NR_CTX];
	uint64_t cause[MIG_NR_CAUSE], distance[MIG_NR_DIST];
};

/* What few rows have; NULL in the others. */
struct mig_rare {
	struct hist wait; /* preemption wait of its slices */
	void *part[MIG_NR_PART]; /* what is counted on request only; NULL = nothing yet */
	uint64_t forks, placements;
	uint64_t sampled[MIG_MAX_COUNTERS];
};

/*
 * Misses per ms of two sides, from those pairs of threads (waker to wakee) that have both. Each
 * pair weighs t0 * t1 / (t0 + t1) on both sides, t0 and t1 being its run times there, so that two
 * sides made of different pairs, in different roles, still compare (Mantel and Haenszel's rate
 * ratio).
 */
struct mig_compare {
	uint64_t pairs; /* of threads, with both sides */
	uint64_t n[2]; /* their slices, by side */
	double weight, sum[2]; /* ns; misses, weighted */
};

enum { MIG_COMPARE_PLACE /* near, far */, MIG_COMPARE_MOVE /* moved, stayed */, MIG_NR_COMPARE };

struct mig_row {
	uint32_t key[MIG_NR_DIM]; /* MIG_KEY_NONE where the table has not the dimension */
	uint32_t comm, waker_comm; /* names to a tid key, last seen */
	struct arena *mem; /* of its table: it has room for its first cell behind it; or NULL */
	bool incomplete; /* pairs of threads are missing, so there is no comparison */
	uint64_t wakeups, migrations, at_wakeup, slices;
	uint64_t lost_nearby;
	struct hist delay; /* run delay of its wakeups */
	struct mig_cell *cells;
	struct mig_rare *rare;
	struct mig_detail *detail;
	struct mig_compare *compare; /* MIG_NR_COMPARE of them, NULL = nothing to compare */
};

/* What a pair of threads did within one row (tables with `within`). */
struct mig_unit {
	struct mig_row *row;
	uint32_t waker, wakee; /* keys as of MIG_DIM_WAKER_TID, MIG_DIM_WAKEE_TID */
	uint64_t wakeups;
	struct {
		uint64_t n, ns, misses; /* slices with both known */
	} side[2 * MIG_NR_COMPARE];
	uint32_t path[MIG_NR_PATH]; /* of its wakeups */
};

#define MIG_WHO_BYTES 20 /* of a struct mig_wakeup, from waker_tid on */

/*
 * The last fact of a thread: nearly always the next one has the same row and unit. Tables have
 * them whose rows follow from who woke whom.
 */
struct mig_hint {
	struct mig_row *row; /* NULL = empty */
	uint32_t unit1; /* index of the unit + 1, 0 = none was asked for */
	uint32_t who[MIG_WHO_BYTES / 4];
};

#define MIG_NR_HINTS 256

struct mig_table {
	uint32_t dims; /* bit per enum mig_dim, and mig_dims__label() */
	struct labels *labels; /* borrowed; of tables with labels */
	bool label_failed; /* no memory for one */
	uint8_t dim[MIG_NR_DIM]; /* the same as a list */
	unsigned nr_dims;
	unsigned nr_counters; /* of the group */
	unsigned miss; /* the counter that is compared; none if not below nr_counters */
	bool detail; /* rows get a struct mig_detail */
	bool open_irq; /* do not fold interrupts into MIG_KEY_IRQ */
	bool by_task; /* rows have no waker: moved and stayed are compared within threads */
	bool within; /* keep units; without, the threads of a row are taken as one pair */
	uint32_t want; /* 1 << enum mig_part: rows count these, too */
	bool count_units; /* count wakeups of units, even where there are no misses */
	struct arena mem; /* of rows and cells */
	struct hash hash;
	struct mig_row **rows;
	uint32_t nr, max;
	struct hash unit_hash;
	struct mig_unit *units;
	uint32_t nr_units, room_units, max_units; /* max_units: no more than these, then `full` */
	bool full;
	bool has_hints;
	struct mig_hint woken[MIG_NR_HINTS], alone[MIG_NR_HINTS]; /* by tid; woken, or not */
};

/* What --by accepts: "pair", "tids", "path", ...; several with commas. -EINVAL with err. */
int mig_table__parse_by(const char *arg, uint32_t *ret_dims, struct mig_err *err);
/* Its words, for JSON and titles, e.g. { "pair", "path" }; *ret_n of at most MIG_NR_DIM. */
void mig_table__by_words(uint32_t dims, const char **words, unsigned *ret_n);

void mig_table__init(struct mig_table *t, uint32_t dims);
void mig_table__exit(struct mig_table *t);

/*
 * 0, -ENOMEM. nr_counters, miss and topo must be set (nr_counters can grow until the first slice
 * with misses).
 */
int mig_table__add_wakeup(struct mig_table *t, const struct mig_wakeup *f);
int mig_table__add_migration(struct mig_table *t, const struct mig_migration *f);
int mig_table__add_slice(struct mig_table *t, const struct mig_slice *f);
int mig_table__add_fork(struct mig_table *t, const struct mig_fork *f);
int mig_table__add_sample(struct mig_table *t, const struct mig_sample *f);
int mig_table__add_overlap(struct mig_table *t, const struct mig_overlap *f);

/* When all facts are in: fills `compare` of the rows. -ENOMEM. */
int mig_table__compare(struct mig_table *t);

/* Adds row `from` to `to` (folding rows into one line). */
int mig_row__merge(struct mig_row *to, const struct mig_row *from, unsigned nr_counters);
void mig_row__exit(struct mig_row *row);

/* --- group-more.c: what rows count only where mig_table.want asks for it --- */

/* One kind of such figures; group-more.c has the list. What a kind has no use for is NULL. */
struct mig_part_ops {
	size_t size; /* of the part, which begins as zeros */
	int (*wakeup)(void *part, const struct mig_wakeup *f);
	int (*migration)(void *part, const struct mig_migration *f);
	int (*slice)(void *part, const struct mig_slice *f);
	int (*overlap)(void *part, const struct mig_overlap *f);
	int (*merge)(void *to, const void *from);
	void (*exit)(void *part); /* what it holds, not itself */
};

int mig_row__more_wakeup(struct mig_row *row, uint32_t want, const struct mig_wakeup *f);
int mig_row__more_migration(struct mig_row *row, uint32_t want, const struct mig_migration *f);
int mig_row__more_slice(struct mig_row *row, uint32_t want, const struct mig_slice *f);
/* The kinds that look at each kind of fact: most rows are spared the asking. */
#define MIG_WAKEUP_PARTS                                                          \
	(1U << MIG_PART_CHOICE | 1U << MIG_PART_REGRET | 1U << MIG_PART_OVERLAP | \
	 1U << MIG_PART_ANATOMY)
#define MIG_SLICE_PARTS (1U << MIG_PART_PRICE)

int mig_row__more_overlap(struct mig_row *row, uint32_t want, const struct mig_overlap *f);
int mig_row__more_merge(struct mig_row *to, const struct mig_rare *from);
void mig_rare__more_exit(struct mig_rare *rare);
/* Made if it is not there. NULL: no memory. */
struct mig_rare *mig_row__rare(struct mig_row *row);

extern const struct mig_part_ops mig_part_overlap, mig_part_anatomy, mig_part_price;

/* The part of a row, NULL where it has nothing of that kind. */
static inline const void *mig_row__part(const struct mig_row *row, unsigned part)
{
	return row->rare ? row->rare->part[part] : NULL;
}

/* --- group-side.c: slices of one side, summed over the cells --- */

enum mig_side_id {
	MIG_SIDE_ALL,
	MIG_SIDE_NEAR,
	MIG_SIDE_FAR,
	MIG_SIDE_MOVED,
	MIG_SIDE_STAYED,
	MIG_SIDE_QUEUED, /* moved while queued */
	MIG_SIDE_LEVEL, /* .. + enum mig_distance */
};

struct mig_side {
	uint64_t n, run_n, miss_n, rate_n, run_ns, rate_ns;
	uint64_t misses[MIG_MAX_COUNTERS], rate_misses[MIG_MAX_COUNTERS];
};

/* The cell of that kind, made if there is none; NULL: no memory. */
struct mig_cell *mig_row__cell(struct mig_row *row, unsigned nr_counters,
			       struct mig_slice_kind kind);
uint64_t mig_row__side_n(const struct mig_row *row, unsigned side);
void mig_row__side(const struct mig_row *row, unsigned nr_counters, unsigned side,
		   struct mig_side *ret_side);
/*
 * Delays of that side: *ret_delay is a cell's own, or `room`, where several were merged. The caller
 * calls hist__exit(room), also after -ENOMEM.
 */
int mig_row__side_delay(const struct mig_row *row, unsigned side, struct hist *room,
			const struct hist **ret_delay);

/* --- group-within.c: pairs of threads within a row --- */

#define MIG_MIN_SLICES 30 /* fewer on a side say nothing of its rate */

/* The unit of a fact, made if there is none; NULL: no memory, or the table is full. */
struct mig_unit *mig_table__new_unit(struct mig_table *t, uint32_t hv, uint32_t waker,
				     uint32_t wakee, struct mig_row *row);
/*
 * Misses per ms of side 0 or 1 of a comparison; false below MIG_MIN_SLICES on either side, or where
 * pairs are missing.
 */
bool mig_row__compared(const struct mig_row *row, unsigned compare, unsigned side,
		       double *ret_rate);

#endif
