// SPDX-License-Identifier: GPL-2.0
/*
 * perfdata-feature: one parser per header section that we want, the same for the sections of a
 * file and the HEADER_FEATURE records of a pipe. Each honours the size of its section: tails that
 * older writers did not have are optional. Layout: the process_*() functions of
 * tools/perf/util/header.c.
 */
#include "perfdata-int.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "utf8.h"

/* u32 length, then that many bytes: the string and its NUL padding. */
static char *cur__string(struct pd_cur *c)
{
	uint32_t len = pd_cur__u32(c);
	const uint8_t *p = pd_cur__bytes(c, len);
	char *s = p ? strndup((const char *)p, len) : NULL;

	if (s)
		utf8__clean(s, strlen(s) + 1, s); /* it will be shown on a terminal */
	else
		c->bad = true;
	return s;
}

/* ---- the environment ---- */

static void free_strings(char ***list, size_t *n)
{
	for (size_t i = 0; i < *n; i++)
		free((*list)[i]);
	free(*list);
	*list = NULL;
	*n = 0;
}

static void cur__strings(struct pd_cur *c, char ***ret_list, size_t *ret_n)
{
	uint32_t n = pd_cur__u32(c);

	free_strings(ret_list, ret_n);
	if (n > pd_cur__left(c) / 4)
		c->bad = true;
	if (c->bad || !n)
		return;
	*ret_list = calloc(n, sizeof(**ret_list));
	if (!*ret_list) {
		c->bad = true;
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		char *s = cur__string(c);

		if (!s)
			return;
		(*ret_list)[(*ret_n)++] = s;
	}
}

static void free_nodes(struct perfdata_env *env)
{
	for (size_t i = 0; i < env->nr_nodes; i++)
		free(env->nodes[i].cpus);
	free(env->nodes);
	env->nodes = NULL;
	env->nr_nodes = 0;
}

static void free_caches(struct perfdata_env *env)
{
	for (size_t i = 0; i < env->nr_caches; i++) {
		free(env->caches[i].type);
		free(env->caches[i].size);
		free(env->caches[i].map);
	}
	free(env->caches);
	env->caches = NULL;
	env->nr_caches = 0;
}

void perfdata__free_env(struct perfdata_env *env)
{
	for (size_t i = 0; i < env->nr_build_ids; i++)
		free(env->build_ids[i].path);
	free(env->build_ids);
	free(env->hostname);
	free(env->os_release);
	free(env->perf_version);
	free(env->arch);
	free(env->cpudesc);
	free(env->cpuid);
	free(env->core_id);
	free(env->socket_id);
	free(env->die_id);
	free(env->kernel_build_id);
	free_strings(&env->cmdline, &env->nr_cmdline);
	free_strings(&env->core_siblings, &env->nr_core_siblings);
	free_strings(&env->thread_siblings, &env->nr_thread_siblings);
	free_strings(&env->die_siblings, &env->nr_die_siblings);
	free_nodes(env);
	free_caches(env);
}

static void add_string(char **dst, struct pd_cur *c)
{
	free(*dst);
	*dst = cur__string(c);
}

static void add_hostname(struct perfdata *pd, struct pd_cur *c)
{
	add_string(&pd->env.hostname, c);
}

static void add_osrelease(struct perfdata *pd, struct pd_cur *c)
{
	add_string(&pd->env.os_release, c);
}

static void add_version(struct perfdata *pd, struct pd_cur *c)
{
	add_string(&pd->env.perf_version, c);
}

static void add_arch(struct perfdata *pd, struct pd_cur *c)
{
	add_string(&pd->env.arch, c);
}

static void add_cpudesc(struct perfdata *pd, struct pd_cur *c)
{
	add_string(&pd->env.cpudesc, c);
}

static void add_cpuid(struct perfdata *pd, struct pd_cur *c)
{
	add_string(&pd->env.cpuid, c);
}

static void add_nrcpus(struct perfdata *pd, struct pd_cur *c)
{
	uint32_t avail = pd_cur__u32(c), online = pd_cur__u32(c);

	if (c->bad)
		return;
	pd->env.nr_cpus_avail = avail > online ? avail : online;
	pd->env.nr_cpus_online = avail > online ? online : avail;
}

static void add_total_mem(struct perfdata *pd, struct pd_cur *c)
{
	pd->env.total_mem_kb = pd_cur__u64(c);
}

static void add_cmdline(struct perfdata *pd, struct pd_cur *c)
{
	cur__strings(c, &pd->env.cmdline, &pd->env.nr_cmdline);
}

