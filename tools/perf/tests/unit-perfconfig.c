// SPDX-License-Identifier: GPL-2.0
/* unit-perfconfig: perf's configuration file, in the forms that perf config and users write. */
#include "perfconfig.h"
#include "tests.h"

#include <unistd.h>

static char path[] = "/tmp/migstat-perfconfig.XXXXXX";

static void write_config(const char *text)
{
	FILE *fp = fopen(path, "w");

	if (!fp)
		exit(1);
	fputs(text, fp);
	fclose(fp);
}

static bool tui(bool preset)
{
	perfconfig__get_bool("tui", "migstat", &preset);
	return preset;
}

int main(void)
{
	char buf[32];
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	setenv("PERF_CONFIG", path, 1);
	ok(tui(true) && !tui(false), "an empty file: as it was");
	write_config("[tui]\n\treport = off\n\tmigstat = off\n");
	ok(!tui(true), "off");
	write_config("# x\n[colors]\nmigstat = on\n[TUI]\n  Migstat=Yes # a comment\n[core]\n");
	ok(tui(false), "names and values without regard to case, comments, other sections");
	write_config("[tui]\nmigstat = 1\nmigstat = false\n");
	ok(!tui(true), "the last one counts");
	write_config("[tui]\nmigstat");
	ok(tui(false), "a bare name is true, without a newline at the end");
	write_config("[a]\nkey = \"x # y\" ; z\n");
	ok(perfconfig__get("a", "key", buf, sizeof(buf)), "a string");
	is_str(buf, "x # y", "in quotes");
	ok(!perfconfig__get("a", "other", buf, sizeof(buf)), "a key that is not there");
	unlink(path);
	ok(tui(true), "no file: as it was");
	return done_testing();
}
