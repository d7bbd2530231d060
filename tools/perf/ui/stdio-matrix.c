// SPDX-License-Identifier: GPL-2.0
/*
 * stdio-matrix: moves from CPU to CPU. A table where the CPUs are few; else the same of nodes and
 * of last-level caches, and the busiest pairs of CPUs.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "color.h"
#include "report.h"
#include "stdio-int.h"

#define MAX_SQUARE 16
#define MAX_LIST   20

/* What stands at the sides of a square: ids of CPUs, nodes or caches, rising. */
struct square {
	const char *what;
	int id[MAX_SQUARE];
	unsigned nr;
	uint64_t n[MAX_SQUARE][MAX_SQUARE], from[MAX_SQUARE], to[MAX_SQUARE], total;
};

typedef int (*id_fn)(const struct topo *topo, int cpu);

static int id_cpu(const struct topo *topo, int cpu)
{
	(void)topo;
	return cpu;
}

static int id_node(const struct topo *topo, int cpu)
{
	return cpu >= 0 && cpu < topo->nr_cpus ? topo->node[cpu] : -1;
}

static int id_llc(const struct topo *topo, int cpu)
{
	return cpu >= 0 && cpu < topo->nr_cpus ? topo->llc[cpu] : -1;
}

/* false: too many */
static bool square__note(struct square *s, int id)
{
	unsigned i, k;

	for (i = 0; i < s->nr && s->id[i] < id; i++)
		;
	if (i < s->nr && s->id[i] == id)
		return true;
	if (s->nr == MAX_SQUARE)
		return false;
	for (k = s->nr++; k > i; k--)
		s->id[k] = s->id[k - 1];
	s->id[i] = id;
	return true;
}

static unsigned square__index(const struct square *s, int id)
{
	unsigned i;

	for (i = 0; i + 1 < s->nr && s->id[i] != id; i++)
		;
	return i;
}

/* false: more than MAX_SQUARE */
static bool square__fill(struct square *s, const struct report *r, id_fn id, const char *what)
{
	const struct topo *topo = &r->session->topo;
	unsigned i;

	memset(s, 0, sizeof(*s));
	s->what = what;
	for (i = 0; i < r->moves.nr; i++)
		if (!square__note(s, id(topo, r->moves.moves[i].from)) ||
		    !square__note(s, id(topo, r->moves.moves[i].to)))
			return false;
	for (i = 0; i < r->moves.nr; i++) {
		const struct report_move *m = &r->moves.moves[i];
		unsigned a = square__index(s, id(topo, m->from)),
			 b = square__index(s, id(topo, m->to));

		s->n[a][b] += m->n;
		s->from[a] += m->n;
		s->to[b] += m->n;
		s->total += m->n;
	}
	return true;
}

/* In at most width - 1 characters, at least 3: 12345, 12k, .1M, 12M */
static void print_count(uint64_t n, int width, FILE *fp)
{
	static const char unit[] = "kMGTP";
	uint64_t was;
	char buf[32];
	unsigned u;

	snprintf(buf, sizeof(buf), "%" PRIu64, n);
	for (u = 0; (int)strlen(buf) >= width && unit[u]; u++) {
		was = n;
		n = (n + 500) / 1000;
		if (n)
			snprintf(buf, sizeof(buf), "%" PRIu64 "%c", n, unit[u]);
		else
			snprintf(buf, sizeof(buf), ".%" PRIu64 "%c", (was + 50) / 100, unit[u]);
	}
	fprintf(fp, "%*s", width, strcmp(buf, "0") ? buf : ".");
}

static void print_id(int id, int width, FILE *fp)
{
	if (id < 0)
		fprintf(fp, "%*s", width, "?");
	else
		fprintf(fp, "%*d", width, id);
}

/* bounds: moves may be missing. */
static void square__print(const struct square *s, bool bounds, FILE *fp)
{
	const int first = 5, last = 8;
	int width = (80 - first - last) / (int)s->nr;
	unsigned i, k;

	if (width > 8)
		width = 8;
	fprintf(fp, "%smoves from %s (down) to %s (across)%s\n%*s", color__title(), s->what,
		s->what, bounds ? ", at least: !" : "", first, "");
	for (k = 0; k < s->nr; k++)
		print_id(s->id[k], width, fp);
	fprintf(fp, "%*s%s\n", last, "from", color__reset());
	for (i = 0; i < s->nr; i++) {
		print_id(s->id[i], first, fp);
		for (k = 0; k < s->nr; k++)
			if (i == k && !s->n[i][k])
				fprintf(fp, "%*s", width, "-");
			else
				print_count(s->n[i][k], width, fp);
		print_count(s->from[i], last, fp);
		fputc('\n', fp);
	}
	fprintf(fp, "%*s", first, "to");
	for (k = 0; k < s->nr; k++)
		print_count(s->to[k], width, fp);
	print_count(s->total, last, fp);
	fputc('\n', fp);
}

static int cmp_n(const void *pa, const void *pb)
{
	const struct report_move *a = *(const struct report_move *const *)pa;
	const struct report_move *b = *(const struct report_move *const *)pb;

	if (a->n != b->n)
		return a->n < b->n ? 1 : -1;
	return a->from != b->from ? a->from - b->from : a->to - b->to;
}

static void print_list(const struct report *r, FILE *fp)
{
	const struct report_move **m = malloc((r->moves.nr + 1) * sizeof(struct report_move *));
	unsigned i, max = r->verbose ? r->moves.nr : MAX_LIST;
	uint64_t rest = 0;

	if (!m)
		return;
	for (i = 0; i < r->moves.nr; i++)
		m[i] = &r->moves.moves[i];
	qsort(m, r->moves.nr, sizeof(*m), cmp_n);
	fprintf(fp, "%s     from CPU    to CPU   moves   share  distance%s\n", color__title(),
		color__reset());
	for (i = 0; i < r->moves.nr && i < max; i++)
		fprintf(fp, "%13d %9d %7" PRIu64 "  %5.1f%%  %s\n", m[i]->from, m[i]->to, m[i]->n,
			(double)m[i]->n * 100 / (double)r->sum.migrations,
			mig_distance__name(
				topo__distance(&r->session->topo, m[i]->from, m[i]->to)));
	for (; i < r->moves.nr; i++)
		rest += m[i]->n;
	if (rest)
		fprintf(fp, "(%u more pairs of CPUs) %7" PRIu64 "  %5.1f%%\n", r->moves.nr - max,
			rest, (double)rest * 100 / (double)r->sum.migrations);
	free(m);
}

void stdio__matrix(const struct report *r, FILE *fp)
{
	const bool bounds = report__lost(r) || r->session->model.unseen_moves;
	struct square *s = malloc(sizeof(*s));

	if (!s)
		return;
	if (!r->moves.nr) {
		fprintf(fp, "No move from CPU to CPU in this selection.\n");
	} else if (square__fill(s, r, id_cpu, "CPU")) {
		square__print(s, bounds, fp);
	} else {
		if (square__fill(s, r, id_node, "node") && s->nr > 1) {
			square__print(s, bounds, fp);
			fputc('\n', fp);
		}
		if (r->session->topo.has[MIG_DIST_NODE] && square__fill(s, r, id_llc, "LLC") &&
		    s->nr > 1) {
			square__print(s, bounds, fp);
			fprintf(fp, "(an LLC is named by its first CPU)\n\n");
		}
		print_list(r, fp);
	}
	free(s);
}
