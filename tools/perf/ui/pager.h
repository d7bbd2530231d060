/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pager: long text goes through a pager when stdout is a terminal, as in perf: PERF_PAGER (which
 * `perf --no-pager` sets to cat), else PAGER, else less; "cat" and "" mean none. LESS=FRSX if
 * unset.
 */
#ifndef MIG_PAGER_H
#define MIG_PAGER_H

#include <stdbool.h>

void pager__start(void); /* nothing happens if stdout is no terminal or there is no pager */
void pager__wait(void); /* closes stdout and waits until the user has left the pager */
bool pager__running(void);

#endif
