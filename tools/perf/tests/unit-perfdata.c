// SPDX-License-Identifier: GPL-2.0
/*
 * unit-perfdata: the reader of recordings on recordings that exist. Expected numbers: cases.tsv for
 * the constructed files of made/, perf report --stats and --header-only (6.1) for the others.
 */
#include "perfdata-tests.h"

#include <sys/wait.h>

/* ---- constructed recordings ---- */

static void check_base(const char *name)
{
	struct perfdata *pd;
	struct outcome o = read_all(made(name), &pd);
	const struct perfdata_format *fmt;
	size_t n, size;

	if (!ok(!o.open_rc && !o.next_rc, "%s: read to the end", name)) {
		printf("#   %s\n", o.err.msg);
		perfdata__delete(pd);
		return;
	}
	is_int(perfdata__nr_events(pd), 5, "  events");
	is_int(o.samples, 31, "  samples");
	is_int(o.orphans, 0, "  every sample has its event");
	is_int(o.rounds, 4, "  rounds");
	is_int(o.trailers, 2, "  trailers of the COMM records");
	is_int(count_of(pd, &o, "sched:sched_switch"), 8, "  switches");
	is_int(count_of(pd, &o, "sched:sched_waking"), 4, "  wakings");
	is_int(count_of(pd, &o, "sched:sched_wakeup"), 4, "  wakeups");
	is_int(count_of(pd, &o, "sched:sched_migrate_task"), 3, "  migrations");
	is_int(count_of(pd, &o, "cache-misses"), 12, "  misses");
	is_int(perfdata__event(pd, 4)->sample_period, 1000, "  period of cache-misses");
	ok(!perfdata__event(pd, 4)->freq && perfdata__event(pd, 0)->sample_id_all, "  attr bits");
	ok(!perfdata__event(pd, 5), "  no sixth event");
	is_int(perfdata__event_by_id(pd, 123456789), -1, "  unknown id");
	fmt = perfdata__formats(pd, &n);
	if (!strcmp(name, "no_tracing_data"))
		is_int(n, 0, "  no formats");
	else if (is_int(n, 4, "  formats"))
		is_str(fmt[0].system, "sched", "  system of a format");
	ok(!n || (perfdata__header_page(pd, &size) && size == 205), "  header_page");
	perfdata__delete(pd);
}

static void check_byte_orders(void)
{
	struct perfdata *le, *be;

	read_all(made("base"), &le);
	read_all(made("base_be"), &be);
	ok(!perfdata__swapped(le) && !perfdata__big_endian(le) && !perfdata__is_pipe(le), "little-"
											  "endian "
											  "file");
	ok(perfdata__swapped(be) && perfdata__big_endian(be), "big-endian file");
	is_str(perfdata__env(be)->hostname, "madehost", "strings of a big-endian file");
	is_int(perfdata__long_size(be), 8, "long of 64-bit");
	perfdata__delete(le);
	read_all(made("long4"), &le);
	is_int(perfdata__long_size(le), 4, "long of 32-bit");
	perfdata__delete(le);
	perfdata__delete(be);
}

static void check_counts(const char *name, uint64_t samples)
{
	struct outcome o = read_all(made(name), NULL);

	ok(!o.open_rc && !o.next_rc && o.samples == samples && !o.orphans,
	   "%s: %" PRIu64 " samples", name, samples);
	if (o.samples != samples)
		printf("#   got %" PRIu64 ", %s\n", o.samples, o.err.msg);
}

static void check_refused(const char *path, const char *what, const char *msg_part,
			  const char *hint_part)
{
	struct outcome o = read_all(path, NULL);
	bool good =
		ok(o.open_rc < 0 && strstr(o.err.msg, msg_part) && strstr(o.err.hint, hint_part),
		   "%s: refused", what);

	if (!good)
		printf("#   rc %d, \"%s\", hint \"%s\"\n", o.open_rc, o.err.msg, o.err.hint);
}

