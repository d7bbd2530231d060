// SPDX-License-Identifier: GPL-2.0
/*
 * stat: runs a command several times under perf stat, one row a run, and keeps all of it in a
 * results file. One run: util/measure.h; the file: util/runset.h; the table: ui/runs-table.h.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "collect.h"
#include "err.h"
#include "measure.h"
#include "probe.h"
#include "runs-table.h"
#include "runset.h"

#define DEFAULT_EVENTS \
	"cache-misses,cache-references,cpu-migrations,context-switches,page-faults,duration_time"

struct stat_cmd {
	struct measure m;
	struct value_finder finder;
	char perf[PATH_MAX];
	const char *value, *better, *output, *input, *name, *group, *note, *fields;
	char *events; /* owned */
	long runs, warmup;
	bool table, verbose, has_finder;
	bool header_written;
};

enum {
	KEY_VALUE = 0x4000,
	KEY_VALUE_CMD,
	KEY_BETTER,
	KEY_WARMUP,
	KEY_PRE,
	KEY_POST,
	KEY_TIMEOUT,
	KEY_TABLE,
	KEY_NOTE,
	KEY_NAME,
	KEY_GROUP,
	KEY_FIELDS,
	KEY_NO_MONITOR,
};

static const struct argp_option options[] = {
	{ NULL, 0, NULL, 0, "Runs:", 1 },
	{ "repeat", 'r', "N", 0, "how often (1)", 1 },
	{ "warmup", KEY_WARMUP, "N", 0, "runs before that, not counted (0)", 1 },
	{ "pre", KEY_PRE, "CMD", 0, "shell command before each run", 1 },
	{ "post", KEY_POST, "CMD", 0, "shell command after each run", 1 },
	{ "timeout", KEY_TIMEOUT, "SECONDS", 0, "stop a run that takes longer", 1 },
	{ NULL, 0, NULL, 0, "What is measured:", 2 },
	{ "value", KEY_VALUE, "RE|NAME", 0,
	  "the value the command reports: first group of RE, last match; or hackbench, perf-bench, "
	  "schbench, netperf, iperf3, tbench, sysbench, hyperfine",
	  2 },
	{ "value-cmd", KEY_VALUE_CMD, "CMD", 0, "shell command: output in, number out", 2 },
	{ "better", KEY_BETTER, "WAY", 0, "of the value: higher, lower, none", 2 },
	{ "event", 'e', "EVENT", 0, "more events of perf stat", 2 },
	{ "all-cpus", 'a', NULL, 0, "count the whole system", 2 },
	{ "cpu", 'C', "LIST", 0, "count on these CPUs", 2 },
	{ "pid", 'p', "LIST", 0, "count these processes while the command runs", 2 },
	{ "tid", 't', "LIST", 0, "count these threads while the command runs", 2 },
	{ "cgroup", 'G', "LIST", 0, "count in a cgroup, as perf stat -G", 2 },
	{ "no-inherit", 'i', NULL, 0, "do not count child tasks", 2 },
	{ "no-monitor", KEY_NO_MONITOR, NULL, 0, "without /proc/vmstat, softirqs, ...", 2 },
	{ NULL, 0, NULL, 0, "Results:", 3 },
	{ "output", 'o', "FILE", 0, "append the runs to a results file", 3 },
	{ "input", 'I', "FILE", 0, "show a results file, run nothing", 3 },
	{ "name", KEY_NAME, "NAME", 0, "of these runs, in the file", 3 },
	{ "group", KEY_GROUP, "NAME", 0, "what is measured: compared within", 3 },
	{ "note", KEY_NOTE, "TEXT", 0, "kept with the results", 3 },
	{ "table", KEY_TABLE, NULL, 0, "the rows alone, also with -o", 3 },
	{ "fields", KEY_FIELDS, "NAME[,NAME]", 0, "more columns", 3 },
	{ "verbose", 'v', NULL, 0, "show the output of the runs", 3 },
	{ 0 },
};

static double number(const char *arg, double least, double most, const char *option,
		     struct argp_state *state)
{
	char *end;
	double v = strtod(arg, &end);

	if (end == arg || *end || !(v >= least && v <= most))
		argp_error(state, "%s %s: use a number from %g to %g", option, arg, least, most);
	return v;
}

static void pass(struct stat_cmd *cmd, const char *option, const char *arg)
{
	argv__add(&cmd->m.options, option);
	if (arg)
		argv__add(&cmd->m.options, arg);
}

