// SPDX-License-Identifier: GPL-2.0
/*
 * sched-anatomy: what the run delay of a wakeup is made of. Five terms that follow each other, so
 * that their sum is the delay to the nanosecond:
 *
 * select: sched_waking to the end of the choice of a CPU. That is the IPI to the chosen CPU, sent
 *	by try_to_wake_up() (ttwu_queue_wakelist() -> __smp_call_single_queue(), or
 *	wakeup_preempt() -> resched_curr() -> smp_send_reschedule()), else the sched_wakeup of
 *	ttwu_do_wakeup(). p->pi_lock is held with interrupts off, so between sched_waking and these
 *	nothing but the sched_migrate_task of set_task_cpu() happens on the waker's CPU: any other
 *	event ends the choice unseen, and select is part of the next term there (0).
 * ipi:	that IPI to the first sign of life of its CPU: the interrupt of its kind (reschedule_entry,
 *	call_function_single_entry), a sched_switch (the scheduler ran without it), from idle also
 *	another of these interrupts or the exit from idle. Processors that sleep in MWAIT leave
 *	idle first and take the interrupt then, those in HLT take it first. No IPI (the waker's own
 *	CPU, a polling idle one, one already asked): 0. The hardware's way out of a deep state is in
 *	here: a CPU that sleeps writes no event.
 * idle:	on to the last cpu_idle exit before the CPU's next switch, if it was idle.
 * queue: on to the switch-in, as long as another task than idle is current. Where the task was
 *	moved while it waited, all of the rest. The wakee's own way out of its last slice, too.
 * switch: what is left, during which the idle task was on its way into schedule_idle().
 *
 * A term of which the recording has not the events is 0, and its time in a later one: select in
 * ipi, ipi in idle or queue, idle in switch. sched_model__has_term() says which. A wakeup of which
 * the delay is not known, or that stands beside a loss or an unseen switch, is not separated.
 */
#include "sched-model-int.h"

#include <errno.h>
#include <stdlib.h>

struct task_anatomy {
	uint64_t waking; /* which wakeup this is of */
	uint64_t chosen, arrived, awake; /* end of select, ipi, idle; MIG_NULL = not yet */
	uint64_t moved; /* last move by this choice, 0 = none */
	int32_t cpu; /* chosen */
	int32_t chooser; /* CPU whose `choosing` this is, -1 = none */
	uint8_t awaits; /* event type of the interrupt to come, 0 = none */
	bool is_coming; /* on the list of cpu */
	bool requeued; /* moved while it waited */
	bool broken;
	struct task *next; /* on that list */
};

bool sched_model__has_term(const struct sched_model *m, enum mig_term term)
{
	const bool *seen = m->dec->seen;

	switch (term) {
	case MIG_TERM_SELECT:
		return seen[MIG_EV_WAKING] && seen[MIG_EV_WAKEUP] && seen[MIG_EV_IPI_SEND];
	case MIG_TERM_IPI:
		return seen[MIG_EV_IPI_SEND] && seen[MIG_EV_IPI_RESCHED] && seen[MIG_EV_IPI_CALL];
	case MIG_TERM_IDLE:
		return seen[MIG_EV_IDLE];
	default:
		return seen[MIG_EV_SWITCH];
	}
}

static struct cpu_state *cpu_of(const struct sched_model *m, int cpu)
{
	return (unsigned)cpu < m->nr_cpus ? &m->cpus[cpu] : NULL;
}

/* t is no longer on the list of its CPU. */
static void leave(const struct sched_model *m, struct task *t)
{
	struct cpu_state *cpu = cpu_of(m, t->anatomy->cpu);
	struct task **pp;

	if (!t->anatomy->is_coming || !cpu)
		return;
	for (pp = &cpu->coming; *pp; pp = &(*pp)->anatomy->next)
		if (*pp == t) {
			*pp = t->anatomy->next;
			break;
		}
	t->anatomy->is_coming = false;
}

/* .. nor is its CPU chosen any more. */
static void forget(const struct sched_model *m, struct task *t)
{
	struct cpu_state *cpu = cpu_of(m, t->anatomy->chooser);

	leave(m, t);
	if (cpu && cpu->choosing == t)
		cpu->choosing = NULL;
	t->anatomy->chooser = -1;
}

