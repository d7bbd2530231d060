// SPDX-License-Identifier: GPL-2.0
/*
 * builtin-migstat: which subcommands there are, and what can be asked without one.
 */
#include "builtin.h"
#include "util/workload.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef MIG_VERSION
#define MIG_VERSION "unknown"
#endif
#ifndef HAVE_LIBTRACEEVENT
#define HAVE_LIBTRACEEVENT 0
#endif
#ifndef HAVE_LIBELF
#define HAVE_LIBELF 0
#endif
#ifndef HAVE_JANSSON
#define HAVE_JANSSON 0
#endif
#ifndef HAVE_ZLIB
#define HAVE_ZLIB 0
#endif
#ifndef HAVE_ZSTD
#define HAVE_ZSTD 0
#endif
#ifndef HAVE_SLANG
#define HAVE_SLANG 0
#endif

static int cmd_version(int argc, char **argv);
static void version__list_opts(void);

static const struct mig_cmd commands[] = {
	{ "record", cmd_record, "record who wakes whom, who moves, and what it costs", NULL,
	  record_options__list },
	{ "report", cmd_report, "show a recording, grouped by pair, task, CPU or comm",
	  &mig_report_argp, NULL },
	{ "script", cmd_script, "list the wakeups, moves and slices of a recording",
	  &mig_script_argp, NULL },
	{ "stat", cmd_stat, "run a command several times and count", &mig_stat_argp, NULL },
	{ "sweep", cmd_sweep, "run a command under each value of a knob", &mig_sweep_argp, NULL },
	{ "compare", cmd_compare, "compare repeated runs: what changed, and is it proven",
	  &mig_compare_argp, NULL },
	{ "bisect", cmd_bisect, "is this checkout like the good or the bad runs (git bisect run)",
	  &mig_bisect_argp, NULL },
	{ "cost", cmd_cost, "measure what a migration costs on this machine", &mig_cost_argp,
	  NULL },
	{ "env", cmd_env, "show the environment that results files hold", &mig_env_argp, NULL },
	{ "version", cmd_version, "show the version and what it was built with", NULL,
	  version__list_opts },
};

