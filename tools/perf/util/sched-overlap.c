// SPDX-License-Identifier: GPL-2.0
/*
 * sched-overlap: how long a waker keeps its CPU after a wakeup, and the rule that Linux had for
 * that up to 2.6.33.
 *
 * Overlap of a wakeup: from its sched_waking to the switch-out of the waker, however that ends.
 * Wakeups in an interrupt have no waker, and so no overlap; nor do wakings that chose no CPU.
 * It is known when the waker leaves, often after the wakee ran: the fact is handed out when both
 * are known. What is open is bounded: OVERLAP_MAX_OPEN for each CPU, what is beyond has none.
 *
 * The rule (wake_affine() of kernel/sched.c, later sched_fair.c, up to 2.6.33): a wakeup
 * is not sync if avg_overlap of the waker or of the wakee is above sysctl_sched_migration_cost,
 * and with SYNC_MORE (later ones) it is sync if both are below, asked for or not. avg_overlap is a
 * mean with a weight of 1/8 for the newest sample (update_avg()). Samples are, in run time of the
 * task: from its last wakeup of another to its sleep (dequeue_task()), and at each preemption the
 * length of the slice, at most twice the limit (put_prev_task()). It begins with 0 at the task's
 * birth
 * (__sched_fork()); where the recording has not the birth, and again after a slice that was not
 * seen, it is unknown until the next sample, and begins with that.
 */
#include "sched-model-int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define OVERLAP_MAX_OPEN 4096

/* A wakeup whose overlap or whose wakee's next run is not known yet. */
struct overlap_open {
	struct overlap_open *next; /* on cpu_state.woke, or free */
	struct task *wakee; /* its fact was not handed out; else NULL */
	struct mig_wakeup w; /* .. else that fact */
	uint64_t time, ns; /* of the wakeup; overlap, MIG_NULL = the waker runs still */
};

struct task_overlap {
	struct overlap_open *open; /* of the wakeup that the task is to run for */
	uint64_t opened; /* time of the wakeup that replayed and would_sync are about */
	bool replayed, would_sync;
	/* avg_overlap */
	bool known;
	uint64_t avg;
	bool woke; /* it woke another since it last slept: */
	bool complete; /* .. and ran is all of its run time since */
	uint64_t woke_time, ran; /* ran: before the current slice */
};

static struct task_overlap *overlap_of(struct task *t)
{
	if (!t->overlap)
		t->overlap = calloc(1, sizeof(*t->overlap));
	return t->overlap;
}

int overlap__born(struct task *t)
{
	struct task_overlap *o = overlap_of(t);

	if (!o)
		return -ENOMEM;
	*o = (struct task_overlap){ .open = o->open, .opened = MIG_NULL, .known = true };
	return 0;
}

static void open__free(struct sched_model *m, struct overlap_open *o)
{
	o->next = m->free_open;
	m->free_open = o;
}

static int hand_out(struct sched_model *m, struct overlap_open *o)
{
	const struct mig_overlap f = { .wakeup = &o->w,
				       .ns = o->ns,
				       .is_short = o->ns <= m->overlap_ns };
	int ret = m->ops->overlap ? m->ops->overlap(&f, m->ctx) : 0;

	open__free(m, o);
	return ret;
}

/* Its fact will not come. */
static void forget(struct sched_model *m, struct overlap_open *o)
{
	o->wakee->overlap->open = NULL;
	o->wakee = NULL;
	if (o->ns != MIG_NULL)
		open__free(m, o);
	else
		o->time = MIG_NULL; /* its waker's CPU has it still */
}

/* update_avg() of kernel/sched.c */
static void add_sample(struct task_overlap *o, uint64_t sample)
{
	int64_t diff = (int64_t)(sample - o->avg);

	o->avg = o->known ? o->avg + (uint64_t)(diff >> 3) : sample;
	o->known = true;
}

static int slice_ends(const struct sched_model *m, const struct cpu_state *cpu,
		      const struct mig_event *ev)
{
	struct task_overlap *o = overlap_of(cpu->cur);
	bool good = cpu->start_known && cpu->loss_time <= cpu->cur_since;
	uint64_t length = good ? ev->time - cpu->cur_since : 0;

	if (!o)
		return -ENOMEM;
	if (ev->sw.prev_state == MIG_STATE_RUNNABLE || ev->sw.prev_state == MIG_STATE_PREEMPTED) {
		if (good)
			add_sample(o, length < 2 * m->overlap_ns ? length : 2 * m->overlap_ns);
		o->complete &= good;
		o->ran += o->woke_time > cpu->cur_since ? ev->time - o->woke_time : length;
		return 0;
	}
	if (o->woke && o->woke_time >= cpu->cur_since)
		add_sample(o, ev->time - o->woke_time);
	else if (o->woke && o->complete && good)
		add_sample(o, o->ran + length);
	o->woke = false;
	return 0;
}

