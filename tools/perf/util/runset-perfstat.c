// SPDX-License-Identifier: GPL-2.0
/*
 * runset-perfstat: what perf stat -x SEP and -j print. A line of -x is
 *
 *	value SEP unit SEP event [SEP cgroup] SEP run time SEP percent running [SEP metric SEP unit]
 *
 * with "<not supported>" or "<not counted>" for a value. The same event a second time begins
 * another run: the outputs of repeated perf stat, one after the other (-o FILE --append). On a
 * machine with two kinds of CPU an event stands there once for each; they are added up.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "runset-int.h"

struct stat_line {
	const char *value, *event, *cgroup;
	double running_pct;
	bool variance, interval; /* of -r, of -I or -A: not one figure a run */
};

/* Cuts the next field off. An event with terms (cpu/event=1,umask=2/) may hold the separator. */
static char *field(char **pos, char sep, bool event)
{
	char *start = *pos, *p = start, *slash;

	if (!start)
		return NULL;
	p += strcspn(p, (char[]){ sep, '\0' });
	slash = event ? memchr(start, '/', p - start) : NULL;
	if (slash && (slash = strchr(slash + 1, '/')) && slash > p)
		p = slash + strcspn(slash, (char[]){ sep, '\0' });
	*pos = *p ? p + 1 : NULL;
	*p = '\0';
	return start;
}

static bool is_number(const char *s)
{
	char *end;

	strtod(s, &end);
	return end != s && !*end;
}

/* Is it text like "S0", "S0-D0-C0", "CPU1", or "  1.000123456" before a count? */
static bool is_count(const char *s)
{
	return is_number(s) || !strcmp(s, "<not supported>") || !strcmp(s, "<not counted>");
}

/* Returns 0, or -EINVAL if it is no such line. */
static int split(char *line, char sep, struct stat_line *ret)
{
	char *pos = line, *f;

	*ret = (struct stat_line){ .running_pct = 100 };
	ret->value = field(&pos, sep, false);
	ret->value += strspn(ret->value, " ");
	if (!is_count(ret->value)) {
		ret->interval = true;
		return 0;
	}
	f = field(&pos, sep, false); /* the unit; after a time stamp of -I the count */
	if (!f)
		return -EINVAL;
	ret->interval = *f && is_count(f);
	f = field(&pos, sep, true);
	if (!f || !*f)
		return -EINVAL;
	ret->event = f;
	f = field(&pos, sep, false);
	if (f && *f && !is_number(f) && f[strlen(f) - 1] != '%') {
		ret->cgroup = f;
		f = field(&pos, sep, false);
	}
	if (f && *f && f[strlen(f) - 1] == '%') {
		ret->variance = true;
		f = field(&pos, sep, false);
	}
	if (!f || !is_number(f))
		return -EINVAL;
	f = field(&pos, sep, false);
	if (f && is_number(f))
		ret->running_pct = strtod(f, NULL);
	return 0;
}

/* "cpu_core/cache-misses/" -> "cache-misses"; everything else as it is. */
static char *name_of(const struct stat_line *l)
{
	const char *e = l->event;
	size_t len = strlen(e);
	char *name;
	bool part = !strncmp(e, "cpu_core/", 9) || !strncmp(e, "cpu_atom/", 9);

	if (part && len > 10 && e[len - 1] == '/') {
		e += 9;
		len -= 10;
	}
	return asprintf(&name, l->cgroup ? "%.*s@%s" : "%.*s", (int)len, e, l->cgroup) < 0 ? NULL
											   : name;
}

static bool is_part(const char *event)
{
	return !strncmp(event, "cpu_core/", 9) || !strncmp(event, "cpu_atom/", 9);
}

/* Has this run seen that very event, and so a new run begins? */
struct seen {
	char **event;
	size_t nr;
};

static bool seen__add(struct seen *s, const struct stat_line *l)
{
	char *key, **more;

	if (asprintf(&key, "%s@%s", l->event, l->cgroup ? l->cgroup : "") < 0)
		return false;
	for (size_t i = 0; i < s->nr; i++) {
		if (!strcmp(s->event[i], key)) {
			free(key);
			return true;
		}
	}
	more = realloc(s->event, (s->nr + 1) * sizeof(*more));
	if (!more) {
		free(key);
		return false;
	}
	s->event = more;
	s->event[s->nr++] = key;
	return false;
}

static void seen__clear(struct seen *s)
{
	for (size_t i = 0; i < s->nr; i++)
		free(s->event[i]);
	free(s->event);
	*s = (struct seen){ 0 };
}

static int add_line(struct run_arm *arm, const struct stat_line *l)
{
	struct run *run = &arm->run[arm->nr_runs - 1];
	bool counted = is_number(l->value);
	char *name = name_of(l);
	struct run_metric *m;
	double *v;
	int rc = name ? run_arm__metric(arm, name, &m) : -ENOMEM;

	free(name);
	if (rc)
		return rc;
	v = &m->value[arm->nr_runs - 1];
	if (counted) {
		*v = (is_part(l->event) && !isnan(*v) ? *v : 0) + strtod(l->value, NULL);
		if (l->running_pct < run->running_pct)
			run->running_pct = l->running_pct;
	} else if (!m->why) {
		/* "<not supported>" without its brackets */
		m->why = strndup(l->value + 1, strlen(l->value) - 2);
		rc = m->why ? 0 : -ENOMEM;
	}
	return rc;
}

