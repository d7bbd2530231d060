// SPDX-License-Identifier: GPL-2.0
/*
 * perfdata-open: finds out what a path is (file, pipe, pipe data in a file, directory) and sets up
 * the streams to read it. A directory of perf record --threads has data, which is a perf.data file,
 * and data.0..N with nothing but records; one of --kcore only has data.
 */
#include "perfdata-int.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUF_SIZE     (256U << 10) /* fits a level 2 cache; 1 MiB is 5 % slower */
#define BUF_SIZE_DIR (128U << 10) /* per stream of a directory; must hold two records */

static int perfdata__open_error(const char *path, int rc, struct mig_err *err)
{
	mig_err__set(err, rc, "%s: cannot open: %s", path, strerror(-rc));
	if (rc == -ENOENT)
		return mig_err__hint(err, "give the recording with -i FILE; perf migstat record "
					  "makes "
					  "one");
	if (rc == -EACCES)
		return mig_err__hint(err, "it belongs to another user; try with sudo, or chown it");
	if (rc == -EMFILE)
		return mig_err__hint(err, "one open file per CPU is needed: raise ulimit -n");
	return rc;
}

static int open_file(const char *path, int *ret_fd)
{
	*ret_fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	return *ret_fd < 0 ? -errno : 0;
}

/* Reads header and sets up stream 0 on an open file or pipe. */
static int perfdata__open_stream(struct perfdata *pd, int fd, bool owns_fd, size_t buf_size,
				 struct mig_err *err)
{
	struct pd_stream *s = &pd->streams[0];
	uint8_t magic[16];
	struct stat st;
	ssize_t n;
	int rc;

	rc = pd_stream__init(s, pd->path, fd, owns_fd, buf_size);
	if (rc)
		return mig_err__set(err, rc, "%s: out of memory", pd->path);
	if (fstat(fd, &st))
		return perfdata__open_error(pd->path, -errno, err);
	s->seekable = S_ISREG(st.st_mode);
	n = s->seekable ? pd_pread_full(fd, magic, sizeof(magic), 0)
			: pd_read_full(fd, magic, sizeof(magic));
	if (n < 0)
		return mig_err__set(err, (int)n, "%s: cannot read: %s", pd->path,
				    strerror((int)-n));
	rc = perfdata__probe(pd, magic, (size_t)n, &pd->pipe, err);
	if (rc)
		return rc;
	s->swap = pd->swap;
	s->off = 16;
	if (s->seekable)
		pd->total = s->size = (uint64_t)st.st_size;
	if (pd->pipe)
		return 0;
	if (!s->seekable) {
		mig_err__set(err, -EINVAL,
			     "%s: this recording has its header at both ends, it cannot "
			     "be read from a pipe",
			     pd->path);
		return mig_err__hint(err, "give the file's name with -i, or record with -o - to "
					  "make "
					  "a pipe recording");
	}
	rc = perfdata__read_header(pd, fd, s->size, s, err);
	if (!rc && pd->compressed)
		rc = pd_stream__open_zstd(s, err);
	return rc;
}

static int perfdata__open_stdin(struct perfdata *pd, struct mig_err *err)
{
	if (isatty(STDIN_FILENO)) {
		mig_err__set(err, -EINVAL,
			     "standard input is a terminal, there is no recording in it");
		return mig_err__hint(err, "pipe into it: perf record -o - ... | perf migstat "
					  "report "
					  "-i -");
	}
	free(pd->path);
	pd->path = strdup("standard input");
	if (!pd->path)
		return mig_err__set(err, -ENOMEM, "out of memory");
	return perfdata__open_stream(pd, STDIN_FILENO, false, BUF_SIZE, err);
}

static int cmp_unsigned(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return x < y ? -1 : x > y;
}

/* The numbers N of the files data.N, sorted. */
static int list_streams(const char *path, unsigned **ret_nums, unsigned *ret_n)
{
	unsigned *nums = NULL, n = 0;
	struct dirent *de;
	DIR *dir = opendir(path);
	int rc = 0;

	if (!dir)
		return -errno;
	while ((de = readdir(dir))) {
		unsigned *more;
		unsigned long num;
		char *end;

		if (strncmp(de->d_name, "data.", 5) || !isdigit((unsigned char)de->d_name[5]))
			continue;
		num = strtoul(de->d_name + 5, &end, 10);
		if (*end || num > INT_MAX)
			continue;
		more = realloc(nums, (n + 1) * sizeof(*nums));
		if (!more) {
			rc = -ENOMEM;
			break;
		}
		nums = more;
		nums[n++] = (unsigned)num;
	}
	closedir(dir);
	if (n)
		qsort(nums, n, sizeof(*nums), cmp_unsigned);
	*ret_nums = nums;
	*ret_n = n;
	return rc;
}

