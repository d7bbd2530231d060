// SPDX-License-Identifier: GPL-2.0
/*
 * record: runs `perf record` on the whole system with what the report needs.
 *
 * In: the user's options. Out: perf's recording, nothing of ours; stdout stays silent, it may be
 * the recording. What is needed and why: util/events.h; what becomes of the options:
 * record-table.c.
 */
#include "builtin.h"
#include "record-options.h"
#include "util/argv.h"
#include "util/collect.h"
#include "util/err.h"
#include "util/events.h"
#include "util/evstr.h"
#include "util/probe.h"
#include "util/workload.h"

#include <errno.h>
#include <limits.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct record {
	struct record_options opts;
	struct events_host host;
	struct probe_perf perf;
	char perf_path[PATH_MAX];
	struct argv line;
	char *user_pids; /* owned; opts.tasks.user_pids */
	struct stat before; /* of the output; st_ino 0 = it did not exist */
};

static void warn(const struct record *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void warn(const struct record *r, const char *fmt, ...)
{
	va_list ap;

	if (r->opts.quiet)
		return;
	fputs("Warning: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	putc('\n', stderr);
}

/* Takes miss event i out. */
static void drop_miss(struct events_want *want, enum probe_miss *verdict, int i)
{
	want->nr_miss--;
	for (; i < want->nr_miss; i++) {
		want->miss[i] = want->miss[i + 1];
		verdict[i] = verdict[i + 1];
	}
}

/* The misses that the PMU does not have: one warning, and the recording goes on. */
static void drop_unsupported(struct record *r, enum probe_miss *verdict)
{
	struct events_want *want = &r->opts.want;
	char names[512] = "";
	size_t len = 0;

	for (int i = 0; i < want->nr_miss;) {
		if (verdict[i] != PROBE_UNSUPPORTED) {
			i++;
			continue;
		}
		len += snprintf(names + len, len < sizeof(names) ? sizeof(names) - len : 0, "%s%s",
				len ? ", " : "", want->miss[i]);
		drop_miss(want, verdict, i);
	}
	if (len)
		warn(r, "%s: %s%s (--miss-event %s)", names,
		     r->host.no_pmu ? "no hardware counters on this machine"
				    : "the PMU has no such event",
		     want->nr_miss ? "" : "; recording wakeups and moves without misses",
		     r->host.no_pmu ? "page-faults can be counted"
				    : "LLC-load-misses, dTLB-load-misses, page-faults: see perf "
				      "list");
}

static const char *why_no_group(const struct record *r, enum probe_miss verdict)
{
	switch (verdict) {
	case PROBE_UNFIT:
		return "the counters for it never came free";
	case PROBE_SHARED:
		return "it has its counters part of the time only";
	case PROBE_REFUSED:
		return "the kernel refuses the group";
	default:
		return r->host.hybrid ? "this machine has two kinds of CPU, and no group spans both"
				      : NULL;
	}
}

static bool nmi_watchdog_on(const struct record *r)
{
	char path[512];
	int c = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/sys/kernel/nmi_watchdog", r->host.root);
	f = fopen(path, "re");
	if (f) {
		c = getc(f);
		fclose(f);
	}
	return c == '1';
}

/* Sampled misses instead of exact ones; without a sampling PMU, none. */
static int fall_back(struct record *r, const char *why, struct mig_err *err)
{
	struct events_want *want = &r->opts.want;
	bool sampling = false;
	int rc;

	want->miss_sample = true;
	rc = probe__sampling(r->perf_path, want, &sampling, err);
	if (rc)
		return rc;
	warn(r, "%s cannot be counted at every switch: %s; %s (%s%s, or --miss-sample to say so)",
	     want->nr_miss > 1 ? "these miss events" : want->miss[0], why,
	     sampling ? "sampling it instead" : "recording without misses",
	     nmi_watchdog_on(r) ? "sysctl kernel.nmi_watchdog=0 frees a counter; " : "",
	     "try fewer --miss-event, stop other users of the counters");
	if (!sampling)
		want->nr_miss = 0;
	return 0;
}

/* perf would say it with a page of usage text. */
static int check_tracepoints(const struct record *r, struct mig_err *err)
{
	const struct events_want *want = &r->opts.want;
	char name[128];

	for (int i = 0; i < want->nr_miss; i++) {
		evstr__name(want->miss[i], name, sizeof(name));
		if (!evstr__is_tracepoint(want->miss[i]) || strpbrk(name, "*?") ||
		    events__has(&r->host, name))
			continue;
		mig_err__set(err, -EINVAL, "--miss-event %s: this kernel has no such tracepoint",
			     want->miss[i]);
		return mig_err__hint(err, "perf list '%.*s:*' shows those there are",
				     (int)strcspn(name, ":"), name);
	}
	return 0;
}

/* Asks the PMU, warns, and leaves in want what can be recorded. */
static int settle_misses(struct record *r, struct mig_err *err)
{
	struct events_want *want = &r->opts.want;
	enum probe_miss verdict[EVENTS_MISS_MAX] = { 0 };
	const char *why = NULL;
	bool asked = want->miss_sample;
	int rc;

	rc = check_tracepoints(r, err);
	if (rc)
		return rc;
	if (r->host.hybrid) /* one by one only */
		want->miss_sample = true;
	rc = probe__miss(r->perf_path, want, verdict, err);
	want->miss_sample = asked;
	if (rc)
		return rc;
	drop_unsupported(r, verdict);
	for (int i = 0; i < want->nr_miss && !why; i++) {
		if (verdict[i] != PROBE_FITS || !evstr__is_software(want->miss[i]))
			why = why_no_group(r, verdict[i]);
	}
	return why && !asked ? fall_back(r, why, err) : 0;
}

/* A perf that cannot keep software counters in the group of sched_switch: sampled instead. */
static int settle_group(struct record *r, struct mig_err *err)
{
	struct events_want *want = &r->opts.want;
	int rc;

	if (events__wants_pmu(want))
		return 0;
	rc = probe__regroups(r->perf_path, &want->no_sw_group, err);
	if (rc || !want->no_sw_group || want->miss_sample)
		return rc;
	for (int i = 0; i < want->nr_miss; i++) {
		if (evstr__is_tracepoint(want->miss[i]))
			continue;
		warn(r,
		     "%s is sampled, not counted at every switch: perf %s breaks up groups of "
		     "tracepoints and software counters; a hardware event%s is counted",
		     want->miss[i], r->perf.version,
		     events__has(&r->host, "exceptions:page_fault_user") ? " or --miss-event "
									   "exceptions:page_fault_"
									   "user"
									 : "");
	}
	return 0;
}

/* Options that this perf does not have, whether the table knows them or not. */
static int check_options(const struct record *r, struct mig_err *err)
{
	const struct argv *rest = &r->opts.rest;
	char name[128];

	for (int i = 0; i < r->opts.unknown.nr; i++) {
		snprintf(name, sizeof(name), "%s", r->opts.unknown.v[i]);
		if (!r->perf.options || !probe_perf__has(&r->perf, name))
			return mig_err__set(err, -EINVAL,
					    "unknown option --%s: neither perf migstat "
					    "record nor perf record %s has it",
					    name, r->perf.version);
	}
	for (int i = 0; i < rest->nr; i++) {
		if (strncmp(rest->v[i], "--", 2))
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(rest->v[i] + 2, "="),
			 rest->v[i] + 2);
		if (probe_perf__has(&r->perf, name) ||
		    (!strncmp(name, "no-", 3) && probe_perf__has(&r->perf, name + 3)))
			continue;
		return mig_err__set(err, -EINVAL, "perf record %s has no option --%s",
				    r->perf.version, name);
	}
	return 0;
}

/* Eight bytes a sample, no time: unless the user said something of it, or it is not to be had. */
static bool takes_cgroups(const struct record *r)
{
	for (int i = 0; i < r->opts.rest.nr; i++)
		if (!strcmp(r->opts.rest.v[i], "--all-cgroups") ||
		    !strcmp(r->opts.rest.v[i], "--no-all-cgroups"))
			return false;
	return r->perf.options && probe_perf__has(&r->perf, "all-cgroups") && probe__cgroups();
}

static int add_rings(struct record *r, struct mig_err *err)
{
	int refused, pages;

	if (r->opts.rings)
		return 0;
	pages = events__ring_pages(&r->host, &refused, err);
	if (pages < 0)
		return pages;
	if (refused)
		warn(r,
		     "the kernel refused rings of %d pages a CPU (kernel.perf_event_mlock_kb); "
		     "using "
		     "-m %d, records may be lost",
		     refused, pages);
	argv__add(&r->line, "-m");
	argv__addf(&r->line, "%d", pages);
	return 0;
}

/* Does a cgroup of this name exist, where version 2 or version 1 would have it? */
static bool has_cgroup(const struct record *r, const char *name, int len)
{
	static const char *const dirs[] = { "", "unified/", "perf_event/" };
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		snprintf(path, sizeof(path), "%s/sys/fs/cgroup/%s%.*s", r->host.root, dirs[i], len,
			 name);
		if (access(path, F_OK) == 0)
			return true;
	}
	return false;
}

