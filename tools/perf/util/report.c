// SPDX-License-Identifier: GPL-2.0
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void report__init(struct report *r, struct session *s, uint32_t dims)
{
	memset(r, 0, sizeof(*r));
	r->session = s;
	mig_summary__init(&r->sum);
	mig_table__init(&r->table, dims);
	mig_table__init(&r->paths, 1U << MIG_DIM_PATH);
	mig_table__init(&r->all, 0);
	r->all.detail = true;
	r->within_ns = MIG_BACK_MAX_NS;
	r->table.detail = dims == (1U << MIG_DIM_WAKER | 1U << MIG_DIM_WAKEE);
}

void report__exit(struct report *r)
{
	mig_summary__exit(&r->sum);
	mig_table__exit(&r->table);
	mig_table__exit(&r->paths);
	mig_table__exit(&r->all);
	slowest__exit(&r->slowest);
	llc_story__exit(&r->llc);
	labels__exit(&r->labels);
	price_summary__exit(&r->price);
	miss_symbols__exit(&r->symbols);
	hash__exit(&r->moves.hash);
	free(r->moves.moves);
}

static int moves__add(struct report_moves *m, int from, int to)
{
	uint32_t hv = (uint32_t)hash__mix((uint64_t)from, (uint64_t)to), pos, k;

	for (pos = hash__start(&m->hash, hv); (k = hash__next(&m->hash, hv, &pos));)
		if (m->moves[k - 1].from == from && m->moves[k - 1].to == to) {
			m->moves[k - 1].n++;
			return 0;
		}
	if (m->nr == m->max) {
		uint32_t max = m->max ? m->max * 2 : 64;
		struct report_move *p = realloc(m->moves, max * sizeof(*p));

		if (!p)
			return -ENOMEM;
		m->moves = p;
		m->max = max;
	}
	m->moves[m->nr] = (struct report_move){ from, to, 1 };
	return hash__add(&m->hash, hv, m->nr++);
}

static int on_wakeup(const struct mig_wakeup *f, void *ctx)
{
	struct report *r = ctx;
	int ret;

	mig_summary__add_wakeup(&r->sum, f);
	if (r->slowest.max)
		slowest__add(&r->slowest, f);
	ret = mig_table__add_wakeup(&r->table, f);
	if (ret || __builtin_expect(!r->has_more, 1))
		return ret;
	if (r->want_llc)
		ret = llc_story__add_wakeup(&r->llc, f);
	if (!ret && r->pair_detail)
		ret = mig_table__add_wakeup(&r->paths, f);
	if (!ret && r->pair_detail)
		ret = mig_table__add_wakeup(&r->all, f);
	return ret || !r->also.wakeup ? ret : r->also.wakeup(f, r->also_ctx);
}

static int on_migration(const struct mig_migration *f, void *ctx)
{
	struct report *r = ctx;
	int ret = mig_summary__add_migration(&r->sum, f);

	if (!ret)
		ret = mig_table__add_migration(&r->table, f);
	if (!ret)
		ret = moves__add(&r->moves, f->from, f->to);
	if (!ret && r->pair_detail)
		ret = mig_table__add_migration(&r->all, f);
	if (!ret && r->want_llc)
		ret = llc_story__add_move(&r->llc, f);
	if (!ret && r->also.migration)
		ret = r->also.migration(f, r->also_ctx);
	return ret;
}

static int on_slice(const struct mig_slice *f, void *ctx)
{
	struct report *r = ctx;
	int ret;

	if (__builtin_expect(f->is_recorder, 0))
		mig_summary__add_recorder_slice(&r->sum, f);
	if (__builtin_expect(!r->has_more, 1))
		return mig_table__add_slice(&r->table, f);
	ret = mig_table__add_slice(&r->table, f);
	if (!ret && r->want & 1U << MIG_PART_PRICE)
		ret = price_summary__add(&r->price, f);
	if (!ret && r->want_llc) {
		r->llc.start = r->session->model.first_time;
		ret = llc_story__add_slice(&r->llc, f);
	}
	if (!ret && r->pair_detail)
		ret = mig_table__add_slice(&r->paths, f);
	if (!ret && r->pair_detail)
		ret = mig_table__add_slice(&r->all, f);
	if (!ret && r->also.slice)
		ret = r->also.slice(f, r->also_ctx);
	return ret;
}

