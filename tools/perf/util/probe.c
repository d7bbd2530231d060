// SPDX-License-Identifier: GPL-2.0
#include "probe.h"
#include "argv.h"
#include "collect.h"
#include "err.h"
#include "events.h"
#include "evstr.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What a run of perf said. */
struct answer {
	char *text;
	int status;
};

static int ask(struct argv *line, struct answer *ret, struct mig_err *err)
{
	int rc;

	memset(ret, 0, sizeof(*ret));
	if (argv__failed(line))
		rc = mig_err__set(err, -ENOMEM, "out of memory");
	else
		rc = collect__capture(line->v, &ret->text, &ret->status, err);
	argv__exit(line);
	return rc;
}

static void argv__add_words(struct argv *line, const char *const *words)
{
	for (; *words; words++)
		argv__add(line, *words);
}

/* Copies the first line of text that says something, without perf's "Error:". */
static void first_words(const char *text, char *buf, size_t size)
{
	size_t len;

	*buf = '\0';
	for (; *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		while (len && (*text == ' ' || *text == '\t')) {
			text++;
			len--;
		}
		if (!len || !strncmp(text, "Error:\n", 7) || !strncmp(text, "WARNING:", 8))
			continue;
		snprintf(buf, size, "%.*s", (int)len, text);
		return;
	}
}

int probe__perf(const char *perf, struct probe_perf *ret, struct mig_err *err)
{
	struct argv line = { 0 };
	struct answer a;
	int rc;

	memset(ret, 0, sizeof(*ret));
	argv__add_words(&line, (const char *[]){ perf, "version", "--build-options", NULL });
	rc = ask(&line, &a, err);
	if (rc)
		return rc;
	if (sscanf(a.text, "perf version %63s", ret->version) != 1)
		snprintf(ret->version, sizeof(ret->version), "of unknown version");
	for (char *p = strstr(a.text, "libtraceevent:"); p; p = NULL) {
		p[strcspn(p, "\n")] = '\0';
		if (!strcasestr(p, "[ OFF"))
			break;
		rc = mig_err__set(err, -ENOTSUP,
				  "%s (%s) was built without libtraceevent: it cannot "
				  "record tracepoints",
				  perf, ret->version);
		mig_err__hint(err, "install your distribution's perf package, or build perf with "
				   "libtraceevent-dev; PERF=/path/to/perf chooses another one");
	}
	free(a.text);
	if (rc)
		return rc;
	argv__add_words(&line, (const char *[]){ perf, "record", "--list-opts", NULL });
	rc = ask(&line, &a, err);
	if (rc)
		return rc;
	/* perf 6.1 ends this one with 130 */
	if (strstr(a.text, "--event"))
		ret->options = a.text;
	else
		free(a.text);
	return 0;
}

void probe_perf__exit(struct probe_perf *p)
{
	free(p->options);
	p->options = NULL;
}

bool probe_perf__has(const struct probe_perf *p, const char *name)
{
	size_t len = strlen(name);
	const char *at = p->options;

	if (!at)
		return true;
	while ((at = strstr(at, "--"))) {
		at += 2;
		if (!strncmp(at, name, len) && !strchr("-abcdefghijklmnopqrstuvwxyz", at[len]))
			return true;
		if (!strncmp(at, name, len) && !at[len])
			return true;
	}
	return false;
}

/* One line of perf stat -x'|'. */
struct count {
	bool supported, counted;
	double running; /* percent */
};

/* "[CPU0|]VALUE|UNIT|EVENT|RUNTIME|PERCENT|..": fills ret, false if the line is another. */
static bool parse_count(char *line, bool with_cpu, struct count *ret, char **ret_event)
{
	char *field[7];
	int nr = 0;

	for (char *p = line; p && nr < 7; nr++)
		field[nr] = strsep(&p, "|");
	if (nr < 5 + with_cpu)
		return false;
	ret->supported = !strstr(field[with_cpu], "not supported");
	ret->counted = ret->supported && !strstr(field[with_cpu], "not counted") &&
		       atof(field[3 + with_cpu]) > 0;
	ret->running = atof(field[4 + with_cpu]);
	*ret_event = field[2 + with_cpu];
	return true;
}

static int unknown_event(const char *perf, const char *text, struct mig_err *err)
{
	char words[256], more[256] = "";
	const char *pointer = strstr(text, "\\___");

	first_words(text, words, sizeof(words));
	if (pointer)
		snprintf(more, sizeof(more), ": %.*s", (int)strcspn(pointer + 5, "\n"),
			 pointer + 5);
	mig_err__set(err, -EINVAL, "perf says: %s%s", words, more);
	return mig_err__hint(err, "--miss-event takes an event of `%s list`", perf);
}

static int count_events(const char *perf, const char *events, struct answer *ret,
			struct mig_err *err)
{
	struct argv line = { 0 };

	argv__add_words(&line, (const char *[]){ perf, "stat", "-a", "-A", "-x", "|", "-e", events,
						 "--", "sleep", "0.2", NULL });
	return ask(&line, ret, err);
}

