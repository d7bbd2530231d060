// SPDX-License-Identifier: GPL-2.0
#include "cgroup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cgroup_map__exit(struct cgroup_map *map)
{
	size_t i;

	for (i = 0; i < map->nr_paths; i++)
		free(map->paths[i].path);
	free(map->paths);
	free(map->tasks);
	hash__exit(&map->hash);
	memset(map, 0, sizeof(*map));
}

uint16_t cgroup_map__number(struct cgroup_map *map, uint64_t id)
{
	struct cgroup_path *p;

	if (map->last && map->paths[map->last - 1].id == id)
		return map->last;
	for (size_t i = 0; i < map->nr_paths; i++)
		if (map->paths[i].id == id)
			return map->last = (uint16_t)(i + 1);
	if (map->nr_paths == CGROUP_MAX)
		return 0;
	if (map->nr_paths == map->max_paths) {
		size_t max = map->max_paths ? map->max_paths * 2 : 16;

		p = realloc(map->paths, max * sizeof(*p));
		if (!p)
			return 0;
		map->paths = p;
		map->max_paths = max;
	}
	map->paths[map->nr_paths++] = (struct cgroup_path){ id, NULL };
	return map->last = (uint16_t)map->nr_paths;
}

int cgroup_map__add_path(struct cgroup_map *map, uint64_t id, const char *path, size_t len)
{
	uint16_t n = cgroup_map__number(map, id);
	char *copy = n ? strndup(path, len) : NULL;

	if (!copy)
		return n || map->nr_paths < CGROUP_MAX ? -ENOMEM : 0;
	free(map->paths[n - 1].path);
	map->paths[n - 1].path = copy;
	return 0;
}

static struct cgroup_task *cgroup_map__find(const struct cgroup_map *map, int32_t tid)
{
	uint32_t hv = (uint32_t)hash__mix(0, (uint32_t)tid), pos = hash__start(&map->hash, hv), n;

	while ((n = hash__next(&map->hash, hv, &pos)))
		if (map->tasks[n - 1].tid == tid)
			return &map->tasks[n - 1];
	return NULL;
}

int cgroup_map__note(struct cgroup_map *map, int32_t tid, uint16_t cgroup, bool if_new)
{
	struct cgroup_task *t = cgroup_map__find(map, tid);

	if (t) {
		t->cgroup = if_new ? t->cgroup : cgroup;
		return 0;
	}
	if (map->nr_tasks == map->max_tasks) {
		uint32_t max = map->max_tasks ? map->max_tasks * 2 : 64;

		t = realloc(map->tasks, max * sizeof(*t));
		if (!t)
			return -ENOMEM;
		map->tasks = t;
		map->max_tasks = max;
	}
	map->tasks[map->nr_tasks] = (struct cgroup_task){ tid, cgroup };
	return hash__add(&map->hash, (uint32_t)hash__mix(0, (uint32_t)tid), map->nr_tasks++);
}

uint16_t cgroup_map__of(const struct cgroup_map *map, int32_t tid)
{
	const struct cgroup_task *t = cgroup_map__find(map, tid);

	return t ? t->cgroup : 0;
}

const char *cgroup_map__path(const struct cgroup_map *map, uint16_t cgroup, char buf[32])
{
	const struct cgroup_path *p = &map->paths[cgroup - 1];

	if (p->path)
		return p->path;
	snprintf(buf, 32, "cgroup:%llu", (unsigned long long)p->id);
	return buf;
}

/* Is path the len bytes at name, or below it? */
static bool is_below(const char *path, const char *name, size_t len)
{
	while (*path == '/')
		path++;
	while (len && *name == '/') {
		name++;
		len--;
	}
	while (len && name[len - 1] == '/')
		len--;
	return !strncmp(path, name, len) && (!len || !path[len] || path[len] == '/');
}

bool cgroup_map__has(const struct cgroup_map *map, int32_t tid, const char *list)
{
	uint16_t cgroup = cgroup_map__of(map, tid);
	const char *path = cgroup ? map->paths[cgroup - 1].path : NULL;
	size_t len;

	if (!path)
		return false;
	for (; *list; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		if (len && is_below(path, list, len))
			return true;
	}
	return false;
}
