// SPDX-License-Identifier: GPL-2.0
/*
 * unit-topo: distances between CPUs, from sysfs trees of machines with a known layout and from
 * environments in the shape of a recording's header.
 */
#include "tests.h"
#include "err.h"
#include "perfdata.h"
#include "topo.h"

#include <errno.h>

static void cpulist__note(int cpu, void *ctx)
{
	char *text = ctx;

	sprintf(text + strlen(text), "%d ", cpu);
}

static void test_cpulist(void)
{
	static const struct {
		const char *list, *want;
	} good[] = {
		{ "0", "0 " },     { "0-3,8,10-11", "0 1 2 3 8 10 11 " },
		{ "7-7", "7 " },   { "65535", "65535 " },
		{ "3,1", "3 1 " },
	};
	static const char *const bad[] = {
		"",      ",",    "0,",      ",0",    "0-", "-3",    "3-1",
		"0 1",   " 0",   "0x1",     "0-3-5", "a",  "65536", "99999999999999999999",
		"1,2\n", "0--3", "0-65536",
	};
	char text[256];

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		*text = '\0';
		is_int(cpulist__for_each(good[i].list, cpulist__note, text), 0, good[i].list);
		is_str(text, good[i].want, "its CPUs");
	}
	*text = '\0';
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ok(cpulist__for_each(bad[i], cpulist__note, text) == -EINVAL, "bad list %zu", i);
	is_str(text, "", "nothing is called for a bad list, not even for its good start");
	is_int(cpulist__for_each(NULL, cpulist__note, text), -EINVAL, "no list");
}

/* One character per pair of the first row of CPUs: = t(hread) l n r ? */
static void topo__row(const struct topo *topo, int cpu, char *row)
{
	static const char letters[] = "=tlnr?";

	for (int i = 0; i < topo->nr_cpus; i++)
		row[i] = letters[topo__distance(topo, cpu, i)];
	row[topo->nr_cpus] = '\0';
}

static void topo__check_symmetry(const struct topo *topo, const char *name)
{
	bool has[MIG_NR_DIST] = { false }, symmetric = true, same = true;

	for (int a = 0; a < topo->nr_cpus; a++) {
		for (int b = 0; b < topo->nr_cpus; b++) {
			enum mig_distance dist = topo__distance(topo, a, b);

			symmetric = symmetric && dist == topo__distance(topo, b, a);
			has[dist] = true;
		}
	}
	for (int i = 0; i < MIG_DIST_UNKNOWN; i++)
		same = same && has[i] == topo->has[i];
	ok(symmetric, "%s: distances are symmetric", name);
	ok(same, "%s: the levels that exist are those some pair has", name);
}

static void topo__check(const struct topo *topo, const char *name, const char *row0,
			const char *row5, enum mig_distance far, const char *source)
{
	char row[128], text[64];

	topo__row(topo, 0, row);
	snprintf(text, sizeof(text), "%s: distances of CPU 0", name);
	is_str(row, row0, text);
	if (row5) {
		topo__row(topo, 5, row);
		snprintf(text, sizeof(text), "%s: distances of CPU 5", name);
		is_str(row, row5, text);
	}
	topo__check_symmetry(topo, name);
	snprintf(text, sizeof(text), "%s: far from", name);
	is_int(topo__far_from(topo), far, text);
	snprintf(text, sizeof(text), "%s: source of the last level", name);
	is_str(topo__llc_source(topo), source, text);
}

static void test_sysfs_trees(const char *base, bool all)
{
	static const struct {
		const char *name, *row0, *row5;
		enum mig_distance far;
		const char *words;
		bool in_repo;
	} trees[] = {
		{ "n8", "=tllrrrr", "rrrrt=ll", MIG_DIST_REMOTE,
		  "near = same node, far = other node", true },
		{ "d8", "=tllnnnn", "nnnnt=ll", MIG_DIST_NODE, "near = same LLC, far = other LLC",
		  true },
		{ "u8", "=lllrrrr", "rrrrl=ll", MIG_DIST_REMOTE,
		  "near = same node, far = other node", true },
		{ "c2", "=l", NULL, MIG_DIST_LLC, "near = same CPU, far = other CPU", true },
		{ "s4", "=lll", NULL, MIG_DIST_LLC, "near = same CPU, far = other CPU", false },
		{ "l8", "=tllrrrr", "rrrrt=ll", MIG_DIST_REMOTE,
		  "near = same node, far = other node", false },
	};
	char root[4096];
	struct topo topo;

	for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]); i++) {
		if (!all && !trees[i].in_repo)
			continue;
		snprintf(root, sizeof(root), "%s/sysfs/%s", base, trees[i].name);
		is_int(topo__init_from_sysfs(&topo, root, NULL), 0, root);
		topo__check(&topo, trees[i].name, trees[i].row0, trees[i].row5, trees[i].far,
			    "file");
		is_str(topo__near_far_words(&topo), trees[i].words, "its near and far");
		ok(topo.from_sysfs, "read from sysfs");
		topo__exit(&topo);
	}
}