/* What can be said about users and cgroups only now. */
static int settle_tasks(struct record *r, struct mig_err *err)
{
	struct workload *tasks = &r->opts.tasks;
	int rc, len;

	for (const char *p = tasks->cgroups; p && *p; p += len + (p[len] == ',')) {
		len = strcspn(p, ",");
		if (!has_cgroup(r, p, len)) {
			mig_err__set(err, -ENOENT,
				     "-G %s: there is no cgroup %.*s in /sys/fs/cgroup",
				     tasks->cgroups, len, p);
			return mig_err__hint(err, "systemd-cgls shows the names");
		}
	}
	if (!tasks->uids)
		return 0;
	rc = workload__find_users(tasks->uids, &r->user_pids);
	if (rc)
		return mig_err__set(err, rc, "cannot list the processes of -u: %s", strerror(-rc));
	if (*r->user_pids)
		tasks->user_pids = r->user_pids;
	return 0;
}

/* "-- COMMAND", or ourselves with what the report is to show (util/workload.h). */
static int add_workload(struct record *r, struct mig_err *err)
{
	const struct workload *tasks = &r->opts.tasks;
	char self[PATH_MAX];
	ssize_t n;

	if (tasks->pids || tasks->tids || tasks->uids || tasks->cgroups) {
		n = readlink("/proc/self/exe", self, sizeof(self) - 1);
		if (n < 0)
			return mig_err__set(err, -errno, "/proc/self/exe: %s", strerror(errno));
		self[n] = '\0';
		argv__add(&r->line, "--");
		workload__format(tasks, self, &r->line);
	} else if (tasks->command) {
		argv__add(&r->line, "--");
		for (int i = 0; i < tasks->nr_command; i++)
			argv__add(&r->line, tasks->command[i]);
	}
	return 0;
}

