// SPDX-License-Identifier: GPL-2.0
#include "sweep.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect.h"
#include "err.h"
#include "placement.h"

static const struct {
	const char *name, *what;
	enum sweep_act act;
} workload_knobs[] = {
	{ "place", "CPUs: all, one, smt, llc, node, apart, or 0+2-3", SWEEP_PLACE },
	{ "nice", "-20 to 19", SWEEP_NICE },
	{ "policy", "other, batch, idle, fifo:PRIO, rr:PRIO", SWEEP_POLICY },
	{ "cpu.weight", "of a cgroup of its own, 1 to 10000", SWEEP_CGROUP },
	{ "cpu.max", "of a cgroup: max, 50% of a CPU, QUOTA/PERIOD", SWEEP_CGROUP },
	{ "cpuset", "of a cgroup: as place", SWEEP_CGROUP },
};

enum { NR_WORKLOAD = sizeof(workload_knobs) / sizeof(workload_knobs[0]), MAX_ARMS = 1000 };

const char *sweep__workload_knob(size_t i, const char **ret_what)
{
	if (i >= NR_WORKLOAD)
		return NULL;
	*ret_what = workload_knobs[i].what;
	return workload_knobs[i].name;
}

static int no_memory(struct mig_err *err)
{
	return mig_err__set(err, -ENOMEM, "out of memory");
}

/* Splits "V1,V2"; empty ones and the same one twice are errors. */
static int split_values(struct sweep_axis *a, const char *option, const char *values,
			struct mig_err *err)
{
	while (true) {
		size_t len = strcspn(values, ",");
		char **more = realloc(a->value, (a->nr + 1) * sizeof(*more));

		if (!more)
			return no_memory(err);
		a->value = more;
		a->value[a->nr] = strndup(values, len);
		if (!a->value[a->nr])
			return no_memory(err);
		a->nr++;
		if (!len)
			return mig_err__usage(err, "%s %s: a value is empty", option, a->name);
		for (size_t i = 0; i + 1 < a->nr; i++)
			if (!strcmp(a->value[i], a->value[a->nr - 1]))
				return mig_err__usage(err, "%s %s: %s is there twice", option,
						      a->name, a->value[i]);
		values += len;
		if (!*values)
			return 0;
		values++;
	}
}

/* eq: where the name ends. */
static int add(struct sweep *s, const char *option, const char *text, const char *eq,
	       enum sweep_act act, struct mig_err *err)
{
	struct sweep_axis *more, *a;
	int rc;

	if (!eq || eq == text)
		return mig_err__usage(err, "%s %s: use NAME=VALUE,VALUE", option, text);
	more = realloc(s->axis, (s->nr + 1) * sizeof(*more));
	if (!more)
		return no_memory(err);
	s->axis = more;
	a = &s->axis[s->nr++];
	*a = (struct sweep_axis){ .name = strndup(text, eq - text), .act = act };
	if (!a->name)
		return no_memory(err);
	for (size_t i = 0; i + 1 < s->nr; i++)
		if (!strcmp(s->axis[i].name, a->name))
			return mig_err__usage(err, "%s %s: it is there twice", option, a->name);
	rc = split_values(a, option, eq + 1, err);
	if (!rc && sweep__nr_arms(s) > MAX_ARMS)
		rc = mig_err__usage(err, "more than %d combinations of values", MAX_ARMS);
	return rc;
}

int sweep__add(struct sweep *s, const char *text, struct mig_err *err)
{
	const char *eq = strchr(text, '=');
	enum sweep_act act = SWEEP_KNOB;

	for (int i = 0; eq && i < NR_WORKLOAD; i++)
		if (strlen(workload_knobs[i].name) == (size_t)(eq - text) &&
		    !strncmp(workload_knobs[i].name, text, eq - text))
			act = workload_knobs[i].act;
	return add(s, "--set", text, eq, act, err);
}

int sweep__add_file(struct sweep *s, const char *text, struct mig_err *err)
{
	if (*text != '/')
		return mig_err__usage(err, "--set-file %s: use an absolute path", text);
	return add(s, "--set-file", text, strrchr(text, '='), SWEEP_KNOB, err);
}

int sweep__add_cmd(struct sweep *s, const char *text, struct mig_err *err)
{
	int rc = add(s, "--set-cmd", text, strrchr(text, '='), SWEEP_CMD, err);

	if (!rc && !strstr(s->axis[s->nr - 1].name, "{}"))
		rc = mig_err__usage(err, "--set-cmd %s: {} must stand where the value goes", text);
	return rc;
}

