// SPDX-License-Identifier: GPL-2.0
/*
 * symbol, where to look: a named kallsyms, --symfs, the build-id cache, the running kernel. What
 * was tried and why it did not serve is collected for the error.
 */
#include "symbol-int.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "err.h"
#include "symbol.h"

#define PROC_KALLSYMS "/proc/kallsyms"

struct search {
	const struct symtab_source *src;
	struct symtab *st;
	char tried[768]; /* ", PATH (why not)" ... */
	bool hidden; /* addresses were 0 */
};

static void search__note(struct search *search, const char *path, const char *why)
{
	size_t len = strlen(search->tried);

	snprintf(search->tried + len, sizeof(search->tried) - len, "%s%s%s%s%s", len ? ", " : "",
		 path, why ? " (" : "", why ? why : "", why ? ")" : "");
}

static const char *load__why(int ret)
{
	switch (ret) {
	case -ENOENT:
	case -ENOTDIR:
		return NULL;
	case -EACCES:
		return "not readable";
	case -EINVAL:
		return "no symbols in it";
	case -ESTALE:
		return "of another build";
	default:
		return strerror(-ret);
	}
}

/* The KASLR offset between this boot's symbols and the recording's. Modules move on their own. */
static void symtab__relocate(struct symtab *st, uint64_t kernel_text)
{
	uint64_t base = st->text ? st->text : st->stext;
	size_t nr = 0;

	if (!kernel_text || !base || kernel_text == st->text || kernel_text == st->stext)
		return;
	/* the kernel moves by pages; anything else is no such address */
	if ((kernel_text - base) & 0xfff)
		return;
	st->shift = kernel_text - base;
	for (size_t i = 0; i < st->nr; i++) {
		if (!st->syms[i].module)
			st->syms[nr++] = st->syms[i];
	}
	st->nr = nr;
}

/* Loads path into a table. 0, else the errno of the loader; search->st stays NULL then. */
static int search__load(struct search *search, const char *path)
{
	struct symtab *st = calloc(1, sizeof(*st));
	int ret = -ENOMEM;

	if (st)
		st->origin = strdup(path);
	if (st && st->origin)
		ret = elf__is(path) ? symtab__load_elf(st, path, search->src->build_id)
				    : symtab__load_kallsyms(st, path);
	if (ret) {
		symtab__delete(st);
		return ret;
	}
	symtab__relocate(st, search->src->kernel_text);
	search->st = st;
	return 0;
}

/* One of several places: a failure is noted. true = found, or no use to go on (*ret_err). */
__attribute__((format(printf, 3, 4))) static bool search__try(struct search *search, int *ret_err,
							      const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	if (len < 0 || (size_t)len >= sizeof(path))
		return false;
	*ret_err = search__load(search, path);
	if (*ret_err && *ret_err != -ENOMEM)
		search__note(search, path, load__why(*ret_err));
	return !*ret_err || *ret_err == -ENOMEM;
}

static bool search__symfs(struct search *search, int *ret_err)
{
	const char *dir = search->src->symfs, *rel = search->src->os_release;

	if (!dir)
		return false;
	if (search__try(search, ret_err, "%s/vmlinux", dir))
		return true;
	if (!rel)
		return false;
	return search__try(search, ret_err, "%s/boot/vmlinux-%s", dir, rel) ||
	       search__try(search, ret_err, "%s/usr/lib/debug/boot/vmlinux-%s", dir, rel) ||
	       search__try(search, ret_err, "%s/usr/lib/debug/lib/modules/%s/vmlinux", dir, rel);
}

static bool search__buildid_cache(struct search *search, int *ret_err)
{
	const char *dir = search->src->buildid_dir, *id = search->src->build_id;
	static const char *const files[] = { "kallsyms", "elf", "vmlinux" };

	if (!dir || !id || strlen(id) < 3)
		return false;
	if (search__try(search, ret_err, "%s/[kernel.kallsyms]/%s/kallsyms", dir, id))
		return true;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (search__try(search, ret_err, "%s/.build-id/%.2s/%s/%s", dir, id, id + 2,
				files[i]))
			return true;
	}
	return false;
}

