// SPDX-License-Identifier: GPL-2.0
#include "miss-symbols.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "chain.h"
#include "strtab.h"
#include "symbol.h"

void miss_symbols__exit(struct miss_symbols *m)
{
	dsos__exit(&m->dsos);
	hash__exit(&m->hash);
	hash__exit(&m->address_hash);
	hash__exit(&m->path_hash);
	free(m->path);
	free(m->symbol);
	free(m->address);
	free(m->unknown);
	memset(m, 0, sizeof(*m));
}

static uint32_t intern(struct miss_symbols *m, const char *s)
{
	return strtab__intern(m->names, s, strlen(s));
}

static int get_symbol(struct miss_symbols *m, uint32_t function, uint32_t object, uint32_t *ret)
{
	uint32_t hv = (uint32_t)hash__mix(function, object), pos, k;
	struct miss_symbol *s;

	for (pos = hash__start(&m->hash, hv); (k = hash__next(&m->hash, hv, &pos));)
		if (m->symbol[k - 1].function == function && m->symbol[k - 1].object == object) {
			*ret = k - 1;
			return 0;
		}
	s = array__room(m->symbol, m->nr, &m->room, sizeof(*s));
	if (!s)
		return -ENOMEM;
	m->symbol = s;
	s[m->nr] = (struct miss_symbol){ .function = function, .object = object };
	*ret = m->nr;
	return hash__add(&m->hash, hv, m->nr++);
}

