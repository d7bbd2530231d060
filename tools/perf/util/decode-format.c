// SPDX-License-Identifier: GPL-2.0
/*
 * decode-format: the format texts of a recording to libtraceevent. Its parser is made for the
 * kernel's own files and crashes or leaks on others, so it sees the fields only (nothing here needs
 * the print format, a small language), and only of a text that is what a kernel writes.
 */
#include "decode.h"

#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <traceevent/event-parse.h>

#include "decode-event.h"
#include "perfdata.h"

#define WORD "[A-Za-z0-9_]"

/*
 * "name: X", "ID: N", "format:", then blank lines and fields as trace_event_format prints them
 * (f_show() in kernel/trace/trace_events.c): "signed" came with 2.6.34. An array is char x[16], a
 * dynamic one __data_loc char[] x.
 */
static const char format_shape[] = "^name: " WORD "+\nID: [0-9]+\nformat:\n"
				   "(\n|\tfield:[A-Za-z_]" WORD "*( \\*| " WORD "+)*(\\[" WORD
				   "*\\])? " WORD "+(\\[" WORD "*\\])?;"
				   "\toffset:[0-9]+;\tsize:[0-9]+;(\tsigned:[01];)?\n)*$";

/* The format f without its print format, NULL without memory. */
static char *format_fields(const struct perfdata_format *f)
{
	const char *end = memmem(f->text, f->size, "print fmt:", 10);

	return strndup(f->text, end ? (size_t)(end - f->text) : f->size);
}

/* libtraceevent wants a print format behind the fields. */
static bool parse_fields(struct decode *dec, const char *fields, const char *system)
{
	char *text;
	int len = asprintf(&text, "%sprint fmt: \"\"\n", fields);
	bool good;

	if (len < 0)
		return false;
	good = !tep_parse_event(dec->tep, text, (unsigned long)len, system);
	free(text);
	return good;
}

int decode_event__take_formats(struct decode *dec)
{
	const struct perfdata_format *f;
	regex_t shape;
	size_t n, i;
	int ret = 0;

	f = perfdata__formats(dec->pd, &n);
	if (!n)
		return 0;
	if (regcomp(&shape, format_shape, REG_EXTENDED | REG_NOSUB))
		return -ENOMEM;
	tep_set_file_bigendian(dec->tep,
			       perfdata__big_endian(dec->pd) ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(dec->tep, (int)perfdata__long_size(dec->pd));
	for (i = 0; i < n && !ret; i++) {
		char name[64] = "";
		char *text = format_fields(&f[i]);

		if (!text)
			ret = -ENOMEM;
		else if (sscanf(text, "name: %63s", name) == 1 &&
			 decode_event__wants(f[i].system, name) &&
			 (regexec(&shape, text, 0, NULL, 0) ||
			  !parse_fields(dec, text, f[i].system)))
			snprintf(dec->bad_event, sizeof(dec->bad_event), "%.20s:%.40s", f[i].system,
				 name);
		free(text);
	}
	regfree(&shape);
	dec->formats_taken = true;
	return ret;
}
