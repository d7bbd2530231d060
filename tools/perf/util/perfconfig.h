/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfconfig: perf's configuration: the file $PERF_CONFIG and no other, else /etc/perfconfig and
 * then ~/.perfconfig, where the later says more. A file of another user is not read.
 */
#ifndef MIG_PERFCONFIG_H
#define MIG_PERFCONFIG_H

#include <stdbool.h>
#include <stddef.h>

/* The value of key in section; false where it is not set. Names are compared without case. */
bool perfconfig__get(const char *section, const char *key, char *buf, size_t size);
/* The same as a switch (true, yes, on, 1, or a bare key); *ret_on stays where it is not set. */
void perfconfig__get_bool(const char *section, const char *key, bool *ret_on);

#endif
