/* SPDX-License-Identifier: GPL-2.0 */
/*
 * label: what a task belongs to, as a name to group by: its cgroup, its virtual machine, its role,
 * or a group of the user's. A task has one label of the kind that is asked for, or none.
 *
 * - cgroup: the path of the one it is in when the fact is handed out (cgroup.h).
 * - vm: "COMM/PID" of the process that has virtual CPUs. A thread is a virtual CPU when it is
 * called "CPU 3/KVM", "CPU 3/TCG", "CPU 3/HVF" (QEMU: kvm_start_vcpu_thread() and others),
 * "crosvm_vcpu3", "fc_vcpu 3" (Firecracker), "vcpu3" (Cloud Hypervisor), "VCPU-3" (kvmtool:
 * "kvm-vcpu-3"), or "EMT-3" (VirtualBox). The other threads of such a process belong to it from
 * when one was seen.
 * - role: "vcpu", "vm" (the other threads of a virtual machine), "kworker" by pool (bound, highpri,
 *   unbound), "ksoftirqd", "migration", "rcu", "kthread" (others of kthreadd), a container by its
 *   cgroup ("docker 0123456789ab", "podman ..", "cri ..", "lxc NAME"), else "task".
 * - group: the first of the user's rules whose expression matches the comm; else "other".
 */
#ifndef MIG_LABEL_H
#define MIG_LABEL_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hash.h"

struct cgroup_map;
struct mig_err;
struct strtab;
struct task_table;

enum label_kind { LABEL_NONE, LABEL_CGROUP, LABEL_VM, LABEL_ROLE, LABEL_GROUP, NR_LABELS };

/* "cgroup", "vm", "role", "group" */
const char *label_kind__name(enum label_kind kind);

struct label_rule {
	char *name;
	regex_t re;
};

struct labels {
	enum label_kind kind;
	struct strtab *names; /* borrowed, like the next two */
	const struct task_table *tasks;
	const struct cgroup_map *cgroups;
	struct label_rule *rules;
	size_t nr_rules;
	uint32_t *by_comm; /* of kinds that follow from the comm: id + 1, 0 = not looked at */
	uint32_t nr_by_comm;
	uint32_t *by_cgroup; /* the same by cgroup number */
	uint32_t nr_by_cgroup;
	struct hash vm_hash; /* pids with virtual CPUs */
	int32_t *vms;
	uint32_t nr_vms, max_vms;
};

void labels__exit(struct labels *l);
/* "NAME=REGEX", an extended regular expression. -EINVAL with err. */
int labels__add_rule(struct labels *l, const char *arg, struct mig_err *err);

#define LABEL_NO_MEMORY UINT32_MAX

/* strtab id of the label of task tid, called comm; 0 = it has none. LABEL_NO_MEMORY */
uint32_t labels__of(struct labels *l, int32_t tid, uint32_t comm);

/* Is that the name of a virtual CPU's thread? */
bool label__is_vcpu(const char *comm);
/* Role that a comm says by itself, NULL = none. */
const char *label__role(const char *comm);
/* "docker 0123456789ab" of a cgroup's path in buf; false: it is no container's. */
bool label__container(const char *path, char *buf, size_t size);

#endif
