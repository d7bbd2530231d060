// SPDX-License-Identifier: GPL-2.0
#include "strtab.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int strtab__init(struct strtab *st)
{
	memset(st, 0, sizeof(*st));
	st->max = 64;
	st->names = calloc(st->max, sizeof(*st->names));
	if (!st->names)
		return -ENOMEM;
	st->nr = 1;
	return 0;
}

void strtab__exit(struct strtab *st)
{
	uint32_t i;

	for (i = 1; i < st->nr; i++)
		free(st->names[i]);
	free(st->names);
	hash__exit(&st->hash);
	memset(st, 0, sizeof(*st));
}

static uint32_t strtab__lookup(const struct strtab *st, const char *s, size_t len, uint32_t hv)
{
	uint32_t pos = hash__start(&st->hash, hv), n;

	while ((n = hash__next(&st->hash, hv, &pos)))
		if (!strncmp(st->names[n - 1], s, len) && !st->names[n - 1][len])
			return n - 1;
	return 0;
}

uint32_t strtab__find(const struct strtab *st, const char *s, size_t len)
{
	return len ? strtab__lookup(st, s, len, hash__bytes(s, (uint32_t)len)) : 0;
}

uint32_t strtab__intern(struct strtab *st, const char *s, size_t len)
{
	uint32_t hv, id;

	len = strnlen(s, len);
	if (!len)
		return 0;
	hv = hash__bytes(s, (uint32_t)len);
	id = strtab__lookup(st, s, len, hv);
	if (id)
		return id;
	if (st->nr == st->max) {
		char **p = realloc(st->names, 2ULL * st->max * sizeof(*p));

		if (!p)
			return 0;
		st->names = p;
		st->max *= 2;
	}
	st->names[st->nr] = strndup(s, len);
	if (!st->names[st->nr])
		return 0;
	if (hash__add(&st->hash, hv, st->nr)) {
		free(st->names[st->nr]);
		return 0;
	}
	return st->nr++;
}

const char *strtab__name(const struct strtab *st, uint32_t id)
{
	return id && id < st->nr ? st->names[id] : "";
}
