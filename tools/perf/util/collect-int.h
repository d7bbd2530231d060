/* SPDX-License-Identifier: GPL-2.0 */
/* collect-int: the stop signals, shared by collect*.c. */
#ifndef MIG_COLLECT_INT_H
#define MIG_COLLECT_INT_H

#include "collect.h"

/* Installs the handlers; the stop signals are blocked, the old mask is in s. */
void collect_signals__init(struct collect_signals *s);
void collect_signals__restore(const struct collect_signals *s);
/* In a child: as they were before us. */
void collect_signals__child(const struct collect_signals *s);

#endif
