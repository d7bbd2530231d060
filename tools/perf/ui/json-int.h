/* SPDX-License-Identifier: GPL-2.0 */
/* json-int: shared by json*.c. Each returns a new reference. */
#ifndef MIG_JSON_INT_H
#define MIG_JSON_INT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct machine;
struct mig_counters;
struct mig_row;
struct report;

json_t *json_text(const char *s); /* bytes that are no UTF-8 become U+FFFD */
json_t *json_machine(const struct machine *m); /* an object of names and texts */
json_t *json_u64(uint64_t v); /* MIG_NULL -> null */
json_t *json_finite(double v); /* NAN and infinities -> null */
json_t *json_id(int32_t v); /* below 0 -> null */
json_t *json_misses(const struct mig_counters *cs, const uint64_t *misses, bool refused);

json_t *json_llc(const struct report *r); /* json-llc.c */

json_t *json_symbols(const struct report *r); /* json-symbols.c */

/* json-row.c: a row of a report as one object, made in a buffer that is used again. */
struct json_buf {
	char *p;
	size_t n, max;
	const char *in[2]; /* the objects that are open, outermost first: their place in a path */
	size_t len[2];
	unsigned depth;
	bool first; /* nothing is in the innermost yet */
	bool failed; /* no memory */
};

/* -ENOMEM, -EIO. A zeroed buffer is a valid one. */
int json__row(const struct mig_row *row, const struct report *r, struct json_buf *b, FILE *fp);
void json_buf__exit(struct json_buf *b);

#endif
