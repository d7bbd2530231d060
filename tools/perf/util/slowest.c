// SPDX-License-Identifier: GPL-2.0
#include "slowest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int slowest__init(struct slowest *s, unsigned max)
{
	memset(s, 0, sizeof(*s));
	if (!max)
		return 0;
	s->w = calloc(max, sizeof(*s->w));
	if (!s->w)
		return -ENOMEM;
	s->max = max;
	return 0;
}

void slowest__exit(struct slowest *s)
{
	free(s->w);
	memset(s, 0, sizeof(*s));
}

void slowest__add(struct slowest *s, const struct mig_wakeup *f)
{
	unsigned i;

	if (!s->max || f->delay_ns == MIG_NULL)
		return;
	if (s->nr == s->max && s->w[s->max - 1].delay_ns >= f->delay_ns)
		return;
	i = s->nr < s->max ? s->nr++ : s->max - 1;
	for (; i && s->w[i - 1].delay_ns < f->delay_ns; i--)
		s->w[i] = s->w[i - 1];
	s->w[i] = *f;
}
