// SPDX-License-Identifier: GPL-2.0
/*
 * runset-native: the results file, Documentation/migstat-results.md.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "runset-int.h"

enum { VERSION = 1 };

/* --- writing --- */

static json_t *text_or_null(const char *s)
{
	json_t *v = s ? json_string(s) : json_null();

	return v ? v : json_null(); /* not UTF-8 */
}

static json_t *number(double v)
{
	if (!isfinite(v))
		return json_null();
	return v == floor(v) && fabs(v) < 9e15 ? json_integer((json_int_t)v) : json_real(v);
}

static int dump(json_t *o, FILE *fp)
{
	int rc = json_dumpf(o, fp, JSON_COMPACT | JSON_REAL_PRECISION(17));

	json_decref(o);
	return rc || putc('\n', fp) == EOF ? -EIO : 0;
}

int runset__write_header(const struct run_arm *arm, FILE *fp)
{
	json_t *o = json_object(), *metrics = json_object(), *env = json_object();

	for (size_t i = 0; i < arm->nr_metrics; i++) {
		const struct run_metric *m = &arm->metric[i];
		json_t *d = json_object();

		json_object_set_new(d, "unit", text_or_null(m->unit));
		json_object_set_new(d, "better", json_string(metric__better_name(m->better)));
		if (m->note)
			json_object_set_new(d, "note", text_or_null(m->note));
		json_object_set_new(metrics, m->name, d);
	}
	for (size_t i = 0; i < arm->machine.nr; i++)
		json_object_set_new(env, arm->machine.item[i].name,
				    text_or_null(arm->machine.item[i].text));
	json_object_set_new(o, "schema", json_string(RUNSET_SCHEMA));
	json_object_set_new(o, "version", json_integer(VERSION));
	json_object_set_new(o, "name", text_or_null(arm->name));
	json_object_set_new(o, "group", text_or_null(arm->group));
	json_object_set_new(o, "note", text_or_null(arm->note));
	json_object_set_new(o, "command", text_or_null(arm->command));
	json_object_set_new(o, "metrics", metrics);
	json_object_set_new(o, "environment", env);
	return dump(o, fp);
}

int runset__write_run(const struct run_arm *arm, size_t run, FILE *fp)
{
	const struct run *r = &arm->run[run];
	json_t *o = json_object(), *values = json_object(), *missing = json_object();

	for (size_t i = 0; i < arm->nr_metrics; i++) {
		const struct run_metric *m = &arm->metric[i];

		if (!isnan(m->value[run]))
			json_object_set_new(values, m->name, number(m->value[run]));
		else if (m->why)
			json_object_set_new(missing, m->name, text_or_null(m->why));
	}
	json_object_set_new(o, "run", json_integer(run + 1));
	json_object_set_new(o, "status", json_string(run_status__name(r->status)));
	json_object_set_new(o, "exit", json_integer(r->exit_code));
	json_object_set_new(o, "why", text_or_null(r->why));
	json_object_set_new(o, "start", text_or_null(r->start));
	json_object_set_new(o, "seconds", number(r->seconds));
	json_object_set_new(o, "running_pct", number(r->running_pct));
	json_object_set_new(o, "values", values);
	json_object_set_new(o, "missing", missing);
	return dump(o, fp);
}

/* --- reading --- */

struct reader {
	struct runset *set;
	const struct runset_source *src;
	struct mig_err *err;
	size_t line, arm; /* arm: index, valid once a header was seen */
	bool has_arm;
	size_t nr_headers;
};

static int bad(const struct reader *rd, const char *what, const char *key)
{
	return mig_err__set(rd->err, -EINVAL, "%s:%zu: %s%s%s%s", rd->src->path, rd->line, what,
			    key ? " \"" : "", key ? key : "", key ? "\"" : "");
}

/* A string, or null / absent where that is allowed. Replaces *ret. */
static int get_text(struct reader *rd, const json_t *o, const char *key, bool needed, char **ret)
{
	const json_t *v = json_object_get(o, key);

	if (!v || json_is_null(v))
		return needed ? bad(rd, "no text in", key) : 0;
	if (!json_is_string(v))
		return bad(rd, "not a text:", key);
	free(*ret);
	*ret = strdup(json_string_value(v));
	return *ret ? 0 : runset__nomem(rd->err);
}

