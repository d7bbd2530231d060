// SPDX-License-Identifier: GPL-2.0
/*
 * runset-lkp: stats.json (one run: name -> number) and matrix.json (name -> one number a run) of
 * LKP. In a matrix "stats_source" lists the runs; a short row was padded with zeros by LKP itself,
 * which cannot be told from a measured zero.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "err.h"
#include "runset-int.h"

static size_t columns(const json_t *root)
{
	const json_t *source = json_object_get(root, "stats_source");
	size_t n = json_array_size(source);
	const char *key;
	json_t *v;

	if (n)
		return n;
	json_object_foreach((json_t *)root, key, v)
	{
		if (json_array_size(v) > n)
			n = json_array_size(v);
	}
	return n ? n : 1;
}

static bool is_time(const char *key)
{
	size_t len = strlen(key);

	return len > 5 && !strcmp(key + len - 5, ".time");
}

static int add_row(struct run_arm *arm, const char *key, const json_t *v)
{
	struct run_metric *m = NULL;
	size_t n = json_is_array(v) ? json_array_size(v) : 1;
	double d;

	if (is_time(key)) /* when samples were taken, not a figure */
		return 0;
	for (size_t i = 0; i < n && i < arm->nr_runs; i++) {
		if (!runset__number(json_is_array(v) ? json_array_get(v, i) : v, &d))
			continue;
		if (!m && run_arm__metric(arm, key, &m))
			return -ENOMEM;
		m->value[i] = d;
	}
	return 0;
}

int runset__read_lkp(struct runset *set, struct runset_source *src, struct mig_err *err)
{
	json_error_t why;
	json_t *root = json_loads(src->text, JSON_REJECT_DUPLICATES, &why), *v;
	struct run_arm *arm;
	struct run *run;
	const char *key;
	size_t n;
	int rc;

	if (!root)
		return mig_err__set(err, -EINVAL, "%s:%d: %s", src->path, why.line, why.text);
	n = columns(root);
	rc = runset__arm(set, src->name, NULL, &arm);
	for (size_t i = 0; !rc && i < n; i++)
		rc = run_arm__add_run(arm, &run);
	json_object_foreach(root, key, v)
	{
		if (!rc)
			rc = add_row(arm, key, v);
	}
	json_decref(root);
	if (rc)
		return runset__nomem(err);
	if (!arm->nr_metrics)
		return mig_err__set(err, -ENODATA, "%s: no numbers in it", src->path);
	return 0;
}
