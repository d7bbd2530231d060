/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfdata-tests: reads a whole recording and counts; finds and writes recordings for the tests.
 */
#ifndef MIG_PERFDATA_TESTS_H
#define MIG_PERFDATA_TESTS_H

#include "err.h"
#include "perfdata.h"
#include "tests.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_EVENTS 16
#define HELPER     __attribute__((unused))

/* What reading a whole recording gave. */
struct outcome {
	int open_rc, next_rc;
	struct mig_err err;
	uint64_t samples, records, rounds, trailers, orphans;
	uint64_t per_event[MAX_EVENTS];
	uint64_t last_offset;
	unsigned time_steps_back; /* of perfdata__safe_time() */
	uint64_t unsafe; /* records older than what safe_time() had promised */
};

static char *tmp_dir;

HELPER __attribute__((format(printf, 1, 2))) static const char *fmt_path(const char *fmt, ...)
{
	static char buf[4][4096];
	static unsigned at;
	char *p = buf[at++ % 4];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(p, sizeof(buf[0]), fmt, ap);
	va_end(ap);
	return p;
}

HELPER static const char *made(const char *name)
{
	return fmt_path("%s/made/%s.perf.data", test_data(), name);
}

/* A recording of the lab, from the test data or from the wider collection; NULL: skip. */
HELPER static const char *lab(const char *name)
{
	const char *path = fmt_path("%s/lab/%s", test_data(), name);

	if (!access(path, R_OK))
		return path;
	if (!shared_data())
		return NULL;
	path = fmt_path("%s/lab/%s", shared_data(), name);
	return access(path, R_OK) ? NULL : path;
}

static void see_record(const struct perfdata *pd, const struct perf_rec *rec, struct outcome *o,
		       uint64_t *safe)
{
	struct perf_sample_id sid;
	uint64_t now;
	int idx;

	o->records++;
	o->last_offset = rec->offset;
	o->rounds += rec->type == PERF_REC_FINISHED_ROUND;
	if (rec->type == PERF_REC_SAMPLE) {
		uint64_t time = rec->size >= 40 ? perf_get64(rec->data + 32, perfdata__swapped(pd))
						: 0;

		o->samples++;
		idx = perfdata__sample_event(pd, rec);
		if (idx < 0 || idx >= MAX_EVENTS)
			o->orphans++;
		else
			o->per_event[idx]++;
		if (*safe && time < *safe)
			o->unsafe++;
	} else if (perfdata__sample_id(pd, rec, &sid)) {
		o->trailers++;
	}
	now = perfdata__safe_time(pd);
	o->time_steps_back += now < *safe;
	*safe = now;
}

/* Reads to the end; the recording stays open when ret_pd is given. */
HELPER static struct outcome read_all(const char *path, struct perfdata **ret_pd)
{
	struct outcome o = { 0 };
	struct perfdata *pd;
	struct perf_rec rec;
	uint64_t safe = 0;

	o.open_rc = perfdata__open(path, &pd, &o.err);
	if (!o.open_rc)
		while ((o.next_rc = perfdata__next(pd, &rec, &o.err)) == 1)
			see_record(pd, &rec, &o, &safe);
	if (ret_pd)
		*ret_pd = pd;
	else
		perfdata__delete(pd);
	return o;
}

HELPER static uint64_t count_of(const struct perfdata *pd, const struct outcome *o,
				const char *name)
{
	for (size_t i = 0; i < perfdata__nr_events(pd) && i < MAX_EVENTS; i++) {
		const char *have = perfdata__event(pd, i)->name;

		if (have && !strcmp(have, name))
			return o->per_event[i];
	}
	return UINT64_MAX;
}

/* The only error that is fine: a build without zstd says so. */
HELPER static bool no_zstd(const struct outcome *o)
{
	return (o->open_rc == -ENOTSUP || o->next_rc == -ENOTSUP) && strstr(o->err.msg, "without "
											"zstd");
}

/* ---- files written here ---- */

HELPER static uint8_t *slurp(const char *path, size_t *ret_n)
{
	int fd = open(path, O_RDONLY);
	struct stat st;
	uint8_t *buf;

	if (fd < 0 || fstat(fd, &st)) {
		printf("Bail out! cannot read %s\n", path);
		exit(1);
	}
	buf = malloc((size_t)st.st_size + 4096); /* room to append */
	*ret_n = (size_t)read(fd, buf, (size_t)st.st_size);
	close(fd);
	return buf;
}

HELPER static const char *spill(const uint8_t *buf, size_t n)
{
	const char *path = fmt_path("%s/spilled", tmp_dir);
	FILE *f = fopen(path, "w");

	if (!f || fwrite(buf, 1, n, f) != n || fclose(f)) {
		printf("Bail out! cannot write %s\n", path);
		exit(1);
	}
	return path;
}

HELPER static void put64(uint8_t *p, uint64_t v)
{
	memcpy(p, &v, sizeof(v));
}

HELPER static uint64_t get64(const uint8_t *p)
{
	return perf_get64(p, false);
}

/* A fresh directory for spill(). */
HELPER static void tests__make_dir(void)
{
	static char dir[] = "/tmp/unit-perfdata.XXXXXX";

	tmp_dir = mkdtemp(dir);
	if (!tmp_dir) {
		printf("Bail out! no temporary directory\n");
		exit(1);
	}
}

/* It holds nothing but spilled. */
HELPER static void tests__remove_dir(void)
{
	unlink(fmt_path("%s/spilled", tmp_dir));
	rmdir(tmp_dir);
}

#endif
