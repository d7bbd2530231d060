// SPDX-License-Identifier: GPL-2.0
#include "dso.h"
#include "env.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct dso {
	Dwfl *dwfl;
	Dwfl_Module *mod;
	Elf *elf; /* of mod, borrowed */
	char why[160]; /* no symbols; "" = there are */
};

struct jit_symbol {
	uint64_t start, end;
	char *name;
};

struct jit_map {
	int32_t pid;
	struct jit_symbol *s; /* by start */
	size_t nr;
	char why[160];
};

static void dso__delete(struct dso *d)
{
	if (d && d->dwfl)
		dwfl_end(d->dwfl);
	free(d);
}

static void jit_map__delete(struct jit_map *j)
{
	for (size_t i = 0; i < j->nr; i++)
		free(j->s[i].name);
	free(j->s);
	free(j);
}

void dsos__exit(struct dsos *d)
{
	for (uint32_t i = 0; i < d->nr; i++)
		dso__delete(d->dso[i]);
	for (uint32_t i = 0; i < d->nr_jit; i++)
		jit_map__delete(d->jit[i]);
	free(d->dso);
	free(d->jit);
	memset(d, 0, sizeof(*d));
}

/* --- files --- */

/* A symbol table of all functions, in the file or in its debug file; .dynsym has some. */
static bool has_symtab(Dwfl_Module *mod)
{
	const char *main, *debug = NULL;
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(mod, &bias);
	Elf_Scn *scn = NULL;

	dwfl_module_getsymtab(mod); /* looks for the debug file */
	dwfl_module_info(mod, NULL, NULL, NULL, NULL, NULL, &main, &debug);
	if (debug)
		return true;
	while (elf && (scn = elf_nextscn(elf, scn))) {
		GElf_Shdr mem, *sh = gelf_getshdr(scn, &mem);

		if (sh && sh->sh_type == SHT_SYMTAB)
			return true;
	}
	return false;
}

/* Opens path if it is the file of the recording. Else d->why says what was wrong. */
static bool dso__open(struct dso *d, const char *path, const struct mmap_file *file)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	const unsigned char *id;
	struct stat st;
	GElf_Addr bias, at;
	int len;

	if (stat(path, &st) || !S_ISREG(st.st_mode)) {
		snprintf(d->why, sizeof(d->why), "not found");
		return false;
	}
	d->dwfl = dwfl_begin(&callbacks);
	if (!d->dwfl)
		return false;
	d->mod = dwfl_report_elf(d->dwfl, file->path, path, -1, 0, true);
	if (!d->mod || dwfl_report_end(d->dwfl, NULL, NULL)) {
		snprintf(d->why, sizeof(d->why), "%.100s", dwfl_errmsg(-1));
		goto bad;
	}
	len = dwfl_module_build_id(d->mod, &id, &at);
	if (file->build_id_size &&
	    (len != file->build_id_size || memcmp(id, file->build_id, (size_t)len))) {
		snprintf(d->why, sizeof(d->why), "the file there is another one (build id)");
		goto bad;
	}
	d->elf = dwfl_module_getelf(d->mod, &bias);
	if (d->elf) {
		/* what .dynsym names is named all the same */
		snprintf(d->why, sizeof(d->why), "%s",
			 has_symtab(d->mod) ? "" : "stripped, and no debug file found");
		return true;
	}
	snprintf(d->why, sizeof(d->why), "%.100s", dwfl_errmsg(-1));
bad:
	dwfl_end(d->dwfl);
	d->dwfl = NULL;
	d->mod = NULL;
	return false;
}

static bool open_cached(struct dso *d, const struct dsos *all, const struct mmap_file *file)
{
	char path[1024], hex[41];

	if (!all->buildid_dir || !file->build_id_size)
		return false;
	for (unsigned i = 0; i < file->build_id_size; i++)
		snprintf(hex + 2 * i, 3, "%02x", file->build_id[i]);
	snprintf(path, sizeof(path), "%s/.build-id/%.2s/%s/elf", all->buildid_dir, hex, hex + 2);
	return dso__open(d, path, file);
}

/* What the recording's header says of the file's build id, where its mapping did not. */
static void take_build_id(const struct dsos *all, struct mmap_file *file)
{
	for (size_t i = 0; all->env && !file->build_id_size && i < all->env->nr_build_ids; i++) {
		const struct perfdata_build_id *b = &all->env->build_ids[i];

		if (strcmp(b->path, file->path))
			continue;
		memcpy(file->build_id, b->id, sizeof(file->build_id));
		file->build_id_size = b->size;
	}
}

static struct dso *dso__new(const struct dsos *all, int32_t pid, const struct mmap_file *mapped)
{
	struct mmap_file with_id = *mapped;
	const struct mmap_file *file = &with_id;
	struct dso *d = calloc(1, sizeof(*d));
	char path[4200];

	if (!d)
		return NULL;
	take_build_id(all, &with_id);
	if (all->symfs) {
		snprintf(path, sizeof(path), "%s%s", all->symfs, file->path);
		if (dso__open(d, path, file))
			return d;
	}
	if (open_cached(d, all, file) || dso__open(d, file->path, file))
		return d;
	snprintf(path, sizeof(path), "/proc/%d/root%s", pid, file->path);
	if (!access(path, R_OK)) {
		char why[sizeof(d->why)];

		memcpy(why, d->why, sizeof(why));
		if (!dso__open(d, path, file))
			memcpy(d->why, why, sizeof(why));
	}
	return d;
}