static int on_fork(const struct mig_fork *f, void *ctx)
{
	struct report *r = ctx;
	int ret = mig_summary__add_fork(&r->sum, f);

	if (!ret)
		ret = mig_table__add_fork(&r->table, f);
	return ret || !r->also.fork ? ret : r->also.fork(f, r->also_ctx);
}

/* Of the event that "misses" means, on whatever PMU. */
static bool is_miss(const struct report *r, unsigned counter)
{
	return (int)r->session->dec.sampled.c[counter].first == report__sampled_miss(r);
}

static int on_sample(const struct mig_sample *f, void *ctx)
{
	struct report *r = ctx;
	int ret = mig_summary__add_sample(&r->sum, f);

	if (!ret)
		ret = mig_table__add_sample(&r->table, f);
	if (!ret && r->want_symbols && is_miss(r, f->counter)) {
		r->symbols.kernel = session__symbols(r->session);
		ret = miss_symbols__add(&r->symbols, f);
	}
	return ret || !r->also.sample ? ret : r->also.sample(f, r->also_ctx);
}

static int on_overlap(const struct mig_overlap *f, void *ctx)
{
	struct report *r = ctx;

	return mig_table__add_overlap(&r->table, f);
}

static const struct mig_fact_ops report_ops = {
	.wakeup = on_wakeup,
	.migration = on_migration,
	.slice = on_slice,
	.fork = on_fork,
	.sample = on_sample,
	.overlap = on_overlap,
};

/*
 * The counter that "misses" means: the first that counts some. A profile of cycles samples none; in
 * sched_switch's group, where the user put it on purpose, any counter will do.
 */
static unsigned first_miss(const struct mig_counters *cs)
{
	unsigned i, any = cs->nr;

	for (i = 0; i < cs->nr; i++) {
		if (cs->c[i].is_migrations)
			continue;
		if (!cs->c[i].is_work)
			return i;
		any = any == cs->nr ? i : any;
	}
	return cs->is_group ? any : cs->nr;
}

/* The header is known: how many counters rows hold, how far CPUs are apart. */
static int on_ready(struct session *s, void *ctx)
{
	const uint32_t tids = 1U << MIG_DIM_WAKER_TID | 1U << MIG_DIM_WAKEE_TID;
	struct report *r = ctx;
	struct mig_table *tables[] = { &r->table, &r->paths, &r->all };
	unsigned i;

	r->table.want = r->want;
	s->model.want = r->want & MIG_MODEL_PARTS;
	s->model.back_max_ns = r->within_ns;
	r->symbols.names = &s->names;
	r->symbols.mmaps = &s->mmaps;
	r->symbols.chains = &s->miss_chains;
	r->symbols.dsos.env = session__env(s);
	r->labels.kind = mig_dims__label(r->table.dims);
	r->labels.names = &s->names;
	r->labels.tasks = &s->model.tasks;
	r->labels.cgroups = &s->cgroups;
	r->table.labels = &r->labels;
	r->sum.nr_counters = s->dec.group.nr;
	for (i = 0; i < 3; i++) {
		struct mig_table *t = tables[i];

		t->nr_counters = s->dec.group.nr;
		t->miss = first_miss(&s->dec.group);
		t->open_irq = r->table.open_irq;
		t->max_units = REPORT_MAX_TIDS;
	}
	r->table.within = !r->pair_detail && (r->table.dims & tids) != tids;
	r->table.count_units = r->text && r->table.detail && !r->pair_detail;
	r->all.within = r->all.count_units = r->pair_detail;
	r->has_more = r->pair_detail || r->want_llc || r->want & 1U << MIG_PART_PRICE ||
		      r->also.wakeup || r->also.slice;
	if (!r->want_llc)
		return 0;
	return llc_story__init(&r->llc, &s->topo, r->within_ns,
			       r->table.miss < r->table.nr_counters ? r->table.miss
								    : MIG_MAX_COUNTERS);
}

const struct mig_table *report__tids(const struct report *r)
{
	return r->pair_detail ? &r->all : &r->table;
}

static int cmp_moves(const void *pa, const void *pb)
{
	const struct report_move *a = pa, *b = pb;

	return a->from != b->from ? a->from - b->from : a->to - b->to;
}

