// SPDX-License-Identifier: GPL-2.0
/*
 * env: prints the environment that results files hold: kernel, CPUs, memory, knobs, configuration.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "collect.h"
#include "err.h"
#include "json-int.h"
#include "machine.h"
#include "probe.h"

struct env_cmd {
	bool json;
	const char *root;
};

enum { KEY_JSON = 0x5000, KEY_SYSROOT, CONFIG_WIDTH = 78 };

static const struct argp_option options[] = {
	{ "json", KEY_JSON, NULL, 0, "one JSON object", 1 },
	{ "sysroot", KEY_SYSROOT, "DIR", 0, "read /proc and /sys below DIR", 1 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct env_cmd *cmd = state->input;

	switch (key) {
	case KEY_JSON:
		cmd->json = true;
		return 0;
	case KEY_SYSROOT:
		cmd->root = arg;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "takes no arguments, not '%s'", arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp mig_env_argp = {
	.options = options,
	.parser = parse,
	.doc = "Prints the environment of a measurement, as it is kept in results files.",
};

/* Options of the kernel's configuration flow, all else has a line. */
static void print_text(const struct machine *m)
{
	int column = 0;

	for (size_t i = 0; i < m->nr; i++) {
		const struct machine_item *it = &m->item[i];
		int len = strlen(it->name) + strlen(it->text) - strlen("config.") + 2;

		if (strncmp(it->name, "config.", 7)) {
			printf("%s%s: %s\n", column ? "\n" : "", it->name, it->text);
			column = 0;
			continue;
		}
		if (column && column + len > CONFIG_WIDTH) {
			putchar('\n');
			column = 0;
		}
		column += printf(" %s=%s", it->name + 7, it->text);
	}
	if (column)
		putchar('\n');
}

static int print_json(const struct machine *m)
{
	json_t *o = json_machine(m);
	int rc = json_dumpf(o, stdout, JSON_INDENT(1));

	json_decref(o);
	putchar('\n');
	return rc;
}

int cmd_env(int argc, char **argv)
{
	struct env_cmd cmd = { .root = "" };
	struct machine m = { 0 };
	struct probe_perf perf = { 0 };
	struct mig_err err = { 0 };
	char path[PATH_MAX];
	int rc;

	if (options__parse(&mig_env_argp, "env", 0, argc, argv, &cmd))
		return MIG_EXIT_USAGE;
	rc = machine__read(cmd.root, &m);
	if (!rc && !*cmd.root) {
		bool found = !collect__find_perf(path, sizeof(path), &err) &&
			     !probe__perf(path, &perf, &err);

		rc = machine__add(&m, "perf", found ? perf.version : err.msg);
		probe_perf__exit(&perf);
	}
	if (!rc && cmd.json)
		rc = print_json(&m);
	else if (!rc)
		print_text(&m);
	machine__exit(&m);
	if (rc || fflush(stdout)) {
		mig_err__set(&err, -1, "cannot print the environment");
		return mig_err__print(&err);
	}
	return MIG_EXIT_OK;
}