/* Nothing is recorded of what is before the queue. */
static bool is_plain(const struct sched_model *m)
{
	return !sched_model__has_term(m, MIG_TERM_SELECT) &&
	       !sched_model__has_term(m, MIG_TERM_IPI) && !sched_model__has_term(m, MIG_TERM_IDLE);
}

/* The choice of t's CPU ended at time, with an IPI of the kind awaits (0: without). */
static void chose(const struct sched_model *m, struct task *t, uint64_t time, uint8_t awaits)
{
	struct task_anatomy *a = t->anatomy;
	struct cpu_state *cpu = cpu_of(m, a->cpu);

	a->chosen = sched_model__has_term(m, MIG_TERM_SELECT) ? time : a->waking;
	if (!sched_model__has_term(m, MIG_TERM_IPI))
		awaits = 0;
	a->awaits = awaits;
	if (!awaits)
		a->arrived = a->chosen;
	if (!cpu || cpu->cur_tid < 0) {
		a->broken = true;
		return;
	}
	/* a busy CPU that is not told by an IPI has the task in its queue already */
	if (awaits || !cpu->cur_tid || cpu->cur == t) {
		a->next = cpu->coming;
		cpu->coming = t;
		a->is_coming = true;
	}
}

/* What happens on the waker's CPU while it chooses one. */
static void choosing(const struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev)
{
	struct task *t = cpu->choosing;
	struct task_anatomy *a = t->anatomy;

	if (ev->type == MIG_EV_MIGRATE && ev->mig.tid == t->tid && ev->mig.dest_cpu >= 0) {
		a->cpu = ev->mig.dest_cpu;
		a->moved = ev->time;
		return;
	}
	if (ev->type == MIG_EV_IPI_SEND && ev->ipi.cpu != a->cpu)
		return; /* for a timer, for another's balance */
	cpu->choosing = NULL;
	a->chooser = -1;
	if (ev->type == MIG_EV_IPI_SEND)
		chose(m, t, ev->time,
		      ev->flags & MIG_EVF_CALL ? MIG_EV_IPI_CALL : MIG_EV_IPI_RESCHED);
	else if (ev->type == MIG_EV_WAKEUP && ev->wake.tid == t->tid)
		chose(m, t, ev->time, 0);
	else
		chose(m, t, a->moved ? a->moved : a->waking, 0);
}

/* An event on a CPU that t is to run on, and that may not know. */
static void sign(const struct cpu_state *cpu, const struct task *t, const struct mig_event *ev)
{
	struct task_anatomy *a = t->anatomy;
	const bool idle = !cpu->cur_tid,
		   exit = ev->type == MIG_EV_IDLE && ev->flags & MIG_EVF_ENTER;
	const bool irq = ev->type == MIG_EV_IPI_RESCHED || ev->type == MIG_EV_IPI_CALL;
	const bool enqueued = ev->type == MIG_EV_WAKEUP && ev->wake.tid == t->tid;

	if (a->arrived == MIG_NULL &&
	    (a->awaits == ev->type || enqueued || (idle && (irq || exit))))
		a->arrived = ev->time;
	if (a->arrived != MIG_NULL && idle && (exit || a->awaits == ev->type))
		a->awake = ev->time;
	if (a->awaits == ev->type)
		a->awaits = 0;
}

/* t is moved while it waits: it has been in a queue. */
static void requeue(const struct sched_model *m, struct task *t, const struct mig_event *ev)
{
	struct task_anatomy *a = t->anatomy;

	forget(m, t);
	if (a->chosen == MIG_NULL && is_plain(m))
		a->chosen = a->arrived = a->waking;
	else if (a->chosen == MIG_NULL)
		a->broken = true;
	else if (a->arrived == MIG_NULL)
		a->arrived = ev->time;
	a->requeued = true;
}

void anatomy__event(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev)
{
	struct task *t;

	m->saw_idle |= ev->type == MIG_EV_IDLE;
	if (ev->type == MIG_EV_MIGRATE) {
		t = task_table__find(&m->tasks, ev->mig.tid);
		if (t && t->anatomy && t != cpu->choosing)
			requeue(m, t, ev);
	}
	if (cpu->choosing)
		choosing(m, cpu, ev);
	for (t = cpu->coming; t; t = t->anatomy->next)
		sign(cpu, t, ev);
}

