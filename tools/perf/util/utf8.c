// SPDX-License-Identifier: GPL-2.0
#include "utf8.h"

#include <stdbool.h>
#include <string.h>
#include <wchar.h>

size_t utf8__len(const char *str)
{
	const unsigned char *s = (const unsigned char *)str;
	size_t n = s[0] < 0x80                   ? 1
		   : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
		   : (s[0] & 0xf0) == 0xe0       ? 3
		   : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
						 : 0,
	       i;

	for (i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return n;
}

/* C0, DEL, and C1, which some terminals obey as well */
static bool is_control(const char *s, size_t len)
{
	const unsigned char *u = (const unsigned char *)s;

	return len == 1 ? u[0] < ' ' || u[0] == 0x7f : len == 2 && u[0] == 0xc2 && u[1] < 0xa0;
}

size_t utf8__clean(char *buf, size_t size, const char *s)
{
	size_t n = 0;

	while (*s) {
		size_t len = utf8__len(s), step = len ? len : 1;
		bool bad = !len || is_control(s, len);

		if (n + (bad ? 1 : len) >= size)
			break;
		if (bad) {
			buf[n++] = '?';
		} else if (len == 1) {
			buf[n++] = *s;
		} else {
			memmove(buf + n, s, len);
			n += len;
		}
		s += step;
	}
	buf[n] = '\0';
	return n;
}

size_t utf8__width(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += (*s & 0xc0) != 0x80;
	return n;
}

size_t utf8__prefix(const char *s, size_t n)
{
	size_t i = 0;

	while (s[i] && n--)
		for (i++; (s[i] & 0xc0) == 0x80; i++)
			;
	return i;
}

static wchar_t code_point(const char *s, size_t len)
{
	static const unsigned char mask[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };
	wchar_t c = (unsigned char)s[0] & mask[len];
	size_t i;

	for (i = 1; i < len; i++)
		c = c << 6 | ((unsigned char)s[i] & 0x3f);
	return c;
}

/* Columns of the character at s, *ret_len its bytes. */
static size_t char_columns(const char *s, size_t *ret_len)
{
	size_t len = utf8__len(s);
	int w;

	*ret_len = len ? len : 1;
	if (len <= 1)
		return 1;
	w = wcwidth(code_point(s, len));
	return w < 0 ? 1 : (size_t)w;
}

size_t utf8__columns(const char *s)
{
	size_t n = 0, len;

	for (; *s; s += len)
		n += char_columns(s, &len);
	return n;
}

size_t utf8__fit(const char *s, size_t n)
{
	size_t i = 0, len, w;

	while (s[i]) {
		w = char_columns(s + i, &len);
		if (w > n)
			break;
		n -= w;
		i += len;
	}
	return i;
}
