/* SPDX-License-Identifier: GPL-2.0 */
/*
 * monitor: the kernel's own counts before and after a run, as metrics under LKP's names.
 *
 * Each name is typed, one by one: of a counter the difference is taken, of a gauge the level after
 * the run. A name that no table has is left out and counted; so is a counter that went backwards.
 *
 * | file | names |
 * |---|---|
 * | /proc/vmstat | proc-vmstat.NAME |
 * | /proc/softirqs | softirqs.NAME, summed over CPUs |
 * | /proc/interrupts | interrupts.RES:Rescheduling_interrupts, .CAL:..., .TLB:..., summed |
 * | /proc/stat | vmstat.system.cs and .in (a second), proc-stat.NAME |
 * | /proc/uptime | uptime.idle: seconds, summed over CPUs |
 * | /proc/pressure | pressure.cpu.some, ...: microseconds |
 * | /proc/schedstat | schedstat.cpu.NAME, schedstat.LEVEL.NAME, summed; versions 15, 16 and 17 |
 */
#ifndef MIG_MONITOR_H
#define MIG_MONITOR_H

#include <stddef.h>

struct run_arm;

enum monitor_type { MONITOR_UNTYPED, MONITOR_COUNTER, MONITOR_GAUGE, MONITOR_RATE };

struct monitor_item {
	char name[64];
	enum monitor_type type; /* RATE: a counter, shown as its difference a second */
	double v;
};

struct monitor {
	struct monitor_item *item;
	size_t nr, max;
	size_t nr_untyped; /* lines of /proc/vmstat that the tables do not know */
	int schedstat_version; /* 0 = there is no such file */
};

/* Reads all files below root ("" = this system). Files that are not there are left out. -ENOMEM. */
int monitor__read(const char *root, struct monitor *ret);
void monitor__exit(struct monitor *m);

/* Sets the metrics of the last run of arm; seconds between the two. -ENOMEM. */
int monitor__store(const struct monitor *before, const struct monitor *after, double seconds,
		   struct run_arm *arm);

#endif
