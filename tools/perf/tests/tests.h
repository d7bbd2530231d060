/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tests: TAP output for the unit suites. A suite is one unit-NAME.c with a main() that calls the
 * checks and ends with `return done_testing();`. `prove` runs the binaries.
 */
#ifndef MIG_TESTS_H
#define MIG_TESTS_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tests__run, tests__failed;

__attribute__((format(printf, 2, 3), unused)) static bool ok(bool cond, const char *fmt, ...)
{
	va_list ap;

	printf("%sok %d - ", cond ? "" : "not ", ++tests__run);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	if (!cond)
		tests__failed++;
	return cond;
}

__attribute__((unused)) static bool is_int(int64_t got, int64_t want, const char *name)
{
	bool good = ok(got == want, "%s", name);

	if (!good)
		printf("#   got %" PRId64 ", want %" PRId64 "\n", got, want);
	return good;
}

__attribute__((unused)) static bool is_str(const char *got, const char *want, const char *name)
{
	bool same = got == want || (got && want && !strcmp(got, want));
	bool good = ok(same, "%s", name);

	if (!good)
		printf("#   got \"%s\", want \"%s\"\n", got ? got : "(null)",
		       want ? want : "(null)");
	return good;
}

/* A check that cannot run here; counted as skipped, with the reason. */
__attribute__((unused)) static void skip(const char *name, const char *reason)
{
	printf("ok %d - %s # SKIP %s\n", ++tests__run, name, reason);
}

/* tests/data of the source tree, from the environment of `make check`. */
__attribute__((unused)) static const char *test_data(void)
{
	const char *dir = getenv("MIG_TEST_DATA");

	return dir ? dir : "tools/perf/tests/data";
}

/* The wider collection of recordings beside the checkout, NULL where it is not. */
__attribute__((unused)) static const char *shared_data(void)
{
	return getenv("MIG_SHARED_DATA");
}

__attribute__((unused)) static int done_testing(void)
{
	printf("1..%d\n", tests__run);
	return tests__failed ? 1 : 0;
}

#endif
