// SPDX-License-Identifier: GPL-2.0
/*
 * topo: how far apart two CPUs are.
 *
 * Both sources are brought into the shape of a recording's header (struct perfdata_env) and go
 * through the same rules, so that a live machine and its recording say the same.
 */
#include "topo.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "perfdata.h"

#define MAX_CPU  65535
#define MAX_NODE 65535

const char *mig_distance__name(int dist)
{
	static const char *const names[MIG_NR_DIST] = {
		[MIG_DIST_SELF] = "self",     [MIG_DIST_SMT] = "smt",
		[MIG_DIST_LLC] = "llc",       [MIG_DIST_NODE] = "node",
		[MIG_DIST_REMOTE] = "remote", [MIG_DIST_UNKNOWN] = "unknown",
	};

	return (unsigned)dist < MIG_NR_DIST ? names[dist] : "unknown";
}

/* --- CPU lists ----------------------------------------------------------------------------- */

static bool cpulist__number(const char **pos, int *ret_cpu)
{
	const char *p = *pos;
	int cpu = 0;

	if (*p < '0' || *p > '9')
		return false;
	for (; *p >= '0' && *p <= '9'; p++) {
		cpu = cpu * 10 + (*p - '0');
		if (cpu > MAX_CPU)
			return false;
	}
	*pos = p;
	*ret_cpu = cpu;
	return true;
}

static int cpulist__walk(const char *list, void (*fn)(int cpu, void *ctx), void *ctx)
{
	int first, last;

	for (;;) {
		if (!cpulist__number(&list, &first))
			return -EINVAL;
		last = first;
		if (*list == '-') {
			list++;
			if (!cpulist__number(&list, &last) || last < first)
				return -EINVAL;
		}
		for (; fn && first <= last; first++)
			fn(first, ctx);
		if (*list != ',')
			return *list ? -EINVAL : 0;
		list++;
	}
}

int cpulist__for_each(const char *list, void (*fn)(int cpu, void *ctx), void *ctx)
{
	int err;

	if (!list)
		return -EINVAL;
	/* all or nothing: fn sees no CPU of a bad list */
	err = cpulist__walk(list, NULL, NULL);
	if (err)
		return err;
	return cpulist__walk(list, fn, ctx);
}

static void cpu__max(int cpu, void *ctx)
{
	int *max = ctx;

	if (cpu > *max)
		*max = cpu;
}

/* --- sets of CPUs -> ids ------------------------------------------------------------------- */

/* An id of a set of CPUs is the set's first CPU: unique, and below nr_cpus. */
struct set_ctx {
	const struct topo *topo;
	int *ids;
	int id;
};

static void set__add(int cpu, void *ctx)
{
	struct set_ctx *set = ctx;

	if (cpu >= set->topo->nr_cpus)
		return;
	if (set->id < 0)
		set->id = cpu;
	if (set->ids[cpu] < 0)
		set->ids[cpu] = set->id;
}

/* A CPU that is in several lists stays in the first. */
static void topo__sets_from_lists(const struct topo *topo, char *const *lists, size_t nr, int *ids)
{
	for (size_t i = 0; lists && i < nr; i++) {
		struct set_ctx set = { .topo = topo, .ids = ids, .id = -1 };

		cpulist__for_each(lists[i], set__add, &set);
	}
}

struct cpu_key {
	int package, die, core, cpu;
};

static int cpu_key__cmp(const void *va, const void *vb)
{
	const struct cpu_key *a = va, *b = vb;

	if (a->package != b->package)
		return a->package < b->package ? -1 : 1;
	if (a->die != b->die)
		return a->die < b->die ? -1 : 1;
	if (a->core != b->core)
		return a->core < b->core ? -1 : 1;
	return a->cpu < b->cpu ? -1 : a->cpu > b->cpu;
}

/*
 * CPUs with equal keys get one id; CPUs that already have one keep it. keys is sorted in place.
 * Core and die numbers repeat from package to package, hence the three-part key.
 */
static void topo__sets_from_keys(struct cpu_key *keys, size_t nr, int *ids)
{
	const struct cpu_key *first = keys;

	qsort(keys, nr, sizeof(*keys), cpu_key__cmp);
	for (size_t i = 0; i < nr; i++) {
		if (keys[i].package != first->package || keys[i].die != first->die ||
		    keys[i].core != first->core)
			first = &keys[i];
		if (ids[keys[i].cpu] < 0)
			ids[keys[i].cpu] = first->cpu;
	}
}