/* A sample was missed: the average is not the kernel's any more, and begins again. */
static void slice_unseen(const struct task *t)
{
	if (t && t->overlap)
		t->overlap->known = t->overlap->woke = false;
}

int overlap__switch(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev)
{
	bool same = cpu->cur_tid == ev->sw.prev_tid && cpu->cur && cpu->cur->run_cpu == ev->cpu;
	struct overlap_open *o, *next;
	int ret = 0;

	if (same && cpu->cur->tid)
		ret = slice_ends(m, cpu, ev);
	else if (!same && ev->sw.prev_tid > 0)
		slice_unseen(task_table__find(&m->tasks, ev->sw.prev_tid));
	for (o = cpu->woke; o; o = next) {
		next = o->next;
		o->next = NULL;
		if (o->time == MIG_NULL) {
			open__free(m, o);
		} else if (!same || cpu->loss_time > o->time || ev->time < o->time || ret) {
			if (o->wakee) {
				o->ns = 0;
				forget(m, o);
			} else {
				open__free(m, o);
			}
		} else {
			o->ns = ev->time - o->time;
			if (!o->wakee)
				ret = hand_out(m, o);
		}
	}
	cpu->woke = NULL;
	cpu->nr_woke = 0;
	return ret;
}

/* May this wakeup be the deed of the task that is current? */
static bool has_waker(const struct mig_wakeup *w)
{
	return w->waker_tid > 0 && w->waker_cpu >= 0 && w->partner != MIG_PARTNER_NO;
}

int overlap__waking(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev,
		    struct task *t)
{
	struct task *k = cpu->cur_tid == t->waking.waker_tid ? cpu->cur : NULL;
	struct task_overlap *own = overlap_of(t), *of_waker;
	struct overlap_open *o;

	if (!own)
		return -ENOMEM;
	own->opened = MIG_NULL;
	if (own->open)
		forget(m, own->open);
	if (!k || k == t || !has_waker(&t->waking))
		return 0;
	of_waker = overlap_of(k);
	if (!of_waker)
		return -ENOMEM;
	own->opened = ev->time;
	own->replayed = own->known && of_waker->known;
	own->would_sync = own->replayed && own->avg <= m->overlap_ns &&
			  of_waker->avg <= m->overlap_ns;
	of_waker->woke = of_waker->complete = true;
	of_waker->woke_time = ev->time;
	of_waker->ran = 0;
	if (cpu->nr_woke == OVERLAP_MAX_OPEN)
		return 0;
	o = m->free_open;
	if (o)
		m->free_open = o->next;
	else
		o = malloc(sizeof(*o));
	if (!o)
		return -ENOMEM;
	o->wakee = t;
	o->time = ev->time;
	o->ns = MIG_NULL;
	o->next = cpu->woke;
	cpu->woke = o;
	cpu->nr_woke++;
	own->open = o;
	return 0;
}

void overlap__emit(const struct sched_model *m, const struct mig_wakeup *w,
		   struct mig_wakeup_more *more)
{
	const struct task *t = task_table__find(&m->tasks, w->wakee_tid);

	if (!t || !t->overlap || t->overlap->opened != w->time || w->path == MIG_PATH_RUNNING)
		return;
	more->replayed = t->overlap->replayed;
	more->would_sync = t->overlap->would_sync;
}

int overlap__emitted(struct sched_model *m, const struct mig_wakeup *w)
{
	struct task *t = task_table__find(&m->tasks, w->wakee_tid);
	struct overlap_open *o = t && t->overlap ? t->overlap->open : NULL;

	if (!o || o->time != w->time)
		return 0;
	if (w->path == MIG_PATH_RUNNING) {
		forget(m, o);
		return 0;
	}
	t->overlap->open = NULL;
	o->wakee = NULL;
	o->w = *w;
	return o->ns != MIG_NULL ? hand_out(m, o) : 0;
}

static void free_list(struct overlap_open *o)
{
	struct overlap_open *next;

	for (; o; o = next) {
		next = o->next;
		free(o);
	}
}

void overlap__exit(struct sched_model *m)
{
	unsigned i;

	/* what its waker's CPU has given away is its wakee's, the rest the CPU's */
	for (i = 0; i < m->tasks.nr; i++) {
		const struct task_overlap *t = m->tasks.all[i]->overlap;

		if (t && t->open && t->open->ns != MIG_NULL)
			free(t->open);
	}
	for (i = 0; i < m->nr_cpus; i++)
		free_list(m->cpus[i].woke);
	free_list(m->free_open);
}
