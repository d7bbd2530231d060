// SPDX-License-Identifier: GPL-2.0
/*
 * record-table: what becomes of each option of perf record, and our own options.
 *
 * perf 6.1 to 6.12 and what newer ones add. Why each is treated as it is was measured: -c 1 on the
 * whole command turns a cpu-clock event into a storm, -F thins the tracepoints, -p and -t drop -a
 * and record nothing, -u drops it too, -G and a trailing --filter bind to one event only.
 */
#include "record-table.h"

#include <stddef.h>

#define OURS(name, arg, arg_name, text)                            \
	{                                                          \
		name, 0, RECORD_##arg, RECORD_OURS, arg_name, text \
	}
#define PASS(name, key)                                           \
	{                                                         \
		name, key, RECORD_NO_ARG, RECORD_PASS, NULL, NULL \
	}
#define PASS_ARG(name, key, arg_name)                              \
	{                                                          \
		name, key, RECORD_ARG, RECORD_PASS, arg_name, NULL \
	}
#define PASS_OPT(name, key, arg_name)                                  \
	{                                                              \
		name, key, RECORD_OPT_ARG, RECORD_PASS, arg_name, NULL \
	}
#define BIND(name, key, arg, arg_name, text)                         \
	{                                                            \
		name, key, RECORD_##arg, RECORD_BIND, arg_name, text \
	}
#define FILTER(name, key, arg_name, text)                            \
	{                                                            \
		name, key, RECORD_ARG, RECORD_FILTER, arg_name, text \
	}
#define OTHER(name, key, arg, arg_name, text)                         \
	{                                                             \
		name, key, RECORD_##arg, RECORD_OTHER, arg_name, text \
	}
#define REFUSE(name, key, arg, why)                               \
	{                                                         \
		name, key, RECORD_##arg, RECORD_REFUSE, NULL, why \
	}

