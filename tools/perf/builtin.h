/* SPDX-License-Identifier: GPL-2.0 */
/*
 * builtin: the subcommands of perf migstat, one file each under migstat/.
 *
 * How to add one: write migstat/NAME.c with cmd_NAME() and its argp, add a line to the table in
 * builtin-migstat.c, a page Documentation/perf-migstat-NAME.txt, and a test tests/shell/NAME.sh;
 * `make check` compares the page with -h and the table with the files.
 *
 * Exit codes: 0 done; 1 failed (an error line on stderr says what and what to do); 129 wrong usage,
 * as perf does. compare answers a question, as diff and grep do: 1 is its answer "worse", and where
 * it cannot answer it exits with 2. bisect exits as git bisect run wants it: 0 good, 1 bad, 125
 * cannot be told, 128 and more: stop.
 */
#ifndef MIG_BUILTIN_H
#define MIG_BUILTIN_H

#include <argp.h>

struct mig_err;

struct mig_cmd {
	const char *name;
	int (*fn)(int argc, char **argv); /* argv[0] is the subcommand's name */
	const char *summary; /* one line for -h */
	const struct argp *argp; /* its options, for --list-opts ... */
	void (*list_opts)(void); /* ... or what prints them, where it does not use argp */
};

enum {
	MIG_EXIT_OK = 0,
	MIG_EXIT_FAILED = 1,
	MIG_EXIT_DIFFERENT = 1,
	MIG_EXIT_TROUBLE = 2,
	MIG_EXIT_USAGE = 129
};

int cmd_migstat(int argc, char **argv);

int cmd_record(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_script(int argc, char **argv);
int cmd_stat(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_bisect(int argc, char **argv);
int cmd_cost(int argc, char **argv);
int cmd_env(int argc, char **argv);

extern const struct argp mig_report_argp, mig_script_argp, mig_compare_argp;
extern const struct argp mig_stat_argp, mig_bisect_argp, mig_sweep_argp, mig_cost_argp;
extern const struct argp mig_env_argp;

/* record passes perf record's options on and has a table of its own (migstat/record-options.h). */
void record_options__list(void);

/*
 * options.c: what all argp parsers of the tool share.
 *
 * Parses argv with argp in perf's manner: -h prints the help on stdout and exits 0, wrong usage
 * prints one line and exits with 129; the name shown is "perf migstat CMD".
 * Returns the errno of argp_parse (0 = fine).
 */
int options__parse(const struct argp *argp, const char *cmd, unsigned flags, int argc, char **argv,
		   void *input);
/* Prints every long option of argp and its children as "--name ", for --list-opts. */
void options__list(const struct argp *argp);

/* Prints "Error: msg" and "Hint: hint" of err on stderr. Returns the exit code for it. */
int mig_err__print(const struct mig_err *err);

#endif
