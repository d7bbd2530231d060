/* SPDX-License-Identifier: GPL-2.0 */
/*
 * json: facts and reports as JSON. The names are documented in Documentation/migstat-json.md and
 * stay. Unknown is null. Strings are valid UTF-8 (bytes of a comm that are not become U+FFFD).
 */
#ifndef MIG_JSON_H
#define MIG_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include "facts.h"

struct report;
struct session;

/* One object, one line. 0 or -EIO. */
/* chain: with the kernel functions of the waking, leaf first, as "chain" */
int json__wakeup(const struct session *s, const struct mig_wakeup *f, bool chain, FILE *fp);
int json__migration(const struct session *s, const struct mig_migration *f, FILE *fp);
int json__slice(const struct session *s, const struct mig_slice *f, FILE *fp);
int json__fork(const struct session *s, const struct mig_fork *f, FILE *fp);

/* The whole report, one document. 0, -ENOMEM or -EIO. */
int json__report(const struct report *r, FILE *fp);

#endif