static void test_sysfs_odd(void)
{
	struct topo topo;

	is_int(topo__init_from_sysfs(&topo, "/nonexistent", NULL), 0, "no tree is no error");
	is_int(topo.nr_cpus, 0, "it has no CPUs");
	is_int(topo__distance(&topo, 0, 1), MIG_DIST_UNKNOWN, "all distances are unknown");
	is_str(topo__llc_source(&topo), "unknown", "so is the last level");
	topo__exit(&topo);
	is_int(topo__init_from_sysfs(&topo, "", NULL), 0, "this machine");
	ok(topo.nr_cpus > 0, "has CPUs: %d", topo.nr_cpus);
	is_int(topo__distance(&topo, 0, 0), MIG_DIST_SELF, "CPU 0 is itself");
	topo__check_symmetry(&topo, "this machine");
	topo__exit(&topo);
	topo__exit(&topo);
	ok(true, "exit twice");
}

/* Two sockets of two cores of two threads; core numbers repeat from socket to socket. */
static int32_t core8[] = { 0, 0, 1, 1, 0, 0, 1, 1 };
static int32_t socket8[] = { 0, 0, 0, 0, 1, 1, 1, 1 };
static int32_t one_socket8[] = { 0, 0, 0, 0, 0, 0, 0, 0 };
static int32_t none8[] = { -1, -1, -1, -1, -1, -1, -1, -1 };
static char *no_list = (char *)"";
static struct perfdata_node nodes2[] = { { 0, (char *)"0-3" }, { 1, (char *)"4-7" } };

static struct perfdata_env env8(void)
{
	return (struct perfdata_env){
		.core_id = core8,
		.socket_id = socket8,
		.die_id = none8,
		.nr_topo_cpus = 8,
		.nr_cpus_avail = 8,
	};
}

static void env__check(const struct perfdata_env *env, const char *name, const char *row0,
		       const char *row5, enum mig_distance far, const char *source)
{
	struct topo topo;

	is_int(topo__init_from_env(&topo, env, NULL), 0, name);
	topo__check(&topo, name, row0, row5, far, source);
	ok(!topo.from_sysfs, "%s: not from sysfs", name);
	topo__exit(&topo);
}

static void test_env_fallback(void)
{
	struct perfdata_env env = env8();

	env__check(&env, "no cache, no die, no node", "=tllnnnn", "nnnnt=ll", MIG_DIST_NODE,
		   "assumed: package");
	env.nodes = nodes2;
	env.nr_nodes = 2;
	env__check(&env, "with nodes", "=tllrrrr", "rrrrt=ll", MIG_DIST_REMOTE, "assumed: package");
	env.nr_nodes = 1;
	env__check(&env, "one node known, one not", "=tllnnnn", "nnnnt=ll", MIG_DIST_NODE,
		   "assumed: package");
	env.nr_nodes = 0;
	env.die_id = (int32_t[]){ 0, 0, 1, 1, 0, 0, 1, 1 };
	env__check(&env, "dies", "=tnnnnnn", "nnnnt=nn", MIG_DIST_NODE, "assumed: die");
	env.die_id = one_socket8;
	env__check(&env, "die 0 in both sockets", "=tllnnnn", "nnnnt=ll", MIG_DIST_NODE,
		   "assumed: die");
	env.die_id = NULL;
	env.nr_die_siblings = 2;
	env.die_siblings = (char *[]){ (char *)"0-3", (char *)"4-7" };
	env__check(&env, "lists of dies", "=tllnnnn", "nnnnt=ll", MIG_DIST_NODE, "assumed: die");
}

static void test_env_caches(void)
{
	struct perfdata_cache caches[] = {
		{ 1, (char *)"Data", NULL, (char *)"0-1" },
		{ 1, (char *)"Instruction", NULL, (char *)"0-1" },
		{ 2, (char *)"Unified", NULL, (char *)"0-1" },
		{ 2, (char *)"Unified", NULL, (char *)"2-3" },
		{ 2, (char *)"Unified", NULL, (char *)"4-5" },
		{ 2, (char *)"Unified", NULL, (char *)"6-7" },
		{ 3, (char *)"Unified", NULL, (char *)"0-3" },
		{ 3, (char *)"Unified", NULL, (char *)"4-7" },
	};
	struct perfdata_env env = env8();

	env.socket_id = one_socket8;
	env.core_id = (int32_t[]){ 0, 0, 1, 1, 2, 2, 3, 3 };
	env.caches = caches;
	env.nr_caches = 8;
	env__check(&env, "two L3", "=tllnnnn", "nnnnt=ll", MIG_DIST_NODE, "file");
	env.nr_caches = 6;
	env__check(&env, "no L3: L2 is the last", "=tnnnnnn", "nnnnt=nn", MIG_DIST_NODE, "file");
	env.nr_caches = 7;
	env__check(&env, "an L3 for some CPUs only", "=tllnnnn", "nnnnt=nn", MIG_DIST_NODE, "file");
	env.nr_caches = 2;
	env__check(&env, "only first-level caches", "=tllllll", "llllt=ll", MIG_DIST_LLC,
		   "assumed: package");
	/* a cache shared by two nodes (split by the firmware or by numa=fake) is still one cache */
	caches[6].map = (char *)"0-7";
	env.nr_caches = 7;
	env.nodes = nodes2;
	env.nr_nodes = 2;
	env__check(&env, "one L3 over two nodes", "=tllllll", NULL, MIG_DIST_LLC, "file");
}

