// SPDX-License-Identifier: GPL-2.0
/*
 * knob-table: where each knob is, by the kernel's version: kernel/sched/debug.c since 5.13
 * (debugfs), kernel/sysctl.c before.
 */
#include <string.h>

#include "knob.h"

#define DEBUG  "/sys/kernel/debug/sched/"
#define SYSCTL "/proc/sys/kernel/"
#define CPUS   "/sys/devices/system/cpu/"
#define THP    "/sys/kernel/mm/transparent_hugepage/"

static const struct knob_known known[] = {
	{ "migration_cost",
	  "ns a task is cache-hot to the balancer; -1 = always",
	  KNOB_TEXT,
	  { DEBUG "migration_cost_ns", SYSCTL "sched_migration_cost_ns",
	    SYSCTL "sched_migration_cost" } },
	{ "nr_migrate",
	  "tasks moved in one go by the load balancer",
	  KNOB_TEXT,
	  { DEBUG "nr_migrate", SYSCTL "sched_nr_migrate" } },
	{ "base_slice", "ns of a slice, since 6.6", KNOB_TEXT, { DEBUG "base_slice_ns" } },
	{ "latency",
	  "ns in which all tasks run once, before 6.6",
	  KNOB_TEXT,
	  { DEBUG "latency_ns", SYSCTL "sched_latency_ns" } },
	{ "min_granularity",
	  "ns a task runs at least, before 6.6",
	  KNOB_TEXT,
	  { DEBUG "min_granularity_ns", SYSCTL "sched_min_granularity_ns" } },
	{ "idle_min_granularity",
	  "the same for idle tasks, before 6.6",
	  KNOB_TEXT,
	  { DEBUG "idle_min_granularity_ns" } },
	{ "wakeup_granularity",
	  "ns ahead a wakee preempts, before 6.6",
	  KNOB_TEXT,
	  { DEBUG "wakeup_granularity_ns", SYSCTL "sched_wakeup_granularity_ns" } },
	{ "tunable_scaling",
	  "of slices by the CPUs: 0 none, 1 log, 2 linear",
	  KNOB_TEXT,
	  { DEBUG "tunable_scaling", SYSCTL "sched_tunable_scaling" } },
	{ "preempt", "none, voluntary, full, lazy", KNOB_CHOICE, { DEBUG "preempt" } },
	{ "features",
	  "words of the features file, as NO_WA_IDLE+SIS_UTIL",
	  KNOB_FEATURES,
	  { DEBUG "features", "/sys/kernel/debug/sched_features" } },
	{ "domain.flags",
	  "of all sched domains; writable before 5.13",
	  KNOB_TEXT,
	  { DEBUG "domains/cpu*/domain*/flags", SYSCTL "sched_domain/cpu*/domain*/flags" } },
	{ "domain.imbalance_pct",
	  "of all sched domains",
	  KNOB_TEXT,
	  { DEBUG "domains/cpu*/domain*/imbalance_pct",
	    SYSCTL "sched_domain/cpu*/domain*/imbalance_pct" } },
	{ "domain.cache_nice_tries",
	  "of all sched domains",
	  KNOB_TEXT,
	  { DEBUG "domains/cpu*/domain*/cache_nice_tries",
	    SYSCTL "sched_domain/cpu*/domain*/cache_nice_tries" } },
	{ "domain.busy_factor",
	  "of all sched domains",
	  KNOB_TEXT,
	  { DEBUG "domains/cpu*/domain*/busy_factor",
	    SYSCTL "sched_domain/cpu*/domain*/busy_factor" } },
	{ "autogroup", "0 or 1", KNOB_TEXT, { SYSCTL "sched_autogroup_enabled" } },
	{ "numa_balancing", "0, 1 or 2", KNOB_TEXT, { SYSCTL "numa_balancing" } },
	{ "schedstats", "0 or 1", KNOB_TEXT, { SYSCTL "sched_schedstats" } },
	{ "bandwidth_slice",
	  "us of quota a CPU takes at once",
	  KNOB_TEXT,
	  { SYSCTL "sched_cfs_bandwidth_slice_us" } },
	{ "thp", "transparent huge pages: always, madvise, never", KNOB_CHOICE, { THP "enabled" } },
	{ "thp_defrag", "always, defer, madvise, never", KNOB_CHOICE, { THP "defrag" } },
	{ "smt", "threads of a core: on, off", KNOB_TEXT, { CPUS "smt/control" } },
	{ "governor",
	  "of the clock frequency, all CPUs",
	  KNOB_TEXT,
	  { CPUS "cpu*/cpufreq/scaling_governor" } },
};

enum { NR_KNOWN = sizeof(known) / sizeof(known[0]) };

const struct knob_known *knob__find(const char *name)
{
	for (int i = 0; i < NR_KNOWN; i++)
		if (!strcmp(known[i].name, name))
			return &known[i];
	return NULL;
}

void knob__for_each(void (*fn)(const struct knob_known *known, void *ctx), void *ctx)
{
	for (int i = 0; i < NR_KNOWN; i++)
		fn(&known[i], ctx);
}
