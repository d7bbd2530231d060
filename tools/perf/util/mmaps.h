/* SPDX-License-Identifier: GPL-2.0 */
/*
 * mmaps: which file lay where in a process at a time, from MMAP and MMAP2 records; a child begins
 * with what its parent had.
 */
#ifndef MIG_MMAPS_H
#define MIG_MMAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hash.h"

/* A file, or what the kernel calls memory that is none ("[vdso]", "//anon"). */
struct mmap_file {
	char *path;
	uint8_t build_id[20];
	uint8_t build_id_size; /* 0 = not recorded */
};

/* Memory that no file gives its content, so that an address in it is one of its process. */
bool mmap_file__is_none(const struct mmap_file *f);

struct mmap_region {
	uint64_t start, end, offset; /* offset: of start in the file, bytes */
	uint64_t time;
	uint32_t file; /* index */
};

struct mmap_proc {
	int32_t pid, parent; /* parent: whose regions count before `since`; -1 = none */
	uint64_t since; /* of its fork or exec: what was before does not count */
	struct mmap_region *region; /* in the order of their records */
	uint32_t nr, room;
};

struct mmaps {
	struct hash proc_hash, file_hash;
	struct mmap_proc *procs;
	uint32_t nr_procs, room_procs;
	struct mmap_file *files;
	uint32_t nr_files, room_files;
};

/* A zeroed struct mmaps is empty. */
void mmaps__exit(struct mmaps *m);
/* build_id: NULL or build_id_size bytes (at most 20). -ENOMEM. */
int mmaps__add(struct mmaps *m, int32_t pid, uint64_t time, const struct mmap_region *region,
	       const char *path, const uint8_t *build_id, size_t build_id_size);
/* pid is a new process. -ENOMEM. */
int mmaps__fork(struct mmaps *m, int32_t pid, int32_t parent, uint64_t time);
/* pid runs another program from then on. -ENOMEM. */
int mmaps__exec(struct mmaps *m, int32_t pid, uint64_t time);
/* The region of addr at that time: of those that cover it the last one. NULL: none. */
const struct mmap_region *mmaps__find(const struct mmaps *m, int32_t pid, uint64_t addr,
				      uint64_t time);

#endif
