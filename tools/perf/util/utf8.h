/* SPDX-License-Identifier: GPL-2.0 */
/*
 * utf8: strings that come from a recording and go to a terminal or into JSON. Names of tasks are
 * bytes: any of them may be a control character, or the kernel may have cut them inside a
 * character.
 */
#ifndef MIG_UTF8_H
#define MIG_UTF8_H

#include <stddef.h>

/* Length of the valid UTF-8 sequence at s (NUL-terminated), 0 if there is none. */
size_t utf8__len(const char *s);
/*
 * Copies s: control characters and bytes that are no UTF-8 become '?', and what does not fit in
 * size is left away, whole characters only. Returns the length. buf may be s.
 */
size_t utf8__clean(char *buf, size_t size, const char *s);
/* Characters of a clean string. */
size_t utf8__width(const char *s);
/* Bytes of the first n characters of a clean string. */
size_t utf8__prefix(const char *s, size_t n);

/*
 * Columns of a terminal that a clean string takes: two for wide characters, none for combining
 * ones. Widths are the C library's in a UTF-8 locale, else a character is a column.
 */
size_t utf8__columns(const char *s);
/* Bytes of the longest start of a clean string that takes at most n columns. */
size_t utf8__fit(const char *s, size_t n);

#endif
