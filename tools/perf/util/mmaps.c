// SPDX-License-Identifier: GPL-2.0
#include "mmaps.h"
#include "arena.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARENTS = 16 };

void mmaps__exit(struct mmaps *m)
{
	for (uint32_t i = 0; i < m->nr_procs; i++)
		free(m->procs[i].region);
	for (uint32_t i = 0; i < m->nr_files; i++)
		free(m->files[i].path);
	free(m->procs);
	free(m->files);
	hash__exit(&m->proc_hash);
	hash__exit(&m->file_hash);
	memset(m, 0, sizeof(*m));
}

bool mmap_file__is_none(const struct mmap_file *f)
{
	/* as the kernel calls them (perf: is_anon_memory(), is_no_dso_memory()) */
	static const char *const names[] = { "//anon", "/dev/zero", "/anon_hugepage",
					     "/memfd:", "/SYSV" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(f->path, names[i], strlen(names[i])))
			return true;
	return f->path[0] != '/';
}

static uint32_t pid_hash(int32_t pid)
{
	return (uint32_t)hash__mix(3, (uint32_t)pid);
}

static struct mmap_proc *find_proc(const struct mmaps *m, int32_t pid)
{
	uint32_t hv = pid_hash(pid), pos = hash__start(&m->proc_hash, hv), k;

	while ((k = hash__next(&m->proc_hash, hv, &pos)))
		if (m->procs[k - 1].pid == pid)
			return &m->procs[k - 1];
	return NULL;
}

static struct mmap_proc *get_proc(struct mmaps *m, int32_t pid)
{
	struct mmap_proc *p = find_proc(m, pid);

	if (p)
		return p;
	p = array__room(m->procs, m->nr_procs, &m->room_procs, sizeof(*p));
	if (!p)
		return NULL;
	m->procs = p;
	if (hash__add(&m->proc_hash, pid_hash(pid), m->nr_procs))
		return NULL;
	p += m->nr_procs++;
	*p = (struct mmap_proc){ .pid = pid, .parent = -1 };
	return p;
}

static int get_file(struct mmaps *m, const char *path, const uint8_t *id, size_t id_size,
		    uint32_t *ret)
{
	uint32_t hv = hash__bytes(path, (uint32_t)strlen(path)), pos, k;
	struct mmap_file *f;

	for (pos = hash__start(&m->file_hash, hv); (k = hash__next(&m->file_hash, hv, &pos));) {
		f = &m->files[k - 1];
		if (!strcmp(f->path, path) && f->build_id_size == id_size &&
		    (!id_size || !memcmp(f->build_id, id, id_size))) {
			*ret = k - 1;
			return 0;
		}
	}
	f = array__room(m->files, m->nr_files, &m->room_files, sizeof(*f));
	if (!f)
		return -ENOMEM;
	m->files = f;
	f += m->nr_files;
	*f = (struct mmap_file){ .path = strdup(path), .build_id_size = (uint8_t)id_size };
	if (!f->path || hash__add(&m->file_hash, hv, m->nr_files)) {
		free(f->path);
		return -ENOMEM;
	}
	if (id_size)
		memcpy(f->build_id, id, id_size);
	*ret = m->nr_files++;
	return 0;
}

int mmaps__add(struct mmaps *m, int32_t pid, uint64_t time, const struct mmap_region *region,
	       const char *path, const uint8_t *build_id, size_t build_id_size)
{
	struct mmap_proc *p = get_proc(m, pid);
	struct mmap_region *r;
	uint32_t file;

	if (!p || build_id_size > sizeof(m->files->build_id) ||
	    get_file(m, path, build_id, build_id_size, &file))
		return -ENOMEM;
	r = array__room(p->region, p->nr, &p->room, sizeof(*r));
	if (!r)
		return -ENOMEM;
	p->region = r;
	r += p->nr++;
	*r = *region;
	r->time = time;
	r->file = file;
	return 0;
}

int mmaps__fork(struct mmaps *m, int32_t pid, int32_t parent, uint64_t time)
{
	struct mmap_proc *p = get_proc(m, pid);

	if (!p)
		return -ENOMEM;
	p->parent = parent;
	p->since = time;
	return 0;
}

int mmaps__exec(struct mmaps *m, int32_t pid, uint64_t time)
{
	return mmaps__fork(m, pid, -1, time);
}

const struct mmap_region *mmaps__find(const struct mmaps *m, int32_t pid, uint64_t addr,
				      uint64_t time)
{
	for (int i = 0; i < MAX_PARENTS; i++) {
		const struct mmap_proc *p = find_proc(m, pid);

		for (uint32_t k = p ? p->nr : 0; k; k--) {
			const struct mmap_region *r = &p->region[k - 1];

			if (addr >= r->start && addr < r->end && r->time <= time &&
			    r->time >= p->since)
				return r;
		}
		if (!p || p->parent < 0 || p->parent == pid)
			return NULL;
		pid = p->parent;
		time = p->since; /* what it had then */
	}
	return NULL;
}