static int32_t *unknown_ids(uint32_t n)
{
	int32_t *ids = malloc(n * sizeof(*ids));

	for (uint32_t i = 0; ids && i < n; i++)
		ids[i] = -1;
	return ids;
}

/*
 * Sibling lists; from 2.6.3x on core and socket of each CPU; from 5.4 on dies. perf writes the
 * per-CPU part for all nr_cpus_avail CPUs.
 */
static void add_cpu_topology(struct perfdata *pd, struct pd_cur *c)
{
	struct perfdata_env *env = &pd->env;
	uint32_t n = env->nr_cpus_avail;

	cur__strings(c, &env->core_siblings, &env->nr_core_siblings);
	cur__strings(c, &env->thread_siblings, &env->nr_thread_siblings);
	if (c->bad || !n || pd_cur__left(c) / 8 < n)
		return;
	free(env->core_id);
	free(env->socket_id);
	free(env->die_id);
	env->nr_topo_cpus = 0;
	env->core_id = unknown_ids(n);
	env->socket_id = unknown_ids(n);
	env->die_id = unknown_ids(n);
	if (!env->core_id || !env->socket_id || !env->die_id) {
		c->bad = true;
		return;
	}
	env->nr_topo_cpus = n;
	for (uint32_t i = 0; i < n; i++) {
		env->core_id[i] = (int32_t)pd_cur__u32(c);
		env->socket_id[i] = (int32_t)pd_cur__u32(c);
	}
	if (!pd_cur__left(c))
		return;
	cur__strings(c, &env->die_siblings, &env->nr_die_siblings);
	if (c->bad || pd_cur__left(c) / 4 < n)
		return;
	for (uint32_t i = 0; i < n; i++)
		env->die_id[i] = (int32_t)pd_cur__u32(c);
}

static void add_numa(struct perfdata *pd, struct pd_cur *c)
{
	struct perfdata_env *env = &pd->env;
	uint32_t n = pd_cur__u32(c);

	free_nodes(env);
	if (n > pd_cur__left(c) / 24)
		c->bad = true;
	if (c->bad || !n)
		return;
	env->nodes = calloc(n, sizeof(*env->nodes));
	if (!env->nodes)
		return;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t node = pd_cur__u32(c);
		char *cpus;

		pd_cur__bytes(c, 16); /* memory: total, free */
		cpus = cur__string(c);
		if (!cpus)
			return;
		env->nodes[env->nr_nodes++] = (struct perfdata_node){ node, cpus };
	}
}

static void add_cache(struct perfdata *pd, struct pd_cur *c)
{
	struct perfdata_env *env = &pd->env;
	uint32_t version = pd_cur__u32(c), n = pd_cur__u32(c);

	free_caches(env);
	if (version != 1 || n > pd_cur__left(c) / 28)
		c->bad = true;
	if (c->bad || !n)
		return;
	env->caches = calloc(n, sizeof(*env->caches));
	if (!env->caches)
		return;
	for (uint32_t i = 0; i < n; i++) {
		struct perfdata_cache *cache = &env->caches[env->nr_caches];

		cache->level = pd_cur__u32(c);
		pd_cur__bytes(c, 12); /* line size, sets, ways */
		cache->type = cur__string(c);
		cache->size = cur__string(c);
		cache->map = cur__string(c);
		env->nr_caches++;
		if (c->bad) {
			env->nr_caches--;
			free(cache->type);
			free(cache->size);
			free(cache->map);
			return;
		}
	}
}

static void add_sample_time(struct perfdata *pd, struct pd_cur *c)
{
	pd->env.first_sample_ns = pd_cur__u64(c);
	pd->env.last_sample_ns = pd_cur__u64(c);
}

static void add_clock_data(struct perfdata *pd, struct pd_cur *c)
{
	uint32_t version = pd_cur__u32(c), clockid = pd_cur__u32(c);
	uint64_t wall = pd_cur__u64(c), ref = pd_cur__u64(c);

	if (c->bad || version != 1)
		return;
	pd->env.has_clockid = true;
	pd->env.clockid = (int32_t)clockid;
	pd->env.clock_wall_ns = wall;
	pd->env.clock_ref_ns = ref;
}

/*
 * zstd levels up to 19 use a window of 8 MiB at most; only a recording that says it used more may
 * make the decoder allocate more.
 */
static void add_compressed(struct perfdata *pd, struct pd_cur *c)
{
	uint32_t level;

	pd_cur__u32(c); /* version */
	pd_cur__u32(c); /* type */
	level = pd_cur__u32(c);
	pd->compressed = true;
	for (unsigned i = 0; !c->bad && i < pd->nr_streams; i++)
		pd->streams[i].window_log = level < 20 ? 24 : 27;
}

