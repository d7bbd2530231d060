/* SPDX-License-Identifier: GPL-2.0 */
/* monitor-int: shared by monitor*.c. */
#ifndef MIG_MONITOR_INT_H
#define MIG_MONITOR_INT_H

#include <stdio.h>

#include "monitor.h"

/* monitor-vmstat.c */
enum monitor_type monitor__vmstat_type(const char *name);

/* Adds v to the item of that name, which is made if new. -ENOMEM. */
int monitor__add(struct monitor *m, const char *name, enum monitor_type type, double v);

/* monitor-schedstat.c */
int monitor__schedstat(struct monitor *m, FILE *f);

#endif