static void check_damaged(void)
{
	struct perfdata *pd;
	struct perf_rec rec;
	struct outcome o;

	check_refused(made("attr_size_zero"), "attr_size_zero", "offset 16", "again");
	check_refused(made("attr_size_huge"), "attr_size_huge", "0x10000000000 at offset 16",
		      "again");
	check_refused(made("attrs_past_eof"), "attrs_past_eof", "offset 24", "again");
	/* its writer made the entries 8 bytes longer than its header says */
	check_refused(made("attr_v9_nonzero"), "attr_v9_nonzero", "offset 0x130", "again");
	check_refused(made("empty"), "empty", "empty", "recorder died");
	check_refused(made("one_byte"), "one_byte", "offset 1", "not complete");
	check_refused(made("magic_only"), "magic_only", "offset 8", "not complete");
	check_refused(made("header_only"), "header_only", "104 bytes", "again");
	check_refused(made("text"), "text", "not a perf.data file", "perf record");
	check_refused(made("gzipped"), "gzipped", "gzip", "gunzip");
	check_refused(made("not_there"), "missing file", "No such file", "record");
	check_refused(tmp_dir, "a directory of something else", "without a recording", "--threads");

	o = read_all(made("trunc_mid_record"), &pd);
	is_int(o.open_rc, 0, "trunc_mid_record: opens");
	is_int(o.samples, 14, "  what is whole is handed out");
	is_int(o.next_rc, -EIO, "  then the error");
	ok(strstr(o.err.msg, "0x8d0") && strstr(o.err.msg, "0xed8"), "  with the offsets");
	is_int(perfdata__next(pd, &rec, &o.err), -EIO, "  and the error stays");
	is_int(perfdata__nr_warnings(pd), 1, "  and a warning: no features");
	perfdata__delete(pd);

	o = read_all(made("trunc_features"), &pd);
	ok(!o.open_rc && !o.next_rc && o.samples == 31, "trunc_features: all records");
	ok(perfdata__nr_warnings(pd) == 1 && strstr(perfdata__warning(pd, 0), "0xed8"), "  with a "
											"warning");
	ok(!perfdata__event(pd, 0)->name && !perfdata__env(pd)->hostname, "  and nothing made up");
	perfdata__delete(pd);
}

/* ---- standard input ---- */

/* Reads path through a real pipe, fed in small pieces, as standard input. */
static struct outcome read_piped(const char *path)
{
	int fds[2], keep = dup(STDIN_FILENO);
	struct outcome o = { .open_rc = -EPIPE };
	size_t n, at = 0;
	uint8_t *buf;
	pid_t pid;

	if (pipe(fds))
		return o;
	fflush(stdout);
	pid = fork();
	if (!pid) {
		close(fds[0]);
		buf = slurp(path, &n);
		while (at < n) {
			size_t len = n - at < 997 ? n - at : 997;
			ssize_t rc = write(fds[1], buf + at, len);

			if (rc <= 0)
				break;
			at += (size_t)rc;
		}
		_exit(0);
	}
	close(fds[1]);
	dup2(fds[0], STDIN_FILENO);
	close(fds[0]);
	o = read_all("-", NULL);
	dup2(keep, STDIN_FILENO);
	close(keep);
	waitpid(pid, NULL, 0);
	return o;
}

static void check_stdin(void)
{
	struct outcome o = read_piped(made("base_pipe"));

	ok(!o.open_rc && !o.next_rc && o.samples == 31 && !o.orphans, "through a pipe");
	o = read_piped(made("base_pipe_be"));
	ok(!o.open_rc && !o.next_rc && o.samples == 31 && !o.orphans, "through a pipe, big-endian");
	o = read_piped(made("base"));
	ok(o.open_rc == -EINVAL && strstr(o.err.hint, "-i"), "a regular recording through a pipe");
	o = read_piped(made("text"));
	ok(o.open_rc == -EINVAL && strstr(o.err.msg, "not a perf.data"), "text through a pipe");
}

/* ---- recordings ---- */

struct expect {
	const char *file;
	uint64_t samples, migrations, switches;
};

