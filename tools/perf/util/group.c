// SPDX-License-Identifier: GPL-2.0
#include "group.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "label.h"

_Static_assert(offsetof(struct mig_wakeup, who_end) + 1 - offsetof(struct mig_wakeup, waker_tid) ==
		       MIG_WHO_BYTES,
	       "who woke whom stands in one piece");

#define PAIR_DIMS (1U << MIG_DIM_WAKER | 1U << MIG_DIM_WAKEE)
/* Without any of these, rows are of tasks. */
#define WAKER_DIMS                                                            \
	(1U << MIG_DIM_WAKER | 1U << MIG_DIM_WAKER_TID | 1U << MIG_DIM_PATH | \
	 1U << MIG_DIM_MECHANISM | 1U << MIG_DIM_WAKER_LABEL)
#define TIDS_DIMS (1U << MIG_DIM_WAKER_TID | 1U << MIG_DIM_WAKEE_TID)
/* What follows from who wakes whom. */
#define WHO_DIMS (PAIR_DIMS | TIDS_DIMS | 1U << MIG_DIM_COMM | 1U << MIG_DIM_TID)

static const struct {
	const char *name;
	uint32_t dims;
} by_words[] = {
	{ "pair", PAIR_DIMS },
	{ "tids", TIDS_DIMS },
	{ "path", 1U << MIG_DIM_PATH },
	{ "mechanism", 1U << MIG_DIM_MECHANISM },
	{ "cause", 1U << MIG_DIM_CAUSE },
	{ "distance", 1U << MIG_DIM_DISTANCE },
	{ "task", 1U << MIG_DIM_TID },
	{ "cpu", 1U << MIG_DIM_CPU },
	{ "comm", 1U << MIG_DIM_COMM },
};
#define NR_BY (sizeof(by_words) / sizeof(by_words[0]))

/* by label, and of both sides of a wakeup */
static const char *const label_words[NR_LABELS][2] = {
	[LABEL_CGROUP] = { "cgroup", "cgroup-pair" },
	[LABEL_VM] = { "vm", "vm-pair" },
	[LABEL_ROLE] = { "role", "role-pair" },
	[LABEL_GROUP] = { "group", "group-pair" },
};
static const uint32_t label_dims[2] = { 1U << MIG_DIM_LABEL,
					1U << MIG_DIM_WAKER_LABEL | 1U << MIG_DIM_WAKEE_LABEL };

/* The dimensions of a word; 0 = it is none. */
static uint32_t dims_of(const char *word, size_t len)
{
	size_t i, k;

	for (i = 0; i < NR_BY; i++)
		if (strlen(by_words[i].name) == len && !memcmp(word, by_words[i].name, len))
			return by_words[i].dims;
	for (i = LABEL_NONE + 1; i < NR_LABELS; i++)
		for (k = 0; k < 2; k++)
			if (strlen(label_words[i][k]) == len &&
			    !memcmp(word, label_words[i][k], len))
				return label_dims[k] | (uint32_t)i << MIG_DIMS_LABEL_SHIFT;
	return 0;
}

int mig_table__parse_by(const char *arg, uint32_t *ret_dims, struct mig_err *err)
{
	const char *p = arg;
	uint32_t dims = 0, more;
	size_t len;

	do {
		len = strcspn(p, ",");
		more = dims_of(p, len);
		if (!more) {
			mig_err__usage(err, "--by %s: '%.*s' is nothing to group by", arg, (int)len,
				       p);
			return mig_err__hint(err,
					     "one or more of pair, tids, path, mechanism, cause, "
					     "distance, task, cpu, comm, separated by commas, and "
					     "one of cgroup, vm, role, group (cgroup-pair, ..)");
		}
		if (mig_dims__label(dims) && mig_dims__label(more) &&
		    mig_dims__label(dims) != mig_dims__label(more))
			return mig_err__usage(
				err, "--by %s: only one of cgroup, vm, role and group", arg);
		dims |= more;
		p += len;
	} while (*p++ == ',');
	*ret_dims = dims;
	return 0;
}

