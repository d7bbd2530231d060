// SPDX-License-Identifier: GPL-2.0
#include "recording.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "report.h"
#include "session.h"

bool recording__is_one(const char *path)
{
	char magic[8];
	FILE *f = fopen(path, "re");
	bool is = f && fread(magic, sizeof(magic), 1, f) == 1 &&
		  (!memcmp(magic, "PERFILE2", 8) || !memcmp(magic, "2ELIFREP", 8) ||
		   !memcmp(magic, "PERFFILE", 8));

	if (f)
		fclose(f);
	return is;
}

const char *recording__figure(int figure)
{
	static const char *const names[] = {
		[RECORDING_WAKEUPS] = "wakeups",       [RECORDING_MOVED] = "moved%",
		[RECORDING_MIGRATIONS] = "migrations", [RECORDING_NEAR] = "near%",
		[RECORDING_RATE] = "misses/ms",        [RECORDING_DELAY_P50] = "delay-p50",
		[RECORDING_DELAY_P99] = "delay-p99",
	};
	static const char *const paths[MIG_NR_PATH] = {
		[MIG_PATH_RUNNING] = "path running",
		[MIG_PATH_LOCAL] = "path local",
		[MIG_PATH_PREV] = "path prev",
		[MIG_PATH_AFFINE] = "path affine",
		[MIG_PATH_LLC] = "path llc",
		[MIG_PATH_WAKER_LLC] = "path waker-llc",
		[MIG_PATH_PREV_LLC] = "path prev-llc",
		[MIG_PATH_CROSS_NODE] = "path cross-node",
		[MIG_PATH_CROSS_LLC] = "path cross-llc",
		[MIG_PATH_UNKNOWN] = "path unknown",
	};

	if (figure < RECORDING_PATH)
		return names[figure];
	return figure < RECORDING_PATH + MIG_NR_PATH ? paths[figure - RECORDING_PATH] : NULL;
}

struct filler {
	struct run_arm *arm;
	const struct report *r;
	int rc; /* -ENOMEM, sticky */
};

static void set(struct filler *f, const char *name, double v)
{
	if (!f->rc && !isnan(v))
		f->rc = run_arm__set(f->arm, name, v);
}

static double or_nan(uint64_t v)
{
	return v == MIG_NULL ? NAN : (double)v;
}

static double percent(uint64_t part, uint64_t of)
{
	return of ? 100.0 * part / of : NAN;
}

static void set_pair(struct filler *f, const char *pair, int figure, double v)
{
	char name[160];

	snprintf(name, sizeof(name), "%s: %s", pair, recording__figure(figure));
	set(f, name, v);
}

static double rate(const struct report *r, const struct mig_row *row)
{
	struct mig_side all;

	if (r->cctx.no_misses)
		return NAN;
	mig_row__side(row, r->session->dec.group.nr, MIG_SIDE_ALL, &all);
	return all.rate_ns ? 1e6 * all.rate_misses[r->cctx.miss] / all.rate_ns : NAN;
}

static void add_pair(struct filler *f, const struct mig_row *row)
{
	const struct strtab *names = &f->r->session->names;
	uint64_t near = mig_row__side_n(row, MIG_SIDE_NEAR);
	char waker[64], wakee[64], pair[140];

	if (!row->wakeups)
		return;
	snprintf(pair, sizeof(pair), "pair %s > %s",
		 mig_key__comm(names, row->key[MIG_DIM_WAKER], waker, sizeof(waker)),
		 mig_key__comm(names, row->key[MIG_DIM_WAKEE], wakee, sizeof(wakee)));
	set_pair(f, pair, RECORDING_WAKEUPS, row->wakeups);
	if (!f->r->cctx.no_moves) {
		set_pair(f, pair, RECORDING_MOVED, percent(row->at_wakeup, row->wakeups));
		set_pair(f, pair, RECORDING_MIGRATIONS, row->migrations);
	}
	set_pair(f, pair, RECORDING_NEAR, percent(near, near + mig_row__side_n(row, MIG_SIDE_FAR)));
	set_pair(f, pair, RECORDING_RATE, rate(f->r, row));
	set_pair(f, pair, RECORDING_DELAY_P50, or_nan(hist__percentile(&row->delay, 50)));
	set_pair(f, pair, RECORDING_DELAY_P99, or_nan(hist__p99(&row->delay)));
	for (int p = 0; p < MIG_NR_PATH && row->detail; p++)
		if (row->detail->path[p])
			set_pair(f, pair, RECORDING_PATH + p,
				 percent(row->detail->path[p], row->wakeups));
}

