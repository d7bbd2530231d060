// SPDX-License-Identifier: GPL-2.0
#include "undo.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cgroupfs.h"
#include "collect.h"
#include "err.h"

static int no_memory(struct mig_err *err)
{
	return mig_err__set(err, -ENOMEM, "out of memory");
}

static char *boot_id(void)
{
	char *text;

	return knob_place__read("/proc/sys/kernel/random/boot_id", KNOB_TEXT, &text, NULL) ? NULL
											   : text;
}

static char *usual_path(void)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	char *path;
	int n;

	if (!geteuid())
		return strdup("/var/lib/perf-migstat/sweep.state");
	if (state && *state)
		n = asprintf(&path, "%s/perf-migstat/sweep.state", state);
	else
		n = asprintf(&path, "%s/.local/state/perf-migstat/sweep.state",
			     home ? home : "/tmp");
	return n < 0 ? NULL : path;
}

/* Folders above a file, as far as they are missing. */
static void make_folders(const char *path)
{
	char part[PATH_MAX];

	snprintf(part, sizeof(part), "%s", path);
	for (char *c = part + 1; (c = strchr(c, '/')); c++) {
		*c = '\0';
		mkdir(part, 0700);
		*c = '/';
	}
}

/* So that the file itself is found after a power loss. */
static int sync_folder(const char *path)
{
	char *copy = strdup(path);
	int fd = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	int code = fd < 0 || fsync(fd) ? -errno : 0;

	if (fd >= 0)
		close(fd);
	free(copy);
	return code;
}

static struct undo_record *add(struct undo *u, enum undo_kind kind, const char *path,
			       const char *text)
{
	struct undo_record *more = realloc(u->record, (u->nr + 1) * sizeof(*more)), *r;

	if (!more)
		return NULL;
	u->record = more;
	r = &u->record[u->nr];
	*r = (struct undo_record){ .kind = kind,
				   .path = path ? strdup(path) : NULL,
				   .text = text ? strdup(text) : NULL };
	u->nr++;
	return (path && !r->path) || (text && !r->text) ? NULL : r;
}

int undo__add_place(struct undo *u, const struct knob_place *p)
{
	struct undo_record *r = add(u, UNDO_PLACE, p->path, p->saved);

	if (r)
		r->place = p->kind;
	return r ? 0 : -ENOMEM;
}

int undo__add_dir(struct undo *u, const char *path)
{
	return add(u, UNDO_DIR, path, NULL) ? 0 : -ENOMEM;
}

int undo__add_cmd(struct undo *u, const char *cmd)
{
	return add(u, UNDO_CMD, NULL, cmd) ? 0 : -ENOMEM;
}

/* One line of the file. -EINVAL if it is none of ours. */
static int parse_line(struct undo *u, const char *line, size_t len)
{
	json_t *j = json_loadb(line, len, 0, NULL);
	const char *kind = json_string_value(json_object_get(j, "kind"));
	const char *path = json_string_value(json_object_get(j, "path"));
	const char *text = json_string_value(json_object_get(j, "text"));
	const char *boot = json_string_value(json_object_get(j, "boot"));
	struct undo_record *r = NULL;
	enum knob_kind place = KNOB_TEXT;
	int code = -EINVAL;

	if (boot) {
		char *now = boot_id();

		u->same_boot = now && !strcmp(now, boot);
		u->pid = json_integer_value(json_object_get(j, "pid"));
		free(now);
		code = 0;
	} else if (kind && !strcmp(kind, "dir") && path) {
		r = add(u, UNDO_DIR, path, NULL);
		code = r ? 0 : -ENOMEM;
	} else if (kind && !strcmp(kind, "cmd") && text) {
		r = add(u, UNDO_CMD, NULL, text);
		code = r ? 0 : -ENOMEM;
	} else if (kind && path && text && !knob_kind__parse(kind, &place)) {
		r = add(u, UNDO_PLACE, path, text);
		code = r ? 0 : -ENOMEM;
	}
	if (r)
		r->place = place;
	json_decref(j);
	return code;
}

static int read_records(struct undo *u, struct mig_err *err)
{
	FILE *f = fdopen(dup(u->fd), "r");
	char *line = NULL;
	size_t size = 0, nr = 0;
	ssize_t len;
	int code = f ? 0 : -errno;

	u->same_boot = true;
	while (!code && (len = getline(&line, &size, f)) > 0) {
		if (line[len - 1] != '\n') /* torn: nothing was done after it */
			break;
		nr++;
		code = parse_line(u, line, len);
	}
	free(line);
	if (f)
		fclose(f);
	if (!code)
		return 0;
	mig_err__set(err, code, "%s: line %zu: %s", u->path, nr,
		     code == -EINVAL ? "this is no state of a sweep" : strerror(-code));
	return mig_err__hint(err, "look at it; remove it if there is nothing to restore");
}

