// SPDX-License-Identifier: GPL-2.0
/*
 * stdio-pair: one pair looked at closely: its paths, placements, mechanisms, moves, busiest
 * threads; and the lines below the pair table when one pair is most of a recording.
 */
#include <inttypes.h>
#include <string.h>

#include "color.h"
#include "report.h"
#include "stdio-int.h"

static const char *path_name(int i)
{
	return mig_path__name((enum mig_path)i);
}

static const char *mechanism_name(int i)
{
	return mig_mechanism__name((enum mig_mechanism)i);
}

static const char *context_name(int i)
{
	return mig_context__name((enum mig_context)i);
}

static void print_sync(const uint64_t *sync, FILE *fp)
{
	uint64_t known = sync[MIG_SYNC_NO] + sync[MIG_SYNC_YES];

	/* 6.1 inlines the function that shows it: a few chains say nothing of the others */
	if (!known || known < sync[MIG_SYNC_UNKNOWN])
		fprintf(fp, "sync unknown");
	else
		fprintf(fp, "sync %.0f%%", (double)sync[MIG_SYNC_YES] * 100 / (double)known);
}

static void print_mechanisms(const struct mig_detail *d, FILE *fp)
{
	print_sync(d->sync, fp);
	fputs("; ", fp);
	stdio__shares(fp, d->mechanism, MIG_NR_MECH, mechanism_name, 0.5);
	fputc('\n', fp);
}

/* Does a tid pair row belong to the comm pair of row? */
static bool of_pair(const struct mig_row *tids, const struct mig_row *row)
{
	bool irq = row->key[MIG_DIM_WAKER] == MIG_KEY_IRQ;

	return irq == (tids->key[MIG_DIM_WAKER_TID] == MIG_KEY_IRQ) &&
	       (irq || tids->waker_comm == row->waker_comm) && tids->comm == row->comm;
}

/* The n busiest tid pairs (of the comm pair row, or of all), largest first. */
static unsigned busiest(const struct report *r, const struct mig_row *row,
			const struct mig_row **best, unsigned n, unsigned *ret_pairs)
{
	unsigned i, k, found = 0;

	*ret_pairs = 0;
	for (i = 0; i < r->tids.nr; i++) {
		const struct mig_row *t = r->tids.rows[i];

		if (!t->wakeups || (row && !of_pair(t, row)))
			continue;
		++*ret_pairs;
		if (found == n && best[n - 1]->wakeups >= t->wakeups)
			continue;
		k = found < n ? found++ : n - 1;
		for (; k && best[k - 1]->wakeups < t->wakeups; k--)
			best[k] = best[k - 1];
		best[k] = t;
	}
	return found;
}

static void print_busiest(const struct report *r, const struct mig_row *row, FILE *fp)
{
	const struct mig_row *best[3];
	unsigned i, n, pairs;

	if (!r->want_tids)
		return;
	if (r->tids.full) {
		fprintf(fp, "more than %u pairs of threads: see --by tids\n", REPORT_MAX_TIDS);
		return;
	}
	n = busiest(r, row, best, 3, &pairs);
	fprintf(fp, "%u pair%s of threads", pairs, pairs == 1 ? "" : "s");
	for (i = 0; i < n; i++) {
		fprintf(fp, "%s ", i ? "," : ", busiest");
		if (best[i]->key[MIG_DIM_WAKER_TID] < MIG_KEY_IDLE)
			fprintf(fp, "%u > ", best[i]->key[MIG_DIM_WAKER_TID]);
		fprintf(fp, "%u: %" PRIu64, best[i]->key[MIG_DIM_WAKEE_TID], best[i]->wakeups);
	}
	fputc('\n', fp);
}

void stdio__top_pair(const struct report *r, FILE *fp)
{
	const struct mig_row *top = NULL;
	char a[32], b[32];
	unsigned i;

	for (i = 0; i < r->table.nr; i++)
		if (r->table.rows[i]->detail &&
		    r->table.rows[i]->key[MIG_DIM_WAKER] < MIG_KEY_IDLE &&
		    (!top || r->table.rows[i]->wakeups > top->wakeups))
			top = r->table.rows[i];
	if (!top || !top->wakeups)
		return;
	mig_key__comm(&r->session->names, top->key[MIG_DIM_WAKER], a, sizeof(a));
	mig_key__comm(&r->session->names, top->key[MIG_DIM_WAKEE], b, sizeof(b));
	fprintf(fp, "\ntop pair: ");
	stdio__shares(fp, top->detail->path, MIG_NR_PATH, path_name, 0.5);
	fputs("\n  ", fp);
	print_mechanisms(top->detail, fp);
	if (top->wakeups * 2 > r->sum.wakeups) { /* comms collapse: the threads tell more */
		fputs("  ", fp);
		print_busiest(r, top, fp);
	}
	fprintf(fp, "Detail: perf migstat report --pair '%s,%s'\n", a, b);
}

/* --- --pair A,B --- */

struct detail_line {
	const char *label;
	unsigned rel, moved;
};

static void print_side(const struct report *r, const char *label, const struct mig_row *row,
		       unsigned rel, unsigned moved, FILE *fp)
{
	struct mig_side s;
	struct hist delay;
	unsigned miss = r->cctx.miss;
	char p50[16] = "-", p99[16] = "-", per[16] = "-", rate[16] = "-", len[16] = "-";

	mig_row__side(row, r->table.nr_counters, rel, moved, &s);
	if (mig_row__side_delay(row, rel, moved, &delay))
		return;
	if (s.miss_n >= 30 && !r->cctx.no_misses) {
		snprintf(per, sizeof(per), "%.2f", (double)s.misses[miss] / (double)s.miss_n);
		if (s.rate_ns)
			snprintf(rate, sizeof(rate), "%.2f",
				 (double)s.rate_misses[miss] * 1e6 / (double)s.rate_ns);
	}
	if (s.run_n)
		snprintf(len, sizeof(len), "%.3f", (double)s.run_ns / (double)s.run_n / 1e6);
	if (delay.n) {
		mig_ns__print(hist__percentile(&delay, 50), p50, sizeof(p50));
		mig_ns__print(hist__p99(&delay), p99, sizeof(p99));
	}
	fprintf(fp, "%-10s %7" PRIu64 " %13s %9s %10s %10s %9s\n", label, s.n, per, len, rate, p50,
		p99);
	hist__exit(&delay);
}