void mig_table__by_words(uint32_t dims, const char **words, unsigned *ret_n)
{
	unsigned kind = mig_dims__label(dims);
	size_t i;

	*ret_n = 0;
	for (i = 0; i < NR_BY; i++)
		if ((dims & by_words[i].dims) == by_words[i].dims)
			words[(*ret_n)++] = by_words[i].name;
	for (i = 0; kind && i < 2; i++)
		if ((dims & label_dims[i]) == label_dims[i])
			words[(*ret_n)++] = label_words[kind][i];
}

void mig_table__init(struct mig_table *t, uint32_t dims)
{
	unsigned d;

	memset(t, 0, sizeof(*t));
	t->dims = dims;
	t->by_task = dims && !(dims & WAKER_DIMS);
	t->has_hints = dims && !(dims & ~WHO_DIMS);
	for (d = 0; d < MIG_NR_DIM; d++)
		if (dims & 1U << d)
			t->dim[t->nr_dims++] = (uint8_t)d;
}

void mig_row__exit(struct mig_row *row)
{
	struct mig_cell *c, *next;

	for (c = row->cells; c; c = next) {
		next = c->next;
		hist__exit(&c->delay);
		if (!row->mem)
			free(c);
	}
	hist__exit(&row->delay);
	if (row->rare) {
		hist__exit(&row->rare->wait);
		mig_rare__more_exit(row->rare);
	}
	free(row->rare);
	free(row->detail);
	free(row->compare);
}

void mig_table__exit(struct mig_table *t)
{
	uint32_t i;

	for (i = 0; i < t->nr; i++)
		mig_row__exit(t->rows[i]);
	arena__exit(&t->mem);
	free(t->rows);
	free(t->units);
	hash__exit(&t->hash);
	hash__exit(&t->unit_hash);
	memset(t, 0, sizeof(*t));
}

static struct mig_row *mig_table__new_row(struct mig_table *t, uint32_t hv, const uint32_t *key)
{
	struct mig_row *row;

	if (t->nr == t->max) {
		uint32_t max = t->max ? t->max * 2 : 64;
		struct mig_row **rows = realloc(t->rows, max * sizeof(*rows));

		if (!rows)
			return NULL;
		t->rows = rows;
		t->max = max;
	}
	/* nearly every row gets a cell, and most have only one */
	row = arena__alloc(&t->mem, sizeof(*row) + sizeof(struct mig_cell) +
					    2 * t->nr_counters * sizeof(uint64_t));
	if (!row)
		return NULL;
	row->mem = &t->mem;
	memcpy(row->key, key, sizeof(row->key));
	if (t->detail)
		row->detail = calloc(1, sizeof(*row->detail));
	if ((t->detail && !row->detail) || hash__add(&t->hash, hv, t->nr)) {
		free(row->detail);
		return NULL;
	}
	t->rows[t->nr++] = row;
	return row;
}

/* key: values of the table's nr dimensions, in its order. NULL: no memory. */
static inline struct mig_row *mig_table__row(struct mig_table *t, const uint32_t *key,
					     const unsigned nr)
{
	uint32_t own[MIG_NR_DIM], hv, pos, k;
	uint64_t h = 0;
	unsigned i;

	for (i = 0; i < nr; i++)
		h = hash__mix(h, key[i]);
	hv = (uint32_t)h;
	for (pos = hash__start(&t->hash, hv); (k = hash__next(&t->hash, hv, &pos));) {
		const uint32_t *have = t->rows[k - 1]->key;

		for (i = 0; i < nr && have[t->dim[i]] == key[i]; i++)
			;
		if (i == nr)
			return t->rows[k - 1];
	}
	memset(own, 0xff, sizeof(own)); /* MIG_KEY_NONE */
	for (i = 0; i < nr; i++)
		own[t->dim[i]] = key[i];
	return mig_table__new_row(t, hv, own);
}

/* What of a fact names its row. */
struct fact_key {
	int32_t tid, waker_tid; /* waker_tid -1: no waker, or not known */
	uint32_t comm, waker_comm;
	uint32_t cpu, path, mechanism, cause, distance;
	bool is_recorder, waker_is_recorder;
	uint8_t partner;
};

static inline uint32_t comm_key(uint32_t comm, int32_t tid, bool is_recorder)
{
	if (is_recorder)
		return MIG_KEY_RECORDER;
	return tid ? comm : MIG_KEY_IDLE;
}

