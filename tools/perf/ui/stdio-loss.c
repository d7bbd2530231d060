// SPDX-License-Identifier: GPL-2.0
/*
 * stdio-loss: which CPUs lost events, and when.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "column.h"
#include "report.h"
#include "stdio-int.h"

#define MAX_SPANS 3 /* without -v */

/* As many lines of 80 columns as it takes; machines have many CPUs. */
static void print_by_cpu(const struct sched_model *m, FILE *fp)
{
	char one[48];
	int col = 80;
	unsigned i;

	for (i = 0; i < m->nr_cpus; i++) {
		if (!m->cpus[i].lost_records)
			continue;
		snprintf(one, sizeof(one), " %u:%" PRIu64, i, m->cpus[i].lost_records);
		if (col + (int)strlen(one) > 80)
			col = fprintf(fp, "\nLost by CPU:") - 1;
		col += fprintf(fp, "%s", one);
	}
	fputc('\n', fp);
}

/* Worst first. */
static int cmp_records(const void *pa, const void *pb)
{
	const struct loss_span *a = pa, *b = pb;

	if (a->records != b->records)
		return a->records > b->records ? -1 : 1;
	return a->from < b->from ? -1 : a->from > b->from;
}

static void print_span(const struct loss_span *s, uint64_t begin, FILE *fp)
{
	char length[16], n[32];

	mig_ns__print(s->to - s->from, length, sizeof(length));
	fprintf(fp, "  at %.6f s for %s, %u CPU%s: %s\n", (double)(s->from - begin) / 1e9, length,
		s->cpus, s->cpus == 1 ? "" : "s", stdio__thousands(s->records, n, sizeof(n)));
}

static void print_by_time(const struct report *r, FILE *fp)
{
	const struct sched_model *m = &r->session->model;
	struct loss_span *spans;
	uint32_t i, nr, max;
	uint64_t ns = 0;
	char sum[16];

	if (loss__spans(&m->losses, m->first_time, &spans, &nr)) {
		fprintf(fp, "Lost by time: out of memory\n");
		return;
	}
	for (i = 0; i < nr; i++)
		ns += spans[i].to - spans[i].from;
	mig_ns__print(ns, sum, sizeof(sum));
	max = r->verbose || nr < MAX_SPANS ? nr : MAX_SPANS;
	if (!r->verbose)
		qsort(spans, nr, sizeof(*spans), cmp_records);
	fprintf(fp, "Lost by time: %u span%s, %s in all", nr, nr == 1 ? "" : "s", sum);
	if (max < nr)
		fprintf(fp, "; the worst (-v: all of them)");
	fprintf(fp, "%s\n", nr ? ":" : "");
	for (i = 0; i < max; i++)
		print_span(&spans[i], m->first_time, fp);
	free(spans);
}

void stdio__losses(const struct report *r, FILE *fp)
{
	const struct session *s = r->session;

	if (!s->dec.lost_records)
		return;
	fprintf(fp, "%" PRIu64 " facts stand beside a loss (rows with !).", r->sum.lost_nearby);
	print_by_cpu(&s->model, fp);
	if (s->model.losses.nr)
		print_by_time(r, fp);
}
