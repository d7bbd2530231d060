// SPDX-License-Identifier: GPL-2.0
/*
 * tui-table: the rows of a report: pairs (or what --by says), and tasks. A row opens into what its
 * wakeups and slices were made of.
 */
#include "tui-int.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cell.h"
#include "stdio-int.h"
#include "strtab.h"

#define PAIR_DIMS (1U << MIG_DIM_WAKER | 1U << MIG_DIM_WAKEE)
#define FOLD      2 /* columns of the mark that says whether a row is open */

/* Names give way (cell__width()). */
static unsigned least_width(const struct mig_column *c)
{
	return c->kind == MIG_KIND_NAME && c->width >= 15 ? 8 : c->width;
}

/* The columns that fit: what is grouped by, and figures from v->shift on. */
static void fit_columns(struct tui_view *v, unsigned width, struct mig_columns *ret_cols)
{
	const struct mig_columns *all = &v->run->report.cols;
	unsigned i, used = 0, skipped = 0, figures = 0;

	ret_cols->nr = 0;
	for (i = 0; i < all->nr; i++) {
		figures += !mig_column__is_key(all->c[i]);
		used += least_width(all->c[i]) + 1;
	}
	if (used <= width + 1)
		v->shift = 0;
	else if (figures && v->shift > figures - 1)
		v->shift = figures - 1;
	used = 0;
	for (i = 0; i < all->nr; i++) {
		const struct mig_column *c = all->c[i];
		unsigned w = least_width(c);

		if (!mig_column__is_key(c) && skipped++ < v->shift)
			continue;
		if (used + w > width)
			break;
		used += w + 1;
		ret_cols->c[ret_cols->nr++] = c;
	}
}

static unsigned table_heads(struct tui_view *v, struct line *lines, unsigned columns)
{
	unsigned width = columns - FOLD, i, k, w, nr = 0;
	struct mig_columns cols;
	char buf[CELL_MAX];
	bool groups = false;

	fit_columns(v, width, &cols);
	for (i = 0; i < cols.nr; i++)
		groups |= cols.c[i]->group != NULL;
	if (groups) {
		line__init(&lines[nr], columns);
		line__pad(&lines[nr], THEME_HEAD, FOLD);
		for (i = 0; i < cols.nr; i = k) {
			const char *g = cols.c[i]->group;

			k = cell__group(&cols, i, width, &w);
			if (i)
				line__put(&lines[nr], THEME_HEAD, " ");
			line__printf(&lines[nr], THEME_HEAD, "%*.*s", (int)w, (int)w, g ? g : "");
		}
		nr++;
	}
	line__init(&lines[nr], columns);
	line__pad(&lines[nr], THEME_HEAD, FOLD);
	for (i = 0; i < cols.nr; i++) {
		w = cell__width(&cols, cols.c[i], width);
		if (i)
			line__put(&lines[nr], THEME_HEAD, " ");
		if (cols.c[i]->kind == MIG_KIND_NAME)
			cell__name(buf, sizeof(buf), cols.c[i]->head, w, true);
		else
			snprintf(buf, sizeof(buf), "%*s", (int)w, cols.c[i]->head);
		line__put(&lines[nr], THEME_HEAD, buf);
	}
	return nr + 1;
}

static void table_row(struct tui_view *v, const struct tree_node *n, struct line *l)
{
	const struct report *r = &v->run->report;
	unsigned width = l->max_columns - FOLD, i;
	struct mig_columns cols;
	char buf[CELL_MAX];
	double percent;

	fit_columns(v, width, &cols);
	line__put(l, THEME_DIM, n->open ? "- " : "+ ");
	for (i = 0; i < cols.nr; i++) {
		if (i)
			line__printf(l, THEME_NORMAL, "%c", cell__gap(&cols, i, n->item));
		cell__value(buf, sizeof(buf), n->item, cols.c[i], &r->cctx,
			    cell__width(&cols, cols.c[i], width), &percent);
		line__put(l, theme__percent(percent), buf);
	}
}

