// SPDX-License-Identifier: GPL-2.0
#include "monitor.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "monitor-int.h"
#include "runset.h"

void monitor__exit(struct monitor *m)
{
	free(m->item);
	*m = (struct monitor){ 0 };
}

int monitor__add(struct monitor *m, const char *name, enum monitor_type type, double v)
{
	struct monitor_item *more;

	/* the sums over CPUs: mostly one of the last few */
	for (size_t i = m->nr; i-- > 0;) {
		if (!strcmp(m->item[i].name, name)) {
			m->item[i].v += v;
			return 0;
		}
	}
	if (m->nr == m->max) {
		more = realloc(m->item, (m->max + 128) * 2 * sizeof(*more));
		if (!more)
			return -ENOMEM;
		m->item = more;
		m->max = (m->max + 128) * 2;
	}
	m->item[m->nr] = (struct monitor_item){ .type = type, .v = v };
	snprintf(m->item[m->nr++].name, sizeof(m->item[0].name), "%s", name);
	return 0;
}

static int read_vmstat(struct monitor *m, FILE *f)
{
	char key[48], name[64];
	enum monitor_type type;
	double v;
	int rc = 0;

	while (!rc && fscanf(f, "%47s %lf", key, &v) == 2) {
		type = monitor__vmstat_type(key);
		snprintf(name, sizeof(name), "proc-vmstat.%s", key);
		if (type == MONITOR_UNTYPED)
			m->nr_untyped++;
		else
			rc = monitor__add(m, name, type, v);
	}
	return rc;
}

/* The sum of the numbers that follow; *ret_rest behind them. */
static double sum_numbers(char *p, char **ret_rest)
{
	double sum = 0;
	char *end;

	for (;; p = end) {
		double v = strtod(p, &end);

		if (end == p || (*end && !isspace((unsigned char)*end)))
			break;
		sum += v;
	}
	*ret_rest = p + strspn(p, " \t");
	return sum;
}

/* "SCHED: 1 2" */
static int read_softirqs(struct monitor *m, FILE *f)
{
	char *line = NULL, *rest, name[64];
	size_t size = 0;
	int rc = 0;

	while (!rc && getline(&line, &size, f) > 0) {
		char *key = line + strspn(line, " \t"), *colon = strchr(key, ':');

		if (!colon)
			continue;
		*colon = '\0';
		snprintf(name, sizeof(name), "softirqs.%.40s", key);
		rc = monitor__add(m, name, MONITOR_COUNTER, sum_numbers(colon + 1, &rest));
	}
	free(line);
	return rc;
}

/* "RES: 1 2 Rescheduling interrupts" -> "interrupts.RES:Rescheduling_interrupts" */
static int read_interrupts(struct monitor *m, FILE *f)
{
	static const char *const wanted[] = { "RES", "CAL", "TLB" };
	char *line = NULL, *rest, name[64];
	size_t size = 0;
	int rc = 0;

	while (!rc && getline(&line, &size, f) > 0) {
		char *key = line + strspn(line, " \t");

		for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]) && !rc; i++) {
			double sum;

			if (strncmp(key, wanted[i], 3) || key[3] != ':')
				continue;
			sum = sum_numbers(key + 4, &rest);
			rest[strcspn(rest, "\n")] = '\0';
			for (char *p = rest; *p; p++)
				if (*p == ' ')
					*p = '_';
			snprintf(name, sizeof(name), "interrupts.%s:%.44s", wanted[i], rest);
			rc = monitor__add(m, name, MONITOR_COUNTER, sum);
		}
	}
	free(line);
	return rc;
}

/* "cpu  user nice system idle iowait irq softirq steal guest guest_nice" in ticks */
static int read_stat_cpu(struct monitor *m, char *p)
{
	static const char *const names[] = { "user", "nice",    "system", "idle",  "iowait",
					     "irq",  "softirq", "steal",  "guest", "guest_nice" };
	char name[64], *end;
	int rc = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !rc; i++, p = end) {
		double v = strtod(p, &end);

		if (end == p)
			break;
		snprintf(name, sizeof(name), "proc-stat.cpu.%s", names[i]);
		rc = monitor__add(m, name, MONITOR_COUNTER, v);
	}
	return rc;
}

