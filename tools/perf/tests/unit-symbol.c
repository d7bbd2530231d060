// SPDX-License-Identifier: GPL-2.0
/*
 * unit-symbol: kernel functions by address. Small kallsyms texts are written by the test; the ELF
 * loader reads the test's own symbol table, relocated like that of a kernel with KASLR.
 */
#include "tests.h"
#include "err.h"
#include "symbol.h"

#include <errno.h>
#include <glob.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

static char tmp[] = "/tmp/unit-symbol-XXXXXX";

/* Path below the test's directory; valid until the fourth call from here. */
static const char *in_tmp(const char *name)
{
	static char paths[4][4096];
	static int next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", tmp, name);
	return path;
}

static const char *write_file(const char *name, const char *text)
{
	const char *path = in_tmp(name);
	FILE *fp = fopen(path, "w");

	if (!fp || fputs(text, fp) < 0 || fclose(fp))
		printf("Bail out! cannot write %s\n", path);
	return path;
}

static const char text[] = "0000000000000000 A fixed_percpu_data\n"
			   "0000000000000018 a some_offset\n"
			   "ffffffff81000000 T _stext\n"
			   "ffffffff81000000 T _text\n"
			   "ffffffff81000000 t early_setup\n"
			   "ffffffff81000100 T __pfx_first\n"
			   "ffffffff81000110 T first\n"
			   "ffffffff81000200 t second.isra.0\n"
			   "ffffffff81000300 t third.constprop.0.isra.0\n"
			   "ffffffff81000400 t fourth.part.0.cold\n"
			   "ffffffff81000500 W weak_alias\n"
			   "ffffffff81000500 T strong\n"
			   "ffffffff81000500 T __strong\n"
			   "ffffffff81000600 T __softirqentry_text_start\n"
			   "ffffffff81000600 T __do_softirq\n"
			   "ffffffff81000700 t .Lxyz\n"
			   "ffffffff81000700 t $x\n"
			   "this is no line of a kallsyms\n"
			   "ffffffff81000780 D some_data\n"
			   "ffffffff81000800 T last\n"
			   "ffffffffc0001000 t in_module\t[mod]\n"
			   "ffffffffc0000f00 t earlier_in_module\t[mod]";

static int load(const char *kallsyms, uint64_t kernel_text, struct symtab **st, struct mig_err *err)
{
	struct symtab_source src = { .kallsyms = kallsyms, .kernel_text = kernel_text };

	return symtab__new(&src, st, err);
}

