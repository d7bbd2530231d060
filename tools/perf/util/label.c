// SPDX-License-Identifier: GPL-2.0
#include "label.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cgroup.h"
#include "err.h"
#include "strtab.h"
#include "task.h"

const char *label_kind__name(enum label_kind kind)
{
	static const char *const names[] = { "", "cgroup", "vm", "role", "group" };

	return kind < NR_LABELS ? names[kind] : "";
}

void labels__exit(struct labels *l)
{
	for (size_t i = 0; i < l->nr_rules; i++) {
		free(l->rules[i].name);
		regfree(&l->rules[i].re);
	}
	free(l->rules);
	free(l->by_comm);
	free(l->by_cgroup);
	free(l->vms);
	hash__exit(&l->vm_hash);
	memset(l, 0, sizeof(*l));
}

int labels__add_rule(struct labels *l, const char *arg, struct mig_err *err)
{
	const char *eq = strchr(arg, '=');
	struct label_rule *rules, *r;
	char why[128];
	int rc;

	if (!eq || eq == arg || !eq[1]) {
		mig_err__usage(err, "--group %s: not of the form NAME=REGEX", arg);
		return mig_err__hint(
			err, "for example --group 'db=^postgres' --group 'net=^ksoft|^napi'");
	}
	rules = reallocarray(l->rules, l->nr_rules + 1, sizeof(*rules));
	if (!rules)
		return mig_err__set(err, -ENOMEM, "out of memory");
	l->rules = rules;
	r = &rules[l->nr_rules];
	rc = regcomp(&r->re, eq + 1, REG_EXTENDED | REG_NOSUB);
	if (rc) {
		regerror(rc, &r->re, why, sizeof(why));
		mig_err__usage(err, "--group %s: %s", arg, why);
		return mig_err__hint(err, "the part behind = is an extended regular expression");
	}
	r->name = strndup(arg, (size_t)(eq - arg));
	if (!r->name) {
		regfree(&r->re);
		return mig_err__set(err, -ENOMEM, "out of memory");
	}
	l->nr_rules++;
	return 0;
}

/* "PREFIX<digits>", and nothing or `then` behind them. */
static bool is_numbered(const char *s, const char *prefix, const char *then)
{
	size_t len = strlen(prefix);

	if (strncmp(s, prefix, len) || !isdigit((unsigned char)s[len]))
		return false;
	s += len;
	while (isdigit((unsigned char)*s))
		s++;
	return !strcmp(s, then);
}

bool label__is_vcpu(const char *comm)
{
	return is_numbered(comm, "CPU ", "/KVM") || is_numbered(comm, "CPU ", "/TCG") ||
	       is_numbered(comm, "CPU ", "/HVF") || is_numbered(comm, "crosvm_vcpu", "") ||
	       is_numbered(comm, "fc_vcpu ", "") || is_numbered(comm, "vcpu", "") ||
	       is_numbered(comm, "kvm-vcpu-", "") || is_numbered(comm, "VCPU-", "") ||
	       is_numbered(comm, "EMT-", "");
}

/* kernel/workqueue.c, format_worker_id(): "kworker/3:1", "kworker/3:1H", "kworker/u8:2" */
static const char *kworker(const char *pool)
{
	if (*pool == 'u')
		return "kworker unbound";
	if (*pool == 'R')
		return "kworker rescuer";
	if (!isdigit((unsigned char)*pool))
		return "kworker";
	return strchr(pool, 'H') ? "kworker highpri" : "kworker bound";
}

const char *label__role(const char *comm)
{
	if (label__is_vcpu(comm))
		return "vcpu";
	if (!strncmp(comm, "kworker/", 8))
		return kworker(comm + 8);
	if (is_numbered(comm, "ksoftirqd/", ""))
		return "ksoftirqd";
	if (is_numbered(comm, "migration/", "") || is_numbered(comm, "cpuhp/", ""))
		return "migration";
	if (!strncmp(comm, "rcu_", 4) || is_numbered(comm, "rcuc/", "") ||
	    !strncmp(comm, "rcuop/", 6) || !strncmp(comm, "rcuog/", 6))
		return "rcu";
	return NULL;
}

/* A word of at least 12 hexadecimal digits. */
static bool is_id(const char *s)
{
	return strspn(s, "0123456789abcdef") >= 12;
}

bool label__container(const char *path, char *buf, size_t size)
{
	/* of systemd's scopes, and of cgroupfs */
	static const struct {
		const char *in, *name;
	} kinds[] = {
		{ "docker-", "docker" },      { "/docker/", "docker" },
		{ "libpod-", "podman" },      { "/libpod_parent/libpod-", "podman" },
		{ "cri-containerd-", "cri" }, { "crio-", "cri" },
	};
	static const char *const lxc[] = { "/lxc.payload.", "/lxc/" };
	const char *at;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		for (at = path; (at = strstr(at, kinds[i].in));) {
			at += strlen(kinds[i].in);
			if (is_id(at)) {
				snprintf(buf, size, "%s %.12s", kinds[i].name, at);
				return true;
			}
		}
	}
	for (size_t i = 0; i < 2; i++) {
		at = strstr(path, lxc[i]);
		if (at && at[strlen(lxc[i])]) {
			at += strlen(lxc[i]);
			snprintf(buf, size, "lxc %.*s", (int)strcspn(at, "/"), at);
			return true;
		}
	}
	/* Kubernetes with cgroupfs: /kubepods/../pod<uid>/<id> */
	at = strstr(path, "kubepods");
	at = at ? strrchr(at, '/') : NULL;
	if (at && is_id(at + 1)) {
		snprintf(buf, size, "cri %.12s", at + 1);
		return true;
	}
	return false;
}