/* Offset in the file -> the address that the file gives to it. */
static bool file_address(Elf *elf, uint64_t offset, uint64_t *ret)
{
	size_t n = 0;

	elf_getphdrnum(elf, &n);
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr mem, *ph = gelf_getphdr(elf, (int)i, &mem);

		if (ph && ph->p_type == PT_LOAD && offset >= ph->p_offset &&
		    offset < ph->p_offset + ph->p_filesz) {
			*ret = offset - ph->p_offset + ph->p_vaddr;
			return true;
		}
	}
	return false;
}

/* The innermost function that is inlined at addr of the module. */
static const char *inlined_at(Dwfl_Module *mod, GElf_Addr addr)
{
	const char *name = NULL;
	Dwarf_Addr bias;
	Dwarf_Die *cu = dwfl_module_addrdie(mod, addr, &bias), *scopes = NULL;
	int n = cu ? dwarf_getscopes(cu, addr - bias, &scopes) : 0;

	for (int i = 0; i < n && !name; i++) {
		int tag = dwarf_tag(&scopes[i]);

		if (tag == DW_TAG_subprogram)
			break;
		if (tag == DW_TAG_inlined_subroutine)
			name = dwarf_diename(&scopes[i]); /* of the file's strings */
	}
	free(scopes);
	return name;
}

static void dso__name(struct dso *d, uint64_t offset, struct dso_name *ret)
{
	GElf_Addr bias = 0;
	GElf_Off off;
	GElf_Sym sym;
	uint64_t addr;

	if (!d->mod) {
		ret->why = d->why;
		return;
	}
	dwfl_module_getelf(d->mod, &bias);
	if (!file_address(d->elf, offset, &addr))
		return;
	addr += bias;
	ret->function = dwfl_module_addrinfo(d->mod, addr, &off, &sym, NULL, NULL, NULL);
	if (ret->function && !*ret->function)
		ret->function = NULL;
	if (ret->function)
		ret->inlined = inlined_at(d->mod, addr);
	else if (d->why[0])
		ret->why = d->why;
}

/* --- JIT --- */

static int compare_symbols(const void *pa, const void *pb)
{
	const struct jit_symbol *a = pa, *b = pb;

	return (a->start > b->start) - (a->start < b->start);
}

static int read_map(struct jit_map *j, FILE *f)
{
	char line[1024], name[900];
	uint64_t start, size;
	size_t room = 0;

	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%" SCNx64 " %" SCNx64 " %899[^\n]", &start, &size, name) != 3)
			continue;
		if (j->nr == room) {
			size_t n = room ? room * 2 : 256;
			struct jit_symbol *s = reallocarray(j->s, n, sizeof(*s));

			if (!s)
				return -ENOMEM;
			j->s = s;
			room = n;
		}
		j->s[j->nr] = (struct jit_symbol){ start, start + size, strdup(name) };
		if (!j->s[j->nr++].name)
			return -ENOMEM;
	}
	if (j->nr)
		qsort(j->s, j->nr, sizeof(*j->s), compare_symbols);
	return 0;
}

static int jit_map__read(struct jit_map *j)
{
	struct stat st;
	char path[48];
	FILE *f;
	int ret, fd;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", j->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	f = fd >= 0 ? fdopen(fd, "r") : NULL;
	if (!f) {
		snprintf(j->why, sizeof(j->why), "memory of no file, and no /tmp/perf-PID.map");
		if (fd >= 0)
			close(fd);
		return 0;
	}
	if (fstat(fd, &st) || (st.st_uid && st.st_uid != geteuid())) {
		snprintf(j->why, sizeof(j->why), "%s belongs to another user", path);
		ret = 0;
	} else {
		ret = read_map(j, f);
	}
	fclose(f);
	return ret;
}

static struct jit_map *jit_of(struct dsos *d, int32_t pid)
{
	struct jit_map **p, *j;

	for (uint32_t i = 0; i < d->nr_jit; i++)
		if (d->jit[i]->pid == pid)
			return d->jit[i];
	p = reallocarray(d->jit, d->nr_jit + 1, sizeof(*p));
	if (!p)
		return NULL;
	d->jit = p;
	j = calloc(1, sizeof(*j));
	if (!j)
		return NULL;
	j->pid = pid;
	d->jit[d->nr_jit++] = j;
	return jit_map__read(j) ? NULL : j;
}

static int name_jit(struct dsos *d, int32_t pid, uint64_t addr, struct dso_name *ret)
{
	struct jit_map *j = jit_of(d, pid);
	size_t lo = 0, hi;

	if (!j)
		return -ENOMEM;
	for (hi = j->nr; lo < hi;) {
		size_t mid = (lo + hi) / 2;

		if (j->s[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo && addr < j->s[lo - 1].end)
		ret->function = j->s[lo - 1].name;
	ret->why = j->why[0] ? j->why : NULL;
	return 0;
}

int dsos__name(struct dsos *d, int32_t pid, const struct mmap_region *region,
	       const struct mmap_file *file, uint64_t addr, struct dso_name *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (region && !strcmp(file->path, "[vdso]")) {
		ret->function = "[vdso]";
		return 0;
	}
	if (!region || mmap_file__is_none(file))
		return name_jit(d, pid, addr, ret);
	if (region->file >= d->nr) {
		uint32_t n = region->file + 32;
		struct dso **p = reallocarray(d->dso, n, sizeof(*p));

		if (!p)
			return -ENOMEM;
		memset(p + d->nr, 0, (n - d->nr) * sizeof(*p));
		d->dso = p;
		d->nr = n;
	}
	if (!d->dso[region->file])
		d->dso[region->file] = dso__new(d, pid, file);
	if (!d->dso[region->file])
		return -ENOMEM;
	dso__name(d->dso[region->file], addr - region->start + region->offset, ret);
	return 0;
}
