/* SPDX-License-Identifier: GPL-2.0 */
/*
 * argv: a command line that grows; what record hands to perf.
 *
 * Owns its strings. Running out of memory is remembered and asked once, at the end, with
 * argv__failed(), so that building a line of thirty words needs no thirty checks.
 */
#ifndef MIG_ARGV_H
#define MIG_ARGV_H

#include <stdbool.h>
#include <stddef.h>

struct argv {
	char **v; /* NULL-terminated; NULL while empty */
	int nr;
	int cap;
	bool failed;
};

void argv__exit(struct argv *a);

void argv__add(struct argv *a, const char *word);
/* The same, printf format. */
void argv__addf(struct argv *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Appends copies of all words of from. */
void argv__add_all(struct argv *a, const struct argv *from);

/* True if a word could not be stored since the last argv__exit(). */
bool argv__failed(const struct argv *a);

/*
 * The line as a shell would take it, words quoted where needed, in a string the caller frees.
 * NULL without memory.
 */
char *argv__quote(const struct argv *a);

#endif
