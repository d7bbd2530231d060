// SPDX-License-Identifier: GPL-2.0
/* Pieces of many sizes: zeroed, aligned, and none of them lies in another. */
#include "arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests.h"

#define NR 20000

static bool all(const uint8_t *p, size_t n, uint8_t value)
{
	while (n && *p == value) {
		p++;
		n--;
	}
	return !n;
}

static void pieces(struct arena *a)
{
	static uint8_t *p[NR];
	static size_t size[NR];
	unsigned i, misplaced = 0, dirty = 0, overlaps = 0;

	for (i = 0; i < NR; i++) {
		size[i] = i % 997 == 0 ? 3UL << 20 : (i * 37U) % 700 + 1; /* some beyond a chunk */
		p[i] = arena__alloc(a, size[i]);
		if (!p[i]) {
			ok(false, "memory for piece %u", i);
			return;
		}
		misplaced += (uintptr_t)p[i] % 8 != 0;
		dirty += !all(p[i], size[i], 0);
		memset(p[i], (int)(i % 255 + 1), size[i]);
	}
	for (i = 0; i < NR; i++)
		overlaps += !all(p[i], size[i], (uint8_t)(i % 255 + 1));
	is_int(misplaced, 0, "all are aligned to 8 bytes");
	is_int(dirty, 0, "all come zeroed");
	is_int(overlaps, 0, "none was written by another one");
}

int main(void)
{
	struct arena a = { 0 };
	void *large;

	arena__exit(&a);
	pieces(&a);
	arena__exit(&a);
	ok(!a.chunks && !a.left, "given back, it is an empty one");
	pieces(&a);
	arena__exit(&a);

	large = arena__large(100);
	is_int((int64_t)((uintptr_t)large % 64), 0, "small ones stand on a cache line");
	free(large);
	large = arena__large((5UL << 20) + 1);
	is_int((int64_t)((uintptr_t)large % (2UL << 20)), 0, "large ones on a large page");
	memset(large, 1, (5UL << 20) + 1);
	free(large);
	return done_testing();
}