/* Each event on its own: does perf know it, does the PMU have it? */
static int probe_single(const char *perf, const char *event, enum probe_miss *ret,
			struct mig_err *err)
{
	struct argv line = { 0 };
	bool any = false, supported = false;
	struct count c;
	struct answer a;
	char *name, *rest, *text;
	int rc;

	/* one CPU would do, but a hybrid machine has some CPUs without the event */
	argv__add_words(&line, (const char *[]){ perf, "stat", "-a", "-A", "-x", "|", "-e", event,
						 "--", "true", NULL });
	rc = ask(&line, &a, err);
	if (rc)
		return rc;
	if (a.status == 129 || strstr(a.text, "event syntax error"))
		rc = unknown_event(perf, a.text, err);
	for (rest = a.text; !rc && (text = strsep(&rest, "\n"));) {
		if (parse_count(text, true, &c, &name)) {
			any = true;
			supported |= c.supported;
		}
	}
	/* no line at all: perf stat gave up on it, as it does for ENOENT of a lone event */
	*ret = any && supported ? PROBE_FITS : PROBE_UNSUPPORTED;
	free(a.text);
	return rc;
}

/* The group as it will be recorded. PROBE_FITS or the reason why it does not. */
static enum probe_miss judge_group(char *text, int status)
{
	bool any = false, counted = true, shared = false;
	struct count c;
	char *line, *name;

	while ((line = strsep(&text, "\n"))) {
		/* a CPU that did not switch has counted nothing of its leader, but has run */
		if (!parse_count(line, true, &c, &name))
			continue;
		any = true;
		counted &= c.counted;
		shared |= c.counted && c.running < 99.5;
	}
	if (!any || status)
		return PROBE_REFUSED;
	if (!counted)
		return PROBE_UNFIT;
	return shared ? PROBE_SHARED : PROBE_FITS;
}

static int probe_group(const char *perf, struct events_want *want, const enum probe_miss *single,
		       enum probe_miss *ret, struct mig_err *err)
{
	char group[1024];
	struct answer a;
	size_t len;
	int rc;

	for (;;) {
		len = snprintf(group, sizeof(group), "{sched:sched_switch");
		for (int i = 0; i < want->nr_miss; i++) {
			char *ev = want->bare_members ? strdup(want->miss[i])
						      : evstr__add_term(want->miss[i], "call-graph="
										       "no");

			if (ev && single[i] == PROBE_FITS && len < sizeof(group))
				len += snprintf(group + len, sizeof(group) - len, ",%s", ev);
			free(ev);
		}
		if (len + 2 > sizeof(group))
			return mig_err__set(err, -E2BIG,
					    "the names of the miss events are too long");
		strcat(group, "}");
		rc = count_events(perf, group, &a, err);
		if (rc)
			return rc;
		if (a.status != 129 || want->bare_members)
			break;
		free(a.text);
		want->bare_members = true;
	}
	if (a.status == 129)
		rc = unknown_event(perf, a.text, err);
	else
		*ret = judge_group(a.text, a.status);
	free(a.text);
	return rc;
}

bool probe__cgroups(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = 1U << 21, /* PERF_SAMPLE_CGROUP */
		.disabled = 1,
		.exclude_kernel = 1, /* what anybody may have */
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

int probe__miss(const char *perf, struct events_want *want, enum probe_miss *ret,
		struct mig_err *err)
{
	enum probe_miss group = PROBE_FITS;
	bool any = false;
	int rc;

	for (int i = 0; i < want->nr_miss; i++) {
		ret[i] = PROBE_FITS;
		if (evstr__is_software(want->miss[i]))
			continue;
		rc = probe_single(perf, want->miss[i], &ret[i], err);
		if (rc)
			return rc;
		any |= ret[i] == PROBE_FITS;
	}
	if (!any || want->miss_sample)
		return 0;
	rc = probe_group(perf, want, ret, &group, err);
	if (rc)
		return rc;
	for (int i = 0; i < want->nr_miss; i++) {
		if (ret[i] == PROBE_FITS && !evstr__is_software(want->miss[i]))
			ret[i] = group;
	}
	return 0;
}

int probe__regroups(const char *perf, bool *ret, struct mig_err *err)
{
	struct argv line = { 0 };
	struct answer a;
	int rc;

	argv__add_words(&line,
			(const char *[]){ perf, "record", "--dry-run", "-a", "-o", "/dev/null",
					  "-e", "{sched:sched_switch,cpu-migrations}:S", "--",
					  "true", NULL });
	rc = ask(&line, &a, err);
	if (rc)
		return rc;
	*ret = strstr(a.text, "regrouped");
	free(a.text);
	return 0;
}

int probe__sampling(const char *perf, const struct events_want *want, bool *ret,
		    struct mig_err *err)
{
	struct argv line = { 0 };
	struct answer a;
	int rc;

	argv__add_words(&line,
			(const char *[]){ perf, "record", "-q", "-a", "-o", "/dev/null", NULL });
	for (int i = 0; i < want->nr_miss; i++) {
		argv__add(&line, "-e");
		argv__add(&line, want->miss[i]);
	}
	argv__add_words(&line, (const char *[]){ "--", "true", NULL });
	rc = ask(&line, &a, err);
	if (rc)
		return rc;
	*ret = a.status == 0;
	free(a.text);
	return 0;
}
