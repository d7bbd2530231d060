// SPDX-License-Identifier: GPL-2.0
/*
 * machine-read: where the items of the environment come from: /proc, /sys, the kernel's config.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <zlib.h>

#include "machine.h"

struct reader {
	const char *root;
	struct machine *m;
	int rc; /* -ENOMEM, sticky */
};

static void add(struct reader *rd, const char *name, const char *text)
{
	if (!rd->rc)
		rd->rc = machine__add(rd->m, name, text);
}

/* One line of blanks instead of newlines and tabs, without those at the ends. */
static void squeeze(char *s)
{
	char *out = s;

	for (const char *p = s; *p; p++) {
		if (!isspace((unsigned char)*p))
			*out++ = *p;
		else if (out > s && out[-1] != ' ')
			*out++ = ' ';
	}
	while (out > s && out[-1] == ' ')
		out--;
	*out = '\0';
}

/* The text of a small file. Returns 0 or a negative errno. */
static int slurp(const struct reader *rd, const char *path, char *ret, size_t size)
{
	char full[PATH_MAX];
	size_t n;
	FILE *f;
	int rc = 0;

	snprintf(full, sizeof(full), "%s%s", rd->root, path);
	f = fopen(full, "re");
	if (!f)
		return -errno;
	errno = 0;
	n = fread(ret, 1, size - 1, f);
	if (!n && ferror(f))
		rc = errno ? -errno : -EIO;
	fclose(f);
	ret[n] = '\0';
	return rc;
}

/* In which mode is the kernel locked down? "" if it is not or does not say. */
static const char *lockdown(const struct reader *rd)
{
	char text[256];

	if (slurp(rd, "/sys/kernel/security/lockdown", text, sizeof(text)))
		return "";
	return strstr(text, "[integrity]")         ? " (kernel lockdown: integrity)"
	       : strstr(text, "[confidentiality]") ? " (kernel lockdown: confidentiality)"
						   : "";
}

static void add_error(struct reader *rd, const char *name, const char *path, int rc)
{
	bool refused = rc == -EPERM || rc == -EACCES;
	char text[PATH_MAX];

	if (rc == -ENOENT)
		snprintf(text, sizeof(text), "none (no %s)", path);
	else
		snprintf(text, sizeof(text), "unreadable: %s%s", strerror(-rc),
			 refused ? lockdown(rd) : "");
	add(rd, name, text);
}

static void add_file(struct reader *rd, const char *name, const char *path)
{
	char text[4096];
	int rc = slurp(rd, path, text, sizeof(text));

	if (rc) {
		add_error(rd, name, path, rc);
		return;
	}
	squeeze(text);
	add(rd, name, *text ? text : "(empty)");
}

/* The value of "key : value" in a file of such lines. */
static bool find_line(const char *text, const char *key, char *ret, size_t size)
{
	size_t len = strlen(key);

	for (const char *p = text; p && *p; p = strchr(p, '\n'), p = p ? p + 1 : NULL) {
		if (strncmp(p, key, len))
			continue;
		p += len + strspn(p + len, " \t");
		if (*p != ':')
			continue;
		p++;
		p += strspn(p, " \t");
		snprintf(ret, size, "%.*s", (int)strcspn(p, "\n"), p);
		return true;
	}
	return false;
}

static void read_kernel(struct reader *rd)
{
	struct utsname u;
	char text[3 * sizeof(u.release)];

	if (*rd->root) { /* a copy of another machine's files */
		add_file(rd, "kernel", "/proc/sys/kernel/osrelease");
	} else if (!uname(&u)) {
		snprintf(text, sizeof(text), "%s %s", u.release, u.version);
		add(rd, "kernel", text);
		add(rd, "arch", u.machine);
		add(rd, "host", u.nodename);
	}
	add_file(rd, "cmdline", "/proc/cmdline");
}

static void read_cpu(struct reader *rd)
{
	static const char *const names[] = { "model name", "cpu model", "Model", "uarch", "cpu" };
	char text[16384];
	char value[512];
	int rc = slurp(rd, "/proc/cpuinfo", text, sizeof(text));

	if (rc) {
		add_error(rd, "cpu", "/proc/cpuinfo", rc);
		return;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (find_line(text, names[i], value, sizeof(value))) {
			add(rd, "cpu", value);
			break;
		}
		if (i + 1 == sizeof(names) / sizeof(names[0]))
			add(rd, "cpu", "unknown (not named in /proc/cpuinfo)");
	}
	if (find_line(text, "microcode", value, sizeof(value)))
		add(rd, "microcode", value);
	add(rd, "virtualisation",
	    strstr(text, " hypervisor") ? "guest (the CPU has the hypervisor flag)" : "none seen");
}

