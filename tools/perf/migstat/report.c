// SPDX-License-Identifier: GPL-2.0
/*
 * report: who wakes whom, how often the wakee moves, along which path, after which delay, at what
 * cost. Reads a recording once and shows the rows of --by.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "color.h"
#include "cost-file.h"
#include "input.h"
#include "json.h"
#include "pager.h"
#include "perfconfig.h"
#include "report.h"
#include "stdio-report.h"
#include "tui.h"

enum { MAX_GROUPS = 64 };

struct report_opts {
	struct input_opts in;
	const char *by, *fields, *sort, *separator, *cost;
	const char *group[MAX_GROUPS];
	int nr_groups;
	double percent_limit;
	uint64_t within_ns; /* 0 = the default */
	const char *debuginfod_urls;
	bool debuginfod, symbols;
	bool llc, json, stdio, tui, irq, fine, matrix, header, header_only, no_pager, list_fields;
	enum color_mode color;
};

enum {
	KEY_BY = 0x2000,
	KEY_JSON,
	KEY_STDIO,
	KEY_TUI,
	KEY_PERCENT_LIMIT,
	KEY_HEADER,
	KEY_HEADER_ONLY,
	KEY_COLOR,
	KEY_NO_PAGER,
	KEY_IRQ,
	KEY_FINE,
	KEY_LIST_FIELDS,
	KEY_MATRIX,
	KEY_COST,
	KEY_LLC,
	KEY_WITHIN,
	KEY_OVERLAP,
	KEY_GROUP,
	KEY_DEBUGINFOD,
};

static const struct argp_option report_options[] = {
	{ NULL, 0, NULL, 0, "Rows and columns:", 4 },
	{ "by", KEY_BY, "LIST", 0,
	  "group by pair (default), tids, path, mechanism, cause, distance, task, cpu, comm, or "
	  "several; by cgroup, vm, role, group, or cgroup-pair and its like; symbol",
	  4 },
	{ "debuginfod", KEY_DEBUGINFOD, "URLS", OPTION_ARG_OPTIONAL,
	  "--by symbol: ask these servers for files, 5 s each (default: none is asked)", 4 },
	{ "group", KEY_GROUP, "NAME=REGEX", 0,
	  "a group for --by group: tasks whose name matches (several: the first)", 4 },
	{ "sort", 's', "KEYS", 0, "columns to sort by; -KEY reverses", 4 },
	{ "fields", 'F', "LIST", 0, "columns to show; +X adds, -X takes away", 4 },
	{ "list-fields", KEY_LIST_FIELDS, NULL, 0, "print all columns and what they mean", 4 },
	{ "percent-limit", KEY_PERCENT_LIMIT, "N", 0,
	  "fold rows below N percent (default 1 for pairs as text, else 0)", 4 },
	{ "irq", KEY_IRQ, NULL, 0, "show the tasks that interrupts hit as wakers, not [irq]", 4 },
	{ "fine", KEY_FINE, NULL, 0, "all causes, not their classes", 4 },
	{ "overlap-threshold", KEY_OVERLAP, "TIME", 0,
	  "how long a waker may keep its CPU for a sync wakeup (default 500us)", 4 },
	{ "matrix", KEY_MATRIX, NULL, 0, "moves from CPU to CPU instead of rows", 4 },
	{ "llc", KEY_LLC, NULL, 0, "last-level caches instead of rows: who leaves, who comes back",
	  4 },
	{ "within", KEY_WITHIN, "TIME", 0,
	  "how soon a move must follow another to undo or repeat it (10ms)", 4 },
	{ "cost", KEY_COST, "FILE", 0,
	  "put time next to extra misses; perf migstat cost --json made FILE", 4 },
	{ NULL, 0, NULL, 0, "Output:", 5 },
	{ "tui", KEY_TUI, NULL, 0, "browse it (default on a terminal)", 5 },
	{ "stdio", KEY_STDIO, NULL, 0, "text on standard output", 5 },
	{ "json", KEY_JSON, NULL, 0, "JSON, schema migstat.report/1", 5 },
	{ "field-separator", 't', "SEP", 0, "values with SEP between them, raw, for scripts", 5 },
	{ NULL, 'x', "SEP", 0, "the same, as perf stat calls it", 5 },
	{ "header", KEY_HEADER, NULL, 0, "print the recording's header first", 5 },
	{ "header-only", KEY_HEADER_ONLY, NULL, 0, "print only that", 5 },
	{ "color", KEY_COLOR, "WHEN", OPTION_ARG_OPTIONAL, "always, never or auto (default)", 5 },
	{ "stdio-color", KEY_COLOR, NULL, OPTION_ALIAS, NULL, 5 },
	{ "no-pager", KEY_NO_PAGER, NULL, 0, "do not page", 5 },
	{ 0 },
};

