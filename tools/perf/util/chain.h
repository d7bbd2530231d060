/* SPDX-License-Identifier: GPL-2.0 */
/*
 * chain: interned kernel callchains. A recording holds few distinct chains (some thousands), so an
 * event carries a number, and symbols are looked up once per chain.
 */
#ifndef MIG_CHAIN_H
#define MIG_CHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hash.h"
#include "mechanism.h"

struct symtab;

#define CHAIN_MAX_DEPTH 127 /* kernel.perf_event_max_stack's default */

struct chain {
	uint64_t *ips; /* kernel part, leaf first, without context markers */
	uint16_t nr;
	bool classified;
	struct mig_chain_facts facts;
};

struct chain_table {
	struct hash hash;
	struct chain *chains; /* chains[0] = no chain */
	uint32_t nr, max;
	const struct symtab *symtab; /* borrowed; NULL = addresses stay unnamed */
	bool inlined_sync;
	bool all; /* keep the frames of user space, too; set before the first one */
};

int chain_table__init(struct chain_table *ct); /* -ENOMEM */
void chain_table__exit(struct chain_table *ct);

/*
 * Interns the kernel part (all of it, where `all` is set) of a sample's callchain: nr words at ips
 * in file order (swap = foreign byte order), with PERF_CONTEXT_* markers. Returns its number; 0 if
 * it has no kernel frame.
 */
uint32_t chain_table__intern(struct chain_table *ct, const uint8_t *ips, size_t nr, bool swap);

/* Names come from here from now on (borrowed, must outlive the table). */
void chain_table__set_symtab(struct chain_table *ct, const struct symtab *st, bool inlined_sync);

/* Names the frames of chain id and classifies it. */
const struct mig_chain_facts *chain_table__classify(struct chain_table *ct, uint32_t id);

/* What the chain says about a waking; for 0 or without symbols: unknown, resolved = false. */
static inline const struct mig_chain_facts *chain_table__facts(struct chain_table *ct, uint32_t id)
{
	if (id >= ct->nr || ct->chains[id].classified)
		return &ct->chains[id < ct->nr ? id : 0].facts;
	return chain_table__classify(ct, id);
}

/* Names of the frames, leaf first; unnamed ones are NULL. Returns how many were stored. */
size_t chain_table__names(const struct chain_table *ct, uint32_t id, const char **names,
			  size_t max);

#endif
