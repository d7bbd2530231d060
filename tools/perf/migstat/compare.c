// SPDX-License-Identifier: GPL-2.0
/*
 * compare: results files against each other. What is read: util/runset.h; what is computed:
 * util/compare.h; how it is shown: ui/compare-view.h.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "color.h"
#include "compare-view.h"
#include "compare.h"
#include "err.h"
#include "input.h"
#include "recording.h"
#include "runset.h"
#include "series.h"

typedef int (*view_fn)(const struct compare_view *v, FILE *fp);

struct named_view {
	const char *name;
	view_fn fn;
};

static const struct named_view formats[] = {
	{ "text", compare_view__text },     { "lkp", compare_view__lkp },
	{ "suite", compare_view__suite },   { "runs", compare_view__runs },
	{ "values", compare_view__values }, { "pairs", compare_view__pairs },
	{ "json", compare_view__json },     { "csv", compare_view__csv },
	{ "go", compare_view__go },         { "ktap", compare_view__ktap },
	{ "junit", compare_view__junit },   { "openmetrics", compare_view__openmetrics },
};

static const struct named_view styles[] = {
	{ "intel", compare_view__intel },
	{ "intel-latency", compare_view__intel_latency },
	{ "amd", compare_view__amd },
	{ "amd-diff", compare_view__amd_diff },
	{ "mmtests", compare_view__mmtests },
	{ "schedstat", compare_view__schedstat },
	{ "schedstat-count", compare_view__schedstat_count },
};

enum {
	NR_FORMATS = sizeof(formats) / sizeof(formats[0]),
	NR_STYLES = sizeof(styles) / sizeof(styles[0])
};

struct cmd {
	char **file;
	int nr_files;
	struct compare_options opts;
	struct compare_view view;
	view_fn fn;
	const char *aa; /* file of the second control arm, or "split" */
	const char *fail_on;
	const char *output;
	bool strict, series;
	struct series_list *lists; /* with series: one for each block */
	enum color_mode color;
};

enum {
	KEY_FORMAT = 0x3000,
	KEY_STYLE,
	KEY_AA,
	KEY_FDR,
	KEY_ALPHA,
	KEY_PRIMARY,
	KEY_BETTER,
	KEY_CORR,
	KEY_FAIL_ON,
	KEY_STRICT,
	KEY_PER_LINE,
	KEY_ALIKE,
	KEY_COLOR,
	KEY_SERIES,
};

static const struct argp_option options[] = {
	{ NULL, 0, NULL, 0, "Output:", 1 },
	{ "format", KEY_FORMAT, "FORMAT", 0,
	  "text, lkp, suite, runs, values, pairs, json, csv, go, ktap, junit, openmetrics", 1 },
	{ "style", KEY_STYLE, "STYLE", 0,
	  "as authors post it: intel, intel-latency, amd, amd-diff, mmtests, schedstat, "
	  "schedstat-count",
	  1 },
	{ "series", KEY_SERIES, NULL, 0,
	  "the files in order (commits, dates): plots, and which is the first bad", 1 },
	{ "output", 'o', "FILE", 0, "write to FILE, all or nothing", 1 },
	{ "all", 'a', NULL, 0, "all metrics, not only what changed", 1 },
	{ "verbose", 'v', NULL, 0, "intervals and full names", 1 },
	{ "corr", KEY_CORR, NULL, 0, "correlations of the primary metrics over the runs", 1 },
	{ "no-fold", KEY_ALIKE, NULL, 0, "show rows that say the same one by one", 1 },
	{ "per-line", KEY_PER_LINE, "N", 0, "runs in a line of --format=runs (5)", 1 },
	{ "color", KEY_COLOR, "WHEN", OPTION_ARG_OPTIONAL, "auto, always, never", 1 },
	{ NULL, 0, NULL, 0, "What is judged:", 2 },
	{ "primary", KEY_PRIMARY, "NAME[,NAME]", 0, "the metrics that decide", 2 },
	{ "better", KEY_BETTER, "NAME=WAY[,...]", 0, "WAY is higher, lower or none", 2 },
	{ "alpha", KEY_ALPHA, "P", 0, "level for the primary metrics (0.05)", 2 },
	{ "fdr", KEY_FDR, "Q", 0, "share of false ones among the others shown (0.05)", 2 },
	{ "aa", KEY_AA, "FILE", 0,
	  "a second measurement of the base, as control; 'split': its odd and even runs", 2 },
	{ NULL, 0, NULL, 0, "Exit code:", 3 },
	{ "fail-on", KEY_FAIL_ON, "COND[,COND]", 0,
	  "1 if 'NAME>+5%' (change) or 'NAME>1000' (mean) holds", 3 },
	{ "strict", KEY_STRICT, NULL, 0, "1 also where the runs are too few to tell", 3 },
	{ 0 },
};

