// SPDX-License-Identifier: GPL-2.0
#include "arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LARGE_PAGE (2UL << 20)
#define CHUNK_MIN  (16UL << 10)
#define CHUNK_MAX  LARGE_PAGE

struct arena_chunk {
	struct arena_chunk *older;
	uint8_t *free; /* the first free byte */
};

void *arena__large(size_t size)
{
	void *p;

	if (size < LARGE_PAGE)
		return aligned_alloc(64, (size + 63) & ~63UL);
	p = aligned_alloc(LARGE_PAGE, (size + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1));
	if (p)
		madvise(p, size, MADV_HUGEPAGE); /* only a wish */
	return p;
}

void arena__exit(struct arena *a)
{
	struct arena_chunk *c, *older;

	for (c = a->chunks; c; c = older) {
		older = c->older;
		free(c);
	}
	memset(a, 0, sizeof(*a));
}

static int arena__grow(struct arena *a, size_t size)
{
	size_t max = a->next ? a->next : CHUNK_MIN;
	struct arena_chunk *c;

	if (max < size + sizeof(*c))
		max = size + sizeof(*c);
	c = arena__large(max);
	if (!c)
		return -1;
	c->older = a->chunks;
	c->free = (uint8_t *)(c + 1);
	a->chunks = c;
	a->left = max - sizeof(*c);
	a->next = max * 2 < CHUNK_MAX ? max * 2 : CHUNK_MAX;
	return 0;
}

void *arena__alloc(struct arena *a, size_t size)
{
	void *p;

	size = (size + 7) & ~7UL;
	if (size > a->left && arena__grow(a, size))
		return NULL;
	p = a->chunks->free;
	a->chunks->free += size;
	a->left -= size;
	return memset(p, 0, size);
}