/* Index + 1. */
static int get_unknown(struct miss_symbols *m, uint32_t object, const char *why, uint32_t *ret)
{
	uint32_t id = intern(m, why), i;
	struct miss_unknown *u;

	for (i = 0; i < m->nr_unknown; i++)
		if (m->unknown[i].object == object && m->unknown[i].why == id)
			break;
	*ret = i + 1;
	if (i < m->nr_unknown)
		return 0;
	u = array__room(m->unknown, m->nr_unknown, &m->room_unknown, sizeof(*u));
	if (!u)
		return -ENOMEM;
	m->unknown = u;
	u[m->nr_unknown++] = (struct miss_unknown){ object, id, 0 };
	return 0;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static int name_kernel(struct miss_symbols *m, struct miss_address *a)
{
	const char *name = m->kernel ? symtab__name(m->kernel, a->addr) : NULL;
	uint32_t object = intern(m, "[kernel]");

	if (!m->kernel &&
	    get_unknown(m, object, "no kernel symbols (--kallsyms FILE)", &a->unknown))
		return -ENOMEM;
	return get_symbol(m, name ? intern(m, name) : 0, object, &a->symbol);
}

/* Code at ip of process pid at that time. */
struct miss_place {
	uint64_t ip, time;
	int32_t pid;
};

static int name_user(struct miss_symbols *m, const struct miss_place *f,
		     const struct mmap_region *r, struct miss_address *a)
{
	const struct mmap_file *file = r ? &m->mmaps->files[r->file] : NULL;
	uint32_t object = intern(m, file ? base_name(file->path) : "[no map]");
	struct dso_name name;
	char both[160];

	if (dsos__name(&m->dsos, f->pid, r, file, f->ip, &name))
		return -ENOMEM;
	if (name.why &&
	    get_unknown(m, file ? intern(m, file->path) : object, name.why, &a->unknown))
		return -ENOMEM;
	if (name.inlined) {
		snprintf(both, sizeof(both), "%.70s (in %.70s)", name.inlined, name.function);
		name.function = both;
	}
	return get_symbol(m, name.function ? intern(m, name.function) : 0, object, &a->symbol);
}

static int look_up(struct miss_symbols *m, const struct miss_place *f, struct miss_address **ret)
{
	const bool kernel = f->ip >> 63;
	const struct mmap_region *r = kernel ? NULL : mmaps__find(m->mmaps, f->pid, f->ip, f->time);
	/* an address of a file is the same in all processes; else it is this process's */
	const bool in_file = r && !mmap_file__is_none(&m->mmaps->files[r->file]);
	struct miss_address key = {
		.where = kernel    ? 0
			 : in_file ? 2 * (uint64_t)r->file + 2
				   : 2 * (uint64_t)(uint32_t)f->pid + 1,
		.addr = in_file ? f->ip - r->start + r->offset : f->ip,
	};
	uint32_t hv = (uint32_t)hash__mix(hash__mix(0, key.where), key.addr), pos, k;
	struct miss_address *a;

	for (pos = hash__start(&m->address_hash, hv);
	     (k = hash__next(&m->address_hash, hv, &pos));) {
		a = &m->address[k - 1];
		if (a->where == key.where && a->addr == key.addr) {
			*ret = a;
			return 0;
		}
	}
	if (kernel ? name_kernel(m, &key) : name_user(m, f, r, &key))
		return -ENOMEM;
	a = array__room(m->address, m->nr_addresses, &m->room_addresses, sizeof(*a));
	if (!a)
		return -ENOMEM;
	m->address = a;
	a[m->nr_addresses] = key;
	*ret = &a[m->nr_addresses];
	return hash__add(&m->address_hash, hv, m->nr_addresses++);
}

static int count_path(struct miss_symbols *m, const struct miss_path *path)
{
	uint64_t h = hash__mix(path->function, path->object);
	struct miss_path *p;
	uint32_t hv, pos, k;

	for (unsigned i = 0; i < path->nr; i++)
		h = hash__mix(h, path->caller[i]);
	hv = (uint32_t)h;
	for (pos = hash__start(&m->path_hash, hv); (k = hash__next(&m->path_hash, hv, &pos));) {
		p = &m->path[k - 1];
		if (p->function != path->function || p->object != path->object ||
		    p->nr != path->nr ||
		    memcmp(p->caller, path->caller, path->nr * sizeof(path->caller[0])))
			continue;
		p->misses += path->misses;
		return 0;
	}
	p = array__room(m->path, m->nr_paths, &m->room_paths, sizeof(*p));
	if (!p)
		return -ENOMEM;
	m->path = p;
	p[m->nr_paths] = *path;
	return hash__add(&m->path_hash, hv, m->nr_paths++);
}

/* The callers of a sample's function; the first frame is itself. */
static int add_callers(struct miss_symbols *m, const struct mig_sample *f,
		       const struct miss_symbol *s)
{
	const struct chain *c = &m->chains->chains[f->chain];
	struct miss_path path = { .function = s->function,
				  .object = s->object,
				  .misses = f->period };
	struct miss_place place = { .time = f->time, .pid = f->pid };
	struct miss_address *a;

	for (unsigned i = 1; i < c->nr && path.nr < MISS_MAX_CALLERS; i++) {
		place.ip = c->ips[i] - 1; /* the call, not where it returns to */
		if (look_up(m, &place, &a))
			return -ENOMEM;
		path.caller[path.nr++] = m->symbol[a->symbol].function;
	}
	return count_path(m, &path);
}

int miss_symbols__add(struct miss_symbols *m, const struct mig_sample *f)
{
	const struct miss_place place = { f->ip, f->time, f->pid };
	struct miss_address *a;

	if (look_up(m, &place, &a))
		return -ENOMEM;
	m->symbol[a->symbol].samples[f->moved]++;
	m->symbol[a->symbol].misses[f->moved] += f->period;
	if (f->moved == MIG_MOVED)
		m->symbol[a->symbol].moved_by[f->moved_by] += f->period;
	m->samples[f->moved]++;
	m->misses[f->moved] += f->period;
	if (a->unknown)
		m->unknown[a->unknown - 1].samples++;
	return m->chains && f->chain ? add_callers(m, f, &m->symbol[a->symbol]) : 0;
}

static int compare(const void *pa, const void *pb)
{
	const struct miss_symbol *a = pa, *b = pb;

	for (int side = MIG_MOVED; side < MIG_NR_MOVED; side++)
		if (a->misses[side] != b->misses[side])
			return a->misses[side] < b->misses[side] ? 1 : -1;
	return (a->function > b->function) - (a->function < b->function);
}

static int compare_paths(const void *pa, const void *pb)
{
	const struct miss_path *a = pa, *b = pb;

	return (a->misses < b->misses) - (a->misses > b->misses);
}

static int compare_unknown(const void *pa, const void *pb)
{
	const struct miss_unknown *a = pa, *b = pb;

	return (a->samples < b->samples) - (a->samples > b->samples);
}

void miss_symbols__finish(struct miss_symbols *m)
{
	uint32_t nr = 0;

	/* those that only called have no samples of their own */
	for (uint32_t i = 0; i < m->nr; i++) {
		const uint64_t *n = m->symbol[i].samples;

		if (n[MIG_MOVED] || n[MIG_STAYED] || n[MIG_MOVED_UNKNOWN])
			m->symbol[nr++] = m->symbol[i];
	}
	m->nr = nr;
	if (m->nr)
		qsort(m->symbol, m->nr, sizeof(*m->symbol), compare);
	if (m->nr_unknown)
		qsort(m->unknown, m->nr_unknown, sizeof(*m->unknown), compare_unknown);
	if (m->nr_paths)
		qsort(m->path, m->nr_paths, sizeof(*m->path), compare_paths);
	hash__exit(&m->path_hash);
	hash__exit(&m->hash); /* indices into what is sorted now */
	hash__exit(&m->address_hash);
}