static int perfdata__add_stream(struct perfdata *pd, unsigned num, struct mig_err *err)
{
	const struct pd_stream *first = &pd->streams[0];
	struct pd_stream *s = &pd->streams[pd->nr_streams];
	struct stat st;
	char *path;
	int fd, rc;

	if (asprintf(&path, "%s/data.%u", pd->path, num) < 0)
		return mig_err__set(err, -ENOMEM, "%s: out of memory", pd->path);
	rc = open_file(path, &fd);
	if (rc) {
		perfdata__open_error(path, rc, err);
		goto out;
	}
	rc = pd_stream__init(s, path, fd, true, BUF_SIZE_DIR);
	s->nr = pd->nr_streams++; /* from here on delete() closes it */
	if (rc) {
		mig_err__set(err, rc, "%s: out of memory", path);
		goto out;
	}
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		rc = mig_err__set(err, -EINVAL, "%s: not a regular file", path);
		goto out;
	}
	s->seekable = true;
	s->size = (uint64_t)st.st_size;
	s->swap = pd->swap;
	s->window_log = first->window_log;
	pd->total += s->size;
out:
	free(path);
	return rc;
}

static int perfdata__open_dir(struct perfdata *pd, struct mig_err *err)
{
	struct pd_stream *more;
	unsigned *nums = NULL, n = 0;
	char *path = NULL;
	int fd, rc;

	rc = list_streams(pd->path, &nums, &n);
	if (rc) {
		perfdata__open_error(pd->path, rc, err);
		goto out;
	}
	if (asprintf(&path, "%s/data", pd->path) < 0) {
		path = NULL;
		rc = mig_err__set(err, -ENOMEM, "%s: out of memory", pd->path);
		goto out;
	}
	more = realloc(pd->streams, (n + 1) * sizeof(*more));
	pd->heap = calloc(n + 1, sizeof(*pd->heap));
	if (more)
		pd->streams = more;
	if (!more || !pd->heap) {
		rc = mig_err__set(err, -ENOMEM, "%s: out of memory", pd->path);
		goto out;
	}
	rc = open_file(path, &fd);
	if (rc) {
		mig_err__set(err, rc, "%s: a directory without a recording in it (%s: %s)",
			     pd->path, path, strerror(-rc));
		mig_err__hint(err, "give a perf.data file, or the directory that perf record "
				   "--threads made");
		goto out;
	}
	rc = perfdata__open_stream(pd, fd, true, n ? BUF_SIZE_DIR : BUF_SIZE, err);
	for (unsigned i = 0; !rc && i < n; i++) {
		if (nums[i] != (i ? nums[i - 1] + 1 : 0))
			perfdata__warn(pd, "%s: data.%u is missing, its CPUs are not in the report",
				       pd->path, nums[i] - 1);
		rc = perfdata__add_stream(pd, nums[i], err);
	}
	for (unsigned i = 0; i < pd->nr_streams; i++)
		pd->heap[i] = i;
	pd->nr_heap = pd->nr_streams;
out:
	free(nums);
	free(path);
	return rc;
}

static int perfdata__open_path(struct perfdata *pd, struct mig_err *err)
{
	struct stat st;
	int fd, rc;

	if (!strcmp(pd->path, "-"))
		return perfdata__open_stdin(pd, err);
	if (stat(pd->path, &st))
		return perfdata__open_error(pd->path, -errno, err);
	if (S_ISDIR(st.st_mode))
		return perfdata__open_dir(pd, err);
	rc = open_file(pd->path, &fd);
	if (rc)
		return perfdata__open_error(pd->path, rc, err);
	return perfdata__open_stream(pd, fd, true, BUF_SIZE, err);
}

int perfdata__open(const char *path, struct perfdata **ret_pd, struct mig_err *err)
{
	struct perfdata *pd = calloc(1, sizeof(*pd));
	int rc;

	*ret_pd = NULL;
	if (!pd)
		return mig_err__set(err, -ENOMEM, "out of memory");
	pd->sorted = true;
	pd->path = strdup(path);
	pd->streams = calloc(1, sizeof(*pd->streams));
	pd->nr_streams = 1;
	if (pd->streams)
		pd->streams[0].fd = -1;
	if (pd->path && pd->streams)
		rc = perfdata__open_path(pd, err);
	else
		rc = mig_err__set(err, -ENOMEM, "out of memory");
	if (rc) {
		perfdata__delete(pd);
		return rc;
	}
	*ret_pd = pd;
	return 0;
}

void perfdata__delete(struct perfdata *pd)
{
	if (!pd)
		return;
	for (unsigned i = 0; pd->streams && i < pd->nr_streams; i++)
		pd_stream__exit(&pd->streams[i]);
	for (size_t i = 0; i < pd->nr_events; i++) {
		free(pd->events[i]->name);
		free(pd->events[i]->ids);
		free(pd->events[i]);
	}
	for (size_t i = 0; i < pd->nr_warnings; i++)
		free(pd->warnings[i]);
	perfdata__free_env(&pd->env);
	free(pd->streams);
	free(pd->heap);
	free(pd->events);
	free(pd->ids);
	free(pd->event_desc.data);
	free(pd->group_desc.data);
	free(pd->tracing.data);
	free(pd->formats);
	free(pd->warnings);
	free(pd->path);
	free(pd);
}