/* The most frequent CPU pairs, most first, as many as fit into the line. */
static void print_cpu_pairs(const struct report *r, FILE *fp)
{
	uint64_t done = UINT64_MAX;
	unsigned i, n = 0;
	int width = fprintf(fp, "wakee's moves");

	while (n < r->moves.nr) {
		uint64_t most = 0;

		for (i = 0; i < r->moves.nr; i++)
			if (r->moves.moves[i].n < done && r->moves.moves[i].n > most)
				most = r->moves.moves[i].n;
		for (i = 0; i < r->moves.nr; i++) {
			const struct report_move *m = &r->moves.moves[i];
			char word[64];
			int len;

			if (m->n != most)
				continue;
			len = snprintf(word, sizeof(word), "  %d>%d %" PRIu64, m->from, m->to,
				       most);
			if (n == 8 || width + len > 75) {
				fprintf(fp, "  ...\n");
				return;
			}
			fputs(word, fp);
			width += len;
			n++;
		}
		done = most;
	}
	fputc('\n', fp);
}

static void print_moves(const struct report *r, const struct mig_row *all, FILE *fp)
{
	uint64_t class[MIG_NR_CLASS] = { 0 };
	unsigned i;

	fputc('\n', fp);
	if (!r->moves.nr) {
		fprintf(fp, "The wakee was never moved.\n");
		return;
	}
	print_cpu_pairs(r, fp);
	for (i = 0; i < MIG_NR_CAUSE; i++)
		class[mig_cause__class((enum mig_cause)i)] += all->detail->cause[i];
	fprintf(fp, "by cause     ");
	for (i = 0; i < MIG_NR_CLASS; i++)
		if (class[i])
			fprintf(fp, "  %s %" PRIu64, mig_class__name((enum mig_cause_class)i),
				class[i]);
	fputc('\n', fp);
}

static void print_slowest(const struct report *r, FILE *fp)
{
	unsigned i;
	char buf[16];

	for (i = 0; i < r->nr_slowest; i++) {
		const struct mig_wakeup *w = &r->slowest[i];

		mig_ns__print(w->delay_ns, buf, sizeof(buf));
		fprintf(fp, "%s %s %d > %d at %" PRIu64 ".%06" PRIu64 ", %s, CPU %d%s\n",
			i ? "              " : "slowest       ", buf, w->waker_tid, w->wakee_tid,
			w->time / 1000000000, w->time % 1000000000 / 1000,
			mig_path__name((enum mig_path)w->path), w->run_cpu,
			w->lost_nearby ? " !" : "");
	}
}

void stdio__pair_detail(const struct report *r, FILE *fp)
{
	const struct mig_row *all = r->all.nr ? r->all.rows[0] : NULL;
	uint64_t shown = 0, seen;
	struct mig_side near, far;
	unsigned i, p;
	char buf[32];

	if (!all || !all->wakeups) {
		fprintf(fp, "No wakeup of this pair in the recording.\n");
		return;
	}
	fprintf(fp, "%s%s%s   %s wakeups\n", color__title(), r->session->opts.pair, color__reset(),
		stdio__thousands(all->wakeups, buf, sizeof(buf)));
	print_mechanisms(all->detail, fp);
	fputs("context: ", fp);
	stdio__shares(fp, all->detail->context, MIG_NR_CTX, context_name, 0.5);
	fputc('\n', fp);
	print_busiest(r, NULL, fp);
	mig_row__side(all, r->table.nr_counters, MIG_REL_NEAR, MIG_MOVED_ANY, &near);
	mig_row__side(all, r->table.nr_counters, MIG_REL_FAR, MIG_MOVED_ANY, &far);
	seen = near.n + far.n;
	if (all->wakeups > seen)
		fprintf(fp, "%" PRIu64 " switch-ins or slices unseen\n", all->wakeups - seen);
	fprintf(fp,
		"\n%spath             n  misses/slice  ms/slice  misses/ms  delay p50       "
		"p99%s\n",
		color__title(), color__reset());
	for (p = 0; p < MIG_NR_PATH; p++)
		for (i = 0; i < r->paths.nr; i++)
			if (r->paths.rows[i]->key[MIG_DIM_PATH] == p && r->paths.rows[i]->wakeups) {
				print_side(r, mig_path__name((enum mig_path)p), r->paths.rows[i],
					   MIG_REL_ANY, MIG_MOVED_ANY, fp);
				shown += r->paths.rows[i]->wakeups;
			}
	(void)shown;
	print_side(r, "near", all, MIG_REL_NEAR, MIG_MOVED_ANY, fp);
	print_side(r, "far", all, MIG_REL_FAR, MIG_MOVED_ANY, fp);
	print_side(r, "moved", all, MIG_REL_ANY, MIG_MOVED, fp);
	print_side(r, "stayed", all, MIG_REL_ANY, MIG_STAYED, fp);
	print_moves(r, all, fp);
	print_slowest(r, fp);
	fprintf(fp, "note: n counts first slices after a wakeup; \"-\" below 30 of them\n");
}
