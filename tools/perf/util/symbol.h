/* SPDX-License-Identifier: GPL-2.0 */
/*
 * symbol: kernel address -> function name.
 *
 * The names come from a kallsyms text (plain or gzip), or from the symbol table of a vmlinux
 * (libelf). Sorted once, looked up by binary search; callers cache by address or by chain.
 */
#ifndef MIG_SYMBOL_H
#define MIG_SYMBOL_H

#include <stdbool.h>
#include <stdint.h>

struct mig_err;
struct symtab;

/* Where to look. All strings are borrowed for the call only; NULL = not given / unknown. */
struct symtab_source {
	const char *kallsyms; /* --kallsyms FILE: used alone, an error if unreadable */
	const char *symfs; /* --symfs DIR: vmlinux, boot/vmlinux-REL, .. below it */
	const char *buildid_dir; /* ~/.debug or PERF_BUILDID_DIR */
	const char *os_release; /* the recording's kernel */
	const char *build_id; /* the recording's kernel, hex */
	uint64_t kernel_text; /* start of the kernel's MMAP record, 0 = unknown */
};

/*
 * Finds and loads the symbols. Order: kallsyms; symfs (vmlinux, boot/vmlinux-REL,
 * usr/lib/debug/boot/vmlinux-REL, usr/lib/debug/lib/modules/REL/vmlinux; skipped when its build id
 * is another); the build-id cache (DIR/[kernel.kallsyms]/ID/kallsyms and .build-id/xx/..);
 * /proc/kallsyms if os_release (and build_id, when both are known) are this machine's and its
 * addresses are readable. A kallsyms may be plain or gzip; an ELF file is taken as well wherever a
 * kallsyms is expected. When kernel_text is known and the symbols put _text and _stext elsewhere,
 * all of them are shifted (KASLR of another boot) and those of modules, which move on their own,
 * are dropped. Returns 0 with *ret_st; -ENOENT when nothing was found (not fatal: err says where
 * was looked and what to do); other errno when the named kallsyms is unusable: -EACCES also when
 * all its addresses are 0 (kptr_restrict), -EINVAL when it is missing or no kallsyms.
 */
int symtab__new(const struct symtab_source *src, struct symtab **ret_st, struct mig_err *err);
void symtab__delete(struct symtab *st);

/*
 * Name of the function that holds addr, NULL if outside all symbols (user space, data, more than
 * 1 MiB behind the start of the nearest function). Borrowed, valid until delete.
 * Compiler suffixes (.isra.0, .constprop.1, .part.2, .cold, .llvm.N) are cut.
 */
const char *symtab__name(const struct symtab *st, uint64_t addr);

/* Is there a function of this name? Slow (linear); NULL has none. */
bool symtab__has(const struct symtab *st, const char *name);

/* Where the symbols came from, for the header line: "/proc/kallsyms", a path. */
const char *symtab__origin(const struct symtab *st);

#endif