enum { NR_COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static const struct {
	const char *name, *macro, *what;
	int built;
} features[] = {
	{ "libtraceevent", "HAVE_LIBTRACEEVENT", "tracepoint formats", HAVE_LIBTRACEEVENT },
	{ "libelf", "HAVE_LIBELF", "symbols of binaries", HAVE_LIBELF },
	{ "jansson", "HAVE_JANSSON", "--json", HAVE_JANSSON },
	{ "zlib", "HAVE_ZLIB", "kallsyms.gz", HAVE_ZLIB },
	{ "zstd", "HAVE_ZSTD", "recordings made with -z", HAVE_ZSTD },
	{ "slang", "HAVE_SLANG", "the terminal UI", HAVE_SLANG },
};

static void print_help(FILE *f)
{
	fputs("\n Usage: perf migstat <command> [<options>]\n\n"
	      " Who migrates, who woke them, along which wake path, and what it costs in cache "
	      "misses.\n\n",
	      f);
	for (int i = 0; i < NR_COMMANDS; i++)
		fprintf(f, "    %-10s %s\n", commands[i].name, commands[i].summary);
	fputs("\n See 'perf migstat <command> -h' for the options, 'perf migstat --help' for the "
	      "manual.\n",
	      f);
}

static void version__list_opts(void)
{
	printf("--build-options ");
}

static int cmd_version(int argc, char **argv)
{
	if (argc == 2 && (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help"))) {
		puts("\n Usage: perf migstat version [--build-options]\n\n"
		     "        --build-options   show the libraries it was built with\n");
		return MIG_EXIT_OK;
	}
	if (argc > 2 || (argc == 2 && strcmp(argv[1], "--build-options"))) {
		fprintf(stderr, "perf migstat version: takes --build-options only\n");
		return MIG_EXIT_USAGE;
	}
	printf("perf migstat version %s\n", MIG_VERSION);
	for (size_t i = 0; argc == 2 && i < sizeof(features) / sizeof(features[0]); i++)
		printf("%22s: [ %-3s ]  # %s (%s)\n", features[i].name,
		       features[i].built ? "on" : "OFF", features[i].macro, features[i].what);
	return MIG_EXIT_OK;
}

static void list_options(const struct mig_cmd *cmd)
{
	if (cmd->list_opts)
		cmd->list_opts();
	else
		options__list(cmd->argp);
	printf("--help\n");
}

/* Edit distance of two short words. */
static int distance(const char *a, const char *b)
{
	int row[32], n = strlen(b), diagonal, above;

	if (n >= 32)
		return n;
	for (int j = 0; j <= n; j++)
		row[j] = j;
	for (int i = 1; a[i - 1]; i++) {
		diagonal = row[0];
		row[0] = i;
		for (int j = 1; j <= n; j++) {
			above = row[j];
			row[j] = diagonal + (a[i - 1] != b[j - 1]);
			if (above + 1 < row[j])
				row[j] = above + 1;
			if (row[j - 1] + 1 < row[j])
				row[j] = row[j - 1] + 1;
			diagonal = above;
		}
	}
	return row[n];
}

static int unknown_command(const char *name)
{
	const struct mig_cmd *best = &commands[0];

	for (int i = 1; i < NR_COMMANDS; i++) {
		if (distance(name, commands[i].name) < distance(name, best->name))
			best = &commands[i];
	}
	if (distance(name, best->name) <= 3)
		fprintf(stderr, "perf migstat: '%s' is not a command; did you mean '%s'?\n", name,
			best->name);
	else
		fprintf(stderr, "perf migstat: '%s' is not a command; see perf migstat -h\n", name);
	return MIG_EXIT_USAGE;
}

static void do_nothing(int sig)
{
	(void)sig;
}

/* Not for users: the workload that record gives to perf (util/workload.h). */
static int run_workload(int argc, char **argv)
{
	struct sigaction sa = { .sa_handler = do_nothing };
	struct workload w;
	sigset_t block;

	if (workload__parse((const char *const *)argv, argc, &w) <= 0)
		goto bad;
	if (w.command) {
		execvp(w.command[0], (char *const *)w.command);
		fprintf(stderr, "perf migstat: cannot run %s: %s\n", w.command[0], strerror(errno));
		return errno == ENOENT ? 127 : 126;
	}
	/* the end of a recording is no failure of its workload; let in by workload__wait() alone */
	sigemptyset(&block);
	sigaddset(&block, SIGINT);
	sigaddset(&block, SIGTERM);
	sigprocmask(SIG_BLOCK, &block, NULL);
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	if (workload__wait(&w) != -EINVAL)
		return MIG_EXIT_OK;
bad:
	fprintf(stderr, "perf migstat: not a workload of record\n");
	return MIG_EXIT_USAGE;
}

/* What can be asked of perf migstat itself; -1 if word is none of it. */
static int answer(int argc, char **argv)
{
	const char *word = argv[1];

	if (!strcmp(word, "-h") || !strcmp(word, "--help")) {
		print_help(stdout);
		return MIG_EXIT_OK;
	}
	if (!strcmp(word, "--version") || !strcmp(word, "-v"))
		return cmd_version(argc - 1, argv + 1);
	if (!strcmp(word, "--list-cmds")) {
		for (int i = 0; i < NR_COMMANDS; i++)
			printf("%s%c", commands[i].name, i + 1 < NR_COMMANDS ? ' ' : '\n');
		return MIG_EXIT_OK;
	}
	if (!strcmp(word, "--list-opts")) {
		printf("--help --version\n");
		return MIG_EXIT_OK;
	}
	return -1;
}

int cmd_migstat(int argc, char **argv)
{
	int rc;

	if (argc < 2) {
		print_help(stderr);
		return MIG_EXIT_USAGE;
	}
	if (workload__is_marker(argv[1]))
		return run_workload(argc, argv);
	rc = answer(argc, argv);
	if (rc >= 0)
		return rc;
	for (int i = 0; i < NR_COMMANDS; i++) {
		if (strcmp(argv[1], commands[i].name))
			continue;
		if (argc == 3 && !strcmp(argv[2], "--list-opts")) {
			list_options(&commands[i]);
			return MIG_EXIT_OK;
		}
		return commands[i].fn(argc - 1, argv + 1);
	}
	if (argv[1][0] == '-') {
		fprintf(stderr, "perf migstat: unknown option '%s'; see perf migstat -h\n",
			argv[1]);
		return MIG_EXIT_USAGE;
	}
	return unknown_command(argv[1]);
}