struct ids {
	int seen[4096][2];
	int nr;
};

/* How many different pairs there are. */
static void ids__add(struct ids *ids, int a, int b)
{
	for (int i = 0; i < ids->nr; i++)
		if (ids->seen[i][0] == a && ids->seen[i][1] == b)
			return;
	if (ids->nr < 4096) {
		ids->seen[ids->nr][0] = a;
		ids->seen[ids->nr++][1] = b;
	}
}

static int read_id(const struct reader *rd, int cpu, const char *what)
{
	char path[128], text[32];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/topology/%s", cpu, what);
	return slurp(rd, path, text, sizeof(text)) ? -1 : atoi(text);
}

static void read_topology(struct reader *rd)
{
	struct ids packages = { .nr = 0 }, cores = { .nr = 0 };
	char text[1024], *p = text;
	int rc = slurp(rd, "/sys/devices/system/cpu/online", text, sizeof(text)), cpus = 0;
	char online[1024];

	if (rc) {
		add_error(rd, "cpus", "/sys/devices/system/cpu/online", rc);
		return;
	}
	squeeze(text);
	snprintf(online, sizeof(online), "%s", text);
	while (isdigit((unsigned char)*p)) {
		int first = strtol(p, &p, 10), last = *p == '-' ? strtol(p + 1, &p, 10) : first;

		for (int cpu = first; cpu <= last && cpus < 65536; cpu++, cpus++) {
			int package = read_id(rd, cpu, "physical_package_id");

			ids__add(&packages, package, 0);
			ids__add(&cores, package, read_id(rd, cpu, "core_id"));
		}
		p += *p == ',';
	}
	snprintf(text, sizeof(text), "%d online (%.900s): %d socket%s, %d core%s", cpus, online,
		 packages.nr, packages.nr == 1 ? "" : "s", cores.nr, cores.nr == 1 ? "" : "s");
	add(rd, "cpus", text);
}

/* The caches of CPU 0, one text: "L1d 32K, L1i 32K, L2 512K, L3 16384K shared by 0-7". */
static void read_caches(struct reader *rd)
{
	char path[128], level[16], type[32], size[32], shared[256], text[1024] = "";
	size_t n = 0;

	for (int i = 0; i < 8; i++) {
		static const char *const dir = "/sys/devices/system/cpu/cpu0/cache/index%d/%s";

		snprintf(path, sizeof(path), dir, i, "level");
		if (slurp(rd, path, level, sizeof(level)))
			break;
		snprintf(path, sizeof(path), dir, i, "type");
		if (slurp(rd, path, type, sizeof(type)))
			*type = '\0';
		snprintf(path, sizeof(path), dir, i, "size");
		if (slurp(rd, path, size, sizeof(size)))
			snprintf(size, sizeof(size), "?");
		snprintf(path, sizeof(path), dir, i, "shared_cpu_list");
		if (slurp(rd, path, shared, sizeof(shared)))
			snprintf(shared, sizeof(shared), "?");
		squeeze(level);
		squeeze(size);
		squeeze(shared);
		n += snprintf(text + n, n < sizeof(text) ? sizeof(text) - n : 0,
			      "%sL%s%s %s shared by %s", n ? ", " : "", level,
			      *type == 'D'   ? "d"
			      : *type == 'I' ? "i"
					     : "",
			      size, shared);
		if (n >= sizeof(text))
			break;
	}
	add(rd, "caches", n ? text : "unknown (no cache in /sys/devices/system/cpu/cpu0)");
}

static void read_memory(struct reader *rd)
{
	char text[4096], value[64];
	int rc = slurp(rd, "/proc/meminfo", text, sizeof(text));

	if (rc)
		add_error(rd, "memory", "/proc/meminfo", rc);
	else if (find_line(text, "MemTotal", value, sizeof(value)))
		add(rd, "memory", value);
	add_file(rd, "nodes", "/sys/devices/system/node/online");
	add_file(rd, "thp", "/sys/kernel/mm/transparent_hugepage/enabled");
	add_file(rd, "numa_balancing", "/proc/sys/kernel/numa_balancing");
}

