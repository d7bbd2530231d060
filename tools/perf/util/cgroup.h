/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cgroup: which cgroup each task is in, from recordings made with --all-cgroups
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
	char *path; /* NULL = no record names it (yet) */
};

struct cgroup_task {
	int32_t tid;
	uint16_t cgroup;
};

#define CGROUP_MAX 0xffff

struct cgroup_map {
	struct cgroup_path *paths; /* cgroup n is paths[n - 1] */
	size_t nr_paths, max_paths;
	uint16_t last; /* the one that was asked for last */
	struct hash hash; /* tid -> tasks[] */
	struct cgroup_task *tasks;
	uint32_t nr_tasks, max_tasks;
};

/* A zeroed map is an empty one. */
void cgroup_map__exit(struct cgroup_map *map);
/* The number of the cgroup with this id, made if there is none; 0: no memory, or too many. */
uint16_t cgroup_map__number(struct cgroup_map *map, uint64_t id);
/* PERF_RECORD_CGROUP. -ENOMEM. */
int cgroup_map__add_path(struct cgroup_map *map, uint64_t id, const char *path, size_t len);
/* tid is in that cgroup from now on; if_new: only where nothing is known of tid. -ENOMEM. */
int cgroup_map__note(struct cgroup_map *map, int32_t tid, uint16_t cgroup, bool if_new);
/* Of a task; 0 = not known. */
uint16_t cgroup_map__of(const struct cgroup_map *map, int32_t tid);
/* Of a number; "cgroup:ID" in buf where no record names it. */
const char *cgroup_map__path(const struct cgroup_map *map, uint16_t cgroup, char buf[32]);
/*
 * Is tid's cgroup one of the comma-separated list, or below one? Paths are relative to the cgroup
 * file system, with or without a leading '/'. false when its cgroup is not known.
 */
bool cgroup_map__has(const struct cgroup_map *map, int32_t tid, const char *list);

#endif
