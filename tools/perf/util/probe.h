/* SPDX-License-Identifier: GPL-2.0 */
/*
 * probe: asks the installed perf, before a recording, what it and this machine's PMU can do.
 *
 * A group with a hardware member that does not get its counters loses sched_switch itself, without
 * a word from perf record; so the group is counted for 0.2 s first.
 */
#ifndef MIG_PROBE_H
#define MIG_PROBE_H

#include <stdbool.h>

struct mig_err;
struct events_want;

/* One per miss event. */
enum probe_miss {
	PROBE_FITS, /* counted all the time, or costs no counter */
	PROBE_UNSUPPORTED, /* the PMU has no such event (or there is no PMU) */
	PROBE_UNFIT, /* the group never got its counters */
	PROBE_SHARED, /* the group got them part of the time only: multiplexed */
	PROBE_REFUSED, /* the kernel refuses such a group */
};

/* What this perf is. */
struct probe_perf {
	char version[64];
	char *options; /* " --all-cpus --count ...": what `perf record --list-opts` says, or NULL */
};

/*
 * Reads the version and the options of perf. Returns 0, or -ENOTSUP if this perf cannot record
 * tracepoints (built without libtraceevent), or what collect__capture() returns.
 */
int probe__perf(const char *perf, struct probe_perf *ret, struct mig_err *err);
void probe_perf__exit(struct probe_perf *p);

/* Does this perf have "--name"? True if it could not be asked. */
bool probe_perf__has(const struct probe_perf *p, const char *name);

/*
 * Does this kernel put cgroups into samples: from 5.7 on, with CONFIG_CGROUP_PERF, which perf
 * itself asks for too late (PERF_SAMPLE_CGROUP: EINVAL in perf_copy_attr()).
 */
bool probe__cgroups(void);

/*
 * Counts the miss events of want, first each on its own, then in the group of sched_switch.
 * ret[i] is what became of want->miss[i]. Sets want->bare_members where this perf takes the event
 * without terms only. -EINVAL with perf's own words for an event that perf does not know.
 */
int probe__miss(const char *perf, struct events_want *want, enum probe_miss *ret,
		struct mig_err *err);

/*
 * Does this perf break up a group of sched_switch and software counters (ret true)? From 6.12 on
 * it does, unless a member of a PMU holds the group together: "events were regrouped to match
 * PMUs". Same errors.
 */
int probe__regroups(const char *perf, bool *ret, struct mig_err *err);

/*
 * Can the events be sampled (ret true), or does the PMU have no overflow interrupt? Same errors.
 */
int probe__sampling(const char *perf, const struct events_want *want, bool *ret,
		    struct mig_err *err);

#endif