static inline uint32_t waker_key(const struct mig_table *t, const struct fact_key *fk, bool comm)
{
	if (fk->waker_tid < 0)
		return MIG_KEY_NONE;
	if (fk->partner == MIG_PARTNER_NO && !t->open_irq)
		return MIG_KEY_IRQ;
	return comm ? comm_key(fk->waker_comm, fk->waker_tid, fk->waker_is_recorder)
		    : (uint32_t)fk->waker_tid;
}

static uint32_t label_key(struct mig_table *t, int32_t tid, uint32_t comm)
{
	uint32_t id;

	if (tid <= 0)
		return tid ? MIG_KEY_NONE : MIG_KEY_IDLE;
	id = t->labels ? labels__of(t->labels, tid, comm) : 0;
	t->label_failed |= id == LABEL_NO_MEMORY;
	return id ? id : MIG_KEY_NONE;
}

static uint32_t waker_label_key(struct mig_table *t, const struct fact_key *fk)
{
	uint32_t key = waker_key(t, fk, true);

	return key == MIG_KEY_NONE || key == MIG_KEY_IRQ
		       ? key
		       : label_key(t, fk->waker_tid, fk->waker_comm);
}

static inline uint32_t dim_key(struct mig_table *t, const struct fact_key *fk, unsigned dim)
{
	switch (dim) {
	case MIG_DIM_WAKER:
		return waker_key(t, fk, true);
	case MIG_DIM_WAKER_TID:
		return waker_key(t, fk, false);
	case MIG_DIM_WAKEE:
	case MIG_DIM_COMM:
		return fk->tid < 0 ? MIG_KEY_NONE : comm_key(fk->comm, fk->tid, fk->is_recorder);
	case MIG_DIM_WAKEE_TID:
	case MIG_DIM_TID:
		return (uint32_t)fk->tid;
	case MIG_DIM_CPU:
		return fk->cpu;
	case MIG_DIM_PATH:
		return fk->path;
	case MIG_DIM_MECHANISM:
		return fk->mechanism;
	case MIG_DIM_CAUSE:
		return fk->cause;
	case MIG_DIM_WAKER_LABEL:
		return waker_label_key(t, fk);
	case MIG_DIM_WAKEE_LABEL:
	case MIG_DIM_LABEL:
		return label_key(t, fk->tid, fk->comm);
	default:
		return fk->distance;
	}
}

static inline unsigned key_of(struct mig_table *t, const struct fact_key *fk, uint32_t *key)
{
	unsigned i;

	for (i = 0; i < t->nr_dims; i++)
		key[i] = dim_key(t, fk, t->dim[i]);
	return t->nr_dims;
}

static inline void pair_key(struct mig_table *t, const struct fact_key *fk, uint32_t *key)
{
	key[0] = dim_key(t, fk, MIG_DIM_WAKER);
	key[1] = dim_key(t, fk, MIG_DIM_WAKEE);
}

static inline struct mig_row *row_of(struct mig_table *t, const struct fact_key *fk)
{
	uint32_t key[MIG_NR_DIM];

	/* the two most common tables, with everything known to the compiler */
	if (t->dims == PAIR_DIMS) {
		pair_key(t, fk, key);
		return mig_table__row(t, key, 2);
	}
	if (t->dims == TIDS_DIMS) {
		key[0] = dim_key(t, fk, MIG_DIM_WAKER_TID);
		key[1] = dim_key(t, fk, MIG_DIM_WAKEE_TID);
		return mig_table__row(t, key, 2);
	}
	return mig_table__row(t, key, key_of(t, fk, key));
}

/* As mig_table__row(), of a pair of threads. */
static inline struct mig_unit *mig_table__unit(struct mig_table *t, const uint32_t *key,
					       const unsigned nr, uint32_t waker, uint32_t wakee,
					       struct mig_row **ret_row)
{
	uint64_t h = hash__mix(hash__mix(0, waker), wakee);
	uint32_t hv, pos, k;
	unsigned i;

