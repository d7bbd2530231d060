// SPDX-License-Identifier: GPL-2.0
/*
 * tui: the frame around the views: title, summary, last line; the filters; the loop.
 */
#include "tui.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stdio-int.h"
#include "tui-int.h"

#define MIN_ROWS    10
#define MIN_COLUMNS 40

static const struct tui_view_ops *const view_ops[TUI_NR_VIEWS] = {
	&tui_pairs_ops,    &tui_tasks_ops,   &tui_causes_ops, &tui_cpus_ops,
	&tui_timeline_ops, &tui_slowest_ops, &tui_llc_ops,
};

struct tui_view *tui__view(struct tui *t)
{
	return t->nr_over ? &t->over[t->nr_over - 1] : &t->views[t->view];
}

void tui__say(struct tui *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(t->message, sizeof(t->message), fmt, ap);
	va_end(ap);
	t->message_is_error = false;
}

void tui__say_error(struct tui *t, const struct mig_err *err)
{
	tui__say(t, "%.*s%s%.*s", 160, err->msg, *err->hint ? "; " : "", 90, err->hint);
	t->message_is_error = true;
}

/* --- filters --- */

const char *tui__text_filter(const struct tui_view *v)
{
	const struct tui *t = v->tui;
	unsigned i;

	if (v->is_over)
		return v->filter;
	for (i = 0; i < t->nr_filters; i++)
		if (t->filters[i].kind == TUI_FILTER_TEXT)
			return t->filters[i].arg;
	return NULL;
}

int tui__refilter(struct tui *t, struct mig_err *err)
{
	struct tui_view *v = tui__view(t);
	struct tree_row row;
	const void *item = tui_view__here(v, &row);

	return tui_view__update(v, &row, item) ? mig_err__set(err, -ENOMEM, "out of memory") : 0;
}

static void forget_views(struct tui *t)
{
	unsigned i;

	while (t->nr_over)
		tui_view__exit(&t->over[--t->nr_over]);
	for (i = 0; i < TUI_NR_VIEWS; i++)
		tui_view__forget(&t->views[i]);
}

/* Order and columns stay as the user chose them. */
static void keep_look(struct tui_run *run, const struct tui_run *old)
{
	run->report.cols = old->report.cols;
	run->report.sort = old->report.sort;
	mig_table__sort(&run->report.table, &run->report.sort, &run->report.cctx);
}

/* Reads the recording again with the filters as they are. Damage is no failure: it is shown. */
static int reread(struct tui *t, struct mig_err *err)
{
	struct tui_want want = { .dims = t->opts.dims };
	struct tui_run *run, *old = t->run, *tasks = t->tasks;
	int ret = tui_run__new(t, &want, &run, err);

	if (!run)
		return ret;
	keep_look(run, old);
	forget_views(t);
	t->run = run;
	t->tasks = NULL;
	ret = tui_view__load(tui__view(t), err);
	if (ret) { /* it needs more than was read: what there is shows the first view */
		tui__say_error(t, err);
		t->view = 0;
		ret = tui_view__load(tui__view(t), err);
	}
	tui_run__delete(old);
	tui_run__delete(tasks);
	return ret;
}

static void remove_filter(struct tui *t, unsigned i)
{
	t->nr_filters--;
	memmove(&t->filters[i], &t->filters[i + 1], (t->nr_filters - i) * sizeof(t->filters[0]));
}

int tui__add_filter(struct tui *t, enum tui_filter_kind kind, const char *arg, const char *label,
		    struct mig_err *err)
{
	struct tui_filter *f;
	unsigned i;
	int ret;

	/* another text takes the place of the one before */
	for (i = 0; kind == TUI_FILTER_TEXT && i < t->nr_filters; i++)
		if (t->filters[i].kind == kind)
			remove_filter(t, i--);
	if (kind == TUI_FILTER_TEXT && !*arg)
		return tui__refilter(t, err);
	if (t->nr_filters == TUI_MAX_FILTERS)
		return mig_err__set(err, -E2BIG, "too many filters: ESC takes one away");
	f = &t->filters[t->nr_filters++];
	f->kind = kind;
	snprintf(f->arg, sizeof(f->arg), "%s", arg);
	snprintf(f->label, sizeof(f->label), "%s", label);
	ret = kind == TUI_FILTER_TEXT ? tui__refilter(t, err) : reread(t, err);
	if (ret)
		t->nr_filters--;
	return ret;
}

int tui__pop_filter(struct tui *t, struct mig_err *err)
{
	int ret;

	if (t->filters[--t->nr_filters].kind == TUI_FILTER_TEXT)
		return tui__refilter(t, err);
	ret = reread(t, err);
	if (ret)
		t->nr_filters++; /* what is shown is still under it */
	return ret;
}

int tui__open_over(struct tui *t, const struct tui_view_ops *ops, struct tui_run *own_run,
		   const char *subject, struct mig_err *err)
{
	struct tui_view *v;
	int ret;

	if (t->nr_over == TUI_MAX_OVER) {
		tui_run__delete(own_run);
		return mig_err__set(err, -E2BIG, "too much is open: ESC closes");
	}
	v = &t->over[t->nr_over];
	tui_view__init(v, ops, t);
	v->own_run = own_run;
	v->is_over = true;
	snprintf(v->subject, sizeof(v->subject), "%s", subject);
	t->nr_over++;
	ret = tui_view__load(v, err);
	if (ret) {
		t->nr_over--;
		tui_view__exit(v);
	}
	return ret;
}