static int read_metric(struct reader *rd, const char *name, const json_t *d)
{
	struct run_arm *arm = &rd->set->arm[rd->arm];
	struct run_metric *m;
	char *better = NULL;
	int rc;

	if (!json_is_object(d))
		return bad(rd, "not an object: metric", name);
	if (run_arm__metric(arm, name, &m))
		return runset__nomem(rd->err);
	rc = get_text(rd, d, "unit", false, &m->unit);
	if (!rc)
		rc = get_text(rd, d, "note", false, &m->note);
	if (!rc)
		rc = get_text(rd, d, "better", false, &better);
	if (!rc && better) {
		m->better = metric__parse_better(better);
		if (m->better == METRIC_UNKNOWN)
			rc = bad(rd, "\"better\" is none, higher or lower, not", better);
	}
	free(better);
	return rc;
}

static int read_environment(struct reader *rd, const json_t *env)
{
	struct run_arm *arm = &rd->set->arm[rd->arm];
	const char *key;
	json_t *v;

	if (arm->machine.nr) /* appended later, on the same machine or not: the first one stays */
		return 0;
	json_object_foreach((json_t *)env, key, v)
	{
		if (!json_is_string(v))
			return bad(rd, "not a text: environment", key);
		if (machine__add(&arm->machine, key, json_string_value(v)))
			return runset__nomem(rd->err);
	}
	return 0;
}

static int read_header(struct reader *rd, const json_t *o)
{
	const json_t *version = json_object_get(o, "version"), *metrics, *env;
	char *schema = NULL, *name = NULL, *group = NULL;
	struct run_arm *arm;
	const char *key;
	json_t *d;
	int rc = get_text(rd, o, "schema", true, &schema);

	if (!rc && strcmp(schema, RUNSET_SCHEMA))
		rc = bad(rd, "the schema is not " RUNSET_SCHEMA " but", schema);
	if (!rc && (!json_is_integer(version) || json_integer_value(version) < 1))
		rc = bad(rd, "no \"version\"", NULL);
	if (!rc && json_integer_value(version) > VERSION) {
		bad(rd, "this file is of a later version than this program knows", NULL);
		rc = mig_err__hint(rd->err, "use the perf migstat that wrote it, or a newer one");
	}
	if (!rc)
		rc = get_text(rd, o, "name", true, &name);
	if (!rc)
		rc = get_text(rd, o, "group", false, &group);
	if (rc)
		goto out;
	if (runset__arm(rd->set, name, group, &arm)) {
		rc = runset__nomem(rd->err);
		goto out;
	}
	rd->arm = arm - rd->set->arm;
	rd->has_arm = true;
	rd->nr_headers++;
	rc = get_text(rd, o, "note", false, &arm->note);
	if (!rc)
		rc = get_text(rd, o, "command", false, &arm->command);
	metrics = json_object_get(o, "metrics");
	if (!rc && metrics && !json_is_object(metrics))
		rc = bad(rd, "not an object:", "metrics");
	if (!rc)
		json_object_foreach((json_t *)metrics, key, d)
		{
			rc = read_metric(rd, key, d);
			if (rc)
				goto out;
		}
	env = json_object_get(o, "environment");
	if (!rc && env)
		rc = json_is_object(env) ? read_environment(rd, env)
					 : bad(rd, "not an object:", "environment");
out:
	free(schema);
	free(name);
	free(group);
	return rc;
}

static int read_status(struct reader *rd, const json_t *o, struct run *run)
{
	char *status = NULL;
	int rc = get_text(rd, o, "status", false, &status), s;

	if (rc || !status)
		return rc;
	for (s = RUN_OK; s <= RUN_NO_VALUE && strcmp(status, run_status__name(s)); s++)
		;
	if (s > RUN_NO_VALUE)
		rc = bad(rd, "unknown status", status);
	else
		run->status = s;
	free(status);
	return rc;
}

