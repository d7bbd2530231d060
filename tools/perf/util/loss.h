/* SPDX-License-Identifier: GPL-2.0 */
/*
 * loss: where in time events were lost. LOST records in, windows out: (that CPU's record before the
 * loss, the LOST record's own time); and spans, in which windows of all CPUs that touch are one.
 */
#ifndef MIG_LOSS_H
#define MIG_LOSS_H

#include <stdint.h>

struct loss_window {
	uint64_t from, to; /* ns of the recording's clock; from 0 = the CPU's first record is LOST
			    */
	uint64_t records; /* lost events */
	unsigned cpu;
};

#define LOSS_MAX_WINDOWS 65536 /* what comes later extends the last one of all CPUs */

struct loss_list {
	struct loss_window *w; /* in the order of their ends */
	uint32_t nr, max;
};

struct loss_span {
	uint64_t from, to, records;
	unsigned cpus; /* how many CPUs lost something in it */
};

/* A zeroed struct loss_list is empty. */
void loss__exit(struct loss_list *l);
int loss__add(struct loss_list *l, const struct loss_window *w); /* -ENOMEM */
/*
 * Spans in time order; the caller frees *ret_spans. begin stands for a `from` of 0. -ENOMEM.
 */
int loss__spans(const struct loss_list *l, uint64_t begin, struct loss_span **ret_spans,
		uint32_t *ret_nr);

#endif
