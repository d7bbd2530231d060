// SPDX-License-Identifier: GPL-2.0
#include "cgroup.h"

#include <errno.h>
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

int cgroup_map__add_path(struct cgroup_map *map, uint64_t id, const char *path, size_t len)
{
	struct cgroup_path *p = realloc(map->paths, (map->nr_paths + 1) * sizeof(*p));

	if (!p)
		return -ENOMEM;
	map->paths = p;
	p[map->nr_paths].id = id;
	p[map->nr_paths].path = strndup(path, len);
	if (!p[map->nr_paths].path)
		return -ENOMEM;
	map->nr_paths++;
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

int cgroup_map__note(struct cgroup_map *map, int32_t tid, uint64_t id)
{
	struct cgroup_task *t = cgroup_map__find(map, tid);

	if (t) {
		t->id = id;
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
	map->tasks[map->nr_tasks] = (struct cgroup_task){ tid, id };
	return hash__add(&map->hash, (uint32_t)hash__mix(0, (uint32_t)tid), map->nr_tasks++);
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
	const struct cgroup_task *t = cgroup_map__find(map, tid);
	const char *path = NULL;
	size_t i, len;

	for (i = 0; t && i < map->nr_paths; i++)
		if (map->paths[i].id == t->id)
			path = map->paths[i].path;
	if (!path)
		return false;
	for (; *list; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		if (len && is_below(path, list, len))
			return true;
	}
	return false;
}
