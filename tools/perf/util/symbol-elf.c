// SPDX-License-Identifier: GPL-2.0
/*
 * symbol from an ELF file: the functions of a vmlinux's symbol table. The only user of libelf.
 */
#include "symbol-int.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool elf__is(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char magic[SELFMAG] = "";
	bool is;

	if (fd < 0)
		return false;
	is = read(fd, magic, sizeof(magic)) == sizeof(magic) && !memcmp(magic, ELFMAG, SELFMAG);
	close(fd);
	return is;
}

bool notes__build_id(const void *notes, size_t size, char ret_hex[BUILD_ID_HEX])
{
	const uint8_t *pos = notes, *end = pos + size;
	Elf64_Nhdr nhdr; /* the same for 32 bit */

	while ((size_t)(end - pos) >= sizeof(nhdr)) {
		const uint8_t *name = pos + sizeof(nhdr), *desc;
		size_t namesz, descsz;

		memcpy(&nhdr, pos, sizeof(nhdr));
		namesz = ((size_t)nhdr.n_namesz + 3) & ~(size_t)3;
		descsz = ((size_t)nhdr.n_descsz + 3) & ~(size_t)3;
		if (namesz > (size_t)(end - name) || descsz > (size_t)(end - name) - namesz)
			return false;
		desc = name + namesz;
		if (nhdr.n_type == NT_GNU_BUILD_ID && nhdr.n_namesz == 4 &&
		    !memcmp(name, "GNU", 4) && nhdr.n_descsz * 2 < BUILD_ID_HEX) {
			for (size_t i = 0; i < nhdr.n_descsz; i++)
				snprintf(ret_hex + 2 * i, 3, "%02x", desc[i]);
			return nhdr.n_descsz > 0;
		}
		pos = desc + descsz;
	}
	return false;
}

static bool elf__build_id(Elf *elf, char ret_hex[BUILD_ID_HEX])
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	Elf_Data *data;

	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type != SHT_NOTE)
			continue;
		data = elf_getdata(scn, NULL);
		if (data && data->d_buf && notes__build_id(data->d_buf, data->d_size, ret_hex))
			return true;
	}
	return false;
}

/* Assembler functions may have no type. */
static bool elf_sym__is_function(Elf *elf, const GElf_Sym *sym)
{
	unsigned type = GELF_ST_TYPE(sym->st_info);
	GElf_Shdr shdr;
	Elf_Scn *scn;

	if (type != STT_FUNC && type != STT_NOTYPE)
		return false;
	if (!sym->st_value)
		return false;
	scn = elf_getscn(elf, sym->st_shndx);
	return scn && gelf_getshdr(scn, &shdr) && (shdr.sh_flags & SHF_EXECINSTR);
}

static int symtab__add_section(struct symtab *st, Elf *elf, Elf_Scn *scn, const GElf_Shdr *shdr)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t nr = shdr->sh_entsize ? shdr->sh_size / shdr->sh_entsize : 0;
	GElf_Sym sym;
	int ret = 0;

	for (size_t i = 0; data && !ret && i < nr && gelf_getsym(data, (int)i, &sym); i++) {
		const char *name = elf_strptr(elf, shdr->sh_link, sym.st_name);
		unsigned bind = GELF_ST_BIND(sym.st_info);

		if (sym.st_shndx == SHN_UNDEF || sym.st_shndx >= SHN_LORESERVE || !name ||
		    !elf_sym__is_function(elf, &sym))
			continue;
		ret = symtab__add(st, sym.st_value,
				  bind == STB_GLOBAL  ? 'T'
				  : bind == STB_LOCAL ? 't'
						      : 'W',
				  name, strlen(name), false);
	}
	return ret;
}

int symtab__load_elf(struct symtab *st, const char *path, const char *want_build_id)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret = -EINVAL;
	char build_id[BUILD_ID_HEX];
	Elf_Scn *scn = NULL;
	Elf *elf = NULL;
	GElf_Shdr shdr;

	if (fd < 0)
		return -errno;
	if (elf_version(EV_CURRENT) == EV_NONE)
		goto out;
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF)
		goto out;
	ret = -ESTALE;
	if (want_build_id && elf__build_id(elf, build_id) && strcmp(build_id, want_build_id))
		goto out;
	ret = 0;
	while (!ret && (scn = elf_nextscn(elf, scn))) {
		if (gelf_getshdr(scn, &shdr) && shdr.sh_type == SHT_SYMTAB)
			ret = symtab__add_section(st, elf, scn, &shdr);
	}
	if (!ret && !st->nr)
		ret = -EINVAL;
	if (!ret)
		symtab__finish(st);
out:
	elf_end(elf);
	close(fd);
	return ret;
}