static int env__id(const int32_t *ids, const struct perfdata_env *env, int cpu)
{
	return ids && (size_t)cpu < env->nr_topo_cpus && ids[cpu] >= 0 ? ids[cpu] : -1;
}

/* --- the rules ----------------------------------------------------------------------------- */

static void topo__set_cores(struct topo *topo, const struct perfdata_env *env, struct cpu_key *keys)
{
	size_t nr = 0;

	/*
	 * The sibling lists come first: with clusters (arm64) the core numbers of one package
	 * repeat.
	 */
	topo__sets_from_lists(topo, env->thread_siblings, env->nr_thread_siblings, topo->core);
	for (int cpu = 0; cpu < topo->nr_cpus; cpu++) {
		int core = env__id(env->core_id, env, cpu);

		if (core < 0 || topo->core[cpu] >= 0)
			continue;
		keys[nr++] = (struct cpu_key){ topo->package[cpu], env__id(env->die_id, env, cpu),
					       core, cpu };
	}
	topo__sets_from_keys(keys, nr, topo->core);
}

static void topo__set_packages(struct topo *topo, const struct perfdata_env *env)
{
	bool known = false;

	for (int cpu = 0; cpu < topo->nr_cpus; cpu++) {
		topo->package[cpu] = env__id(env->socket_id, env, cpu);
		known = known || topo->package[cpu] >= 0;
	}
	if (!known)
		topo__sets_from_lists(topo, env->core_siblings, env->nr_core_siblings,
				      topo->package);
}

struct node_ctx {
	struct topo *topo;
	int node;
};

static void node__add(int cpu, void *ctx)
{
	struct node_ctx *node = ctx;

	if (cpu < node->topo->nr_cpus)
		node->topo->node[cpu] = node->node;
}

static void topo__set_nodes(struct topo *topo, const struct perfdata_env *env)
{
	for (size_t i = 0; i < env->nr_nodes; i++) {
		struct node_ctx node = { .topo = topo, .node = (int)env->nodes[i].node };

		if (env->nodes[i].node <= MAX_NODE)
			cpulist__for_each(env->nodes[i].cpus, node__add, &node);
	}
}

struct cache_ctx {
	struct topo *topo;
	uint32_t *levels;
	uint32_t level;
	int id;
};

static void cache__add(int cpu, void *ctx)
{
	struct cache_ctx *cache = ctx;

	if (cpu >= cache->topo->nr_cpus)
		return;
	if (cache->id < 0)
		cache->id = cpu;
	if (cache->level > cache->levels[cpu]) {
		cache->levels[cpu] = cache->level;
		cache->topo->llc[cpu] = cache->id;
	}
}

/*
 * The last level is found per CPU: the low-power cores of some hybrid parts have no L3 beside
 * others that have one.
 */
static int topo__set_llc_from_caches(struct topo *topo, const struct perfdata_env *env)
{
	uint32_t *levels = calloc(topo->nr_cpus, sizeof(*levels));

	if (!levels)
		return -ENOMEM;
	for (size_t i = 0; i < env->nr_caches; i++) {
		const struct perfdata_cache *c = &env->caches[i];
		struct cache_ctx cache = { topo, levels, c->level, -1 };

		if (!c->type || strcmp(c->type, "Unified") || !c->level)
			continue;
		cpulist__for_each(c->map, cache__add, &cache);
		if (cache.id >= 0)
			topo->llc_source = TOPO_LLC_FILE;
	}
	free(levels);
	return 0;
}

/* No caches known: what the chip's makers usually do. */
static void topo__assume_llc(struct topo *topo, const struct perfdata_env *env,
			     struct cpu_key *keys)
{
	bool dies = false;
	size_t nr = 0;

	for (int cpu = 0; cpu < topo->nr_cpus; cpu++)
		dies = dies || env__id(env->die_id, env, cpu) >= 0;
	if (!dies && env->nr_die_siblings) {
		topo__sets_from_lists(topo, env->die_siblings, env->nr_die_siblings, topo->llc);
		topo->llc_source = TOPO_LLC_DIE;
		return;
	}
	for (int cpu = 0; cpu < topo->nr_cpus; cpu++) {
		int die = env__id(env->die_id, env, cpu);

		if (dies ? die >= 0 : topo->package[cpu] >= 0)
			keys[nr++] = (struct cpu_key){ topo->package[cpu], die, 0, cpu };
	}
	topo__sets_from_keys(keys, nr, topo->llc);
	if (nr)
		topo->llc_source = dies ? TOPO_LLC_DIE : TOPO_LLC_PACKAGE;
}

