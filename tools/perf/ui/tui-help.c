// SPDX-License-Identifier: GPL-2.0
/* tui-help: the help, and what is known of the recording and its machine. */
#include "tui-int.h"

#include <errno.h>
#include <stdio.h>

#include "stdio-int.h"
#include "stdio-report.h"

static int add_section(struct tui_view *v, const char *title,
		       void (*print)(const struct tui_view *v, FILE *fp), struct mig_err *err)
{
	struct tree_node *n = tree__add(&v->tree, NULL, title);
	struct tui_text tx;

	if (!n || !tui_text__open(&tx))
		return mig_err__set(err, -ENOMEM, "out of memory");
	print(v, tx.fp);
	n->has_lines = n->open = true;
	return tui_text__close(&tx, n) ? mig_err__set(err, -ENOMEM, "out of memory") : 0;
}

static void print_keys(const struct tui_view *v, FILE *fp)
{
	(void)v;
	tui_keys__help(fp);
}

static void print_marks(const struct tui_view *v, FILE *fp)
{
	(void)v;
	fputs("  !   a lower bound: events were lost or not seen\n"
	      "  -   not known, not recorded, or too few to say\n"
	      "  + - a row that opens, that is open\n"
	      "  CPUs: . : - + * # @ from few moves to many, on a logarithmic scale\n"
	      "  Timeline: # moves, = misses of slices that end then\n",
	      fp);
}

static int load_help(struct tui_view *v, struct mig_err *err)
{
	int ret = add_section(v, "Keys", print_keys, err);

	return ret ? ret : add_section(v, "Marks", print_marks, err);
}

static void print_header(const struct tui_view *v, FILE *fp)
{
	stdio__header(v->run->session, fp);
}

static void print_summary(const struct tui_view *v, FILE *fp)
{
	stdio__summary(&v->run->report, fp);
}

static void print_warnings(const struct tui_view *v, FILE *fp)
{
	size_t i, nr = session__nr_warnings(v->run->session);

	for (i = 0; i < nr; i++)
		fprintf(fp, "  %s\n", session__warning(v->run->session, i));
	if (!nr)
		fputs("  none\n", fp);
}

static int load_environment(struct tui_view *v, struct mig_err *err)
{
	int ret;

	v->run = v->tui->run;
	ret = add_section(v, "Summary", print_summary, err);
	if (!ret)
		ret = add_section(v, "Warnings", print_warnings, err);
	return ret ? ret : add_section(v, "Recording", print_header, err);
}

const struct tui_view_ops tui_help_ops = {
	.name = "Help",
	.can = 1U << ACT_SHIFT_LEFT | 1U << ACT_SHIFT_RIGHT,
	.load = load_help,
};

const struct tui_view_ops tui_environment_ops = {
	.name = "Recording",
	.can = 1U << ACT_SHIFT_LEFT | 1U << ACT_SHIFT_RIGHT,
	.load = load_environment,
};
