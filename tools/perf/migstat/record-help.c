// SPDX-License-Identifier: GPL-2.0
/*
 * record-help: the option table of record as -h and --list-opts show it.
 */
#include "builtin.h"
#include "record-options.h"
#include "record-table.h"

#include <stdio.h>
#include <string.h>

/* Words from column 26 to 79, the first line already begun. */
static void print_wrapped(const char *text, int column)
{
	enum { INDENT = 26, WIDTH = 79 };

	if (column >= INDENT) {
		putchar('\n');
		column = 0;
	}
	printf("%*s", INDENT - column, "");
	column = INDENT;
	while (*text) {
		int len = strcspn(text, " ");

		if (column > INDENT && column + 1 + len > WIDTH) {
			printf("\n%*s", INDENT, "");
			column = INDENT;
		}
		column += printf("%s%.*s", column > INDENT ? " " : "", len, text);
		text += len + (text[len] == ' ');
	}
	putchar('\n');
}

static void print_option(const struct record_option *opt)
{
	int column = opt->key ? printf("    -%c", opt->key) : printf("      ");

	if (opt->name)
		column += printf("%s--%s", opt->key ? ", " : "  ", opt->name);
	if (opt->arg == RECORD_OPT_ARG)
		column += printf("[=%s]", opt->arg_name ? opt->arg_name : "..");
	else if (opt->arg == RECORD_ARG)
		column += printf(" <%s>", opt->arg_name ? opt->arg_name : "..");
	print_wrapped(opt->text ? opt->text : "", column);
}

static void print_names(enum record_action action)
{
	int nr, column = 0;
	const struct record_option *t = record_table(&nr);

	for (int i = 0; i < nr; i++) {
		char word[64];

		if (t[i].action != action)
			continue;
		if (t[i].key)
			snprintf(word, sizeof(word), "-%c, --%s", t[i].key, t[i].name);
		else
			snprintf(word, sizeof(word), "--%s", t[i].name);
		if (column + strlen(word) + 2 > 78) {
			putchar('\n');
			column = 0;
		}
		column += printf("%s%s", column ? "  " : "    ", word);
	}
	putchar('\n');
}

void record_options__help(void)
{
	static const struct {
		enum record_action action;
		const char *title;
	} parts[] = {
		{ RECORD_OURS, "" },
		{ RECORD_FILTER, "\n Of the whole system, show some (the recording stays "
				 "system-wide):\n" },
		{ RECORD_BIND, "\n Your own events:\n" },
		{ RECORD_OTHER, "\n Options of perf record that are seen to here:\n" },
	};
	int nr;
	const struct record_option *t = record_table(&nr);

	puts("\n Usage: perf migstat record [<options>] [<command>]\n"
	     "    or: perf migstat record [<options>] -- <command> [<options>]\n");
	for (size_t p = 0; p < sizeof(parts) / sizeof(parts[0]); p++) {
		fputs(parts[p].title, stdout);
		for (int i = 0; i < nr; i++) {
			if (t[i].action == parts[p].action)
				print_option(&t[i]);
		}
	}
	puts("\n Passed on to perf record, see perf record -h:");
	print_names(RECORD_PASS);
	puts("\n Refused, with the reason:");
	print_names(RECORD_REFUSE);
	putchar('\n');
}

void record_options__list(void)
{
	int nr;
	const struct record_option *t = record_table(&nr);

	for (int i = 0; i < nr; i++) {
		if (t[i].name && t[i].action != RECORD_REFUSE && t[i].action != RECORD_HIDDEN &&
		    strcmp(t[i].name, "help"))
			printf("--%s ", t[i].name);
	}
}
