// SPDX-License-Identifier: GPL-2.0
#include "insight.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "group-bounce.h"
#include "report.h"

const char *insight_kind__name(enum insight_kind kind)
{
	static const char *const names[] = {
		[INSIGHT_MISSES_FAR] = "misses-far",
		[INSIGHT_MISSES_MOVED] = "misses-moved",
		[INSIGHT_DELAY_FAR] = "delay-far",
		[INSIGHT_LATE] = "late",
		[INSIGHT_AWAY] = "away",
		[INSIGHT_UNDONE] = "undone",
	};

	return names[kind];
}

struct finding {
	struct insight *best; /* sorted, most important first */
	unsigned nr;
};

static void keep(struct finding *f, const struct insight *in)
{
	unsigned i = f->nr < INSIGHT_MAX ? f->nr++ : INSIGHT_MAX;

	while (i && f->best[i - 1].weight < in->weight) {
		if (i < INSIGHT_MAX)
			f->best[i] = f->best[i - 1];
		i--;
	}
	if (i < INSIGHT_MAX)
		f->best[i] = *in;
	f->nr = f->nr > INSIGHT_MAX ? INSIGHT_MAX : f->nr;
}

/* What lies between near and far here. */
static const char *boundary(const struct report *r)
{
	switch (r->session->model.far_from) {
	case MIG_DIST_REMOTE:
		return "node";
	case MIG_DIST_NODE:
		return "LLC";
	case MIG_DIST_SMT:
		return "thread of the core";
	default:
		return r->session->topo.has[MIG_DIST_SMT] ? "core" : "CPU";
	}
}

static void set_pair(const struct report *r, const struct mig_row *row, struct insight *in,
		     char waker[32], char wakee[32])
{
	mig_key__comm(&r->session->names, row->key[MIG_DIM_WAKER], waker, 32);
	mig_key__comm(&r->session->names, row->key[MIG_DIM_WAKEE], wakee, 32);
	snprintf(in->command, sizeof(in->command), "--pair '%s,%s'", waker, wakee);
}

/* How far apart two figures are, 0 = not so far as least. */
static double apart(double a, double b, double least)
{
	double ratio = a > b ? a / b : b / a;

	return a > 0 && b > 0 && ratio >= least ? log2(ratio) : 0;
}

/* Misses/ms of two sides of a pair. */
static void compare_misses(const struct report *r, const struct mig_row *row, unsigned which,
			   struct finding *f)
{
	const struct mig_compare *c = row->compare ? &row->compare[which] : NULL;
	unsigned side = which == MIG_COMPARE_PLACE; /* far; moved */
	struct insight in = { .kind = side ? INSIGHT_MISSES_FAR : INSIGHT_MISSES_MOVED };
	char waker[32], wakee[32];
	double d;

	const struct mig_counter *miss = report__miss(r);

	/* page faults and their like are none that a move can cause */
	if (r->cctx.no_misses || !miss || miss->software ||
	    !mig_row__compared(row, which, side, &in.value[0]) ||
	    !mig_row__compared(row, which, !side, &in.value[1]))
		return;
	d = apart(in.value[0], in.value[1], 1.5);
	in.n[0] = c->n[side];
	in.n[1] = c->n[!side];
	in.weight = d * (double)row->wakeups / (double)r->sum.wakeups;
	if (d <= 0)
		return;
	set_pair(r, row, &in, waker, wakee);
	if (side)
		snprintf(in.text, sizeof(in.text),
			 "%s wakes %s: where it ran on another %s, misses/ms are %.2g times those "
			 "elsewhere (%.3g and %.3g; %" PRIu64 " and %" PRIu64
			 " slices, within pairs of threads)",
			 waker, wakee, boundary(r), in.value[0] / in.value[1], in.value[0],
			 in.value[1], in.n[0], in.n[1]);
	else
		snprintf(in.text, sizeof(in.text),
			 "%s woken by %s: after a move misses/ms are %.2g times those where it "
			 "stayed (%.3g and %.3g; %" PRIu64 " and %" PRIu64
			 " slices, within pairs of threads)",
			 wakee, waker, in.value[0] / in.value[1], in.value[0], in.value[1], in.n[0],
			 in.n[1]);
	keep(f, &in);
}

/* The median run delay of one side; MIG_NULL = too few. */
static uint64_t side_median(const struct mig_row *row, unsigned side, uint64_t *ret_n)
{
	const struct hist *h;
	struct hist room;
	uint64_t p50 = MIG_NULL;

	if (!mig_row__side_delay(row, side, &room, &h)) {
		*ret_n = h->n;
		p50 = h->n >= INSIGHT_MIN ? hist__percentile(h, 50) : MIG_NULL;
	}
	hist__exit(&room);
	return p50;
}

static void compare_delay(const struct report *r, const struct mig_row *row, struct finding *f)
{
	struct insight in = { .kind = INSIGHT_DELAY_FAR };
	uint64_t far = side_median(row, MIG_SIDE_FAR, &in.n[0]);
	uint64_t near = side_median(row, MIG_SIDE_NEAR, &in.n[1]);
	char waker[32], wakee[32], a[16], b[16];
	double d;

	if (far == MIG_NULL || near == MIG_NULL || (far < 100000 && near < 100000))
		return;
	in.value[0] = (double)far;
	in.value[1] = (double)near;
	d = apart(in.value[0], in.value[1], 3);
	in.weight = d * (double)row->wakeups / (double)r->sum.wakeups;
	if (d <= 0)
		return;
	set_pair(r, row, &in, waker, wakee);
	mig_ns__print(far, a, sizeof(a));
	mig_ns__print(near, b, sizeof(b));
	snprintf(in.text, sizeof(in.text),
		 "%s wakes %s: run delay p50 is %s where it ran on another %s (%" PRIu64
		 "), %s where not (%" PRIu64 ")",
		 waker, wakee, a, boundary(r), in.n[0], b, in.n[1]);
	keep(f, &in);
}