/* What it is grouped by: names and ids. */
static void table_text(void *ctx, const struct tree_node *n, char *buf, size_t size)
{
	const struct tui_view *v = ctx;
	const struct report *r = &v->run->report;
	struct mig_value val;
	size_t len = 0;
	unsigned i;

	*buf = '\0';
	for (i = 0; i < r->cols.nr && len + 1 + sizeof(val.text) < size; i++) {
		const struct mig_column *c = r->cols.c[i];

		if (!mig_column__is_key(c))
			continue;
		mig_column__get(c, n->item, &r->cctx, &val);
		buf[len++] = ' ';
		/* names are most of it, and asked of each row for each filter */
		if (val.type == MIG_V_TEXT)
			len = (size_t)(stpcpy(buf + len, val.text) - buf);
		else
			len += (size_t)mig_value__print(&val, c->kind, buf + len, size - len);
	}
}

static int table_open(void *ctx, struct tree_node *n)
{
	const struct tui_view *v = ctx;
	const struct report *r = &v->run->report;
	const struct mig_row *row = n->item;
	struct tui_text tx;
	FILE *fp = tui_text__open(&tx);

	if (!fp)
		return -ENOMEM;
	if (row->detail)
		stdio__made_of(row, fp);
	if (row->slices) {
		stdio__side_head("ran", fp);
		stdio__side(r, "near", row, MIG_SIDE_NEAR, fp);
		stdio__side(r, "far", row, MIG_SIDE_FAR, fp);
		stdio__side(r, "moved", row, MIG_SIDE_MOVED, fp);
		stdio__side(r, "stayed", row, MIG_SIDE_STAYED, fp);
		stdio__levels(r, row, MIG_DIST_SELF, MIG_NR_DIST, true, fp);
	}
	return tui_text__close(&tx, n);
}

static int load_rows(struct tui_view *v, struct mig_err *err)
{
	const struct report *r = &v->run->report;
	bool pairs = stdio__is_pairs_only(r);
	uint32_t i;

	for (i = 0; i < r->table.nr; i++) {
		const struct mig_row *row = r->table.rows[i];

		if ((pairs && !row->wakeups) || report__below_limit(r, row))
			continue;
		if (!tree__add(&v->tree, row, NULL))
			return mig_err__set(err, -ENOMEM, "out of memory");
	}
	return 0;
}

static int load_pairs(struct tui_view *v, struct mig_err *err)
{
	v->run = v->tui->run;
	return load_rows(v, err);
}

static int load_tasks(struct tui_view *v, struct mig_err *err)
{
	int ret = tui__need_tasks(v->tui, &v->run, err);

	return ret ? ret : load_rows(v, err);
}

/* --- order and columns --- */

static int sort_rows(struct tui_view *v, struct mig_err *err)
{
	struct report *r = &v->run->report;
	struct tree_row row;
	const void *item = tui_view__here(v, &row);

	if (mig_table__sort(&r->table, &r->sort, &r->cctx))
		return mig_err__set(err, -ENOMEM, "out of memory");
	if (tree__reorder(&v->tree, (const void *const *)r->table.rows, r->table.nr))
		return mig_err__set(err, -ENOMEM, "out of memory");
	tui__say(v->tui, "sorted by %s%s", r->sort.reverse[0] ? "-" : "", r->sort.key[0]->name);
	return tui_view__update(v, &row, item) ? mig_err__set(err, -ENOMEM, "out of memory") : 0;
}

static int choose_sort(struct tui_view *v, struct mig_err *err)
{
	struct report *r = &v->run->report;
	const char *names[MIG_MAX_COLUMNS];
	unsigned i, at = 0;
	int chosen, key;

	for (i = 0; i < r->cols.nr; i++) {
		names[i] = r->cols.c[i]->name;
		if (r->cols.c[i] == r->sort.key[0])
			at = i;
	}
	chosen = tui__menu(v->tui, "sort by", names, r->cols.nr, at, &key);
	if (chosen < 0)
		return 0;
	/* the other keys stay behind it */
	for (i = 0; i < r->sort.nr && r->sort.key[i] != r->cols.c[chosen]; i++)
		;
	if (i == r->sort.nr && i < sizeof(r->sort.key) / sizeof(r->sort.key[0]))
		r->sort.nr++;
	else if (i == r->sort.nr)
		i--;
	for (; i; i--) {
		r->sort.key[i] = r->sort.key[i - 1];
		r->sort.reverse[i] = r->sort.reverse[i - 1];
	}
	r->sort.key[0] = r->cols.c[chosen];
	r->sort.reverse[0] = false;
	return sort_rows(v, err);
}