static void topo__set_has_near(struct topo *topo, int *seen)
{
	/* seen[core], then seen[llc]: the first CPU there */
	memset(seen, 0xff, sizeof(*seen) * topo->nr_cpus);
	for (int cpu = 0; cpu < topo->nr_cpus; cpu++) {
		int core = topo->core[cpu];

		topo->has[MIG_DIST_SELF] = true;
		if (core < 0)
			continue;
		if (seen[core] >= 0)
			topo->has[MIG_DIST_SMT] = true;
		seen[core] = cpu;
	}
	memset(seen, 0xff, sizeof(*seen) * topo->nr_cpus);
	for (int cpu = 0; cpu < topo->nr_cpus; cpu++) {
		int llc = topo->llc[cpu];

		if (llc < 0) {
			if (topo->core[cpu] >= 0 && topo->nr_cpus > 1)
				topo->has[MIG_DIST_UNKNOWN] = true;
			continue;
		}
		if (seen[llc] < 0)
			seen[llc] = cpu;
		else if (topo->core[cpu] < 0 || topo->core[cpu] != topo->core[seen[llc]])
			topo->has[MIG_DIST_LLC] = true;
	}
}

/*
 * Two caches on one node; two nodes that do not share all their caches. A CPU without a node
 * counts to every node.
 */
static int topo__set_has_far(struct topo *topo)
{
	int *node_llc, first_llc = -1, first_node = -1, first_node_llc = -1;
	bool wild = false, several_llc = false, several_nodes = false, differ = false;
	const struct topo *t = topo;

	node_llc = malloc(sizeof(*node_llc) * (MAX_NODE + 1));
	if (!node_llc)
		return -ENOMEM;
	memset(node_llc, 0xff, sizeof(*node_llc) * (MAX_NODE + 1));
	for (int cpu = 0; cpu < t->nr_cpus; cpu++) {
		int llc = t->llc[cpu], node = t->node[cpu];

		if (llc >= 0 && first_llc < 0)
			first_llc = llc;
		several_llc = several_llc || (llc >= 0 && llc != first_llc);
		if (node < 0) {
			wild = wild || llc >= 0;
			continue;
		}
		if (first_node < 0) {
			first_node = node;
			first_node_llc = llc;
		}
		differ = differ || llc < 0 || llc != first_node_llc;
		several_nodes = several_nodes || node != first_node;
		if (llc < 0)
			continue;
		if (node_llc[node] >= 0 && node_llc[node] != llc)
			topo->has[MIG_DIST_NODE] = true;
		node_llc[node] = llc;
	}
	if (wild && several_llc)
		topo->has[MIG_DIST_NODE] = true;
	topo->has[MIG_DIST_REMOTE] = several_nodes && differ;
	free(node_llc);
	return 0;
}

static int topo__alloc(struct topo *topo, int nr_cpus)
{
	int **arrays[] = { &topo->core, &topo->llc, &topo->node, &topo->package };

	topo->nr_cpus = nr_cpus;
	for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++) {
		*arrays[i] = malloc(sizeof(int) * (nr_cpus ? nr_cpus : 1));
		if (!*arrays[i])
			return -ENOMEM;
		memset(*arrays[i], 0xff, sizeof(int) * nr_cpus);
	}
	return 0;
}

static int env__nr_cpus(const struct perfdata_env *env)
{
	int max = -1;

	if (env->nr_topo_cpus)
		max = env->nr_topo_cpus > MAX_CPU ? MAX_CPU : (int)env->nr_topo_cpus - 1;
	else if (env->nr_cpus_avail)
		max = env->nr_cpus_avail > MAX_CPU ? MAX_CPU : (int)env->nr_cpus_avail - 1;
	for (size_t i = 0; env->thread_siblings && i < env->nr_thread_siblings; i++)
		cpulist__for_each(env->thread_siblings[i], cpu__max, &max);
	for (size_t i = 0; i < env->nr_nodes; i++)
		cpulist__for_each(env->nodes[i].cpus, cpu__max, &max);
	return max + 1;
}

