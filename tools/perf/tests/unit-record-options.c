// SPDX-License-Identifier: GPL-2.0
/* The table of perf record's options, event strings, and the workload's grammar. */
#include "tests.h"

#include "err.h"
#include "evstr.h"
#include "migstat/record-options.h"
#include "migstat/record-table.h"
#include "workload.h"

static void test_table(void)
{
	static const struct {
		const char *word, *action;
	} cases[] = {
		{ "-o", "other" },
		{ "--output", "other" },
		{ "-c", "bind" },
		{ "-F", "bind" },
		{ "-e", "bind" },
		{ "--filter", "bind" },
		{ "-g", "bind" },
		{ "--call-graph", "bind" },
		{ "-p", "filter" },
		{ "-t", "filter" },
		{ "-u", "filter" },
		{ "-G", "filter" },
		{ "--per-thread", "refuse" },
		{ "-b", "refuse" },
		{ "-z", "pass" },
		{ "--threads", "pass" },
		{ "--aio", "pass" },
		{ "--tail", "pass" },
		{ "--wakeup", "ours" },
		{ "--anatomy", "ours" },
		{ "--miss-event", "ours" },
		{ "-Z", NULL },
		{ "--nosuch", NULL },
	};
	int nr, same = 0, unsaid = 0;
	const struct record_option *t = record_table(&nr);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_str(record_options__action(cases[i].word), cases[i].action, cases[i].word);
	for (int i = 0; i < nr; i++) {
		for (int j = 0; j < i; j++)
			same += (t[i].key && t[i].key == t[j].key) ||
				(t[i].name && t[j].name && !strcmp(t[i].name, t[j].name));
		unsaid += t[i].action == RECORD_REFUSE && !t[i].text;
	}
	is_int(same, 0, "no option twice");
	is_int(unsaid, 0, "every refusal has its reason");
}

static void test_evstr(void)
{
	static const struct {
		const char *ev, *term, *want;
	} cases[] = {
		{ "cycles", "period=9", "cycles/period=9/" },
		{ "cycles:u", "period=9", "cycles/period=9/u" },
		{ "cpu/event=0x3c/", "period=9", "cpu/event=0x3c,period=9/" },
		{ "cpu/event=0x3c/upp", "period=9", "cpu/event=0x3c,period=9/upp" },
		{ "msr//", "period=9", "msr/period=9/" },
		{ "{a,b:k}:S", "t=1", "{a/t=1/,b/t=1/k}:S" },
		{ "sched:sched_switch", "call-graph=no", "sched:sched_switch/call-graph=no/" },
	};
	char name[64];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *got = evstr__add_term(cases[i].ev, cases[i].term);

		is_str(got, cases[i].want, cases[i].ev);
		free(got);
	}
	is_int(evstr__len("a,b"), 1, "element of a list");
	is_int(evstr__len("cpu/a=1,b=2/u,c"), 13, "a comma between slashes is none");
	is_int(evstr__len("{a,b}:S,c"), 7, "a comma between braces is none");
	ok(evstr__is_tracepoint("sched:sched_switch"), "a tracepoint");
	ok(evstr__is_tracepoint("sched:*"), "all of a system");
	ok(!evstr__is_tracepoint("cycles:u"), "a modifier makes no tracepoint");
	ok(!evstr__is_tracepoint("cpu/config=1,name=a:b/"), "nor does a colon in a term");
	ok(evstr__is_software("page-faults:u"), "a software event with a modifier");
	ok(!evstr__is_software("cache-misses"), "a hardware event");
	evstr__name("cache-misses/call-graph=no/u", name, sizeof(name));
	is_str(name, "cache-misses", "the name without our terms");
	evstr__name("cpu/event=0x3c/", name, sizeof(name));
	is_str(name, "cpu/event=0x3c/", "the terms of a PMU are its name");
}

#define PARSE(w, ...)                                         \
	workload__parse((const char *const[]){ __VA_ARGS__ }, \
			sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *), w)

static void test_workload(void)
{
	struct workload w, in = { .tids = "7", .cgroups = "a/b" };
	struct argv line = { 0 };

	is_int(PARSE(&w, "perf", "record", "-a", "--", "/x/perf-migstat", "--wait-pids", "12,13"),
	       1, "--wait-pids");
	is_str(w.pids, "12,13", "--wait-pids: the list");
	ok(!w.command, "--wait-pids: no command");
	is_int(PARSE(&w, "perf", "record", "--", "perf-migstat", "--workload", "--filter-uid",
		     "0,5", "--filter-tid", "9", "--", "ls", "--", "-l"),
	       1, "--workload");
	is_str(w.uids, "0,5", "--workload: users");
	is_str(w.tids, "9", "--workload: threads");
	is_int(w.nr_command, 3, "--workload: words of the command");
	is_str(w.command[0], "ls", "--workload: the command");
	is_int(PARSE(&w, "perf-migstat", "--workload"), 1, "run by itself, nothing to wait for");
	is_int(PARSE(&w, "perf", "record", "-a", "--", "ls"), 0, "a plain recording");
	is_int(PARSE(&w, "perf", "record", "ls", "perf-migstat", "--workload"), 0,
	       "an argument of a command");
	ok(!w.pids && !w.command, "nothing found, nothing set");
	ok(PARSE(&w, "perf-migstat", "--wait-pids") < 0, "a list is missing");
	ok(PARSE(&w, "perf-migstat", "--workload", "--filter-foo", "1") < 0, "an unknown filter");
	ok(PARSE(&w, "perf-migstat", "--workload", "--") < 0, "a command is missing");

	argv__add(&line, "--");
	workload__format(&in, "/x/perf-migstat", &line);
	is_int(workload__parse((const char *const *)line.v, line.nr, &w), 1,
	       "what is written is read");
	ok(w.tids && w.cgroups && !w.pids, "the same filters");
	is_str(w.cgroups, "a/b", "the same value");
	argv__exit(&line);
}

static void test_quote(void)
{
	struct argv line = { 0 };
	char *text;

	argv__add(&line, "perf");
	argv__add(&line, "it's");
	argv__add(&line, "");
	argv__addf(&line, "%d,%d", 1, 2);
	text = argv__quote(&line);
	is_str(text, "perf 'it'\\''s' '' 1,2", "a line as a shell takes it");
	free(text);
	argv__exit(&line);
}

int main(void)
{
	test_table();
	test_evstr();
	test_workload();
	test_quote();
	return done_testing();
}