static void check_names(const struct symtab *st, uint64_t shift)
{
	static const struct {
		uint64_t addr;
		const char *want;
	} cases[] = {
		{ 0, NULL },
		{ 0x18, NULL },
		{ 0x401000, NULL },
		{ 0x7ffff7a00000, NULL },
		{ 0xffffffff80ffffff, NULL },
		{ 0xffffffff81000000, "early_setup" },
		{ 0xffffffff8100010f, "early_setup" },
		{ 0xffffffff81000110, "first" },
		{ 0xffffffff810001ff, "first" },
		{ 0xffffffff81000200, "second" },
		{ 0xffffffff81000300, "third" },
		{ 0xffffffff81000400, "fourth" },
		{ 0xffffffff81000500, "strong" },
		{ 0xffffffff81000601, "__do_softirq" },
		{ 0xffffffff81000700, "__do_softirq" },
		{ 0xffffffff81000800, "last" },
		{ 0xffffffff81100800, "last" },
		{ 0xffffffff81100801, NULL },
		{ 0xffffffffbfff0000, NULL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char name[64];

		snprintf(name, sizeof(name), "name of %" PRIx64, cases[i].addr);
		is_str(symtab__name(st, cases[i].addr + (cases[i].want ? shift : 0)), cases[i].want,
		       name);
	}
}

static void test_kallsyms(void)
{
	const char *path = write_file("kallsyms", text);
	struct symtab *st;
	struct mig_err err = { 0 };

	is_int(load(path, 0, &st, &err), 0, "a plain kallsyms");
	check_names(st, 0);
	is_str(symtab__name(st, 0xffffffffc0000fff), "earlier_in_module", "modules are sorted in");
	is_str(symtab__name(st, 0xffffffffc0001000), "in_module", "without the module's name");
	is_str(symtab__name(st, UINT64_MAX), NULL, "the last address");
	is_str(symtab__origin(st), path, "where it came from");
	ok(symtab__has(st, "first") && symtab__has(st, "second"), "has what it has");
	ok(!symtab__has(st, "firs") && !symtab__has(st, "some_data"), "and not what it has not");
	symtab__delete(st);
	is_int(load(path, 0xffffffff81000000, &st, &err), 0, "the same boot");
	check_names(st, 0);
	symtab__delete(st);
	is_int(load(path, 0xffffffff81000123, &st, &err), 0, "a start that is no page");
	check_names(st, 0);
	symtab__delete(st);
	is_int(load(path, 0xffffffff9a200000, &st, &err), 0, "another boot, KASLR");
	check_names(st, 0x19200000);
	is_str(symtab__name(st, 0xffffffffc0001000), NULL, "modules moved on their own");
	is_str(symtab__name(st, 0xffffffffd9201000), NULL, "not with the kernel");
	symtab__delete(st);
	is_int(load(path, 0xffffffff80200000, &st, &err), 0, "another boot, to a lower address");
	check_names(st, -0xe00000ULL);
	symtab__delete(st);
	is_str(symtab__name(NULL, 0xffffffff81000110), NULL, "no table, no name");
	ok(!symtab__has(NULL, "first"), "nor a function");
	symtab__delete(NULL);
}

static void test_gzip(void)
{
	const char *path = in_tmp("kallsyms.gz");
	gzFile file = gzopen(path, "wb");
	struct mig_err err = { 0 };
	struct symtab *st;
	struct stat stat_buf;

	gzwrite(file, text, strlen(text));
	gzclose(file);
	is_int(load(path, 0, &st, &err), 0, "a gzip kallsyms");
	check_names(st, 0);
	symtab__delete(st);
	if (stat(path, &stat_buf) || truncate(path, stat_buf.st_size - 20))
		printf("Bail out! cannot truncate\n");
	ok(load(path, 0, &st, &err) < 0 && !st, "a cut one is refused: %s", err.msg);
}

static void test_bad(void)
{
	static const char hidden[] = "0000000000000000 T _stext\n"
				     "0000000000000000 T first\n"
				     "0000000000000000 t second\t[mod]\n";
	char *long_line = malloc(400001);
	struct mig_err err = { 0 };
	struct symtab *st;
	const char *path;

	is_int(load(write_file("hidden", hidden), 0, &st, &err), -EACCES, "kptr_restrict");
	ok(strstr(err.msg, "kptr_restrict") && strstr(err.hint, "--kallsyms"), "is said: %s: %s",
	   err.msg, err.hint);
	is_int(load(write_file("empty", ""), 0, &st, &err), -EINVAL, "an empty file");
	ok(*err.hint && !st, "has a hint");
	is_int(load(write_file("binary", "\001\002\003 T x\n\n \n"), 0, &st, &err), -EINVAL,
	       "no kallsyms");
	is_int(load(write_file("elf", "\177ELFnot really"), 0, &st, &err), -EINVAL, "no real ELF");
	is_int(load(in_tmp("missing"), 0, &st, &err), -EINVAL, "a missing file is not ENOENT");
	ok(strstr(err.msg, "No such file"), "it is said: %s", err.msg);
	ok(load(tmp, 0, &st, NULL) < 0, "a directory");
	memset(long_line, 'a', 400000);
	long_line[400000] = '\0';
	is_int(load(write_file("long", long_line), 0, &st, &err), -EINVAL, "an endless line");
	free(long_line);
	path = write_file("data", "ffffffff81000000 D data\nffffffff81000000 b bss\n");
	is_int(load(path, 0, &st, &err), -EINVAL, "data only");
	if (geteuid()) {
		path = write_file("secret", text);
		chmod(path, 0);
		is_int(load(path, 0, &st, &err), -EACCES, "an unreadable file");
		ok(!strstr(err.msg, "kptr"), "is not kptr_restrict");
	} else {
		skip("an unreadable file", "root reads everything");
	}
}

/* Names the ELF loader must find in this very program. */
__attribute__((used, noinline)) static void _text(void)
{
	__asm__ volatile("");
}

__attribute__((used, noinline)) static int unit_symbol_marker(int arg)
{
	__asm__ volatile("" : "+r"(arg));
	return arg;
}

static void test_elf(void)
{
	struct symtab_source src = { .kernel_text = (uintptr_t)&_text };
	struct mig_err err = { 0 };
	struct symtab *st;
	char exe[4096] = "";

	if (readlink("/proc/self/exe", exe, sizeof(exe) - 1) < 0) {
		skip("a vmlinux", "no /proc/self/exe");
		return;
	}
	mkdir(in_tmp("symfs"), 0700);
	mkdir(in_tmp("symfs/boot"), 0700);
	if (symlink(exe, in_tmp("symfs/boot/vmlinux-1.2.3"))) {
		skip("a vmlinux", "no symbolic links here");
		return;
	}
	src.symfs = in_tmp("symfs");
	src.os_release = "1.2.3";
	is_int(symtab__new(&src, &st, &err), 0, "boot/vmlinux-REL below symfs");
	is_str(symtab__name(st, (uintptr_t)&unit_symbol_marker), "unit_symbol_marker",
	       "a function");
	is_str(symtab__name(st, (uintptr_t)&unit_symbol_marker + 1), "unit_symbol_marker",
	       "inside");
	is_str(symtab__name(st, (uintptr_t)&_text - 0x10000000), NULL, "outside");
	ok(symtab__has(st, "main") && !symtab__has(st, "tmp"), "functions, not data");
	ok(strstr(symtab__origin(st), "symfs/boot/vmlinux-1.2.3"), "where it came from");
	symtab__delete(st);
	src.build_id = "00112233445566778899aabbccddeeff00112233";
	is_int(symtab__new(&src, &st, &err), -ENOENT, "a vmlinux of another build");
	ok(strstr(err.msg, "of another build"), "is not taken: %s", err.msg);
	src.build_id = NULL;
	src.os_release = "1.2.4";
	is_int(symtab__new(&src, &st, &err), -ENOENT, "no vmlinux of this release");
	ok(strstr(err.msg, "1.2.4") && strstr(err.msg, "symfs/vmlinux") &&
		   strstr(err.hint, "--kallsyms"),
	   "says where it looked: %s", err.msg);
	is_int(load(exe, (uintptr_t)&_text, &st, &err), 0, "an ELF file as kallsyms");
	is_str(symtab__name(st, (uintptr_t)&unit_symbol_marker), "unit_symbol_marker",
	       "its function");
	symtab__delete(st);
}

static void test_buildid_cache(void)
{
	struct symtab_source src = { .build_id = "abcdef0123456789", .os_release = "1.2.3" };
	struct mig_err err = { 0 };
	struct symtab *st;

	mkdir(in_tmp("debug"), 0700);
	src.buildid_dir = in_tmp("debug");
	is_int(symtab__new(&src, &st, &err), -ENOENT, "an empty cache");
	mkdir(in_tmp("debug/.build-id"), 0700);
	mkdir(in_tmp("debug/.build-id/ab"), 0700);
	mkdir(in_tmp("debug/.build-id/ab/cdef0123456789"), 0700);
	write_file("debug/.build-id/ab/cdef0123456789/kallsyms", text);
	src.buildid_dir = in_tmp("debug");
	is_int(symtab__new(&src, &st, &err), 0, "by .build-id");
	check_names(st, 0);
	symtab__delete(st);
	mkdir(in_tmp("debug/[kernel.kallsyms]"), 0700);
	mkdir(in_tmp("debug/[kernel.kallsyms]/abcdef0123456789"), 0700);
	write_file("debug/[kernel.kallsyms]/abcdef0123456789/kallsyms", text);
	src.buildid_dir = in_tmp("debug");
	is_int(symtab__new(&src, &st, &err), 0, "by [kernel.kallsyms]");
	ok(strstr(symtab__origin(st), "[kernel.kallsyms]"), "comes first");
	symtab__delete(st);
}

static void test_running(void)
{
	struct mig_err err = { 0 };
	struct symtab_source src = { .os_release = "0.0.0" };
	struct utsname uts;
	struct symtab *st;
	int ret;

	is_int(symtab__new(&src, &st, &err), -ENOENT, "another kernel than the running one");
	ok(strstr(err.msg, "another kernel"), "is said: %s", err.msg);
	src.os_release = NULL;
	is_int(symtab__new(&src, &st, &err), -ENOENT, "an unknown kernel is not the running one");
	uname(&uts);
	src.os_release = uts.release;
	ret = symtab__new(&src, &st, &err);
	if (ret) {
		skip("/proc/kallsyms", err.msg);
		ok(ret == -ENOENT && *err.hint, "with a hint: %s", err.hint);
		return;
	}
	is_str(symtab__origin(st), "/proc/kallsyms", "the running kernel");
	ok(symtab__has(st, "try_to_wake_up"), "knows try_to_wake_up");
	symtab__delete(st);
}

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec * 1e3 + ts.tv_nsec / 1e6;
}