int undo__open(struct undo *u, const char *path, struct mig_err *err)
{
	int code;

	*u = (struct undo){ .fd = -1, .path = path ? strdup(path) : usual_path() };
	if (!u->path)
		return no_memory(err);
	make_folders(u->path);
	u->fd = open(u->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (u->fd < 0) {
		code = -errno;
		mig_err__set(err, code, "%s: %s", u->path, strerror(-code));
		return mig_err__hint(err, "name another place by --state FILE");
	}
	if (flock(u->fd, LOCK_EX | LOCK_NB)) {
		mig_err__set(err, -EBUSY, "%s: another sweep is running", u->path);
		return mig_err__hint(err, "wait for its end, or stop it: it restores its knobs");
	}
	return read_records(u, err);
}

static void drop_records(struct undo *u)
{
	for (size_t i = 0; i < u->nr; i++) {
		free(u->record[i].path);
		free(u->record[i].text);
	}
	free(u->record);
	u->record = NULL;
	u->nr = 0;
}

void undo__close(struct undo *u)
{
	drop_records(u);
	if (u->fd >= 0)
		close(u->fd);
	free(u->path);
	*u = (struct undo){ .fd = -1 };
}

static int write_object(int fd, json_t *j)
{
	char *text = j ? json_dumps(j, JSON_COMPACT) : NULL, *line = NULL;
	int n = text ? asprintf(&line, "%s\n", text) : -1, code = 0;

	errno = 0;
	if (n < 0)
		code = -ENOMEM;
	else if (write(fd, line, n) != n)
		code = errno ? -errno : -ENOSPC;
	if (n >= 0)
		free(line);
	free(text);
	json_decref(j);
	return code;
}

static json_t *record_object(const struct undo_record *r)
{
	if (r->kind == UNDO_DIR)
		return json_pack("{ss,ss}", "kind", "dir", "path", r->path);
	if (r->kind == UNDO_CMD)
		return json_pack("{ss,ss}", "kind", "cmd", "text", r->text);
	return json_pack("{ss,ss,ss}", "kind", knob_kind__name(r->place), "path", r->path, "text",
			 r->text);
}

/* Nothing is touched yet, so that the file may as well be written anew. */
int undo__sync(struct undo *u, struct mig_err *err)
{
	char *boot = boot_id();
	int code = ftruncate(u->fd, 0) ? -errno : 0;

	if (!code)
		code = write_object(u->fd, json_pack("{ss,sI}", "boot", boot ? boot : "", "pid",
						     (json_int_t)getpid()));
	for (size_t i = 0; i < u->nr && !code; i++)
		code = write_object(u->fd, record_object(&u->record[i]));
	if (!code && fsync(u->fd))
		code = -errno;
	if (!code)
		code = sync_folder(u->path);
	free(boot);
	u->same_boot = true;
	return code ? mig_err__set(err, code, "%s: cannot write what is to be restored: %s",
				   u->path, strerror(-code))
		    : 0;
}

static bool is_of_kernel(const char *path)
{
	return path && (!strncmp(path, "/proc/", 6) || !strncmp(path, "/sys/", 5));
}

static int run_command(const char *cmd, struct mig_err *err)
{
	char *argv[] = { "/bin/sh", "-c", (char *)cmd, NULL };
	int status, rc = collect__run(argv, &status, err);

	if (!rc && status)
		rc = mig_err__set(err, -EIO, "--restore-cmd '%s' ended with exit code %d", cmd,
				  status);
	return rc;
}

static int restore_one(const struct undo *u, const struct undo_record *r, struct mig_err *err)
{
	if (!u->same_boot && is_of_kernel(r->path))
		return 0;
	if (r->kind == UNDO_CMD)
		return run_command(r->text, err);
	if (r->kind == UNDO_DIR)
		return cgroupfs__remove(r->path, err);
	return knob_place__write(r->path, r->place, r->text, err);
}

int undo__restore(struct undo *u, struct mig_err *err)
{
	struct mig_err one = { 0 };
	int first = 0, rc;

	for (size_t i = u->nr; i-- > 0;) {
		struct undo_record *r = &u->record[i];

		rc = r->done ? 0 : restore_one(u, r, &one);
		r->done = !rc;
		if (rc && !first) {
			first = mig_err__set(err, rc, "not restored: %.900s", one.msg);
			mig_err__hint(err, "%s keeps it: perf migstat sweep --restore tries again",
				      u->path);
		}
	}
	if (first)
		return first;
	drop_records(u);
	if (ftruncate(u->fd, 0) || fsync(u->fd))
		return mig_err__set(err, -errno, "%s: %s", u->path, strerror(errno));
	return 0;
}
