// SPDX-License-Identifier: GPL-2.0
/*
 * cost: measures what moving a task with a warm working set costs on this machine. How: util/cost.h
 * and util/cost-pair.h; what is shown: ui/cost-view.h.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "collect.h"
#include "cost-switch.h"
#include "cost-view.h"
#include "cost.h"
#include "err.h"
#include "machine.h"
#include "progress.h"

enum { MAX_CPUS = 4096 };

struct cost_cmd {
	struct cost_config config;
	struct cost_view view;
	const char *cpus, *sizes, *separator;
	int cpu[MAX_CPUS];
	size_t size[COST_MAX_SIZES];
	size_t nr_asked; /* of -C, in asked[] */
	int asked[MAX_CPUS];
	bool json, switches;
};

enum {
	KEY_SIZES = 0x6000,
	KEY_ALL_PAIRS,
	KEY_PATTERN,
	KEY_PAGES,
	KEY_READ,
	KEY_TIME,
	KEY_ALLOCS,
	KEY_JSON,
	KEY_METHOD,
};

static const struct argp_option options[] = {
	{ NULL, 0, NULL, 0, "What is measured:", 1 },
	{ "method", KEY_METHOD, "NAME", 0,
	  "move (default), or switch: two processes on one CPU, direct and indirect cost", 1 },
	{ "cpu", 'C', "LIST", 0, "use these CPUs only", 1 },
	{ "all-pairs", KEY_ALL_PAIRS, NULL, 0,
	  "every pair of CPUs, as a matrix (default: one pair for each distance)", 1 },
	{ "sizes", KEY_SIZES, "LIST", 0,
	  "working sets: 64K,1M or 4K-64M, doubled (4K to twice the last-level cache)", 1 },
	{ "pattern", KEY_PATTERN, "LIST", 0,
	  "seq, random (default: both), 2005-six, 2005-four, all", 1 },
	{ "pages", KEY_PAGES, "LIST", 0, "4k (default), thp, hugetlb, all", 1 },
	{ "read", KEY_READ, NULL, 0, "only read the lines, do not write them", 1 },
	{ NULL, 0, NULL, 0, "How long:", 2 },
	{ "time", KEY_TIME, "BUDGET", 0, "at most: 500ms, 30s, 2m (10s)", 2 },
	{ "repeat", 'r', "N", 0, "samples wanted of each point (200)", 2 },
	{ "allocs", KEY_ALLOCS, "N", 0, "fresh allocations of each point (8)", 2 },
	{ NULL, 0, NULL, 0, "Output:", 3 },
	{ "json", KEY_JSON, NULL, 0, "JSON, schema migstat.cost/1", 3 },
	{ "field-separator", 'x', "SEP", 0, "values with SEP between them, raw, ns", 3 },
	{ "verbose", 'v', NULL, 0, "curves of all pairs, also with --all-pairs", 3 },
	{ 0 },
};

/* "a,b" or "all"; sets flags of what parse() knows. */
static void parse_names(const char *arg, int (*parse)(const char *name, size_t len), bool *flags,
			int nr, const char *option, struct argp_state *state)
{
	memset(flags, 0, nr * sizeof(*flags));
	for (const char *p = arg;; p++) {
		size_t len = strcspn(p, ",");
		int i = parse(p, len);

		if (i < 0 && (len != 3 || strncmp(p, "all", 3)))
			argp_error(state, "%s %s: '%.*s' is none of those it knows", option, arg,
				   (int)len, p);
		for (int k = 0; k < nr; k++)
			flags[k] |= i < 0 || k == i;
		p += len;
		if (!*p)
			return;
	}
}

static double parse_seconds(const char *arg, struct argp_state *state)
{
	char *end;
	double v = strtod(arg, &end);

	if (end != arg && !strcmp(end, "ms"))
		v /= 1000;
	else if (end != arg && !strcmp(end, "m"))
		v *= 60;
	else if (end != arg && *end && strcmp(end, "s"))
		end = (char *)arg;
	if (end == arg || !(v > 0 && v <= 1e6))
		argp_error(state, "--time %s: not a time like 500ms, 30s or 2m", arg);
	return v;
}

