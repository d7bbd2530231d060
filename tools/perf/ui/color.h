/* SPDX-License-Identifier: GPL-2.0 */
/* color: colours of text output, or none: --color, NO_COLOR, and whether stdout is a terminal. */
#ifndef MIG_COLOR_H
#define MIG_COLOR_H

#include <stdio.h>

enum color_mode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* "always", "never", "auto"; NULL = always. -EINVAL. */
int color__parse(const char *arg, enum color_mode *ret_mode);
void color__init(enum color_mode mode);

/* perf's colours for shares (util/color.h): from 5% red, from 0.5% green. "" when colours are off.
 */
const char *color__percent(double pct);
const char *color__title(void);
const char *color__warn(void);
const char *color__reset(void);

#endif
