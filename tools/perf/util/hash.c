// SPDX-License-Identifier: GPL-2.0
#include "hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void hash__exit(struct hash *h)
{
	free(h->slots);
	memset(h, 0, sizeof(*h));
}

static void hash__put(struct hash *h, uint32_t hv, uint32_t idx1)
{
	uint32_t pos = hv & h->mask;

	while (h->slots[pos].idx1)
		pos = (pos + 1) & h->mask;
	h->slots[pos].hash = hv;
	h->slots[pos].idx1 = idx1;
}

static int hash__grow(struct hash *h)
{
	struct hash bigger = { .mask = h->slots ? h->mask * 2 + 1 : 63, .nr = h->nr };
	uint32_t i;

	bigger.slots = calloc((size_t)bigger.mask + 1, sizeof(*bigger.slots));
	if (!bigger.slots)
		return -ENOMEM;
	for (i = 0; h->slots && i <= h->mask; i++)
		if (h->slots[i].idx1)
			hash__put(&bigger, h->slots[i].hash, h->slots[i].idx1);
	free(h->slots);
	*h = bigger;
	return 0;
}

int hash__add(struct hash *h, uint32_t hv, uint32_t idx)
{
	/* at most 5/8 full: linear probing stays short */
	if (!h->slots || h->nr >= (h->mask >> 3) * 5) {
		int ret = hash__grow(h);

		if (ret)
			return ret;
	}
	hash__put(h, hv, idx + 1);
	h->nr++;
	return 0;
}

uint32_t hash__bytes(const void *p, uint32_t len)
{
	const unsigned char *s = p;
	uint64_t h = len, v;

	for (; len >= 8; len -= 8, s += 8) {
		memcpy(&v, s, 8);
		h = hash__mix(h, v);
	}
	v = 0;
	memcpy(&v, s, len);
	return (uint32_t)hash__mix(h, v);
}
