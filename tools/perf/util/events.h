/* SPDX-License-Identifier: GPL-2.0 */
/*
 * events: which events a recording wants, which of them this kernel has, what it falls back to;
 * and whether we may record at all. The only room that knows tracefs.
 *
 * Every path is read below a root directory ("" = this machine), so that tests can show it
 * another kernel.
 */
#ifndef MIG_EVENTS_H
#define MIG_EVENTS_H

#include <stdbool.h>

struct argv;
struct mig_err;

enum { EVENTS_MISS_MAX = 4 };

struct events_host {
	const char *root; /* borrowed */
	char tracefs[256];
	int nr_cpus; /* online */
	bool hybrid; /* two hardware PMUs (cpu_core, cpu_atom): no group can span them */
	bool no_pmu; /* no hardware counters at all, as in most virtual machines */
	bool may_lock; /* rings are not bounded by perf_event_mlock_kb */
};

struct events_want {
	const char *miss[EVENTS_MISS_MAX]; /* as perf's -e takes them */
	int nr_miss;
	bool miss_sample; /* sampled on their own instead of read at every switch */
	const char *miss_period; /* of sampled misses; NULL = about a thousand samples a second */
	bool wakeup; /* sched_wakeup besides sched_waking */
	bool anatomy; /* .. and IPIs and idle states: what a run delay is made of */
	bool no_chain; /* no call chain on sched_waking */
	const char *chain; /* its call-graph term; NULL = "fp" */
	bool bare_members; /* this perf takes no terms on the miss events */
	bool no_sw_group; /* this perf breaks up groups of tracepoints and software counters */
};

/*
 * Looks at the machine: finds tracefs (mounts it where permitted), counts CPUs and PMUs. -ENOENT,
 * -EACCES or -EPERM with the cure where there are no tracepoints to be had.
 */
int events__host(const char *root, struct events_host *ret, struct mig_err *err);

/* Does the kernel have the tracepoint "sys:name"? */
bool events__has(const struct events_host *host, const char *name);

/*
 * May we record the whole system? Opens sched_switch on one CPU, as perf would. Tells "not root",
 * perf_event_paranoid, lockdown and a seccomp filter apart.
 */
int events__permitted(const struct events_host *host, struct mig_err *err);

/*
 * The i-th event that anatomy adds, and which term of a run delay cannot be told without it; NULL
 * when there are no more.
 */
const char *events__anatomy(unsigned i, const char **ret_term);

/* Does the group of sched_switch have a member that is counted by a PMU? */
bool events__wants_pmu(const struct events_want *want);

/*
 * Appends the options "-e EVENT", "--filter F" of a recording of want on host, and returns how
 * many events that is (one of perf's own included), or -ENOENT if not even sched_switch exists.
 */
int events__add(const struct events_host *host, const struct events_want *want, struct argv *line,
		struct mig_err *err);

/*
 * Raises the limit of open files to what nr events on all CPUs need. -EMFILE with the number
 * where the hard limit forbids.
 */
int events__raise_nofile(const struct events_host *host, int nr, struct mig_err *err);

/*
 * Pages of ring buffer per CPU: 16 MiB, less where the rings of all CPUs would take more than a
 * sixteenth of the memory available, halved while the kernel refuses to map them. *ret_refused is
 * set to the number of pages that was refused first, 0 if none. Returns the number, a power of
 * two, or -EPERM/-ENOMEM with the cure.
 */
int events__ring_pages(const struct events_host *host, int *ret_refused, struct mig_err *err);

#endif