static int read_values(struct reader *rd, const json_t *values)
{
	const char *key;
	double v;
	json_t *d;

	json_object_foreach((json_t *)values, key, d)
	{
		if (json_is_null(d))
			continue;
		if (!runset__number(d, &v))
			return bad(rd, "not a number: value", key);
		if (run_arm__set(&rd->set->arm[rd->arm], key, v))
			return runset__nomem(rd->err);
	}
	return 0;
}

static int read_missing(struct reader *rd, const json_t *o)
{
	const json_t *missing = json_object_get(o, "missing");
	struct run_metric *m;
	const char *key;
	json_t *d;
	int rc;

	if (missing && !json_is_object(missing))
		return bad(rd, "not an object:", "missing");
	json_object_foreach((json_t *)missing, key, d)
	{
		if (run_arm__metric(&rd->set->arm[rd->arm], key, &m))
			return runset__nomem(rd->err);
		rc = get_text(rd, missing, key, false, &m->why);
		if (rc)
			return rc;
	}
	return 0;
}

static int read_run(struct reader *rd, const json_t *o)
{
	const json_t *values = json_object_get(o, "values"), *v = json_object_get(o, "exit");
	struct run *run;
	double d;
	int rc;

	if (!rd->has_arm)
		return bad(rd, "a run before the first header", NULL);
	if (!json_is_object(values))
		return bad(rd, "a run without", "values");
	if (run_arm__add_run(&rd->set->arm[rd->arm], &run))
		return runset__nomem(rd->err);
	if (v && !json_is_integer(v))
		return bad(rd, "not an integer:", "exit");
	run->exit_code = json_integer_value(v);
	rc = get_text(rd, o, "start", false, &run->start);
	if (!rc)
		rc = get_text(rd, o, "why", false, &run->why);
	if (!rc)
		rc = read_status(rd, o, run);
	if (runset__number(json_object_get(o, "seconds"), &d))
		run->seconds = d;
	if (runset__number(json_object_get(o, "running_pct"), &d))
		run->running_pct = d;
	if (!rc)
		rc = read_values(rd, values);
	if (!rc)
		rc = read_missing(rd, o);
	if (!rc && run_arm__derive(&rd->set->arm[rd->arm]))
		rc = runset__nomem(rd->err);
	return rc;
}

static int read_line(struct reader *rd, const char *line)
{
	json_error_t why;
	json_t *o = json_loads(line, JSON_REJECT_DUPLICATES, &why);
	int rc;

	if (!o)
		return bad(rd, why.text, NULL);
	if (json_object_get(o, "schema"))
		rc = read_header(rd, o);
	else if (json_object_get(o, "run"))
		rc = read_run(rd, o);
	else
		rc = bad(rd, "neither a header (\"schema\") nor a run (\"run\")", NULL);
	json_decref(o);
	return rc;
}

int runset__read_native(struct runset *set, struct runset_source *src, struct mig_err *err)
{
	struct reader rd = { .set = set, .src = src, .err = err };
	bool whole = src->size && src->text[src->size - 1] == '\n';
	char *pos = src->text, *line;
	int rc = 0;

	while (!rc && (line = runset__line(&pos))) {
		rd.line++;
		if (!line[strspn(line, " \t")])
			continue;
		rc = read_line(&rd, line);
		if (rc == -EINVAL && !*pos && !whole)
			mig_err__hint(err, "the last line is cut: remove it to keep the runs "
					   "before it");
	}
	/* one arm, and the user has a name for it */
	if (!rc && src->named && set->nr == 1) {
		free(set->arm[0].name);
		set->arm[0].name = strdup(src->name);
		rc = set->arm[0].name ? 0 : runset__nomem(err);
	}
	for (size_t i = 0; !rc && i < set->nr; i++) {
		if (!set->arm[i].nr_runs)
			rc = mig_err__set(err, -ENODATA, "%s: no runs of \"%s\"", src->path,
					  set->arm[i].name);
	}
	return rc;
}
