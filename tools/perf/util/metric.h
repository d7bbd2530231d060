/* SPDX-License-Identifier: GPL-2.0 */
/*
 * metric: what is known of a measured figure by its name: which way is better, and whether it is
 * one of the few that decide a comparison.
 *
 * Names are matched whole, against a table; nothing is ever guessed from a part of a name. A
 * results file may say otherwise for its own metrics.
 */
#ifndef MIG_METRIC_H
#define MIG_METRIC_H

#include <stdbool.h>

enum metric_better { METRIC_UNKNOWN, METRIC_NONE, METRIC_HIGHER, METRIC_LOWER };

#define METRIC_VALUE      "value" /* what the workload says of itself */
#define METRIC_MISSES     "cache-misses"
#define METRIC_REFERENCES "cache-references"
#define METRIC_MIGRATIONS "cpu-migrations"
#define METRIC_RATIO      "cachemisses/migrations"
#define METRIC_MISS_RATE  "cache-miss-rate" /* misses / references, in percent */
#define METRIC_SECONDS    "seconds" /* elapsed */

/* METRIC_NONE for names that the table does not have: more is neither good nor bad. */
enum metric_better metric__better(const char *name);
const char *metric__unit(const char *name); /* "" where there is none to say */

/* One of those that are judged one by one, by Holm, and decide the exit code. */
bool metric__is_primary(const char *name);

const char *metric__better_name(enum metric_better better); /* "none", "higher", "lower" */
/* METRIC_UNKNOWN for another word. */
enum metric_better metric__parse_better(const char *word);

#endif
