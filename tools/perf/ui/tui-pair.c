// SPDX-License-Identifier: GPL-2.0
/*
 * tui-pair: one pair: wake paths and placements, causes and moves, the slowest wakeups, and the
 * callchains that woke. The figures are those of report --pair; the recording was read once more
 * for them.
 */
#include "tui-int.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "chain.h"
#include "column.h"
#include "fact-text.h"
#include "stdio-int.h"

#define MAX_CHAINS 30
#define MAX_SLOW   20

static void print_slowest(const struct tui_run *run, FILE *fp)
{
	const struct report *r = &run->report;
	unsigned i;

	for (i = 0; i < r->slowest.nr && i < MAX_SLOW; i++)
		fact_text__wakeup(r->session, &r->slowest.w[i], false, fp);
}

/* Leaf first, as many frames as there are. */
static void print_chain(const struct session *s, const struct chain_count *c, uint64_t total,
			FILE *fp)
{
	const char *names[CHAIN_MAX_DEPTH];
	size_t i, nr = chain_table__names(&s->chains, c->chain, names, CHAIN_MAX_DEPTH);
	char mean[16] = "-";

	if (c->delay_n)
		mig_ns__print(c->delay_ns / c->delay_n, mean, sizeof(mean));
	fprintf(fp, "%8" PRIu64 " %5.1f%%  mean delay %5s  ", c->n,
		(double)c->n * 100 / (double)total, mean);
	for (i = 0; i < nr; i++)
		fprintf(fp, "%s%s", i ? " < " : "", names[i] ? names[i] : "?");
	fputs(nr ? "\n" : "(no callchain)\n", fp);
}

static void print_chains(const struct tui_run *run, FILE *fp)
{
	uint32_t i;

	for (i = 0; i < run->chains.nr && i < MAX_CHAINS; i++)
		print_chain(run->report.session, &run->chains.c[i], run->report.sum.wakeups, fp);
	if (i < run->chains.nr)
		fprintf(fp, "(%u more)\n", run->chains.nr - i);
}

static const struct mig_row *all_of(const struct report *r)
{
	return r->all.rows[0];
}

static void print_head(const struct tui_run *run, FILE *fp)
{
	stdio__pair_head(&run->report, all_of(&run->report), fp);
}

static void print_sides(const struct tui_run *run, FILE *fp)
{
	stdio__pair_sides(&run->report, all_of(&run->report), fp);
	stdio__pair_notes(&run->report, all_of(&run->report), fp);
}

static void print_causes(const struct tui_run *run, FILE *fp)
{
	int i;

	stdio__cause_head(&run->report, fp);
	for (i = 0; i < MIG_NR_CLASS; i++)
		stdio__cause_class(&run->report, i, fp);
}

static void print_matrix(const struct tui_run *run, FILE *fp)
{
	stdio__matrix(&run->report, fp);
}

static void print_busiest(const struct tui_run *run, FILE *fp)
{
	stdio__pair_busiest(&run->report, all_of(&run->report), fp);
}

static void print_symbols(const struct tui_run *run, FILE *fp)
{
	stdio__symbols(&run->report, fp);
}

static const struct {
	const char *title;
	void (*print)(const struct tui_run *run, FILE *fp);
} sections[] = {
	{ "Wakeups", print_head },
	{ "Wake paths and placements", print_sides },
	{ "Moves of the wakee, by cause", print_causes },
	{ "Moves of the wakee, from CPU to CPU", print_matrix },
	{ "Busiest pairs of threads", print_busiest },
	{ "Slowest wakeups", print_slowest },
	{ "Functions that miss after its wakeups", print_symbols },
	{ "Call chains that woke, innermost first; w: chains of tasks", print_chains },
};

static int load(struct tui_view *v, struct mig_err *err)
{
	const struct report *r;
	struct tree_node *n;
	struct tui_text tx;
	uint32_t i;
	int ret = 0;

	v->run = v->own_run;
	r = &v->run->report;
	if (!r->all.nr || !all_of(r)->wakeups)
		return mig_err__set(err, -ENOENT, "no wakeup of this pair in the selection");
	for (i = 0; i < sizeof(sections) / sizeof(sections[0]) && !ret; i++) {
		if (sections[i].print == print_symbols && !r->symbols.nr) /* not sampled */
			continue;
		n = tree__add(&v->tree, NULL, sections[i].title);
		if (!n || !tui_text__open(&tx))
			return mig_err__set(err, -ENOMEM, "out of memory");
		sections[i].print(v->run, tx.fp);
		ret = tui_text__close(&tx, n);
		n->has_lines = true;
		n->open = n->nr_lines;
	}
	return ret ? mig_err__set(err, ret, "out of memory") : 0;
}

static int act(struct tui_view *v, enum tui_action action, struct mig_err *err)
{
	if (action == ACT_LIST)
		return tui__open_over(v->tui, &tui_moves_ops, NULL, v->subject, err);
	if (action == ACT_CHAINS)
		return tui__list_chains(v->tui, v->subject, err);
	return tui__do(v->tui, ACT_FOLD, err);
}

const struct tui_view_ops tui_pair_ops = {
	.name = "Pair",
	.can = 1U << ACT_OPEN | 1U << ACT_LIST | 1U << ACT_CHAINS | 1U << ACT_SHIFT_LEFT |
	       1U << ACT_SHIFT_RIGHT,
	.load = load,
	.act = act,
};
