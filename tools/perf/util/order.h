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
struct order_queue { /* 64 bytes, so that it is found by a shift */
	struct mig_event *ev; /* on cache lines */
	uint32_t head, tail; /* run on past the ring's end: event i is at ev[i & mask] */
	uint32_t mask; /* 0 = nothing allocated */
	uint8_t gap; /* MIG_EVF_GAP: an event was left out, the next one is marked; or 0 */
	bool unsorted;
	uint64_t newest; /* time of the newest queued, or what has left, if that is newer */
	uint64_t left_out; /* time of the newest event left out by order__gap() */
	uint64_t pad[3];
};

struct order {
	struct order_queue *queues; /* by CPU + 1; the first one is for events without a CPU */
	unsigned nr_queues;
	uint32_t nr_cpus; /* nr_queues - 1: those of CPUs; 0 = none yet */
	uint32_t *heap; /* queue indexes, by time of their head */
	unsigned nr_heap;
	uint64_t prev_max_time; /* newest queued at the last round */
	uint64_t limit; /* what is older has left */
	uint64_t max_queued; /* the most that waited for a round */
	size_t bytes, max_bytes; /* of all rings; refuse to let them hold more than max_bytes */
	bool seen_round;
	uint64_t late; /* came after newer ones had left: handed on, out of order */
	uint64_t inverted; /* sorted in within their CPU */
};

/*
 * Called with all events in time order, in runs: nr > 0 events of one CPU, none of another CPU
 * between them. A negative errno stops the drain.
 */
typedef int (*order_fn)(const struct mig_event *ev, uint32_t nr, void *ctx);

void order__init(struct order *ord, size_t max_bytes);
void order__exit(struct order *ord);

/*
 * Takes the event in. -ENOMEM; -ENOBUFS when more than max_bytes would wait: a recording without
 * rounds, too long to be sorted in memory (err says so).
 */
int order__push(struct order *ord, const struct mig_event *ev, struct mig_err *err);
/* The hot path of order__push(), in three steps. NULL: there is no queue of this CPU yet. */
static inline struct order_queue *order__queue(const struct order *ord, uint32_t cpu)
{
	return cpu < ord->nr_cpus ? &ord->queues[cpu + 1] : NULL;
}

/* Where the queue's next event is to be put; NULL: it is full. Queued by order__commit() only. */
static inline struct mig_event *order__room(const struct order_queue *q)
{
	return q->tail - q->head < q->mask ? &q->ev[q->tail & q->mask] : NULL;
}

/* Queues ev, which order__room() gave; false: it is out of order, use order__push. */
static inline bool order__commit(struct order_queue *q, struct mig_event *ev)
{
	if (__builtin_expect(ev->time < q->newest, 0))
		return false;
	ev->flags |= q->gap;
	q->gap = 0;
	q->newest = ev->time;
	q->tail++;
	return true;
}

/* An event of this CPU and time is left out. */
static inline void order__gap(struct order_queue *q, uint64_t time)
{
	q->gap = MIG_EVF_GAP;
	q->left_out = time;
}

/* Events that wait. */
uint64_t order__nr_queued(const struct order *ord);

/* A FINISHED_ROUND was read: hands out what is complete. */
int order__round(struct order *ord, order_fn fn, void *ctx);
/* Hands out everything up to and including time last. */
int order__advance(struct order *ord, uint64_t last, order_fn fn, void *ctx);
/* End of the recording: hands out the rest. */
int order__flush(struct order *ord, order_fn fn, void *ctx);

#endif
