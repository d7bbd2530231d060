/* SPDX-License-Identifier: GPL-2.0 */
/*
 * topo: how far apart two CPUs are.
 *
 * Sources: the feature sections of a recording (CPU_TOPOLOGY, NUMA_TOPOLOGY, CACHE), or a sysfs
 * tree (--sysroot). Where there is no cache data the last-level cache is assumed: one per die, else
 * one per package; topo__llc_source() says so.
 */
#ifndef MIG_TOPO_H
#define MIG_TOPO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mig_err;
struct perfdata_env;

enum mig_distance {
	MIG_DIST_SELF, /* same CPU */
	MIG_DIST_SMT, /* threads of one core */
	MIG_DIST_LLC, /* other core, same last-level cache (even if that spans nodes) */
	MIG_DIST_NODE, /* other last-level cache, same NUMA node */
	MIG_DIST_REMOTE, /* other node */
	MIG_DIST_UNKNOWN, /* a CPU the topology does not know */
	MIG_NR_DIST,
};

/* "self", "smt", "llc", "node", "remote", "unknown" */
const char *mig_distance__name(int dist);

/* Where the last-level cache of each CPU comes from. */
enum topo_llc_source { TOPO_LLC_FILE, TOPO_LLC_DIE, TOPO_LLC_PACKAGE, TOPO_LLC_NONE };

/*
 * ids per CPU; -1 = unknown. Ids are machine-wide: two CPUs with one value share the thing. Nodes
 * and packages have the kernel's numbers; the id of a core or cache is its first CPU.
 */
struct topo {
	int nr_cpus;
	int *core, *llc, *node, *package;
	enum topo_llc_source llc_source;
	bool from_sysfs;
	/* levels that exist, i.e. some pair of CPUs is at this distance */
	bool has[MIG_NR_DIST];
	uint8_t *matrix; /* distances of all pairs, row by row; NULL on large machines */
};

/* Never fails for odd input: what is unknown stays -1. -ENOMEM only. */
int topo__init_from_env(struct topo *topo, const struct perfdata_env *env, struct mig_err *err);
/* root: "" or "/" for this machine, else a prefix that holds sys/devices/system/{cpu,node}. */
int topo__init_from_sysfs(struct topo *topo, const char *root, struct mig_err *err);
void topo__exit(struct topo *topo);

/* By the ids; a CPU that the topology does not know is at an unknown distance from all others. */
enum mig_distance topo__compare(const struct topo *topo, int a, int b);

/* The same, looked up. */
static inline enum mig_distance topo__distance(const struct topo *topo, int a, int b)
{
	if (a == b && a >= 0)
		return MIG_DIST_SELF;
	if (topo->matrix && (unsigned)a < (unsigned)topo->nr_cpus &&
	    (unsigned)b < (unsigned)topo->nr_cpus)
		return (enum mig_distance)topo->matrix[a * topo->nr_cpus + b];
	return topo__compare(topo, a, b);
}

static inline bool topo__same_llc(const struct topo *t, int a, int b)
{
	return a == b || (a >= 0 && b >= 0 && a < t->nr_cpus && b < t->nr_cpus && t->llc[a] >= 0 &&
			  t->llc[a] == t->llc[b]);
}

static inline bool topo__same_node(const struct topo *t, int a, int b)
{
	return a == b || (a >= 0 && b >= 0 && a < t->nr_cpus && b < t->nr_cpus &&
			  (t->node[a] < 0 || t->node[b] < 0 || t->node[a] == t->node[b]));
}

/*
 * The outermost boundary that exists here, for near/far: MIG_DIST_REMOTE when there are several
 * nodes, else MIG_DIST_NODE when several last-level caches, else MIG_DIST_LLC (same core | other),
 * or MIG_DIST_SMT on a single core of several threads. A pair is far when its distance is at or
 * beyond it.
 */
enum mig_distance topo__far_from(const struct topo *topo);
/*
 * "near = same node, far = other node", "near = same LLC, ..", "near = same core, ..", and where
 * cores have one thread, or there is only one core, "near = same CPU, far = other CPU".
 */
const char *topo__near_far_words(const struct topo *topo);
/* "file", "assumed: die", "assumed: package", "unknown" */
const char *topo__llc_source(const struct topo *topo);

/*
 * Parses a CPU list "0-3,8,10-11" and calls fn for each; -EINVAL on anything else (an empty list,
 * blanks, a newline), before fn is called at all. Max CPU 65535.
 */
int cpulist__for_each(const char *list, void (*fn)(int cpu, void *ctx), void *ctx);

#endif
