// SPDX-License-Identifier: GPL-2.0
#include "workload.h"
#include "argv.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char marker_pids[] = "--wait-pids", marker_any[] = "--workload";

static const struct {
	const char *word;
	size_t offset;
} filters[] = {
	{ "--filter-pid", offsetof(struct workload, pids) },
	{ "--filter-tid", offsetof(struct workload, tids) },
	{ "--filter-uid", offsetof(struct workload, uids) },
	{ "--filter-user-pid", offsetof(struct workload, user_pids) },
	{ "--filter-cgroup", offsetof(struct workload, cgroups) },
};

enum { NR_FILTERS = sizeof(filters) / sizeof(filters[0]) };

static const char **filter_at(struct workload *w, int i)
{
	return (const char **)((char *)w + filters[i].offset);
}

int workload__is_marker(const char *word)
{
	return !strcmp(word, marker_pids) || !strcmp(word, marker_any);
}

static bool is_self(const char *word)
{
	const char *base = strrchr(word, '/');

	return !strncmp(base ? base + 1 : word, "perf-migstat", 12);
}

/* argv[0] is the marker. */
static int parse_words(const char *const *argv, int n, struct workload *w)
{
	int i = 1, f;

	if (!strcmp(argv[0], marker_pids)) {
		if (n < 2)
			return -EINVAL;
		w->pids = argv[1];
		return n == 2 ? 1 : -EINVAL;
	}
	while (i < n && strcmp(argv[i], "--")) {
		for (f = 0; f < NR_FILTERS && strcmp(argv[i], filters[f].word); f++)
			;
		if (f == NR_FILTERS || i + 1 == n)
			return -EINVAL;
		*filter_at(w, f) = argv[i + 1];
		i += 2;
	}
	if (i < n) { /* the "--" */
		w->nr_command = n - i - 1;
		w->command = argv + i + 1;
		if (!w->nr_command)
			return -EINVAL;
	}
	return 1;
}

int workload__parse(const char *const *argv, int n, struct workload *ret)
{
	int rc;

	memset(ret, 0, sizeof(*ret));
	for (int i = 0; i + 1 < n; i++) {
		if (!is_self(argv[i]) || !workload__is_marker(argv[i + 1]))
			continue;
		if (i > 0 && strcmp(argv[i - 1], "--"))
			continue;
		rc = parse_words(argv + i + 1, n - i - 1, ret);
		if (rc < 0)
			memset(ret, 0, sizeof(*ret));
		return rc;
	}
	return 0;
}

void workload__format(const struct workload *w, const char *self, struct argv *line)
{
	struct workload copy = *w;

	argv__add(line, self);
	if (w->pids && !w->tids && !w->uids && !w->user_pids && !w->cgroups && !w->command) {
		argv__add(line, marker_pids);
		argv__add(line, w->pids);
		return;
	}
	argv__add(line, marker_any);
	for (int f = 0; f < NR_FILTERS; f++) {
		if (!*filter_at(&copy, f))
			continue;
		argv__add(line, filters[f].word);
		argv__add(line, *filter_at(&copy, f));
	}
	if (w->command) {
		argv__add(line, "--");
		for (int i = 0; i < w->nr_command; i++)
			argv__add(line, w->command[i]);
	}
}

static bool in_list(const char *list, unsigned long id)
{
	char *end;

	while (*list) {
		if (strtoul(list, &end, 10) == id && end != list)
			return true;
		list = *end ? end + 1 : end;
	}
	return false;
}

/* The effective user of a process; false if it is gone. */
static bool user_of(const char *pid, unsigned long *ret_uid)
{
	char path[300], line[256];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%s/status", pid);
	f = fopen(path, "re");
	if (!f)
		return false;
	while (!found && fgets(line, sizeof(line), f))
		found = sscanf(line, "Uid: %*u %lu", ret_uid) == 1;
	fclose(f);
	return found;
}

int workload__find_users(const char *uids, char **ret_pids)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	unsigned long uid;
	size_t size;
	FILE *out;
	int nr = 0;

	if (!proc)
		return -errno;
	out = open_memstream(ret_pids, &size);
	if (!out) {
		closedir(proc);
		return -ENOMEM;
	}
	while ((entry = readdir(proc))) {
		if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
			continue;
		if (user_of(entry->d_name, &uid) && in_list(uids, uid))
			fprintf(out, "%s%s", nr++ ? "," : "", entry->d_name);
	}
	closedir(proc);
	return fclose(out) ? -ENOMEM : 0;
}

/* Waits ms (-1: for ever) for fd (-1: none) with all signals let in. */
static int wait_on(int fd, int ms)
{
	struct timespec ts = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };
	struct pollfd p = { .fd = fd, .events = POLLIN };
	sigset_t none;

	sigemptyset(&none);
	return ppoll(&p, 1, ms < 0 ? NULL : &ts, &none) < 0 ? -errno : 0;
}

/* A descriptor that becomes readable when the task exits; -1 = gone; -2 = this kernel has none. */
static int task_fd(pid_t tid)
{
	int fd = syscall(SYS_pidfd_open, tid, O_EXCL); /* PIDFD_THREAD, 6.9 */

	if (fd < 0 && errno == EINVAL)
		fd = syscall(SYS_pidfd_open, tid, 0);
	if (fd >= 0)
		return fd;
	return errno == ESRCH ? -1 : -2;
}

/* Without a descriptor for it: looks four times a second. */
static int wait_by_looking(pid_t tid)
{
	while (kill(tid, 0) == 0 || errno == EPERM) {
		int rc = wait_on(-1, 250);

		if (rc)
			return rc;
	}
	return 0;
}

static int wait_for_task(pid_t tid)
{
	int fd = task_fd(tid), rc;

	if (fd == -1)
		return 0;
	if (fd < 0)
		return wait_by_looking(tid);
	rc = wait_on(fd, -1);
	close(fd);
	return rc;
}

static int wait_for_list(const char *list)
{
	char *end;
	long tid;
	int rc;

	for (const char *p = list; *p; p = *end ? end + 1 : end) {
		errno = 0;
		tid = strtol(p, &end, 10);
		if (end == p || (*end && *end != ',') || errno || tid <= 0)
			return -EINVAL;
		rc = wait_for_task(tid);
		if (rc)
			return rc;
	}
	return 0;
}

int workload__wait(const struct workload *w)
{
	int rc = 0;

	if (!w->pids && !w->tids)
		return wait_on(-1, -1);
	if (w->pids)
		rc = wait_for_list(w->pids);
	if (!rc && w->tids)
		rc = wait_for_list(w->tids);
	return rc;
}
