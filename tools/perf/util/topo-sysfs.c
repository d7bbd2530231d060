// SPDX-License-Identifier: GPL-2.0
/*
 * topo from a sysfs tree: reads cpuN/{topology,cache} and nodeN/cpulist into the shape of a
 * recording's header, so that topo.c has one set of rules for both.
 */
#include "topo.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "err.h"
#include "perfdata.h"

/* Highest cache index directory worth looking at; machines have four or five. */
#define MAX_CACHE_INDEX 16
/* CPUs and nodes beyond this are no CPUs and nodes. */
#define MAX_NUMBER 65535

struct sysfs {
	int cpus; /* open directory .../sys/devices/system/cpu, -1 = none */
	struct perfdata_env env;
	size_t max_caches, max_nodes;
};

/* First line of a file below dirfd, without the newline; "" if it cannot be read. */
static const char *sysfs__read(int dirfd, const char *path, char *buf, size_t size)
{
	int fd = openat(dirfd, path, O_RDONLY | O_CLOEXEC);
	ssize_t len = -1;

	if (fd >= 0) {
		len = read(fd, buf, size - 1);
		close(fd);
	}
	buf[len > 0 ? len : 0] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	return buf;
}

static int32_t sysfs__read_id(int dirfd, int cpu, const char *file)
{
	char path[64], buf[32], *end;
	long val;

	snprintf(path, sizeof(path), "cpu%d/topology/%s", cpu, file);
	val = strtol(sysfs__read(dirfd, path, buf, sizeof(buf)), &end, 10);
	return end == buf || val < 0 || val > INT_MAX ? -1 : (int32_t)val;
}

/* Is this "cpu12" or "node3"? Returns the number, else -1. */
static int dirent__number(const char *name, const char *prefix)
{
	size_t len = strlen(prefix);
	unsigned long nr;
	char *end;

	if (strncmp(name, prefix, len) || name[len] < '0' || name[len] > '9')
		return -1;
	nr = strtoul(name + len, &end, 10);
	return *end || nr > MAX_NUMBER ? -1 : (int)nr;
}

/* A grown array with room for one more element; NULL when out of memory. */
static void *array__more(void *array, size_t nr, size_t *max, size_t size)
{
	if (nr < *max)
		return array;
	*max = *max ? 2 * *max : 16;
	return realloc(array, *max * size);
}

static int sysfs__add_cache(struct sysfs *sysfs, int cpu, int index)
{
	struct perfdata_env *env = &sysfs->env;
	struct perfdata_cache *cache;
	char path[64], buf[4096];

	snprintf(path, sizeof(path), "cpu%d/cache/index%d/level", cpu, index);
	if (!*sysfs__read(sysfs->cpus, path, buf, sizeof(buf)))
		return 0;
	cache = array__more(env->caches, env->nr_caches, &sysfs->max_caches, sizeof(*cache));
	if (!cache)
		return -ENOMEM;
	env->caches = cache;
	cache += env->nr_caches++;
	memset(cache, 0, sizeof(*cache));
	cache->level = (uint32_t)strtoul(buf, NULL, 10);
	snprintf(path, sizeof(path), "cpu%d/cache/index%d/type", cpu, index);
	cache->type = strdup(sysfs__read(sysfs->cpus, path, buf, sizeof(buf)));
	snprintf(path, sizeof(path), "cpu%d/cache/index%d/shared_cpu_list", cpu, index);
	cache->map = strdup(sysfs__read(sysfs->cpus, path, buf, sizeof(buf)));
	return cache->type && cache->map ? 0 : -ENOMEM;
}

static int sysfs__read_cpu(struct sysfs *sysfs, int cpu)
{
	struct perfdata_env *env = &sysfs->env;
	char path[64], buf[4096];
	int ret = 0;

	env->core_id[cpu] = sysfs__read_id(sysfs->cpus, cpu, "core_id");
	env->die_id[cpu] = sysfs__read_id(sysfs->cpus, cpu, "die_id");
	env->socket_id[cpu] = sysfs__read_id(sysfs->cpus, cpu, "physical_package_id");
	/* the name since 5.3, and the one before */
	snprintf(path, sizeof(path), "cpu%d/topology/core_cpus_list", cpu);
	if (!*sysfs__read(sysfs->cpus, path, buf, sizeof(buf))) {
		snprintf(path, sizeof(path), "cpu%d/topology/thread_siblings_list", cpu);
		sysfs__read(sysfs->cpus, path, buf, sizeof(buf));
	}
	env->thread_siblings[cpu] = strdup(buf);
	if (!env->thread_siblings[cpu])
		return -ENOMEM;
	for (int index = 0; !ret && index < MAX_CACHE_INDEX; index++)
		ret = sysfs__add_cache(sysfs, cpu, index);
	return ret;
}

