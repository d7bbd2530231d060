// SPDX-License-Identifier: GPL-2.0
#include "cause-chain.h"

#include <string.h>

#include "mechanism.h"

struct frames {
	const char *const *names;
	size_t nr;
};

/* One of the NULL-terminated names is in the chain. */
static bool has(const struct frames *f, const char *const *names)
{
	size_t i;

	for (; *names; names++)
		for (i = 0; i < f->nr; i++)
			if (f->names[i] && !strcmp(f->names[i], *names))
				return true;
	return false;
}

#define HAS(f, ...) has(f, (const char *const[]){ __VA_ARGS__, NULL })

/* The leaf-most frame that is in this table decides. */
static const struct {
	const char *name;
	enum chain_move move;
	enum mig_cause cause;
} leaves[] = {
	{ "migrate_swap_stop", CHAIN_MOVE_CAUSE, MIG_CAUSE_NUMA_SWAP },
	{ "__migrate_swap_task", CHAIN_MOVE_CAUSE, MIG_CAUSE_NUMA_SWAP },
	{ "active_load_balance_cpu_stop", CHAIN_MOVE_CAUSE, MIG_CAUSE_ACTIVE_BALANCE },
	{ "__balance_push_cpu_stop", CHAIN_MOVE_CAUSE, MIG_CAUSE_HOTPLUG_PUSH },
	{ "push_rt_task", CHAIN_MOVE_CAUSE, MIG_CAUSE_RT_PUSH },
	{ "push_rt_tasks", CHAIN_MOVE_CAUSE, MIG_CAUSE_RT_PUSH },
	{ "push_cpu_stop", CHAIN_MOVE_CAUSE, MIG_CAUSE_RT_PUSH },
	{ "rto_push_irq_work_func", CHAIN_MOVE_CAUSE, MIG_CAUSE_RT_PUSH },
	{ "push_dl_task", CHAIN_MOVE_CAUSE, MIG_CAUSE_DL_PUSH },
	{ "push_dl_tasks", CHAIN_MOVE_CAUSE, MIG_CAUSE_DL_PUSH },
	{ "migration_cpu_stop", CHAIN_MOVE_STOP, MIG_CAUSE_UNKNOWN },
	{ "select_fallback_rq", CHAIN_MOVE_CAUSE, MIG_CAUSE_WAKEUP },
	{ "try_to_wake_up", CHAIN_MOVE_CAUSE, MIG_CAUSE_WAKEUP },
	{ "sched_ttwu_pending", CHAIN_MOVE_CAUSE, MIG_CAUSE_WAKEUP },
	{ "pull_rt_task", CHAIN_MOVE_CAUSE, MIG_CAUSE_RT_PULL },
	{ "balance_rt", CHAIN_MOVE_CAUSE, MIG_CAUSE_RT_PULL },
	{ "pull_dl_task", CHAIN_MOVE_CAUSE, MIG_CAUSE_DL_PULL },
	{ "balance_dl", CHAIN_MOVE_CAUSE, MIG_CAUSE_DL_PULL },
	{ "newidle_balance", CHAIN_MOVE_CAUSE, MIG_CAUSE_NEWIDLE_PULL },
	{ "sched_balance_newidle", CHAIN_MOVE_CAUSE, MIG_CAUSE_NEWIDLE_PULL },
	{ "nohz_idle_balance", CHAIN_MOVE_CAUSE, MIG_CAUSE_NOHZ_PULL },
	{ "_nohz_idle_balance", CHAIN_MOVE_CAUSE, MIG_CAUSE_NOHZ_PULL },
	{ "nohz_run_idle_balance", CHAIN_MOVE_CAUSE, MIG_CAUSE_NOHZ_PULL },
	{ "run_rebalance_domains", CHAIN_MOVE_CAUSE, MIG_CAUSE_PERIODIC_PULL },
	{ "sched_balance_softirq", CHAIN_MOVE_CAUSE, MIG_CAUSE_PERIODIC_PULL },
	{ "rebalance_domains", CHAIN_MOVE_CAUSE, MIG_CAUSE_PERIODIC_PULL },
	{ "sched_balance_domains", CHAIN_MOVE_CAUSE, MIG_CAUSE_PERIODIC_PULL },
	{ "affine_move_task", CHAIN_MOVE_AFFINITY, MIG_CAUSE_UNKNOWN },
	{ "__set_cpus_allowed_ptr_locked", CHAIN_MOVE_AFFINITY, MIG_CAUSE_UNKNOWN },
	{ "__set_cpus_allowed_ptr", CHAIN_MOVE_AFFINITY, MIG_CAUSE_UNKNOWN },
	{ "set_cpus_allowed_ptr", CHAIN_MOVE_AFFINITY, MIG_CAUSE_UNKNOWN },
	{ "migrate_enable", CHAIN_MOVE_AFFINITY, MIG_CAUSE_UNKNOWN },
	{ "__kthread_bind_mask", CHAIN_MOVE_CAUSE, MIG_CAUSE_AFFINITY_OTHER },
	{ "kthread_bind", CHAIN_MOVE_CAUSE, MIG_CAUSE_AFFINITY_OTHER },
	{ "kthread_set_per_cpu", CHAIN_MOVE_CAUSE, MIG_CAUSE_AFFINITY_OTHER },
};

