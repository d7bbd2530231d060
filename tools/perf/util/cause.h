/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cause: why a task was moved. Names, classes, and the rules that infer the cause from the order of
 * events (and from the helper events, where the recording has them). How well each rule does
 * against callchains is in Documentation/model.md.
 */
#ifndef MIG_CAUSE_H
#define MIG_CAUSE_H

#include <stdbool.h>
#include <stdint.h>

enum mig_cause {
	MIG_CAUSE_WAKEUP,
	MIG_CAUSE_EXEC,
	MIG_CAUSE_AFFINITY_SELF,
	MIG_CAUSE_AFFINITY_OTHER,
	MIG_CAUSE_CPUSET,
	MIG_CAUSE_NEWIDLE_PULL,
	MIG_CAUSE_PERIODIC_PULL,
	MIG_CAUSE_NOHZ_PULL,
	MIG_CAUSE_ACTIVE_BALANCE,
	MIG_CAUSE_NUMA_MOVE,
	MIG_CAUSE_NUMA_SWAP,
	MIG_CAUSE_HOTPLUG_PUSH,
	MIG_CAUSE_RT_PUSH,
	MIG_CAUSE_RT_PULL,
	MIG_CAUSE_DL_PUSH,
	MIG_CAUSE_DL_PULL,
	MIG_CAUSE_UNKNOWN,
	MIG_NR_CAUSE,
};

/* What the default views show. */
enum mig_cause_class {
	MIG_CLASS_WAKEUP,
	MIG_CLASS_BALANCE, /* newidle, periodic, nohz, active */
	MIG_CLASS_AFFINITY, /* self, other, cpuset */
	MIG_CLASS_EXEC,
	MIG_CLASS_OTHER, /* numa, hotplug, rt, dl, unknown */
	MIG_NR_CLASS,
};

/* "newidle-pull" etc. */
const char *mig_cause__name(enum mig_cause cause);
/* "wakeup", "balance", "affinity", "exec", "other" */
const char *mig_class__name(enum mig_cause_class class);
enum mig_cause_class mig_cause__class(enum mig_cause cause);

/*
 * What was known when a task was migrated: migrated task p, CPU c of the event, current task k.
 * Filled by the model, read by the rules.
 */
struct cause_clues {
	bool open_waking; /* p was being woken by k on c */
	bool no_wakings; /* the recording has no sched_waking to tell that */
	bool p_asleep; /* p's last own event was its switch-out to sleep */
	bool no_switches; /* the recording has no sched_switch: nothing is known of p and k */
	bool k_is_stopper; /* k is c's stopper thread */
	bool k_is_idle, k_is_ksoftirqd;
	bool k_exits; /* sched_process_exit of k was seen */
	bool dest_is_here; /* dest == c */
	bool stopper_moved; /* the stopper had moved a task before in this run */
	bool rt, dl; /* p's priority: 0..99, below 0 */
	bool forked_by_k; /* p is k's child and has not run */
	bool numa_recent, numa_swap; /* sched_move_numa/swap_numa named p within 0.5 s */
	bool cpuhp_recent; /* cpuhp/N ran on c within 1 s */
	bool helpers; /* the recording has softirq and setaffinity events */
	bool in_softirq; /* the SCHED softirq runs on c */
	bool in_setaffinity; /* k is inside sched_setaffinity */
	int32_t p, stop_waker; /* who woke the stopper last, -1 = unknown */
	bool stop_waker_on_dest; /* .. and did so on p's destination */
	bool stop_waker_slept_d; /* .. and has switched out in D since, as its first own event */
	bool stop_waker_slept; /* .. has had an own event since */
};

/* What must still be seen before the cause is final. */
enum cause_wait {
	CAUSE_WAIT_NONE,
	CAUSE_WAIT_SELF, /* p's next exec, or its next switch-out in S, X or Z */
	CAUSE_WAIT_STOP, /* c's next switch, or a waking of stop_waker on c before it */
	CAUSE_WAIT_NEWIDLE, /* c's next event that is no migration, waking or wakeup */
};

struct cause_verdict {
	enum mig_cause cause; /* if nothing further comes */
	bool certain;
	enum cause_wait wait;
	enum mig_cause if_seen; /* WAIT_SELF: exec came; WAIT_STOP: stop_waker was woken;
				   WAIT_NEWIDLE: k went to sleep and c ran a pulled task or idle */
	bool if_seen_certain;
};

/* Applies the rules, first that fits. */
void cause__infer(const struct cause_clues *cl, struct cause_verdict *ret_v);

/* A sleep that follows the move later than this did not cause a new-idle balance. */
#define CAUSE_NEWIDLE_MAX_NS 2000000

#endif