static const char *default_sort(const struct report *r)
{
	const uint32_t wakes = 1U << MIG_DIM_WAKER_LABEL | 1U << MIG_DIM_WAKER |
			       1U << MIG_DIM_WAKER_TID | 1U << MIG_DIM_PATH |
			       1U << MIG_DIM_MECHANISM;

	if (r->table.dims == 1U << MIG_DIM_CPU)
		return "-cpu";
	return r->table.dims & wakes ? "wakeups,migrations,slices" : "migrations,wakeups,slices";
}

int report__sampled_miss(const struct report *r)
{
	const struct mig_counters *cs = &r->session->dec.sampled;
	const unsigned i = first_miss(cs);

	return i < cs->nr ? (int)i : -1;
}

static void set_column_ctx(struct report *r)
{
	struct mig_column_ctx *c = &r->cctx;
	unsigned i;

	c->names = &r->session->names;
	c->table = &r->table;
	c->counters = &r->session->dec.group;
	c->miss = first_miss(c->counters);
	c->no_misses = c->miss >= c->counters->nr || !r->sum.misses_n ||
		       sched_model__reads_refused(&r->session->model);
	if (c->miss >= c->counters->nr)
		c->miss = 0;
	c->sampled = report__sampled_miss(r);
	c->all_sampled = &r->session->dec.sampled;
	c->prices = r->prices;
	c->no_wakeups = !report__has(r, MIG_EV_WAKING) && !report__has(r, MIG_EV_WAKEUP);
	c->no_moves = !report__has(r, MIG_EV_MIGRATE);
	c->no_forks = !report__has(r, MIG_EV_WAKEUP_NEW);
	c->no_switches = !report__has(r, MIG_EV_SWITCH);
	for (i = 0; i < MIG_NR_TERM; i++)
		if (!sched_model__has_term(&r->session->model, i) ||
		    (i == MIG_TERM_IDLE && !r->session->model.saw_idle))
			c->no_terms |= (uint8_t)(1U << i);
	c->total_wakeups = r->sum.wakeups;
	c->total_migrations = r->sum.migrations;
	c->total_run_ns = r->sum.run_ns;
}

/* Every wakeup and slice is in one row: percentiles of all are those of the rows together. */
static int sum_up(struct report *r)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; i < r->table.nr && !ret; i++) {
		mig_summary__add_row(&r->sum, r->table.rows[i]);
		ret = hist__merge(&r->sum.delay, &r->table.rows[i]->delay);
		if (!ret && r->table.rows[i]->rare)
			ret = hist__merge(&r->sum.wait, &r->table.rows[i]->rare->wait);
	}
	return ret;
}

const char *report__no_prices(const struct report *r)
{
	const struct mig_counter *c = report__miss(r);

	return !c                  ? "the recording has no misses for each slice"
	       : c->no_lines       ? "its misses are none of cache lines"
	       : r->cctx.no_misses ? "the counts of misses were refused or are missing"
				   : NULL;
}

int report__run(struct report *r, struct mig_err *err)
{
	struct mig_columns check;
	int ret;

	mig_columns__default(&check, r->table.dims, MIG_MISSES_EXACT);
	ret = r->fields ? mig_columns__parse(&check, r->fields, err) : 0;
	if (!ret)
		ret = mig_sort__parse(&r->sort, r->sort_arg ? r->sort_arg : default_sort(r), err);
	if (!ret && slowest__init(&r->slowest, r->max_slowest))
		ret = mig_err__set(err, -ENOMEM, "out of memory");
	if (ret)
		return ret;
	if (!r->prices && mig_columns__need_prices(&check)) {
		mig_err__usage(err, "--fields %s: its time needs what a line costs", r->fields);
		return mig_err__hint(err, "--cost FILE; perf migstat cost --json >FILE makes one");
	}
	if (r->prices)
		r->table.detail = true; /* how far the moves of a row were */
	r->want |= mig_columns__want(&check) | mig_sort__want(&r->sort);
	ret = session__run(r->session, on_ready, &report_ops, r, err);
	if (ret && !r->session->is_ready)
		return ret;
	if (r->moves.nr)
		qsort(r->moves.moves, r->moves.nr, sizeof(*r->moves.moves), cmp_moves);
	hash__exit(&r->moves.hash);
	miss_symbols__finish(&r->symbols);
	if (sum_up(r) || mig_table__compare(&r->table) || mig_table__compare(&r->all) ||
	    r->table.label_failed || (r->llc.topo && llc_story__finish(&r->llc)))
		return mig_err__set(err, -ENOMEM, "out of memory");
	set_column_ctx(r);
	mig_columns__default(&r->cols, r->table.dims,
			     !r->cctx.no_misses     ? r->prices && !report__no_prices(r)
							      ? MIG_MISSES_PRICED
							      : MIG_MISSES_EXACT
			     : r->cctx.sampled >= 0 ? MIG_MISSES_SAMPLED
						    : MIG_MISSES_NONE);
	if (r->fields)
		mig_columns__parse(&r->cols, r->fields, err);
	if (mig_table__sort(&r->table, &r->sort, &r->cctx))
		return mig_err__set(err, -ENOMEM, "out of memory");
	return ret;
}