static int choose_fields(struct tui_view *v, struct mig_err *err)
{
	struct report *r = &v->run->report;
	struct mig_columns cols = r->cols;
	char list[64] = "";
	int ret;

	if (!tui__prompt(v->tui, "columns (+NAME, -NAME): ", list, sizeof(list)) || !*list)
		return 0;
	ret = mig_columns__parse(&cols, list, err);
	if (!ret)
		r->cols = cols;
	return ret;
}

/* --- zooming --- */

/* A name as the options take it; false: it is none. */
static bool option_name(const struct report *r, uint32_t key, char *buf, size_t size)
{
	const char *name = key < MIG_KEY_IDLE ? strtab__name(&r->session->names, key) : "";
	size_t n = 0;

	if (!*name || !strcmp(name, "*"))
		return false;
	for (; *name && n + 2 < size; name++) {
		if (*name == ',')
			buf[n++] = '\\';
		buf[n++] = *name;
	}
	buf[n] = '\0';
	return true;
}

static int zoom_comm(struct tui_view *v, uint32_t key, struct mig_err *err)
{
	const struct report *r = &v->run->report;
	char arg[96], shown[64], label[96];

	mig_key__comm(&r->session->names, key, shown, sizeof(shown));
	if (!option_name(r, key, arg, sizeof(arg)))
		return mig_err__set(err, -EINVAL, "%s is no task to zoom into", shown);
	snprintf(label, sizeof(label), "task %s", shown);
	return tui__add_filter(v->tui, TUI_FILTER_COMM, arg, label, err);
}

static int zoom_id(struct tui_view *v, enum tui_filter_kind kind, uint32_t id, struct mig_err *err)
{
	char arg[16], label[32];

	if (id >= MIG_KEY_IDLE)
		return mig_err__set(err, -EINVAL, "that is not known of this row");
	snprintf(arg, sizeof(arg), "%u", id);
	snprintf(label, sizeof(label), "%s %u", kind == TUI_FILTER_TID ? "thread" : "CPU", id);
	return tui__add_filter(v->tui, kind, arg, label, err);
}

static int zoom(struct tui_view *v, const struct mig_row *row, bool other, struct mig_err *err)
{
	static const struct {
		enum mig_dim dim;
		bool other;
		enum tui_filter_kind kind;
	} ways[] = {
		{ MIG_DIM_WAKEE_TID, false, TUI_FILTER_TID },
		{ MIG_DIM_WAKER_TID, true, TUI_FILTER_TID },
		{ MIG_DIM_WAKEE, false, TUI_FILTER_COMM },
		{ MIG_DIM_WAKER, true, TUI_FILTER_COMM },
		{ MIG_DIM_TID, false, TUI_FILTER_TID },
		{ MIG_DIM_COMM, false, TUI_FILTER_COMM },
		{ MIG_DIM_CPU, false, TUI_FILTER_CPU },
	};
	uint32_t dims = v->run->report.table.dims;
	size_t i;

	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (!(dims & 1U << ways[i].dim) || ways[i].other != other)
			continue;
		if (ways[i].kind == TUI_FILTER_COMM)
			return zoom_comm(v, row->key[ways[i].dim], err);
		return zoom_id(v, ways[i].kind, row->key[ways[i].dim], err);
	}
	return mig_err__set(err, -EINVAL,
			    other ? "these rows have no waker" : "these rows are no tasks");
}

/* A side of a pair as select__row() takes it. */
static bool row_side(const struct report *r, uint32_t key, char *buf, size_t size)
{
	if (key == MIG_KEY_NONE)
		return false;
	if (key < MIG_KEY_IDLE)
		return option_name(r, key, buf, size);
	mig_key__comm(&r->session->names, key, buf, size);
	return true;
}

/* A pair as select__row() takes it, and as a title shows it. */
static int name_pair(const struct report *r, const struct mig_row *row, char *arg, size_t arg_size,
		     char *subject, size_t size, struct mig_err *err)
{
	char side[2][64], shown[2][32];
	unsigned i;

	for (i = 0; i < 2; i++) {
		uint32_t key = row->key[i ? MIG_DIM_WAKEE : MIG_DIM_WAKER];

		if (!row_side(r, key, side[i], sizeof(side[i])))
			return mig_err__set(err, -EINVAL, "one side of this pair is not known");
		mig_key__comm(&r->session->names, key, shown[i], sizeof(shown[i]));
	}
	snprintf(arg, arg_size, "%s,%s", side[0], side[1]);
	snprintf(subject, size, "%s > %s", shown[0], shown[1]);
	return 0;
}

