// SPDX-License-Identifier: GPL-2.0
#include "events.h"
#include "argv.h"
#include "err.h"
#include "evstr.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

enum {
	RING_BYTES = 16 << 20,
	RING_BYTES_MIN = 128 << 10,
	MEMORY_SHARE = 16, /* all rings together: at most this part of MemAvailable */
	CAP_IPC_LOCK_BIT = 14,
	CAP_SYS_ADMIN_BIT = 21,
	CAP_PERFMON_BIT = 38,
};

/* Beyond the group of sched_switch and the chain of sched_waking, in this order. */
static const struct {
	const char *event;
	const char *filter;
} wanted[] = {
	{ "sched:sched_wakeup_new", NULL },
	{ "sched:sched_migrate_task", NULL },
	{ "sched:sched_process_fork", NULL },
	{ "sched:sched_process_exec", NULL },
	{ "sched:sched_process_exit", NULL },
	{ "sched:sched_move_numa", NULL },
	{ "sched:sched_swap_numa", NULL },
	/* causes: a move inside the SCHED softirq is the balancer's, one inside the call the user's
	 */
	{ "irq:softirq_entry", "vec==7" },
	{ "irq:softirq_exit", "vec==7" },
	{ "syscalls:sys_enter_sched_setaffinity", NULL },
	{ "syscalls:sys_exit_sched_setaffinity", NULL },
};

/* What a run delay is made of (sched-anatomy.c): ipi.h since 6.4, irq_vectors.h on x86 only. */
static const struct {
	const char *event, *term;
} anatomy[] = {
	{ "ipi:ipi_send_cpu", "select and ipi" },
	{ "irq_vectors:reschedule_entry", "ipi" },
	{ "irq_vectors:call_function_single_entry", "ipi" },
	{ "power:cpu_idle", "idle" },
};

static const char *const tracefs_dirs[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

/* First line of root/path without its end; false if it cannot be read. */
static bool read_line(const char *root, const char *path, char *buf, size_t size)
{
	char full[512];
	FILE *f;
	bool good;

	snprintf(full, sizeof(full), "%s%s", root, path);
	f = fopen(full, "re");
	if (!f)
		return false;
	good = fgets(buf, size, f);
	fclose(f);
	if (good)
		buf[strcspn(buf, "\n")] = '\0';
	return good;
}

static long long read_number(const char *root, const char *path, long long missing)
{
	char buf[64];

	return read_line(root, path, buf, sizeof(buf)) ? strtoll(buf, NULL, 10) : missing;
}

/* The number after a key of a /proc file such as "MemAvailable:". */
static unsigned long long read_key(const char *root, const char *path, const char *key, int base,
				   unsigned long long missing)
{
	size_t len = strlen(key);
	char full[512], line[256];
	FILE *f;

	snprintf(full, sizeof(full), "%s%s", root, path);
	f = fopen(full, "re");
	if (!f)
		return missing;
	while (fgets(line, sizeof(line), f)) {
		if (!strncmp(line, key, len)) {
			missing = strtoull(line + len, NULL, base);
			break;
		}
	}
	fclose(f);
	return missing;
}

static bool has_cap(int bit)
{
	return read_key("", "/proc/self/status", "CapEff:", 16, 0) >> bit & 1;
}

/* Capabilities of a container's root do not count for the memory lock. */
static bool in_first_user_ns(void)
{
	unsigned inside, outside, nr;
	char map[128];

	return !read_line("", "/proc/self/uid_map", map, sizeof(map)) ||
	       (sscanf(map, "%u %u %u", &inside, &outside, &nr) == 3 && !inside && !outside &&
		nr == 4294967295u);
}

/* CPUs of a list such as "0-3,8". */
static int count_list(const char *list)
{
	int nr = 0;

	while (*list) {
		char *end;
		long first = strtol(list, &end, 10), last = first;

		if (end == list)
			break;
		if (*end == '-')
			last = strtol(end + 1, &end, 10);
		nr += last - first + 1;
		list = *end == ',' ? end + 1 : end;
	}
	return nr;
}

/* errno of a look into dir/events/sched; 0 = there. */
static int look(const char *root, const char *dir, char *path, size_t size)
{
	snprintf(path, size, "%s%s", root, dir);
	if (strlen(path) + sizeof("/events/sched") > size)
		return ENAMETOOLONG;
	strcat(path, "/events/sched");
	return faccessat(AT_FDCWD, path, R_OK | X_OK, AT_EACCESS) ? errno : 0;
}

static int tracefs__error(const int *code, struct mig_err *err)
{
	char lockdown[128];

	if (code[0] == EACCES || (code[1] == EACCES && geteuid())) {
		mig_err__set(err, -EACCES, "no permission to read tracefs (tried %s: %s; %s: %s)",
			     tracefs_dirs[0], strerror(code[0]), tracefs_dirs[1],
			     strerror(code[1]));
		return mig_err__hint(err, "record as root: sudo perf migstat record ...");
	}
	if (read_line("", "/sys/kernel/security/lockdown", lockdown, sizeof(lockdown)) &&
	    strstr(lockdown, "[confidentiality]")) {
		mig_err__set(err, -EPERM,
			     "the kernel is locked down (confidentiality): no tracepoints");
		return mig_err__hint(err, "boot with lockdown=integrity or without Secure Boot");
	}
	mig_err__set(err, -ENOENT, "no tracefs with sched events (tried %s: %s; %s: %s)",
		     tracefs_dirs[0], strerror(code[0]), tracefs_dirs[1], strerror(code[1]));
	return mig_err__hint(err, "mount -t tracefs nodev /sys/kernel/tracing (the kernel needs "
				  "CONFIG_EVENT_TRACING); in a container, bind-mount the host's");
}

static int find_tracefs(struct events_host *host, struct mig_err *err)
{
	char path[sizeof(host->tracefs) + 16];
	int code[2];

	for (int try = 0; try < 2; try++) {
		for (int i = 0; i < 2; i++) {
			code[i] = look(host->root, tracefs_dirs[i], path, sizeof(path));
			if (!code[i]) {
				snprintf(host->tracefs, sizeof(host->tracefs), "%s%s", host->root,
					 tracefs_dirs[i]);
				return 0;
			}
		}
		if (*host->root || geteuid() || mount("nodev", tracefs_dirs[0], "tracefs", 0, NULL))
			break;
	}
	return tracefs__error(code, err);
}

static bool has_pmu(const char *root, const char *name)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/sys/bus/event_source/devices/%s", root, name);
	return access(path, F_OK) == 0;
}