static unsigned parse_number(const char *arg, const char *option, unsigned most,
			     struct argp_state *state)
{
	char *end;
	unsigned long v = strtoul(arg, &end, 10);

	if (end == arg || *end || !v || v > most || *arg == '-')
		argp_error(state, "%s %s: use a number from 1 to %u", option, arg, most);
	return v;
}

static void add_asked(int cpu, void *ctx)
{
	struct cost_cmd *cmd = ctx;

	if (cmd->nr_asked < MAX_CPUS)
		cmd->asked[cmd->nr_asked++] = cpu;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct cost_cmd *cmd = state->input;
	struct cost_config *cf = &cmd->config;

	switch (key) {
	case 'C':
		if (cpulist__for_each(arg, add_asked, cmd))
			argp_error(state, "-C %s: not a list of CPUs like 0-3,8", arg);
		cmd->cpus = arg;
		return 0;
	case KEY_METHOD:
		if (strcmp(arg, "move") && strcmp(arg, "switch"))
			argp_error(state, "--method %s: use move or switch", arg);
		cmd->switches = !strcmp(arg, "switch");
		return 0;
	case KEY_ALL_PAIRS:
		cf->all_pairs = true;
		return 0;
	case KEY_SIZES:
		cmd->sizes = arg;
		return 0;
	case KEY_PATTERN:
		parse_names(arg, cost_pattern__parse, cf->pattern, COST_NR_PATTERNS, "--pattern",
			    state);
		return 0;
	case KEY_PAGES:
		parse_names(arg, cost_pages__parse, cf->pages, COST_NR_PAGES, "--pages", state);
		return 0;
	case KEY_READ:
		cf->write = false;
		return 0;
	case KEY_TIME:
		cf->seconds = parse_seconds(arg, state);
		return 0;
	case 'r':
		cf->repeat = parse_number(arg, "-r", 100000, state);
		return 0;
	case KEY_ALLOCS:
		cf->allocs = parse_number(arg, "--allocs", 1000, state);
		return 0;
	case KEY_JSON:
		cmd->json = true;
		return 0;
	case 'x':
		if (!*arg)
			argp_error(state, "the separator is empty");
		cmd->separator = arg;
		return 0;
	case 'v':
		cmd->view.curves = true;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "takes no arguments, not '%s'", arg);
		return 0;
	case ARGP_KEY_END:
		if (cmd->switches &&
		    (cf->all_pairs || cf->pages[COST_THP] || cf->pages[COST_HUGETLB]))
			argp_error(state, "--method switch: has one CPU and 4k pages, neither "
					  "--all-pairs nor other --pages");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp mig_cost_argp = {
	.options = options,
	.parser = parse,
	.doc = "Measures what moving a task with a warm working set costs on this machine.",
};

static bool stop(void)
{
	return collect__stop_signal() != 0;
}

static bool asked_for(const struct cost_cmd *cmd, int cpu)
{
	for (size_t i = 0; i < cmd->nr_asked; i++) {
		if (cmd->asked[i] == cpu)
			return true;
	}
	return !cmd->cpus;
}

/* The CPUs this process may use and -C names. */
static int find_cpus(struct cost_cmd *cmd, struct mig_err *err)
{
	cpu_set_t *set = CPU_ALLOC(MAX_CPUS);
	size_t size = CPU_ALLOC_SIZE(MAX_CPUS), n = 0;
	int ret = 0;

	if (!set)
		return mig_err__set(err, -ENOMEM, "out of memory");
	CPU_ZERO_S(size, set);
	if (sched_getaffinity(0, size, set))
		ret = mig_err__set(err, -errno, "sched_getaffinity: %s", strerror(errno));
	for (size_t i = 0; i < cmd->nr_asked && !ret; i++) {
		if (cmd->asked[i] < MAX_CPUS && CPU_ISSET_S(cmd->asked[i], size, set))
			continue;
		ret = mig_err__set(err, -EINVAL, "-C %s: this process may not use CPU %d",
				   cmd->cpus, cmd->asked[i]);
		mig_err__hint(err, "is it online? taskset and cgroup cpusets limit it, too");
	}
	for (int cpu = 0; cpu < MAX_CPUS; cpu++) {
		if (CPU_ISSET_S(cpu, size, set) && asked_for(cmd, cpu))
			cmd->cpu[n++] = cpu;
	}
	cmd->config.cpu = cmd->cpu;
	cmd->config.nr_cpus = n;
	CPU_FREE(set);
	return ret;
}

static int prepare(struct cost_cmd *cmd, struct mig_err *err)
{
	struct cost_config *cf = &cmd->config;
	size_t nr;
	int ret = find_cpus(cmd, err);

	if (ret)
		return ret;
	nr = cost__default_sizes(cmd->cpu[0], cmd->size, &cmd->view.llc);
	if (cmd->sizes)
		ret = cost__parse_sizes(cmd->sizes, cmd->size, &nr, err);
	else if (cf->all_pairs)
		ret = cost__parse_sizes("64K,1M", cmd->size, &nr, err);
	cf->size = cmd->size;
	cf->nr_sizes = nr;
	return ret;
}

static int show(const struct cost_cmd *cmd, const struct cost *c)
{
	if (cmd->json)
		return cost_view__json(c, &cmd->view, stdout);
	if (cmd->separator)
		return cost_view__separated(c, cmd->separator, stdout);
	return cost_view__text(c, &cmd->view, stdout);
}

/* Shows what was measured; -EINTR if it was stopped. */
static int finish(int failed, bool stopped, struct mig_err *err)
{
	if (failed || fflush(stdout))
		return mig_err__set(err, -EIO, "standard output: %s", strerror(errno));
	return stopped ? -EINTR : 0;
}

static int run_move(struct cost_cmd *cmd, struct mig_err *err)
{
	struct collect_signals signals;
	struct cost c;
	int ret = cost__init(&c, &cmd->config, err);

	if (!ret) {
		collect__hold(&signals);
		ret = cost__run(&c, err);
		collect__release(&signals);
		progress__finish();
	}
	if (!ret && cost__finish(&c))
		ret = mig_err__set(err, -ENOMEM, "out of memory");
	if (!ret)
		ret = finish(show(cmd, &c), c.stopped, err);
	cost__exit(&c);
	return ret;
}

static int run_switch(struct cost_cmd *cmd, struct mig_err *err)
{
	struct collect_signals signals;
	struct cost_switch s;
	int ret = cost_switch__init(&s, &cmd->config, err);

	if (!ret) {
		collect__hold(&signals);
		ret = cost_switch__run(&s, err);
		collect__release(&signals);
		progress__finish();
	}
	if (!ret)
		ret = finish(cmd->json ? cost_view__switch_json(&s, stdout)
			     : cmd->separator
				     ? cost_view__switch_separated(&s, cmd->separator, stdout)
				     : cost_view__switch_text(&s, stdout),
			     s.stopped, err);
	cost_switch__exit(&s);
	return ret;
}

int cmd_cost(int argc, char **argv)
{
	struct cost_cmd *cmd = calloc(1, sizeof(*cmd));
	char why[160];
	struct machine machine = { 0 };
	struct mig_err err = { 0 };
	int ret;

	if (!cmd) {
		perror("perf migstat cost");
		return MIG_EXIT_FAILED;
	}
	cmd->config = (struct cost_config){
		.pattern = { [COST_SEQ] = true, [COST_RANDOM] = true },
		.pages = { [COST_4K] = true },
		.write = true,
		.seconds = 10,
		.repeat = 200,
		.allocs = 8,
		.stop = stop,
		.progress = progress__update,
	};
	if (options__parse(&mig_cost_argp, "cost", 0, argc, argv, cmd)) {
		free(cmd);
		return MIG_EXIT_USAGE;
	}
	cmd->view.kernel_ns = cost__kernel_limit("", why);
	cmd->view.kernel_why = why;
	if (!machine__read("", &machine))
		cmd->view.cpu = machine__get(&machine, "cpu");
	ret = prepare(cmd, &err);
	if (!ret)
		ret = cmd->switches ? run_switch(cmd, &err) : run_move(cmd, &err);
	if (ret == -EINTR)
		fprintf(stderr, "interrupted: what was measured until then is shown\n");
	machine__exit(&machine);
	free(cmd);
	return ret == -EINTR ? 128 + collect__stop_signal()
	       : ret         ? mig_err__print(&err)
			     : MIG_EXIT_OK;
}
