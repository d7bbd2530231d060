/* SPDX-License-Identifier: GPL-2.0 */
/*
 * stdio-report: a report as text: the first block (what was recorded, what was not seen, totals,
 * moves by cause), the rows, and what follows from them. 80 columns, plain ASCII.
 */
#ifndef MIG_STDIO_REPORT_H
#define MIG_STDIO_REPORT_H

#include <stdio.h>

struct report;
struct session;

/* 0 or -EIO */
int stdio__report(const struct report *r, FILE *fp);
/* The rows alone, raw values with sep between them, a header line first (for scripts). */
int stdio__separated(const struct report *r, const char *sep, FILE *fp);
/* What the recording's header says, in perf's form ("# ..."). */
void stdio__header(const struct session *s, FILE *fp);

#endif