static const struct argp_child report_children[] = { { &input_argp, 0, NULL, 0 }, { 0 } };

static double parse_percent(const char *arg, struct argp_state *state)
{
	char *end;
	double v = strtod(arg, &end);

	if (end == arg || (*end && strcmp(end, "%")) || !(v >= 0 && v <= 100))
		argp_error(state, "--percent-limit %s: not a percentage", arg);
	return v;
}

/* "10ms", "500us", "1s"; at least 1 ns, at most a day */
static uint64_t parse_ns(const char *arg, const char *option, struct argp_state *state)
{
	char *end;
	double v = strtod(arg, &end), ns;

	ns = !strcmp(end, "s")    ? v * 1e9
	     : !strcmp(end, "ms") ? v * 1e6
	     : !strcmp(end, "us") ? v * 1e3
	     : !strcmp(end, "ns") ? v
				  : 0;
	if (end == arg || !(ns >= 1 && ns <= 86400e9))
		argp_error(state, "%s %s: not a time like 10ms, 500us or 1s", option, arg);
	return (uint64_t)ns;
}

static error_t report_parse(int key, char *arg, struct argp_state *state)
{
	struct report_opts *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		input__init(&o->in, state);
		break;
	case KEY_BY:
		o->by = arg;
		break;
	case 's':
		o->sort = arg;
		break;
	case 'F':
		o->fields = arg;
		break;
	case KEY_LIST_FIELDS:
		o->list_fields = true;
		break;
	case KEY_PERCENT_LIMIT:
		o->percent_limit = parse_percent(arg, state);
		break;
	case KEY_IRQ:
		o->irq = true;
		break;
	case KEY_OVERLAP:
		o->in.session.overlap_ns = parse_ns(arg, "--overlap-threshold", state);
		break;
	case KEY_MATRIX:
		o->matrix = true;
		break;
	case KEY_FINE:
		o->fine = true;
		break;
	case KEY_LLC:
		o->llc = true;
		break;
	case KEY_WITHIN:
		o->within_ns = parse_ns(arg, "--within", state);
		break;
	case KEY_DEBUGINFOD:
		o->debuginfod = true;
		o->debuginfod_urls = arg;
		break;
	case KEY_GROUP:
		if (o->nr_groups == MAX_GROUPS)
			argp_error(state, "--group: more than %d groups", MAX_GROUPS);
		o->group[o->nr_groups++] = arg;
		break;
	case KEY_COST:
		o->cost = arg;
		break;
	case KEY_STDIO:
	case KEY_TUI:
		o->json = false;
		o->stdio = key == KEY_STDIO;
		o->tui = key == KEY_TUI;
		break;
	case KEY_JSON:
		o->json = true;
		break;
	case 't':
	case 'x':
		o->separator = arg;
		if (!*arg)
			argp_error(state, "the separator is empty");
		break;
	case KEY_HEADER:
		o->header = true;
		break;
	case KEY_HEADER_ONLY:
		o->header_only = true;
		break;
	case KEY_COLOR:
		if (color__parse(arg, &o->color))
			argp_error(state, "--color %s: use always, never or auto", arg);
		break;
	case KEY_NO_PAGER:
		o->no_pager = true;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp mig_report_argp = {
	.options = report_options,
	.parser = report_parse,
	.doc = "Shows who wakes whom, how often the wakee moves, and what that costs.",
	.children = report_children,
};

static int list_fields(void)
{
	const struct mig_column *const *t, *c;

	for_each_column(t, c) printf("%-18s %s\n", c->name, c->what);
	return MIG_EXIT_OK;
}

/* Damage in the middle: what was read is shown, the error follows, the exit code tells. */
static int show(const struct report_opts *o, const struct report *r)
{
	if (o->separator && report__lost(r) && !o->in.quiet)
		fprintf(stderr,
			"Warning: %" PRIu64 " events were lost: figures are bounds; -F +lost "
			"shows the rows that this touches\n",
			report__lost(r));
	if (r->prices && report__no_prices(r) && (o->separator || o->json))
		fprintf(stderr, "Warning: --cost: extra misses get no time: %s\n",
			report__no_prices(r));
	if (o->json)
		return json__report(r, stdout);
	if (o->separator)
		return stdio__separated(r, o->separator, stdout);
	return stdio__report(r, stdout);
}

/* As perf has it: PERF_BUILDID_DIR, else ~/.debug. */
static const char *buildid_dir(char *buf, size_t size)
{
	const char *home = getenv("HOME"), *dir = getenv("PERF_BUILDID_DIR");

	snprintf(buf, size, "%s/.debug", home ? home : "");
	return dir ? dir : home ? buf : NULL;
}

static int run(const struct report_opts *o, struct session *s, uint32_t dims,
	       const struct cost_file *prices, struct mig_err *err)
{
	bool text = !o->json && !o->separator;
	struct report r;
	char dir[512];
	int ret = 0, out;

	report__init(&r, s, dims);
	r.fields = o->fields;
	r.sort_arg = o->sort;
	r.prices = prices;
	/* the mail's reader wants the pairs that matter: below 1% they share a line, unless asked
	 * for */
	r.percent_limit = o->percent_limit >= 0              ? o->percent_limit
			  : text && !o->in.verbose && !o->by ? 1
							     : 0;
	r.verbose = o->in.verbose;
	r.fine = o->fine;
	r.table.open_irq = o->irq;
	r.pair_detail = o->in.session.pair && !o->by && text && !o->matrix && !o->llc &&
			!o->symbols;
	r.max_slowest = r.pair_detail ? 5 : 0;
	r.text = text;
	r.matrix = o->matrix;
	r.want_llc = o->llc;
	r.want_symbols = o->symbols;
	r.symbols.dsos.symfs = s->opts.symfs;
	r.symbols.dsos.buildid_dir = buildid_dir(dir, sizeof(dir));
	r.want_insights = !o->separator && !o->by && !o->in.session.pair && !o->symbols &&
			  !(text && (o->matrix || o->llc));
	if (r.want_insights && text)
		r.want |= 1U << MIG_PART_BOUNCE;
	if (o->within_ns)
		r.within_ns = o->within_ns;
	for (int i = 0; i < o->nr_groups && !ret; i++)
		ret = labels__add_rule(&r.labels, o->group[i], err);
	if (!ret)
		ret = report__run(&r, err);
	input__warn(&o->in, s);
	if (s->is_ready && (!ret || s->dec.nr_samples)) {
		if (text) {
			if (!o->no_pager)
				pager__start();
			color__init(o->color);
		}
		if (o->header || o->header_only)
			stdio__header(r.session, stdout);
		out = o->header_only ? 0 : show(o, &r);
		if (!ret && out == -ENOMEM)
			ret = mig_err__set(err, out, "out of memory");
		if ((fflush(stdout) || out) && !ret)
			ret = mig_err__set(err, -EIO, "standard output: %s", strerror(errno));
	}
	report__exit(&r);
	return ret;
}

/*
 * As perf does: on a terminal, unless the configuration says tui.migstat = off; --tui and --stdio
 * say more than both. What cannot be browsed is text; where --tui asked for it, why is said.
 */
static bool want_tui(const struct report_opts *o, struct mig_err *err)
{
	const char *why = NULL;
	bool on = true;

	if (!o->tui)
		perfconfig__get_bool("tui", "migstat", &on);
	err->code = 0;
	if (!on || o->stdio || o->json || o->separator || o->matrix || o->llc || o->symbols ||
	    o->header || o->header_only)
		why = o->tui ? "--json, --field-separator, --matrix, --llc, --by symbol and --header are text"
			     : "";
	else if (o->in.session.pair && !o->by && !o->tui)
		why = ""; /* the detail of one pair, as the report's last line calls it */
	else if (!strcmp(o->in.session.input, "-"))
		why = "standard input can be read only once, the views read the recording again";
	else
		tui__can(&why);
	if (why && o->tui)
		mig_err__set(err, -ENOTTY, "--tui: %s", why);
	return !why;
}

static int browse(const struct report_opts *o, struct session *s, uint32_t dims,
		  const struct cost_file *prices, struct mig_err *err)
{
	char dir[512];
	struct tui_opts opts = {
		.dims = dims,
		.fields = o->fields,
		.sort = o->sort,
		.prices = prices,
		.buildid_dir = buildid_dir(dir, sizeof(dir)),
		.groups = o->group,
		.nr_groups = o->nr_groups,
		.percent_limit = o->percent_limit,
		.open_irq = o->irq,
		.fine = o->fine,
		.verbose = o->in.verbose,
	};
	struct mig_err failed;
	struct tui *t;
	int ret = tui__load(&opts, s, &t, &failed), shown;

	if (!t) {
		*err = failed;
		return ret;
	}
	input__warn(&o->in, tui__session(t));
	shown = tui__show(t, ret ? &failed : NULL, err);
	tui__delete(t);
	if (!shown && ret)
		*err = failed;
	return shown ? shown : ret;
}

static int open_and_show(struct report_opts *o, uint32_t dims, struct mig_err *err)
{
	struct cost_file cost = { 0 };
	const struct cost_file *prices = o->cost ? &cost : NULL;
	struct session *s;
	int ret = prices ? cost_file__read(o->cost, &cost, err) : 0;

	if (ret)
		return ret;
	o->in.session.need_cgroups = mig_dims__label(dims) == LABEL_CGROUP;
	o->in.session.want_cgroups = o->in.session.need_cgroups ||
				     mig_dims__label(dims) == LABEL_ROLE;
	ret = input__open(&o->in, &s, err);
	if (ret)
		goto out;
	if (want_tui(o, err)) {
		ret = browse(o, s, dims, prices, err);
	} else {
		ret = err->code ? err->code : run(o, s, dims, prices, err);
		session__delete(s);
		pager__wait();
	}
out:
	cost_file__exit(&cost);
	return ret;
}

/* Groups are known to be good before the recording is read; they come with --by group. */
static int check_groups(const struct report_opts *o, uint32_t dims, struct mig_err *err)
{
	bool by_group = mig_dims__label(dims) == LABEL_GROUP;
	struct labels l = { 0 };
	int ret = 0;

	if (by_group != (o->nr_groups > 0)) {
		mig_err__usage(err, by_group ? "--by group: there is no group"
					     : "--group: groups are shown by --by group");
		return mig_err__hint(err, "--by group --group 'NAME=REGEX'");
	}
	for (int i = 0; i < o->nr_groups && !ret; i++)
		ret = labels__add_rule(&l, o->group[i], err);
	labels__exit(&l);
	return ret;
}

/* libdwfl asks the servers that the environment names; that is for the user to want. */
static int check_symbols(struct report_opts *o, struct mig_err *err)
{
	if (o->debuginfod && !o->symbols) {
		mig_err__usage(err, "--debuginfod: files are looked for by --by symbol");
		return mig_err__hint(err, "perf migstat report --by symbol --debuginfod");
	}
	if (!o->debuginfod)
		unsetenv("DEBUGINFOD_URLS");
	else if (o->debuginfod_urls)
		setenv("DEBUGINFOD_URLS", o->debuginfod_urls, 1);
	else if (!getenv("DEBUGINFOD_URLS"))
		return mig_err__usage(err, "--debuginfod: no server: --debuginfod=URLS, or "
					   "DEBUGINFOD_URLS in the environment");
	setenv("DEBUGINFOD_TIMEOUT", "5", 0);
	setenv("DEBUGINFOD_MAXTIME", "5", 0);
	o->in.session.want_mmaps = o->symbols;
	return 0;
}

int cmd_report(int argc, char **argv)
{
	struct report_opts o = { .percent_limit = -1 };
	struct mig_err err;
	uint32_t dims;
	int ret;

	if (options__parse(&mig_report_argp, "report", 0, argc, argv, &o))
		return MIG_EXIT_USAGE;
	if (o.list_fields)
		return list_fields();
	if (o.json && (o.header || o.header_only)) {
		mig_err__usage(&err, "--header: JSON has no header lines");
		mig_err__hint(&err, "use --header-only without --json");
		return mig_err__print(&err);
	}
	o.symbols = o.by && !strcmp(o.by, "symbol");
	if (o.symbols)
		o.by = NULL; /* run times of pairs are what there is beside */
	ret = mig_table__parse_by(o.by ? o.by : "pair", &dims, &err);
	if (!ret)
		ret = check_groups(&o, dims, &err);
	if (!ret)
		ret = check_symbols(&o, &err);
	if (!ret)
		ret = open_and_show(&o, dims, &err);
	return ret ? mig_err__print(&err) : MIG_EXIT_OK;
}
