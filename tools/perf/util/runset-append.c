// SPDX-License-Identifier: GPL-2.0
/*
 * runset-append: a results file that is being written. A run is in it as a whole or not at all.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "err.h"
#include "runset-int.h"

/* Does the first line say that it is one of ours? */
static bool is_native(const char *path)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	json_t *o = NULL;
	const char *schema;
	bool is;

	if (f && getline(&line, &size, f) > 0)
		o = json_loads(line, 0, NULL);
	schema = json_string_value(json_object_get(o, "schema"));
	is = schema && !strcmp(schema, RUNSET_SCHEMA);
	json_decref(o);
	free(line);
	if (f)
		fclose(f);
	return is;
}

/* What is there already must be whole, and end with a line end. */
static int check(struct runset_file *f, off_t size, struct mig_err *err)
{
	struct runset set = { 0 };
	char last = '\n';
	int rc = 0;

	if (!is_native(f->path))
		rc = mig_err__set(err, -EINVAL, "%s is not a results file of perf migstat stat",
				  f->path);
	if (!rc)
		rc = runset__read(&set, f->path, NULL, err);
	runset__exit(&set);
	if (rc)
		return mig_err__hint(err, "runs are appended to results files only; name another "
					  "-o");
	if (pread(f->fd, &last, 1, size - 1) == 1 && last != '\n' && write(f->fd, "\n", 1) != 1)
		return mig_err__set(err, -errno, "%s: %s", f->path, strerror(errno));
	return 0;
}

int runset_file__open(struct runset_file *f, const char *path, struct mig_err *err)
{
	struct stat st;
	int rc = 0;

	*f = (struct runset_file){ .path = path, .fd = -1 };
	if (!path)
		return 0;
	f->fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (f->fd < 0 || fstat(f->fd, &st)) {
		rc = mig_err__set(err, -errno, "%s: %s", path, strerror(errno));
	} else if (!S_ISREG(st.st_mode)) {
		rc = mig_err__set(err, -EINVAL, "%s is not a regular file", path);
	} else if (flock(f->fd, LOCK_EX | LOCK_NB)) {
		rc = mig_err__set(err, -EBUSY, "%s: another perf migstat is writing to it", path);
		mig_err__hint(err, "let it finish, or name another -o: compare takes both");
	} else if (st.st_size) {
		rc = check(f, st.st_size, err);
	}
	if (rc && f->fd >= 0)
		close(f->fd);
	if (rc)
		f->fd = -1;
	return rc;
}

/* All of it, or the file as it was. */
static int put(struct runset_file *f, const char *text, size_t len)
{
	struct stat st;
	size_t done = 0;
	ssize_t n;
	int code;

	if (fstat(f->fd, &st))
		return -errno;
	while (done < len) {
		n = write(f->fd, text + done, len - done);
		if (n > 0) {
			done += n;
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		code = n < 0 ? errno : EIO;
		return ftruncate(f->fd, st.st_size) ? -EIO : -code;
	}
	return 0;
}

int runset_file__append(struct runset_file *f, const struct run_arm *arm, struct mig_err *err)
{
	char *text = NULL;
	size_t len = 0;
	FILE *fp;
	int rc = 0;

	if (f->fd < 0)
		return 0;
	fp = open_memstream(&text, &len);
	if (!fp)
		return runset__nomem(err);
	if (!f->has_header)
		rc = runset__write_header(arm, fp);
	if (!rc)
		rc = runset__write_run(arm, arm->nr_runs - 1, fp);
	if (fclose(fp) && !rc)
		rc = -ENOMEM;
	if (!rc)
		rc = put(f, text, len);
	free(text);
	f->has_header = f->has_header || !rc;
	return rc ? mig_err__set(err, rc, "%s: cannot write the run: %s", f->path, strerror(-rc))
		  : 0;
}

void runset_file__close(struct runset_file *f)
{
	struct stat st;

	if (f->fd < 0)
		return;
	if (!fstat(f->fd, &st) && !st.st_size)
		unlink(f->path);
	close(f->fd);
	f->fd = -1;
}
