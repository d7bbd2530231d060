// SPDX-License-Identifier: GPL-2.0
#include "evstr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char modifiers[] = "ukhGHpPSDIWebR";

size_t evstr__len(const char *list)
{
	bool in_terms = false;
	int depth = 0;
	size_t i;

	for (i = 0; list[i]; i++) {
		if (list[i] == '/')
			in_terms = !in_terms;
		else if (list[i] == '{')
			depth++;
		else if (list[i] == '}')
			depth--;
		else if (list[i] == ',' && depth <= 0 && !in_terms)
			break;
	}
	return i;
}

/* The modifier's colon: the last one behind the terms that is followed by modifiers only. */
static const char *modifier_of(const char *ev)
{
	const char *colon = strrchr(ev, ':');

	if (!colon || strchr(colon, '/') || !colon[1])
		return NULL;
	return colon[1 + strspn(colon + 1, modifiers)] ? NULL : colon;
}

bool evstr__is_tracepoint(const char *ev)
{
	const char *mod = modifier_of(ev);
	size_t len = strcspn(ev, "/");
	const char *colon = memchr(ev, ':', len);

	return colon && colon != mod && *ev != '{';
}

void evstr__name(const char *ev, char *buf, size_t size)
{
	const char *mod = modifier_of(ev);
	const char *slash = strchr(ev, '/');
	size_t len = strlen(ev);

	/* pmu/terms/ is the name itself unless only call-graph or period were added to it */
	if (slash && (strstr(slash, "call-graph=") || strstr(slash, "period=")))
		len = slash - ev;
	else if (mod)
		len = mod - ev;
	snprintf(buf, size, "%.*s", (int)len, ev);
}

bool evstr__is_software(const char *ev)
{
	static const char *const names[] = {
		"cpu-clock",
		"task-clock",
		"page-faults",
		"faults",
		"minor-faults",
		"major-faults",
		"context-switches",
		"cs",
		"cpu-migrations",
		"migrations",
		"alignment-faults",
		"emulation-faults",
		"cgroup-switches",
		"bpf-output",
		"dummy",
		"duration_time",
	};
	char name[128];

	if (evstr__is_tracepoint(ev))
		return true;
	evstr__name(ev, name, sizeof(name));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return false;
}

static void add_term_to_one(FILE *f, const char *ev, int len, const char *term)
{
	char *one = strndup(ev, len);
	const char *slash, *mod;

	if (!one)
		return;
	slash = strrchr(one, '/');
	mod = modifier_of(one);
	if (slash && slash != strchr(one, '/'))
		/* "pmu/terms/mod": before the closing slash; "pmu//" has no term yet */
		fprintf(f, "%.*s%s%s%s", (int)(slash - one), one, slash[-1] == '/' ? "" : ",", term,
			slash);
	else if (mod)
		fprintf(f, "%.*s/%s/%s", (int)(mod - one), one, term, mod + 1);
	else
		fprintf(f, "%s/%s/", one, term);
	free(one);
}

char *evstr__add_term(const char *ev, const char *term)
{
	const char *close = *ev == '{' ? strrchr(ev, '}') : NULL;
	char *text = NULL;
	size_t size, len;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	if (!close) {
		add_term_to_one(f, ev, strlen(ev), term);
	} else {
		char *inside = strndup(ev + 1, close - ev - 1), *p = inside;

		putc('{', f);
		while (p && *p) {
			len = evstr__len(p);
			add_term_to_one(f, p, len, term);
			p += len;
			if (*p == ',')
				putc(*p++, f);
		}
		fputs(close, f);
		free(inside);
	}
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}