static view_fn find_view(const struct named_view *list, int nr, const char *name)
{
	for (int i = 0; i < nr; i++)
		if (!strcmp(list[i].name, name))
			return list[i].fn;
	return NULL;
}

/* A number above 0 and up to max. */
static double number(const char *arg, double max, const char *option, struct argp_state *state)
{
	char *end;
	double v = strtod(arg, &end);

	if (end == arg || *end || !(v > 0 && v <= max))
		argp_error(state, "%s %s: use a number above 0, up to %g", option, arg, max);
	return v;
}

static error_t parse_judged(int key, char *arg, struct argp_state *state)
{
	struct cmd *cmd = state->input;

	switch (key) {
	case KEY_PRIMARY:
		cmd->opts.primary = arg;
		return 0;
	case KEY_BETTER:
		cmd->opts.better = arg;
		return 0;
	case KEY_ALPHA:
		cmd->opts.alpha = number(arg, 0.5, "--alpha", state);
		return 0;
	case KEY_FDR:
		cmd->opts.fdr = number(arg, 0.5, "--fdr", state);
		return 0;
	case KEY_AA:
		cmd->aa = arg;
		return 0;
	case KEY_FAIL_ON:
		cmd->fail_on = arg;
		return 0;
	case KEY_STRICT:
		cmd->strict = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct cmd *cmd = state->input;

	switch (key) {
	case KEY_FORMAT:
		cmd->fn = find_view(formats, NR_FORMATS, arg);
		if (!cmd->fn)
			argp_error(state, "--format %s: there is no such format, see -h", arg);
		return 0;
	case KEY_STYLE:
		cmd->fn = find_view(styles, NR_STYLES, arg);
		if (!cmd->fn)
			argp_error(state, "--style %s: there is no such style, see -h", arg);
		return 0;
	case 'o':
		cmd->output = arg;
		return 0;
	case KEY_SERIES:
		cmd->series = true;
		return 0;
	case 'a':
		cmd->opts.all = cmd->view.all = true;
		return 0;
	case 'v':
		cmd->view.verbose = true;
		return 0;
	case KEY_CORR:
		cmd->view.corr = true;
		return 0;
	case KEY_ALIKE:
		cmd->opts.keep_alike = true;
		return 0;
	case KEY_PER_LINE:
		cmd->view.per_line = number(arg, 1000, "--per-line", state);
		return 0;
	case KEY_COLOR:
		if (color__parse(arg, &cmd->color))
			argp_error(state, "--color %s: use auto, always or never", arg);
		return 0;
	case ARGP_KEY_ARGS:
		cmd->file = state->argv + state->next;
		cmd->nr_files = state->argc - state->next;
		return 0;
	case ARGP_KEY_END:
		if (cmd->series && (cmd->fn || cmd->aa || cmd->fail_on || cmd->view.corr))
			argp_error(state, "--series goes without --format, --style, --aa, --corr "
					  "and --fail-on");
		if (!cmd->fn)
			cmd->fn = cmd->series ? compare_view__series : compare_view__text;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "name the results files to compare, the base first");
		return 0;
	default:
		return parse_judged(key, arg, state);
	}
}

const struct argp mig_compare_argp = {
	.options = options,
	.parser = parse,
	.args_doc = "[NAME=]FILE...",
	.doc = "Compares repeated runs: what changed, for better or worse, and is it proven.",
};

/* Recordings of one NAME are runs of one arm; without a name each is an arm of its own. */
static int read_recording(struct runset *set, const char *path, const char *name,
			  struct mig_err *err)
{
	struct input_opts in = { .session.input = path, .quiet = true };
	char *own = name ? strdup(name) : runset__name_of(path);
	struct session *s;
	int rc;

