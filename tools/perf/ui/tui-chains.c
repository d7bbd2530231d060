// SPDX-License-Identifier: GPL-2.0
/*
 * tui-chains: the wake chains that end in a pair: who woke its waker, and who woke that. A row
 * opens into its tasks, a line each.
 */
#include "tui-int.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "column.h"

static const char *name_of(const struct tui_view *v, uint32_t key, char *buf, size_t size)
{
	return mig_key__comm(&v->run->session->names, key, buf, size);
}

/* "A > B > C", of the last tasks only where not all are asked for. */
static void names(const struct tui_view *v, const struct wake_chain *c, unsigned last, char *buf,
		  size_t size)
{
	char name[32];
	unsigned i;
	size_t len = 0;

	*buf = '\0';
	for (i = c->nr > last ? c->nr - last : 0; i < c->nr && len < size; i++)
		len += (size_t)snprintf(buf + len, size - len, "%s%s", len ? " > " : "",
					name_of(v, c->task[i], name, sizeof(name)));
}

static unsigned heads(struct tui_view *v, struct line *lines, unsigned columns)
{
	(void)v;
	line__init(&lines[0], columns);
	line__put(&lines[0], THEME_HEAD, "   wakeups      %  took  first waker > .. > wakee");
	return 1;
}

static uint64_t sum_of(const struct tui_view *v)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < v->tree.nr_nodes; i++)
		sum += ((const struct wake_chain *)v->tree.nodes[i].item)->n;
	return sum;
}

static void row(struct tui_view *v, const struct tree_node *n, struct line *l)
{
	const struct wake_chain *c = n->item;
	const double percent = (double)c->n * 100 / (double)sum_of(v);
	char text[160], took[16] = "-";

	if (c->took_n)
		mig_ns__print(c->took_ns / c->took_n, took, sizeof(took));
	names(v, c, WAKE_CHAIN_TASKS, text, sizeof(text));
	line__put(l, THEME_DIM, n->open ? "- " : "+ ");
	line__printf(l, THEME_NORMAL, "%8" PRIu64 " ", c->n);
	line__printf(l, theme__percent(percent), "%6.1f", percent);
	line__printf(l, THEME_NORMAL, " %5s  %s", took, text);
}

static void text(void *ctx, const struct tree_node *n, char *buf, size_t size)
{
	names(ctx, n->item, WAKE_CHAIN_TASKS, buf, size);
}

static int open(void *ctx, struct tree_node *n)
{
	const struct tui_view *v = ctx;
	const struct wake_chain *c = n->item;
	struct tui_text tx;
	char name[32];
	unsigned i;

	if (!tui_text__open(&tx))
		return -ENOMEM;
	for (i = 0; i < c->nr; i++)
		fprintf(tx.fp, "    %*s%s%s\n", (int)i * 2, "", i ? "> " : "",
			name_of(v, c->task[i], name, sizeof(name)));
	return tui_text__close(&tx, n);
}

static int load(struct tui_view *v, struct mig_err *err)
{
	const struct wake_chains *wc;
	char pair[96];
	uint32_t i;

	v->run = v->own_run;
	wc = &v->run->task_chains;
	for (i = 0; i < wc->nr; i++) {
		names(v, &wc->c[i], 2, pair, sizeof(pair));
		if (!strcmp(pair, v->subject) && !tree__add(&v->tree, &wc->c[i], NULL))
			return mig_err__set(err, -ENOMEM, "out of memory");
	}
	if (wc->more)
		tui__say(v->tui, "too many chains: %" PRIu64 " wakeups are of none shown",
			 wc->more);
	return 0;
}

int tui__list_chains(struct tui *t, const char *pair, struct mig_err *err)
{
	struct tui_want want = { .dims = 0, .task_chains = true };
	struct tui_run *run;
	int ret = tui_run__new(t, &want, &run, err);

	return run ? tui__open_over(t, &tui_chains_ops, run, pair, err) : ret;
}

const struct tui_view_ops tui_chains_ops = {
	.name = "Wake chains",
	.load = load,
	.heads = heads,
	.row = row,
	.tree = { .text = text, .open = open },
};
