// SPDX-License-Identifier: GPL-2.0
/* Windows of losses, by hand: which of them are one span. */
#include "loss.h"

#include <stdlib.h>

#include "tests.h"

static void add(struct loss_list *l, unsigned cpu, uint64_t from, uint64_t to, uint64_t records)
{
	struct loss_window w = { .from = from, .to = to, .records = records, .cpu = cpu };

	if (loss__add(l, &w))
		ok(false, "memory for a window");
}

static void is_span(const struct loss_span *s, uint64_t from, uint64_t to, uint64_t records,
		    unsigned cpus, const char *what)
{
	ok(s->from == from && s->to == to && s->records == records && s->cpus == cpus,
	   "%s: %" PRIu64 "..%" PRIu64 ", %" PRIu64 " of %u CPUs", what, s->from, s->to, s->records,
	   s->cpus);
}

static void spans(void)
{
	struct loss_list l = { 0 };
	struct loss_span *s;
	uint32_t nr;

	is_int(loss__spans(&l, 100, &s, &nr), 0, "none");
	is_int(nr, 0, "is no span");
	free(s);
	add(&l, 3, 500, 600, 7);
	add(&l, 0, 150, 200, 1);
	add(&l, 1, 190, 300, 2); /* from before the end of CPU 0's */
	add(&l, 0, 300, 310, 4); /* from the very end */
	add(&l, 2, 0, 120, 8); /* its first record */
	add(&l, 3, 610, 620, 16);
	is_int(loss__spans(&l, 100, &s, &nr), 0, "six windows");
	is_int(nr, 4, "are four spans");
	is_span(&s[0], 100, 120, 8, 1, "from the beginning");
	is_span(&s[1], 150, 310, 7, 2, "three that touch, two of one CPU");
	is_span(&s[2], 500, 600, 7, 1, "one alone");
	is_span(&s[3], 610, 620, 16, 1, "and another of this CPU");
	free(s);
	loss__exit(&l);
	is_int(l.nr, 0, "empty again");
}

static void bound(void)
{
	struct loss_list l = { 0 };
	struct loss_span *s;
	uint64_t records = 0;
	uint32_t i, nr;

	for (i = 0; i < LOSS_MAX_WINDOWS + 1000; i++)
		add(&l, i % 4, 1000 + i * 10, 1005 + i * 10, 1);
	is_int(l.nr, LOSS_MAX_WINDOWS, "no more windows than the bound");
	is_int(loss__spans(&l, 0, &s, &nr), 0, "spans of them");
	for (i = 0; i < nr; i++)
		records += s[i].records;
	is_int((int64_t)records, LOSS_MAX_WINDOWS + 1000, "no lost event is forgotten");
	is_int((int64_t)s[nr - 1].to, 1005 + (LOSS_MAX_WINDOWS + 999) * 10, "up to the last one");
	free(s);
	loss__exit(&l);
}

int main(void)
{
	spans();
	bound();
	return done_testing();
}
