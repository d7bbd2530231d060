// SPDX-License-Identifier: GPL-2.0
/*
 * tui-run: the recording read once, with all filters, for one or several views.
 */
#include "tui-int.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NR_SLOWEST 200

/* No fact is older than the recording, and than the ranges that all must be in. */
static uint64_t oldest(const struct session *s)
{
	uint64_t from = s->model.first_time;
	const struct select *sel;

	for (sel = &s->select; sel; sel = sel->also)
		if (sel->nr_ranges == 1 && sel->ranges[0].from > from)
			from = sel->ranges[0].from;
	return from;
}

static struct timeline *timeline_of(struct tui_run *run)
{
	if (!run->timeline.begun) {
		run->timeline.miss = run->report.table.miss;
		timeline__begin(&run->timeline, oldest(run->session));
	}
	return &run->timeline;
}

static int on_wakeup(const struct mig_wakeup *f, void *ctx)
{
	struct tui_run *run = ctx;

	if (run->cancelled)
		return -ECANCELED;
	if (run->want_timeline)
		timeline__add_wakeup(timeline_of(run), f);
	if (run->want_task_chains)
		return wake_chains__add(&run->task_chains, f);
	return run->want_chains ? chain_counts__add(&run->chains, f) : 0;
}

static int on_migration(const struct mig_migration *f, void *ctx)
{
	struct tui_run *run = ctx;

	if (run->want_timeline)
		timeline__add_migration(timeline_of(run), f);
	return run->want_moves ? move_list__add(&run->moves, f) : 0;
}

static int on_slice(const struct mig_slice *f, void *ctx)
{
	struct tui_run *run = ctx;

	if (run->cancelled)
		return -ECANCELED;
	if (run->want_timeline)
		timeline__add_slice(timeline_of(run), f);
	return 0;
}

static int on_sample(const struct mig_sample *f, void *ctx)
{
	struct tui_run *run = ctx;
	const struct report *r = &run->report;

	if (run->cancelled)
		return -ECANCELED;
	/* those of the slices, where there are some, are exact */
	if (r->table.miss >= r->table.nr_counters && f->time &&
	    f->counter == report__sampled_miss(r))
		timeline__add_sample(timeline_of(run), f);
	return 0;
}

void tui_run__delete(struct tui_run *run)
{
	if (!run)
		return;
	report__exit(&run->report);
	timeline__exit(&run->timeline);
	chain_counts__exit(&run->chains);
	wake_chains__exit(&run->task_chains);
	move_list__exit(&run->moves);
	session__delete(run->session);
	free(run);
}

/* ESC and ^C end it; the next fact then stops the reading. */
static void draw_progress(uint64_t done, uint64_t total, void *ctx)
{
	struct tui_run *run = ctx;
	struct line l;

	run->cancelled |= term__stop_asked();
	line__init(&l, term__columns());
	line__printf(&l, THEME_HELP, " reading: %3" PRIu64 "%%, ESC stops it",
		     total ? done * 100 / total : 0);
	term__draw(term__rows() - 1, &l, THEME_HELP, false);
	term__refresh(-1, -1);
}

static void add_zoom(struct session_opts *so, const struct tui_filter *f)
{
	struct session_zoom z = { .time = NULL };

	switch (f->kind) {
	case TUI_FILTER_TEXT:
		return;
	case TUI_FILTER_TIME:
		z.time = f->arg;
		break;
	case TUI_FILTER_COMM:
		z.comms = f->arg;
		break;
	case TUI_FILTER_TID:
		z.tids = f->arg;
		break;
	case TUI_FILTER_CPU:
		z.cpus = f->arg;
		break;
	}
	so->zoom[so->nr_zoom++] = z;
}

static int open_session(struct tui *t, const struct tui_want *want, struct tui_run *run,
			struct mig_err *err)
{
	struct session_opts so = t->session_opts;
	unsigned i;

	if (want->first) {
		run->session = want->s;
		return 0;
	}
	so.progress = draw_progress;
	so.progress_ctx = run;
	for (i = 0; i < t->nr_filters; i++)
		add_zoom(&so, &t->filters[i]);
	if (want->row && so.nr_zoom == SESSION_MAX_ZOOM)
		return mig_err__set(err, -E2BIG, "too many filters: ESC takes one away");
	so.want_mmaps = want->row && !want->moves;
	if (want->row)
		so.zoom[so.nr_zoom++] =
			(struct session_zoom){ .row = want->row, .open_irq = t->opts.open_irq };
	return session__open(&so, &run->session, err);
}

static void set_up(struct tui_run *run, const struct tui *t, const struct tui_want *want)
{
	struct report *r = &run->report;
	const struct move_match any = MOVE_MATCH_ANY;
	bool main_rows = want->dims == t->opts.dims && !want->row && !want->moves &&
			 !want->task_chains;

	report__init(r, run->session, want->dims);
	r->prices = t->opts.prices;
	for (int i = 0; i < t->opts.nr_groups; i++) /* good: what fails is memory, and shows as
						       "other" */
		(void)labels__add_rule(&r->labels, t->opts.groups[i], NULL);
	r->fields = main_rows ? t->opts.fields : NULL;
	r->sort_arg = main_rows ? t->opts.sort : NULL;
	r->percent_limit = main_rows && t->opts.percent_limit > 0 ? t->opts.percent_limit : 0;
	r->verbose = t->opts.verbose;
	r->fine = t->opts.fine;
	r->table.open_irq = t->opts.open_irq;
	r->text = true;
	r->want_llc = want->dims == 1U << MIG_DIM_TID && !want->row && !want->moves;
	r->pair_detail = want->row && !want->moves;
	r->want_symbols = r->pair_detail;
	r->symbols.dsos.symfs = t->session_opts.symfs;
	r->symbols.dsos.buildid_dir = t->opts.buildid_dir;
	r->max_slowest = main_rows || r->pair_detail ? NR_SLOWEST : 0;
	run->want_timeline = main_rows;
	run->want_chains = r->pair_detail;
	run->want_task_chains = want->task_chains;
	run->task_chains.open_irq = t->opts.open_irq;
	run->want_moves = want->row || want->moves;
	move_list__init(&run->moves, want->moves ? want->moves : &any);
	r->also.wakeup = on_wakeup;
	r->also.migration = on_migration;
	r->also.slice = on_slice;
	r->also.sample = run->want_timeline ? on_sample : NULL;
	r->also_ctx = run;
}

int tui_run__new(struct tui *t, const struct tui_want *want, struct tui_run **ret_run,
		 struct mig_err *err)
{
	struct tui_run *run = calloc(1, sizeof(*run));
	int ret;

	*ret_run = NULL;
	if (!run || timeline__init(&run->timeline, 0)) {
		free(run);
		if (want->first)
			session__delete(want->s);
		return mig_err__set(err, -ENOMEM, "out of memory");
	}
	ret = open_session(t, want, run, err);
	if (ret) {
		timeline__exit(&run->timeline);
		free(run);
		return ret;
	}
	set_up(run, t, want);
	ret = report__run(&run->report, err);
	chain_counts__sort(&run->chains);
	wake_chains__sort(&run->task_chains);
	move_list__sort(&run->moves);
	run->damaged = ret != 0;
	/* damage: what came before it is shown, as the text does */
	if (run->session->is_ready && !run->cancelled && (!ret || run->session->dec.nr_samples)) {
		*ret_run = run;
		return ret;
	}
	if (run->cancelled)
		mig_err__set(err, ret = -ECANCELED, "stopped: all is as it was");
	tui_run__delete(run);
	return ret;
}
