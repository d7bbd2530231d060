/* SPDX-License-Identifier: GPL-2.0 */
/* fact-text: facts as readable lines, one each, columns aligned. */
#ifndef MIG_FACT_TEXT_H
#define MIG_FACT_TEXT_H

#include <stdio.h>

#include "facts.h"

struct session;

/* 0 or -EIO */
/* chain: the kernel functions of the waking follow on a line of their own */
int fact_text__wakeup(const struct session *s, const struct mig_wakeup *f, bool chain, FILE *fp);
int fact_text__migration(const struct session *s, const struct mig_migration *f, FILE *fp);
int fact_text__slice(const struct session *s, const struct mig_slice *f, FILE *fp);
int fact_text__fork(const struct session *s, const struct mig_fork *f, FILE *fp);

#endif