static int open_event(unsigned type, unsigned long long config, int cpu)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = config,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_RAW,
		.disabled = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* The first CPU that is online. */
static int first_cpu(const char *root)
{
	char online[1024];

	return read_line(root, "/sys/devices/system/cpu/online", online, sizeof(online))
		       ? atoi(online)
		       : 0;
}

int events__host(const char *root, struct events_host *ret, struct mig_err *err)
{
	char online[1024];
	int fd;

	memset(ret, 0, sizeof(*ret));
	ret->root = root;
	if (read_line(root, "/sys/devices/system/cpu/online", online, sizeof(online)))
		ret->nr_cpus = count_list(online);
	if (ret->nr_cpus <= 0)
		ret->nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	ret->hybrid = has_pmu(root, "cpu_core") && has_pmu(root, "cpu_atom");
	ret->may_lock = (has_cap(CAP_IPC_LOCK_BIT) && in_first_user_ns()) ||
			read_number(root, "/proc/sys/kernel/perf_event_paranoid", 2) < 0;
	if (!*root) {
		fd = open_event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, first_cpu(root));
		ret->no_pmu = fd == -ENOENT || fd == -EOPNOTSUPP;
		if (fd >= 0)
			close(fd);
	}
	return find_tracefs(ret, err);
}

static void event_path(const struct events_host *host, const char *name, const char *file,
		       char *buf, size_t size)
{
	int sys = strcspn(name, ":");

	snprintf(buf, size, "%s/events/%.*s/%s/%s", host->tracefs, sys, name, name + sys + 1, file);
}

bool events__has(const struct events_host *host, const char *name)
{
	char path[512];

	event_path(host, name, "id", path, sizeof(path));
	return faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0;
}

static int permitted__error(const struct events_host *host, int code, struct mig_err *err)
{
	long long paranoid = read_number(host->root, "/proc/sys/kernel/perf_event_paranoid", 2);
	char lockdown[128];

	if (read_line("", "/sys/kernel/security/lockdown", lockdown, sizeof(lockdown)) &&
	    strstr(lockdown, "[confidentiality]")) {
		mig_err__set(err, -code,
			     "the kernel is locked down (confidentiality): perf events "
			     "are refused");
		return mig_err__hint(err, "boot with lockdown=integrity or without Secure Boot");
	}
	if (code == EACCES && !has_cap(CAP_PERFMON_BIT) && !has_cap(CAP_SYS_ADMIN_BIT)) {
		mig_err__set(err, -code,
			     "recording the whole system needs root, and "
			     "kernel.perf_event_paranoid is %lld",
			     paranoid);
		return mig_err__hint(err, "sudo perf migstat record ..., or sysctl "
					  "kernel.perf_event_paranoid=-1 and make tracefs "
					  "readable");
	}
	if (code == EPERM || code == ENOSYS) {
		mig_err__set(err, -code,
			     "perf_event_open: %s, in spite of the privileges (a "
			     "container's seccomp filter?)",
			     strerror(code));
		return mig_err__hint(err, "allow perf_event_open in the seccomp profile, or give "
					  "the "
					  "container CAP_PERFMON");
	}
	return mig_err__set(err, -code,
			    "perf_event_open(sched:sched_switch) on the whole system: %s",
			    strerror(code));
}

