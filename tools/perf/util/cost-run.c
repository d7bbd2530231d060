// SPDX-License-Identifier: GPL-2.0
/*
 * cost-run: rounds over the points of a pair, until enough samples are there or the time is over.
 *
 * A round visits every point that still wants samples, with a fresh allocation for a short while,
 * every other round backwards: what changes over time then falls on all of them. Kinds of pages of
 * one size and pattern are visited one directly after the other.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "cost.h"

/* A point is visited at least that often, so that its time is divided. */
enum { ROUNDS = 6, MIN_TURNS = 1 };

struct clock {
	double first, total; /* s; of all pairs */
	double end; /* of this pair */
	const struct cost_config *cf;
};

static double now(void)
{
	return cost__now_ns() / 1e9;
}

static bool is_done(const struct cost_point *p, const struct cost_config *cf)
{
	size_t clean = 0;

	for (size_t i = 0; i < p->samples.nr; i++)
		clean += p->samples.s[i].drop == COST_CLEAN;
	return clean >= cf->repeat && p->nr_allocs >= cf->allocs;
}

static int keep_probes(struct cost_pair *pair, const struct cost_samples *s, size_t from)
{
	double *more = reallocarray(pair->probe, pair->nr_probes + s->nr - from + 1, sizeof(*more));

	if (!more)
		return -ENOMEM;
	pair->probe = more;
	/* both samples of a turn have the same probes */
	for (size_t i = from; i < s->nr; i += 2)
		more[pair->nr_probes++] = s->s[i].probe_after;
	return 0;
}

static int visit(struct cost *c, struct cost_pair *pair, struct cost_point *p, double seconds,
		 struct mig_err *err)
{
	const struct cost_config *cf = &c->config;
	size_t from = p->samples.nr;
	struct cost_set set;
	struct cost_batch batch = {
		.cpu = { pair->cpu[0], pair->cpu[1] },
		.set = &set,
		.alloc = p->nr_allocs,
		.min_turns = MIN_TURNS,
		.max_turns = (cf->repeat + 2 * cf->allocs - 1) / (2 * cf->allocs),
		.seconds = seconds,
		.stop = cf->stop,
	};
	double huge;
	int ret;

	if (batch.max_turns < MIN_TURNS)
		batch.max_turns = MIN_TURNS;
	ret = cost_set__init(&set, p->size, p->pattern, p->pages, cf->write, err);
	if (ret)
		return ret;
	set.seed += p->nr_allocs; /* another cycle each time */
	ret = cost_batch__run(&batch, &p->samples, err);
	huge = p->pages == COST_4K ? NAN : cost_set__huge_share(&set);
	cost_set__exit(&set);
	p->huge = fmin(p->huge, huge);
	p->nr_allocs++;
	return ret ? ret : keep_probes(pair, &p->samples, from);
}

/* The i-th point of a round: size by size, then patterns, then kinds of pages. */
static size_t nth_point(const struct cost *c, const struct cost_pair *pair, size_t i,
			unsigned round)
{
	size_t sizes = c->config.nr_sizes, others = pair->nr_points / sizes;

	if (round % 2)
		i = pair->nr_points - 1 - i;
	return i % others * sizes + i / others;
}

static void show_progress(const struct clock *t)
{
	double gone = now() - t->first;

	if (t->cf->progress)
		t->cf->progress(fmin(gone, t->total) * 1000, t->total * 1000, NULL);
}

static int run_round(struct cost *c, struct cost_pair *pair, const struct clock *t, unsigned round,
		     struct mig_err *err)
{
	size_t left = 0;
	int ret = 0;

	for (size_t i = 0; i < pair->nr_points; i++)
		left += !is_done(&pair->point[i], &c->config);
	for (size_t i = 0; i < pair->nr_points && !ret && left; i++) {
		struct cost_point *p = &pair->point[nth_point(c, pair, i, round)];
		double gone = now(), rounds = round < ROUNDS ? ROUNDS - round : 1;

		c->stopped |= c->config.stop();
		if (c->stopped || gone >= t->end)
			break;
		if (is_done(p, &c->config))
			continue;
		ret = visit(c, pair, p, (t->end - gone) / rounds / left, err);
		left--;
		show_progress(t);
	}
	return ret;
}

static bool pair_done(const struct cost *c, const struct cost_pair *pair)
{
	for (size_t i = 0; i < pair->nr_points; i++) {
		if (!is_done(&pair->point[i], &c->config))
			return false;
	}
	return true;
}

int cost__run(struct cost *c, struct mig_err *err)
{
	struct clock t = { .first = now(), .total = c->config.seconds, .cf = &c->config };
	int ret = 0;

	for (size_t i = 0; i < c->nr_pairs && !ret && !c->stopped; i++) {
		struct cost_pair *pair = &c->pair[i];

		t.end = now() + (t.first + t.total - now()) / (c->nr_pairs - i);
		for (unsigned round = 0; !ret && !c->stopped && now() < t.end; round++) {
			ret = run_round(c, pair, &t, round, err);
			if (pair_done(c, pair))
				break;
		}
	}
	c->stopped |= c->config.stop();
	c->seconds = now() - t.first;
	return ret;
}
