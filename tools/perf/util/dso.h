/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dso: address in a file -> name of the function, for user space. Files are found and read by
 * libdwfl (elfutils), which knows stripped files with their debug files apart (build id,
 * .gnu_debuglink, .gnu_debugdata).
 *
 * Where a file is looked for, first that exists and, where the recording has its build id, has the
 * same: below symfs; in the build-id cache (DIR/.build-id/xx/yy../elf, perf buildid-cache); at its
 * path; as /proc/PID/root/PATH, for a process of another mount namespace that still lives. Memory
 * that is no file is named by /tmp/perf-PID.map (JIT compilers; START SIZE NAME, hexadecimal), if
 * the file is of the user or root.
 */
#ifndef MIG_DSO_H
#define MIG_DSO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mmaps.h"

struct dso;
struct jit_map;
struct perfdata_env;

struct dsos {
	const char *symfs, *buildid_dir; /* borrowed; NULL = none */
	const struct perfdata_env *env; /* borrowed: build ids of files whose mapping has none */
	struct dso **dso; /* by mmap_file index; NULL = not looked for */
	uint32_t nr;
	struct jit_map **jit;
	uint32_t nr_jit;
};

/* A zeroed struct dsos with the two paths set is a valid one. */
void dsos__exit(struct dsos *d);

struct dso_name {
	const char *function; /* NULL = none is known; borrowed until the next call */
	const char *inlined; /* the function inlined there, innermost; NULL = none */
	const char *why; /* no symbols at all of this file: why; NULL = it has some */
};

/*
 * Names addr of a region that mmaps__find() gave for process pid (file: its mmap_file, index
 * file_nr). region NULL: memory of no file. -ENOMEM.
 */
int dsos__name(struct dsos *d, int32_t pid, const struct mmap_region *region,
	       const struct mmap_file *file, uint64_t addr, struct dso_name *ret);

#endif
