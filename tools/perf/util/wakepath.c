// SPDX-License-Identifier: GPL-2.0
#include "wakepath.h"

const char *mig_path__name(int path)
{
	static const char *const names[MIG_NR_PATH] = {
		[MIG_PATH_RUNNING] = "running",
		[MIG_PATH_LOCAL] = "local",
		[MIG_PATH_PREV] = "prev",
		[MIG_PATH_AFFINE] = "affine",
		[MIG_PATH_LLC] = "llc",
		[MIG_PATH_WAKER_LLC] = "waker-llc",
		[MIG_PATH_PREV_LLC] = "prev-llc",
		[MIG_PATH_CROSS_NODE] = "cross-node",
		[MIG_PATH_CROSS_LLC] = "cross-llc",
		[MIG_PATH_UNKNOWN] = "unknown",
	};

	return (unsigned)path < MIG_NR_PATH ? names[path] : "unknown";
}

const char *mig_context__name(int ctx)
{
	static const char *const names[MIG_NR_CTX] = {
		[MIG_CTX_TASK] = "task",       [MIG_CTX_SOFTIRQ_LIKELY_TASK] = "softirq?",
		[MIG_CTX_SOFTIRQ] = "softirq", [MIG_CTX_HARDIRQ] = "hardirq",
		[MIG_CTX_UNKNOWN] = "unknown",
	};

	return (unsigned)ctx < MIG_NR_CTX ? names[ctx] : "unknown";
}

enum mig_path mig_path__moved(const struct topo *topo, int w, int p, int c)
{
	bool with_w, with_p;

	if (p < 0 || c < 0)
		return MIG_PATH_UNKNOWN;
	if (w < 0)
		return MIG_PATH_UNKNOWN;
	if (c == w)
		return MIG_PATH_AFFINE;
	with_w = topo__same_llc(topo, c, w);
	with_p = topo__same_llc(topo, c, p);
	if (with_w || with_p)
		return with_w && with_p ? MIG_PATH_LLC
		       : with_w         ? MIG_PATH_WAKER_LLC
					: MIG_PATH_PREV_LLC;
	if (topo__distance(topo, c, w) == MIG_DIST_UNKNOWN ||
	    topo__distance(topo, c, p) == MIG_DIST_UNKNOWN)
		return MIG_PATH_UNKNOWN;
	if (!topo__same_node(topo, c, w) && !topo__same_node(topo, c, p))
		return MIG_PATH_CROSS_NODE;
	return MIG_PATH_CROSS_LLC;
}

enum mig_context mig_context__of_irq(bool hardirq, bool softirq,
				     const struct mig_chain_facts *facts, bool by_softirqd)
{
	if (hardirq)
		return MIG_CTX_HARDIRQ;
	if (facts->resolved && facts->irq)
		return softirq ? MIG_CTX_SOFTIRQ : MIG_CTX_HARDIRQ;
	if (!softirq)
		return MIG_CTX_TASK;
	if (by_softirqd)
		return MIG_CTX_SOFTIRQ;
	return facts->resolved ? MIG_CTX_TASK : MIG_CTX_SOFTIRQ_LIKELY_TASK;
}