static int read_stat(struct monitor *m, FILE *f)
{
	static const struct {
		const char *key, *name;
		enum monitor_type type;
	} lines[] = {
		{ "ctxt ", "vmstat.system.cs", MONITOR_RATE },
		{ "intr ", "vmstat.system.in", MONITOR_RATE },
		{ "processes ", "proc-stat.processes", MONITOR_COUNTER },
		{ "procs_running ", "proc-stat.procs_running", MONITOR_GAUGE },
		{ "procs_blocked ", "proc-stat.procs_blocked", MONITOR_GAUGE },
	};
	char *line = NULL;
	size_t size = 0;
	int rc = 0;

	while (!rc && getline(&line, &size, f) > 0) {
		if (!strncmp(line, "cpu ", 4))
			rc = read_stat_cpu(m, line + 4);
		for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]) && !rc; i++)
			if (!strncmp(line, lines[i].key, strlen(lines[i].key)))
				rc = monitor__add(m, lines[i].name, lines[i].type,
						  strtod(line + strlen(lines[i].key), NULL));
	}
	free(line);
	return rc;
}

static int read_uptime(struct monitor *m, FILE *f)
{
	double idle;

	return fscanf(f, "%*f %lf", &idle) == 1
		       ? monitor__add(m, "uptime.idle", MONITOR_COUNTER, idle)
		       : 0;
}

/* "some avg10=0.00 avg60=0.00 avg300=0.00 total=123" */
static int read_pressure(struct monitor *m, FILE *f, const char *what)
{
	char kind[8], name[64];
	double total;
	int rc = 0;

	while (!rc &&
	       fscanf(f, "%7s avg10=%*f avg60=%*f avg300=%*f total=%lf", kind, &total) == 2) {
		snprintf(name, sizeof(name), "pressure.%s.%s", what, kind);
		rc = monitor__add(m, name, MONITOR_COUNTER, total);
	}
	return rc;
}

static int read_pressure_cpu(struct monitor *m, FILE *f)
{
	return read_pressure(m, f, "cpu");
}

static int read_pressure_memory(struct monitor *m, FILE *f)
{
	return read_pressure(m, f, "memory");
}

static int read_pressure_io(struct monitor *m, FILE *f)
{
	return read_pressure(m, f, "io");
}

int monitor__read(const char *root, struct monitor *ret)
{
	static const struct {
		const char *path;
		int (*read)(struct monitor *m, FILE *f);
	} files[] = {
		{ "/proc/stat", read_stat },
		{ "/proc/uptime", read_uptime },
		{ "/proc/softirqs", read_softirqs },
		{ "/proc/interrupts", read_interrupts },
		{ "/proc/pressure/cpu", read_pressure_cpu },
		{ "/proc/pressure/memory", read_pressure_memory },
		{ "/proc/pressure/io", read_pressure_io },
		{ "/proc/schedstat", monitor__schedstat },
		{ "/proc/vmstat", read_vmstat },
	};
	char path[PATH_MAX];
	int rc = 0;

	*ret = (struct monitor){ 0 };
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]) && !rc; i++) {
		FILE *f;

		snprintf(path, sizeof(path), "%s%s", root, files[i].path);
		f = fopen(path, "re");
		if (!f)
			continue;
		rc = files[i].read(ret, f);
		fclose(f);
	}
	if (rc)
		monitor__exit(ret);
	return rc;
}

/* The item of that name; both lists are in the order of the files, so it is near i. */
static const struct monitor_item *find(const struct monitor *m, const char *name, size_t i)
{
	if (i < m->nr && !strcmp(m->item[i].name, name))
		return &m->item[i];
	for (i = 0; i < m->nr; i++)
		if (!strcmp(m->item[i].name, name))
			return &m->item[i];
	return NULL;
}

int monitor__store(const struct monitor *before, const struct monitor *after, double seconds,
		   struct run_arm *arm)
{
	int rc = 0;

	for (size_t i = 0; i < after->nr && !rc; i++) {
		const struct monitor_item *b = &after->item[i], *a = find(before, b->name, i);
		double v = b->v;

		if (b->type != MONITOR_GAUGE)
			v = a && b->v >= a->v ? b->v - a->v : NAN;
		if (b->type == MONITOR_RATE)
			v = seconds > 0 ? v / seconds : NAN;
		if (!isnan(v))
			rc = run_arm__set(arm, b->name, v);
	}
	return rc;
}
