// SPDX-License-Identifier: GPL-2.0
/* unit-placement: sets of CPUs on machines with a known layout (tests/data/sysfs). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "err.h"
#include "placement.h"
#include "tests.h"
#include "topo.h"

static void check(const struct topo *topo, const char *allowed, const char *word, const char *want)
{
	struct mig_err err = { 0 };
	char *got = NULL;
	int rc = placement__cpus(topo, allowed, word, &got, &err);

	if (want)
		is_str(got ? got : err.msg, want, word);
	else
		ok(rc < 0 && !got && *err.msg, "%s: refused: %s", word, err.msg);
	free(got);
}

static void test_machine(const char *machine, const char *const want[6])
{
	static const char *const word[] = { "all", "one", "smt", "llc", "node", "apart" };
	struct mig_err err = { 0 };
	struct topo topo;
	char path[512];

	snprintf(path, sizeof(path), "%.400s/sysfs/%s", test_data(), machine);
	is_int(topo__init_from_sysfs(&topo, path, &err), 0, machine);
	for (int i = 0; i < 6; i++)
		check(&topo, NULL, word[i], want[i]);
	check(&topo, NULL, "0+1", "0-1");
	check(&topo, NULL, "0+99", NULL);
	check(&topo, NULL, "both", NULL);
	check(&topo, NULL, "0-", NULL);
	check(&topo, "1", "all", "1");
	check(&topo, "1", "apart", NULL);
	check(&topo, "1", "0", NULL);
	topo__exit(&topo);
}

int main(void)
{
	/* two nodes of two cores of two threads; two dies of the same in one node; two cores */
	static const char *const n8[] = { "0-7", "0", "0-1", "0-3", "0-3", "0,4" };
	static const char *const d8[] = { "0-7", "0", "0-1", "0-3", "0-7", "0,4" };
	static const char *const c2[] = { "0-1", "0", NULL, "0-1", "0-1", "0-1" };

	test_machine("n8", n8);
	test_machine("d8", d8);
	test_machine("c2", c2);
	return done_testing();
}