int events__permitted(const struct events_host *host, struct mig_err *err)
{
	char path[512];
	long long id;
	int fd;

	if (*host->root) /* another machine's tree: its event numbers mean nothing here */
		return 0;
	event_path(host, "sched:sched_switch", "id", path, sizeof(path));
	id = read_number("", path, -1);
	if (id < 0) {
		int code = errno == EACCES ? -EACCES : -ENOENT;

		mig_err__set(err, code, "%s: %s", path, strerror(-code));
		return mig_err__hint(err, "%s",
				     code == -EACCES ? "record as root: sudo perf migstat record "
						       "..."
						     : "the kernel needs CONFIG_EVENT_TRACING");
	}
	fd = open_event(PERF_TYPE_TRACEPOINT, id, first_cpu(""));
	if (fd < 0)
		return permitted__error(host, -fd, err);
	close(fd);
	return 0;
}

static void add_event(struct argv *line, const char *event, const char *filter)
{
	argv__add(line, "-e");
	argv__addf(line, "%s/call-graph=no/", event);
	if (filter) {
		argv__add(line, "--filter");
		argv__add(line, filter);
	}
}

const char *events__anatomy(unsigned i, const char **ret_term)
{
	if (i >= sizeof(anatomy) / sizeof(anatomy[0]))
		return NULL;
	*ret_term = anatomy[i].term;
	return anatomy[i].event;
}

bool events__wants_pmu(const struct events_want *want)
{
	for (int i = 0; i < want->nr_miss; i++) {
		if (!want->miss_sample && !evstr__is_software(want->miss[i]))
			return true;
	}
	return false;
}

/* Is the counter sampled on its own, or a member of the group? */
static bool is_sampled(const struct events_want *want, const char *event)
{
	return want->miss_sample ||
	       (want->no_sw_group && !events__wants_pmu(want) && !evstr__is_tracepoint(event));
}

/* The event with its call-graph term and what else it needs; NULL without memory. */
static char *miss_event(const struct events_want *want, const char *event)
{
	bool sampled = is_sampled(want, event);
	/* who asks for chains (-g) wants to know who called the code that misses */
	const char *chain = sampled && want->chain ? want->chain : "no";
	char term[128];

	if (sampled && want->miss_period)
		snprintf(term, sizeof(term), "period=%s,call-graph=%s", want->miss_period, chain);
	else if (sampled && !evstr__is_tracepoint(event))
		/* a prime, so as not to run in step with a timer */
		snprintf(term, sizeof(term), "freq=997,call-graph=%s", chain);
	else if (want->bare_members)
		return strdup(event);
	else
		snprintf(term, sizeof(term), "call-graph=no");
	return evstr__add_term(event, term);
}

static bool is_cpu_migrations(const char *event)
{
	char name[128];

	evstr__name(event, name, sizeof(name));
	return !strcmp(name, "cpu-migrations") || !strcmp(name, "migrations");
}

/*
 * The group of sched_switch: exact counts at every switch; and what is not in it. Returns the
 * number of events.
 */
static int add_switch(const struct events_want *want, struct argv *line)
{
	char group[2048] = "sched:sched_switch/call-graph=no/";
	size_t len = strlen(group);
	struct argv sampled = { 0 };
	int members = 0;

	for (int i = 0; i < want->nr_miss; i++) {
		char *ev = miss_event(want, want->miss[i]);

		if (!ev || is_cpu_migrations(want->miss[i])) {
			line->failed |= !ev;
		} else if (is_sampled(want, want->miss[i])) {
			argv__add(&sampled, "-e");
			argv__add(&sampled, ev);
		} else if (len + strlen(ev) + 64 < sizeof(group)) {
			len += sprintf(group + len, ",%s", ev);
			members++;
		} else {
			line->failed = true;
		}
		free(ev);
	}
	if (want->no_sw_group && !events__wants_pmu(want)) {
		argv__add(&sampled, "-e");
		argv__add(&sampled, "cpu-migrations/period=1,call-graph=no/");
	} else {
		strcat(group, ",cpu-migrations/call-graph=no/");
		members++;
	}
	argv__add(line, "-e");
	argv__addf(line, members ? "{%s}:S" : "%s", group);
	argv__add_all(line, &sampled);
	argv__exit(&sampled);
	return 2 + want->nr_miss;
}

int events__add(const struct events_host *host, const struct events_want *want, struct argv *line,
		struct mig_err *err)
{
	bool waking = events__has(host, "sched:sched_waking");
	int nr = 1; /* perf's own dummy for mmap and comm */

