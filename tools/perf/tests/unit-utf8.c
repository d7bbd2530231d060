// SPDX-License-Identifier: GPL-2.0
/* What of a recording's strings reaches a terminal. Sequences: Unicode 15, table 3-7. */
#include "utf8.h"

#include "tests.h"

static void lengths(void)
{
	static const struct {
		const char *s;
		size_t len;
		const char *what;
	} cases[] = {
		{ "a", 1, "ASCII" },
		{ "\xc3\xa4", 2, "two bytes" },
		{ "\xe2\x82\xac", 3, "three bytes" },
		{ "\xf0\x9f\x90\xa7", 4, "four bytes" },
		{ "\xf4\x8f\xbf\xbf", 4, "the last character" },
		{ "\x80", 0, "a continuation alone" },
		{ "\xff", 0, "no lead" },
		{ "\xc3", 0, "cut after one of two" },
		{ "\xe2\x82", 0, "cut after two of three" },
		{ "\xf0\x9f\x90", 0, "cut after three of four" },
		{ "\xc0\xaf", 0, "overlong slash" },
		{ "\xc1\xbf", 0, "overlong two bytes" },
		{ "\xe0\x80\xaf", 0, "overlong three bytes" },
		{ "\xf0\x80\x80\xaf", 0, "overlong four bytes" },
		{ "\xed\xa0\x80", 0, "a surrogate" },
		{ "\xf4\x90\x80\x80", 0, "beyond the last character" },
		{ "\xc3(", 0, "a lead before ASCII" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_int((int64_t)utf8__len(cases[i].s), (int64_t)cases[i].len, cases[i].what);
}

static void check(const char *in, size_t size, const char *want, const char *what)
{
	char buf[64];
	size_t n = utf8__clean(buf, size, in);

	is_str(buf, want, what);
	is_int((int64_t)n, (int64_t)strlen(want), "its length");
}

int main(void)
{
	char own[16] = "a\x1b\xc3(b";

	lengths();
	check("sched-messaging", 64, "sched-messaging", "a plain name");
	check("t\xc3\xa4sk \xe2\x82\xac", 64, "t\xc3\xa4sk \xe2\x82\xac", "a name in UTF-8");
	check("a\x1b[31mb\n\t\x7f", 64, "a?[31mb???", "control characters");
	check("a\xc2\x9b"
	      "31m",
	      64, "a?31m", "C1 in UTF-8");
	check("a\x9b"
	      "31m",
	      64, "a?31m", "C1 as a byte");
	check("\xff\xfe\xc3", 64, "???", "no UTF-8");
	check("aaaaaaaaaaaaaa\xc3", 64, "aaaaaaaaaaaaaa?", "cut by the kernel");
	check("abcdef", 4, "abc", "too long");
	check("ab\xe2\x82\xac", 5, "ab", "whole characters only");
	check("ab\xe2\x82\xac", 6, "ab\xe2\x82\xac", "it fits just so");
	check("abc", 1, "", "no room");
	utf8__clean(own, sizeof(own), own);
	is_str(own, "a\?\?(b", "in place");
	is_int((int64_t)utf8__width("t\xc3\xa4sk\xe2\x82\xac"), 5, "width");
	is_int((int64_t)utf8__prefix("t\xc3\xa4sk", 2), 3, "prefix");
	is_int((int64_t)utf8__prefix("t\xc3\xa4sk", 0), 0, "prefix of none");
	is_int((int64_t)utf8__prefix("t\xc3\xa4sk", 9), 5, "prefix of more than there is");
	return done_testing();
}