/* --- of a task --- */

static uint32_t intern(struct labels *l, const char *s)
{
	uint32_t id = strtab__intern(l->names, s, strlen(s));

	return id ? id : LABEL_NO_MEMORY;
}

/* A slot of an array that grows. NULL: no memory. */
static uint32_t *slot(uint32_t **array, uint32_t *nr, uint32_t i)
{
	if (i >= *nr) {
		uint32_t n = i + 256;
		uint32_t *p = reallocarray(*array, n, sizeof(*p));

		if (!p)
			return NULL;
		memset(p + *nr, 0, (n - *nr) * sizeof(*p));
		*array = p;
		*nr = n;
	}
	return &(*array)[i];
}

static bool is_vm(const struct labels *l, int32_t pid)
{
	uint32_t hv = (uint32_t)hash__mix(7, (uint32_t)pid), pos = hash__start(&l->vm_hash, hv), k;

	while ((k = hash__next(&l->vm_hash, hv, &pos)))
		if (l->vms[k - 1] == pid)
			return true;
	return false;
}

static int add_vm(struct labels *l, int32_t pid)
{
	if (is_vm(l, pid))
		return 0;
	if (l->nr_vms == l->max_vms) {
		uint32_t n = l->max_vms ? l->max_vms * 2 : 16;
		int32_t *p = reallocarray(l->vms, n, sizeof(*p));

		if (!p)
			return -ENOMEM;
		l->vms = p;
		l->max_vms = n;
	}
	l->vms[l->nr_vms] = pid;
	return hash__add(&l->vm_hash, (uint32_t)hash__mix(7, (uint32_t)pid), l->nr_vms++);
}

/* The process of a virtual machine that t is a thread of; -1 = none. */
static int vm_of(struct labels *l, const struct task *t, uint32_t comm, int32_t *ret_pid)
{
	*ret_pid = -1;
	if (!t || t->pid <= 0)
		return 0;
	if (label__is_vcpu(strtab__name(l->names, comm)) && add_vm(l, t->pid))
		return -ENOMEM;
	if (l->nr_vms && is_vm(l, t->pid))
		*ret_pid = t->pid;
	return 0;
}

static uint32_t vm_label(struct labels *l, const struct task *t, uint32_t comm)
{
	const struct task *main;
	char buf[48];
	int32_t pid;

	if (vm_of(l, t, comm, &pid))
		return LABEL_NO_MEMORY;
	if (pid < 0)
		return 0;
	main = task_table__find(l->tasks, pid);
	snprintf(buf, sizeof(buf), "%.15s/%d", main ? strtab__name(l->names, main->comm) : "", pid);
	return intern(l, buf);
}

static uint32_t cgroup_label(struct labels *l, int32_t tid)
{
	uint16_t n = cgroup_map__of(l->cgroups, tid);
	uint32_t *s = n ? slot(&l->by_cgroup, &l->nr_by_cgroup, n) : NULL;
	char buf[32];

	if (!n)
		return 0;
	if (!s)
		return LABEL_NO_MEMORY;
	if (!*s)
		*s = intern(l, cgroup_map__path(l->cgroups, n, buf));
	return *s;
}

static uint32_t role_label(struct labels *l, const struct task *t, int32_t tid, uint32_t comm)
{
	const char *role = label__role(strtab__name(l->names, comm));
	uint16_t cgroup = cgroup_map__of(l->cgroups, tid);
	char buf[96], own[32];
	int32_t pid;

	if (vm_of(l, t, comm, &pid))
		return LABEL_NO_MEMORY;
	if (!role && pid >= 0)
		role = "vm";
	if (!role && t && t->ppid == 2)
		role = "kthread";
	if (!role && cgroup &&
	    label__container(cgroup_map__path(l->cgroups, cgroup, own), buf, sizeof(buf)))
		role = buf;
	return intern(l, role ? role : "task");
}

static uint32_t group_label(struct labels *l, uint32_t comm)
{
	uint32_t *s = slot(&l->by_comm, &l->nr_by_comm, comm);
	const char *name = "other";

	if (!s)
		return LABEL_NO_MEMORY;
	for (size_t i = 0; !*s && i < l->nr_rules; i++) {
		if (!regexec(&l->rules[i].re, strtab__name(l->names, comm), 0, NULL, 0)) {
			name = l->rules[i].name;
			break;
		}
	}
	if (!*s)
		*s = intern(l, name);
	return *s;
}

uint32_t labels__of(struct labels *l, int32_t tid, uint32_t comm)
{
	const struct task *t = task_table__find(l->tasks, tid);

	switch (l->kind) {
	case LABEL_CGROUP:
		return cgroup_label(l, tid);
	case LABEL_VM:
		return vm_label(l, t, comm);
	case LABEL_ROLE:
		return role_label(l, t, tid, comm);
	case LABEL_GROUP:
		return group_label(l, comm);
	default:
		return 0;
	}
}