static error_t parse_measured(int key, char *arg, struct argp_state *state)
{
	struct stat_cmd *cmd = state->input;
	char option[3] = { '-', (char)key, '\0' }, *more;

	switch (key) {
	case KEY_VALUE:
		cmd->value = arg;
		return 0;
	case KEY_VALUE_CMD:
		cmd->m.value_cmd = arg;
		return 0;
	case KEY_BETTER:
		if (metric__parse_better(arg) == METRIC_UNKNOWN)
			argp_error(state, "--better %s: use higher, lower or none", arg);
		cmd->better = arg;
		return 0;
	case 'e':
		if (asprintf(&more, "%s,%s", cmd->events ? cmd->events : DEFAULT_EVENTS, arg) < 0)
			return ENOMEM;
		free(cmd->events);
		cmd->events = more;
		return 0;
	case 'a':
	case 'i':
		pass(cmd, option, NULL);
		return 0;
	case 'C':
	case 'p':
	case 't':
	case 'G':
		pass(cmd, option, arg);
		return 0;
	case KEY_NO_MONITOR:
		cmd->m.monitor = false;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_results(int key, char *arg, struct argp_state *state)
{
	struct stat_cmd *cmd = state->input;

	switch (key) {
	case 'o':
		cmd->output = arg;
		return 0;
	case 'I':
		cmd->input = arg;
		return 0;
	case KEY_NAME:
		cmd->name = arg;
		return 0;
	case KEY_GROUP:
		cmd->group = arg;
		return 0;
	case KEY_NOTE:
		cmd->note = arg;
		return 0;
	case KEY_TABLE:
		cmd->table = true;
		return 0;
	case KEY_FIELDS:
		cmd->fields = arg;
		return 0;
	case 'v':
		cmd->verbose = true;
		return 0;
	default:
		return parse_measured(key, arg, state);
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct stat_cmd *cmd = state->input;

	switch (key) {
	case 'r':
		cmd->runs = number(arg, 1, 100000, "-r", state);
		return 0;
	case KEY_WARMUP:
		cmd->warmup = number(arg, 0, 1000, "--warmup", state);
		return 0;
	case KEY_PRE:
		cmd->m.pre = arg;
		return 0;
	case KEY_POST:
		cmd->m.post = arg;
		return 0;
	case KEY_TIMEOUT:
		cmd->m.timeout = number(arg, 0.001, 1e7, "--timeout", state);
		return 0;
	case ARGP_KEY_ARGS:
		cmd->m.command = state->argv + state->next;
		return 0;
	case ARGP_KEY_END:
		if (!cmd->m.command && !cmd->input)
			argp_error(state, "name a command to run, or -I FILE to show");
		if (cmd->m.command && cmd->input)
			argp_error(state, "-I shows a file: no command with it");
		if (cmd->value && cmd->m.value_cmd)
			argp_error(state, "--value and --value-cmd: one of them");
		return 0;
	default:
		return parse_results(key, arg, state);
	}
}

const struct argp mig_stat_argp = {
	.options = options,
	.parser = parse,
	.args_doc = "[--] COMMAND...",
	.doc = "Runs a command several times and counts: a row a run, a file for compare.",
};

static int show_input(const struct stat_cmd *cmd, struct mig_err *err)
{
	struct runset set = { 0 };
	int rc = runset__read(&set, cmd->input, cmd->name, err);

	for (size_t a = 0; a < set.nr && !rc; a++) {
		if (set.nr > 1)
			printf("%s%s\n", a ? "\n" : "", set.arm[a].name);
		runs_table__head(cmd->fields, stdout);
		for (size_t i = 0; i < set.arm[a].nr_runs; i++)
			runs_table__row(&set.arm[a], i, cmd->fields, stdout);
		if (!cmd->table)
			rc = runs_table__foot(&set.arm[a], stdout);
	}
	runset__exit(&set);
	return rc;
}

/* A file that is there must be one of ours: it is never overwritten. */
static int check_output(const struct stat_cmd *cmd, struct mig_err *err)
{
	struct runset set = { 0 };
	int rc;

	if (!cmd->output || access(cmd->output, F_OK))
		return 0;
	rc = runset__read(&set, cmd->output, NULL, err);
	runset__exit(&set);
	if (rc)
		mig_err__hint(err, "runs are appended to results files only; name another -o");
	return rc;
}

/* The run that was just made, behind a header if it is the first. */
static int append(struct stat_cmd *cmd, const struct run_arm *arm, struct mig_err *err)
{
	FILE *fp;
	int rc = 0;

	if (!cmd->output)
		return 0;
	fp = fopen(cmd->output, "ae");
	if (!fp)
		return mig_err__set(err, -errno, "%s: %s", cmd->output, strerror(errno));
	if (!cmd->header_written)
		rc = runset__write_header(arm, fp);
	if (!rc)
		rc = runset__write_run(arm, arm->nr_runs - 1, fp);
	if (fclose(fp) && !rc)
		rc = -EIO;
	cmd->header_written = true;
	return rc ? mig_err__set(err, rc, "%s: cannot write the run: %s", cmd->output,
				 strerror(-rc))
		  : 0;
}

static void progress(const struct stat_cmd *cmd, long run)
{
	if (!isatty(STDERR_FILENO))
		return;
	if (run < 0)
		fputs("\r\033[K", stderr);
	else if (run < cmd->warmup)
		fprintf(stderr, "\rwarm-up %ld of %ld", run + 1, cmd->warmup);
	else
		fprintf(stderr, "\rrun %ld of %ld", run - cmd->warmup + 1, cmd->runs);
}

/* All runs, warm-up first. -EINTR after ^C. */
static int run_all(struct stat_cmd *cmd, struct run_arm *arm, struct mig_err *err)
{
	bool rows = !cmd->output || cmd->table;
	char *output;
	int rc = 0;

	if (rows)
		runs_table__head(cmd->fields, stdout);
	for (long i = 0; i < cmd->warmup + cmd->runs && !rc; i++) {
		bool warm = i < cmd->warmup;

		progress(cmd, i);
		if (collect__stop_signal())
			rc = -EINTR;
		else
			rc = measure__run(&cmd->m, warm ? NULL : arm, &output, err);
		progress(cmd, -1);
		if (rc == -EINTR)
			break;
		if (cmd->verbose && output)
			fputs(output, stderr);
		free(output);
		if (rc || warm)
			continue;
		rc = append(cmd, arm, err);
		if (rows)
			runs_table__row(arm, arm->nr_runs - 1, cmd->fields, stdout);
		fflush(stdout);
	}
	return rc;
}

static int describe(struct stat_cmd *cmd, struct run_arm *arm, struct mig_err *err)
{
	struct argv words = { 0 };
	struct run_metric *m;
	struct probe_perf perf = { 0 };
	int rc;

	for (char *const *w = cmd->m.command; *w; w++)
		argv__add(&words, *w);
	arm->command = argv__quote(&words);
	argv__exit(&words);
	arm->note = cmd->note ? strdup(cmd->note) : NULL;
	rc = machine__read("", &arm->machine);
	if (!rc)
		rc = run_arm__metric(arm, METRIC_VALUE, &m);
	if (rc)
		return mig_err__set(err, rc, "out of memory");
	free(m->unit);
	m->unit = strdup(cmd->has_finder ? cmd->finder.unit : cmd->m.value_cmd ? "" : "s");
	m->better = cmd->better        ? metric__parse_better(cmd->better)
		    : cmd->has_finder  ? cmd->finder.better
		    : cmd->m.value_cmd ? METRIC_NONE
				       : METRIC_LOWER;
	rc = probe__perf(cmd->perf, &perf, err);
	if (!rc && machine__add(&arm->machine, "perf", perf.version))
		rc = mig_err__set(err, -ENOMEM, "out of memory");
	probe_perf__exit(&perf);
	return rc;
}

static int prepare(struct stat_cmd *cmd, struct mig_err *err)
{
	int rc = collect__find_perf(cmd->perf, sizeof(cmd->perf), err);

	cmd->m.perf = cmd->perf;
	cmd->m.events = cmd->events ? cmd->events : DEFAULT_EVENTS;
	if (!rc && cmd->value) {
		rc = value_finder__init(&cmd->finder, cmd->value, err);
		cmd->has_finder = !rc;
		cmd->m.value = &cmd->finder;
	}
	if (!rc)
		rc = check_output(cmd, err);
	return rc ? rc : measure__init(&cmd->m, err);
}

/* The name of an arm: --name, else the command without its folder. */
static const char *arm_name(const struct stat_cmd *cmd)
{
	const char *slash = strrchr(cmd->m.command[0], '/');

	return cmd->name ? cmd->name : slash ? slash + 1 : cmd->m.command[0];
}

static int run(struct stat_cmd *cmd, struct mig_err *err)
{
	struct runset set = { 0 };
	struct collect_signals signals;
	struct run_arm *arm;
	int rc = prepare(cmd, err);

	if (rc)
		return rc;
	rc = runset__arm(&set, arm_name(cmd), cmd->group, &arm);
	if (rc)
		return mig_err__set(err, rc, "out of memory");
	rc = describe(cmd, arm, err);
	if (!rc) {
		collect__hold(&signals);
		rc = run_all(cmd, arm, err);
		collect__release(&signals);
	}
	if (rc == -EINTR)
		fprintf(stderr, "interrupted: %zu of %ld runs kept\n", arm->nr_runs, cmd->runs);
	if ((!rc || rc == -EINTR) && !cmd->table && !cmd->output && arm->nr_runs)
		runs_table__foot(arm, stdout);
	if (!rc && run_arm__good(arm) < arm->nr_runs) {
		fprintf(stderr, "%zu of %zu runs failed\n", arm->nr_runs - run_arm__good(arm),
			arm->nr_runs);
		rc = MIG_EXIT_FAILED;
	}
	runset__exit(&set);
	return rc;
}

int cmd_stat(int argc, char **argv)
{
	struct stat_cmd *cmd = calloc(1, sizeof(*cmd));
	struct mig_err err = { 0 };
	int rc;

	if (!cmd) {
		perror("perf migstat stat");
		return MIG_EXIT_FAILED;
	}
	cmd->runs = 1;
	cmd->m.monitor = true;
	rc = options__parse(&mig_stat_argp, "stat", ARGP_IN_ORDER, argc, argv, cmd);
	if (rc)
		rc = MIG_EXIT_USAGE;
	else if (cmd->input)
		rc = show_input(cmd, &err);
	else
		rc = run(cmd, &err);
	if (cmd->has_finder)
		value_finder__exit(&cmd->finder);
	measure__exit(&cmd->m);
	free(cmd->events);
	free(cmd);
	return rc == -EINTR ? 128 + SIGINT : rc < 0 ? mig_err__print(&err) : rc;
}