	if (!own)
		return mig_err__set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < set->nr && !name; i++)
		if (!strcmp(set->arm[i].name, own))
			name = path;
	rc = input__open(&in, &s, err);
	if (!rc) {
		rc = recording__add(set, name ? name : own, s, err);
		session__delete(s);
	}
	free(own);
	return rc;
}

static int read_path(struct runset *set, const char *path, const char *name, struct mig_err *err)
{
	return recording__is_one(path) ? read_recording(set, path, name, err)
				       : runset__read(set, path, name, err);
}

/* "NAME=FILE", where FILE alone does not exist. */
static int read_file(struct runset *set, char *arg, struct mig_err *err)
{
	char *eq = strchr(arg, '='), *name;
	FILE *f = eq ? fopen(arg, "re") : NULL;
	int rc;

	if (!eq || f) {
		if (f)
			fclose(f);
		return read_path(set, arg, NULL, err);
	}
	name = strndup(arg, eq - arg);
	rc = name ? read_path(set, eq + 1, name, err) : mig_err__set(err, -ENOMEM, "out of memory");
	free(name);
	return rc;
}

/* Every second run of the base into an arm of its own, each way. */
static int split_base(struct runset *set, struct runset *halves, struct mig_err *err)
{
	struct run_arm *base = &set->arm[0], *arm;
	struct run *run;
	int rc = 0;

	for (int half = 0; half < 2 && !rc; half++) {
		rc = runset__arm(halves, half ? "even runs" : base->name, base->group, &arm);
		for (size_t i = half; i < base->nr_runs && !rc; i += 2) {
			rc = run_arm__add_run(arm, &run);
			if (!rc)
				run->status = base->run[i].status;
			for (size_t m = 0; m < base->nr_metrics && !rc; m++)
				rc = run_arm__set(arm, base->metric[m].name,
						  base->metric[m].value[i]);
		}
	}
	return rc ? mig_err__set(err, rc, "out of memory") : 0;
}

/* The control. With "split" the base is its odd runs while the control is looked at. */
static int read_control(struct cmd *cmd, struct runset *set, struct runset *aa, struct mig_err *err)
{
	int rc;

	if (!cmd->aa)
		return 0;
	if (!strcmp(cmd->aa, "split")) {
		rc = split_base(set, aa, err);
		if (!rc)
			cmd->opts.aa = &aa->arm[1];
		if (!rc && !aa->arm[1].nr_runs)
			rc = mig_err__set(err, -ENODATA, "--aa split: %s has one run only",
					  set->arm[0].name);
		return rc;
	}
	rc = read_path(aa, cmd->aa, NULL, err);
	if (!rc && aa->nr > 1) {
		mig_err__set(err, -EINVAL, "--aa %s: it holds %zu arms, one is needed", cmd->aa,
			     aa->nr);
		return mig_err__hint(err, "measure the base once more with perf migstat stat -o");
	}
	if (!rc)
		cmd->opts.aa = &aa->arm[0];
	return rc;
}

/* Writes beside the file and renames, so that there is never half a file. */
static int print(const struct cmd *cmd, struct mig_err *err)
{
	char tmp[4096];
	FILE *fp = stdout;
	int rc;

	if (cmd->output) {
		snprintf(tmp, sizeof(tmp), "%s.tmp.%d", cmd->output, (int)getpid());
		fp = fopen(tmp, "we");
		if (!fp)
			return mig_err__set(err, -errno, "%s: %s", tmp, strerror(errno));
	}
	rc = cmd->fn(&cmd->view, fp);
	if (!rc && fflush(fp))
		rc = -errno;
	if (cmd->output) {
		fclose(fp);
		if (!rc && rename(tmp, cmd->output))
			rc = -errno;
		if (rc)
			remove(tmp);
	}
	return rc ? mig_err__set(err, rc, "%s: %s", cmd->output ? cmd->output : "standard output",
				 strerror(-rc))
		  : 0;
}

