/* SPDX-License-Identifier: GPL-2.0 */
/*
 * placement: sets of CPUs by what they share: where a workload is put to see what a distance costs.
 */
#ifndef MIG_PLACEMENT_H
#define MIG_PLACEMENT_H

struct mig_err;
struct topo;

/*
 * The CPU list for word, of the CPUs that allowed lists ("0-3,8"; NULL = all of the topology), in a
 * string to free:
 *
 *	all	all of them
 *	one	one CPU, the first
 *	smt	the threads of its core
 *	llc	those that share its last-level cache
 *	node	those of its node
 *	apart	one CPU of each of the largest parts the machine has: node, else LLC, else core
 *
 * Any other word is a list of its own with '+' for ',': "0+2-3". -ENODEV where the machine has no
 * such thing (no two threads of a core, one part only), -EINVAL for what is no list.
 */
int placement__cpus(const struct topo *topo, const char *allowed, const char *word, char **ret,
		    struct mig_err *err);

#endif
