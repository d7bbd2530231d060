// SPDX-License-Identifier: GPL-2.0
#include "measure.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collect.h"
#include "err.h"
#include "monitor.h"

#define SEPARATOR ";" /* events may have commas in them */

int measure__init(struct measure *m, struct mig_err *err)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(m->dir, sizeof(m->dir), "%.40s/migstat.XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(m->dir)) {
		int code = errno;

		mig_err__set(err, -code, "%s: %s", m->dir, strerror(code));
		*m->dir = '\0';
		return mig_err__hint(err, "set TMPDIR to a folder that can be written");
	}
	return 0;
}

static void path_of(const struct measure *m, const char *name, char path[96])
{
	snprintf(path, 96, "%s/%s", m->dir, name);
}

void measure__exit(struct measure *m)
{
	static const char *const names[] = { "counts", "output" };
	char path[96];

	argv__exit(&m->options);
	if (!*m->dir)
		return;
	for (int i = 0; i < 2; i++) {
		path_of(m, names[i], path);
		unlink(path);
	}
	rmdir(m->dir);
}

static int fail(struct run *run, enum run_status status, int code, const char *why)
{
	run->status = status;
	run->exit_code = code;
	free(run->why);
	run->why = strdup(why);
	return run->why ? 0 : -ENOMEM;
}

/* Runs a line of shell. */
static int shell(const char *line, int stdin_fd, struct collect_end *end, struct mig_err *err)
{
	char *argv[] = { "/bin/sh", "-c", (char *)line, NULL };
	struct collect_job job = { .argv = argv, .stdin_fd = stdin_fd };

	return collect__watch(&job, end, err);
}

/* --pre or --post; a failure marks the run (NULL: a warm-up, where it does not matter). */
static int hook(const char *what, const char *line, struct run *run, struct mig_err *err)
{
	struct collect_end end;
	char why[128];
	int rc;

	if (!line)
		return 0;
	rc = shell(line, -1, &end, err);
	if (rc)
		return rc;
	free(end.text);
	if (end.stopped)
		return -EINTR;
	snprintf(why, sizeof(why), "%s ended with exit code %d", what, end.status);
	if (end.status && run && fail(run, RUN_FAILED, end.status, why))
		return mig_err__set(err, -ENOMEM, "out of memory");
	return 0;
}

static int build(const struct measure *m, const char *counts, struct argv *line)
{
	argv__add(line, m->perf);
	argv__add(line, "stat");
	argv__add(line, "-x");
	argv__add(line, SEPARATOR);
	argv__add(line, "-o");
	argv__add(line, counts);
	argv__add(line, "-e");
	argv__add(line, m->events);
	argv__add_all(line, &m->options);
	argv__add(line, "--");
	for (char *const *word = m->command; *word; word++)
		argv__add(line, *word);
	return argv__failed(line) ? -ENOMEM : 0;
}

/* perf's own words: the first line with an error in it, else the last one. */
static const char *reason(char *text)
{
	char *save, *last = "it wrote nothing";

	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		if (strcasestr(line, "error"))
			return line;
		if (line[strspn(line, " \t")])
			last = line;
	}
	return last;
}

/* What perf wrote, in a string to free; NULL with err if there is nothing. */
static char *read_counts(const char *path, const struct collect_end *end, struct mig_err *err)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = fopen(path, "re");
	ssize_t n = f ? getdelim(&text, &size, '\0', f) : -1;

	if (f)
		fclose(f);
	if (n > 0 && strstr(text, SEPARATOR))
		return text;
	free(text);
	text = strdup(end->text);
	if (text) {
		mig_err__set(err, -EINVAL, "perf stat counted nothing: %.400s", reason(text));
		mig_err__hint(err, "perf stat -e takes the same events and options; try it there");
	}
	free(text);
	return NULL;
}

static int store_output(const struct measure *m, const char *output, struct mig_err *err)
{
	char path[96];
	int fd;
	size_t len = strlen(output);

	path_of(m, "output", path);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, output, len) != (ssize_t)len || lseek(fd, 0, SEEK_SET) < 0) {
		int code = errno;

		if (fd >= 0)
			close(fd);
		return mig_err__set(err, code ? -code : -EIO, "%s: %s", path, strerror(code));
	}
	return fd;
}

/* By --value-cmd; false if what it prints is no number. -EINTR is in *ret_rc. */
static bool command_value(const struct measure *m, const char *output, double *ret, int *ret_rc,
			  struct mig_err *err)
{
	struct collect_end end;
	int fd = store_output(m, output, err);
	bool found;

	*ret_rc = fd < 0 ? fd : shell(m->value_cmd, fd, &end, err);
	if (fd >= 0)
		close(fd);
	if (*ret_rc)
		return false;
	found = !end.status && value__parse(end.text, ret);
	if (end.stopped)
		*ret_rc = -EINTR;
	free(end.text);
	return found;
}

static int find_value(const struct measure *m, struct run_arm *arm, const struct collect_end *end,
		      struct mig_err *err)
{
	struct run *run = &arm->run[arm->nr_runs - 1];
	/* perf's own clock leaves its start out */
	const struct run_metric *clock = run_arm__find(arm, "duration_time");
	double v = clock ? clock->value[arm->nr_runs - 1] / 1e9 : end->seconds;
	bool found = true;
	char why[160];
	int rc = 0;