static int open_pair(struct tui_view *v, const struct mig_row *row, struct mig_err *err)
{
	struct tui_want want = { .dims = PAIR_DIMS };
	char arg[160], subject[96];
	struct tui_run *run;
	int ret = name_pair(&v->run->report, row, arg, sizeof(arg), subject, sizeof(subject), err);

	if (ret)
		return ret;
	want.row = arg;
	ret = tui_run__new(v->tui, &want, &run, err);
	if (!run)
		return ret;
	return tui__open_over(v->tui, &tui_pair_ops, run, subject, err);
}

static int list_moves(struct tui_view *v, const struct mig_row *row, struct mig_err *err)
{
	const struct report *r = &v->run->report;
	struct move_match match = MOVE_MATCH_ANY;
	char arg[160], subject[96];
	int ret;

	if (r->table.dims == PAIR_DIMS) {
		ret = name_pair(r, row, arg, sizeof(arg), subject, sizeof(subject), err);
		return ret ? ret : tui__list_moves(v->tui, arg, &match, subject, err);
	}
	if (!(r->table.dims & 1U << MIG_DIM_TID) || row->key[MIG_DIM_TID] >= MIG_KEY_IDLE)
		return mig_err__set(err, -EINVAL,
				    "these rows are neither pairs nor threads; 2 x TAB: causes");
	match.tid = (int)row->key[MIG_DIM_TID];
	snprintf(subject, sizeof(subject), "of thread %d", match.tid);
	return tui__list_moves(v->tui, NULL, &match, subject, err);
}

static int list_chains(struct tui_view *v, const struct mig_row *row, struct mig_err *err)
{
	const struct report *r = &v->run->report;
	char arg[160], subject[96];
	int ret;

	if (r->table.dims != PAIR_DIMS)
		return mig_err__set(err, -EINVAL, "these rows are no pairs");
	ret = name_pair(r, row, arg, sizeof(arg), subject, sizeof(subject), err);
	return ret ? ret : tui__list_chains(v->tui, subject, err);
}

static int table_act(struct tui_view *v, enum tui_action action, struct mig_err *err)
{
	struct report *r = &v->run->report;
	const struct tree_node *n = tui_view__node(v);

	switch (action) {
	case ACT_SORT:
		return choose_sort(v, err);
	case ACT_REVERSE:
		r->sort.reverse[0] = !r->sort.reverse[0];
		return sort_rows(v, err);
	case ACT_FIELDS:
		return choose_fields(v, err);
	case ACT_OPEN:
		if (n && r->table.dims == PAIR_DIMS)
			return open_pair(v, n->item, err);
		return tui__do(v->tui, ACT_FOLD, err);
	case ACT_LIST:
		return n ? list_moves(v, n->item, err) : 0;
	case ACT_CHAINS:
		return n ? list_chains(v, n->item, err) : 0;
	case ACT_ZOOM:
	case ACT_ZOOM_OTHER:
		return n ? zoom(v, n->item, action == ACT_ZOOM_OTHER, err) : 0;
	default:
		return 0;
	}
}

#define TABLE_CAN                                                                                  \
	(1U << ACT_SORT | 1U << ACT_REVERSE | 1U << ACT_FIELDS | 1U << ACT_OPEN | 1U << ACT_ZOOM | \
	 1U << ACT_LIST | 1U << ACT_SHIFT_LEFT | 1U << ACT_SHIFT_RIGHT)

const struct tui_view_ops tui_pairs_ops = {
	.name = "Pairs",
	.can = TABLE_CAN | 1U << ACT_ZOOM_OTHER | 1U << ACT_CHAINS,
	.load = load_pairs,
	.heads = table_heads,
	.row = table_row,
	.act = table_act,
	.tree = { .text = table_text, .open = table_open },
};

const struct tui_view_ops tui_tasks_ops = {
	.name = "Tasks",
	.can = TABLE_CAN,
	.load = load_tasks,
	.heads = table_heads,
	.row = table_row,
	.act = table_act,
	.tree = { .text = table_text, .open = table_open },
};
