// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's counts before and after a run: files of /proc of a 6.18 machine around a hackbench,
 * against differences that awk took of them (results/proc), and /proc/schedstat of each version
 * with its fields numbered.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "monitor.h"
#include "runset.h"
#include "tests.h"

static struct run_arm *measure(struct runset *set, const char *before, const char *after,
			       double seconds)
{
	struct monitor a, b;
	struct run_arm *arm;
	struct run *run;

	runset__arm(set, "x", NULL, &arm);
	run_arm__add_run(arm, &run);
	is_int(monitor__read(before, &a), 0, "before");
	is_int(monitor__read(after, &b), 0, "after");
	is_int(monitor__store(&a, &b, seconds, arm), 0, "stored");
	monitor__exit(&a);
	monitor__exit(&b);
	return arm;
}

static bool is_value(const struct run_arm *arm, const char *name, double want)
{
	const struct run_metric *m = run_arm__find(arm, name);
	bool good = m && fabs(m->value[arm->nr_runs - 1] - want) <= 1e-9 * fabs(want) + 1e-12;

	if (m && !good)
		printf("# %s: got %.17g, want %.17g\n", name, m->value[arm->nr_runs - 1], want);
	return ok(good, "%s", name);
}

static void real_files(const char *data)
{
	char before[4096], after[4096];
	struct runset set = { 0 };
	struct run_arm *arm;

	snprintf(before, sizeof(before), "%s/results/proc/before", data);
	snprintf(after, sizeof(after), "%s/results/proc/after", data);
	arm = measure(&set, before, after, 2);
	/* counts: differences */
	is_value(arm, "proc-vmstat.pgfault", 11910);
	is_value(arm, "proc-vmstat.pgalloc_normal", 21617);
	is_value(arm, "proc-vmstat.numa_hit", 18121);
	is_value(arm, "proc-vmstat.nr_dirtied", 119);
	/* levels: as they are after the run, though their names begin alike */
	is_value(arm, "proc-vmstat.nr_dirty", 5811);
	is_value(arm, "proc-vmstat.nr_free_pages", 1552135);
	is_value(arm, "proc-stat.procs_running", 4);
	/* summed over the CPUs */
	is_value(arm, "softirqs.SCHED", 46);
	is_value(arm, "softirqs.RCU", 211);
	is_value(arm, "softirqs.TIMER", 76);
	is_value(arm, "interrupts.RES:Rescheduling_interrupts", 2908);
	is_value(arm, "interrupts.CAL:Function_call_interrupts", 91);
	is_value(arm, "interrupts.TLB:TLB_shootdowns", 87);
	/* a second */
	is_value(arm, "vmstat.system.cs", 20379 / 2.0);
	is_value(arm, "vmstat.system.in", 3437 / 2.0);
	is_value(arm, "proc-stat.processes", 92);
	is_value(arm, "uptime.idle", 30148.68 - 30148.67);
	is_value(arm, "pressure.cpu.some", 735606);
	ok(!run_arm__find(arm, "schedstat.cpu.ttwu_count"), "no /proc/schedstat, no figure");
	runset__exit(&set);
}

static void backwards(const char *data)
{
	char before[4096], after[4096];
	struct runset set = { 0 };
	struct run_arm *arm;

	snprintf(before, sizeof(before), "%s/results/proc/before", data);
	snprintf(after, sizeof(after), "%s/results/proc/after", data);
	arm = measure(&set, after, before, 2);
	ok(!run_arm__find(arm, "proc-vmstat.pgfault"), "a count that went back is unknown, not 0");
	is_value(arm, "proc-vmstat.nr_dirty", 5739);
	runset__exit(&set);
}

/* FOLDER/proc/schedstat: two CPUs and their domain, each number its place times factor. */
static void write_schedstat(const char *folder, int version, int factor)
{
	int fields = version >= 17 ? 45 : 36;
	char path[4096];
	FILE *f;

	mkdir(folder, 0700);
	snprintf(path, sizeof(path), "%s/proc", folder);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/proc/schedstat", folder);
	f = fopen(path, "w");
	if (!f)
		return;
	fprintf(f, "version %d\ntimestamp 4294967296\n", version);
	for (int cpu = 0; cpu < 2; cpu++) {
		fprintf(f, "cpu%d", cpu);
		for (int i = 1; i <= 9; i++)
			fprintf(f, " %d", i * factor);
		fprintf(f, version >= 17 ? "\ndomain0 MC 3" : "\ndomain0 3");
		for (int i = 1; i <= fields; i++)
			fprintf(f, " %d", i * factor);
		fputc('\n', f);
	}
	fclose(f);
}

static void clean(const char *folder)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/proc/schedstat", folder);
	unlink(path);
	snprintf(path, sizeof(path), "%s/proc", folder);
	rmdir(path);
	rmdir(folder);
}

/* Places as in sched-stats.rst; differences over two CPUs are 2 * (3 - 1) times the place. */
static void schedstat(const char *tmp, int version)
{
	char a[1024], b[1024], name[64];
	const char *level = version >= 17 ? "MC" : "domain0";
	struct runset set = { 0 };
	struct run_arm *arm;
	static const struct {
		const char *name;
		int v15, v16, v17;
	} fields[] = {
		{ "idle.lb_count", 1, 9, 12 },        { "busy.lb_count", 9, 1, 1 },
		{ "newidle.lb_count", 17, 17, 23 },   { "newidle.lb_gained", 21, 21, 30 },
		{ "newidle.lb_nobusyg", 24, 24, 33 }, { "alb_pushed", 27, 27, 36 },
		{ "ttwu_wake_remote", 34, 34, 43 },   { "ttwu_move_balance", 36, 36, 45 },
	};

	snprintf(a, sizeof(a), "%s/a", tmp);
	snprintf(b, sizeof(b), "%s/b", tmp);
	write_schedstat(a, version, 1);
	write_schedstat(b, version, 3);
	arm = measure(&set, a, b, 1);
	is_value(arm, "schedstat.cpu.yld_count", 4 * 1);
	is_value(arm, "schedstat.cpu.ttwu_count", 4 * 5);
	is_value(arm, "schedstat.cpu.pcount", 4 * 9);
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		snprintf(name, sizeof(name), "schedstat.%s.%s", level, fields[i].name);
		is_value(arm, name,
			 4 * (version == 15   ? fields[i].v15
			      : version == 16 ? fields[i].v16
					      : fields[i].v17));
	}
	runset__exit(&set);
	clean(a);
	clean(b);
}

static void unknown_schedstat(const char *tmp)
{
	struct runset set = { 0 };
	char a[1024];
	struct run_arm *arm;

	snprintf(a, sizeof(a), "%s/a", tmp);
	write_schedstat(a, 18, 1);
	arm = measure(&set, a, a, 1);
	is_int((int64_t)arm->nr_metrics, 0, "a version that is not known is left out");
	runset__exit(&set);
	clean(a);
}

int main(void)
{
	const char *data = getenv("MIG_TEST_DATA");
	char tmp[] = "/tmp/unit-monitor.XXXXXX";

	if (data) {
		real_files(data);
		backwards(data);
	} else {
		skip("files of /proc", "MIG_TEST_DATA is not set");
	}
	if (mkdtemp(tmp)) {
		for (int version = 15; version <= 17; version++)
			schedstat(tmp, version);
		unknown_schedstat(tmp);
		rmdir(tmp);
	}
	return done_testing();
}