static const struct record_option table[] = {
	OURS("miss-event", ARG, "EV,..",
	     "what a move costs: count EV at every switch, up to 4 "
	     "(default: cache-misses)"),
	OURS("miss-sample", OPT_ARG, "PERIOD",
	     "sample the miss events instead, with their address"),
	OURS("no-wake-chain", NO_ARG, NULL,
	     "no kernel call chain on wakeups: cheaper, but no "
	     "mechanism"),
	OURS("wakeup", NO_ARG, NULL, "record sched_wakeup as well"),
	OURS("anatomy", NO_ARG, NULL,
	     "record what run delays are made of: sched_wakeup, IPIs, idle states"),
	{ "sysroot", 0, RECORD_ARG, RECORD_HIDDEN, "DIR", NULL },

	FILTER("pid", 'p', "PID,..", "show these processes, record until they exit"),
	FILTER("tid", 't', "TID,..", "show these threads, record until they exit"),
	FILTER("uid", 'u', "USER", "show the tasks of this user"),
	FILTER("cgroup", 'G', "NAME,..", "show the tasks of these cgroups"),

	BIND("event", 'e', ARG, "EV", "record EV as well, after our events"),
	BIND("filter", 0, ARG, "FILTER", "filter of the -e before it"),
	BIND("exclude-perf", 0, NO_ARG, NULL,
	     "binds to the -e before it; our own events keep "
	     "perf, shown as [recorder]"),
	BIND("count", 'c', ARG, "N", "period of your own -e events"),
	BIND("freq", 'F', ARG, "HZ", "frequency of your own -e events"),
	BIND(NULL, 'g', NO_ARG, NULL,
	     "user and kernel call chains on wakeups and on your own -e: "
	     "costly"),
	BIND("call-graph", 0, ARG, "MODE", "the same, fp, dwarf[,SIZE] or lbr"),

	OTHER("help", 'h', NO_ARG, NULL, "this help"),
	OTHER("output", 'o', ARG, "FILE", "output file (default: perf.data); - is a pipe"),
	OTHER("mmap-pages", 'm', ARG, "PAGES",
	      "ring buffer per CPU (default: 16 MiB, less where "
	      "memory is short)"),
	OTHER("quiet", 'q', NO_ARG, NULL, "no warnings, no messages"),
	OTHER("verbose", 'v', NO_ARG, NULL, "print perf's command line; perf is verbose, too"),
	OTHER("dry-run", 0, NO_ARG, NULL, "check the options, record nothing"),
	{ "all-cpus", 'a', RECORD_NO_ARG, RECORD_OTHER, NULL, "always so" },
	{ "stat", 's', RECORD_NO_ARG, RECORD_OTHER, NULL, "always so" },
	{ "kernel-callchains", 0, RECORD_NO_ARG, RECORD_OTHER, NULL, "always so without -g" },

	PASS("no-buildid", 'B'),
	PASS_ARG("cpu", 'C', "CPUS"),
	PASS("data", 'd'),
	PASS_ARG("delay", 'D', "MS"),
	PASS_OPT("intr-regs", 'I', "REGS"),
	PASS("no-inherit", 'i'),
	PASS_ARG("clockid", 'k', "CLOCK"),
	PASS("no-buildid-cache", 'N'),
	PASS("period", 'P'),
	PASS("raw-samples", 'R'),
	PASS_ARG("realtime", 'r', "PRIO"),
	PASS("timestamp", 'T'),
	PASS("weight", 'W'),
	PASS_OPT("compression-level", 'z', "LEVEL"),
	PASS_ARG("affinity", 0, "MODE"),
	PASS_OPT("aio", 0, "N"),
	PASS("all-cgroups", 0),
	PASS_OPT("aux-sample", 0, "OPTS"),
	PASS("buildid-all", 0),
	PASS("buildid-mmap", 0),
	PASS_ARG("clang-opt", 0, "OPTS"),
	PASS_ARG("clang-path", 0, "PATH"),
	PASS("code-page-size", 0),
	PASS_ARG("control", 0, "FD"),
	PASS("data-page-size", 0),
	PASS_OPT("debuginfod", 0, "URLS"),
	PASS("kcore", 0),
	PASS("latency", 0),
	PASS_ARG("max-size", 0, "SIZE"),
	PASS_ARG("mmap-flush", 0, "N"),
	PASS("namespaces", 0),
	PASS("no-bpf-event", 0),
	PASS("no-buffering", 0),
	PASS_ARG("num-thread-synthesize", 0, "N"),
	PASS("off-cpu", 0),
	PASS_ARG("off-cpu-thresh", 0, "MS"),
	PASS("overwrite", 0),
	PASS("phys-data", 0),
	PASS_ARG("proc-map-timeout", 0, "MS"),
	PASS("running-time", 0),
	PASS("sample-cpu", 0),
	PASS("sample-identifier", 0),
	PASS_ARG("setup-filter", 0, "MODE"),
	PASS("strict-freq", 0),
	PASS("switch-events", 0),
	PASS_ARG("switch-max-files", 0, "N"),
	PASS_OPT("switch-output", 0, "WHEN"),
	PASS_ARG("switch-output-event", 0, "EV"),
	PASS_ARG("synth", 0, "WHAT"),
	PASS("tail-synthesize", 0),
	PASS_OPT("threads", 0, "SPEC"),
	PASS("timestamp-boundary", 0),
	PASS("timestamp-filename", 0),
	PASS("transaction", 0),
	PASS_OPT("user-regs", 0, "REGS"),
	PASS_ARG("vmlinux", 0, "FILE"),

	REFUSE("all-kernel", 0, NO_ARG,
	       "would change our events; say it of one event: --miss-event EV:k, -e EV:k"),
	REFUSE("all-user", 0, NO_ARG,
	       "would leave no scheduler events, they are the kernel's; say it "
	       "of one event: --miss-event EV:u, -e EV:u"),
	REFUSE("branch-any", 'b', NO_ARG,
	       "tracepoints have no branch records; make a second recording with perf record -b"),
	REFUSE("branch-filter", 'j', ARG,
	       "tracepoints have no branch records; make a second recording with perf record -j"),
	REFUSE("group", 0, NO_ARG,
	       "would put our events into one group; write a group of your own as -e '{A,B}'"),
	REFUSE("no-samples", 'n', NO_ARG, "leaves nothing to report; to count only, use perf stat"),
	REFUSE("per-thread", 0, NO_ARG,
	       "a task's own moves are seen from all CPUs only; -p or -t "
	       "selects what the report shows"),
	REFUSE("snapshot", 'S', OPT_ARG,
	       "is for AUX area tracing; --overwrite with --switch-output=signal keeps the last "
	       "events"),
	REFUSE("user-callchains", 0, NO_ARG,
	       "would drop the kernel's side, which names the mechanism "
	       "of a wakeup; -g records both"),
};

const struct record_option *record_table(int *ret_nr)
{
	*ret_nr = sizeof(table) / sizeof(table[0]);
	return table;
}