/*
 * Who changes an affinity: the system call (self or other, by whom), a cpuset's writer, or the
 * kernel (workqueues, kthread_bind), which is another.
 */
static enum chain_stop affinity_kind(const struct frames *f, enum mig_cause *ret_cause)
{
	if (HAS(f, "update_tasks_cpumask", "cpuset_update_tasks_cpumask", "cpuset_write_resmask",
		"update_cpumask", "update_cpumasks_hier", "cpuset_attach", "cpuset_attach_task",
		"cgroup_migrate_execute", "cpuset_hotplug_workfn", "cpuset_handle_hotplug",
		"cpuset_update_active_cpus", "hotplug_update_tasks")) {
		*ret_cause = MIG_CAUSE_CPUSET;
		return CHAIN_STOP_CAUSE;
	}
	*ret_cause = MIG_CAUSE_AFFINITY_OTHER;
	return HAS(f, "sched_setaffinity", "__sched_setaffinity") ? CHAIN_STOP_AFFINITY
								  : CHAIN_STOP_CAUSE;
}

static void stop_reason(const struct frames *f, struct cause_chain *cc)
{
	cc->stop = CHAIN_STOP_CAUSE;
	if (HAS(f, "sched_exec"))
		cc->stop_cause = MIG_CAUSE_EXEC;
	else if (HAS(f, "migrate_swap", "stop_two_cpus"))
		cc->stop_cause = MIG_CAUSE_NUMA_SWAP;
	else if (HAS(f, "migrate_task_to", "task_numa_migrate", "numa_migrate_preferred"))
		cc->stop_cause = MIG_CAUSE_NUMA_MOVE;
	else if (HAS(f, "balance_push"))
		cc->stop_cause = MIG_CAUSE_HOTPLUG_PUSH;
	else if (HAS(f, "affine_move_task", "__set_cpus_allowed_ptr_locked",
		     "__set_cpus_allowed_ptr", "migrate_enable"))
		cc->stop = affinity_kind(f, &cc->stop_cause);
	else if (HAS(f, "push_rt_task", "push_rt_tasks", "pull_rt_task"))
		cc->stop_cause = MIG_CAUSE_RT_PUSH;
	else if (HAS(f, "push_dl_task", "push_dl_tasks", "pull_dl_task"))
		cc->stop_cause = MIG_CAUSE_DL_PUSH;
	else if (HAS(f, "load_balance", "sched_balance_rq", "newidle_balance",
		     "sched_balance_newidle", "rebalance_domains", "sched_balance_domains"))
		cc->stop_cause = MIG_CAUSE_ACTIVE_BALANCE;
	else
		cc->stop = CHAIN_STOP_NONE;
}

static void move_cause(const struct frames *f, struct cause_chain *cc)
{
	size_t i, k;

	for (i = 0; i < f->nr && cc->move == CHAIN_MOVE_NONE; i++)
		for (k = 0; f->names[i] && k < sizeof(leaves) / sizeof(leaves[0]); k++)
			if (!strcmp(f->names[i], leaves[k].name)) {
				cc->move = leaves[k].move;
				cc->cause = leaves[k].cause;
				break;
			}
	if (cc->move == CHAIN_MOVE_CAUSE && cc->cause == MIG_CAUSE_PERIODIC_PULL &&
	    HAS(f, "nohz_idle_balance", "_nohz_idle_balance", "nohz_run_idle_balance"))
		cc->cause = MIG_CAUSE_NOHZ_PULL; /* the same functions, called from there */
	if (cc->move == CHAIN_MOVE_CAUSE && cc->cause == MIG_CAUSE_WAKEUP &&
	    HAS(f, "cpu_stopper_thread"))
		cc->move = CHAIN_MOVE_STOP_WAKEUP;
	if (cc->move == CHAIN_MOVE_AFFINITY && affinity_kind(f, &cc->cause) == CHAIN_STOP_CAUSE)
		cc->move = CHAIN_MOVE_CAUSE;
}

void cause_chain__classify(const char *const *names, size_t nr, struct cause_chain *cc)
{
	struct frames f = { names, 0 };

	memset(cc, 0, sizeof(*cc));
	while (f.nr < nr && !mig_frame__is_irq_entry(names[f.nr]))
		f.nr++;
	move_cause(&f, cc);
	stop_reason(&f, cc);
}