const struct mig_counter *report__miss(const struct report *r)
{
	unsigned i = first_miss(&r->session->dec.group);

	return i < r->session->dec.group.nr ? &r->session->dec.group.c[i] : NULL;
}

uint64_t report__misses(const struct report *r, unsigned counter)
{
	if (counter >= r->session->dec.group.nr || !r->sum.misses_n ||
	    sched_model__reads_refused(&r->session->model))
		return MIG_NULL;
	return r->sum.misses[counter];
}

uint64_t report__cpu_migrations(const struct report *r)
{
	const struct mig_counters *g = &r->session->dec.group, *s = &r->session->dec.sampled;
	unsigned i;

	for (i = 0; i < g->nr; i++)
		if (g->c[i].is_migrations)
			return report__misses(r, i);
	for (i = 0; i < s->nr; i++)
		if (s->c[i].is_migrations)
			return report__sampled(r, i);
	return MIG_NULL;
}

uint64_t report__primary_misses(const struct report *r, const char **ret_name, bool *ret_sampled)
{
	const struct mig_counters *g = &r->session->dec.group, *s = &r->session->dec.sampled;
	unsigned i = first_miss(g), first;
	uint64_t sum;

	*ret_name = NULL;
	*ret_sampled = false;
	if (i < g->nr) {
		*ret_name = g->c[i].name;
		return report__misses(r, i);
	}
	i = first = first_miss(s);
	if (i == s->nr)
		return MIG_NULL;
	*ret_name = s->c[i].pmu_event ? s->c[i].pmu_event : s->c[i].name;
	*ret_sampled = true;
	for (sum = 0; i < s->nr; i++) {
		uint64_t n = s->c[i].first == first ? report__sampled(r, i) : 0;

		if (n == MIG_NULL || __builtin_add_overflow(sum, n, &sum))
			return MIG_NULL;
	}
	return sum;
}

uint64_t report__sampled(const struct report *r, unsigned counter)
{
	/* where nothing at all fired, 0 is not what was measured */
	if (r->sum.sampled_overflow[counter] || !r->session->dec.nr_samples)
		return MIG_NULL;
	return r->sum.sampled[counter];
}

bool report__sampled_overflow(const struct report *r)
{
	const char *name;
	bool sampled;

	return report__primary_misses(r, &name, &sampled) == MIG_NULL && sampled &&
	       r->session->dec.nr_samples;
}

uint64_t report__ratio(const struct report *r)
{
	const char *name;
	bool sampled;
	uint64_t misses = report__primary_misses(r, &name, &sampled);

	/* the misses of a pair are those after its wakeups, the moves are all of the wakee's */
	if (r->session->select.has_pair || misses == MIG_NULL || !r->sum.migrations ||
	    !report__has(r, MIG_EV_MIGRATE))
		return MIG_NULL;
	return misses / r->sum.migrations;
}

bool report__below_limit(const struct report *r, const struct mig_row *row)
{
	if (r->percent_limit <= 0)
		return false;
	if (r->sum.wakeups && row->wakeups)
		return (double)row->wakeups * 100 < r->percent_limit * (double)r->sum.wakeups;
	return (double)row->migrations * 100 < r->percent_limit * (double)r->sum.migrations ||
	       !row->migrations;
}

unsigned report__nr_cpus(const struct report *r)
{
	const struct sched_model *m = &r->session->model;
	unsigned nr = m->nr_cpus;

	if (r->session->topo.nr_cpus > 0)
		return (unsigned)r->session->topo.nr_cpus;
	while (nr && !m->cpus[nr - 1].last_time)
		nr--;
	return nr;
}
