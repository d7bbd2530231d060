/* SPDX-License-Identifier: GPL-2.0 */
/*
 * machine: the environment of a measurement: kernel, CPUs, memory, knobs, configuration. A list of
 * names and texts, in a fixed order; what could not be read says why ("unreadable: ...").
 */
#ifndef MIG_MACHINE_H
#define MIG_MACHINE_H

#include <stddef.h>

struct machine_item {
	char *name; /* "kernel", "cpu", "sched.features", "config.SCHED_DEBUG", ... */
	char *text;
};

struct machine {
	struct machine_item *item;
	size_t nr;
};

void machine__exit(struct machine *m);

/* Appends. -ENOMEM. */
int machine__add(struct machine *m, const char *name, const char *text);

/* NULL if there is none. */
const char *machine__get(const struct machine *m, const char *name);

/*
 * Reads this machine, below root ("" = the running system). Items that do not exist here (NUMA
 * balancing in a kernel without NUMA) say so. -ENOMEM.
 */
int machine__read(const char *root, struct machine *ret);

struct perfdata_env;
/* machine-env.c: what the header of a recording says, under the same names. -ENOMEM. */
int machine__from_header(const struct perfdata_env *env, struct machine *ret);

/*
 * Is a difference in this item a reason to doubt a comparison: kernel, CPUs, memory, knobs, DEBUG
 * options; not the host name, the load or the free memory.
 */
int machine__matters(const char *name);

#endif