	if (t->dims != PAIR_DIMS) /* names follow from the threads, nearly always */
		for (i = 0; i < nr; i++)
			h = hash__mix(h, key[i]);
	hv = (uint32_t)h;
	for (pos = hash__start(&t->unit_hash, hv); (k = hash__next(&t->unit_hash, hv, &pos));) {
		struct mig_unit *u = &t->units[k - 1];

		if (u->waker != waker || u->wakee != wakee)
			continue;
		for (i = 0; i < nr && u->row->key[t->dim[i]] == key[i]; i++)
			;
		if (i == nr) {
			*ret_row = u->row;
			return u;
		}
	}
	*ret_row = mig_table__row(t, key, nr);
	return *ret_row ? mig_table__new_unit(t, hv, waker, wakee, *ret_row) : NULL;
}

/*
 * The pair of threads of a fact (pair = false: its thread alone), with its row. *ret_row is its row
 * also where there is no room for the unit (then the row is incomplete); NULL: no memory.
 */
static inline struct mig_unit *unit_of(struct mig_table *t, const struct fact_key *fk, bool pair,
				       struct mig_row **ret_row)
{
	uint32_t waker = pair ? waker_key(t, fk, false) : MIG_KEY_NONE, wakee = (uint32_t)fk->tid;
	uint32_t key[MIG_NR_DIM];

	if (t->dims == PAIR_DIMS) {
		pair_key(t, fk, key);
		return mig_table__unit(t, key, 2, waker, wakee, ret_row);
	}
	return mig_table__unit(t, key, key_of(t, fk, key), waker, wakee, ret_row);
}

/* A fact that a task alone is the subject of. */
static inline void task_fact(struct fact_key *fk, int32_t tid, uint32_t comm, bool is_recorder,
			     int cpu)
{
	fk->tid = tid;
	fk->comm = comm;
	fk->is_recorder = is_recorder;
	fk->waker_tid = -1;
	fk->cpu = (uint32_t)cpu; /* -1 is MIG_KEY_NONE */
	fk->path = fk->mechanism = fk->cause = fk->distance = MIG_KEY_NONE;
}

static inline void wakeup_fact(struct fact_key *fk, const struct mig_wakeup *f, int cpu)
{
	fk->tid = f->wakee_tid;
	fk->comm = f->wakee_comm;
	fk->is_recorder = f->wakee_is_recorder;
	fk->waker_tid = f->waker_tid;
	fk->waker_comm = f->waker_comm;
	fk->waker_is_recorder = f->waker_is_recorder;
	fk->partner = f->partner;
	fk->cpu = (uint32_t)cpu;
	fk->path = f->path;
	fk->mechanism = f->mechanism;
	fk->cause = MIG_KEY_NONE;
	fk->distance = f->distance;
}

static void hint__set(struct mig_table *t, struct mig_hint *h, const struct mig_wakeup *who,
		      struct mig_row *row, const struct mig_unit *unit)
{
	if (!t->has_hints || !row)
		return;
	h->row = row;
	h->unit1 = unit ? (uint32_t)(unit - t->units) + 1 : 0;
	memcpy(h->who, &who->waker_tid, sizeof(h->who));
}

static __attribute__((noinline)) struct mig_row *find_woken(struct mig_table *t, struct mig_hint *h,
							    const struct mig_wakeup *f, int cpu,
							    bool want_unit,
							    struct mig_unit **ret_unit)
{
	struct fact_key fk;
	struct mig_row *row;

	wakeup_fact(&fk, f, cpu);
	*ret_unit = want_unit ? unit_of(t, &fk, fk.waker_tid >= 0 || !t->by_task, &row) : NULL;
	if (!want_unit)
		row = row_of(t, &fk);
	hint__set(t, h, f, row, *ret_unit);
	return row;
}

/*
 * The row of a wakeup, or of a slice after it, on cpu; NULL: no memory. *ret_unit: its pair of
 * threads if want_unit, and there is room for it; else NULL.
 */
static inline struct mig_row *row_of_woken(struct mig_table *t, const struct mig_wakeup *f, int cpu,
					   bool want_unit, struct mig_unit **ret_unit)
{
	struct mig_hint *h = &t->woken[(uint32_t)f->wakee_tid % MIG_NR_HINTS];

	if (__builtin_expect(!h->row || memcmp(h->who, &f->waker_tid, 16) ||
				     memcmp(h->who + 4, &f->partner, 4) || (want_unit && !h->unit1),
			     0))
		return find_woken(t, h, f, cpu, want_unit, ret_unit);
	*ret_unit = want_unit ? &t->units[h->unit1 - 1] : NULL;
	return h->row;
}

