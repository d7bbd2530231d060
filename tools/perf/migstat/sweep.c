// SPDX-License-Identifier: GPL-2.0
/*
 * sweep: runs a command under each value of a knob, in rotated order, and shows what the value
 * changes. Knobs and arms: util/sweep.h; putting back: util/undo.h; one run: util/measure.h.
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
#include "measure-options.h"
#include "runset.h"
#include "sweep-view.h"
#include "sweep.h"

struct sweep_cmd {
	struct sweep sweep;
	struct measure_opts measure;
	struct runset_file out;
	struct mig_err err;
	const char *output, *note, *fields, *state;
	char *const *command;
	long runs;
	bool verbose, in_turn, restore, list;
};

enum {
	KEY_SET = 0x4000,
	KEY_SET_FILE,
	KEY_SET_CMD,
	KEY_RESTORE_CMD,
	KEY_NO_INTERLEAVE,
	KEY_RESTORE,
	KEY_LIST,
	KEY_STATE,
	KEY_SYSROOT,
	KEY_NOTE,
	KEY_FIELDS,
};

static const struct argp_option options[] = {
	{ NULL, 0, NULL, 0, "Knobs (several: each value with each):", 1 },
	{ "set", KEY_SET, "KNOB=V,V", 0, "a knob by name, or a scheduler feature; see --list", 1 },
	{ "set-file", KEY_SET_FILE, "PATH=V,V", 0, "any file that is written and read", 1 },
	{ "set-cmd", KEY_SET_CMD, "CMD=V,V", 0, "a shell command, {} is the value", 1 },
	{ "restore-cmd", KEY_RESTORE_CMD, "CMD", 0, "restores what the --set-cmd before did", 1 },
	{ "list", KEY_LIST, NULL, 0, "the knobs: what they are now, or why not", 1 },
	{ "restore", KEY_RESTORE, NULL, 0, "put back what a killed sweep left", 1 },
	{ "state", KEY_STATE, "FILE", 0, "where it is kept what to put back", 1 },
	{ "sysroot", KEY_SYSROOT, "DIR", 0, "look for knobs and CPUs below DIR", 1 },
	{ NULL, 0, NULL, 0, "Runs:", 2 },
	{ "repeat", 'r', "N", 0, "how often under each value (5)", 2 },
	{ "no-interleave", KEY_NO_INTERLEAVE, NULL, 0, "all runs of a value in turn", 2 },
	{ NULL, 0, NULL, 0, "Results:", 4 },
	{ "output", 'o', "FILE", 0, "keep the runs in a results file", 4 },
	{ "note", KEY_NOTE, "TEXT", 0, "kept with the results", 4 },
	{ "fields", KEY_FIELDS, "NAME[,NAME]", 0, "more columns", 4 },
	{ "verbose", 'v', NULL, 0, "show the output of the runs", 4 },
	{ 0 },
};

static const struct argp_child children[] = { { &measure_argp, 0, NULL, 0 }, { 0 } };

/* The error of a knob's text is kept: with its hint it is more than argp prints. */
static error_t parse_knob(int key, char *arg, struct argp_state *state)
{
	struct sweep_cmd *cmd = state->input;
	struct sweep *s = &cmd->sweep;
	int rc = 0;

	switch (key) {
	case KEY_SET:
		rc = sweep__add(s, arg, &cmd->err);
		break;
	case KEY_SET_FILE:
		rc = sweep__add_file(s, arg, &cmd->err);
		break;
	case KEY_SET_CMD:
		rc = sweep__add_cmd(s, arg, &cmd->err);
		break;
	case KEY_RESTORE_CMD:
		if (!s->nr || s->axis[s->nr - 1].act != SWEEP_CMD)
			argp_error(state, "--restore-cmd stands behind its --set-cmd");
		else
			s->axis[s->nr - 1].restore_cmd = arg;
		break;
	case KEY_NO_INTERLEAVE:
		cmd->in_turn = true;
		break;
	case KEY_RESTORE:
		cmd->restore = true;
		break;
	case KEY_LIST:
		cmd->list = true;
		break;
	case KEY_STATE:
		cmd->state = arg;
		break;
	case KEY_SYSROOT:
		s->root = arg;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	if (rc)
		argp_error(state, "%s", cmd->err.msg);
	return 0;
}

static void check_line(const struct sweep_cmd *cmd, struct argp_state *state)
{
	if (cmd->restore || cmd->list) {
		if (cmd->command || cmd->sweep.nr)
			argp_error(state, "%s runs nothing: no --set, no command",
				   cmd->restore ? "--restore" : "--list");
		return;
	}
	if (!cmd->sweep.nr)
		argp_error(state, "name a knob and its values: --set KNOB=V1,V2 (see --list)");
	if (!cmd->command)
		argp_error(state, "name a command to run");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct sweep_cmd *cmd = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &cmd->measure;
		return 0;
	case 'r':
		cmd->runs = measure_opts__number(arg, 1, 10000, "-r", state);
		return 0;
	case 'o':
		cmd->output = arg;
		return 0;
	case KEY_NOTE:
		cmd->note = arg;
		return 0;
	case KEY_FIELDS:
		cmd->fields = arg;
		return 0;
	case 'v':
		cmd->verbose = true;
		return 0;
	case ARGP_KEY_ARGS:
		cmd->command = state->argv + state->next;
		return 0;
	case ARGP_KEY_END:
		check_line(cmd, state);
		return 0;
	default:
		return parse_knob(key, arg, state);
	}
}

