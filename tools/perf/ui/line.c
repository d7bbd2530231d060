// SPDX-License-Identifier: GPL-2.0
#include "line.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "utf8.h"

void line__init(struct line *l, unsigned max_columns)
{
	l->len = l->columns = l->nr_runs = 0;
	l->max_columns = max_columns < LINE_MAX_COLUMNS ? max_columns : LINE_MAX_COLUMNS;
	l->text[0] = '\0';
}

void line__put(struct line *l, enum theme theme, const char *text)
{
	char clean[1024];
	size_t n;

	utf8__clean(clean, sizeof(clean), text);
	n = utf8__fit(clean, l->max_columns - l->columns);
	if (l->len + n >= sizeof(l->text))
		n = 0;
	if (!n)
		return;
	if (!l->nr_runs || (l->run[l->nr_runs - 1].theme != theme &&
			    l->nr_runs < sizeof(l->run) / sizeof(l->run[0])))
		l->run[l->nr_runs++] = (struct line_run){ l->len, theme };
	memcpy(l->text + l->len, clean, n);
	l->text[l->len + n] = '\0';
	l->columns += (unsigned)utf8__columns(l->text + l->len);
	l->len += (unsigned)n;
}

void line__printf(struct line *l, enum theme theme, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	line__put(l, theme, text);
}

void line__pad(struct line *l, enum theme theme, unsigned column)
{
	if (column > l->max_columns)
		column = l->max_columns;
	if (column > l->columns)
		line__printf(l, theme, "%*s", (int)(column - l->columns), "");
}
