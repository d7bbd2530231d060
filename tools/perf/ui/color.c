// SPDX-License-Identifier: GPL-2.0
#include "color.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pager.h"

static bool color_on;

int color__parse(const char *arg, enum color_mode *ret_mode)
{
	if (!arg || !strcmp(arg, "always"))
		*ret_mode = COLOR_ALWAYS;
	else if (!strcmp(arg, "never"))
		*ret_mode = COLOR_NEVER;
	else if (!strcmp(arg, "auto"))
		*ret_mode = COLOR_AUTO;
	else
		return -EINVAL;
	return 0;
}

void color__init(enum color_mode mode)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	color_on = mode == COLOR_ALWAYS ||
		   (mode == COLOR_AUTO && !(no && *no) && term && strcmp(term, "dumb") &&
		    (isatty(STDOUT_FILENO) || pager__running()));
}

static const char *when_on(const char *code)
{
	return color_on ? code : "";
}

const char *color__percent(double pct)
{
	return pct >= 5 ? when_on("\033[31m") : pct >= 0.5 ? when_on("\033[32m") : "";
}

const char *color__title(void)
{
	return when_on("\033[1m");
}

const char *color__warn(void)
{
	return when_on("\033[33m");
}

const char *color__reset(void)
{
	return when_on("\033[m");
}