static int sysfs__read_cpus(struct sysfs *sysfs)
{
	struct perfdata_env *env = &sysfs->env;
	struct dirent *ent;
	int fd, nr = 0, ret = 0;
	DIR *dir;

	fd = dup(sysfs->cpus);
	dir = fd >= 0 ? fdopendir(fd) : NULL;
	if (!dir) {
		if (fd >= 0)
			close(fd);
		return 0;
	}
	while ((ent = readdir(dir))) {
		int cpu = dirent__number(ent->d_name, "cpu");

		if (cpu >= nr)
			nr = cpu + 1;
	}
	closedir(dir);
	if (!nr)
		return 0;
	env->core_id = calloc(nr, sizeof(*env->core_id));
	env->die_id = calloc(nr, sizeof(*env->die_id));
	env->socket_id = calloc(nr, sizeof(*env->socket_id));
	env->thread_siblings = calloc(nr, sizeof(*env->thread_siblings));
	if (!env->core_id || !env->die_id || !env->socket_id || !env->thread_siblings)
		return -ENOMEM;
	env->nr_topo_cpus = env->nr_thread_siblings = nr;
	for (int cpu = 0; !ret && cpu < nr; cpu++)
		ret = sysfs__read_cpu(sysfs, cpu);
	return ret;
}

static int sysfs__read_nodes(struct sysfs *sysfs, const char *root)
{
	struct perfdata_env *env = &sysfs->env;
	char path[PATH_MAX], file[64], buf[4096];
	struct dirent *ent;
	int ret = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/sys/devices/system/node", root);
	dir = opendir(path);
	while (!ret && dir && (ent = readdir(dir))) {
		int nr = dirent__number(ent->d_name, "node");
		struct perfdata_node *node;

		if (nr < 0)
			continue;
		ret = -ENOMEM;
		node = array__more(env->nodes, env->nr_nodes, &sysfs->max_nodes, sizeof(*node));
		if (!node)
			break;
		env->nodes = node;
		node += env->nr_nodes;
		snprintf(file, sizeof(file), "node%d/cpulist", nr);
		node->node = (uint32_t)nr;
		node->cpus = strdup(sysfs__read(dirfd(dir), file, buf, sizeof(buf)));
		if (!node->cpus)
			break;
		env->nr_nodes++;
		ret = 0;
	}
	if (dir)
		closedir(dir);
	return ret;
}

static void sysfs__exit(struct sysfs *sysfs)
{
	struct perfdata_env *env = &sysfs->env;

	if (sysfs->cpus >= 0)
		close(sysfs->cpus);
	for (size_t i = 0; i < env->nr_caches; i++) {
		free(env->caches[i].type);
		free(env->caches[i].map);
	}
	for (size_t i = 0; i < env->nr_nodes; i++)
		free(env->nodes[i].cpus);
	for (size_t i = 0; i < env->nr_thread_siblings; i++)
		free(env->thread_siblings[i]);
	free(env->caches);
	free(env->nodes);
	free(env->thread_siblings);
	free(env->core_id);
	free(env->die_id);
	free(env->socket_id);
}

int topo__init_from_sysfs(struct topo *topo, const char *root, struct mig_err *err)
{
	struct sysfs sysfs = { .cpus = -1 };
	char path[PATH_MAX];
	int ret;

	memset(topo, 0, sizeof(*topo));
	topo->llc_source = TOPO_LLC_NONE;
	snprintf(path, sizeof(path), "%s/sys/devices/system/cpu", root);
	sysfs.cpus = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ret = sysfs__read_cpus(&sysfs);
	if (!ret)
		ret = sysfs__read_nodes(&sysfs, root);
	if (ret)
		mig_err__set(err, ret, "out of memory for the CPU topology");
	else
		ret = topo__init_from_env(topo, &sysfs.env, err);
	topo->from_sysfs = !ret;
	sysfs__exit(&sysfs);
	return ret;
}
