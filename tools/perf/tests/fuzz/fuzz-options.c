// SPDX-License-Identifier: GPL-2.0
/*
 * The option parsers: any text as the argument of each, and as a command line of record. Lines of
 * the input are words. Parsers of other rooms get their own block here.
 */
#include "fuzz.h"

#include "column.h"
#include "err.h"
#include "group.h"
#include "record-options.h"
#include "select.h"
#include "strtab.h"
#include "util/evstr.h"

#define MAX_WORDS 32

static void check(int ret, const struct mig_err *err)
{
	FUZZ_CLAIM(!ret || (err->msg[0] && err->code == ret));
}

static void selections(const char *word)
{
	struct mig_err err = { 0 };
	struct strtab names;
	struct select s;
	int ret;

	if (strtab__init(&names))
		return;
	select__init(&s);
	ret = select__time(&s, word, &err);
	check(ret, &err);
	if (!ret)
		check(select__resolve(&s, 1000, 2000, &err), &err);
	check(select__cpus(&s, word, &err), &err);
	check(select__pids(&s, word, &err), &err);
	check(select__tids(&s, word, &err), &err);
	check(select__comms(&s, word, &names, &err), &err);
	check(select__pair(&s, word, &names, &err), &err);
	select__exit(&s);
	strtab__exit(&names);
}

static void columns(const char *word)
{
	struct mig_columns cols;
	struct mig_err err = { 0 };
	struct mig_sort sort;
	uint32_t dims;

	if (!mig_table__parse_by(word, &dims, &err)) {
		mig_columns__default(&cols, dims, MIG_MISSES_EXACT);
		check(mig_columns__parse(&cols, word, &err), &err);
	}
	mig_columns__default(&cols, 1U << MIG_DIM_WAKER, MIG_MISSES_EXACT);
	check(mig_columns__parse(&cols, word, &err), &err);
	check(mig_sort__parse(&sort, word, &err), &err);
}

static void event_names(const char *word)
{
	char name[64];
	char *with;

	FUZZ_CLAIM(evstr__len(word) <= strlen(word));
	evstr__is_tracepoint(word);
	evstr__is_software(word);
	evstr__name(word, name, sizeof(name));
	with = evstr__add_term(word, "period=100");
	free(with);
}

static void command_line(char **words, int n)
{
	char *argv[MAX_WORDS + 2] = { (char *)"record" };
	struct record_options o = { 0 };
	struct mig_err err = { 0 };
	struct workload w;

	memcpy(argv + 1, words, (size_t)n * sizeof(*words));
	check(record_options__parse(&o, n + 1, argv, &err), &err);
	record_options__exit(&o);
	workload__parse((const char *const *)argv, n + 1, &w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *words[MAX_WORDS], *save = NULL, *p;
	int n = 0;

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	for (p = strtok_r(text, "\n", &save); p && n < MAX_WORDS; p = strtok_r(NULL, "\n", &save))
		words[n++] = p;
	for (int i = 0; i < n; i++) {
		selections(words[i]);
		columns(words[i]);
		event_names(words[i]);
	}
	command_line(words, n);
	free(text);
	return 0;
}