static void test_env_cores(void)
{
	struct perfdata_env env = env8();
	struct topo topo;

	/* clusters: core numbers repeat within one package, the sibling lists know better */
	env.socket_id = one_socket8;
	env.nr_thread_siblings = 8;
	env.thread_siblings = (char *[]){ (char *)"0", (char *)"1", (char *)"2", (char *)"3",
					  (char *)"4", (char *)"5", (char *)"6", (char *)"7" };
	env__check(&env, "sibling lists before core numbers", "=lllllll", NULL, MIG_DIST_LLC,
		   "assumed: package");
	env.nr_topo_cpus = 0;
	env.nr_cpus_avail = 0;
	env__check(&env, "sibling lists only", "=???????", NULL, MIG_DIST_LLC, "unknown");
	env.nr_core_siblings = 2;
	env.core_siblings = (char *[]){ (char *)"0-3", (char *)"4-7" };
	env__check(&env, "lists of threads and sockets", "=lllnnnn", NULL, MIG_DIST_NODE,
		   "assumed: package");

	env = (struct perfdata_env){ .nr_cpus_avail = 4 };
	env__check(&env, "only the number of CPUs", "=???", NULL, MIG_DIST_LLC, "unknown");
	env = (struct perfdata_env){ 0 };
	is_int(topo__init_from_env(&topo, &env, NULL), 0, "an empty header");
	is_int(topo.nr_cpus, 0, "no CPUs");
	is_int(topo__distance(&topo, 3, 3), MIG_DIST_SELF, "a CPU is itself all the same");
	is_int(topo__distance(&topo, 3, 4), MIG_DIST_UNKNOWN, "and unknown to others");
	is_int(topo__distance(&topo, -1, -1), MIG_DIST_UNKNOWN, "no CPU has no distance");
	topo__exit(&topo);

	/* one core of two threads: another CPU is as far as it gets */
	env = (struct perfdata_env){ .core_id = core8, .socket_id = socket8, .nr_topo_cpus = 2 };
	env__check(&env, "one core", "=t", NULL, MIG_DIST_SMT, "assumed: package");
	env.nr_topo_cpus = 4;
	is_int(topo__init_from_env(&topo, &env, NULL), 0, "two cores of two threads");
	is_str(topo__near_far_words(&topo), "near = same core, far = other core", "their words");
	topo__exit(&topo);
}

static void test_env_odd(void)
{
	struct perfdata_node nodes[] = {
		{ 0, (char *)"0-3" },
		{ 4000000000U, (char *)"4-7" },
		{ 1, (char *)"5-70000" },
		{ 2, no_list },
		{ 3, NULL },
	};
	struct perfdata_cache caches[] = {
		{ 3, NULL, NULL, (char *)"0-7" },
		{ 3, (char *)"Unified", NULL, NULL },
		{ 3, (char *)"Unified", NULL, (char *)"100-200" },
		{ 0, (char *)"Unified", NULL, (char *)"0-7" },
	};
	struct perfdata_env env = env8();
	int32_t *core = NULL;
	struct topo topo;

	env.nodes = nodes;
	env.nr_nodes = 5;
	env.caches = caches;
	env.nr_caches = 4;
	env__check(&env, "damaged lists", "=tllnnnn", "nnnnt=ll", MIG_DIST_NODE,
		   "assumed: package");

	/* an offline CPU has no ids */
	env = env8();
	env.core_id = (int32_t[]){ 0, 0, 1, 1, 0, -1, 1, 1 };
	env.socket_id = (int32_t[]){ 0, 0, 0, 0, 1, -1, 1, 1 };
	env__check(&env, "an offline CPU", "=tlln?nn", NULL, MIG_DIST_NODE, "assumed: package");

	core = calloc(200000, sizeof(*core));
	env = (struct perfdata_env){ .core_id = core, .socket_id = core, .nr_topo_cpus = 200000 };
	is_int(topo__init_from_env(&topo, &env, NULL), 0, "a header with too many CPUs");
	is_int(topo.nr_cpus, 65536, "is cut");
	topo__exit(&topo);
	free(core);
}

static void test_names(void)
{
	is_str(mig_distance__name(MIG_DIST_SELF), "self", "self");
	is_str(mig_distance__name(MIG_DIST_REMOTE), "remote", "remote");
	is_str(mig_distance__name(MIG_NR_DIST), "unknown", "out of range");
}

int main(void)
{
	char lab[4096];

	test_names();
	test_cpulist();
	test_sysfs_trees(test_data(), false);
	test_sysfs_odd();
	test_env_fallback();
	test_env_caches();
	test_env_cores();
	test_env_odd();
	if (shared_data()) {
		snprintf(lab, sizeof(lab), "%s/lab", shared_data());
		test_sysfs_trees(lab, true);
	} else {
		skip("sysfs trees of more machines", "MIG_SHARED_DATA is not set");
	}
	return done_testing();
}
