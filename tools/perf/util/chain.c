// SPDX-License-Identifier: GPL-2.0
#include "chain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perfdata.h"
#include "symbol.h"

/* include/uapi/linux/perf_event.h: PERF_CONTEXT_KERNEL, _USER, _MAX */
#define CONTEXT_KERNEL ((uint64_t)-128)
#define CONTEXT_MAX    ((uint64_t)-4095)

int chain_table__init(struct chain_table *ct)
{
	memset(ct, 0, sizeof(*ct));
	ct->max = 64;
	ct->chains = calloc(ct->max, sizeof(*ct->chains));
	if (!ct->chains)
		return -ENOMEM;
	ct->chains[0].classified = true;
	ct->nr = 1;
	return 0;
}

void chain_table__exit(struct chain_table *ct)
{
	uint32_t i;

	for (i = 1; i < ct->nr; i++)
		free(ct->chains[i].ips);
	free(ct->chains);
	hash__exit(&ct->hash);
	memset(ct, 0, sizeof(*ct));
}

static uint32_t chain_table__add(struct chain_table *ct, uint32_t hv, const uint64_t *ips,
				 size_t nr)
{
	struct chain *c;

	if (ct->nr == ct->max) {
		struct chain *p = realloc(ct->chains, 2ULL * ct->max * sizeof(*p));

		if (!p)
			return 0;
		ct->chains = p;
		ct->max *= 2;
	}
	c = &ct->chains[ct->nr];
	memset(c, 0, sizeof(*c));
	c->ips = malloc(nr * sizeof(*ips));
	if (!c->ips)
		return 0;
	memcpy(c->ips, ips, nr * sizeof(*ips));
	c->nr = (uint16_t)nr;
	if (hash__add(&ct->hash, hv, ct->nr)) {
		free(c->ips);
		return 0;
	}
	return ct->nr++;
}

uint32_t chain_table__intern(struct chain_table *ct, const uint8_t *ips, size_t nr, bool swap)
{
	uint64_t frames[CHAIN_MAX_DEPTH], h = 0;
	bool kernel = true;
	size_t i, n = 0;
	uint32_t hv, pos, k;

	for (i = 0; i < nr && n < CHAIN_MAX_DEPTH; i++) {
		uint64_t ip = perf_get64(ips + i * 8, swap);

		if (ip >= CONTEXT_MAX) {
			kernel = ip == CONTEXT_KERNEL;
			continue;
		}
		if (!kernel && !ct->all)
			continue;
		frames[n++] = ip;
		h = hash__mix(h, ip);
	}
	if (!n)
		return 0;
	hv = (uint32_t)h;
	for (pos = hash__start(&ct->hash, hv); (k = hash__next(&ct->hash, hv, &pos));) {
		const struct chain *c = &ct->chains[k - 1];

		if (c->nr == n && !memcmp(c->ips, frames, n * sizeof(*frames)))
			return k - 1;
	}
	return chain_table__add(ct, hv, frames, n);
}

void chain_table__set_symtab(struct chain_table *ct, const struct symtab *st, bool inlined_sync)
{
	uint32_t i;

	ct->symtab = st;
	ct->inlined_sync = inlined_sync;
	for (i = 1; i < ct->nr; i++)
		ct->chains[i].classified = false;
}

size_t chain_table__names(const struct chain_table *ct, uint32_t id, const char **names, size_t max)
{
	const struct chain *c;
	size_t i;

	if (!id || id >= ct->nr || !ct->symtab)
		return 0;
	c = &ct->chains[id];
	for (i = 0; i < c->nr && i < max; i++)
		names[i] = symtab__name(ct->symtab, c->ips[i]);
	return i;
}

const struct mig_chain_facts *chain_table__classify(struct chain_table *ct, uint32_t id)
{
	const char *names[CHAIN_MAX_DEPTH];
	struct chain *c = &ct->chains[id];
	size_t nr = chain_table__names(ct, id, names, CHAIN_MAX_DEPTH);

	if (nr)
		mig_chain__classify(names, nr, ct->inlined_sync, &c->facts);
	c->classified = true;
	return &c->facts;
}