static void test_real(void)
{
	char pattern[4096];
	glob_t found;

	if (!shared_data()) {
		skip("kallsyms of real kernels", "MIG_SHARED_DATA is not set");
		return;
	}
	snprintf(pattern, sizeof(pattern), "%s/lab*/*/kallsyms.gz", shared_data());
	if (glob(pattern, 0, NULL, &found)) {
		skip("kallsyms of real kernels", "none there");
		return;
	}
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct mig_err err = { 0 };
		struct symtab *st;
		double ms = now_ms();
		int ret = load(found.gl_pathv[i], 0, &st, &err);

		ms = now_ms() - ms;
		if (!ok(!ret, "%s in %.1f ms %s", found.gl_pathv[i], ms, err.msg))
			continue;
		ok(symtab__has(st, "try_to_wake_up") && symtab__has(st, "__wake_up_sync_key") &&
			   !symtab__has(st, "runqueues"),
		   "functions, not data");
		symtab__delete(st);
	}
	globfree(&found);
}

static void clean_up(void)
{
	char cmd[sizeof(tmp) + 16];

	snprintf(cmd, sizeof(cmd), "rm -rf %s", tmp);
	if (system(cmd))
		printf("# %s is left\n", tmp);
}

int main(void)
{
	if (!mkdtemp(tmp)) {
		printf("Bail out! no temporary directory\n");
		return 1;
	}
	test_kallsyms();
	test_gzip();
	test_bad();
	test_elf();
	test_buildid_cache();
	test_running();
	test_real();
	clean_up();
	return done_testing();
}