	if (!events__has(host, "sched:sched_switch")) {
		mig_err__set(err, -ENOENT, "no event sched:sched_switch in %s", host->tracefs);
		return mig_err__hint(err, "the kernel needs CONFIG_EVENT_TRACING; perf list "
					  "'sched:*'");
	}
	nr += add_switch(want, line);
	if (waking) {
		argv__add(line, "-e");
		argv__addf(line, "sched:sched_waking/call-graph=%s/",
			   want->no_chain ? "no"
			   : want->chain  ? want->chain
					  : "fp");
		nr++;
	}
	if ((!waking || want->wakeup || want->anatomy) && events__has(host, "sched:sched_wakeup")) {
		add_event(line, "sched:sched_wakeup", NULL);
		nr++;
	}
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		if (!events__has(host, wanted[i].event))
			continue;
		add_event(line, wanted[i].event, wanted[i].filter);
		nr++;
	}
	for (size_t i = 0; want->anatomy && i < sizeof(anatomy) / sizeof(anatomy[0]); i++) {
		if (!events__has(host, anatomy[i].event))
			continue;
		add_event(line, anatomy[i].event, NULL);
		nr++;
	}
	return nr;
}

int events__raise_nofile(const struct events_host *host, int nr, struct mig_err *err)
{
	/* one a CPU and event, and what perf itself has open */
	rlim_t need = (rlim_t)nr * host->nr_cpus + 2 * host->nr_cpus + 64;
	struct rlimit lim;

	if (getrlimit(RLIMIT_NOFILE, &lim))
		return 0;
	if (lim.rlim_cur < lim.rlim_max) {
		lim.rlim_cur = lim.rlim_max;
		setrlimit(RLIMIT_NOFILE, &lim);
	}
	if (lim.rlim_max >= need)
		return 0;
	lim.rlim_max = lim.rlim_cur = need; /* root may */
	if (!setrlimit(RLIMIT_NOFILE, &lim))
		return 0;
	getrlimit(RLIMIT_NOFILE, &lim);
	mig_err__set(err, -EMFILE, "%d events on %d CPUs need %llu open files, the limit is %llu",
		     nr, host->nr_cpus, (unsigned long long)need, (unsigned long long)lim.rlim_max);
	return mig_err__hint(err,
			     "ulimit -Hn %llu (as root, or \"nofile\" in "
			     "/etc/security/limits.conf)",
			     (unsigned long long)need);
}

/* Maps rings of pages on all CPUs at once, as perf will, and lets them go. */
static int try_rings(const struct events_host *host, int pages)
{
	size_t page = sysconf(_SC_PAGESIZE), size = (pages + 1) * page;
	int rc = 0, cpu, nr = 0, *fds = calloc(host->nr_cpus, sizeof(*fds));
	void **maps = calloc(host->nr_cpus, sizeof(*maps));

	if (!fds || !maps)
		rc = -ENOMEM;
	for (cpu = 0; !rc && nr < host->nr_cpus && cpu < 2 * host->nr_cpus + 64; cpu++) {
		fds[nr] = open_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY, cpu);
		if (fds[nr] < 0)
			continue; /* offline */
		maps[nr] = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fds[nr], 0);
		if (maps[nr] == MAP_FAILED)
			rc = -errno;
		nr++;
	}
	for (int i = 0; i < nr; i++) {
		if (maps[i] != MAP_FAILED)
			munmap(maps[i], size);
		close(fds[i]);
	}
	free(maps);
	free(fds);
	return rc;
}

int events__ring_pages(const struct events_host *host, int *ret_refused, struct mig_err *err)
{
	unsigned long long avail = read_key(host->root, "/proc/meminfo", "MemAvailable:", 10, 0)
				   << 10;
	long page = sysconf(_SC_PAGESIZE);
	unsigned long long bytes = RING_BYTES;
	int rc = 0;

	*ret_refused = 0;
	while (avail && bytes > RING_BYTES_MIN && bytes * host->nr_cpus > avail / MEMORY_SHARE)
		bytes /= 2;
	if (host->may_lock)
		return bytes / page;
	for (; bytes >= RING_BYTES_MIN; bytes /= 2) {
		rc = try_rings(host, bytes / page);
		if (rc != -EPERM && rc != -ENOMEM)
			return bytes / page;
		if (!*ret_refused)
			*ret_refused = bytes / page;
	}
	mig_err__set(err, rc,
		     "cannot map even %d KiB of ring buffer a CPU: %s (kernel."
		     "perf_event_mlock_kb is %lld)",
		     RING_BYTES_MIN >> 10, strerror(-rc),
		     read_number(host->root, "/proc/sys/kernel/perf_event_mlock_kb", 516));
	return mig_err__hint(err,
			     "sysctl kernel.perf_event_mlock_kb=%d, or record as root, or use a "
			     "smaller -m",
			     (RING_BYTES_MIN >> 10) + 4);
}