static int no_dots(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

/* sched/debug is no setting: it prints all queues, other each time. */
static bool is_setting(const struct dirent *d, const char *start)
{
	return !strncmp(d->d_name, start, strlen(start)) && d->d_type != DT_DIR &&
	       strcmp(d->d_name, "debug");
}

/* Each setting in a folder that begins with start, as PREFIX.NAME. */
static void read_folder(struct reader *rd, const char *prefix, const char *dir, const char *start)
{
	char full[PATH_MAX], path[PATH_MAX], name[512];
	struct dirent **list;
	int n;

	snprintf(full, sizeof(full), "%s%s", rd->root, dir);
	n = scandir(full, &list, no_dots, alphasort);
	if (n < 0) {
		add_error(rd, prefix, dir, -errno);
		return;
	}
	for (int i = 0; i < n; i++) {
		if (is_setting(list[i], start)) {
			snprintf(path, sizeof(path), "%s/%s", dir, list[i]->d_name);
			snprintf(name, sizeof(name), "%s.%s", prefix, list[i]->d_name);
			add_file(rd, name, path);
		}
		free(list[i]);
	}
	free(list);
}

/* Is one of these words between the underscores of the name of an option? */
static bool is_wanted(const char *option)
{
	static const char *const words[] = { "DEBUG",   "TRACE",   "TRACER",     "TRACING",
					     "LOCKDEP", "PREEMPT", "PREEMPTION", "HZ",
					     "SCHED",   "KASAN",   "KCSAN",      "UBSAN" };
	size_t len;

	for (const char *p = option; *p; p += len + (p[len] == '_')) {
		len = strcspn(p, "_");
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (strlen(words[i]) == len && !strncmp(p, words[i], len))
				return true;
	}
	return !strcmp(option, "PROVE_LOCKING");
}

/* "CONFIG_X=y" -> config.X; those that are off are not in it. */
static void read_config_line(struct reader *rd, char *line)
{
	char *value = strchr(line, '='), name[544];

	if (strncmp(line, "CONFIG_", 7) || !value)
		return;
	*value++ = '\0';
	squeeze(value);
	if (!is_wanted(line + 7))
		return;
	snprintf(name, sizeof(name), "config.%s", line + 7);
	add(rd, name, value);
}

static void read_config(struct reader *rd)
{
	char path[PATH_MAX], line[512];
	struct utsname u;
	gzFile f;

	snprintf(path, sizeof(path), "%s/proc/config.gz", rd->root);
	f = gzopen(path, "re");
	if (!f && !*rd->root && !uname(&u)) {
		snprintf(path, sizeof(path), "/boot/config-%s", u.release);
		f = gzopen(path, "re");
	}
	if (!f) {
		add(rd, "config",
		    "unreadable: no /proc/config.gz (CONFIG_IKCONFIG_PROC), no config in /boot");
		return;
	}
	add(rd, "config", path + strlen(rd->root));
	while (gzgets(f, line, sizeof(line)))
		read_config_line(rd, line);
	gzclose(f);
}

int machine__read(const char *root, struct machine *ret)
{
	struct reader rd = { .root = root, .m = ret };

	read_kernel(&rd);
	read_cpu(&rd);
	read_topology(&rd);
	read_caches(&rd);
	add_file(&rd, "smt", "/sys/devices/system/cpu/smt/control");
	add_file(&rd, "governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
	add_file(&rd, "idle_driver", "/sys/devices/system/cpu/cpuidle/current_driver");
	add_file(&rd, "clocksource",
		 "/sys/devices/system/clocksource/clocksource0/current_clocksource");
	read_memory(&rd);
	add_file(&rd, "load", "/proc/loadavg");
	read_folder(&rd, "vulnerability", "/sys/devices/system/cpu/vulnerabilities", "");
	read_folder(&rd, "sysctl", "/proc/sys/kernel", "sched_");
	read_folder(&rd, "sched", "/sys/kernel/debug/sched", "");
	add_file(&rd, "lockdown", "/sys/kernel/security/lockdown");
	read_config(&rd);
	return rd.rc;
}
