// SPDX-License-Identifier: GPL-2.0
/* tui-do: what a key does. */
#include "tui-int.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define MAX_MENU 24

static int update(struct tui_view *v, const struct tree_row *row, const void *item,
		  struct mig_err *err)
{
	return tui_view__update(v, row, item) ? mig_err__set(err, -ENOMEM, "out of memory") : 0;
}

/* open: 1, close: 0, the other: -1 */
static int fold(struct tui *t, int open, struct mig_err *err)
{
	struct tui_view *v = tui__view(t);
	struct tree_row row;
	const void *item = tui_view__here(v, &row);
	struct tree_node *n = tui_view__node(v);

	if (!n)
		return 0;
	if (open < 0)
		open = !n->open;
	if (tree__open(&v->tree, row.node, open))
		return mig_err__set(err, -ENOMEM, "out of memory");
	if (open && !n->open)
		tui__say(t, "there is nothing in this row to open");
	if (!open)
		row.line = -1;
	return update(v, &row, item, err);
}

static int fold_all(struct tui *t, bool open, struct mig_err *err)
{
	struct tui_view *v = tui__view(t);
	struct tree_row row;
	const void *item = tui_view__here(v, &row);

	if (tree__open_all(&v->tree, open))
		return mig_err__set(err, -ENOMEM, "out of memory");
	return update(v, &row, item, err);
}

static int ask_filter(struct tui *t, struct mig_err *err)
{
	struct tui_view *v = tui__view(t);
	char text[64] = "", label[96];

	if (!tui__prompt(t, "show rows with: ", text, sizeof(text)))
		return 0;
	snprintf(label, sizeof(label), "\"%s\"", text);
	if (*text)
		snprintf(t->search, sizeof(t->search), "%s", text);
	if (v->is_over) {
		snprintf(v->filter, sizeof(v->filter), "%s", text);
		return tui__refilter(t, err);
	}
	return tui__add_filter(t, TUI_FILTER_TEXT, text, label, err);
}

static void next_hit(struct tui *t, bool backwards)
{
	struct tui_view *v = tui__view(t);
	uint32_t at;

	if (!*t->search) {
		tui__say(t, "nothing was searched yet: /");
		return;
	}
	at = tree__search(&v->tree, t->search, v->browser.scroll.at, backwards);
	if (at == UINT32_MAX)
		tui__say(t, "no row with \"%s\"", t->search);
	else
		scroll__to(&v->browser.scroll, at);
}

static int write_view(struct tui *t, struct mig_err *err)
{
	struct tui_view *v = tui__view(t);
	char name[32];
	FILE *fp = NULL;
	unsigned i;
	int ret;

	for (i = 0; !fp && i < 10000; i++) {
		snprintf(name, sizeof(name), "perf.migstat.%u", i);
		fp = fopen(name, "wxe"); /* what is there stays */
		if (!fp && errno != EEXIST)
			break;
	}
	if (!fp)
		return mig_err__set(err, -errno, "%s: %s", name, strerror(errno));
	ret = tui__print(t, fp);
	if (!ret)
		ret = browser__print(&v->browser, term__columns(), fp);
	if (fclose(fp) && !ret)
		ret = -errno;
	if (ret)
		return mig_err__set(err, ret, "%s: %s", name, strerror(-ret));
	tui__say(t, "%s written", name);
	return 0;
}

static int back(struct tui *t, bool ask, struct mig_err *err)
{
	struct tui_view *v = tui__view(t);

	if (v->ops->can & 1U << ACT_BACK && v->ops->act(v, ACT_BACK, err))
		return 0;
	if (*v->filter) {
		*v->filter = '\0';
		return tui__refilter(t, err);
	}
	if (t->nr_over) {
		tui_view__exit(v);
		t->nr_over--;
		return 0;
	}
	if (t->nr_filters)
		return tui__pop_filter(t, err);
	if (!ask)
		tui__say(t, "there is nothing to go back to; q leaves");
	else if (tui__yes(t, "Do you really want to leave? y, ENTER: yes "))
		t->quit = true;
	return 0;
}

