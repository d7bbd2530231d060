// SPDX-License-Identifier: GPL-2.0
#include "order.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "err.h"

/* A little more than what an interrupt in the middle of an event can put out of place. */
#define MAX_INSERT 64

void order__init(struct order *ord, size_t max_bytes)
{
	memset(ord, 0, sizeof(*ord));
	ord->max_bytes = max_bytes;
}

void order__exit(struct order *ord)
{
	unsigned i;

	for (i = 0; i < ord->nr_queues; i++)
		free(ord->queues[i].ev);
	free(ord->queues);
	free(ord->heap);
	memset(ord, 0, sizeof(*ord));
}

static struct mig_event *queue__at(const struct order_queue *q, uint32_t i)
{
	return &q->ev[(q->head + i) & q->mask];
}

static uint32_t queue__nr(const struct order_queue *q)
{
	return q->tail - q->head;
}

static int order__grow_queues(struct order *ord, unsigned nr)
{
	struct order_queue *q = realloc(ord->queues, nr * sizeof(*q));
	uint32_t *heap;
	unsigned i;

	if (!q)
		return -ENOMEM;
	ord->queues = q;
	heap = realloc(ord->heap, nr * sizeof(*heap));
	if (!heap)
		return -ENOMEM;
	ord->heap = heap;
	for (i = ord->nr_queues; i < nr; i++)
		q[i] = (struct order_queue){ .newest = ord->limit };
	ord->nr_queues = nr;
	ord->nr_cpus = nr - 1 < MIG_NO_CPU ? nr - 1 : MIG_NO_CPU;
	return 0;
}

static int queue__grow(struct order *ord, struct order_queue *q, struct mig_err *err)
{
	const uint32_t was = q->mask ? q->mask + 1 : 0, max = was ? was * 2 : 64;
	const size_t more = (max - was) * sizeof(*q->ev);
	struct mig_event *ev;
	uint32_t i;

	if (ord->bytes + more > ord->max_bytes)
		return mig_err__set(err, -ENOBUFS,
				    "more than %zu MB of events wait to be sorted: the recording "
				    "has no rounds (FINISHED_ROUND) to sort it by",
				    ord->max_bytes >> 20);
	ev = arena__large((size_t)max * sizeof(*ev));
	if (!ev)
		return mig_err__set(err, -ENOMEM, "out of memory");
	for (i = 0; i < queue__nr(q); i++)
		ev[i] = *queue__at(q, i);
	free(q->ev);
	q->ev = ev;
	q->head = 0;
	q->tail = i;
	q->mask = max - 1;
	ord->bytes += more;
	return 0;
}

int order__push(struct order *ord, const struct mig_event *ev, struct mig_err *err)
{
	/* queue 0 is for events without a CPU */
	unsigned idx = ev->cpu == MIG_NO_CPU ? 0 : ev->cpu + 1U;
	struct order_queue *q;
	uint32_t i;

	if (idx >= ord->nr_queues && order__grow_queues(ord, idx + 8))
		return mig_err__set(err, -ENOMEM, "out of memory");
	q = &ord->queues[idx];
	i = queue__nr(q);
	if (!q->mask || i > q->mask) {
		int ret = queue__grow(ord, q, err);

		if (ret)
			return ret;
	}
	if (ev->time < ord->limit)
		ord->late++;
	q->tail++;
	if (i && ev->time < q->newest) {
		uint32_t stop = i > MAX_INSERT ? i - MAX_INSERT : 0;

		ord->inverted++;
		while (i > stop && queue__at(q, i - 1)->time > ev->time) {
			*queue__at(q, i) = *queue__at(q, i - 1);
			i--;
		}
		if (i && i == stop && queue__at(q, i - 1)->time > ev->time)
			q->unsorted = true;
	} else if (ev->time > q->newest) {
		q->newest = ev->time;
	}
	*queue__at(q, i) = *ev;
	queue__at(q, i)->flags |= q->gap;
	q->gap = 0;
	return 0;
}

