// SPDX-License-Identifier: GPL-2.0
#include "wake-chain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "group.h"

void wake_chains__exit(struct wake_chains *wc)
{
	hash__exit(&wc->by_tasks);
	hash__exit(&wc->by_tid);
	free(wc->c);
	free(wc->threads);
	memset(wc, 0, sizeof(*wc));
}

/* Room for one more of size in p. */
static int grow(void *p, uint32_t nr, uint32_t *max, size_t size)
{
	uint32_t more = *max ? *max * 2 : 64;
	void **array = p, *new;

	if (nr < *max)
		return 0;
	new = realloc(*array, more * size);
	if (!new)
		return -ENOMEM;
	*array = new;
	*max = more;
	return 0;
}

static struct wake_chain_thread *find_thread(struct wake_chains *wc, int32_t tid)
{
	uint32_t hv = (uint32_t)hash__mix(0, (uint32_t)tid), pos, k;

	for (pos = hash__start(&wc->by_tid, hv); (k = hash__next(&wc->by_tid, hv, &pos));)
		if (wc->threads[k - 1].tid == tid)
			return &wc->threads[k - 1];
	return NULL;
}

static struct wake_chain_thread *get_thread(struct wake_chains *wc, int32_t tid)
{
	struct wake_chain_thread *t = find_thread(wc, tid);

	if (t)
		return t;
	if (grow(&wc->threads, wc->nr_threads, &wc->max_threads, sizeof(*t)) ||
	    hash__add(&wc->by_tid, (uint32_t)hash__mix(0, (uint32_t)tid), wc->nr_threads))
		return NULL;
	t = &wc->threads[wc->nr_threads++];
	memset(t, 0, sizeof(*t));
	t->tid = tid;
	return t;
}

/* What set the waker going: of its wakeups the last after which it ran before this waking. */
static const struct wake_chain_link *cause_of(struct wake_chains *wc, const struct mig_wakeup *f)
{
	const struct wake_chain_thread *t = find_thread(wc, f->waker_tid);
	unsigned i;

	for (i = 0; t && i < 2; i++)
		if (t->last[i].nr && t->last[i].ran_at <= f->time)
			return &t->last[i];
	return NULL;
}

/* An interrupt has no cause here; the recorder and idle are not followed. */
static uint32_t waker_of(const struct wake_chains *wc, const struct mig_wakeup *f, bool *ret_task)
{
	*ret_task = false;
	if (f->waker_is_recorder)
		return MIG_KEY_RECORDER;
	if (f->partner == MIG_PARTNER_NO && !wc->open_irq)
		return MIG_KEY_IRQ;
	*ret_task = f->waker_tid > 0 && f->partner != MIG_PARTNER_NO;
	return f->waker_comm ? f->waker_comm : MIG_KEY_NONE;
}

static void link_up(struct wake_chains *wc, const struct mig_wakeup *f,
		    struct wake_chain_link *ret_link)
{
	const struct wake_chain_link *before = NULL;
	unsigned skip, i;
	bool is_task;
	uint32_t waker = waker_of(wc, f, &is_task);

	memset(ret_link, 0, sizeof(*ret_link));
	if (is_task)
		before = cause_of(wc, f);
	skip = before && before->nr == WAKE_CHAIN_TASKS - 1;
	for (i = skip; before && i < before->nr; i++) {
		ret_link->task[i - skip] = before->task[i];
		ret_link->time[i - skip] = before->time[i];
	}
	ret_link->nr = i - skip;
	ret_link->task[ret_link->nr] = waker;
	ret_link->time[ret_link->nr++] = f->time;
	ret_link->ran_at = f->time + f->delay_ns;
}

static int count(struct wake_chains *wc, const struct mig_wakeup *f,
		 const struct wake_chain_link *link)
{
	struct wake_chain one = { .nr = link->nr + 1 }, *c = NULL;
	uint32_t hv, pos, k;

	memcpy(one.task, link->task, link->nr * sizeof(one.task[0]));
	one.task[link->nr] = f->wakee_is_recorder ? MIG_KEY_RECORDER
			     : f->wakee_comm      ? f->wakee_comm
						  : MIG_KEY_NONE;
	hv = hash__bytes(one.task, sizeof(one.task));
	for (pos = hash__start(&wc->by_tasks, hv); !c && (k = hash__next(&wc->by_tasks, hv, &pos));)
		if (!memcmp(wc->c[k - 1].task, one.task, sizeof(one.task)))
			c = &wc->c[k - 1];
	if (!c && wc->nr == WAKE_CHAINS_MAX) {
		wc->more++;
		return 0;
	}
	if (!c) {
		if (grow(&wc->c, wc->nr, &wc->max, sizeof(*c)) ||
		    hash__add(&wc->by_tasks, hv, wc->nr))
			return -ENOMEM;
		c = &wc->c[wc->nr++];
		*c = one;
	}
	c->n++;
	if (f->delay_ns != MIG_NULL) {
		c->took_n++;
		c->took_ns += link->ran_at - link->time[0];
	}
	return 0;
}

int wake_chains__add(struct wake_chains *wc, const struct mig_wakeup *f)
{
	struct wake_chain_thread *t;
	struct wake_chain_link link;
	int ret;

	link_up(wc, f, &link);
	ret = count(wc, f, &link);
	/* when it was not seen to run, or ran already, this is not what set it going */
	if (ret || f->delay_ns == MIG_NULL)
		return ret;
	t = get_thread(wc, f->wakee_tid);
	if (!t)
		return -ENOMEM;
	t->last[1] = t->last[0];
	t->last[0] = link;
	return 0;
}

static int cmp_n(const void *pa, const void *pb)
{
	const struct wake_chain *a = pa, *b = pb;

	if (a->n != b->n)
		return a->n < b->n ? 1 : -1;
	return memcmp(a->task, b->task, sizeof(a->task));
}

void wake_chains__sort(struct wake_chains *wc)
{
	hash__exit(&wc->by_tasks);
	if (wc->nr)
		qsort(wc->c, wc->nr, sizeof(*wc->c), cmp_n);
}