static int menu(struct tui *t, struct mig_err *err)
{
	struct tui_view *v = tui__view(t);
	const char *entries[MAX_MENU];
	enum tui_action actions[MAX_MENU];
	unsigned nr = 0;
	int chosen, key;

	while (nr < MAX_MENU && (entries[nr] = tui_keys__menu(v->ops->can, nr, &actions[nr])))
		nr++;
	chosen = tui__menu(t, v->ops->name, entries, nr, 0, &key);
	if (chosen >= 0)
		return tui__do(t, actions[chosen], err);
	/* keys work in a menu as they do outside of it */
	return key ? tui__do(t, tui_keys__action(key), err) : 0;
}

static int next_view(struct tui *t, unsigned step, struct mig_err *err)
{
	const unsigned was = t->view;
	struct tui_view *v;
	int ret;

	if (t->nr_over) {
		tui__say(t, "ESC goes back to the views");
		return 0;
	}
	t->view = (t->view + step) % TUI_NR_VIEWS;
	v = tui__view(t);
	if (v->loaded) {
		struct tree_row row;
		const void *item = tui_view__here(v, &row);

		return update(v, &row, item, err);
	}
	ret = tui_view__load(v, err);
	if (ret)
		t->view = was;
	return ret;
}

static int of_view(struct tui *t, enum tui_action action, struct mig_err *err)
{
	struct tui_view *v = tui__view(t);

	if (v->ops->can & 1U << action && v->ops->act && v->loaded)
		return v->ops->act(v, action, err);
	if (action == ACT_OPEN)
		return fold(t, -1, err);
	tui__say(t, "not in this view; ? lists the keys");
	return 0;
}

static void shift(struct tui *t, bool right)
{
	struct tui_view *v = tui__view(t);
	unsigned step = v->ops->row && v->ops->act ? 1 : 8; /* columns of a table, of a text */

	if (!(v->ops->can & 1U << ACT_SHIFT_RIGHT))
		tui__say(t, "nothing to scroll sideways here");
	else if (right)
		v->shift += v->shift < 4096 ? step : 0;
	else
		v->shift -= v->shift < step ? v->shift : step;
}

static int show_over(struct tui *t, const struct tui_view_ops *ops, struct mig_err *err)
{
	if (tui__view(t)->ops == ops)
		return back(t, false, err);
	return tui__open_over(t, ops, NULL, "", err);
}

int tui__do(struct tui *t, enum tui_action action, struct mig_err *err)
{
	switch (action) {
	case ACT_QUIT:
		t->quit = true;
		return 0;
	case ACT_BACK:
	case ACT_LEFT:
		return back(t, action == ACT_BACK, err);
	case ACT_MENU:
		return menu(t, err);
	case ACT_NEXT_VIEW:
	case ACT_PREV_VIEW:
		return next_view(t, action == ACT_NEXT_VIEW ? 1 : TUI_NR_VIEWS - 1, err);
	case ACT_FOLD:
	case ACT_CLOSE:
		return fold(t, action == ACT_FOLD ? -1 : 0, err);
	case ACT_OPEN_ALL:
	case ACT_CLOSE_ALL:
		return fold_all(t, action == ACT_OPEN_ALL, err);
	case ACT_FILTER:
		return ask_filter(t, err);
	case ACT_NEXT_HIT:
	case ACT_PREV_HIT:
		next_hit(t, action == ACT_PREV_HIT);
		return 0;
	case ACT_HEADS:
		t->hide_heads = !t->hide_heads;
		return 0;
	case ACT_WRITE:
		return write_view(t, err);
	case ACT_ENVIRONMENT:
		return show_over(t, &tui_environment_ops, err);
	case ACT_HELP:
		return show_over(t, &tui_help_ops, err);
	case ACT_SHIFT_LEFT:
	case ACT_SHIFT_RIGHT:
		shift(t, action == ACT_SHIFT_RIGHT);
		return 0;
	default:
		return of_view(t, action, err);
	}
}
