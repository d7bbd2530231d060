/* SPDX-License-Identifier: GPL-2.0 */
/* progress: a bar on stderr while a long recording is read; nothing when stderr is no terminal. */
#ifndef MIG_PROGRESS_H
#define MIG_PROGRESS_H

#include <stdint.h>

/* total 0 = unknown. Draws at most ten times a second, and only after half a second. */
void progress__update(uint64_t done, uint64_t total, void *ctx);
/* Wipes the bar. */
void progress__finish(void);

#endif