static void add_build_ids(struct perfdata *pd, struct pd_cur *c)
{
	while (pd_cur__left(c) >= 8) {
		uint16_t size = perf_get16(c->p + 6, c->swap);
		const uint8_t *rec = pd_cur__bytes(c, size >= 8 ? size : UINT64_MAX);

		if (!rec)
			return;
		perfdata__add_build_id(pd, rec, size);
	}
}

/* ---- event names and groups ---- */

static void keep_blob(struct pd_blob *blob, struct pd_cur *c)
{
	size_t n = pd_cur__left(c);

	free(blob->data);
	blob->size = 0;
	blob->data = n ? malloc(n) : NULL;
	if (!blob->data)
		return;
	memcpy(blob->data, c->p, n);
	blob->size = n;
}

static void add_event_desc(struct perfdata *pd, struct pd_cur *c)
{
	keep_blob(&pd->event_desc, c);
	perfdata__apply_desc(pd);
}

static void add_group_desc(struct perfdata *pd, struct pd_cur *c)
{
	keep_blob(&pd->group_desc, c);
	perfdata__apply_desc(pd);
}

/* p is NULL when there is no such blob. */
static struct pd_cur blob_cur(const struct perfdata *pd, const struct pd_blob *blob)
{
	return (struct pd_cur){ .p = blob->data,
				.end = blob->data ? blob->data + blob->size : NULL,
				.swap = pd->swap };
}

static int desc_event(const struct perfdata *pd, uint32_t idx, const uint8_t *attr,
		      const uint8_t *ids, uint32_t nr_ids)
{
	int by_id = nr_ids ? perfdata__event_by_id(pd, perf_get64(ids, pd->swap)) : -1;

	if (by_id >= 0)
		return by_id;
	if (idx < pd->nr_events && pd->events[idx]->type == perf_get32(attr, pd->swap) &&
	    pd->events[idx]->config == perf_get64(attr + 8, pd->swap))
		return (int)idx;
	return -1;
}

static void apply_event_desc(struct perfdata *pd)
{
	struct pd_cur c = blob_cur(pd, &pd->event_desc);
	uint32_t n, attr_size;

	if (!c.p)
		return;
	n = pd_cur__u32(&c);
	attr_size = pd_cur__u32(&c);
	if (attr_size < 16)
		return;
	for (uint32_t i = 0; !c.bad && i < n; i++) {
		const uint8_t *attr = pd_cur__bytes(&c, attr_size), *ids;
		uint32_t nr_ids = pd_cur__u32(&c);
		char *name = cur__string(&c);
		int idx;

		ids = pd_cur__bytes(&c, 8ULL * nr_ids);
		idx = ids ? desc_event(pd, i, attr, ids, nr_ids) : -1;
		if (idx >= 0 && !pd->events[idx]->name && name && *name) {
			pd->events[idx]->name = name;
			name = NULL;
		}
		free(name);
		if (idx >= 0 && perfdata__add_ids(pd, (size_t)idx, ids, nr_ids))
			return;
	}
}

static void apply_group_desc(struct perfdata *pd)
{
	struct pd_cur c = blob_cur(pd, &pd->group_desc);
	uint32_t n;

	if (!c.p)
		return;
	n = pd_cur__u32(&c);
	for (uint32_t i = 0; !c.bad && i < n; i++) {
		uint32_t leader, members;

		free(cur__string(&c));
		leader = pd_cur__u32(&c);
		members = pd_cur__u32(&c);
		if (c.bad || leader >= pd->nr_events || members > pd->nr_events - leader)
			continue; /* in a pipe: not all attrs have come */
		for (uint32_t k = 0; k < members; k++)
			pd->events[leader + k]->leader = (int)leader;
		pd->events[leader]->nr_group = members ? members : 1;
	}
}

void perfdata__apply_desc(struct perfdata *pd)
{
	apply_event_desc(pd);
	apply_group_desc(pd);
}

/* ---- dispatch ---- */