/* The counter's own name, and its quotient by the migrations. */
static void add_misses(struct filler *f)
{
	const struct report *r = f->r;
	uint64_t misses;
	const char *event;
	char name[160];
	bool sampled;

	misses = report__primary_misses(r, &event, &sampled);
	if (!event || misses == MIG_NULL)
		return;
	snprintf(name, sizeof(name), sampled ? "%s (sampled)" : "%s", event);
	set(f, name, misses);
	if (!report__has(r, MIG_EV_MIGRATE) || !r->sum.migrations)
		return;
	if (!strcmp(event, METRIC_MISSES))
		snprintf(name, sizeof(name), METRIC_RATIO);
	else
		snprintf(name, sizeof(name), "%s/migrations", event);
	set(f, name, (double)misses / r->sum.migrations);
}

static void add_causes(struct filler *f)
{
	char name[64];

	for (int c = 0; c < MIG_NR_CAUSE; c++) {
		if (!f->r->sum.by_cause[c].n)
			continue;
		snprintf(name, sizeof(name), "cause %s", mig_cause__name((enum mig_cause)c));
		set(f, name, f->r->sum.by_cause[c].n);
	}
}

static void add_totals(struct filler *f)
{
	const struct report *r = f->r;
	const struct sched_model *m = &r->session->model;
	bool wakes = report__has(r, MIG_EV_WAKING) || report__has(r, MIG_EV_WAKEUP);

	set(f, METRIC_SECONDS,
	    m->first_time == MIG_NULL ? NAN : (m->last_time - m->first_time) / 1e9);
	if (wakes)
		set(f, "wakeups", r->sum.wakeups);
	if (report__has(r, MIG_EV_MIGRATE))
		set(f, "migrations", r->sum.migrations);
	if (report__has(r, MIG_EV_SWITCH))
		set(f, "slices", r->sum.slices);
	set(f, METRIC_MIGRATIONS, or_nan(report__cpu_migrations(r)));
	set(f, "delay-p50", or_nan(hist__percentile(&r->sum.delay, 50)));
	set(f, "delay-p99", or_nan(hist__p99(&r->sum.delay)));
	set(f, "wait-p99", or_nan(hist__p99(&r->sum.wait)));
	add_misses(f);
	add_causes(f);
}

/* What it did not see makes its counts lower bounds: said with every comparison. */
static int add_note(struct run_arm *arm, const struct report *r)
{
	const struct sched_model *m = &r->session->model;
	uint64_t lost = report__lost(r);
	char *old = arm->note;

	if (!lost && !m->unseen_switches && !m->unseen_moves)
		return 0;
	if (asprintf(&arm->note,
		     "%s%sunseen in run %zu: %" PRIu64 " lost events, %" PRIu64
		     " switches, %" PRIu64 " moves",
		     old ? old : "", old ? "; " : "", arm->nr_runs, lost, m->unseen_switches,
		     m->unseen_moves) < 0) {
		arm->note = old;
		return -ENOMEM;
	}
	free(old);
	return 0;
}

static int fill(struct run_arm *arm, const struct report *r, struct mig_err *err)
{
	struct filler f = { .arm = arm, .r = r };
	struct run *run;

	f.rc = run_arm__add_run(arm, &run);
	if (!f.rc && !arm->machine.nr)
		f.rc = machine__from_header(session__env(r->session), &arm->machine);
	if (!f.rc)
		f.rc = add_note(arm, r);
	add_totals(&f);
	for (uint32_t i = 0; i < r->table.nr; i++)
		add_pair(&f, r->table.rows[i]);
	return f.rc ? mig_err__set(err, f.rc, "out of memory") : 0;
}

int recording__add(struct runset *runs, const char *name, struct session *s, struct mig_err *err)
{
	struct run_arm *arm;
	struct report r;
	int rc;

	report__init(&r, s, 1U << MIG_DIM_WAKER | 1U << MIG_DIM_WAKEE);
	rc = report__run(&r, err);
	if (!rc && !r.sum.slices && !r.sum.wakeups && !r.sum.migrations) {
		mig_err__set(err, -ENODATA, "%s: no scheduler events in it", s->opts.input);
		rc = mig_err__hint(err, "record with perf migstat record, or perf sched record");
	}
	if (!rc && runset__arm(runs, name, NULL, &arm))
		rc = mig_err__set(err, -ENOMEM, "out of memory");
	if (!rc)
		rc = fill(arm, &r, err);
	if (!rc && !arm->source)
		arm->source = strdup(s->opts.input);
	report__exit(&r);
	return rc;
}
