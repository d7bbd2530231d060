// SPDX-License-Identifier: GPL-2.0
#include "sched-overlap.h"

#include <errno.h>
#include <stdlib.h>

#include "sched-model-int.h"

/* One wakeup of which the waker's sleep or the end of the wakeup is still to come. */
struct overlap_entry {
	struct mig_wakeup w; /* final once `emitted` */
	uint64_t run0; /* run time of the waker at the waking */
	uint64_t ns; /* MIG_NULL = the waker has not slept yet */
	bool emitted;
	struct overlap_entry *next; /* of the waker's, or of the free ones */
};

/* What a task has of it (struct task.overlap). */
struct overlap_note {
	uint64_t run_ns, since; /* run time before its current slice; since: 0 = does not run */
	struct overlap_entry *made; /* wakeups it made since it last slept */
	struct overlap_entry *own; /* its open wakeup's */
};

struct sched_overlap {
	struct overlap_block *blocks;
	struct overlap_entry *free;
};

enum { BLOCK = 256 };

struct overlap_block {
	struct overlap_block *next;
	struct overlap_entry e[BLOCK];
};

struct sched_overlap *sched_overlap__new(void)
{
	return calloc(1, sizeof(struct sched_overlap));
}

void sched_overlap__delete(struct sched_overlap *o)
{
	while (o && o->blocks) {
		struct overlap_block *b = o->blocks;

		o->blocks = b->next;
		free(b);
	}
	free(o);
}

static struct overlap_entry *entry__new(struct sched_overlap *o)
{
	struct overlap_entry *e = o->free;

	if (!e) {
		struct overlap_block *b = malloc(sizeof(*b));

		if (!b)
			return NULL;
		b->next = o->blocks;
		o->blocks = b;
		for (int i = 0; i < BLOCK; i++) {
			b->e[i].next = o->free;
			o->free = &b->e[i];
		}
		e = o->free;
	}
	o->free = e->next;
	return e;
}

static void entry__put(struct sched_overlap *o, struct overlap_entry *e)
{
	e->next = o->free;
	o->free = e;
}

static struct overlap_note *note_of(struct task *t)
{
	if (!t->overlap)
		t->overlap = calloc(1, sizeof(*t->overlap));
	return t->overlap;
}

static int hand_out(struct sched_model *m, const struct overlap_entry *e)
{
	/* it found its task awake: no wakeup after all */
	if (e->w.path == MIG_PATH_RUNNING)
		return 0;
	return m->ops->overlap ? m->ops->overlap(&e->w, e->ns, m->ctx) : 0;
}

/* The waker slept; run: its run time until then, MIG_NULL = that is not known. */
static int settle(struct sched_model *m, struct overlap_note *n, uint64_t run)
{
	struct overlap_entry *e, *next;
	int ret = 0;

	for (e = n->made; e; e = next) {
		next = e->next;
		e->ns = run == MIG_NULL ? MIG_NULL : run - e->run0;
		e->next = NULL;
		if (!e->emitted && run == MIG_NULL) { /* dropped by whom it is of */
			e->emitted = true;
			continue;
		}
		if (!e->emitted)
			continue;
		if (run != MIG_NULL && !ret)
			ret = hand_out(m, e);
		entry__put(m->overlap, e);
	}
	n->made = NULL;
	return ret;
}

/* A wakeup was taken up: by a task that runs since a time that is known. */
static int took_up(struct sched_model *m, const struct mig_event *ev)
{
	struct task *t = task_table__find(&m->tasks, ev->wake.tid);
	struct overlap_note *n, *own;
	struct overlap_entry *e;
	struct task *k;

	if (!t || !(t->waking_open || t->waking_maybe) || t->waking.time != ev->time ||
	    t->waking.partner != MIG_PARTNER_YES || t->waking.waker_tid <= 0)
		return 0;
	k = task_table__find(&m->tasks, t->waking.waker_tid);
	if (!k || !k->overlap || !k->overlap->since || k->overlap->since > ev->time)
		return 0;
	n = k->overlap;
	own = note_of(t);
	e = own ? entry__new(m->overlap) : NULL;
	if (!e)
		return -ENOMEM;
	e->run0 = n->run_ns + (ev->time - n->since);
	e->ns = MIG_NULL;
	e->emitted = false;
	e->next = n->made;
	n->made = e;
	own->own = e;
	return 0;
}

static int switched(struct sched_model *m, const struct mig_event *ev)
{
	struct task *p = task_table__find(&m->tasks, ev->sw.prev_tid);
	struct task *n = task_table__find(&m->tasks, ev->sw.next_tid);
	struct overlap_note *note = p && p->tid ? p->overlap : NULL;
	bool sleeps = ev->sw.prev_state == MIG_STATE_SLEEP || ev->sw.prev_state == MIG_STATE_DISK;
	int ret = 0;

	if (note) {
		bool known = note->since && note->since <= ev->time;

		if (known)
			note->run_ns += ev->time - note->since;
		note->since = 0;
		if (!known || p->state == TASK_DEAD)
			ret = settle(m, note, MIG_NULL);
		else if (sleeps)
			ret = settle(m, note, note->run_ns);
	}
	if (ret || !n || !n->tid)
		return ret;
	note = note_of(n);
	if (!note)
		return -ENOMEM;
	if (note->since) /* it left another CPU unseen */
		ret = settle(m, note, MIG_NULL);
	note->since = ev->time;
	return ret;
}

/* What ran on a CPU that lost events may have slept since. */
static int lost(struct sched_model *m)
{
	int ret = 0;

	for (uint32_t i = 0; i < m->tasks.nr && !ret; i++) {
		struct overlap_note *n = m->tasks.all[i]->overlap;

		if (!n || !n->since)
			continue;
		n->since = 0;
		ret = settle(m, n, MIG_NULL);
	}
	return ret;
}

int sched_overlap__after(struct sched_model *m, const struct mig_event *ev)
{
	switch (ev->type) {
	case MIG_EV_WAKING:
		return took_up(m, ev);
	case MIG_EV_SWITCH:
		return switched(m, ev);
	case MIG_EV_LOST:
		return lost(m);
	default:
		return 0;
	}
}

int sched_overlap__emitted(struct sched_model *m, const struct mig_wakeup *w)
{
	struct task *t = task_table__find(&m->tasks, w->wakee_tid);
	struct overlap_note *n = t ? t->overlap : NULL;
	struct overlap_entry *e = n ? n->own : NULL;
	int ret = 0;

	if (!e)
		return 0;
	n->own = NULL;
	if (e->ns == MIG_NULL && !e->emitted) { /* its waker still runs */
		e->w = *w;
		e->emitted = true;
		return 0;
	}
	if (e->ns != MIG_NULL) {
		e->w = *w;
		ret = hand_out(m, e);
	}
	entry__put(m->overlap, e);
	return ret;
}