static __attribute__((noinline)) struct mig_row *find_alone(struct mig_table *t, struct mig_hint *h,
							    const struct mig_slice *f,
							    bool want_unit,
							    struct mig_unit **ret_unit)
{
	const struct mig_wakeup who = { .waker_tid = -1,
					.wakee_tid = f->tid,
					.wakee_comm = f->comm };
	struct fact_key fk;
	struct mig_row *row;

	task_fact(&fk, f->tid, f->comm, f->is_recorder, f->cpu);
	*ret_unit = want_unit ? unit_of(t, &fk, !t->by_task, &row) : NULL;
	if (!want_unit)
		row = row_of(t, &fk);
	if (!f->is_recorder)
		hint__set(t, h, &who, row, *ret_unit);
	return row;
}

/* .. of a slice that no wakeup began. */
static inline struct mig_row *row_of_alone(struct mig_table *t, const struct mig_slice *f,
					   bool want_unit, struct mig_unit **ret_unit)
{
	struct mig_hint *h = &t->alone[(uint32_t)f->tid % MIG_NR_HINTS];

	/* as find_alone() fills it in: who[1] is the tid, who[3] the comm, of no recorder */
	if (__builtin_expect(!h->row || h->who[1] != (uint32_t)f->tid || h->who[3] != f->comm ||
				     f->is_recorder || (want_unit && !h->unit1),
			     0))
		return find_alone(t, h, f, want_unit, ret_unit);
	*ret_unit = want_unit ? &t->units[h->unit1 - 1] : NULL;
	return h->row;
}

int mig_table__add_wakeup(struct mig_table *t, const struct mig_wakeup *f)
{
	struct mig_unit *unit;
	struct mig_row *row = row_of_woken(t, f, f->cpu, t->count_units, &unit);

	if (!row)
		return -ENOMEM;
	if (unit) {
		unit->wakeups++;
		unit->path[f->path]++;
	}
	row->comm = f->wakee_comm;
	row->waker_comm = f->waker_comm;
	row->wakeups++;
	row->lost_nearby += f->lost_nearby;
	if (row->detail) {
		row->detail->path[f->path]++;
		row->detail->mechanism[f->mechanism]++;
		row->detail->sync[f->sync]++;
		row->detail->context[f->context]++;
	}
	if (f->delay_ns != MIG_NULL && hist__add(&row->delay, f->delay_ns))
		return -ENOMEM;
	return t->want & MIG_WAKEUP_PARTS ? mig_row__more_wakeup(row, t->want, f) : 0;
}

int mig_table__add_migration(struct mig_table *t, const struct mig_migration *f)
{
	struct fact_key fk;
	struct mig_row *row;

	task_fact(&fk, f->tid, f->comm, f->is_recorder, f->to);
	if (f->at_wakeup) {
		fk.waker_tid = f->waker_tid;
		fk.waker_comm = f->waker_comm;
		fk.waker_is_recorder = f->waker_is_recorder;
		fk.partner = f->partner;
		fk.path = f->path;
		fk.mechanism = f->mechanism;
	}
	fk.cause = f->cause;
	fk.distance = f->distance;
	row = row_of(t, &fk);
	if (!row)
		return -ENOMEM;
	row->comm = f->comm;
	row->migrations++;
	row->at_wakeup += f->at_wakeup;
	row->lost_nearby += f->lost_nearby;
	if (f->at_wakeup)
		row->waker_comm = f->waker_comm;
	if (row->detail) {
		row->detail->cause[f->cause]++;
		row->detail->distance[f->distance]++;
	}
	return t->want ? mig_row__more_migration(row, t->want, f) : 0;
}

struct mig_rare *mig_row__rare(struct mig_row *row)
{
	if (!row->rare)
		row->rare = calloc(1, sizeof(*row->rare));
	return row->rare;
}