static const struct {
	const char *name;
	void (*add)(struct perfdata *pd, struct pd_cur *c);
} features[] = {
	[PD_FEAT_TRACING_DATA] = { "TRACING_DATA", NULL },
	[PD_FEAT_BUILD_ID] = { "BUILD_ID", add_build_ids },
	[PD_FEAT_HOSTNAME] = { "HOSTNAME", add_hostname },
	[PD_FEAT_OSRELEASE] = { "OSRELEASE", add_osrelease },
	[PD_FEAT_VERSION] = { "VERSION", add_version },
	[PD_FEAT_ARCH] = { "ARCH", add_arch },
	[PD_FEAT_NRCPUS] = { "NRCPUS", add_nrcpus },
	[PD_FEAT_CPUDESC] = { "CPUDESC", add_cpudesc },
	[PD_FEAT_CPUID] = { "CPUID", add_cpuid },
	[PD_FEAT_TOTAL_MEM] = { "TOTAL_MEM", add_total_mem },
	[PD_FEAT_CMDLINE] = { "CMDLINE", add_cmdline },
	[PD_FEAT_EVENT_DESC] = { "EVENT_DESC", add_event_desc },
	[PD_FEAT_CPU_TOPOLOGY] = { "CPU_TOPOLOGY", add_cpu_topology },
	[PD_FEAT_NUMA_TOPOLOGY] = { "NUMA_TOPOLOGY", add_numa },
	[PD_FEAT_GROUP_DESC] = { "GROUP_DESC", add_group_desc },
	[PD_FEAT_CACHE] = { "CACHE", add_cache },
	[PD_FEAT_SAMPLE_TIME] = { "SAMPLE_TIME", add_sample_time },
	[PD_FEAT_COMPRESSED] = { "COMPRESSED", add_compressed },
	[PD_FEAT_CLOCK_DATA] = { "CLOCK_DATA", add_clock_data },
};

const char *perfdata__feature_name(unsigned feat)
{
	return feat < sizeof(features) / sizeof(features[0]) ? features[feat].name : NULL;
}

int perfdata__add_feature(struct perfdata *pd, unsigned feat, const uint8_t *data, size_t size)
{
	struct pd_cur c = { .p = data, .end = data + size, .swap = pd->swap };

	if (!perfdata__feature_name(feat) || !features[feat].add)
		return 0;
	features[feat].add(pd, &c);
	return c.bad ? -EINVAL : 0;
}

/* ---- kernel: build id and text ---- */

static void set_build_id(struct perfdata *pd, const uint8_t *id, size_t n)
{
	char *s;

	if (pd->env.kernel_build_id || !n || n > 20)
		return;
	s = malloc(2 * n + 1);
	if (!s)
		return;
	for (size_t i = 0; i < n; i++)
		snprintf(s + 2 * i, 3, "%02x", id[i]);
	pd->env.kernel_build_id = s;
}

static bool is_kernel_name(const uint8_t *name, size_t max)
{
	static const char kernel[] = "[kernel.kallsyms]";

	return max >= sizeof(kernel) - 1 && !memcmp(name, kernel, sizeof(kernel) - 1);
}

/* Without memory for it the file is taken as it is. */
static void add_file_build_id(struct perfdata_env *env, const uint8_t *rec, size_t size,
			      uint8_t id_size)
{
	struct perfdata_build_id *b =
		reallocarray(env->build_ids, env->nr_build_ids + 1, sizeof(*b));
	char *path = b ? strndup((const char *)rec + 36, size - 36) : NULL;

	if (b)
		env->build_ids = b;
	if (!path)
		return;
	b += env->nr_build_ids++;
	b->path = path;
	b->size = id_size;
	memcpy(b->id, rec + 12, sizeof(b->id));
}

/* header, pid, build_id[20] + size byte (5.13) + padding, filename */
void perfdata__add_build_id(struct perfdata *pd, const uint8_t *rec, size_t size)
{
	bool has_size = perf_get16(rec + 4, pd->swap) & (1U << 15);
	uint8_t id_size = has_size ? rec[32] : 20;

	if (size <= 36)
		return;
	if (is_kernel_name(rec + 36, size - 36))
		set_build_id(pd, rec + 12, id_size);
	else if (rec[36] == '/' && id_size <= 20)
		add_file_build_id(&pd->env, rec, size, id_size);
}

/*
 * MMAP: header, pid, tid, start, len, pgoff, filename. MMAP2 has device and inode, or the build id
 * (misc bit 14), protection and flags before the name. Old perf wrote start 0 and the address of
 * _text in pgoff.
 */
void perfdata__see_mmap(struct perfdata *pd, const struct perf_rec *rec)
{
	size_t name = rec->type == PD_REC_MMAP ? 40 : 72;

	if ((pd->env.kernel_text && pd->env.kernel_build_id) || rec->size <= name)
		return;
	if (!is_kernel_name(rec->data + name, rec->size - name))
		return;
	if (!pd->env.kernel_text)
		pd->env.kernel_text = perf_get64(rec->data + 16, pd->swap);
	if (!pd->env.kernel_text)
		pd->env.kernel_text = perf_get64(rec->data + 32, pd->swap);
	if (rec->type == PD_REC_MMAP2 && rec->misc & (1U << 14))
		set_build_id(pd, rec->data + 44, rec->data[40]);
}
