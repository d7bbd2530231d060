// SPDX-License-Identifier: GPL-2.0
/*
 * runset-go: Go benchmark text: "BenchmarkName-8 100 5.3 ns/op 16 B/op", one line a run, and
 * "Unit ns/op better=lower". A metric is "Name unit"; "Name" alone for ns/op.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "runset-int.h"

enum { UNITS_MAX = 32 };

struct go {
	struct run_arm *arm;
	struct {
		char unit[32];
		enum metric_better better;
	} unit[UNITS_MAX];
	size_t nr_units;
};

/* "Unit NAME better=lower ..." */
static void read_unit(struct go *go, char *line)
{
	char *save, *name = strtok_r(line + 5, " \t", &save), *word;

	if (!name || go->nr_units == UNITS_MAX)
		return;
	while ((word = strtok_r(NULL, " \t", &save))) {
		if (strncmp(word, "better=", 7))
			continue;
		go->unit[go->nr_units].better = metric__parse_better(word + 7);
		snprintf(go->unit[go->nr_units++].unit, sizeof(go->unit[0].unit), "%s", name);
	}
}

static enum metric_better better(const struct go *go, const char *unit)
{
	static const char *const lower[] = { "ns/op", "sec/op", "B/op", "allocs/op" };

	for (size_t i = 0; i < go->nr_units; i++)
		if (!strcmp(go->unit[i].unit, unit))
			return go->unit[i].better;
	for (size_t i = 0; i < sizeof(lower) / sizeof(lower[0]); i++)
		if (!strcmp(lower[i], unit))
			return METRIC_LOWER;
	return !strcmp(unit, "B/s") || !strcmp(unit, "MB/s") ? METRIC_HIGHER : METRIC_NONE;
}

/* The first run of the arm that has no value of this metric yet. */
static int put(struct run_arm *arm, struct run_metric *m, double v)
{
	struct run *run;
	size_t i, at = m - arm->metric;

	for (i = 0; i < arm->nr_runs && !isnan(m->value[i]); i++)
		;
	if (i == arm->nr_runs && run_arm__add_run(arm, &run))
		return -ENOMEM;
	arm->metric[at].value[i] = v;
	return 0;
}

/* One pair "value unit" of a line. */
static int add_pair(struct go *go, const char *bench, const char *unit, double v)
{
	char *name;
	struct run_metric *m;
	int rc = asprintf(&name, strcmp(unit, "ns/op") ? "%s %s" : "%s", bench, unit);

	if (rc < 0)
		return -ENOMEM;
	rc = run_arm__metric(go->arm, name, &m);
	free(name);
	if (rc)
		return rc;
	m->better = better(go, unit);
	free(m->unit);
	m->unit = strdup(unit);
	return m->unit ? put(go->arm, m, v) : -ENOMEM;
}

/* Returns 0, -EINVAL for a line that does not fit, -ENOMEM. */
static int read_bench(struct go *go, char *line)
{
	char *save, *bench = strtok_r(line, " \t", &save), *count, *value, *unit, *end;
	double v;
	int rc = 0;

	bench += strlen("Benchmark");
	count = strtok_r(NULL, " \t", &save);
	if (!count || strtoll(count, &end, 10) <= 0 || *end)
		return -EINVAL;
	while (!rc && (value = strtok_r(NULL, " \t", &save))) {
		unit = strtok_r(NULL, " \t", &save);
		v = strtod(value, &end);
		if (!unit || end == value || *end || !isfinite(v))
			return -EINVAL;
		rc = add_pair(go, bench, unit, v);
	}
	return rc;
}

int runset__read_go(struct runset *set, struct runset_source *src, struct mig_err *err)
{
	char *pos = src->text, *line;
	struct go go = { 0 };
	size_t at = 0;
	int rc = runset__arm(set, src->name, NULL, &go.arm);

	while (!rc && (line = runset__line(&pos))) {
		at++;
		if (!strncmp(line, "Unit ", 5))
			read_unit(&go, line);
		else if (!strncmp(line, "Benchmark", 9) && strpbrk(line, " \t"))
			rc = read_bench(&go, line);
	}
	if (rc == -EINVAL)
		return mig_err__set(err, rc, "%s:%zu: not \"BenchmarkName COUNT VALUE UNIT...\"",
				    src->path, at);
	if (rc)
		return runset__nomem(err);
	return go.arm->nr_runs ? 0
			       : mig_err__set(err, -ENODATA, "%s: no benchmark in it", src->path);
}
