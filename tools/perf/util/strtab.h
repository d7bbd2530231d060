/* SPDX-License-Identifier: GPL-2.0 */
/*
 * strtab: interned names. A name is a small number everywhere in the model; 0 is "no name".
 */
#ifndef MIG_STRTAB_H
#define MIG_STRTAB_H

#include <stddef.h>
#include <stdint.h>

#include "hash.h"

struct strtab {
	struct hash hash;
	char **names; /* names[0] = "" */
	uint32_t nr, max;
};

int strtab__init(struct strtab *st); /* -ENOMEM */
void strtab__exit(struct strtab *st);
/* Id of the len bytes at s (no NUL needed). On lack of memory 0. */
uint32_t strtab__intern(struct strtab *st, const char *s, size_t len);
/* Id, or 0 when it was never interned. */
uint32_t strtab__find(const struct strtab *st, const char *s, size_t len);
/* Never NULL; "" for 0 and for unknown ids. Valid until strtab__exit(). */
const char *strtab__name(const struct strtab *st, uint32_t id);

#endif
