/* SPDX-License-Identifier: GPL-2.0 */
/*
 * miss-symbols: the functions that miss right after a move, against those that miss where the task
 * stayed. Takes samples of one counter; right after a move is the first slice on another CPU than
 * the one before, the whole of it.
 */
#ifndef MIG_MISS_SYMBOLS_H
#define MIG_MISS_SYMBOLS_H

#include "dso.h"
#include "facts.h"
#include "hash.h"

struct chain_table;
struct strtab;
struct symtab;

struct miss_symbol {
	uint32_t function, object; /* strtab ids; 0 = not known */
	uint64_t samples[MIG_NR_MOVED], misses[MIG_NR_MOVED]; /* by enum mig_moved */
	uint64_t moved_by[MIG_NR_CLASS + 1]; /* misses after a move, by what moved; unknown last */
};

/* Who called a function when it missed: strtab ids of functions, the nearest first; 0 = no name. */
#define MISS_MAX_CALLERS 12

struct miss_path {
	uint32_t function, object; /* of the function that missed */
	uint32_t caller[MISS_MAX_CALLERS];
	uint8_t nr;
	uint64_t misses;
};

/* A file without symbols. */
struct miss_unknown {
	uint32_t object, why; /* strtab ids */
	uint64_t samples;
};

/* Addresses are looked up once: (file or process, address) -> symbol. */
struct miss_address {
	uint64_t where, addr;
	uint32_t symbol; /* index */
	uint32_t unknown; /* index + 1, 0 = none */
};

struct miss_symbols {
	struct strtab *names; /* borrowed, like the next two */
	const struct mmaps *mmaps;
	const struct symtab *kernel; /* NULL = none; may be set later */
	struct dsos dsos;
	struct hash hash, address_hash;
	struct miss_symbol *symbol; /* most misses after a move first, once finished */
	uint32_t nr, room;
	struct miss_address *address;
	uint32_t nr_addresses, room_addresses;
	const struct chain_table *chains; /* borrowed; of mig_sample.chain */
	struct hash path_hash;
	struct miss_path *path; /* most misses first, once finished */
	uint32_t nr_paths, room_paths;
	struct miss_unknown *unknown;
	uint32_t nr_unknown, room_unknown;
	uint64_t samples[MIG_NR_MOVED], misses[MIG_NR_MOVED];
};

void miss_symbols__exit(struct miss_symbols *m);
/* -ENOMEM */
int miss_symbols__add(struct miss_symbols *m, const struct mig_sample *f);
void miss_symbols__finish(struct miss_symbols *m);

#endif