/* The cause whose tasks run last after the move, against the one whose run first. */
static void compare_causes(const struct report *r, struct finding *f)
{
	struct insight in = { .kind = INSIGHT_LATE };
	int late = -1, soon = -1;
	uint64_t p50[MIG_NR_CAUSE];
	char a[16], b[16];
	double d;

	for (int i = 0; i < MIG_NR_CAUSE; i++) {
		const struct hist *h = &r->sum.by_cause[i].ran_after;

		if (h->n < INSIGHT_MIN)
			continue;
		p50[i] = hist__percentile(h, 50);
		late = late < 0 || p50[i] > p50[late] ? i : late;
		soon = soon < 0 || p50[i] < p50[soon] ? i : soon;
	}
	if (late < 0 || p50[late] < 1000000)
		return;
	in.value[0] = (double)p50[late];
	in.value[1] = (double)p50[soon];
	in.n[0] = r->sum.by_cause[late].ran_after.n;
	in.n[1] = r->sum.by_cause[soon].ran_after.n;
	d = apart(in.value[0], in.value[1], 10);
	if (d <= 0)
		return;
	in.weight = d * (double)in.n[0] / (double)r->sum.migrations;
	mig_ns__print(p50[late], a, sizeof(a));
	mig_ns__print(p50[soon], b, sizeof(b));
	snprintf(in.text, sizeof(in.text),
		 "Tasks moved by %s ran %s after the move (p50 of %" PRIu64
		 "), those moved by %s %s (%" PRIu64 ")",
		 mig_cause__name((enum mig_cause)late), a, in.n[0],
		 mig_cause__name((enum mig_cause)soon), b, in.n[1]);
	snprintf(in.command, sizeof(in.command), "--fine");
	keep(f, &in);
}

static void moves_away(const struct report *r, struct finding *f)
{
	struct insight in = { .kind = INSIGHT_AWAY, .value = { 0, NAN } };
	enum mig_distance from = r->session->model.far_from;
	uint64_t far = 0, known = 0, by_wakeup = 0;

	if (from < MIG_DIST_NODE) /* it would be said of nearly any machine */
		return;
	for (int d = MIG_DIST_SELF; d <= MIG_DIST_REMOTE; d++) {
		known += r->sum.by_distance[d];
		far += d >= (int)from ? r->sum.by_distance[d] : 0;
		by_wakeup += d >= (int)from ? r->sum.cause_distance[MIG_CAUSE_WAKEUP][d] : 0;
	}
	if (far < INSIGHT_MIN || far * 5 < known)
		return;
	in.n[0] = far;
	in.n[1] = known;
	in.value[0] = (double)far / (double)known;
	in.weight = in.value[0];
	snprintf(in.text, sizeof(in.text),
		 "%.0f%% of %" PRIu64 " moves went to another %s; %.0f%% of these were wakeups",
		 100 * in.value[0], known, boundary(r), 100.0 * (double)by_wakeup / (double)far);
	snprintf(in.command, sizeof(in.command), "--by cause,distance");
	keep(f, &in);
}

static void moves_undone(const struct report *r, struct finding *f)
{
	struct insight in = { .kind = INSIGHT_UNDONE, .value = { 0, NAN } };
	char within[16];

	for (uint32_t i = 0; i < r->table.nr; i++) {
		const struct mig_bounce *b = mig_row__part(r->table.rows[i], MIG_PART_BOUNCE);

		in.n[0] += b ? b->n : 0;
	}
	in.n[1] = r->sum.migrations;
	if (in.n[0] < INSIGHT_MIN || in.n[0] * 20 < in.n[1])
		return;
	in.value[0] = (double)in.n[0] / (double)in.n[1];
	in.weight = in.value[0];
	mig_ns__print(r->within_ns, within, sizeof(within));
	snprintf(in.text, sizeof(in.text),
		 "%.0f%% of %" PRIu64 " moves undid the one before within %s", 100 * in.value[0],
		 in.n[1], within);
	snprintf(in.command, sizeof(in.command), "--llc");
	keep(f, &in);
}

unsigned insights__find(const struct report *r, struct insight *ret)
{
	struct finding f = { .best = ret };

	for (uint32_t i = 0; i < r->table.nr && r->sum.wakeups; i++) {
		const struct mig_row *row = r->table.rows[i];

		if (row->wakeups * 100 < r->sum.wakeups) /* of the pairs that matter */
			continue;
		compare_misses(r, row, MIG_COMPARE_PLACE, &f);
		compare_misses(r, row, MIG_COMPARE_MOVE, &f);
		compare_delay(r, row, &f);
	}
	if (r->sum.migrations) {
		compare_causes(r, &f);
		moves_away(r, &f);
		moves_undone(r, &f);
	}
	return f.nr;
}
