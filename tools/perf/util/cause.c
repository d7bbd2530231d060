// SPDX-License-Identifier: GPL-2.0
/*
 * cause: the rules. Each names the kernel function it stands for (6.12); together with the callers
 * of set_task_cpu() they are in Documentation/model.md.
 */
#include "cause.h"

#include <stddef.h>
#include <string.h>

const char *mig_cause__name(enum mig_cause cause)
{
	static const char *const names[MIG_NR_CAUSE] = {
		[MIG_CAUSE_WAKEUP] = "wakeup",
		[MIG_CAUSE_EXEC] = "exec",
		[MIG_CAUSE_AFFINITY_SELF] = "affinity-self",
		[MIG_CAUSE_AFFINITY_OTHER] = "affinity-other",
		[MIG_CAUSE_CPUSET] = "cpuset",
		[MIG_CAUSE_NEWIDLE_PULL] = "newidle-pull",
		[MIG_CAUSE_PERIODIC_PULL] = "periodic-pull",
		[MIG_CAUSE_NOHZ_PULL] = "nohz-pull",
		[MIG_CAUSE_ACTIVE_BALANCE] = "active-balance",
		[MIG_CAUSE_NUMA_MOVE] = "numa-move",
		[MIG_CAUSE_NUMA_SWAP] = "numa-swap",
		[MIG_CAUSE_HOTPLUG_PUSH] = "hotplug-push",
		[MIG_CAUSE_RT_PUSH] = "rt-push",
		[MIG_CAUSE_RT_PULL] = "rt-pull",
		[MIG_CAUSE_DL_PUSH] = "dl-push",
		[MIG_CAUSE_DL_PULL] = "dl-pull",
		[MIG_CAUSE_UNKNOWN] = "unknown",
	};

	return (unsigned)cause < MIG_NR_CAUSE ? names[cause] : "unknown";
}

const char *mig_class__name(enum mig_cause_class class)
{
	static const char *const names[MIG_NR_CLASS] = {
		[MIG_CLASS_WAKEUP] = "wakeup",     [MIG_CLASS_BALANCE] = "balance",
		[MIG_CLASS_AFFINITY] = "affinity", [MIG_CLASS_EXEC] = "exec",
		[MIG_CLASS_OTHER] = "other",
	};

	return (unsigned)class < MIG_NR_CLASS ? names[class] : "other";
}

enum mig_cause_class mig_cause__class(enum mig_cause cause)
{
	switch (cause) {
	case MIG_CAUSE_WAKEUP:
		return MIG_CLASS_WAKEUP;
	case MIG_CAUSE_EXEC:
		return MIG_CLASS_EXEC;
	case MIG_CAUSE_AFFINITY_SELF:
	case MIG_CAUSE_AFFINITY_OTHER:
	case MIG_CAUSE_CPUSET:
		return MIG_CLASS_AFFINITY;
	case MIG_CAUSE_NEWIDLE_PULL:
	case MIG_CAUSE_PERIODIC_PULL:
	case MIG_CAUSE_NOHZ_PULL:
	case MIG_CAUSE_ACTIVE_BALANCE:
		return MIG_CLASS_BALANCE;
	default:
		return MIG_CLASS_OTHER;
	}
}

static void is(struct cause_verdict *v, enum mig_cause cause, bool certain)
{
	v->cause = cause;
	v->certain = certain;
}

static void unless(struct cause_verdict *v, enum cause_wait wait, enum mig_cause cause,
		   bool certain)
{
	v->wait = wait;
	v->if_seen = cause;
	v->if_seen_certain = certain;
}

/* sched_exec() or affine_move_task() of p itself: execve follows, or it does not. */
static void moved_itself(struct cause_verdict *v)
{
	is(v, MIG_CAUSE_AFFINITY_SELF, true);
	unless(v, CAUSE_WAIT_SELF, MIG_CAUSE_EXEC, true);
}