/* Stable merge sort, for the rare queue with more than an interrupt's disorder. */
static int queue__sort(struct order_queue *q)
{
	const uint32_t nr = queue__nr(q);
	struct mig_event *a, *b, *tmp;
	uint32_t width, i;

	a = malloc((size_t)nr * 2 * sizeof(*a));
	if (!a)
		return -ENOMEM;
	tmp = a;
	b = a + nr;
	for (i = 0; i < nr; i++)
		a[i] = *queue__at(q, i);
	for (width = 1; width < nr; width *= 2) {
		struct mig_event *t;

		for (i = 0; i < nr; i += 2 * width) {
			uint32_t l = i, lend = i + width < nr ? i + width : nr;
			uint32_t r = lend, rend = lend + width < nr ? lend + width : nr, k = i;

			while (l < lend || r < rend)
				b[k++] = r >= rend || (l < lend && a[l].time <= a[r].time) ? a[l++]
											   : a[r++];
		}
		t = a;
		a = b;
		b = t;
	}
	for (i = 0; i < nr; i++)
		*queue__at(q, i) = a[i];
	free(tmp);
	q->unsorted = false;
	return 0;
}

static uint64_t order__head_time(const struct order *ord, uint32_t queue)
{
	const struct order_queue *q = &ord->queues[queue];

	return queue__at(q, 0)->time;
}

static void heap__sift_down(struct order *ord, unsigned i)
{
	uint32_t *h = ord->heap;

	for (;;) {
		unsigned l = 2 * i + 1, r = l + 1, m = i;
		uint32_t t;

		if (l < ord->nr_heap && order__head_time(ord, h[l]) < order__head_time(ord, h[m]))
			m = l;
		if (r < ord->nr_heap && order__head_time(ord, h[r]) < order__head_time(ord, h[m]))
			m = r;
		if (m == i)
			return;
		t = h[i];
		h[i] = h[m];
		h[m] = t;
		i = m;
	}
}

uint64_t order__nr_queued(const struct order *ord)
{
	uint64_t nr = 0;
	unsigned i;

	for (i = 0; i < ord->nr_queues; i++)
		nr += queue__nr(&ord->queues[i]);
	return nr;
}

static int heap__build(struct order *ord)
{
	const uint64_t nr_queued = order__nr_queued(ord);
	unsigned i;

	if (nr_queued > ord->max_queued)
		ord->max_queued = nr_queued;
	ord->nr_heap = 0;
	for (i = 0; i < ord->nr_queues; i++) {
		struct order_queue *q = &ord->queues[i];

		if (!queue__nr(q))
			continue;
		if (q->unsorted && queue__sort(q))
			return -ENOMEM;
		ord->heap[ord->nr_heap++] = i;
	}
	for (i = ord->nr_heap / 2; i-- > 0;)
		heap__sift_down(ord, i);
	return 0;
}

/* How many of q's events, in one piece of its ring, are not newer than last; at least the first. */
static uint32_t queue__run(const struct order_queue *q, uint64_t last)
{
	const struct mig_event *ev = queue__at(q, 0);
	uint32_t max = q->mask + 1 - (q->head & q->mask), n = 1;

	if (max > queue__nr(q))
		max = queue__nr(q);
	while (n < max && ev[n].time <= last)
		n++;
	return n;
}

int order__advance(struct order *ord, uint64_t last, order_fn fn, void *ctx)
{
	int ret = heap__build(ord);
	unsigned i;

	while (!ret && ord->nr_heap) {
		uint32_t idx = ord->heap[0], nr;
		struct order_queue *q = &ord->queues[idx];
		uint64_t run_end = last;
		unsigned k;

		if (order__head_time(ord, idx) > last)
			break;
		/* take this CPU's whole run up to the head of the next CPU */
		for (k = 1; k <= 2 && k < ord->nr_heap; k++)
			if (order__head_time(ord, ord->heap[k]) < run_end)
				run_end = order__head_time(ord, ord->heap[k]);
		nr = queue__run(q, run_end);
		ret = fn(queue__at(q, 0), nr, ctx);
		q->head += nr;
		if (!queue__nr(q))
			ord->heap[0] = ord->heap[--ord->nr_heap];
		heap__sift_down(ord, 0);
	}
	if (last <= ord->limit)
		return ret;
	ord->limit = last;
	for (i = 0; i < ord->nr_queues; i++)
		if (ord->queues[i].newest < last)
			ord->queues[i].newest = last;
	return ret;
}

int order__round(struct order *ord, order_fn fn, void *ctx)
{
	int ret = ord->seen_round ? order__advance(ord, ord->prev_max_time, fn, ctx) : 0;
	unsigned i;

	ord->seen_round = true;
	for (i = 0; i < ord->nr_queues; i++)
		if (ord->queues[i].newest > ord->prev_max_time)
			ord->prev_max_time = ord->queues[i].newest;
	return ret;
}

int order__flush(struct order *ord, order_fn fn, void *ctx)
{
	return order__advance(ord, UINT64_MAX, fn, ctx);
}