struct perfstat {
	struct run_arm *arm;
	struct seen seen;
	bool single;
	const char *path; /* for messages, NULL = perf stat itself */
	size_t line;
	struct mig_err *err;
};

static int bad(const struct perfstat *ps, const char *what, const char *hint)
{
	if (ps->path)
		mig_err__set(ps->err, -EINVAL, "%s:%zu: %s", ps->path, ps->line, what);
	else
		mig_err__set(ps->err, -EINVAL, "perf stat: %s", what);
	return hint ? mig_err__hint(ps->err, "%s", hint) : -EINVAL;
}

static int take(struct perfstat *ps, const struct stat_line *l)
{
	struct run *run;

	if (l->interval)
		return bad(ps, "counts of an interval or a CPU (-I, -A, --per-*)",
			   "one count a run is needed: perf stat without these options");
	if (l->variance)
		return bad(ps, "perf stat -r has averaged the runs, they cannot be compared",
			   "perf migstat stat -r N -o FILE keeps them");
	if (seen__add(&ps->seen, l)) {
		if (ps->single)
			return bad(ps, "an event is there twice", "name each event once in -e");
		if (run_arm__derive(ps->arm))
			return runset__nomem(ps->err);
		seen__clear(&ps->seen);
		seen__add(&ps->seen, l);
		if (run_arm__add_run(ps->arm, &run))
			return runset__nomem(ps->err);
	}
	return add_line(ps->arm, l) ? runset__nomem(ps->err) : 0;
}

static int take_json(struct perfstat *ps, const char *text)
{
	json_t *o = json_loads(text, 0, NULL);
	struct stat_line l = { .running_pct = 100 };
	double pct;
	int rc;

	if (!o)
		return bad(ps, "not a JSON object", NULL);
	l.value = json_string_value(json_object_get(o, "counter-value"));
	l.event = json_string_value(json_object_get(o, "event"));
	l.cgroup = json_string_value(json_object_get(o, "cgroup"));
	l.variance = json_object_get(o, "variance");
	l.interval = json_object_get(o, "interval") || json_object_get(o, "cpu") ||
		     json_object_get(o, "aggregate-number");
	if (runset__number(json_object_get(o, "pcnt-running"), &pct))
		l.running_pct = pct;
	if (l.value && l.event)
		rc = is_count(l.value) ? take(ps, &l) : bad(ps, "not a count", NULL);
	else /* an additional metric of the event before it */
		rc = json_object_get(o, "metric-value") ? 0 : bad(ps, "no count in it", NULL);
	json_decref(o);
	return rc;
}

static int take_text(struct perfstat *ps, char *text, char sep)
{
	struct stat_line l;

	if (text[0] == sep || !strchr(text, sep)) /* a metric of its own, or nothing of -x */
		return text[0] == sep ? 0 : bad(ps, "not a line of perf stat -x", NULL);
	if (split(text, sep, &l))
		return bad(ps, "not a line of perf stat -x", NULL);
	return take(ps, &l);
}

static int parse(struct perfstat *ps, char *text, char sep)
{
	char *pos = text, *line;
	int rc = 0;

	while (!rc && (line = runset__line(&pos))) {
		ps->line++;
		line += strspn(line, " \t");
		if (*line && *line != '#')
			rc = *line == '{' ? take_json(ps, line) : take_text(ps, line, sep);
	}
	seen__clear(&ps->seen);
	return rc;
}

int runset__parse_perfstat(struct run_arm *arm, char *text, char sep, bool single,
			   struct mig_err *err)
{
	struct perfstat ps = { .arm = arm, .single = single, .err = err };

	return parse(&ps, text, sep);
}

/* What stands behind the first count. */
static char find_separator(const char *text)
{
	const char *p = text;

	while (*p == '#' || *p == '\n' || *p == '\r') {
		p = strchr(p, '\n');
		if (!p)
			return ',';
		p++;
	}
	if (*p == '<') {
		p = strchr(p, '>');
		return p && p[1] ? p[1] : ',';
	}
	p += strspn(p, " 0123456789.");
	return *p && *p != '\n' ? *p : ',';
}

int runset__read_perf(struct runset *set, struct runset_source *src, struct mig_err *err)
{
	struct perfstat ps = { .path = src->path, .err = err };
	struct run *run;
	int rc;

	if (runset__arm(set, src->name, NULL, &ps.arm) || run_arm__add_run(ps.arm, &run))
		return runset__nomem(err);
	rc = parse(&ps, src->text, find_separator(src->text));
	if (!rc && run_arm__derive(ps.arm))
		rc = runset__nomem(err);
	if (!rc && !ps.arm->nr_metrics)
		rc = mig_err__set(err, -ENODATA, "%s: no counts in it", src->path);
	return rc;
}
