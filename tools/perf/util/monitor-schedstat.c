// SPDX-License-Identifier: GPL-2.0
/*
 * monitor-schedstat: /proc/schedstat, Documentation/scheduler/sched-stats.rst of the kernel. All of
 * its fields are counters.
 */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "monitor-int.h"

static const char *const cpu_fields[] = { "yld_count",    NULL,         "sched_count",
					  "sched_goidle", "ttwu_count", "ttwu_local",
					  "rq_cpu_time",  "run_delay",  "pcount" };

/* of one idle type: up to version 16, and of version 17 */
static const char *const lb_fields[] = { "lb_count",  "lb_balanced",   "lb_failed",  "lb_imbalance",
					 "lb_gained", "lb_hot_gained", "lb_nobusyq", "lb_nobusyg" };
static const char *const lb17_fields[] = {
	"lb_count",          "lb_balanced",       "lb_failed",           "lb_imbalance_load",
	"lb_imbalance_util", "lb_imbalance_task", "lb_imbalance_misfit", "lb_gained",
	"lb_hot_gained",     "lb_nobusyq",        "lb_nobusyg"
};
static const char *const rest_fields[] = {
	"alb_count",    "alb_failed",       "alb_pushed",       "sbe_count",
	"sbe_balanced", "sbe_pushed",       "sbf_count",        "sbf_balanced",
	"sbf_pushed",   "ttwu_wake_remote", "ttwu_move_affine", "ttwu_move_balance"
};

enum {
	NR_CPU = sizeof(cpu_fields) / sizeof(cpu_fields[0]),
	NR_LB = sizeof(lb_fields) / sizeof(lb_fields[0]),
	NR_LB17 = sizeof(lb17_fields) / sizeof(lb17_fields[0]),
	NR_REST = sizeof(rest_fields) / sizeof(rest_fields[0])
};

static int add(struct monitor *m, const char *level, const char *kind, const char *field,
	       const char *number)
{
	char name[64];

	snprintf(name, sizeof(name), "schedstat.%.16s.%s%.28s", level, kind, field);
	return monitor__add(m, name, MONITOR_COUNTER, strtod(number, NULL));
}

static int read_cpu(struct monitor *m, char *save)
{
	int rc = 0;

	for (int i = 0; i < NR_CPU && !rc; i++) {
		char *number = strtok_r(NULL, " \n", &save);

		if (!number)
			break;
		if (cpu_fields[i])
			rc = add(m, "cpu", "", cpu_fields[i], number);
	}
	return rc;
}

/* The order of the idle types changed with version 16. */
static int read_domain(struct monitor *m, const char *level, char *save)
{
	static const char *const kinds[2][3] = { { "idle.", "busy.", "newidle." },
						 { "busy.", "idle.", "newidle." } };
	bool v17 = m->schedstat_version >= 17;
	const char *const *fields = v17 ? lb17_fields : lb_fields;
	int nr = v17 ? NR_LB17 : NR_LB, rc = 0;
	char *number;

	for (int k = 0; k < 3; k++) {
		for (int i = 0; i < nr && !rc; i++) {
			number = strtok_r(NULL, " \n", &save);
			if (!number)
				return 0;
			rc = add(m, level, kinds[m->schedstat_version >= 16][k], fields[i], number);
		}
	}
	for (int i = 0; i < NR_REST && !rc; i++) {
		number = strtok_r(NULL, " \n", &save);
		if (!number)
			return 0;
		rc = add(m, level, "", rest_fields[i], number);
	}
	return rc;
}

static int read_line(struct monitor *m, char *line)
{
	char *save, *word = strtok_r(line, " \n", &save), *level, *mask;

	if (!word)
		return 0;
	if (!strncmp(word, "cpu", 3) && isdigit((unsigned char)word[3]))
		return read_cpu(m, save);
	if (strncmp(word, "domain", 6))
		return 0;
	/* since version 17 the domain has its name before the mask: "domain0 MC 0003" */
	level = m->schedstat_version >= 17 ? strtok_r(NULL, " \n", &save) : word;
	mask = strtok_r(NULL, " \n", &save);
	return level && mask ? read_domain(m, level, save) : 0;
}

int monitor__schedstat(struct monitor *m, FILE *f)
{
	char *line = NULL;
	size_t size = 0;
	int rc = 0;

	if (fscanf(f, "version %d", &m->schedstat_version) != 1 || m->schedstat_version < 15 ||
	    m->schedstat_version > 17)
		return 0; /* other fields: left out rather than guessed */
	while (!rc && getline(&line, &size, f) > 0)
		rc = read_line(m, line);
	free(line);
	return rc;
}
