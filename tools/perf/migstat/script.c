// SPDX-License-Identifier: GPL-2.0
/*
 * script: the facts themselves, one a line: wakeups, migrations, slices, forks. Takes every
 * selection and inference option of report, so that a row of a report can be opened.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "fact-text.h"
#include "input.h"
#include "json.h"

enum { WAKEUPS = 1, MIGRATIONS = 2, SLICES = 4, FORKS = 8, ALL = 15 };

struct script {
	struct input_opts in;
	bool json;
	unsigned types;
	const struct session *session;
};

enum { KEY_JSON = 0x2000, KEY_TYPES };

static const struct argp_option script_options[] = {
	{ NULL, 0, NULL, 0, "Output:", 4 },
	{ "json", KEY_JSON, NULL, 0, "one JSON object a line", 4 },
	{ "types", KEY_TYPES, "LIST", 0, "only these: wakeup, migration, slice, fork", 4 },
	{ 0 },
};

static const struct argp_child script_children[] = { { &input_argp, 0, NULL, 0 }, { 0 } };

static unsigned parse_types(const char *arg, struct argp_state *state)
{
	static const char *const names[] = { "wakeup", "migration", "slice", "fork" };
	const char *p = arg;
	unsigned types = 0, i;

	do {
		size_t len = strcspn(p, ",");

		for (i = 0; i < 4; i++)
			if (strlen(names[i]) == len && !memcmp(p, names[i], len))
				break;
		if (i == 4)
			argp_error(state, "--types %s: use wakeup, migration, slice, fork", arg);
		else
			types |= 1U << i;
		p += len;
	} while (*p++ == ',');
	return types;
}

static error_t script_parse(int key, char *arg, struct argp_state *state)
{
	struct script *sc = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		input__init(&sc->in, state);
		return 0;
	case KEY_JSON:
		sc->json = true;
		return 0;
	case KEY_TYPES:
		sc->types = parse_types(arg, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp mig_script_argp = {
	.options = script_options,
	.parser = script_parse,
	.doc = "Prints the facts of a recording, one a line (not its events: that is perf script).",
	.children = script_children,
};

static int script_ready(struct session *s, void *ctx)
{
	((struct script *)ctx)->session = s;
	return 0;
}

static int script_wakeup(const struct mig_wakeup *f, void *ctx)
{
	const struct script *sc = ctx;

	return (sc->json ? json__wakeup : fact_text__wakeup)(sc->session, f, sc->in.verbose,
							     stdout);
}

static int script_migration(const struct mig_migration *f, void *ctx)
{
	const struct script *sc = ctx;

	return (sc->json ? json__migration : fact_text__migration)(sc->session, f, stdout);
}

static int script_slice(const struct mig_slice *f, void *ctx)
{
	const struct script *sc = ctx;

	return (sc->json ? json__slice : fact_text__slice)(sc->session, f, stdout);
}

static int script_fork(const struct mig_fork *f, void *ctx)
{
	const struct script *sc = ctx;

	return (sc->json ? json__fork : fact_text__fork)(sc->session, f, stdout);
}

int cmd_script(int argc, char **argv)
{
	struct script sc = { .types = ALL };
	struct mig_fact_ops ops = { 0 };
	struct session *s;
	struct mig_err err;
	int ret;

	if (options__parse(&mig_script_argp, "script", 0, argc, argv, &sc))
		return MIG_EXIT_USAGE;
	ops.wakeup = sc.types & WAKEUPS ? script_wakeup : NULL;
	ops.migration = sc.types & MIGRATIONS ? script_migration : NULL;
	ops.slice = sc.types & SLICES ? script_slice : NULL;
	ops.fork = sc.types & FORKS ? script_fork : NULL;
	ret = input__open(&sc.in, &s, &err);
	if (ret)
		return mig_err__print(&err);
	ret = session__run(s, script_ready, &ops, &sc, &err);
	input__warn(&sc.in, s);
	if (fflush(stdout) && !ret)
		ret = mig_err__set(&err, -errno, "standard output: %s", strerror(errno));
	session__delete(s);
	return ret ? mig_err__print(&err) : MIG_EXIT_OK;
}