/* Up to 256 KB; a machine with more CPUs, or no memory, compares each time. */
static void topo__fill_matrix(struct topo *topo)
{
	int a, b, n = topo->nr_cpus;

	if (n > 512)
		return;
	topo->matrix = malloc((size_t)n * (size_t)n);
	for (a = 0; topo->matrix && a < n; a++)
		for (b = 0; b < n; b++)
			topo->matrix[a * n + b] = (uint8_t)topo__compare(topo, a, b);
}

int topo__init_from_env(struct topo *topo, const struct perfdata_env *env, struct mig_err *err)
{
	struct cpu_key *keys = NULL;
	int *seen = NULL, ret;

	memset(topo, 0, sizeof(*topo));
	topo->llc_source = TOPO_LLC_NONE;
	ret = topo__alloc(topo, env__nr_cpus(env));
	if (ret || !topo->nr_cpus)
		goto out;
	ret = -ENOMEM;
	keys = calloc(topo->nr_cpus, sizeof(*keys));
	seen = calloc(topo->nr_cpus, sizeof(*seen));
	if (!keys || !seen)
		goto out;
	topo__set_packages(topo, env);
	topo__set_cores(topo, env, keys);
	topo__set_nodes(topo, env);
	ret = topo__set_llc_from_caches(topo, env);
	if (ret)
		goto out;
	if (topo->llc_source == TOPO_LLC_NONE)
		topo__assume_llc(topo, env, keys);
	topo__set_has_near(topo, seen);
	ret = topo__set_has_far(topo);
	if (!ret)
		topo__fill_matrix(topo);
out:
	free(keys);
	free(seen);
	if (ret) {
		topo__exit(topo);
		mig_err__set(err, ret, "out of memory for the CPU topology");
	}
	return ret;
}

void topo__exit(struct topo *topo)
{
	free(topo->core);
	free(topo->llc);
	free(topo->node);
	free(topo->package);
	free(topo->matrix);
	memset(topo, 0, sizeof(*topo));
	topo->llc_source = TOPO_LLC_NONE;
}

static bool topo__knows(const struct topo *topo, int cpu)
{
	return cpu >= 0 && cpu < topo->nr_cpus;
}

enum mig_distance topo__compare(const struct topo *topo, int a, int b)
{
	if (a == b && a >= 0)
		return MIG_DIST_SELF;
	if (!topo__knows(topo, a) || !topo__knows(topo, b))
		return MIG_DIST_UNKNOWN;
	if (topo->core[a] >= 0 && topo->core[a] == topo->core[b])
		return MIG_DIST_SMT;
	if (topo__same_llc(topo, a, b))
		return MIG_DIST_LLC;
	if (!topo__same_node(topo, a, b))
		return MIG_DIST_REMOTE;
	if (topo->llc[a] < 0 || topo->llc[b] < 0)
		return MIG_DIST_UNKNOWN;
	return MIG_DIST_NODE;
}

enum mig_distance topo__far_from(const struct topo *topo)
{
	static const enum mig_distance outer_first[] = { MIG_DIST_REMOTE, MIG_DIST_NODE };

	for (size_t i = 0; i < sizeof(outer_first) / sizeof(outer_first[0]); i++) {
		if (topo->has[outer_first[i]])
			return outer_first[i];
	}
	/* two threads of one core are all there is */
	if (topo->has[MIG_DIST_SMT] && !topo->has[MIG_DIST_LLC])
		return MIG_DIST_SMT;
	return MIG_DIST_LLC;
}

const char *topo__near_far_words(const struct topo *topo)
{
	switch (topo__far_from(topo)) {
	case MIG_DIST_REMOTE:
		return "near = same node, far = other node";
	case MIG_DIST_NODE:
		return "near = same LLC, far = other LLC";
	case MIG_DIST_LLC:
		if (topo->has[MIG_DIST_SMT])
			return "near = same core, far = other core";
		/* fall through */
	default:
		return "near = same CPU, far = other CPU";
	}
}

const char *topo__llc_source(const struct topo *topo)
{
	switch (topo->llc_source) {
	case TOPO_LLC_FILE:
		return "file";
	case TOPO_LLC_DIE:
		return "assumed: die";
	case TOPO_LLC_PACKAGE:
		return "assumed: package";
	default:
		return "unknown";
	}
}