void anatomy__switch(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev)
{
	const bool same = cpu->cur_tid == ev->sw.prev_tid && cpu->start_known;
	struct task *t, *next, *kept = NULL;

	if (cpu->choosing)
		choosing(m, cpu, ev);
	cpu->idle_since = ev->sw.prev_tid ? MIG_NULL : cpu->cur_since;
	for (t = cpu->coming; t; t = next) {
		struct task_anatomy *a = t->anatomy;

		next = a->next;
		/* it was woken on its way to sleep, and only now is off its CPU */
		if (t->tid == ev->sw.prev_tid) {
			a->next = kept;
			kept = t;
			continue;
		}
		if (a->arrived == MIG_NULL)
			a->arrived = ev->time;
		a->is_coming = false;
		a->broken |= !same;
	}
	cpu->coming = kept;
	t = task_table__find(&m->tasks, ev->sw.next_tid);
	if (t && t->anatomy && !same)
		t->anatomy->broken = true;
}

int anatomy__waking(struct sched_model *m, struct cpu_state *cpu, const struct mig_event *ev,
		    struct task *t)
{
	struct task_anatomy *a = t->anatomy;

	if (!a) {
		a = t->anatomy = calloc(1, sizeof(*a));
		if (!a)
			return -ENOMEM;
		a->chooser = -1;
	}
	forget(m, t);
	*a = (struct task_anatomy){
		.waking = ev->time,
		.chosen = MIG_NULL,
		.arrived = MIG_NULL,
		.awake = MIG_NULL,
		.cpu = ev->wake.target_cpu,
		.chooser = -1,
	};
	if (ev->type == MIG_EV_WAKING) {
		cpu->choosing = t;
		a->chooser = ev->cpu;
	} else { /* sched_wakeup is all there is: it is in its queue */
		chose(m, t, ev->time, 0);
	}
	return 0;
}

static uint64_t between(uint64_t lo, uint64_t v, uint64_t hi)
{
	return v < lo ? lo : v > hi ? hi : v;
}

void anatomy__emit(const struct sched_model *m, const struct mig_wakeup *w, uint64_t time,
		   struct mig_wakeup_more *more)
{
	struct task *t = task_table__find(&m->tasks, w->wakee_tid);
	struct task_anatomy *a = t ? t->anatomy : NULL;
	const struct cpu_state *run = cpu_of(m, w->run_cpu);
	uint64_t at = w->time, end[MIG_NR_TERM];
	unsigned i;

	if (!a || a->waking != w->time)
		return;
	a->waking = MIG_NULL;
	forget(m, t);
	/* the waker's CPU has written nothing since: no end of select, which only matters where it
	 * would be a term */
	if (a->chosen == MIG_NULL && is_plain(m))
		a->chosen = a->arrived = w->time;
	if (w->delay_ns == MIG_NULL || w->lost_nearby || a->broken || a->chosen == MIG_NULL ||
	    !run || (!a->requeued && a->cpu != w->run_cpu) ||
	    sched_model__lost_on(m, w->waker_cpu, w->time))
		return;
	end[MIG_TERM_SELECT] = between(at, a->chosen, time);
	end[MIG_TERM_IPI] = between(end[MIG_TERM_SELECT], a->arrived, time);
	end[MIG_TERM_IDLE] = end[MIG_TERM_IPI];
	if (a->awake != MIG_NULL && sched_model__has_term(m, MIG_TERM_IDLE))
		end[MIG_TERM_IDLE] = between(end[MIG_TERM_IPI], a->awake, time);
	end[MIG_TERM_QUEUE] = time;
	if (!a->requeued && run->idle_since != MIG_NULL)
		end[MIG_TERM_QUEUE] = between(end[MIG_TERM_IDLE], run->idle_since, time);
	end[MIG_TERM_SWITCH] = time;
	for (i = 0; i < MIG_NR_TERM; i++) {
		more->term_ns[i] = end[i] - at;
		at = end[i];
	}
	more->separated = true;
}
