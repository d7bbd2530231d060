// SPDX-License-Identifier: GPL-2.0
/*
 * stdio-sides: the lines that say what the slices of a row cost: near, far, moved, stayed, by
 * level, by path. In the detail of a pair, and below the rows with -v.
 */
#include <inttypes.h>
#include <string.h>

#include "color.h"
#include "report.h"
#include "stdio-int.h"

void stdio__side_head(const char *label, FILE *fp)
{
	fprintf(fp, "%s%-10s %7s  misses/slice  ms/slice  misses/ms  compared  delay p50   p99%s\n",
		color__title(), label, "n", color__reset());
}

void stdio__side(const struct report *r, const char *label, const struct mig_row *row,
		 unsigned side, FILE *fp)
{
	unsigned miss = r->cctx.miss;
	char p50[16] = "-", p99[16] = "-", per[16] = "-", rate[16] = "-", len[16] = "-";
	char cmp[16] = "-";
	const struct hist *delay;
	struct mig_side s;
	struct hist room;
	double v;

	mig_row__side(row, r->table.nr_counters, side, &s);
	if (mig_row__side_delay(row, side, &room, &delay)) {
		hist__exit(&room);
		return;
	}
	if (!r->cctx.no_misses) {
		if (s.miss_n >= MIG_MIN_SLICES)
			snprintf(per, sizeof(per), "%.2f",
				 (double)s.misses[miss] / (double)s.miss_n);
		if (s.rate_n >= MIG_MIN_SLICES && s.rate_ns)
			snprintf(rate, sizeof(rate), "%.2f",
				 (double)s.rate_misses[miss] * 1e6 / (double)s.rate_ns);
		if (side >= MIG_SIDE_NEAR && side <= MIG_SIDE_STAYED &&
		    mig_row__compared(row, (side - MIG_SIDE_NEAR) / 2, (side - MIG_SIDE_NEAR) % 2,
				      &v))
			snprintf(cmp, sizeof(cmp), "%.2f", v);
	}
	if (s.run_n)
		snprintf(len, sizeof(len), "%.3f", (double)s.run_ns / (double)s.run_n / 1e6);
	if (delay->n) {
		mig_ns__print(hist__percentile(delay, 50), p50, sizeof(p50));
		mig_ns__print(hist__p99(delay), p99, sizeof(p99));
	}
	fprintf(fp, "%-10s %7" PRIu64 " %13s %9s %10s %9s %10s %5s\n", label, s.n, per, len, rate,
		cmp, p50, p99);
	hist__exit(&room);
}

void stdio__levels(const struct report *r, const struct mig_row *row, unsigned from, unsigned to,
		   bool some, FILE *fp)
{
	const struct topo *topo = &r->session->topo;
	char label[16];
	unsigned d;

	for (d = from; d < to; d++) {
		uint64_t n = mig_row__side_n(row, MIG_SIDE_LEVEL + d);

		if (!n && (some || (d != MIG_DIST_SELF && !topo->has[d])))
			continue;
		snprintf(label, sizeof(label), "  %s", mig_distance__name(d));
		stdio__side(r, label, row, MIG_SIDE_LEVEL + d, fp);
	}
}

void stdio__incomplete(const struct report *r, const struct mig_table *t, FILE *fp)
{
	if (t->full && !r->cctx.no_misses)
		fprintf(fp,
			"More than %u pairs of threads: misses/ms of near and far, moved and "
			"stayed are\nnot compared (-). Select fewer (--comm, --pid), or use --by "
			"tids.\n",
			REPORT_MAX_TIDS);
}