int tui__need_tasks(struct tui *t, struct tui_run **ret_run, struct mig_err *err)
{
	struct tui_want want = { .dims = 1U << MIG_DIM_TID };
	int ret = 0;

	if (t->opts.dims == want.dims) {
		*ret_run = t->run;
		return 0;
	}
	if (!t->tasks)
		ret = tui_run__new(t, &want, &t->tasks, err);
	*ret_run = t->tasks;
	return t->tasks ? 0 : ret;
}

/* --- the frame --- */

/* "!": a lower bound, "-": not recorded; as in the totals of the text. */
static void put_totals(const struct report *r, bool of_pair, struct line *l)
{
	const char *lost = report__lost(r) ? "!" : "";
	const char *mark = r->session->model.unseen_moves ? "!" : lost;
	char n[32];

	if (r->cctx.no_wakeups)
		line__put(l, THEME_TITLE, "  - wakeups");
	else
		line__printf(l, THEME_TITLE, "  %s%s wakeups",
			     stdio__thousands(r->sum.wakeups, n, sizeof(n)), lost);
	if (r->cctx.no_moves)
		line__put(l, THEME_TITLE, ", - moves");
	else
		line__printf(l, THEME_TITLE, ", %s%s moves%s",
			     stdio__thousands(r->sum.migrations, n, sizeof(n)), mark,
			     of_pair ? " of the wakee" : "");
}

/* Of a list of moves, kept or not. */
static void put_listed(const struct tui_run *run, struct line *l)
{
	char n[32];

	line__printf(l, THEME_TITLE, "  %s%s moves",
		     stdio__thousands(run->moves.nr + run->moves.more, n, sizeof(n)),
		     report__lost(&run->report) ? "!" : "");
}

static void write_title(struct tui *t, struct line *l)
{
	const struct tui_view *v = tui__view(t);
	const struct report *r = &(v->run ? v->run : t->run)->report;
	char words[96] = "";
	const char *by[MIG_NR_DIM];
	unsigned i, nr;

	mig_table__by_words(t->opts.dims, by, &nr);
	for (i = 0; v->ops == &tui_pairs_ops && i < nr; i++)
		snprintf(words + strlen(words), sizeof(words) - strlen(words), "%s%s",
			 i ? "," : "By ", by[i]);
	line__printf(l, THEME_TITLE, " %s%s%s",
		     strcmp(words, "By pair") && *words ? words : v->ops->name,
		     *v->subject ? " " : "", v->subject);
	if (!t->nr_over)
		line__printf(l, THEME_TITLE, " %u/%u", t->view + 1, TUI_NR_VIEWS);
	for (i = 0; i < t->nr_filters; i++)
		if (!v->is_over || t->filters[i].kind != TUI_FILTER_TEXT)
			line__printf(l, THEME_TITLE, " [%s]", t->filters[i].label);
	if (*v->filter)
		line__printf(l, THEME_TITLE, " [\"%s\"]", v->filter);
	if (v->ops == &tui_moves_ops && v->run)
		put_listed(v->run, l);
	else
		put_totals(r, v->ops == &tui_pair_ops, l);
}

/* What was not seen comes first: it stays on the narrowest screen. */
static void write_summary(const struct tui *t, struct line *l)
{
	const struct report *r = &t->run->report;
	const struct sched_model *m = &r->session->model;
	uint64_t lost = report__lost(r);
	enum theme theme = lost || t->run->damaged ? THEME_WARN : THEME_SUMMARY;
	char a[32];

	line__printf(l, theme, " lost %s", stdio__thousands(lost, a, sizeof(a)));
	if (t->run->damaged)
		line__put(l, theme, ", damaged file, read up to there");
	if (m->unseen_switches || m->unseen_moves)
		line__printf(l, theme, ", unseen %" PRIu64 " switches %" PRIu64 " moves",
			     m->unseen_switches, m->unseen_moves);
	line__printf(l, THEME_SUMMARY, "; %s events",
		     stdio__thousands(r->session->dec.nr_samples, a, sizeof(a)));
	if (m->first_time != MIG_NULL)
		line__printf(l, THEME_SUMMARY, ", %.3f s",
			     (double)(m->last_time - m->first_time) / 1e9);
	line__printf(l, THEME_SUMMARY, ", %u CPUs", report__nr_cpus(r));
}

static const char *hint(const struct tui_view *v)
{
	if (v->tree.nr_rows)
		return "? help  ENTER open  ESC back  TAB view  / filter  q leave";
	if (v->tree.nr_hidden)
		return "no row has this text: ESC takes the filter away";
	if (v->ops == &tui_pairs_ops)
		return "no wakeups to show pairs of; TAB: tasks, who ran and who moved";
	return "nothing of this in the recording, or in what is selected";
}

