// SPDX-License-Identifier: GPL-2.0
#include "group.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"

#define PAIR_DIMS (1U << MIG_DIM_WAKER | 1U << MIG_DIM_WAKEE)
#define TIDS_DIMS (1U << MIG_DIM_WAKER_TID | 1U << MIG_DIM_WAKEE_TID)

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

int mig_table__parse_by(const char *arg, uint32_t *ret_dims, struct mig_err *err)
{
	const char *p = arg;
	uint32_t dims = 0;
	size_t i, len;

	do {
		len = strcspn(p, ",");
		for (i = 0; i < NR_BY; i++)
			if (strlen(by_words[i].name) == len && !memcmp(p, by_words[i].name, len))
				break;
		if (i == NR_BY) {
			mig_err__usage(err, "--by %s: '%.*s' is nothing to group by", arg, (int)len,
				       p);
			return mig_err__hint(err, "one or more of pair, tids, path, mechanism, "
						  "cause, "
						  "distance, task, cpu, comm, separated by commas");
		}
		dims |= by_words[i].dims;
		p += len;
	} while (*p++ == ',');
	*ret_dims = dims;
	return 0;
}

void mig_table__by_words(uint32_t dims, const char **words, unsigned *ret_n)
{
	size_t i;

	*ret_n = 0;
	for (i = 0; i < NR_BY; i++)
		if ((dims & by_words[i].dims) == by_words[i].dims)
			words[(*ret_n)++] = by_words[i].name;
}

void mig_table__init(struct mig_table *t, uint32_t dims)
{
	unsigned d;

	memset(t, 0, sizeof(*t));
	t->dims = dims;
	for (d = 0; d < MIG_NR_DIM; d++)
		if (dims & 1U << d)
			t->dim[t->nr_dims++] = (uint8_t)d;
}

void mig_row__exit(struct mig_row *row)
{
	unsigned i;

	for (i = 0; i < MIG_NR_REL * MIG_NR_MOVED; i++) {
		struct mig_cell *c = row->cell[i / MIG_NR_MOVED][i % MIG_NR_MOVED];

		if (c)
			hist__exit(&c->delay);
		free(c);
	}
	hist__exit(&row->delay);
	hist__exit(&row->wait);
	free(row->detail);
}

void mig_table__exit(struct mig_table *t)
{
	uint32_t i;

	for (i = 0; i < t->nr; i++) {
		mig_row__exit(t->rows[i]);
		free(t->rows[i]);
	}
	free(t->rows);
	hash__exit(&t->hash);
	memset(t, 0, sizeof(*t));
}

static struct mig_row *mig_table__new_row(struct mig_table *t, uint32_t hv, const uint32_t *key)
{
	struct mig_row *row;

	if (t->max_rows && t->nr >= t->max_rows) {
		t->full = true;
		return NULL;
	}
	if (t->nr == t->max) {
		uint32_t max = t->max ? t->max * 2 : 64;
		struct mig_row **rows = realloc(t->rows, max * sizeof(*rows));

		if (!rows)
			return NULL;
		t->rows = rows;
		t->max = max;
	}
	row = calloc(1, sizeof(*row));
	if (!row)
		return NULL;
	memcpy(row->key, key, sizeof(row->key));
	if (t->detail)
		row->detail = calloc(1, sizeof(*row->detail));
	if ((t->detail && !row->detail) || hash__add(&t->hash, hv, t->nr)) {
		free(row->detail);
		free(row);
		return NULL;
	}
	t->rows[t->nr++] = row;
	return row;
}

/* key: values of the table's nr dimensions, in its order. NULL: no memory, or the table is full. */
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

static inline uint32_t dim_key(const struct mig_table *t, const struct fact_key *fk, unsigned dim)
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
	default:
		return fk->distance;
	}
}