void sweep__exit(struct sweep *s)
{
	for (size_t i = 0; i < s->nr; i++) {
		struct sweep_axis *a = &s->axis[i];

		for (size_t v = 0; v < a->nr; v++)
			free(a->value[v]);
		free(a->value);
		free(a->name);
		knob__exit(&a->knob);
		cgroupfs__exit(&a->cgroup);
	}
	free(s->axis);
	free(s->allowed);
	if (s->has_topo)
		topo__exit(&s->topo);
	*s = (struct sweep){ 0 };
}

size_t sweep__nr_arms(const struct sweep *s)
{
	size_t n = 1;

	for (size_t i = 0; i < s->nr && n <= MAX_ARMS; i++)
		n *= s->axis[i].nr;
	return n;
}

/* The value of an axis in an arm: the last axis changes fastest. */
static const char *value_of(const struct sweep *s, size_t axis, size_t arm)
{
	for (size_t i = s->nr - 1; i > axis; i--)
		arm /= s->axis[i].nr;
	return s->axis[axis].value[arm % s->axis[axis].nr];
}

char *sweep__arm_name(const struct sweep *s, size_t arm)
{
	char *text = strdup("");

	for (size_t i = 0; i < s->nr && text; i++) {
		char *more;

		if (asprintf(&more, "%s%s%s=%s", text, i ? " " : "", s->axis[i].name,
			     value_of(s, i, arm)) < 0)
			more = NULL;
		free(text);
		text = more;
	}
	return text;
}

size_t sweep__order(const struct sweep *s, size_t round, size_t slot)
{
	return (round + slot) % sweep__nr_arms(s);
}

/* The CPUs that this process may use. */
static char *allowed_cpus(void)
{
	cpu_set_t set;
	char *text = NULL;
	size_t len = 0;

	if (sched_getaffinity(0, sizeof(set), &set))
		return NULL;
	text = malloc(CPU_SETSIZE * 5 + 1);
	for (int cpu = 0; text && cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set))
			len += sprintf(text + len, "%s%d", len ? "," : "", cpu);
	return text;
}

static int need_topo(struct sweep *s, struct mig_err *err)
{
	if (s->has_topo)
		return 0;
	s->has_topo = true;
	if (!*s->root)
		s->allowed = allowed_cpus();
	return topo__init_from_sysfs(&s->topo, s->root, err);
}

static const char *controller_of(const char *name)
{
	return strcmp(name, "cpuset") ? "cpu" : "cpuset";
}

static int find_axis(struct sweep *s, struct sweep_axis *a, struct undo *undo, struct mig_err *err)
{
	int rc = 0;

	switch (a->act) {
	case SWEEP_KNOB:
		rc = *a->name == '/' ? knob__init_file(&a->knob, a->name, err)
				     : knob__init(&a->knob, s->root, a->name, err);
		for (size_t i = 0; i < a->knob.nr && !rc; i++)
			if (undo__add_place(undo, &a->knob.place[i]))
				rc = no_memory(err);
		return rc;
	case SWEEP_CMD:
		if (!a->restore_cmd) {
			mig_err__usage(err, "--set-cmd '%s': what restores it is not known",
				       a->name);
			return mig_err__hint(err, "add --restore-cmd CMD behind it ('' if there is "
						  "nothing to restore)");
		}
		return *a->restore_cmd && undo__add_cmd(undo, a->restore_cmd) ? no_memory(err) : 0;
	case SWEEP_CGROUP:
		rc = cgroupfs__find(&a->cgroup, controller_of(a->name), err);
		if (!rc && undo__add_dir(undo, a->cgroup.dir))
			rc = no_memory(err);
		if (rc || strcmp(a->name, "cpuset"))
			return rc;
		return need_topo(s, err);
	case SWEEP_PLACE:
		return need_topo(s, err);
	default:
		return 0;
	}
}

int sweep__find(struct sweep *s, struct undo *undo, struct mig_err *err)
{
	int rc = 0;

	for (size_t i = 0; i < s->nr && !rc; i++)
		rc = find_axis(s, &s->axis[i], undo, err);
	return rc;
}

static int run_set_cmd(const struct sweep_axis *a, const char *value, struct mig_err *err)
{
	const char *hole = strstr(a->name, "{}");
	char *line, *argv[] = { "/bin/sh", "-c", NULL, NULL };
	int status, rc;

	if (asprintf(&line, "%.*s%s%s", (int)(hole - a->name), a->name, value, hole + 2) < 0)
		return no_memory(err);
	argv[2] = line;
	rc = collect__run(argv, &status, err);
	if (!rc && status)
		rc = mig_err__set(err, -EIO, "--set-cmd: '%s' ended with exit code %d", line,
				  status);
	free(line);
	return rc;
}