/* Which terms of a run delay will be part of others. */
static void warn_anatomy(struct record *r)
{
	const char *event, *term;

	for (unsigned i = 0; (event = events__anatomy(i, &term)); i++)
		if (!events__has(&r->host, event))
			warn(r, "--anatomy: no event %s here: %s will be part of later terms",
			     event, term);
}

/* Order: ours, the user's events with their filters, the rest, the command. */
static int build_line(struct record *r, struct mig_err *err)
{
	const struct record_options *o = &r->opts;
	int rc, nr_events;

	argv__add(&r->line, r->perf_path);
	argv__add(&r->line, "record");
	argv__add(&r->line, "-a");
	argv__add(&r->line, "-s"); /* enabled and running time in each group read */
	if (o->tasks.cgroups || takes_cgroups(r))
		argv__add(&r->line, "--all-cgroups");
	rc = add_rings(r, err);
	if (rc)
		return rc;
	if (!o->want.no_chain && (!o->chain || o->kernel_chains))
		argv__add(&r->line, "--kernel-callchains");
	if (o->want.anatomy)
		warn_anatomy(r);
	nr_events = events__add(&r->host, &o->want, &r->line, err);
	if (nr_events < 0)
		return nr_events;
	argv__add_all(&r->line, &o->user_events);
	for (int i = 0; i < o->user_events.nr; i++)
		nr_events += !strcmp(o->user_events.v[i], "-e");
	if (o->chain)
		argv__addf(&r->line, "--call-graph=%s", o->chain);
	argv__add_all(&r->line, &o->rest);
	rc = add_workload(r, err);
	if (rc)
		return rc;
	if (argv__failed(&r->line))
		return mig_err__set(err, -ENOMEM, "out of memory");
	return events__raise_nofile(&r->host, nr_events, err);
}

/* The file that perf will write, NULL if that cannot be said or it is a pipe. */
static const char *output_file(const struct record *r)
{
	struct stat st;

	if (r->opts.dry_run || r->opts.many_outputs)
		return NULL;
	if (r->opts.output)
		return strcmp(r->opts.output, "-") ? r->opts.output : NULL;
	/* as perf does it: with stdout a pipe and no -o, the recording goes there */
	return fstat(STDOUT_FILENO, &st) == 0 && S_ISFIFO(st.st_mode) ? NULL : "perf.data";
}

/* perf returned 0: is there a recording, and not the one from before? */
static int check_output(const struct record *r, struct mig_err *err)
{
	const char *path = output_file(r);
	struct stat st;

	if (!path)
		return 0;
	if (stat(path, &st))
		return mig_err__set(err, -ENOENT, "perf record ended well but left no %s", path);
	if (S_ISCHR(st.st_mode) || S_ISDIR(st.st_mode) || S_ISFIFO(st.st_mode))
		return 0;
	if (st.st_size == 0)
		return mig_err__set(err, -EIO, "perf record ended well but %s is empty", path);
	if (st.st_ino == r->before.st_ino && st.st_mtim.tv_sec == r->before.st_mtim.tv_sec &&
	    st.st_mtim.tv_nsec == r->before.st_mtim.tv_nsec)
		return mig_err__set(err, -EIO, "perf record ended well but did not write %s", path);
	return 0;
}

/*
 * perf writes the size of the data, and then all that it knows of events and machine, when it ends
 * (struct perf_file_header, data.size). A file without has samples that nobody can read.
 */
