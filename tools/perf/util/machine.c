// SPDX-License-Identifier: GPL-2.0
#include "machine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void machine__exit(struct machine *m)
{
	for (size_t i = 0; i < m->nr; i++) {
		free(m->item[i].name);
		free(m->item[i].text);
	}
	free(m->item);
	*m = (struct machine){ 0 };
}

int machine__add(struct machine *m, const char *name, const char *text)
{
	struct machine_item *more = realloc(m->item, (m->nr + 1) * sizeof(*more));

	if (!more)
		return -ENOMEM;
	m->item = more;
	more[m->nr] = (struct machine_item){ strdup(name), strdup(text) };
	if (!more[m->nr].name || !more[m->nr].text) {
		free(more[m->nr].name);
		free(more[m->nr].text);
		return -ENOMEM;
	}
	m->nr++;
	return 0;
}

const char *machine__get(const struct machine *m, const char *name)
{
	for (size_t i = 0; i < m->nr; i++)
		if (!strcmp(m->item[i].name, name))
			return m->item[i].text;
	return NULL;
}

int machine__matters(const char *name)
{
	/* what differs between any two moments of one machine */
	static const char *const moment[] = { "host", "load" };

	for (size_t i = 0; i < sizeof(moment) / sizeof(moment[0]); i++)
		if (!strcmp(name, moment[i]))
			return 0;
	return 1;
}