static int add_nice(const char *value, struct argv *prefix, struct mig_err *err)
{
	char *end;
	long n = strtol(value, &end, 10);

	if (*end || n < -20 || n > 19)
		return mig_err__usage(err, "--set nice=%s: use -20 to 19", value);
	argv__add(prefix, "nice");
	argv__add(prefix, "-n");
	argv__add(prefix, value);
	return 0;
}

static int add_policy(const char *value, struct argv *prefix, struct mig_err *err)
{
	const char *colon = strchr(value, ':'), *prio = colon ? colon + 1 : "0";
	size_t len = colon ? (size_t)(colon - value) : strlen(value);
	bool rt = (len == 4 && !strncmp(value, "fifo", 4)) ||
		  (len == 2 && !strncmp(value, "rr", 2));
	long n = strtol(prio, NULL, 10);

	if (rt ? !colon || n < 1 || n > 99
	       : colon || (strcmp(value, "other") && strcmp(value, "batch") &&
			   strcmp(value, "idle")))
		return mig_err__usage(err,
				      "--set policy=%s: use other, batch, idle, fifo:1 to fifo:99, "
				      "rr:1 to rr:99",
				      value);
	argv__add(prefix, "chrt");
	argv__addf(prefix, "--%.*s", (int)len, value);
	argv__add(prefix, prio);
	return 0;
}

/* The shell enters the cgroup and becomes the command. */
static int add_cgroup(const struct sweep *s, const struct sweep_axis *a, const char *value,
		      struct argv *prefix, struct mig_err *err)
{
	char *cpus = NULL;
	int rc = 0;

	if (!strcmp(a->name, "cpuset"))
		rc = placement__cpus(&s->topo, s->allowed, value, &cpus, err);
	if (!rc)
		rc = cgroupfs__make(&a->cgroup, controller_of(a->name), err);
	if (!rc)
		rc = cgroupfs__set(&a->cgroup, a->name, cpus ? cpus : value, err);
	free(cpus);
	argv__add(prefix, "/bin/sh");
	argv__add(prefix, "-c");
	argv__add(prefix, "echo $$ >\"$0\"/cgroup.procs && exec \"$@\"");
	argv__add(prefix, a->cgroup.dir);
	return rc;
}

static int add_place(const struct sweep *s, const char *value, struct argv *prefix,
		     struct mig_err *err)
{
	char *cpus = NULL;
	int rc = placement__cpus(&s->topo, s->allowed, value, &cpus, err);

	if (!rc) {
		argv__add(prefix, "taskset");
		argv__add(prefix, "-c");
		argv__add(prefix, cpus);
	}
	free(cpus);
	return rc;
}

static int apply_one(const struct sweep *s, const struct sweep_axis *a, const char *value,
		     struct argv *prefix, struct mig_err *err)
{
	switch (a->act) {
	case SWEEP_KNOB:
		return knob__set(&a->knob, value, err);
	case SWEEP_CMD:
		return run_set_cmd(a, value, err);
	case SWEEP_PLACE:
		return add_place(s, value, prefix, err);
	case SWEEP_NICE:
		return add_nice(value, prefix, err);
	case SWEEP_POLICY:
		return add_policy(value, prefix, err);
	case SWEEP_CGROUP:
		return add_cgroup(s, a, value, prefix, err);
	}
	return 0;
}

int sweep__apply(const struct sweep *s, size_t arm, struct argv *ret_prefix, struct mig_err *err)
{
	int rc = 0;

	for (size_t i = 0; i < s->nr && !rc; i++)
		rc = apply_one(s, &s->axis[i], value_of(s, i, arm), ret_prefix, err);
	return !rc && argv__failed(ret_prefix) ? no_memory(err) : rc;
}

int sweep__try(const struct sweep *s, struct mig_err *err)
{
	struct argv prefix = { 0 };
	int rc = 0;

	for (size_t i = 0; i < s->nr && !rc; i++) {
		const struct sweep_axis *a = &s->axis[i];

		for (size_t v = 0; v < a->nr && !rc; v++)
			rc = apply_one(s, a, a->value[v], &prefix, err);
		if (!rc && a->nr > 1)
			rc = apply_one(s, a, a->value[0], &prefix, err);
	}
	argv__exit(&prefix);
	return rc;
}