static bool is_unfinished(const struct record *r, const char *path)
{
	struct stat st;
	uint64_t header[7] = { 0 };
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	bool unfinished = false;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) &&
	    (st.st_ino != r->before.st_ino || st.st_mtim.tv_sec != r->before.st_mtim.tv_sec ||
	     st.st_mtim.tv_nsec != r->before.st_mtim.tv_nsec))
		unfinished = read(fd, header, sizeof(header)) == sizeof(header) &&
			     !memcmp(header, "PERFILE2", 8) && !header[6];
	close(fd);
	return unfinished;
}

/* perf ended otherwise than well. */
static int check_unfinished(const struct record *r, int status, struct mig_err *err)
{
	const char *path = output_file(r);

	if (!is_unfinished(r, path))
		return 0;
	collect__stop_orphans();
	if (status > 128 && status <= 128 + SIGRTMAX)
		mig_err__set(err, -EIO, "perf record was killed (signal %d)", status - 128);
	else
		mig_err__set(err, -EIO, "perf record failed (exit code %d)", status);
	return mig_err__hint(err, "%s has samples, but not what their events mean: record again",
			     path);
}

/* In a pid namespace of its own perf and the tracepoints number the tasks differently. */
static bool in_first_pid_ns(void)
{
	static const char first[] = "pid:[4026531836]"; /* PROC_PID_INIT_INO */
	char link[64];
	ssize_t n = readlink("/proc/self/ns/pid", link, sizeof(link));

	return n < 0 || (n == sizeof(first) - 1 && !memcmp(link, first, n));
}

static void warn_about_options(const struct record *r)
{
	const struct record_options *o = &r->opts;

	if (!*r->host.root && !in_first_pid_ns())
		warn(r, "in a container: the scheduler's events hold the host's task ids, so names "
			"may be "
			"missing or wrong; record on the host");

	if (o->chain && !o->want.no_chain)
		warn(r, "call chains with user frames cost much CPU time; without -g the chains "
			"of wakeups end in the kernel");
	if (o->exclude_perf)
		warn(r, "--exclude-perf has no -e to bind to; perf's own tasks are recorded, the "
			"report "
			"shows them as [recorder]");
}

static int prepare(struct record *r, struct mig_err *err)
{
	int rc;

	rc = collect__find_perf(r->perf_path, sizeof(r->perf_path), err);
	if (!rc)
		rc = probe__perf(r->perf_path, &r->perf, err);
	if (!rc)
		rc = check_options(r, err);
	/* after perf has run: it mounts tracefs */
	if (!rc)
		rc = events__host(r->opts.sysroot ? r->opts.sysroot : "", &r->host, err);
	if (!rc)
		rc = events__permitted(&r->host, err);
	if (!rc)
		rc = settle_tasks(r, err);
	if (!rc)
		rc = settle_misses(r, err);
	if (!rc)
		rc = settle_group(r, err);
	if (!rc)
		rc = build_line(r, err);
	return rc;
}

static int run(struct record *r, struct mig_err *err)
{
	const char *path = output_file(r);
	int rc, status = 0;

	if (!path || stat(path, &r->before))
		r->before.st_ino = 0;
	if (r->opts.verbose) {
		char *text = argv__quote(&r->line);

		fprintf(stderr, "%s\n", text ? text : "");
		free(text);
	}
	rc = collect__run(r->line.v, &status, err);
	if (!rc)
		rc = status ? check_unfinished(r, status, err) : check_output(r, err);
	if (rc)
		mig_err__print(err);
	return rc && !status ? MIG_EXIT_FAILED : status;
}

int cmd_record(int argc, char **argv)
{
	struct mig_err err = { 0 };
	struct record *r = calloc(1, sizeof(*r));
	int rc = MIG_EXIT_FAILED;

	if (!r) {
		perror("perf migstat record");
		return rc;
	}
	if (record_options__parse(&r->opts, argc, argv, &err)) {
		fprintf(stderr, "perf migstat record: %s\n", err.msg);
		rc = MIG_EXIT_USAGE;
		goto out;
	}
	if (r->opts.help) {
		record_options__help();
		rc = MIG_EXIT_OK;
		goto out;
	}
	rc = prepare(r, &err);
	if (rc == -EINTR) {
		rc = 128 + SIGINT;
	} else if (rc) {
		mig_err__print(&err);
		rc = rc == -EINVAL ? MIG_EXIT_USAGE : MIG_EXIT_FAILED; /* as perf does it */
	} else {
		warn_about_options(r);
		rc = run(r, &err);
	}
out:
	probe_perf__exit(&r->perf);
	argv__exit(&r->line);
	free(r->user_pids);
	record_options__exit(&r->opts);
	free(r);
	return rc;
}
