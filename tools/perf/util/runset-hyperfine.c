// SPDX-License-Identifier: GPL-2.0
/*
 * runset-hyperfine: the JSON of hyperfine --export-json: each command an arm, its times the runs.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "runset-int.h"

static int add_run(struct run_arm *arm, const json_t *result, size_t i)
{
	const json_t *code = json_array_get(json_object_get(result, "exit_codes"), i);
	double v;
	struct run *run;

	if (run_arm__add_run(arm, &run))
		return -ENOMEM;
	run->exit_code = json_integer_value(code);
	run->status = run->exit_code ? RUN_FAILED : RUN_OK;
	if (runset__number(json_array_get(json_object_get(result, "times"), i), &v)) {
		run->seconds = v;
		if (run_arm__set(arm, METRIC_VALUE, v))
			return -ENOMEM;
		run_arm__find(arm, METRIC_VALUE)->better = METRIC_LOWER; /* seconds */
	}
	if (runset__number(json_array_get(json_object_get(result, "memory_usage_byte"), i), &v) &&
	    run_arm__set(arm, "memory-usage", v))
		return -ENOMEM;
	return 0;
}

int runset__read_hyperfine(struct runset *set, struct runset_source *src, struct mig_err *err)
{
	json_error_t why;
	json_t *root = json_loads(src->text, JSON_REJECT_DUPLICATES, &why), *results;
	struct run_arm *arm;
	int rc = 0;

	if (!root)
		return mig_err__set(err, -EINVAL, "%s:%d: %s", src->path, why.line, why.text);
	results = json_object_get(root, "results");
	for (size_t i = 0; !rc && i < json_array_size(results); i++) {
		const json_t *r = json_array_get(results, i);
		const char *command = json_string_value(json_object_get(r, "command"));
		size_t n = json_array_size(json_object_get(r, "times"));

		if (!command || !n) {
			rc = mig_err__set(err, -EINVAL,
					  "%s: result %zu has no \"command\" or no \"times\"",
					  src->path, i + 1);
			mig_err__hint(err, "export with hyperfine --export-json, 1.5 or later");
			break;
		}
		rc = runset__arm(set, json_array_size(results) == 1 ? src->name : command, NULL,
				 &arm);
		for (size_t k = 0; !rc && k < n; k++)
			rc = add_run(arm, r, k);
		if (!rc && !arm->command)
			arm->command = strdup(command);
		if (rc)
			runset__nomem(err);
	}
	json_decref(root);
	return rc;
}
