// SPDX-License-Identifier: GPL-2.0
/*
 * machine-env: the environment that a recording's header tells, by the names of machine-read.c.
 * What a header does not hold (knobs, configuration) is not in it: this machine is never asked.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "env.h"
#include "machine.h"

static int add(struct machine *m, const char *name, const char *text)
{
	return text ? machine__add(m, name, text) : 0;
}

/* Different ids >= 0. */
static size_t different(const int32_t *id, size_t n)
{
	size_t nr = 0;

	for (size_t i = 0; id && i < n; i++) {
		size_t k = 0;

		while (k < i && id[k] != id[i])
			k++;
		nr += k == i && id[i] >= 0;
	}
	return nr;
}

static int add_cpus(struct machine *m, const struct perfdata_env *env)
{
	size_t sockets = different(env->socket_id, env->nr_topo_cpus);
	char text[160];
	int n;

	if (!env->nr_cpus_online)
		return 0;
	n = snprintf(text, sizeof(text), "%u online of %u", env->nr_cpus_online,
		     env->nr_cpus_avail);
	if (sockets)
		n += snprintf(text + n, sizeof(text) - n, ", %zu socket%s", sockets,
			      sockets == 1 ? "" : "s");
	if (env->nr_thread_siblings)
		snprintf(text + n, sizeof(text) - n, ", %zu core%s", env->nr_thread_siblings,
			 env->nr_thread_siblings == 1 ? "" : "s");
	return machine__add(m, "cpus", text);
}

/* Those that CPU 0 has a part in: "L1d 32K shared by 0-1, ..." */
static int add_caches(struct machine *m, const struct perfdata_env *env)
{
	char *text = NULL;
	size_t len = 0;
	FILE *fp = open_memstream(&text, &len);
	int rc;

	if (!fp)
		return -ENOMEM;
	for (size_t i = 0; i < env->nr_caches; i++) {
		const struct perfdata_cache *c = &env->caches[i];
		const char *kind = *c->type == 'D' ? "d" : *c->type == 'I' ? "i" : "";

		if (c->map[0] != '0' || isdigit((unsigned char)c->map[1]))
			continue;
		fprintf(fp, "%sL%u%s %s shared by %s", ftell(fp) > 0 ? ", " : "", c->level, kind,
			c->size, c->map);
	}
	rc = fclose(fp) ? -ENOMEM : len ? machine__add(m, "caches", text) : 0;
	free(text);
	return rc;
}

static int add_nodes(struct machine *m, const struct perfdata_env *env)
{
	char *text = NULL;
	size_t len = 0;
	FILE *fp = open_memstream(&text, &len);
	int rc;

	if (!fp)
		return -ENOMEM;
	for (size_t i = 0; i < env->nr_nodes; i++)
		fprintf(fp, "%s%u [%s]", i ? ", " : "", env->nodes[i].node, env->nodes[i].cpus);
	rc = fclose(fp) ? -ENOMEM : len ? machine__add(m, "nodes", text) : 0;
	free(text);
	return rc;
}

int machine__from_header(const struct perfdata_env *env, struct machine *ret)
{
	char memory[32];
	int rc = add(ret, "kernel", env->os_release);

	if (!rc)
		rc = add(ret, "arch", env->arch);
	if (!rc)
		rc = add(ret, "host", env->hostname);
	if (!rc)
		rc = add(ret, "cpu", env->cpudesc);
	if (!rc)
		rc = add(ret, "cpuid", env->cpuid);
	if (!rc)
		rc = add_cpus(ret, env);
	if (!rc)
		rc = add_caches(ret, env);
	if (!rc && env->total_mem_kb) {
		snprintf(memory, sizeof(memory), "%llu kB", (unsigned long long)env->total_mem_kb);
		rc = machine__add(ret, "memory", memory);
	}
	if (!rc)
		rc = add_nodes(ret, env);
	return rc ? rc : add(ret, "perf", env->perf_version);
}