static inline struct mig_slice_kind slice_kind(const struct mig_slice *f)
{
	const struct mig_wakeup *w = f->wakeup;

	if (!w)
		return (struct mig_slice_kind){ MIG_NR_DIST, MIG_REL_UNKNOWN, f->moved, false };
	return (struct mig_slice_kind){ w->level, w->relation, f->moved, w->queued };
}

static inline void unit_side(struct mig_unit *u, unsigned side, const struct mig_slice *f,
			     uint64_t misses)
{
	u->side[side].n++;
	u->side[side].ns += f->length_ns;
	u->side[side].misses += misses;
}

static inline void unit_place(struct mig_unit *u, const struct mig_slice *f, uint64_t misses)
{
	if (f->wakeup && f->wakeup->relation != MIG_REL_UNKNOWN)
		unit_side(u, 2 * MIG_COMPARE_PLACE + (f->wakeup->relation == MIG_REL_FAR), f,
			  misses);
}

static inline void unit_move(struct mig_unit *u, const struct mig_slice *f, uint64_t misses)
{
	if (f->moved != MIG_MOVED_UNKNOWN)
		unit_side(u, 2 * MIG_COMPARE_MOVE + (f->moved == MIG_STAYED), f, misses);
}

/* A slice that can be compared, within unit u. */
static void unit_slice(struct mig_table *t, struct mig_unit *u, const struct mig_slice *f)
{
	const uint64_t misses = f->misses[t->miss];
	struct mig_row *row;
	struct fact_key fk;

	unit_place(u, f, misses);
	if (t->by_task && f->wakeup) {
		/* in the row of a task it moved or stayed, whoever woke it */
		wakeup_fact(&fk, f->wakeup, f->cpu);
		u = unit_of(t, &fk, false, &row);
	}
	if (u)
		unit_move(u, f, misses);
}

static inline void cell_slice(struct mig_cell *c, unsigned nr_counters, const struct mig_slice *f)
{
	bool has_run = f->length_ns != MIG_NULL;
	unsigned i;

	c->n++;
	if (has_run) {
		c->run_n++;
		c->run_ns += f->length_ns;
	}
	if (nr_counters && f->misses[0] != MIG_NULL) {
		c->miss_n++;
		c->rate_n += has_run;
		c->rate_ns += has_run ? f->length_ns : 0;
		for (i = 0; i < nr_counters; i++) {
			c->v[i] += f->misses[i];
			c->v[nr_counters + i] += has_run ? f->misses[i] : 0;
		}
	}
}

int mig_table__add_slice(struct mig_table *t, const struct mig_slice *f)
{
	const bool compared = f->misses[0] != MIG_NULL && f->length_ns != MIG_NULL && t->within &&
			      t->miss < t->nr_counters;
	struct mig_slice_kind kind;
	struct mig_unit *unit;
	struct mig_cell *c;
	struct mig_row *row;
	int ret = 0;

	if (f->wakeup)
		row = row_of_woken(t, f->wakeup, f->cpu, compared, &unit);
	else
		row = row_of_alone(t, f, compared, &unit);
	if (!row)
		return -ENOMEM;
	if (unit)
		unit_slice(t, unit, f);
	row->comm = f->comm;
	row->slices++;
	row->lost_nearby += f->lost_nearby;
	kind = slice_kind(f);
	c = row->cells;
	if (!c || memcmp(&c->kind, &kind, sizeof(kind)))
		c = mig_row__cell(row, t->nr_counters, kind);
	if (!c)
		return -ENOMEM;
	cell_slice(c, t->nr_counters, f);
	if (f->wakeup && f->wakeup->delay_ns != MIG_NULL)
		ret = hist__add(&c->delay, f->wakeup->delay_ns);
	if (!ret && f->wait_ns != MIG_NULL)
		ret = mig_row__rare(row) ? hist__add(&row->rare->wait, f->wait_ns) : -ENOMEM;
	if (!ret && t->want & MIG_SLICE_PARTS)
		ret = mig_row__more_slice(row, t->want, f);
	return ret;
}

int mig_table__add_fork(struct mig_table *t, const struct mig_fork *f)
{
	struct fact_key fk;
	struct mig_row *row;

	task_fact(&fk, f->tid, f->comm, f->is_recorder, f->to);
	row = row_of(t, &fk);
	if (!row)
		return -ENOMEM;
	row->comm = f->comm;
	if (!mig_row__rare(row))
		return -ENOMEM;
	row->rare->forks++;
	row->rare->placements += f->from >= 0 && f->from != f->to;
	return 0;
}