/* perf report --stats */
static const struct expect expects[] = {
	{ "6.1-n8-fmt/fmt-threads.data", 12405, 467, 1788 },
	{ "6.1-n8-fmt/fmt-z.data", 10303, 173, 856 },
	{ "6.1-n8-fmt/fmt-zg.data", 11905, 337, 1505 },
	{ "6.1-n8-fmt/fmt-pipe.pdata", 3246, 341, 1377 },
	{ "6.1-n8-fmt/fmt-pipez.pdata", 3308, 194, 1407 },
	{ "6.1-n8-fmt/fmt-mono.data", 12959, 477, 2047 },
	{ "6.1-n8-fmt/fmt-lost.data", 6297, 108, 1015 },
};

static void check_recordings(void)
{
	for (size_t i = 0; i < sizeof(expects) / sizeof(expects[0]); i++) {
		const struct expect *e = &expects[i];
		const char *path = lab(e->file);
		struct perfdata *pd;
		struct outcome o;

		if (!path) {
			skip(e->file, "not in the test data");
			continue;
		}
		o = read_all(path, &pd);
		if (no_zstd(&o)) {
			skip(e->file, "built without zstd");
			perfdata__delete(pd);
			continue;
		}
		ok(!o.open_rc && !o.next_rc, "%s: read to the end", e->file);
		is_int(o.samples, e->samples, "  samples");
		is_int(o.orphans, 0, "  every sample has its event");
		if (!o.open_rc) {
			is_int(count_of(pd, &o, "sched:sched_migrate_task"), e->migrations,
			       "  migrations");
			is_int(count_of(pd, &o, "sched:sched_switch"), e->switches, "  switches");
			is_int(perfdata__nr_warnings(pd), 0, "  no warnings");
		}
		perfdata__delete(pd);
	}
}

/* One stream per CPU: what comes is never older than what safe_time() said. */
static void check_directory(void)
{
	const char *path = lab("6.1-n8-fmt/fmt-threads.data");
	struct perfdata *pd;
	uint64_t done, total;
	struct outcome o;

	if (!path) {
		skip("directory", "not in the test data");
		return;
	}
	o = read_all(path, &pd);
	is_int(o.time_steps_back, 0, "directory: safe_time never steps back");
	is_int(o.unsafe, 0, "  nor is it ever wrong");
	ok(perfdata__safe_time(pd) == UINT64_MAX, "  all is safe at the end");
	perfdata__progress(pd, &done, &total);
	ok(done == total && total > 800000, "  progress");
	perfdata__delete(pd);
	o = read_all(made("base"), &pd);
	is_int(perfdata__safe_time(pd), 0, "one file: nothing is safe");
	perfdata__delete(pd);
}

/* perf report --header-only of the lab's 2 sockets x 2 cores x 2 threads */
static void check_env(void)
{
	const char *path = lab("6.1-n8-fmt/fmt-mono.data");
	const struct perfdata_env *env;
	struct perfdata *pd;

	if (!path) {
		skip("environment", "not in the test data");
		return;
	}
	read_all(path, &pd);
	env = perfdata__env(pd);
	is_str(env->os_release, "6.1.0-57-cloud-amd64", "OSRELEASE");
	is_str(env->perf_version, "6.1.192", "VERSION");
	is_str(env->arch, "x86_64", "ARCH");
	is_str(env->cpuid, "GenuineIntel,15,107,1", "CPUID");
	ok(env->nr_cpus_online == 8 && env->nr_cpus_avail == 8, "NRCPUS");
	is_int(env->total_mem_kb, 1511336, "TOTAL_MEM");
	ok(env->nr_cmdline == 33 && strstr(env->cmdline[0], "perf"), "CMDLINE");
	is_int(env->nr_topo_cpus, 8, "CPU_TOPOLOGY");
	ok(env->nr_core_siblings == 2 && env->nr_thread_siblings == 4 && env->nr_die_siblings == 2,
	   "  siblings");
	ok(env->socket_id[0] == 0 && env->socket_id[7] == 1 && env->die_id[7] == 0 &&
		   env->core_id[0] == env->core_id[1] && env->core_id[1] != env->core_id[2],
	   "  ids");
	ok(env->nr_nodes == 2 && !strcmp(env->nodes[1].cpus, "4-7"), "NUMA_TOPOLOGY");
	ok(env->nr_caches == 22 && env->caches[21].level == 3 &&
		   !strcmp(env->caches[21].size, "16384K") && !strcmp(env->caches[21].map, "4-7"),
	   "CACHE");
	ok(env->first_sample_ns == 71963161916 && env->last_sample_ns == 75714794153, "SAMPLE_"
										      "TIME");
	ok(env->has_clockid && env->clockid == 1, "CLOCK_DATA: clock");
	ok(env->clock_wall_ns == 1796067266961337000 && env->clock_ref_ns == 70697259333, "  "
											  "referenc"
											  "e "
											  "times");
	is_str(env->kernel_build_id, "01d2640d3a13145ee314eb05b155f141b7b7058b", "BUILD_ID");
	ok(env->kernel_text == 0xffffffff81000000, "kernel's text from its MMAP");
	perfdata__delete(pd);
}

