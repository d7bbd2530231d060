/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cgroupfs: a cgroup of our own for a workload, under cgroup v2 or the older hierarchies.
 */
#ifndef MIG_CGROUPFS_H
#define MIG_CGROUPFS_H

#include <stdbool.h>

struct mig_err;

struct cgroupfs {
	char *dir; /* of the new cgroup */
	char *parent;
	bool v2;
};

/* Where controller ("cpu", "cpuset") is, and our cgroup below: the path only, nothing is made. */
int cgroupfs__find(struct cgroupfs *c, const char *controller, struct mig_err *err);
void cgroupfs__exit(struct cgroupfs *c);

/* Makes the cgroup ready for tasks. Under v2 the controller must be on in the parent. */
int cgroupfs__make(const struct cgroupfs *c, const char *controller, struct mig_err *err);

/*
 * Sets "cpu.weight" (1 to 10000, 100 is usual), "cpu.max" ("max", "50%" of one CPU, or
 * "QUOTA/PERIOD" in us) or "cpuset" (a CPU list); v1's names and units are taken care of.
 */
int cgroupfs__set(const struct cgroupfs *c, const char *what, const char *value,
		  struct mig_err *err);

/* Tasks that are left go to the parent; then the cgroup goes. One that is not there is fine. */
int cgroupfs__remove(const char *dir, struct mig_err *err);

#endif