/* Says on stderr which conditions hold. Returns the exit code, or a negative errno. */
static int gate_one(const struct cmd *cmd, const struct compare *c, struct mig_err *err)
{
	struct compare_gate *gate;
	int code = MIG_EXIT_OK, rc;
	size_t nr;

	rc = compare__gate(c, cmd->fail_on, &gate, &nr, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < nr; i++) {
		const struct compare_gate *g = &gate[i];

		if (g->missing) {
			rc = mig_err__set(err, -ENODATA,
					  "--fail-on %.*s: no such figure in %s and %s", g->len,
					  g->text, c->base->name, c->other->name);
			break;
		}
		if (!g->tripped)
			continue;
		fprintf(stderr, "%s: %.*s holds: %g%s\n", c->other->name, g->len, g->text, g->value,
			g->undecided ? " (but these runs do not prove a change)" : "");
		if (!g->undecided || cmd->strict)
			code = MIG_EXIT_DIFFERENT;
	}
	free(gate);
	return rc ? rc : code;
}

/* Of one comparison. */
static int judge(const struct cmd *cmd, const struct compare *c, struct mig_err *err)
{
	if (cmd->fail_on)
		return gate_one(cmd, c, err);
	return compare__is_worse(c, cmd->strict) ? MIG_EXIT_DIFFERENT : MIG_EXIT_OK;
}

static int exit_code(const struct cmd *cmd, struct mig_err *err)
{
	const struct compare_table *t = cmd->view.table;
	int code = MIG_EXIT_OK, rc;

	for (size_t b = 0; b < t->nr; b++) {
		if (cmd->series) {
			if (series_list__is_worse(&cmd->lists[b]))
				code = MIG_EXIT_DIFFERENT;
			continue;
		}
		for (size_t k = 0; k < t->block[b].nr; k++) {
			rc = judge(cmd, &t->block[b].c[k], err);
			if (rc < 0)
				return rc;
			if (rc > code)
				code = rc;
		}
	}
	return code;
}

static int build_series(struct cmd *cmd, const struct compare_table *t, struct mig_err *err)
{
	int rc = 0;

	if (!cmd->series)
		return 0;
	cmd->lists = calloc(t->nr + 1, sizeof(*cmd->lists));
	for (size_t b = 0; b < t->nr && cmd->lists && !rc; b++)
		rc = series_list__build(&cmd->lists[b], &t->block[b]);
	cmd->view.series = cmd->lists;
	return rc || !cmd->lists ? mig_err__set(err, -ENOMEM, "out of memory") : 0;
}

static int run(struct cmd *cmd, struct runset *set, struct runset *aa, struct mig_err *err)
{
	struct compare_table table = { 0 };
	int rc = 0;

	for (int i = 0; i < cmd->nr_files && !rc; i++)
		rc = read_file(set, cmd->file[i], err);
	if (!rc && set->nr < 2) {
		mig_err__set(err, -ENODATA, "%s holds one arm (%s): nothing to compare it with",
			     cmd->file[0], set->arm[0].name);
		rc = mig_err__hint(err, "name a second file, or perf migstat stat -i FILE to "
					"show one");
	}
	if (!rc)
		rc = read_control(cmd, set, aa, err);
	if (!rc)
		rc = compare_table__build(&table, set, &cmd->opts, err);
	if (rc)
		return rc;
	cmd->view.table = &table;
	cmd->view.set = set;
	rc = build_series(cmd, &table, err);
	if (!rc)
		rc = print(cmd, err);
	if (!rc)
		rc = exit_code(cmd, err);
	for (size_t b = 0; cmd->lists && b < table.nr; b++)
		series_list__exit(&cmd->lists[b]);
	free(cmd->lists);
	compare_table__exit(&table);
	return rc;
}

int cmd_compare(int argc, char **argv)
{
	struct cmd cmd = { .opts = { .alpha = 0.05, .fdr = 0.05 }, .view = { .per_line = 5 } };
	struct runset set = { 0 }, aa = { 0 };
	struct mig_err err = { 0 };
	int rc;

	if (options__parse(&mig_compare_argp, "compare", 0, argc, argv, &cmd))
		return MIG_EXIT_USAGE;
	color__init(cmd.output ? COLOR_NEVER : cmd.color);
	rc = run(&cmd, &set, &aa, &err);
	runset__exit(&aa);
	runset__exit(&set);
	if (rc >= 0)
		return rc;
	rc = mig_err__print(&err);
	return rc == MIG_EXIT_FAILED ? MIG_EXIT_TROUBLE : rc;
}
