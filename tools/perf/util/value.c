// SPDX-License-Identifier: GPL-2.0
#include "value.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"

typedef bool (*find_fn)(const struct value_finder *f, const char *output, double *ret);

struct value_known {
	const char *name, *pattern, *unit;
	enum metric_better better;
	find_fn find; /* NULL = the last match */
};

static bool find_schbench(const struct value_finder *f, const char *output, double *ret);
static bool find_netperf(const struct value_finder *f, const char *output, double *ret);
static bool find_iperf3(const struct value_finder *f, const char *output, double *ret);
static bool find_hyperfine(const struct value_finder *f, const char *output, double *ret);

#define NUM "([0-9]+\\.?[0-9]*)"

static const struct value_known known[] = {
	{ "hackbench", "^Time: +" NUM, "s", METRIC_LOWER, NULL },
	{ "perf-bench", "Total time: +" NUM " +\\[sec\\]", "s", METRIC_LOWER, NULL },
	/* the 99th percentile of the wakeup latencies */
	{ "schbench", "99\\.0+th: +" NUM, "usec", METRIC_LOWER, find_schbench },
	{ "netperf", "^THROUGHPUT=" NUM, "", METRIC_HIGHER, find_netperf },
	{ "iperf3", NUM " ([KMGT]?)bits/sec.*receiver", "Mbit/s", METRIC_HIGHER, find_iperf3 },
	{ "tbench", "^Throughput +" NUM " +MB/sec", "MB/s", METRIC_HIGHER, NULL },
	{ "sysbench", "(events per second: +|transactions: +[0-9]+ +\\(|events/s \\(eps\\): +)" NUM,
	  "1/s", METRIC_HIGHER, NULL },
	{ "hyperfine", "Time \\(mean [^)]*\\): +" NUM " (s|ms|us|\302\265s)", "s", METRIC_LOWER,
	  find_hyperfine },
};

const char *value__names(void)
{
	return "hackbench, perf-bench, schbench, netperf, iperf3, tbench, sysbench, hyperfine";
}

int value_finder__init(struct value_finder *f, const char *spec, struct mig_err *err)
{
	char why[256];
	int rc;

	*f = (struct value_finder){ .pattern = spec, .unit = "", .better = METRIC_NONE };
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcmp(known[i].name, spec))
			continue;
		f->known = &known[i];
		f->pattern = known[i].pattern;
		f->unit = known[i].unit;
		f->better = known[i].better;
	}
	rc = regcomp(&f->re, f->pattern, REG_EXTENDED | REG_NEWLINE);
	if (rc) {
		regerror(rc, &f->re, why, sizeof(why));
		mig_err__usage(err, "--value '%s': %s", spec, why);
		return mig_err__hint(err, "a regular expression (egrep), or one of %s",
				     value__names());
	}
	if (!f->re.re_nsub) {
		regfree(&f->re);
		mig_err__usage(err, "--value '%s': no group ( ) around the number", spec);
		return mig_err__hint(err, "--value 'rate: ([0-9.]+)', or one of %s",
				     value__names());
	}
	return 0;
}

void value_finder__exit(struct value_finder *f)
{
	regfree(&f->re);
}

bool value__parse(const char *text, double *ret)
{
	char *end;

	*ret = strtod(text, &end);
	end += strspn(end, " \t\r\n");
	return end != text && !*end && isfinite(*ret);
}

/* The text of a group as a number. */
static bool group(const char *at, const regmatch_t *m, double *ret)
{
	char text[64];

	if (m->rm_so < 0 || m->rm_eo - m->rm_so >= (int)sizeof(text))
		return false;
	snprintf(text, sizeof(text), "%.*s", (int)(m->rm_eo - m->rm_so), at + m->rm_so);
	return value__parse(text, ret);
}

enum { GROUPS = 4 };