static void write_last(struct tui *t, struct line *l)
{
	const struct tui_view *v = tui__view(t);
	const enum theme theme = t->message_is_error ? THEME_ERROR : THEME_HELP;
	char place[48];
	unsigned used;

	snprintf(place, sizeof(place), "%u/%u", v->tree.nr_rows ? v->browser.scroll.at + 1 : 0,
		 v->tree.nr_rows);
	used = (unsigned)strlen(place) + 1;
	if (v->tree.nr_hidden)
		used += (unsigned)snprintf(place + strlen(place), sizeof(place) - strlen(place),
					   " (%u hidden)", v->tree.nr_hidden);
	line__printf(l, theme, " %s", *t->message ? t->message : hint(v));
	if (l->columns + used < l->max_columns) {
		line__pad(l, theme, l->max_columns - used);
		line__put(l, theme, place);
	}
}

int tui__print(struct tui *t, FILE *fp)
{
	struct line l;

	line__init(&l, LINE_MAX_COLUMNS);
	write_title(t, &l);
	fprintf(fp, "%s\n", l.text + 1);
	line__init(&l, LINE_MAX_COLUMNS);
	write_summary(t, &l);
	fprintf(fp, "%s\n", l.text + 1);
	return ferror(fp) ? -EIO : 0;
}

static void draw_too_small(void)
{
	struct line l;

	term__clear();
	line__init(&l, term__columns());
	line__printf(&l, THEME_NORMAL, "%ux%u: needs %dx%d", term__columns(), term__rows(),
		     MIN_COLUMNS, MIN_ROWS);
	term__draw(0, &l, THEME_NORMAL, false);
}

void tui__draw(struct tui *t)
{
	unsigned rows = term__rows(), columns = term__columns();
	struct tui_view *v = tui__view(t);
	struct line l;

	if (rows < MIN_ROWS || columns < MIN_COLUMNS) {
		draw_too_small();
		return;
	}
	line__init(&l, columns);
	write_title(t, &l);
	term__draw(0, &l, THEME_TITLE, false);
	line__init(&l, columns);
	write_summary(t, &l);
	term__draw(1, &l, THEME_SUMMARY, false);
	v->browser.hide_heads = t->hide_heads;
	browser__draw(&v->browser, 2, rows - 1, columns);
	line__init(&l, columns);
	write_last(t, &l);
	term__draw(rows - 1, &l, t->message_is_error ? THEME_ERROR : THEME_HELP, false);
}

static void handle(struct tui *t, int key)
{
	struct mig_err err = { 0 };
	enum tui_action action;

	*t->message = '\0';
	t->message_is_error = false;
	if (key == KEY_GONE) {
		t->quit = true;
		return;
	}
	if (key == KEY_REDRAW)
		return;
	action = (enum tui_action)browser__key(&tui__view(t)->browser, key);
	if (action != ACT_NONE) {
		if (tui__do(t, action, &err))
			tui__say_error(t, &err);
	} else if (key < ' ' || (key < KEY_BASE && key != ' ')) {
		tui__say(t, "press ? for the keys");
	}
}

bool tui__can(const char **ret_why)
{
	return term__can(ret_why);
}

int tui__load(const struct tui_opts *opts, struct session *s, struct tui **ret_tui,
	      struct mig_err *err)
{
	struct tui *t = calloc(1, sizeof(*t));
	struct tui_want want = { .dims = opts->dims, .first = true, .s = s };
	unsigned i;
	int ret;

	*ret_tui = NULL;
	if (!t) {
		session__delete(s);
		return mig_err__set(err, -ENOMEM, "out of memory");
	}
	t->opts = *opts;
	t->session_opts = s->opts;
	for (i = 0; i < TUI_NR_VIEWS; i++)
		tui_view__init(&t->views[i], view_ops[i], t);
	ret = tui_run__new(t, &want, &t->run, err);
	if (t->run)
		*ret_tui = t;
	else
		tui__delete(t);
	return ret;
}

int tui__show(struct tui *t, const struct mig_err *failed, struct mig_err *err)
{
	struct mig_err color = { 0 };
	const char *why;
	int ret = tui_view__load(tui__view(t), err);

	if (ret)
		return ret;
	if (term__start(&why))
		return mig_err__set(err, -ENOTTY, "no terminal UI: %s", why);
	if (term__bad_color()) {
		mig_err__set(&color, -EINVAL,
			     "colors.%s in perf's configuration: not two colours as 'red, default'",
			     term__bad_color());
		tui__say_error(t, &color);
	}
	if (failed)
		tui__say_error(t, failed);
	while (!t->quit) {
		tui__draw(t);
		term__refresh(-1, -1);
		handle(t, term__key());
	}
	term__stop();
	return 0;
}

void tui__delete(struct tui *t)
{
	unsigned i;

	if (!t)
		return;
	forget_views(t);
	for (i = 0; i < TUI_NR_VIEWS; i++)
		tui_view__exit(&t->views[i]);
	tui_run__delete(t->run);
	tui_run__delete(t->tasks);
	free(t);
}

const struct session *tui__session(const struct tui *t)
{
	return t->run->session;
}
