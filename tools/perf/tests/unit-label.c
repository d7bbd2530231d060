// SPDX-License-Identifier: GPL-2.0
/* unit-label: names of threads and paths of cgroups as programs and kernels give them. */
#include "tests.h"
#include "err.h"
#include "label.h"

static void test_vcpus(void)
{
	static const char *const yes[] = { "CPU 0/KVM", "CPU 127/KVM", "CPU 3/TCG", "crosvm_vcpu3",
					   "fc_vcpu 0", "vcpu12",      "EMT-4",     "kvm-vcpu-0" };
	static const char *const no[] = {
		"CPU 0/IO", "CPU /KVM", "vcpu", "vcpux", "vcpu3-tune", "CPU", "qemu-system-x86", ""
	};

	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
		ok(label__is_vcpu(yes[i]), "a virtual CPU: %s", yes[i]);
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		ok(!label__is_vcpu(no[i]), "none: '%s'", no[i]);
}

static void test_roles(void)
{
	static const char *const role[][2] = {
		{ "kworker/3:1", "kworker bound" },
		{ "kworker/3:1H", "kworker highpri" },
		{ "kworker/u8:2", "kworker unbound" },
		{ "kworker/R-rcu_g", "kworker rescuer" },
		{ "ksoftirqd/11", "ksoftirqd" },
		{ "migration/0", "migration" },
		{ "rcu_preempt", "rcu" },
		{ "rcuop/3", "rcu" },
		{ "CPU 1/KVM", "vcpu" },
		{ "bash", NULL },
		{ "ksoftirqd/x", NULL },
	};

	for (size_t i = 0; i < sizeof(role) / sizeof(role[0]); i++)
		is_str(label__role(role[i][0]), role[i][1], role[i][0]);
}

static void test_containers(void)
{
	static const char *const path[][2] = {
		{ "/system.slice/docker-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.scope",
		  "docker 0123456789ab" },
		{ "/docker/fedcba98765432100123", "docker fedcba987654" },
		{ "/machine.slice/libpod-aaaaaaaaaaaabbbb.scope/container", "podman aaaaaaaaaaaa" },
		{ "/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod12.slice/"
		  "cri-containerd-00112233445566778899.scope",
		  "cri 001122334455" },
		{ "/kubepods/burstable/pod1234/00112233445566778899", "cri 001122334455" },
		{ "/lxc/web", "lxc web" },
		{ "/lxc.payload.web/init.scope", "lxc web" },
		{ "/user.slice/user-1000.slice/session-2.scope", NULL },
		{ "/docker/", NULL },
		{ "/system.slice/docker-proxy.service", NULL },
		{ "/", NULL },
	};
	char buf[96];

	for (size_t i = 0; i < sizeof(path) / sizeof(path[0]); i++)
		is_str(label__container(path[i][0], buf, sizeof(buf)) ? buf : NULL, path[i][1],
		       path[i][0]);
}

static void test_rules(void)
{
	static const char *const bad[] = { "", "name", "=x", "name=", "name=(", "name=[a" };
	struct labels l = { .kind = LABEL_GROUP };
	struct mig_err err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ok(labels__add_rule(&l, bad[i], &err) < 0 && err.msg[0], "a bad rule: '%s'",
		   bad[i]);
	is_int(l.nr_rules, 0, "none was taken");
	is_int(labels__add_rule(&l, "db=^postgres|^mysqld", &err), 0, "a good one");
	labels__exit(&l);
}

int main(void)
{
	test_vcpus();
	test_roles();
	test_containers();
	test_rules();
	return done_testing();
}
