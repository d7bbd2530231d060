// SPDX-License-Identifier: GPL-2.0
#include "runset.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void arm__exit(struct run_arm *arm)
{
	for (size_t i = 0; i < arm->nr_metrics; i++) {
		free(arm->metric[i].name);
		free(arm->metric[i].unit);
		free(arm->metric[i].note);
		free(arm->metric[i].why);
		free(arm->metric[i].value);
	}
	for (size_t i = 0; i < arm->nr_runs; i++) {
		free(arm->run[i].start);
		free(arm->run[i].why);
	}
	machine__exit(&arm->machine);
	hash__exit(&arm->by_name);
	free(arm->metric);
	free(arm->run);
	free(arm->name);
	free(arm->group);
	free(arm->note);
	free(arm->command);
	free(arm->source);
}

void runset__exit(struct runset *set)
{
	for (size_t i = 0; i < set->nr; i++)
		arm__exit(&set->arm[i]);
	free(set->arm);
	*set = (struct runset){ 0 };
}

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

int runset__arm(struct runset *set, const char *name, const char *group, struct run_arm **ret)
{
	struct run_arm *more;

	for (size_t i = 0; i < set->nr; i++) {
		if (same(set->arm[i].name, name) && same(set->arm[i].group, group)) {
			*ret = &set->arm[i];
			return 0;
		}
	}
	more = realloc(set->arm, (set->nr + 1) * sizeof(*more));
	if (!more)
		return -ENOMEM;
	set->arm = more;
	more += set->nr;
	*more = (struct run_arm){ .name = strdup(name), .group = group ? strdup(group) : NULL };
	if (!more->name || (group && !more->group)) {
		arm__exit(more);
		return -ENOMEM;
	}
	set->nr++;
	*ret = more;
	return 0;
}

static uint32_t hash_of(const char *name)
{
	return hash__bytes(name, strlen(name));
}

struct run_metric *run_arm__find(const struct run_arm *arm, const char *name)
{
	uint32_t hv = hash_of(name), pos, k;

	for (pos = hash__start(&arm->by_name, hv); (k = hash__next(&arm->by_name, hv, &pos));)
		if (!strcmp(arm->metric[k - 1].name, name))
			return &arm->metric[k - 1];
	return NULL;
}

static int grow_metrics(struct run_arm *arm)
{
	size_t max = arm->max_metrics ? 2 * arm->max_metrics : 16;
	struct run_metric *m = realloc(arm->metric, max * sizeof(*m));

	if (!m)
		return -ENOMEM;
	arm->metric = m;
	arm->max_metrics = max;
	return 0;
}

int run_arm__metric(struct run_arm *arm, const char *name, struct run_metric **ret)
{
	struct run_metric *m = run_arm__find(arm, name);

	if (m) {
		*ret = m;
		return 0;
	}
	if (arm->nr_metrics == arm->max_metrics && grow_metrics(arm))
		return -ENOMEM;
	m = &arm->metric[arm->nr_metrics];
	*m = (struct run_metric){ .name = strdup(name),
				  .unit = strdup(metric__unit(name)),
				  .better = metric__better(name),
				  .value = malloc((arm->max_runs + 1) * sizeof(double)) };
	if (!m->name || !m->unit || !m->value ||
	    hash__add(&arm->by_name, hash_of(name), arm->nr_metrics)) {
		free(m->name);
		free(m->unit);
		free(m->value);
		return -ENOMEM;
	}
	for (size_t i = 0; i < arm->nr_runs; i++)
		m->value[i] = NAN;
	arm->nr_metrics++;
	*ret = m;
	return 0;
}

static int grow_runs(struct run_arm *arm)
{
	size_t max = arm->max_runs ? 2 * arm->max_runs : 8;
	struct run *run = realloc(arm->run, max * sizeof(*run));

	if (!run)
		return -ENOMEM;
	arm->run = run;
	for (size_t i = 0; i < arm->nr_metrics; i++) {
		double *v = realloc(arm->metric[i].value, max * sizeof(*v));

		if (!v)
			return -ENOMEM;
		arm->metric[i].value = v;
	}
	arm->max_runs = max;
	return 0;
}

int run_arm__add_run(struct run_arm *arm, struct run **ret)
{
	if (arm->nr_runs == arm->max_runs && grow_runs(arm))
		return -ENOMEM;
	arm->run[arm->nr_runs] = (struct run){ .seconds = NAN, .running_pct = 100 };
	for (size_t i = 0; i < arm->nr_metrics; i++)
		arm->metric[i].value[arm->nr_runs] = NAN;
	*ret = &arm->run[arm->nr_runs++];
	return 0;
}

void run_arm__drop_last(struct run_arm *arm)
{
	struct run *run = &arm->run[--arm->nr_runs];

	free(run->start);
	free(run->why);
}

int run_arm__set(struct run_arm *arm, const char *metric, double v)
{
	struct run_metric *m;

	if (run_arm__metric(arm, metric, &m))
		return -ENOMEM;
	m->value[arm->nr_runs - 1] = v;
	return 0;
}

size_t run_arm__values(const struct run_arm *arm, const struct run_metric *m, double *ret_v,
		       size_t *ret_run)
{
	size_t n = 0;

	for (size_t i = 0; i < arm->nr_runs; i++) {
		if (arm->run[i].status != RUN_OK || isnan(m->value[i]))
			continue;
		if (ret_run)
			ret_run[n] = i + 1;
		ret_v[n++] = m->value[i];
	}
	return n;
}

size_t run_arm__good(const struct run_arm *arm)
{
	size_t n = 0;

	for (size_t i = 0; i < arm->nr_runs; i++)
		n += arm->run[i].status == RUN_OK;
	return n;
}

static double last(const struct run_arm *arm, const char *name)
{
	const struct run_metric *m = run_arm__find(arm, name);

	return m ? m->value[arm->nr_runs - 1] : NAN;
}

int run_arm__derive(struct run_arm *arm)
{
	double misses = last(arm, METRIC_MISSES), moves = last(arm, METRIC_MIGRATIONS);
	double references = last(arm, METRIC_REFERENCES);
	int rc = 0;

	if (misses >= 0 && moves > 0)
		rc = run_arm__set(arm, METRIC_RATIO, misses / moves);
	if (!rc && misses >= 0 && references > 0)
		rc = run_arm__set(arm, METRIC_MISS_RATE, 100 * misses / references);
	return rc;
}

const char *run_status__name(enum run_status status)
{
	static const char *const names[] = {
		[RUN_OK] = "ok", [RUN_FAILED] = "failed", [RUN_TIMEOUT] = "timeout", [RUN_NO_VALUE] = "no value"
	};

	return names[status];
}
