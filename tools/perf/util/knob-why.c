// SPDX-License-Identifier: GPL-2.0
/*
 * knob-why: why a knob cannot be used, from what can be seen of the machine.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "err.h"
#include "knob.h"

#define INSTEAD "place, cpu.weight, cpuset, nice, policy, autogroup, thp need no debugfs"

static bool in_debugfs(const char *root, const char *path)
{
	size_t len = strlen(root);

	return !strncmp(path, root, len) && !strncmp(path + len, "/sys/kernel/debug/", 18);
}

/* Is there nothing in the folder that debugfs is mounted on? */
static bool no_debugfs(const char *root)
{
	char path[PATH_MAX];
	struct dirent *ent;
	int nr = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/sys/kernel/debug", root);
	dir = opendir(path);
	while (dir && (ent = readdir(dir)))
		nr += *ent->d_name != '.';
	if (dir)
		closedir(dir);
	return !nr;
}

/* The word in brackets of the lockdown file: "integrity"; NULL where there is no lockdown. */
static char *lockdown(const char *root)
{
	char path[PATH_MAX], *word = NULL;

	snprintf(path, sizeof(path), "%s/sys/kernel/security/lockdown", root);
	if (knob_place__read(path, KNOB_CHOICE, &word, NULL))
		return NULL;
	if (strcmp(word, "none"))
		return word;
	free(word);
	return NULL;
}

static int not_there(const char *root, const char *name, const char *path, struct mig_err *err)
{
	if (in_debugfs(root, path) && no_debugfs(root)) {
		mig_err__set(err, -ENOENT, "%s: debugfs is not mounted here", name);
		return mig_err__hint(
			err,
			"mount -t debugfs none /sys/kernel/debug; or sweep something else: " INSTEAD);
	}
	mig_err__set(err, -ENOENT, "%s: this kernel has no %s", name, path);
	if (!strncmp(name, "domain.", 7))
		return mig_err__hint(err, "sched domains show after: echo Y "
					  ">/sys/kernel/debug/sched/verbose");
	return mig_err__hint(err, "perf migstat sweep --list shows what this kernel has");
}

static int not_permitted(const char *root, const char *name, const char *path, struct mig_err *err)
{
	char *word = lockdown(root);

	if (word)
		mig_err__set(err, -EPERM, "%s: %s is closed by lockdown=%s", name, path, word);
	else
		mig_err__set(err, -EPERM, "%s: %s: not permitted%s", name, path,
			     !geteuid() && in_debugfs(root, path) ? ", probably kernel lockdown"
								  : "");
	free(word);
	return geteuid() && !word
		       ? mig_err__hint(err, "run it as root")
		       : mig_err__hint(
				 err,
				 "boot without lockdown and Secure Boot, or sweep something else: " INSTEAD);
}

int knob__why(const char *root, const char *name, const char *path, int code, struct mig_err *err)
{
	struct stat st;

	if (code == -ENOENT || code == -ENOTDIR)
		return not_there(root, name, path, err);
	if (code == -EPERM)
		return not_permitted(root, name, path, err);
	if (code == -EACCES && !stat(path, &st) && !(st.st_mode & 0222)) {
		mig_err__set(err, code, "%s: %s is read-only in this kernel", name, path);
		return mig_err__hint(err, "perf migstat sweep --list shows what can be set");
	}
	mig_err__set(err, code, "%s: %s: %s", name, path, strerror(-code));
	if (code == -EACCES)
		return mig_err__hint(err, "run it as root");
	if (code == -EROFS)
		return mig_err__hint(err, "it is mounted read-only: run it outside of the "
					  "container, or remount it");
	return code;
}
