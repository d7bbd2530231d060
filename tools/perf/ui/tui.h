/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tui: a report in the terminal, to be browsed. no-tui.c stands in where there is no slang.
 */
#ifndef MIG_TUI_H
#define MIG_TUI_H

#include <stdbool.h>
#include <stdint.h>

struct mig_err;
struct session;
struct tui;

/* What of the command line shapes the rows; strings are borrowed until tui__delete(). */
struct tui_opts {
	uint32_t dims; /* of --by */
	const char *fields, *sort; /* NULL = the grouping's own */
	const char *buildid_dir; /* as of dsos; borrowed */
	const char *const *groups; /* rules of --group, known to be good; borrowed */
	int nr_groups;
	const struct cost_file *prices; /* borrowed; NULL = none */
	double percent_limit;
	bool open_irq, fine;
	int verbose;
};

/* Can it run here? Else *ret_why, to be followed by a full stop. */
bool tui__can(const char **ret_why);
/*
 * Reads the recording; s is then the TUI's. A negative errno with err; with damage in the middle
 * *ret_tui holds what came before it, else it is NULL.
 */
int tui__load(const struct tui_opts *opts, struct session *s, struct tui **ret_tui,
	      struct mig_err *err);
/* Shows it until the user leaves. failed: what tui__load() had to say, or NULL. */
int tui__show(struct tui *t, const struct mig_err *failed, struct mig_err *err);
void tui__delete(struct tui *t);
/* What was read, for warnings. */
const struct session *tui__session(const struct tui *t);

#endif