static void check_group(void)
{
	const char *path = lab("6.1-n8-fmt/fmt-grp.data");
	struct perfdata *pd;

	if (!path) {
		skip("group", "not in the test data");
		return;
	}
	read_all(path, &pd);
	ok(perfdata__event(pd, 0)->leader == 0 && perfdata__event(pd, 0)->nr_group == 2, "GROUP_"
											 "DESC: "
											 "leader "
											 "of two");
	is_int(perfdata__event(pd, 1)->leader, 0, "  its member");
	is_int(perfdata__event(pd, 2)->leader, -1, "  an event outside");
	is_int(perfdata__event(pd, 0)->nr_ids, 8, "  an id for each CPU");
	is_int(perfdata__event_by_id(pd, perfdata__event(pd, 2)->ids[7]), 2, "  event by id");
	perfdata__delete(pd);
}

/* ---- real files of others ---- */

static void check_public(const char *name, uint64_t samples, int next_rc, const char *part)
{
	struct perfdata *pd;
	struct outcome o;

	if (!shared_data()) {
		skip(name, "MIG_SHARED_DATA is not set");
		return;
	}
	o = read_all(fmt_path("%s/public/%s", shared_data(), name), &pd);
	if (no_zstd(&o))
		skip(name, "built without zstd");
	else if (!ok(!o.open_rc && o.next_rc == next_rc && o.samples == samples && !o.orphans &&
			     strstr(o.err.hint, part),
		     "%s", name))
		printf("#   rc %d %d, %" PRIu64 " samples, %" PRIu64 " orphans, %s\n", o.open_rc,
		       o.next_rc, o.samples, o.orphans, o.err.msg);
	perfdata__delete(pd);
}

static void check_publics(void)
{
#define MSTANGE "mstange__linux-perf-data/tests/fixtures/"
#define QUIPPER "google__perf_data_converter/src/quipper/testdata/perf.data."
	check_public(MSTANGE "fibo.compressed2.pipe.data", 547, 0, "");
	check_public(MSTANGE "sleep.compressed.pipe.data", 8, 0, "");
	check_public(MSTANGE "sleep.compressed2.data", 7, 0, "");
	check_public(MSTANGE "sleep.compressed2.pipe.data", 7, -EINVAL, "2>&1");
	check_public(QUIPPER "i686-3.4", 703, 0, "");
	check_public(QUIPPER "piped.intel_pt-4.14", 11, 0, "");
	check_public(QUIPPER "piped.no_attr_ids-4.14", 7, 0, "");
	check_public(QUIPPER "piped.corrupted.zero_size_sample-3.2", 0, -EINVAL,
		     "before it was read");
	check_public("KDAB__hotspot/tests/integrationtests/file_content/perf.data.true.v1", 0, 0,
		     "");
}

int main(void)
{
	static const char *const same[] = { "base",         "base_be",   "base_pipe",
					    "base_pipe_be", "attr_v0",   "attr_v5",
					    "attr_v8",      "long4",     "no_tracing_data",
					    "no_cpu",       "no_period", "format_field_past" };

	tests__make_dir();
	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		check_base(same[i]);
	check_byte_orders();
	check_counts("only_cache", 20);
	check_counts("only_migrate", 7);
	check_counts("no_samples", 0);
	check_counts("no_rounds", 80);
	check_counts("time_zero_and_max", 3);
	check_damaged();
	check_stdin();
	check_recordings();
	check_directory();
	check_env();
	check_group();
	check_publics();
	tests__remove_dir();
	return done_testing();
}
