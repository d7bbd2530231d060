// SPDX-License-Identifier: GPL-2.0
#include "argv.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void argv__exit(struct argv *a)
{
	for (int i = 0; i < a->nr; i++)
		free(a->v[i]);
	free(a->v);
	memset(a, 0, sizeof(*a));
}

/* Takes over word, which may be NULL after a failed allocation. */
static void argv__take(struct argv *a, char *word)
{
	if (!word) {
		a->failed = true;
		return;
	}
	if (a->nr + 2 > a->cap) {
		int cap = a->cap ? a->cap * 2 : 32;
		char **v = realloc(a->v, cap * sizeof(*v));

		if (!v) {
			free(word);
			a->failed = true;
			return;
		}
		a->v = v;
		a->cap = cap;
	}
	a->v[a->nr++] = word;
	a->v[a->nr] = NULL;
}

void argv__add(struct argv *a, const char *word)
{
	argv__take(a, strdup(word));
}

void argv__addf(struct argv *a, const char *fmt, ...)
{
	va_list ap;
	char *word;

	va_start(ap, fmt);
	if (vasprintf(&word, fmt, ap) < 0)
		word = NULL;
	va_end(ap);
	argv__take(a, word);
}

void argv__add_all(struct argv *a, const struct argv *from)
{
	for (int i = 0; i < from->nr; i++)
		argv__add(a, from->v[i]);
	a->failed |= from->failed;
}

bool argv__failed(const struct argv *a)
{
	return a->failed;
}

static bool word_is_plain(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_-+=./:,@%";

	return *word && word[strspn(word, plain)] == '\0';
}

static void word_quote(FILE *f, const char *word)
{
	if (word_is_plain(word)) {
		fputs(word, f);
		return;
	}
	putc('\'', f);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", f);
		else
			putc(*word, f);
	}
	putc('\'', f);
}

char *argv__quote(const struct argv *a)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	for (int i = 0; i < a->nr; i++) {
		if (i)
			putc(' ', f);
		word_quote(f, a->v[i]);
	}
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}
