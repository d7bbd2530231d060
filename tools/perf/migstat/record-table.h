/* SPDX-License-Identifier: GPL-2.0 */
/* record-table: the options of `perf migstat record` as data (record-options.h is the way in). */
#ifndef MIG_RECORD_TABLE_H
#define MIG_RECORD_TABLE_H

enum record_arg { RECORD_NO_ARG, RECORD_ARG, RECORD_OPT_ARG };

enum record_action {
	RECORD_PASS, /* to perf record as it is */
	RECORD_BIND, /* to the user's own events only, never to ours */
	RECORD_FILTER, /* the report shows these tasks; the recording stays system-wide */
	RECORD_REFUSE, /* text says why, and what to do instead */
	RECORD_OTHER, /* perf record's, with a meaning for us */
	RECORD_OURS, /* not perf record's */
	RECORD_HIDDEN, /* ours, for tests */
};

struct record_option {
	const char *name; /* long name, NULL if it has none */
	char key; /* short name, 0 if it has none */
	enum record_arg arg;
	enum record_action action;
	const char *arg_name;
	const char *text; /* help; of a refused option the rest of the line that refuses it */
};

/* The table, *ret_nr entries. */
const struct record_option *record_table(int *ret_nr);

#endif