static bool running__build_id(char ret_hex[BUILD_ID_HEX])
{
	int fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);
	char buf[4096];
	ssize_t len;

	if (fd < 0)
		return false;
	len = read(fd, buf, sizeof(buf));
	close(fd);
	return len > 0 && notes__build_id(buf, len, ret_hex);
}

/* Was it this kernel that was recorded? A release alone will do where a build id is missing. */
static bool source__is_running(const struct symtab_source *src)
{
	char build_id[BUILD_ID_HEX];
	struct utsname uts;

	if (src->build_id && running__build_id(build_id))
		return !strcmp(build_id, src->build_id);
	return src->os_release && !uname(&uts) && !strcmp(uts.release, src->os_release);
}

static bool search__running(struct search *search, int *ret_err)
{
	if (!source__is_running(search->src)) {
		search__note(search, PROC_KALLSYMS, "another kernel was recorded");
		return false;
	}
	*ret_err = search__load(search, PROC_KALLSYMS);
	if (!*ret_err || *ret_err == -ENOMEM)
		return true;
	search->hidden = *ret_err == -EACCES;
	search__note(search, PROC_KALLSYMS,
		     search->hidden ? "addresses hidden by kptr_restrict" : load__why(*ret_err));
	return false;
}

static int hint__kptr(struct mig_err *err)
{
	return mig_err__hint(err, "as root: sysctl kernel.kptr_restrict=0, or save /proc/kallsyms "
				  "as root and pass it with --kallsyms FILE");
}

static int search__named(struct search *search, struct mig_err *err)
{
	const char *path = search->src->kallsyms;
	int ret = search__load(search, path);

	if (!ret || ret == -ENOMEM)
		return ret;
	if (ret == -EACCES && !access(path, R_OK)) {
		mig_err__set(err, ret, "%s: all addresses are 0 (kernel.kptr_restrict)", path);
		hint__kptr(err);
	} else if (ret == -EINVAL) {
		mig_err__set(err, ret, "%s: holds no kernel functions", path);
		mig_err__hint(err, "--kallsyms takes a copy of /proc/kallsyms (plain or gzip) or "
				   "a vmlinux");
	} else if (ret == -ESTALE) {
		mig_err__set(err, ret, "%s: is of another build than the recorded kernel", path);
		mig_err__hint(err, "take the file of the recorded kernel, build id %s",
			      search->src->build_id);
	} else {
		const char *why = strerror(-ret);

		/* -ENOENT is for "found nothing", with which the caller goes on */
		ret = ret == -ENOENT ? -EINVAL : ret;
		mig_err__set(err, ret, "%s: %s", path, why);
		mig_err__hint(err, "--kallsyms needs a readable copy of the recorded machine's "
				   "/proc/kallsyms");
	}
	return ret;
}

int symtab__new(const struct symtab_source *src, struct symtab **ret_st, struct mig_err *err)
{
	struct search search = { .src = src };
	int ret = 0;

	*ret_st = NULL;
	if (src->kallsyms) {
		ret = search__named(&search, err);
	} else if (!search__symfs(&search, &ret) && !search__buildid_cache(&search, &ret) &&
		   !search__running(&search, &ret)) {
		ret = -ENOENT;
		mig_err__set(err, ret, "no kernel symbols%s%s; tried %s",
			     src->os_release ? " of " : "", src->os_release ? src->os_release : "",
			     search.tried);
		if (search.hidden)
			hint__kptr(err);
		else
			mig_err__hint(err, "copy /proc/kallsyms of the recorded machine (as root) "
					   "and pass it with --kallsyms FILE");
	}
	if (ret == -ENOMEM)
		mig_err__set(err, ret, "out of memory for the kernel's symbols");
	*ret_st = search.st;
	return ret;
}
