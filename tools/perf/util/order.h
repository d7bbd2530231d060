/* SPDX-License-Identifier: GPL-2.0 */
/*
 * order: time order over CPUs.
 *
 * A recording is sorted per CPU, not across them. Events wait in one queue per CPU and are merged
 * k-way; what may leave is bounded by the recorder's rounds: at FINISHED_ROUND k everything up to
 * the newest time seen at round k-1 is complete (tools/perf/util/ordered-events.c). A small
 * inversion inside a CPU (an interrupt's event written first: the time is taken before the ring is
 * reserved) is sorted in. Events of one CPU with one time keep their order.
 */
#ifndef MIG_ORDER_H
#define MIG_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "decode.h"

struct mig_err;
/* A ring of events of one CPU. */
struct order_queue {
	struct mig_event *ev;
	uint32_t head, nr, mask; /* mask 0 = nothing allocated */
	uint64_t last_time;
	bool unsorted;
	bool gap; /* an event was left out: the next one is marked (MIG_EVF_GAP) */
};

struct order {
	struct order_queue *queues; /* by CPU; the last one is for events without a CPU */
	unsigned nr_queues;
	uint32_t *heap; /* queue indexes, by time of their head */
	unsigned nr_heap;
	uint64_t max_time, prev_max_time; /* newest pushed; the same at the last round */
	uint64_t limit; /* what is older has left */
	uint64_t nr_queued, max_queued; /* max_queued: the most that waited for a round */
	uint64_t check_at; /* when this many wait, order__push() checks max_bytes again */
	size_t max_bytes; /* refuse to hold more than this */
	bool seen_round;
	uint64_t late; /* came after newer ones had left: handed on, out of order */
	uint64_t inverted; /* sorted in within their CPU */
};

/* Called for every event in time order. A negative errno stops the drain. */
typedef int (*order_fn)(const struct mig_event *ev, void *ctx);

void order__init(struct order *ord, size_t max_bytes);
void order__exit(struct order *ord);

/*
 * Takes the event in. -ENOMEM; -ENOBUFS when more than max_bytes would wait: a recording without
 * rounds, too long to be sorted in memory (err says so).
 */
int order__push(struct order *ord, const struct mig_event *ev, struct mig_err *err);
/*
 * The hot path of order__push(): the queue of this CPU if it has room for one event, to be decoded
 * into ev[(head + nr) & mask]; NULL: use order__push. Nothing is queued until order__commit().
 */
static inline struct order_queue *order__room(const struct order *ord, unsigned cpu)
{
	struct order_queue *q;

	if (cpu >= MIG_NO_CPU || cpu + 1U >= ord->nr_queues)
		return NULL;
	q = &ord->queues[cpu + 1U];
	return q->nr < q->mask ? q : NULL;
}

/* An event of this CPU is left out. false: there is no queue yet, use order__push. */
static inline bool order__gap(struct order *ord, unsigned cpu)
{
	if (cpu >= MIG_NO_CPU || cpu + 1U >= ord->nr_queues)
		return false;
	ord->queues[cpu + 1U].gap = true;
	return true;
}

/* Queues ev, decoded into the queue's room; false: it is out of order, use order__push. */
static inline bool order__commit(struct order *ord, struct order_queue *q, struct mig_event *ev)
{
	const uint64_t time = ev->time;

	if ((q->nr && time < q->last_time) || time < ord->limit || ord->nr_queued >= ord->check_at)
		return false;
	if (q->gap) {
		ev->flags |= MIG_EVF_GAP;
		q->gap = false;
	}
	q->nr++;
	q->last_time = time;
	if (time > ord->max_time)
		ord->max_time = time;
	ord->nr_queued++;
	return true;
}

/* A FINISHED_ROUND was read: hands out what is complete. */
int order__round(struct order *ord, order_fn fn, void *ctx);
/* Hands out everything up to and including time last. */
int order__advance(struct order *ord, uint64_t last, order_fn fn, void *ctx);
/* End of the recording: hands out the rest. */
int order__flush(struct order *ord, order_fn fn, void *ctx);

#endif
