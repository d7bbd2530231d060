/* SPDX-License-Identifier: GPL-2.0 */
/*
 * symbol, inside: the table and its two loaders. For symbol*.c only.
 */
#ifndef MIG_SYMBOL_INT_H
#define MIG_SYMBOL_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for the longest build id, as hex with its NUL. */
#define BUILD_ID_HEX 65

struct sym {
	uint64_t addr;
	uint32_t name; /* offset in names */
	uint8_t rank; /* which of several names of one address is best: the lowest */
	bool module;
};

struct symtab {
	struct sym *syms; /* by address, one per address, after symtab__finish() */
	size_t nr, max;
	char *names; /* NUL-terminated, one after the other */
	size_t names_len, names_max;
	uint64_t shift; /* address in the recording - address here */
	uint64_t text, stext; /* of _text and _stext, 0 = not seen */
	char *origin;
};

/*
 * Adds a function; suffixes are cut, names that are no function's are skipped. type as in kallsyms:
 * 'T' global, 't' local, 'W' or 'w' weak. -ENOMEM.
 */
int symtab__add(struct symtab *st, uint64_t addr, char type, const char *name, size_t len,
		bool module);
/* Sorts, keeps the best name of each address, gives back unused memory. */
void symtab__finish(struct symtab *st);

/*
 * Loaders: 0, -ENOENT etc. of open, -EACCES when all addresses are 0, -EINVAL when there is no
 * function in it, -ENOMEM. The table may be half filled after an error.
 */
int symtab__load_kallsyms(struct symtab *st, const char *path);
/* want_build_id: hex, NULL = any. -ESTALE when the file has another one. */
int symtab__load_elf(struct symtab *st, const char *path, const char *want_build_id);

/* Does the file start like an ELF file? */
bool elf__is(const char *path);
/* The GNU build id within ELF notes (native byte order), as hex. false if there is none. */
bool notes__build_id(const void *notes, size_t size, char ret_hex[BUILD_ID_HEX]);

#endif
