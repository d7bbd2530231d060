// SPDX-License-Identifier: GPL-2.0
/*
 * unit-matrix: moves from CPU to CPU as text, on machines larger than any recording at hand.
 */
#include "report.h"
#include "stdio-int.h"
#include "tests.h"

#define MAX_CPUS 256

static int core[MAX_CPUS], llc[MAX_CPUS], node[MAX_CPUS];
static struct session session;
static struct report report = { .session = &session };
static struct report_move moves[MAX_CPUS * 8];

/* Two threads a core, `share` CPUs a cache, `per_node` CPUs a node. */
static void machine(int cpus, int share, int per_node)
{
	int i;

	for (i = 0; i < cpus; i++) {
		core[i] = i / 2 * 2;
		llc[i] = i / share * share;
		node[i] = i / per_node;
	}
	session.topo = (struct topo){ .nr_cpus = cpus, .core = core, .llc = llc, .node = node };
	session.topo.has[MIG_DIST_SMT] = session.topo.has[MIG_DIST_LLC] = true;
	session.topo.has[MIG_DIST_NODE] = share < per_node;
	session.topo.has[MIG_DIST_REMOTE] = per_node < cpus;
	report.moves = (struct report_moves){ .moves = moves };
	report.sum.migrations = 0;
}

static void move(int from, int to, uint64_t n)
{
	moves[report.moves.nr++] = (struct report_move){ from, to, n };
	report.sum.migrations += n;
}

/* The text; NULL if a line is wider than 80, ends in a blank, or there is no memory. */
static char *text(void)
{
	char *buf = NULL, *p, *end;
	size_t size;
	FILE *fp = open_memstream(&buf, &size);
	bool good = fp != NULL;

	if (!fp)
		return NULL;
	stdio__matrix(&report, fp);
	fclose(fp);
	for (p = buf; *p; p = end + 1) {
		end = strchr(p, '\n');
		if (!end)
			break;
		if (end - p > 80 || (end > p && end[-1] == ' ')) {
			printf("# %zd columns: %.*s\n", end - p, (int)(end - p), p);
			good = false;
		}
	}
	if (!good) {
		free(buf);
		return NULL;
	}
	return buf;
}

static void has(const char *t, const char *line, const char *name)
{
	if (!ok(t && strstr(t, line), "%s", name))
		printf("#   no '%s' in:\n# %s\n", line, t ? t : "(too wide)");
}

static void test_square(void)
{
	char *t;
	int i;

	machine(16, 8, 16);
	for (i = 0; i < 16; i++)
		move(i, (i + 1) % 16, i == 3 ? 12345678 : i == 4 ? 123456 : 999 + (uint64_t)i);
	t = text();
	has(t, "moves from CPU (down) to CPU (across)\n", "what it is");
	has(t, "        0   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15    from\n",
	    "16 CPUs in 80 columns");
	has(t, "    3   .   .   .   - 12M ", "large numbers are rounded: 12M");
	has(t, "    4   .   .   .   .   - .1M ", "also where three digits do not fit: .1M");
	has(t, "    0   - 999 ", "999");
	has(t, "    1   .   -  1k ", "1k");
	free(t);
	machine(200, 8, 100);
	move(7, 199, 2);
	move(199, 7, 40);
	t = text();
	has(t, "            7     199    from\n", "of many CPUs those that occur");
	has(t, "  199      40       -      40\n", "with their numbers");
	has(t, "   to      40       2      42\n", "and sums");
	free(t);
	machine(4, 4, 4);
	move(5, 1, 1); /* a CPU that the topology does not know */
	t = text();
	has(t, "            1       5    from\n", "a CPU beyond the topology");
	free(t);
}

static void test_list(void)
{
	char *t;
	int i;

	machine(64, 8, 32);
	for (i = 0; i < 64; i++)
		move(i, (i + 33) % 64, 1 + (uint64_t)i);
	t = text();
	has(t, "moves from node (down) to node (across)\n", "64 CPUs: by node");
	has(t, "    0      32     496     528\n", "moves of a node");
	has(t, "moves from LLC (down) to LLC (across)\n", "by last-level cache");
	has(t, "    8       .       -       .       .       .      84      16       .     100\n",
	    "moves of a cache");
	has(t, "           63        32      64    3.1%  node\n", "the busiest pair of CPUs");
	has(t, "(44 more pairs of CPUs)     990   47.6%\n", "and how many there are more");
	free(t);
	report.verbose = 1;
	t = text();
	has(t, "            0        33       1    0.0%  remote\n", "-v: all of them");
	ok(t && !strstr(t, "more pairs"), "so none more");
	report.verbose = 0;
	free(t);
	machine(256, 8, 256);
	for (i = 0; i < 256; i++)
		move(i, (i + 1) % 256, 5);
	t = text();
	ok(t && !strstr(t, "(down)"), "one node, 32 caches: neither is a table");
	has(t, "0         1       5    0.4%  smt\n", "only a list");
	free(t);
	machine(2, 2, 2);
	t = text();
	has(t, "No move from CPU to CPU", "no moves");
	free(t);
}

int main(void)
{
	test_square();
	test_list();
	return done_testing();
}
