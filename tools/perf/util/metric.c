// SPDX-License-Identifier: GPL-2.0
#include "metric.h"

#include <stddef.h>
#include <string.h>

struct known {
	const char *name;
	enum metric_better better;
	const char *unit;
	bool primary;
};

/*
 * cpu-migrations has no direction: a load that wants its sender and receiver together can score
 * higher with more of them.
 */
static const struct known known[] = {
	{ METRIC_VALUE, METRIC_NONE, "", true },
	{ "score", METRIC_HIGHER, "", true },
	{ METRIC_MIGRATIONS, METRIC_NONE, "", true },
	{ METRIC_MISSES, METRIC_LOWER, "", true },
	{ METRIC_RATIO, METRIC_NONE, "", true },
	{ "migrations", METRIC_NONE, "", true }, /* of a recording */
	{ "delay-p99", METRIC_LOWER, "ns", true },
	{ "context-switches", METRIC_NONE, "", true },
	{ METRIC_REFERENCES, METRIC_NONE, "", false },
	{ METRIC_MISS_RATE, METRIC_LOWER, "%", false },
	{ METRIC_SECONDS, METRIC_LOWER, "s", false },
	{ "delay-p50", METRIC_LOWER, "ns", false },
	{ "wait-p99", METRIC_LOWER, "ns", false },
	{ "task-clock", METRIC_NONE, "msec", false },
	{ "cpu-clock", METRIC_NONE, "msec", false },
	{ "page-faults", METRIC_LOWER, "", false },
	{ "minor-faults", METRIC_LOWER, "", false },
	{ "major-faults", METRIC_LOWER, "", false },
	{ "cycles", METRIC_NONE, "", false },
	{ "instructions", METRIC_NONE, "", false },
	{ "branch-misses", METRIC_LOWER, "", false },
	{ "LLC-load-misses", METRIC_LOWER, "", false },
	{ "LLC-store-misses", METRIC_LOWER, "", false },
	{ "L1-dcache-load-misses", METRIC_LOWER, "", false },
	{ "dTLB-load-misses", METRIC_LOWER, "", false },
	{ "iTLB-load-misses", METRIC_LOWER, "", false },
	{ "node-load-misses", METRIC_LOWER, "", false },
};

static const struct known *find(const char *name)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(known[i].name, name))
			return &known[i];
	return NULL;
}

enum metric_better metric__better(const char *name)
{
	const struct known *k = find(name);

	return k ? k->better : METRIC_NONE;
}

const char *metric__unit(const char *name)
{
	const struct known *k = find(name);

	return k ? k->unit : "";
}

bool metric__is_primary(const char *name)
{
	const struct known *k = find(name);

	return k && k->primary;
}

static const char *const better_names[] = {
	[METRIC_NONE] = "none", [METRIC_HIGHER] = "higher", [METRIC_LOWER] = "lower"
};

const char *metric__better_name(enum metric_better better)
{
	return better == METRIC_UNKNOWN ? "none" : better_names[better];
}

enum metric_better metric__parse_better(const char *word)
{
	for (int b = METRIC_NONE; b <= METRIC_LOWER; b++)
		if (!strcmp(word, better_names[b]))
			return b;
	return METRIC_UNKNOWN;
}