	snprintf(why, sizeof(why), "--value-cmd did not print a number");
	if (m->value_cmd) {
		found = command_value(m, end->text, &v, &rc, err);
	} else if (m->value) {
		found = value_finder__find(m->value, end->text, &v);
		snprintf(why, sizeof(why), "nothing in the output matches '%.100s'",
			 m->value->pattern);
	}
	if (rc)
		return rc;
	if (found)
		rc = run_arm__set(arm, METRIC_VALUE, v);
	else
		rc = fail(run, RUN_NO_VALUE, end->status, why);
	return rc ? mig_err__set(err, rc, "out of memory") : 0;
}

static int judge(const struct measure *m, struct run_arm *arm, const struct collect_end *end,
		 struct mig_err *err)
{
	struct run *run = &arm->run[arm->nr_runs - 1];
	char why[96];
	int rc = 0;

	if (run->status != RUN_OK) /* its --pre failed */
		return 0;
	if (end->timed_out) {
		snprintf(why, sizeof(why), "not done after %g s", m->timeout);
		rc = fail(run, RUN_TIMEOUT, end->status, why);
	} else if (end->status) {
		snprintf(why, sizeof(why), end->status > 128 ? "signal %d" : "exit code %d",
			 end->status > 128 ? end->status - 128 : end->status);
		rc = fail(run, RUN_FAILED, end->status, why);
	} else if (end->unwatched) {
		rc = fail(run, RUN_FAILED, end->status,
			  "perf stat did not wait for the command, which ends at once");
	} else {
		return find_value(m, arm, end, err);
	}
	return rc ? mig_err__set(err, rc, "out of memory") : 0;
}

/*
 * A perf that did not wait for its command has neither its time nor its exit code: that was no run,
 * and it is made again.
 */
static int run_watched(const struct measure *m, const struct collect_job *job, const char *counts,
		       struct monitor *before, struct collect_end *end, struct mig_err *err)
{
	int rc = 0;

	for (int tries = 0; tries < 5 && !rc; tries++) {
		monitor__exit(before);
		free(end->text);
		end->text = NULL;
		unlink(counts);
		if (m->monitor && monitor__read("", before))
			return mig_err__set(err, -ENOMEM, "out of memory");
		rc = collect__watch(job, end, err);
		if (rc || !end->unwatched || end->stopped || end->timed_out)
			break;
	}
	return rc;
}

/* The counted run itself; of a warm-up (arm NULL) nothing is kept. */
static int run_counted(const struct measure *m, struct run_arm *arm, struct collect_end *end,
		       struct mig_err *err)
{
	struct monitor before = { 0 }, after = { 0 };
	struct argv line = { 0 };
	char counts[96], *text;
	struct collect_job job = { .stdin_fd = -1, .timeout = m->timeout, .is_perf = true };
	int rc;

	path_of(m, "counts", counts);
	rc = build(m, counts, &line);
	if (rc) {
		mig_err__set(err, rc, "out of memory");
		goto out;
	}
	job.argv = line.v;
	rc = run_watched(m, &job, counts, &before, end, err);
	if (rc || !arm || end->stopped)
		goto out;
	if (m->monitor &&
	    (monitor__read("", &after) || monitor__store(&before, &after, end->seconds, arm)))
		rc = mig_err__set(err, -ENOMEM, "out of memory");
	text = rc ? NULL : read_counts(counts, end, err);
	if (!rc && !text)
		rc = end->timed_out ? 0 : -EINVAL;
	if (!rc && text)
		rc = runset__parse_perfstat(arm, text, *SEPARATOR, true, err);
	free(text);
	if (!rc)
		rc = judge(m, arm, end, err);
	if (!rc && run_arm__derive(arm))
		rc = mig_err__set(err, -ENOMEM, "out of memory");
out:
	monitor__exit(&before);
	monitor__exit(&after);
	argv__exit(&line);
	return rc;
}

static char *utc_now(void)
{
	time_t t = time(NULL);
	char text[32];
	struct tm tm;

	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&t, &tm));
	return strdup(text);
}

int measure__run(const struct measure *m, struct run_arm *arm, char **ret_output,
		 struct mig_err *err)
{
	struct collect_end end = { 0 };
	struct run *run = NULL;
	double seconds;
	int rc = 0;

	*ret_output = NULL;
	if (arm) {
		rc = run_arm__add_run(arm, &run);
		if (!rc)
			run->start = utc_now();
		if (rc)
			return mig_err__set(err, rc, "out of memory");
	}
	rc = hook("--pre", m->pre, run, err);
	if (!rc)
		rc = run_counted(m, arm, &end, err);
	seconds = end.seconds;
	if (!rc && end.stopped)
		rc = -EINTR;
	if (!rc && arm) {
		arm->run[arm->nr_runs - 1].seconds = seconds;
		rc = run_arm__set(arm, METRIC_SECONDS, seconds);
	}
	if (!rc)
		rc = hook("--post", m->post, run, err);
	if (rc && arm) /* half a run is none */
		run_arm__drop_last(arm);
	*ret_output = end.text;
	return rc;
}
