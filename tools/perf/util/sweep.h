/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sweep: the product of the values of several knobs, in which order its arms run, and how an arm is
 * brought about: settings of the kernel, a cgroup, words before the command.
 */
#ifndef MIG_SWEEP_H
#define MIG_SWEEP_H

#include <stdbool.h>
#include <stddef.h>

#include "argv.h"
#include "cgroupfs.h"
#include "knob.h"
#include "topo.h"
#include "undo.h"

struct mig_err;

enum sweep_act {
	SWEEP_KNOB, /* of the kernel, or --set-file */
	SWEEP_CMD, /* --set-cmd */
	SWEEP_PLACE, /* taskset before the command */
	SWEEP_NICE, /* nice */
	SWEEP_POLICY, /* chrt */
	SWEEP_CGROUP, /* a cgroup of its own: cpu.weight, cpu.max, cpuset */
};

struct sweep_axis {
	char *name;
	enum sweep_act act;
	char **value;
	size_t nr;
	const char *restore_cmd; /* of SWEEP_CMD, borrowed */
	struct knob knob; /* of SWEEP_KNOB */
	struct cgroupfs cgroup; /* of SWEEP_CGROUP */
};

struct sweep {
	struct sweep_axis *axis;
	size_t nr;
	struct topo topo;
	bool has_topo;
	char *allowed; /* CPUs this process may use; NULL = all of the topology */
	const char *root; /* "" = the running system */
};

/*
 * "NAME=V1,V2": one more axis. kind is SWEEP_KNOB for any name of --set (what it is is found out),
 * or SWEEP_CMD for "CMD {}=V1,V2". -EINVAL (wrong usage) for what is no such text.
 */
int sweep__add(struct sweep *s, const char *text, struct mig_err *err);
int sweep__add_file(struct sweep *s, const char *text, struct mig_err *err);
int sweep__add_cmd(struct sweep *s, const char *text, struct mig_err *err);
void sweep__exit(struct sweep *s);

size_t sweep__nr_arms(const struct sweep *s);
/* "migration_cost=0 WA_IDLE=1", to free; NULL without memory. */
char *sweep__arm_name(const struct sweep *s, size_t arm);
/* Which arm is run as slot of the round: each round begins one arm later. */
size_t sweep__order(const struct sweep *s, size_t round, size_t slot);

/* Finds all knobs; what has to be put back goes to undo (not synced). Nothing is changed yet. */
int sweep__find(struct sweep *s, struct undo *undo, struct mig_err *err);

/*
 * Sets every value of every axis once and the first again, so that a value that the kernel refuses
 * is known before the first run. After sweep__find() and undo__sync().
 */
int sweep__try(const struct sweep *s, struct mig_err *err);

/* Sets the values of an arm, and adds what goes before the command. */
int sweep__apply(const struct sweep *s, size_t arm, struct argv *ret_prefix, struct mig_err *err);

/* Knobs of the workload, which need no place in the kernel: name and meaning; NULL ends them. */
const char *sweep__workload_knob(size_t i, const char **ret_what);

#endif
