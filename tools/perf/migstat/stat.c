// SPDX-License-Identifier: GPL-2.0
/*
 * stat: runs a command several times under perf stat, one row a run, and keeps all of it in a
 * results file. One run: util/measure.h; the file: util/runset.h; the table: ui/runs-table.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "collect.h"
#include "err.h"
#include "measure-options.h"
#include "runs-table.h"
#include "runset.h"

struct stat_cmd {
	struct measure_opts measure;
	struct runset_file out;
	const char *output, *input, *name, *group, *note, *fields;
	long runs, warmup;
	bool table, verbose;
};

enum {
	KEY_WARMUP = 0x4000,
	KEY_TABLE,
	KEY_NOTE,
	KEY_NAME,
	KEY_GROUP,
	KEY_FIELDS,
};

static const struct argp_option options[] = {
	{ NULL, 0, NULL, 0, "Runs:", 1 },
	{ "repeat", 'r', "N", 0, "how often (1)", 1 },
	{ "warmup", KEY_WARMUP, "N", 0, "runs before that, not counted (0)", 1 },
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

static const struct argp_child children[] = { { &measure_argp, 0, NULL, 0 }, { 0 } };

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
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct stat_cmd *cmd = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &cmd->measure;
		return 0;
	case 'r':
		cmd->runs = measure_opts__number(arg, 1, 100000, "-r", state);
		return 0;
	case KEY_WARMUP:
		cmd->warmup = measure_opts__number(arg, 0, 1000, "--warmup", state);
		return 0;
	case ARGP_KEY_ARGS:
		cmd->measure.m.command = state->argv + state->next;
		return 0;
	case ARGP_KEY_END:
		if (!cmd->measure.m.command && !cmd->input)
			argp_error(state, "name a command to run, or -I FILE to show");
		if (cmd->measure.m.command && cmd->input)
			argp_error(state, "-I shows a file: no command with it");
		return 0;
	default:
		return parse_results(key, arg, state);
	}
}

const struct argp mig_stat_argp = {
	.options = options,
	.parser = parse,
	.args_doc = "[--] COMMAND...",
	.children = children,
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
	int rc = 0;

	if (rows)
		runs_table__head(cmd->fields, stdout);
	for (long i = 0; i < cmd->warmup + cmd->runs && !rc; i++) {
		bool warm = i < cmd->warmup;
		char *output = NULL;

		progress(cmd, i);
		if (collect__stop_signal())
			rc = -EINTR;
		else
			rc = measure__run(&cmd->measure.m, warm ? NULL : arm, &output, err);
		progress(cmd, -1);
		if (cmd->verbose && output && rc != -EINTR)
			fputs(output, stderr);
		free(output);
		if (rc || warm)
			continue;
		rc = runset_file__append(&cmd->out, arm, err);
		if (rows)
			runs_table__row(arm, arm->nr_runs - 1, cmd->fields, stdout);
		fflush(stdout);
	}
	return rc;
}

/* The name of an arm: --name, else the command without its folder. */
static const char *arm_name(const struct stat_cmd *cmd)
{
	const char *slash = strrchr(cmd->measure.m.command[0], '/');

	return cmd->name ? cmd->name : slash ? slash + 1 : cmd->measure.m.command[0];
}

static int run(struct stat_cmd *cmd, struct mig_err *err)
{
	struct runset set = { 0 };
	struct collect_signals signals;
	struct run_arm *arm;
	int rc = measure_opts__prepare(&cmd->measure, err);

	if (!rc)
		rc = runset_file__open(&cmd->out, cmd->output, err);
	if (rc)
		return rc;
	if (runset__arm(&set, arm_name(cmd), cmd->group, &arm))
		return mig_err__set(err, -ENOMEM, "out of memory");
	arm->note = cmd->note ? strdup(cmd->note) : NULL;
	rc = measure_opts__describe(&cmd->measure, arm, err);
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
	cmd->out.fd = -1;
	rc = options__parse(&mig_stat_argp, "stat", ARGP_IN_ORDER, argc, argv, cmd);
	if (rc)
		rc = MIG_EXIT_USAGE;
	else if (cmd->input)
		rc = show_input(cmd, &err);
	else
		rc = run(cmd, &err);
	runset_file__close(&cmd->out);
	measure_opts__exit(&cmd->measure);
	free(cmd);
	return rc == -EINTR ? 128 + collect__stop_signal() : rc < 0 ? mig_err__print(&err) : rc;
}
