// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "err.h"

void compare_table__exit(struct compare_table *t)
{
	for (size_t i = 0; i < t->nr; i++) {
		for (size_t k = 0; k < t->block[i].nr; k++)
			compare__exit(&t->block[i].c[k]);
		free(t->block[i].c);
	}
	free(t->block);
	*t = (struct compare_table){ 0 };
}

static bool same_group(const struct run_arm *a, const struct run_arm *b)
{
	return !strcmp(a->group ? a->group : "", b->group ? b->group : "");
}

static int add_block(struct compare_table *t, const struct runset *set, size_t first,
		     const struct compare_options *opts, struct mig_err *err)
{
	struct compare_block *b = &t->block[t->nr];
	int rc;

	*b = (struct compare_block){ .group = set->arm[first].group, .base = &set->arm[first] };
	b->c = calloc(set->nr, sizeof(*b->c));
	if (!b->c)
		return mig_err__set(err, -ENOMEM, "out of memory");
	t->nr++;
	for (size_t i = first + 1; i < set->nr; i++) {
		if (!same_group(&set->arm[i], b->base))
			continue;
		rc = compare__build(&b->c[b->nr], b->base, &set->arm[i], opts, err);
		if (rc)
			return rc;
		b->nr++;
	}
	return 0;
}

int compare_table__build(struct compare_table *t, const struct runset *set,
			 const struct compare_options *opts, struct mig_err *err)
{
	int rc = 0;

	*t = (struct compare_table){ .block = calloc(set->nr + 1, sizeof(*t->block)) };
	if (!t->block)
		return mig_err__set(err, -ENOMEM, "out of memory");
	for (size_t i = 0; !rc && i < set->nr; i++) {
		bool known = false;

		for (size_t k = 0; k < t->nr; k++)
			known |= same_group(t->block[k].base, &set->arm[i]);
		if (!known)
			rc = add_block(t, set, i, opts, err);
	}
	if (rc)
		compare_table__exit(t);
	return rc;
}

const struct compare_row *compare__find(const struct compare *c, const char *name)
{
	for (size_t i = 0; i < c->nr; i++)
		if (!strcmp(c->row[i].name, name))
			return &c->row[i];
	return NULL;
}
