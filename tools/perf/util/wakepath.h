/* SPDX-License-Identifier: GPL-2.0 */
/*
 * wakepath: names the path of a wakeup (where the waker ran, where the wakee had run, where it was
 * put) and the context it came from.
 */
#ifndef MIG_WAKEPATH_H
#define MIG_WAKEPATH_H

#include <stdbool.h>
#include <stdint.h>

#include "mechanism.h"
#include "topo.h"

/* With w = CPU of the waking, p = previous CPU, c = chosen CPU (select_task_rq_fair's outcome). */
enum mig_path {
	MIG_PATH_RUNNING, /* the wakee was current or still queued: no CPU was chosen */
	MIG_PATH_LOCAL, /* w = p = c */
	MIG_PATH_PREV, /* c = p */
	MIG_PATH_AFFINE, /* c = w */
	MIG_PATH_LLC, /* another CPU that shares the last-level cache with both */
	MIG_PATH_WAKER_LLC, /* .. with w only */
	MIG_PATH_PREV_LLC, /* .. with p only */
	MIG_PATH_CROSS_NODE, /* other node than both */
	MIG_PATH_CROSS_LLC, /* other cache than both, not another node than both */
	MIG_PATH_UNKNOWN, /* one of the CPUs is not known */
	MIG_NR_PATH,
};

/* In what the waking ran. */
enum mig_context {
	MIG_CTX_TASK, /* the waker itself woke it */
	MIG_CTX_SOFTIRQ_LIKELY_TASK, /* "softirq?": SOFTIRQ flag, no chain to tell: likely a partner
					(loopback TCP and UDP deliver on the sender's stack) */
	MIG_CTX_SOFTIRQ,
	MIG_CTX_HARDIRQ,
	MIG_CTX_UNKNOWN,
	MIG_NR_CTX,
};

enum mig_partner { MIG_PARTNER_UNKNOWN, MIG_PARTNER_NO, MIG_PARTNER_YES };

/* "running", "local", "prev", "affine", "llc", "waker-llc", "prev-llc", "cross-node", ... */
const char *mig_path__name(int path);
/* "task", "softirq?", "softirq", "hardirq", "unknown" */
const char *mig_context__name(int ctx);

enum mig_path mig_path__moved(const struct topo *topo, int waker_cpu, int prev_cpu, int cpu);

/* CPUs < 0 are unknown. */
static inline enum mig_path mig_path__of(const struct topo *topo, int waker_cpu, int prev_cpu,
					 int cpu)
{
	if (cpu == prev_cpu && cpu >= 0)
		return waker_cpu == cpu ? MIG_PATH_LOCAL : MIG_PATH_PREV;
	return mig_path__moved(topo, waker_cpu, prev_cpu, cpu);
}

enum mig_context mig_context__of_irq(bool hardirq, bool softirq,
				     const struct mig_chain_facts *facts, bool by_softirqd);

/*
 * hardirq, softirq: the tracepoint's common_flags. facts: of the waking's chain (resolved = false
 * when there is none). by_softirqd: current is idle or ksoftirqd.
 */
static inline enum mig_context
mig_context__of(bool hardirq, bool softirq, const struct mig_chain_facts *facts, bool by_softirqd)
{
	if (!hardirq && !softirq && !facts->irq)
		return MIG_CTX_TASK;
	return mig_context__of_irq(hardirq, softirq, facts, by_softirqd);
}

/* waker_tid 0 is idle: never a partner. */
static inline enum mig_partner mig_partner__of(enum mig_context ctx, int32_t waker_tid)
{
	if (waker_tid > 0 && ctx == MIG_CTX_TASK)
		return MIG_PARTNER_YES;
	if (waker_tid < 0 || ctx == MIG_CTX_UNKNOWN)
		return MIG_PARTNER_UNKNOWN;
	if (!waker_tid || ctx == MIG_CTX_HARDIRQ || ctx == MIG_CTX_SOFTIRQ)
		return MIG_PARTNER_NO;
	return MIG_PARTNER_UNKNOWN;
}

#endif
