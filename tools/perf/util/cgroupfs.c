// SPDX-License-Identifier: GPL-2.0
#include "cgroupfs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "err.h"

enum { TRIES = 200 }; /* of 10 ms, until the last task of a cgroup is gone */

static int put(const char *dir, const char *file, const char *text, struct mig_err *err)
{
	char path[PATH_MAX];
	int fd, code = 0;
	size_t len = strlen(text);

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, text, len) != (ssize_t)len)
		code = errno ? -errno : -EIO;
	if (fd >= 0)
		close(fd);
	return code ? mig_err__set(err, code, "%s: cannot write '%s': %s", path, text,
				   strerror(-code))
		    : 0;
}

/* The first line, without its end; "" if it cannot be read. */
static void get(const char *dir, const char *file, char *buf, size_t size)
{
	char path[PATH_MAX];
	FILE *f;

	*buf = '\0';
	snprintf(path, sizeof(path), "%s/%s", dir, file);
	f = fopen(path, "re");
	if (f && !fgets(buf, (int)size, f))
		*buf = '\0';
	if (f)
		fclose(f);
	buf[strcspn(buf, "\n")] = '\0';
}

/* file: cgroup.controllers or cgroup.subtree_control */
static bool has_controller(const char *dir, const char *file, const char *controller)
{
	char list[512], *save, *word;

	get(dir, file, list, sizeof(list));
	for (word = strtok_r(list, " ", &save); word; word = strtok_r(NULL, " ", &save))
		if (!strcmp(word, controller))
			return true;
	return false;
}

int cgroupfs__find(struct cgroupfs *c, const char *controller, struct mig_err *err)
{
	FILE *f = setmntent("/proc/self/mounts", "re");
	struct mntent *m;

	*c = (struct cgroupfs){ 0 };
	while (f && !c->parent && (m = getmntent(f))) {
		c->v2 = !strcmp(m->mnt_type, "cgroup2");
		if (c->v2 ? has_controller(m->mnt_dir, "cgroup.controllers", controller)
			  : !strcmp(m->mnt_type, "cgroup") && hasmntopt(m, controller))
			c->parent = strdup(m->mnt_dir);
	}
	if (f)
		endmntent(f);
	if (!c->parent) {
		mig_err__set(err, -ENOENT, "no cgroup file system with the controller %s",
			     controller);
		return mig_err__hint(err, "mount -t cgroup2 none /sys/fs/cgroup; or use nice, "
					  "policy, place");
	}
	if (asprintf(&c->dir, "%s/migstat-sweep", c->parent) < 0) {
		c->dir = NULL;
		return mig_err__set(err, -ENOMEM, "out of memory");
	}
	return 0;
}

void cgroupfs__exit(struct cgroupfs *c)
{
	free(c->dir);
	free(c->parent);
	*c = (struct cgroupfs){ 0 };
}

int cgroupfs__make(const struct cgroupfs *c, const char *controller, struct mig_err *err)
{
	char text[512];
	int code;

	if (c->v2 && !has_controller(c->parent, "cgroup.subtree_control", controller)) {
		mig_err__set(err, -ENOENT, "%s/cgroup.subtree_control: %s is off", c->parent,
			     controller);
		return mig_err__hint(err, "echo +%s >%s/cgroup.subtree_control", controller,
				     c->parent);
	}
	if (mkdir(c->dir, 0755) && errno != EEXIST) {
		code = -errno;
		mig_err__set(err, code, "%s: %s", c->dir, strerror(-code));
		return mig_err__hint(err, code == -EACCES ? "run it as root"
							  : "cgroups cannot be made here; use "
							    "nice, policy, place");
	}
	if (strcmp(controller, "cpuset") || c->v2)
		return 0;
	/* v1 takes no task before both are set */
	get(c->parent, "cpuset.mems", text, sizeof(text));
	code = put(c->dir, "cpuset.mems", text, err);
	get(c->parent, "cpuset.cpus", text, sizeof(text));
	return code ? code : put(c->dir, "cpuset.cpus", text, err);
}

static int bad(const char *what, const char *value, const char *want, struct mig_err *err)
{
	return mig_err__usage(err, "--set %s=%s: use %s", what, value, want);
}

static int set_weight(const struct cgroupfs *c, const char *value, struct mig_err *err)
{
	char text[32], *end;
	long weight = strtol(value, &end, 10);

	if (*end || weight < 1 || weight > 10000)
		return bad("cpu.weight", value, "1 to 10000", err);
	/* weight 100 is 1024 shares; the least are 2 */
	snprintf(text, sizeof(text), "%ld",
		 c->v2                     ? weight
		 : weight * 1024 / 100 < 2 ? 2
					   : weight * 1024 / 100);
	return put(c->dir, c->v2 ? "cpu.weight" : "cpu.shares", text, err);
}

static int set_max(const struct cgroupfs *c, const char *value, struct mig_err *err)
{
	long quota = -1, period = 100000;
	char text[64], *end = "";
	int rc;

	if (strcmp(value, "max")) {
		quota = strtol(value, &end, 10);
		if (*end == '%') {
			quota *= period / 100;
			end++;
		} else if (*end == '/') {
			period = strtol(end + 1, &end, 10);
		}
		if (*end || quota < 1000 || period < 1000 || period > 1000000)
			return bad("cpu.max", value,
				   "max, PERCENT% of one CPU, or QUOTA/PERIOD in us", err);
	}
	if (c->v2) {
		if (quota < 0)
			return put(c->dir, "cpu.max", "max 100000", err);
		snprintf(text, sizeof(text), "%ld %ld", quota, period);
		return put(c->dir, "cpu.max", text, err);
	}
	snprintf(text, sizeof(text), "%ld", period);
	rc = put(c->dir, "cpu.cfs_period_us", text, err);
	snprintf(text, sizeof(text), "%ld", quota);
	return rc ? rc : put(c->dir, "cpu.cfs_quota_us", text, err);
}

int cgroupfs__set(const struct cgroupfs *c, const char *what, const char *value,
		  struct mig_err *err)
{
	if (!strcmp(what, "cpu.weight"))
		return set_weight(c, value, err);
	if (!strcmp(what, "cpu.max"))
		return set_max(c, value, err);
	return put(c->dir, "cpuset.cpus", value, err);
}

/* The tasks of a cgroup go to its parent. */
static void empty(const char *dir)
{
	char path[PATH_MAX], pid[32];
	FILE *f;

	snprintf(path, sizeof(path), "%s/cgroup.procs", dir);
	f = fopen(path, "re");
	snprintf(path, sizeof(path), "%s/..", dir);
	while (f && fgets(pid, sizeof(pid), f)) {
		pid[strcspn(pid, "\n")] = '\0';
		put(path, "cgroup.procs", pid, NULL);
	}
	if (f)
		fclose(f);
}

int cgroupfs__remove(const char *dir, struct mig_err *err)
{
	for (int i = 0; i < TRIES; i++) {
		if (!rmdir(dir) || errno == ENOENT)
			return 0;
		if (errno != EBUSY)
			break;
		empty(dir);
		usleep(10000); /* tasks that are just exiting are in it still */
	}
	return mig_err__set(err, -errno, "%s: %s", dir, strerror(errno));
}
