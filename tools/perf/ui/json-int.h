/* SPDX-License-Identifier: GPL-2.0 */
/* json-int: shared by json*.c. Each returns a new reference. */
#ifndef MIG_JSON_INT_H
#define MIG_JSON_INT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct mig_counters;

json_t *json_text(const char *s); /* bytes that are no UTF-8 become U+FFFD */
json_t *json_u64(uint64_t v); /* MIG_NULL -> null */
json_t *json_id(int32_t v); /* below 0 -> null */
json_t *json_misses(const struct mig_counters *cs, const uint64_t *misses, bool refused);

#endif