/* k is the stopper of c: it moves tasks off its own CPU (migration_cpu_stop and its siblings). */
static void by_stopper(const struct cause_clues *cl, struct cause_verdict *v)
{
	if (cl->numa_recent) {
		is(v, cl->numa_swap ? MIG_CAUSE_NUMA_SWAP : MIG_CAUSE_NUMA_MOVE, true);
	} else if (cl->dest_is_here) {
		/* not the stopper's own work: it goes idle, and the CPU pulls
		 * (sched_balance_newidle) */
		is(v,
		   cl->rt   ? MIG_CAUSE_RT_PULL
		   : cl->dl ? MIG_CAUSE_DL_PULL
			    : MIG_CAUSE_NEWIDLE_PULL,
		   true);
	} else if (cl->stop_waker < 0) {
		is(v, MIG_CAUSE_UNKNOWN, false);
	} else if ((cl->rt || cl->dl) && cl->stop_waker != cl->p) {
		is(v, cl->rt ? MIG_CAUSE_RT_PUSH : MIG_CAUSE_DL_PUSH, true); /* push_cpu_stop */
	} else if (cl->stop_waker == cl->p) {
		if (cl->cpuhp_recent)
			is(v, MIG_CAUSE_HOTPLUG_PUSH, true); /* __balance_push_cpu_stop */
		else
			moved_itself(v);
	} else {
		/*
		 * stop_one_cpu() is waited for: the requester sleeps in D, or is woken by the
		 * stopper. A balancer does not wait (active_load_balance_cpu_stop).
		 */
		if (!cl->stop_waker)
			is(v, MIG_CAUSE_ACTIVE_BALANCE, false);
		else if (cl->stop_waker_slept && cl->stop_waker_slept_d)
			is(v, MIG_CAUSE_AFFINITY_OTHER, true);
		else
			is(v,
			   cl->stop_waker_on_dest ? MIG_CAUSE_ACTIVE_BALANCE
						  : MIG_CAUSE_AFFINITY_OTHER,
			   false);
		unless(v, CAUSE_WAIT_STOP, MIG_CAUSE_AFFINITY_OTHER, true);
	}
}

void cause__infer(const struct cause_clues *cl, struct cause_verdict *v)
{
	memset(v, 0, sizeof(*v));
	if (cl->open_waking) {
		/* try_to_wake_up; a task that wakes its parent at its exit and pulls it looks the
		 * same */
		is(v, MIG_CAUSE_WAKEUP, !(cl->dest_is_here && cl->k_exits));
		/* the stopper found its requester asleep and moves it by waking it */
		if (cl->k_is_stopper && cl->stop_waker == cl->p && !cl->stopper_moved)
			moved_itself(v);
	} else if (cl->no_switches) {
		is(v, MIG_CAUSE_UNKNOWN, false);
	} else if (cl->no_wakings && cl->p_asleep && !cl->k_is_stopper) {
		is(v, MIG_CAUSE_WAKEUP, false); /* what sleeps is moved when it is woken */
	} else if (cl->k_is_stopper) {
		by_stopper(cl, v);
	} else if (cl->rt || cl->dl) {
		if (cl->dest_is_here)
			is(v, cl->rt ? MIG_CAUSE_RT_PULL : MIG_CAUSE_DL_PULL, true);
		else
			is(v, cl->rt ? MIG_CAUSE_RT_PUSH : MIG_CAUSE_DL_PUSH, true);
	} else if (cl->helpers) {
		if (cl->in_softirq)
			is(v, cl->dest_is_here ? MIG_CAUSE_PERIODIC_PULL : MIG_CAUSE_NOHZ_PULL,
			   true);
		else if (cl->in_setaffinity)
			is(v, MIG_CAUSE_AFFINITY_OTHER, true);
		else if (cl->dest_is_here)
			is(v, MIG_CAUSE_NEWIDLE_PULL, true);
		else
			is(v, cl->k_is_idle ? MIG_CAUSE_NOHZ_PULL : MIG_CAUSE_AFFINITY_OTHER,
			   false);
	} else if (cl->k_is_idle || cl->k_is_ksoftirqd) {
		is(v, cl->dest_is_here ? MIG_CAUSE_PERIODIC_PULL : MIG_CAUSE_NOHZ_PULL, false);
	} else if (cl->dest_is_here) {
		is(v, cl->forked_by_k ? MIG_CAUSE_AFFINITY_OTHER : MIG_CAUSE_PERIODIC_PULL, false);
		unless(v, CAUSE_WAIT_NEWIDLE, MIG_CAUSE_NEWIDLE_PULL, false);
	} else {
		/* affine_move_task() -> move_queued_task() in the caller's context */
		is(v, MIG_CAUSE_AFFINITY_OTHER, false);
	}
}