const struct argp mig_sweep_argp = {
	.options = options,
	.parser = parse,
	.children = children,
	.args_doc = "[--] COMMAND...",
	.doc = "Runs a command under each value of a knob: which value is better, is it proven.",
};

static void list_one(const struct knob_known *known, void *ctx)
{
	const char *root = ctx;
	struct mig_err err = { 0 };
	struct knob k;
	int rc = knob__init(&k, root, known->name, &err);

	printf("%-24s %.54s\n", known->name, known->what);
	if (rc) {
		const char *why = err.msg;

		if (!strncmp(why, known->name, strlen(known->name)))
			why += strlen(known->name) + 2;
		printf("    -  %.72s\n", why);
	} else if (known->kind == KNOB_FEATURES) {
		printf("    see %.71s\n", k.place[0].path);
	} else {
		printf("    %s  %s", k.place[0].saved, k.place[0].path);
		printf(k.nr > 1 ? " (and %zu more)\n" : "\n", k.nr - 1);
	}
	knob__exit(&k);
}

static int list(const struct sweep_cmd *cmd)
{
	const char *name, *what;

	knob__for_each(list_one, (void *)cmd->sweep.root);
	puts("\nOf the workload, nothing to restore:");
	for (size_t i = 0; (name = sweep__workload_knob(i, &what)); i++)
		printf("%-24s %s\n", name, what);
	return MIG_EXIT_OK;
}

/* Puts back what a killed sweep left, and says so. */
static int repair(struct undo *undo, struct mig_err *err)
{
	size_t nr = undo->nr;
	int rc;

	if (!nr)
		return 0;
	rc = undo__restore(undo, err);
	if (!rc)
		fprintf(stderr, "restored %zu setting%s that the sweep with pid %ld left behind\n",
			nr, nr == 1 ? "" : "s", undo->pid);
	return rc;
}

static int restore(const struct sweep_cmd *cmd, struct mig_err *err)
{
	struct undo undo;
	int rc = undo__open(&undo, cmd->state, err);

	if (!rc && !undo.nr)
		puts("nothing to restore");
	else if (!rc)
		rc = repair(&undo, err);
	undo__close(&undo);
	return rc;
}

static int prepare(struct sweep_cmd *cmd, struct mig_err *err)
{
	int rc = measure_opts__prepare(&cmd->measure, err);

	return rc ? rc : runset_file__open(&cmd->out, cmd->output, err);
}

static void progress(const struct sweep_cmd *cmd, size_t run, const char *name)
{
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r\033[Krun %zu of %zu: %.50s", run + 1,
			cmd->runs * sweep__nr_arms(&cmd->sweep), name);
}

/* One run of one arm, its values set before. */
static int run_one(struct sweep_cmd *cmd, struct run_arm *arm, size_t index, struct mig_err *err)
{
	struct argv line = { 0 };
	char *output = NULL;
	int rc = sweep__apply(&cmd->sweep, index, &line, err);

	for (char *const *w = cmd->command; *w; w++)
		argv__add(&line, *w);
	if (!rc && argv__failed(&line))
		rc = mig_err__set(err, -ENOMEM, "out of memory");
	cmd->measure.m.command = line.v;
	if (!rc && !arm->command) { /* the environment with this value */
		arm->note = cmd->note ? strdup(cmd->note) : NULL;
		rc = measure_opts__describe(&cmd->measure, arm, err);
	}
	if (!rc)
		rc = measure__run(&cmd->measure.m, arm, &output, err);
	if (!rc && cmd->verbose && output)
		fputs(output, stderr);
	if (!rc) {
		cmd->out.has_header = false; /* the run before it was of another arm */
		rc = runset_file__append(&cmd->out, arm, err);
	}
	free(output);
	argv__exit(&line);
	return rc;
}

