// SPDX-License-Identifier: GPL-2.0
#include "measure-options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect.h"
#include "err.h"
#include "probe.h"

#define DEFAULT_EVENTS \
	"cache-misses,cache-references,cpu-migrations,context-switches,page-faults,duration_time"

enum {
	KEY_VALUE = 0x6000,
	KEY_VALUE_CMD,
	KEY_BETTER,
	KEY_PRE,
	KEY_POST,
	KEY_TIMEOUT,
	KEY_FOR_EACH_CGROUP,
	KEY_ALL_USER,
	KEY_ALL_KERNEL,
	KEY_BPF_COUNTERS,
	KEY_NO_MONITOR,
};

static const struct argp_option options[] = {
	{ NULL, 0, NULL, 0, "Around each run:", 1 },
	{ "pre", KEY_PRE, "CMD", 0, "shell command before each run", 1 },
	{ "post", KEY_POST, "CMD", 0, "shell command after each run", 1 },
	{ "timeout", KEY_TIMEOUT, "SECONDS", 0, "stop a run that takes longer", 1 },
	{ NULL, 0, NULL, 0, "What is measured:", 2 },
	{ "value", KEY_VALUE, "RE|NAME", 0,
	  "the value the command reports: first group of RE, last match; or hackbench, perf-bench, "
	  "schbench, netperf, iperf3, tbench, sysbench, hyperfine",
	  2 },
	{ "value-cmd", KEY_VALUE_CMD, "CMD", 0, "shell command: output in, number out", 2 },
	{ "better", KEY_BETTER, "WAY", 0, "of the value: higher, lower, none", 2 },
	{ "event", 'e', "EVENT", 0, "more events of perf stat", 2 },
	{ "all-cpus", 'a', NULL, 0, "count the whole system", 2 },
	{ "cpu", 'C', "LIST", 0, "count on these CPUs", 2 },
	{ "pid", 'p', "LIST", 0, "count these processes while the command runs", 2 },
	{ "tid", 't', "LIST", 0, "count these threads while the command runs", 2 },
	{ "cgroup", 'G', "LIST", 0, "count in a cgroup, as perf stat -G", 2 },
	{ "for-each-cgroup", KEY_FOR_EACH_CGROUP, "LIST", 0,
	  "count every event in each of these cgroups", 2 },
	{ "all-user", KEY_ALL_USER, NULL, 0, "count in user space only", 2 },
	{ "all-kernel", KEY_ALL_KERNEL, NULL, 0, "count in the kernel only", 2 },
	{ "bpf-counters", KEY_BPF_COUNTERS, NULL, 0, "let a BPF program count", 2 },
	{ "delay", 'D', "MS", 0, "start counting so many milliseconds after the start", 2 },
	{ "no-inherit", 'i', NULL, 0, "do not count child tasks", 2 },
	{ "no-monitor", KEY_NO_MONITOR, NULL, 0, "without /proc/vmstat, softirqs, ...", 2 },
	{ 0 },
};

double measure_opts__number(const char *arg, double least, double most, const char *option,
			    struct argp_state *state)
{
	char *end;
	double v = strtod(arg, &end);

	if (end == arg || *end || !(v >= least && v <= most))
		argp_error(state, "%s %s: use a number from %g to %g", option, arg, least, most);
	return v;
}

static void pass(struct measure_opts *o, const char *option, const char *arg)
{
	argv__add(&o->m.options, option);
	if (arg)
		argv__add(&o->m.options, arg);
}

/* What perf stat takes under the same name. */
static error_t parse_passed(int key, char *arg, struct measure_opts *o)
{
	char option[3] = { '-', (char)key, '\0' };

	switch (key) {
	case 'a':
	case 'i':
		pass(o, option, NULL);
		return 0;
	case 'C':
	case 'p':
	case 't':
	case 'G':
	case 'D':
		pass(o, option, arg);
		return 0;
	case KEY_FOR_EACH_CGROUP:
		pass(o, "--for-each-cgroup", arg);
		return 0;
	case KEY_ALL_USER:
		pass(o, "--all-user", NULL);
		return 0;
	case KEY_ALL_KERNEL:
		pass(o, "--all-kernel", NULL);
		return 0;
	case KEY_BPF_COUNTERS:
		pass(o, "--bpf-counters", NULL);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct measure_opts *o = state->input;
	char *more;

	switch (key) {
	case ARGP_KEY_INIT:
		o->m.monitor = true;
		return 0;
	case KEY_NO_MONITOR:
		o->m.monitor = false;
		return 0;
	case KEY_VALUE:
		o->value = arg;
		return 0;
	case KEY_VALUE_CMD:
		o->m.value_cmd = arg;
		return 0;
	case KEY_BETTER:
		if (metric__parse_better(arg) == METRIC_UNKNOWN)
			argp_error(state, "--better %s: use higher, lower or none", arg);
		o->better = arg;
		return 0;
	case KEY_PRE:
		o->m.pre = arg;
		return 0;
	case KEY_POST:
		o->m.post = arg;
		return 0;
	case KEY_TIMEOUT:
		o->m.timeout = measure_opts__number(arg, 0.001, 1e7, "--timeout", state);
		return 0;
	case 'e':
		if (asprintf(&more, "%s,%s", o->events ? o->events : DEFAULT_EVENTS, arg) < 0)
			return ENOMEM;
		free(o->events);
		o->events = more;
		return 0;
	case ARGP_KEY_END:
		if (o->value && o->m.value_cmd)
			argp_error(state, "--value and --value-cmd: one of them");
		return 0;
	default:
		return parse_passed(key, arg, o);
	}
}

const struct argp measure_argp = { .options = options, .parser = parse };

int measure_opts__prepare(struct measure_opts *o, struct mig_err *err)
{
	int rc = collect__find_perf(o->perf, sizeof(o->perf), err);

	o->m.perf = o->perf;
	o->m.events = o->events ? o->events : DEFAULT_EVENTS;
	if (!rc && o->value) {
		rc = value_finder__init(&o->finder, o->value, err);
		o->has_finder = !rc;
		o->m.value = &o->finder;
	}
	return rc ? rc : measure__init(&o->m, err);
}

int measure_opts__describe(const struct measure_opts *o, struct run_arm *arm, struct mig_err *err)
{
	struct argv words = { 0 };
	struct run_metric *m;
	struct probe_perf perf = { 0 };
	int rc;

	for (char *const *w = o->m.command; *w; w++)
		argv__add(&words, *w);
	arm->command = argv__quote(&words);
	argv__exit(&words);
	rc = machine__read("", &arm->machine);
	if (!rc)
		rc = run_arm__metric(arm, METRIC_VALUE, &m);
	if (rc)
		return mig_err__set(err, rc, "out of memory");
	free(m->unit);
	m->unit = strdup(o->has_finder ? o->finder.unit : o->m.value_cmd ? "" : "s");
	m->better = o->better        ? metric__parse_better(o->better)
		    : o->has_finder  ? o->finder.better
		    : o->m.value_cmd ? METRIC_NONE
				     : METRIC_LOWER;
	rc = probe__perf(o->perf, &perf, err);
	if (!rc && machine__add(&arm->machine, "perf", perf.version))
		rc = mig_err__set(err, -ENOMEM, "out of memory");
	probe_perf__exit(&perf);
	return rc;
}

void measure_opts__exit(struct measure_opts *o)
{
	if (o->has_finder)
		value_finder__exit(&o->finder);
	measure__exit(&o->m);
	free(o->events);
}
