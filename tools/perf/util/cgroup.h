/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cgroup: which cgroup each task was last seen in, from recordings made with --all-cgroups
 * (PERF_RECORD_CGROUP names an id, PERF_SAMPLE_CGROUP gives the id of the current task).
 */
#ifndef MIG_CGROUP_H
#define MIG_CGROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hash.h"

struct cgroup_path {
	uint64_t id;
	char *path;
};

struct cgroup_task {
	int32_t tid;
	uint64_t id;
};

struct cgroup_map {
	struct cgroup_path *paths; /* few */
	size_t nr_paths;
	struct hash hash; /* tid -> tasks[] */
	struct cgroup_task *tasks;
	uint32_t nr_tasks, max_tasks;
};

/* A zeroed map is an empty one. */
void cgroup_map__exit(struct cgroup_map *map);
/* PERF_RECORD_CGROUP. -ENOMEM. */
int cgroup_map__add_path(struct cgroup_map *map, uint64_t id, const char *path, size_t len);
/* tid ran in cgroup id. -ENOMEM. */
int cgroup_map__note(struct cgroup_map *map, int32_t tid, uint64_t id);
/*
 * Is tid's cgroup one of the comma-separated list, or below one? Paths are relative to the cgroup
 * file system, with or without a leading '/'. false when its cgroup is not known.
 */
bool cgroup_map__has(const struct cgroup_map *map, int32_t tid, const char *list);

#endif