/* All runs. -EINTR after ^C, with the runs so far. */
static int run_all(struct sweep_cmd *cmd, struct runset *set, struct mig_err *err)
{
	size_t arms = sweep__nr_arms(&cmd->sweep), all = arms * cmd->runs;
	int rc = 0;

	for (size_t i = 0; i < all && !rc; i++) {
		size_t arm = cmd->in_turn ? i / cmd->runs
					  : sweep__order(&cmd->sweep, i / arms, i % arms);

		progress(cmd, i, set->arm[arm].name);
		rc = collect__stop_signal() ? -EINTR : run_one(cmd, &set->arm[arm], arm, err);
	}
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	return collect__stop_signal() ? -EINTR : rc;
}

static int make_arms(const struct sweep *s, struct runset *set, struct mig_err *err)
{
	struct run_arm *arm;
	int rc = 0;

	for (size_t i = 0; i < sweep__nr_arms(s) && !rc; i++) {
		char *name = sweep__arm_name(s, i);

		rc = name ? runset__arm(set, name, NULL, &arm) : -ENOMEM;
		free(name);
	}
	return rc ? mig_err__set(err, rc, "out of memory") : 0;
}

/* From the first touch of a knob to the last, with the knobs put back in any case. */
static int run_restored(struct sweep_cmd *cmd, struct runset *set, struct mig_err *err)
{
	struct mig_err back = { 0 };
	struct undo undo;
	int rc = undo__open(&undo, cmd->state, err), rc_back = 0;

	if (!rc)
		rc = repair(&undo, err);
	if (!rc)
		rc = sweep__find(&cmd->sweep, &undo, err);
	if (!rc)
		rc = undo__sync(&undo, err);
	if (!rc) {
		rc = sweep__try(&cmd->sweep, err);
		if (!rc)
			rc = run_all(cmd, set, err);
		rc_back = undo__restore(&undo, &back);
	}
	undo__close(&undo);
	if (!rc_back)
		return rc;
	if (rc < 0 && rc != -EINTR)
		mig_err__print(err);
	*err = back;
	return rc_back;
}

/* A handler, not SIG_IGN: the workload has the default again. */
static void no_reader(int sig)
{
	(void)sig;
}

static int report(const struct sweep_cmd *cmd, struct runset *set, struct mig_err *err)
{
	size_t nr = 0, good = 0;
	int rc;

	for (size_t i = 0; i < set->nr; i++) {
		nr += set->arm[i].nr_runs;
		good += run_arm__good(&set->arm[i]);
	}
	if (!good && !nr)
		return 0;
	rc = sweep_view__text(set, cmd->fields, stdout, err);
	if (!rc && good < nr) {
		fprintf(stderr, "%zu of %zu runs failed\n", nr - good, nr);
		rc = MIG_EXIT_FAILED;
	}
	return rc;
}

static int run(struct sweep_cmd *cmd, struct mig_err *err)
{
	struct sigaction pipe = { .sa_handler = no_reader };
	struct collect_signals signals;
	struct runset set = { 0 };
	int rc = prepare(cmd, err), code;

	if (!rc)
		rc = make_arms(&cmd->sweep, &set, err);
	if (!rc) {
		sigaction(SIGPIPE, &pipe, NULL);
		collect__hold(&signals);
		rc = run_restored(cmd, &set, err);
		collect__release(&signals);
	}
	if (rc == -EINTR)
		fputs("interrupted: the knobs are restored, finished runs are shown\n", stderr);
	if (!rc || rc == -EINTR) {
		code = report(cmd, &set, err);
		rc = rc ? rc : code;
	}
	runset__exit(&set);
	return rc;
}

int cmd_sweep(int argc, char **argv)
{
	struct sweep_cmd *cmd = calloc(1, sizeof(*cmd));
	struct mig_err err = { 0 };
	int rc;

	if (!cmd) {
		perror("perf migstat sweep");
		return MIG_EXIT_FAILED;
	}
	cmd->runs = 5;
	cmd->out.fd = -1;
	cmd->sweep.root = "";
	rc = options__parse(&mig_sweep_argp, "sweep", ARGP_IN_ORDER, argc, argv, cmd);
	if (rc)
		rc = MIG_EXIT_USAGE;
	else if (cmd->list)
		rc = list(cmd);
	else if (cmd->restore)
		rc = restore(cmd, &err);
	else
		rc = run(cmd, &err);
	runset_file__close(&cmd->out);
	measure_opts__exit(&cmd->measure);
	sweep__exit(&cmd->sweep);
	free(cmd);
	return rc == -EINTR ? 128 + collect__stop_signal() : rc < 0 ? mig_err__print(&err) : rc;
}
