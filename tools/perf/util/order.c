// SPDX-License-Identifier: GPL-2.0
#include "order.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

static struct mig_event *queue__at(struct order_queue *q, uint32_t i)
{
	return &q->ev[(q->head + i) & q->mask];
}

static int order__grow_queues(struct order *ord, unsigned nr)
{
	struct order_queue *q = realloc(ord->queues, nr * sizeof(*q));
	uint32_t *heap;

	if (!q)
		return -ENOMEM;
	ord->queues = q;
	heap = realloc(ord->heap, nr * sizeof(*heap));
	if (!heap)
		return -ENOMEM;
	ord->heap = heap;
	memset(q + ord->nr_queues, 0, (nr - ord->nr_queues) * sizeof(*q));
	ord->nr_queues = nr;
	return 0;
}

static int queue__grow(struct order_queue *q)
{
	uint32_t max = q->mask ? (q->mask + 1) * 2 : 64, i;
	struct mig_event *ev = malloc((size_t)max * sizeof(*ev));

	if (!ev)
		return -ENOMEM;
	for (i = 0; i < q->nr; i++)
		ev[i] = *queue__at(q, i);
	free(q->ev);
	q->ev = ev;
	q->head = 0;
	q->mask = max - 1;
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
	if ((!q->mask || q->nr > q->mask) && queue__grow(q))
		return mig_err__set(err, -ENOMEM, "out of memory");
	if (ev->time < ord->limit)
		ord->late++;
	i = q->nr++;
	if (i && ev->time < q->last_time) {
		uint32_t stop = i > MAX_INSERT ? i - MAX_INSERT : 0;

		ord->inverted++;
		while (i > stop && queue__at(q, i - 1)->time > ev->time) {
			*queue__at(q, i) = *queue__at(q, i - 1);
			i--;
		}
		if (i && i == stop && queue__at(q, i - 1)->time > ev->time)
			q->unsorted = true;
	} else {
		q->last_time = ev->time;
	}
	*queue__at(q, i) = *ev;
	if (q->gap) {
		queue__at(q, i)->flags |= MIG_EVF_GAP;
		q->gap = false;
	}
	if (ev->time > ord->max_time)
		ord->max_time = ev->time;
	ord->nr_queued++;
	if (ord->nr_queued > ord->check_at) {
		/* order__commit() leaves the check to us until this many wait */
		ord->check_at = ord->nr_queued + ord->max_bytes / sizeof(*ev) / 256;
		if (ord->nr_queued * sizeof(*ev) > ord->max_bytes)
			return mig_err__set(err, -ENOBUFS,
					    "more than %zu MB of events wait to be sorted: the "
					    "recording "
					    "has no rounds (FINISHED_ROUND) to sort it by",
					    ord->max_bytes >> 20);
	}
	return 0;
}

/* Stable merge sort, for the rare queue with more than an interrupt's disorder. */
static int queue__sort(struct order_queue *q)
{
	struct mig_event *a, *b, *tmp;
	uint32_t width, i;

	a = malloc((size_t)q->nr * 2 * sizeof(*a));
	if (!a)
		return -ENOMEM;
	tmp = a;
	b = a + q->nr;
	for (i = 0; i < q->nr; i++)
		a[i] = *queue__at(q, i);
	for (width = 1; width < q->nr; width *= 2) {
		struct mig_event *t;

		for (i = 0; i < q->nr; i += 2 * width) {
			uint32_t l = i, lend = i + width < q->nr ? i + width : q->nr;
			uint32_t r = lend, rend = lend + width < q->nr ? lend + width : q->nr,
				 k = i;

			while (l < lend || r < rend)
				b[k++] = r >= rend || (l < lend && a[l].time <= a[r].time) ? a[l++]
											   : a[r++];
		}
		t = a;
		a = b;
		b = t;
	}
	for (i = 0; i < q->nr; i++)
		*queue__at(q, i) = a[i];
	free(tmp);
	q->unsorted = false;
	return 0;
}

static uint64_t order__head_time(const struct order *ord, uint32_t queue)
{
	const struct order_queue *q = &ord->queues[queue];

	return q->ev[q->head].time;
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

static int heap__build(struct order *ord)
{
	unsigned i;

	ord->nr_heap = 0;
	for (i = 0; i < ord->nr_queues; i++) {
		struct order_queue *q = &ord->queues[i];

		if (!q->nr)
			continue;
		if (q->unsorted && queue__sort(q))
			return -ENOMEM;
		ord->heap[ord->nr_heap++] = i;
	}
	for (i = ord->nr_heap / 2; i-- > 0;)
		heap__sift_down(ord, i);
	return 0;
}

int order__advance(struct order *ord, uint64_t last, order_fn fn, void *ctx)
{
	int ret = heap__build(ord);

	if (ord->nr_queued > ord->max_queued)
		ord->max_queued = ord->nr_queued;
	while (!ret && ord->nr_heap) {
		uint32_t idx = ord->heap[0];
		struct order_queue *q = &ord->queues[idx];
		uint64_t run_end = last;
		unsigned k;

		if (order__head_time(ord, idx) > last)
			break;
		/* take this CPU's whole run up to the head of the next CPU */
		for (k = 1; k <= 2 && k < ord->nr_heap; k++)
			if (order__head_time(ord, ord->heap[k]) < run_end)
				run_end = order__head_time(ord, ord->heap[k]);
		do {
			struct mig_event *ev = &q->ev[q->head];

			ret = fn(ev, ctx);
			q->head = (q->head + 1) & q->mask;
			q->nr--;
			ord->nr_queued--;
		} while (!ret && q->nr && q->ev[q->head].time <= run_end);
		if (!q->nr)
			ord->heap[0] = ord->heap[--ord->nr_heap];
		heap__sift_down(ord, 0);
	}
	if (last > ord->limit)
		ord->limit = last;
	return ret;
}

int order__round(struct order *ord, order_fn fn, void *ctx)
{
	int ret = ord->seen_round ? order__advance(ord, ord->prev_max_time, fn, ctx) : 0;

	ord->seen_round = true;
	ord->prev_max_time = ord->max_time;
	return ret;
}

int order__flush(struct order *ord, order_fn fn, void *ctx)
{
	return order__advance(ord, UINT64_MAX, fn, ctx);
}
