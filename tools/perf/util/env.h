/* SPDX-License-Identifier: GPL-2.0 */
/*
 * env: the environment a recording was made in, as its header tells: machine, kernel, topology,
 * command line, clock. Filled by perfdata, read by all.
 */
#ifndef MIG_ENV_H
#define MIG_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perfdata_cache {
	uint32_t level;
	char *type; /* "Unified", "Data", "Instruction" */
	char *size; /* "16384K" */
	char *map; /* CPU list "0-3" */
};

struct perfdata_node {
	uint32_t node;
	char *cpus; /* CPU list */
};

/* What the header's feature sections say. Strings NULL, arrays empty where the file is silent. */
struct perfdata_build_id {
	char *path;
	uint8_t id[20], size;
};

struct perfdata_env {
	char *hostname, *os_release, *perf_version, *arch, *cpudesc, *cpuid;
	char **cmdline;
	size_t nr_cmdline;
	uint32_t nr_cpus_online, nr_cpus_avail; /* 0 = unknown */
	uint64_t total_mem_kb;
	/* per CPU 0..nr_topo_cpus-1; -1 = unknown */
	int32_t *core_id, *socket_id, *die_id;
	size_t nr_topo_cpus;
	char **core_siblings, **thread_siblings, **die_siblings; /* CPU lists */
	size_t nr_core_siblings, nr_thread_siblings, nr_die_siblings;
	struct perfdata_node *nodes;
	size_t nr_nodes;
	struct perfdata_cache *caches;
	size_t nr_caches;
	uint64_t first_sample_ns, last_sample_ns; /* SAMPLE_TIME, 0 = unknown */
	bool has_clockid;
	int32_t clockid; /* attr.clockid, when has_clockid */
	uint64_t clock_wall_ns, clock_ref_ns; /* CLOCK_DATA: wall time at clockid time; 0 = none */
	struct perfdata_build_id *build_ids; /* BUILD_ID: of files that samples hit */
	size_t nr_build_ids;
	char *kernel_build_id; /* hex, from BUILD_ID or MMAP; NULL if unknown */
	uint64_t kernel_text; /* start address of the kernel's MMAP record, 0 = unknown */
};

#endif
