// SPDX-License-Identifier: GPL-2.0
/*
 * options: argp in perf's manner, for all subcommands that parse with it.
 */
#include "builtin.h"
#include "err.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_HELP_SHORT = 0x5a01, KEY_HELP };

/* argp's own --help also takes -?; perf's users type -h. */
static const struct argp_option help_options[] = {
	{ NULL, 'h', NULL, OPTION_HIDDEN, NULL, 0 },
	{ "help", KEY_HELP, NULL, 0, "this help", -1 },
	{ "usage", KEY_HELP_SHORT, NULL, OPTION_HIDDEN, NULL, -1 },
	{ NULL, 0, NULL, 0, NULL, 0 },
};

/* Passes on what argp says on an error, but not what follows, "Try `... --help' or ...". */
static ssize_t write_one_line(void *cookie, const char *buf, size_t size)
{
	size_t len;

	(void)cookie;
	for (const char *p = buf; p < buf + size; p += len) {
		const char *end = memchr(p, '\n', buf + size - p);

		len = end ? (size_t)(end + 1 - p) : (size_t)(buf + size - p);
		if (len >= 5 && !strncmp(p, "Try `", 5))
			break;
		fwrite(p, 1, len, stderr);
	}
	return size;
}

static error_t help_parser(int key, char *arg, struct argp_state *state)
{
	FILE *one_line;

	(void)arg;
	switch (key) {
	case ARGP_KEY_INIT:
		one_line =
			fopencookie(NULL, "w", (cookie_io_functions_t){ .write = write_one_line });
		if (one_line)
			state->err_stream = one_line; /* lives until exit */
		return 0;
	case 'h':
	case KEY_HELP:
		argp_state_help(state, stdout,
				ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC |
					ARGP_HELP_EXIT_OK);
		return 0;
	case KEY_HELP_SHORT:
		argp_state_help(state, stdout, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp help_argp = { .options = help_options, .parser = help_parser };

int options__parse(const struct argp *argp, const char *cmd, unsigned flags, int argc, char **argv,
		   void *input)
{
	struct argp_child children[8] = { { 0 } };
	struct argp with_help = *argp;
	char name[64], *old = argv[0];
	int rc, nr = 0;

	for (const struct argp_child *c = argp->children; c && c->argp && nr < 6; c++)
		children[nr++] = *c;
	children[nr].argp = &help_argp; /* last: child_inputs[] of the others keep their places */
	with_help.children = children;
	snprintf(name, sizeof(name), "perf migstat %s", cmd);
	argv[0] = name;
	argp_err_exit_status = MIG_EXIT_USAGE;
	rc = argp_parse(&with_help, argc, argv, flags | ARGP_NO_HELP, NULL, input);
	argv[0] = old;
	return rc;
}

void options__list(const struct argp *argp)
{
	for (const struct argp_option *o = argp->options; o && (o->name || o->key || o->doc); o++) {
		if (o->name && !(o->flags & (OPTION_HIDDEN | OPTION_DOC)))
			printf("--%s ", o->name);
	}
	for (const struct argp_child *c = argp->children; c && c->argp; c++)
		options__list(c->argp);
}

int mig_err__print(const struct mig_err *err)
{
	fflush(stdout);
	fprintf(stderr, "Error: %s\n", err->msg);
	if (err->hint[0])
		fprintf(stderr, "Hint: %s\n", err->hint);
	return err->usage ? MIG_EXIT_USAGE : MIG_EXIT_FAILED;
}