/* The last match; its groups, and where they are counted from. NULL = none. */
static const char *last_match(const struct value_finder *f, const char *output,
			      regmatch_t m[GROUPS])
{
	const char *at = output, *found = NULL;
	regmatch_t next[GROUPS];

	while (!regexec(&f->re, at, GROUPS, next, at > output && at[-1] != '\n' ? REG_NOTBOL : 0)) {
		memcpy(m, next, sizeof(next));
		found = at;
		if (!at[next[0].rm_eo])
			break;
		at += next[0].rm_eo > 0 ? next[0].rm_eo : 1;
	}
	return found;
}

bool value_finder__find(const struct value_finder *f, const char *output, double *ret)
{
	/* the number is the last group of a known program, the first of the user's */
	size_t g = f->known ? f->re.re_nsub : 1;
	regmatch_t m[GROUPS];
	const char *at;

	if (f->known && f->known->find)
		return f->known->find(f, output, ret);
	at = last_match(f, output, m);
	return at && g < GROUPS && group(at, &m[g], ret);
}

static const char *last_text(const char *in, const char *what)
{
	const char *found = NULL;

	for (const char *p = strstr(in, what); p; p = strstr(p + 1, what))
		found = p;
	return found;
}

/* It prints the table again and again; request latencies come after those of the wakeups. */
static bool find_schbench(const struct value_finder *f, const char *output, double *ret)
{
	const char *at = last_text(output, "Wakeup Latencies");
	regmatch_t m[GROUPS];

	if (!at)
		at = last_text(output, "Latency percentiles"); /* before version 1.0 */
	return at && !regexec(&f->re, at, GROUPS, m, 0) && group(at, &m[1], ret);
}

/* -k THROUGHPUT, else the last number of the last line of four numbers or more. */
static bool find_netperf(const struct value_finder *f, const char *output, double *ret)
{
	regmatch_t m[GROUPS];
	const char *at = last_match(f, output, m), *line = output;
	bool found = false;

	if (at)
		return group(at, &m[1], ret);
	while (*line) {
		size_t len = strcspn(line, "\n");
		const char *p = line;
		double v = 0;
		int n = 0;
		char *end;

		for (;; n++, p = end) {
			p += strspn(p, " \t\r");
			if (p >= line + len)
				break;
			v = strtod(p, &end);
			if (end == p)
				break;
		}
		if (n >= 4 && p >= line + len) {
			*ret = v;
			found = true;
		}
		line += len + (line[len] == '\n');
	}
	return found;
}

static double scale(char prefix)
{
	return prefix == 'K'   ? 1e-3
	       : prefix == 'M' ? 1
	       : prefix == 'G' ? 1e3
	       : prefix == 'T' ? 1e6
			       : 1e-6;
}

/* -J, else the last line of a receiver (with -P that is [SUM]); in Mbit/s. */
static bool find_iperf3(const struct value_finder *f, const char *output, double *ret)
{
	const char *brace = strchr(output, '{');
	json_t *root = brace ? json_loads(brace, JSON_DISABLE_EOF_CHECK, NULL) : NULL, *v;
	regmatch_t m[GROUPS];
	const char *at;

	v = json_object_get(json_object_get(json_object_get(root, "end"), "sum_received"),
			    "bits_per_second");
	if (json_is_number(v)) {
		*ret = json_number_value(v) / 1e6;
		json_decref(root);
		return true;
	}
	json_decref(root);
	at = last_match(f, output, m);
	if (!at || !group(at, &m[1], ret))
		return false;
	*ret *= scale(m[2].rm_eo > m[2].rm_so ? at[m[2].rm_so] : ' ');
	return true;
}

static bool find_hyperfine(const struct value_finder *f, const char *output, double *ret)
{
	regmatch_t m[GROUPS];
	const char *at = last_match(f, output, m);

	if (!at || !group(at, &m[1], ret))
		return false;
	*ret *= at[m[2].rm_so] == 's' ? 1 : at[m[2].rm_so] == 'm' ? 1e-3 : 1e-6;
	return true;
}
