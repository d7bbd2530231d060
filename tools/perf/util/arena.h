/* SPDX-License-Identifier: GPL-2.0 */
/*
 * arena: much memory that is given back in one piece. Page faults and TLB misses cost more than
 * what is done with the memory (a guest pays for them twice): from 2 MiB on it asks for large
 * pages.
 */
#ifndef MIG_ARENA_H
#define MIG_ARENA_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct arena {
	struct arena_chunk *chunks; /* newest first */
	size_t left; /* bytes of it that are free */
	size_t next; /* size of the next chunk */
};

/* A zeroed struct arena is empty. */
void arena__exit(struct arena *a);
/* size zeroed bytes, aligned to 8; NULL: no memory. They stay until arena__exit(). */
void *arena__alloc(struct arena *a, size_t size);

/* size bytes, on a cache line, in large pages if there are enough of them; free() them. NULL. */
void *arena__large(size_t size);

/*
 * An array that doubles, with room for one more than nr: the array or where it lies now. NULL: no
 * memory, and the old one stays.
 */
static inline void *array__room(void *array, uint32_t nr, uint32_t *room, size_t size)
{
	uint32_t n = *room ? *room * 2 : 32;
	void *p = nr < *room ? array : reallocarray(array, n, size);

	if (p && nr >= *room)
		*room = n;
	return p;
}

#endif