int mig_table__add_sample(struct mig_table *t, const struct mig_sample *f)
{
	struct fact_key fk;
	struct mig_row *row;
	uint64_t *sum;

	task_fact(&fk, f->tid, f->comm, f->is_recorder, f->cpu);
	row = row_of(t, &fk);
	if (!row)
		return -ENOMEM;
	if (f->comm)
		row->comm = f->comm;
	if (f->counter >= MIG_MAX_COUNTERS)
		return 0;
	if (!mig_row__rare(row))
		return -ENOMEM;
	sum = &row->rare->sampled[f->counter];
	*sum = *sum + f->period < f->period ? MIG_NULL : *sum + f->period;
	return 0;
}

int mig_table__add_overlap(struct mig_table *t, const struct mig_overlap *f)
{
	struct mig_unit *unit;
	struct mig_row *row = row_of_woken(t, f->wakeup, f->wakeup->cpu, false, &unit);

	return row ? mig_row__more_overlap(row, t->want, f) : -ENOMEM;
}

static int rare_merge(struct mig_row *to, const struct mig_rare *from)
{
	unsigned i;

	if (!from)
		return 0;
	if (!mig_row__rare(to))
		return -ENOMEM;
	to->rare->forks += from->forks;
	to->rare->placements += from->placements;
	for (i = 0; i < MIG_MAX_COUNTERS; i++)
		to->rare->sampled[i] += from->sampled[i];
	return hist__merge(&to->rare->wait, &from->wait) ?: mig_row__more_merge(to, from);
}

static int compare_merge(struct mig_row *to, const struct mig_compare *from)
{
	unsigned i;

	if (!from)
		return 0;
	if (!to->compare)
		to->compare = calloc(MIG_NR_COMPARE, sizeof(*to->compare));
	if (!to->compare)
		return -ENOMEM;
	for (i = 0; i < MIG_NR_COMPARE; i++) {
		struct mig_compare *c = &to->compare[i];

		c->pairs += from[i].pairs;
		c->weight += from[i].weight;
		c->n[0] += from[i].n[0];
		c->n[1] += from[i].n[1];
		c->sum[0] += from[i].sum[0];
		c->sum[1] += from[i].sum[1];
	}
	return 0;
}

static int detail_merge(struct mig_row *to, const struct mig_detail *from)
{
	const uint64_t *f = (const uint64_t *)from;
	uint64_t *t;

	if (!from)
		return 0;
	if (!to->detail)
		to->detail = calloc(1, sizeof(*to->detail));
	if (!to->detail)
		return -ENOMEM;
	t = (uint64_t *)to->detail;
	for (size_t i = 0; i < sizeof(*from) / sizeof(*f); i++)
		t[i] += f[i];
	return 0;
}

int mig_row__merge(struct mig_row *to, const struct mig_row *from, unsigned nr_counters)
{
	const struct mig_cell *f;
	unsigned i;
	int ret;

	to->wakeups += from->wakeups;
	to->migrations += from->migrations;
	to->at_wakeup += from->at_wakeup;
	to->slices += from->slices;
	to->lost_nearby += from->lost_nearby;
	to->incomplete |= from->incomplete;
	ret = hist__merge(&to->delay, &from->delay);
	if (!ret)
		ret = rare_merge(to, from->rare);
	if (!ret)
		ret = compare_merge(to, from->compare);
	if (!ret)
		ret = detail_merge(to, from->detail);
	for (f = from->cells; f && !ret; f = f->next) {
		struct mig_cell *c = mig_row__cell(to, nr_counters, f->kind);

		if (!c)
			return -ENOMEM;
		c->n += f->n;
		c->run_n += f->run_n;
		c->miss_n += f->miss_n;
		c->rate_n += f->rate_n;
		c->run_ns += f->run_ns;
		c->rate_ns += f->rate_ns;
		for (i = 0; i < 2 * nr_counters; i++)
			c->v[i] += f->v[i];
		ret = hist__merge(&c->delay, &f->delay);
	}
	return ret;
}