static inline struct mig_row *row_of(struct mig_table *t, const struct fact_key *fk)
{
	uint32_t key[MIG_NR_DIM];
	unsigned i;

	/* the two tables of the default view, with everything known to the compiler */
	if (t->dims == PAIR_DIMS) {
		key[0] = dim_key(t, fk, MIG_DIM_WAKER);
		key[1] = dim_key(t, fk, MIG_DIM_WAKEE);
		return mig_table__row(t, key, 2);
	}
	if (t->dims == TIDS_DIMS) {
		key[0] = dim_key(t, fk, MIG_DIM_WAKER_TID);
		key[1] = dim_key(t, fk, MIG_DIM_WAKEE_TID);
		return mig_table__row(t, key, 2);
	}
	for (i = 0; i < t->nr_dims; i++)
		key[i] = dim_key(t, fk, t->dim[i]);
	return mig_table__row(t, key, t->nr_dims);
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

static int no_row(const struct mig_table *t)
{
	return t->full ? 0 : -ENOMEM;
}

int mig_table__add_wakeup(struct mig_table *t, const struct mig_wakeup *f)
{
	struct fact_key fk;
	struct mig_row *row;

	wakeup_fact(&fk, f, f->cpu);
	row = row_of(t, &fk);
	if (!row)
		return no_row(t);
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
	return f->delay_ns == MIG_NULL || t->counts_only ? 0 : hist__add(&row->delay, f->delay_ns);
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
		return no_row(t);
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
	return 0;
}

static struct mig_cell *row_cell(struct mig_row *row, unsigned nr_counters, unsigned rel,
				 unsigned moved)
{
	struct mig_cell **c = &row->cell[rel][moved];

	if (!*c)
		*c = calloc(1, sizeof(**c) + 2 * nr_counters * sizeof(uint64_t));
	return *c;
}

int mig_table__add_slice(struct mig_table *t, const struct mig_slice *f)
{
	struct fact_key fk;
	struct mig_cell *c;
	struct mig_row *row;
	bool has_run = f->length_ns != MIG_NULL;
	int ret = 0;
	unsigned i;

	if (f->wakeup)
		wakeup_fact(&fk, f->wakeup, f->cpu);
	else
		task_fact(&fk, f->tid, f->comm, f->is_recorder, f->cpu);
	row = row_of(t, &fk);
	if (!row)
		return no_row(t);
	row->comm = f->comm;
	row->slices++;
	row->lost_nearby += f->lost_nearby;
	c = row_cell(row, t->nr_counters, f->wakeup ? f->wakeup->relation : MIG_REL_UNKNOWN,
		     f->moved);
	if (!c)
		return -ENOMEM;
	c->n++;
	if (has_run) {
		c->run_n++;
		c->run_ns += f->length_ns;
	}
	if (t->nr_counters && f->misses[0] != MIG_NULL) {
		c->miss_n++;
		c->rate_ns += has_run ? f->length_ns : 0;
		for (i = 0; i < t->nr_counters; i++) {
			c->v[i] += f->misses[i];
			c->v[t->nr_counters + i] += has_run ? f->misses[i] : 0;
		}
	}
	if (f->wakeup && f->wakeup->delay_ns != MIG_NULL)
		ret = hist__add(&c->delay, f->wakeup->delay_ns);
	if (!ret && f->wait_ns != MIG_NULL)
		ret = hist__add(&row->wait, f->wait_ns);
	return ret;
}

int mig_table__add_fork(struct mig_table *t, const struct mig_fork *f)
{
	struct fact_key fk;
	struct mig_row *row;

	task_fact(&fk, f->tid, f->comm, f->is_recorder, f->to);
	row = row_of(t, &fk);
	if (!row)
		return no_row(t);
	row->comm = f->comm;
	row->forks++;
	row->placements += f->from >= 0 && f->from != f->to;
	return 0;
}

int mig_table__add_sample(struct mig_table *t, const struct mig_sample *f)
{
	struct fact_key fk;
	struct mig_row *row;

	task_fact(&fk, f->tid, f->comm, f->is_recorder, f->cpu);
	row = row_of(t, &fk);
	if (!row)
		return no_row(t);
	if (f->comm)
		row->comm = f->comm;
	if (f->counter < MIG_MAX_COUNTERS)
		row->sampled[f->counter] = row->sampled[f->counter] + f->period < f->period
						   ? MIG_NULL
						   : row->sampled[f->counter] + f->period;
	return 0;
}

int mig_row__merge(struct mig_row *to, const struct mig_row *from, unsigned nr_counters)
{
	unsigned rel, moved, i;
	int ret;

	to->wakeups += from->wakeups;
	to->migrations += from->migrations;
	to->at_wakeup += from->at_wakeup;
	to->forks += from->forks;
	to->placements += from->placements;
	to->slices += from->slices;
	to->lost_nearby += from->lost_nearby;
	for (i = 0; i < MIG_MAX_COUNTERS; i++)
		to->sampled[i] += from->sampled[i];
	ret = hist__merge(&to->delay, &from->delay);
	if (!ret)
		ret = hist__merge(&to->wait, &from->wait);
	for (rel = 0; rel < MIG_NR_REL; rel++)
		for (moved = 0; moved < MIG_NR_MOVED && !ret; moved++) {
			const struct mig_cell *f = from->cell[rel][moved];
			struct mig_cell *c;

			if (!f)
				continue;
			c = row_cell(to, nr_counters, rel, moved);
			if (!c)
				return -ENOMEM;
			c->n += f->n;
			c->run_n += f->run_n;
			c->run_ns += f->run_ns;
			c->miss_n += f->miss_n;
			c->rate_ns += f->rate_ns;
			for (i = 0; i < 2 * nr_counters; i++)
				c->v[i] += f->v[i];
			ret = hist__merge(&c->delay, &f->delay);
		}
	return ret;
}

static bool wanted(unsigned want, unsigned any, unsigned is)
{
	return want == any || want == is;
}

void mig_row__side(const struct mig_row *row, unsigned nr_counters, unsigned rel, unsigned moved,
		   struct mig_side *s)
{
	unsigned r, m, i;

	memset(s, 0, sizeof(*s));
	for (r = 0; r < MIG_NR_REL; r++)
		for (m = 0; m < MIG_NR_MOVED; m++) {
			const struct mig_cell *c = row->cell[r][m];

			if (!c || !wanted(rel, MIG_REL_ANY, r) || !wanted(moved, MIG_MOVED_ANY, m))
				continue;
			s->n += c->n;
			s->run_n += c->run_n;
			s->run_ns += c->run_ns;
			s->miss_n += c->miss_n;
			s->rate_ns += c->rate_ns;
			for (i = 0; i < nr_counters; i++) {
				s->misses[i] += c->v[i];
				s->rate_misses[i] += c->v[nr_counters + i];
			}
		}
}

int mig_row__side_delay(const struct mig_row *row, unsigned rel, unsigned moved, struct hist *h)
{
	unsigned r, m;
	int ret = 0;

	memset(h, 0, sizeof(*h));
	for (r = 0; r < MIG_NR_REL; r++)
		for (m = 0; m < MIG_NR_MOVED && !ret; m++)
			if (row->cell[r][m] && wanted(rel, MIG_REL_ANY, r) &&
			    wanted(moved, MIG_MOVED_ANY, m))
				ret = hist__merge(h, &row->cell[r][m]->delay);
	return ret;
}
