// SPDX-License-Identifier: GPL-2.0
/*
 * stdio-pair: one pair looked at closely: its paths, placements, mechanisms, moves, busiest
 * threads; and the lines below the pair table when one pair is most of a recording.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "color.h"
#include "report.h"
#include "stdio-int.h"

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
	stdio__shares(fp, d->mechanism, MIG_NR_MECH, mig_mechanism__name, 0.5);
	fputc('\n', fp);
}

void stdio__made_of(const struct mig_row *row, FILE *fp)
{
	const struct mig_detail *d = row->detail;

	if (row->wakeups) {
		fputs("path: ", fp);
		stdio__shares(fp, d->path, MIG_NR_PATH, mig_path__name, 0.5);
		fputs("\nwoken: ", fp);
		print_mechanisms(d, fp);
		fputs("context: ", fp);
		stdio__shares(fp, d->context, MIG_NR_CTX, mig_context__name, 0.5);
		fputc('\n', fp);
	}
	if (row->migrations) {
		fputs("moved to: ", fp);
		stdio__shares(fp, d->distance, MIG_NR_DIST, mig_distance__name, 0.5);
		fputc('\n', fp);
	}
}

/* The n busiest pairs of threads of row, largest first. */
static unsigned busiest(const struct mig_table *t, const struct mig_row *row,
			const struct mig_unit **best, unsigned n, unsigned *ret_pairs)
{
	unsigned i, k, found = 0;

	*ret_pairs = 0;
	for (i = 0; i < t->nr_units; i++) {
		const struct mig_unit *u = &t->units[i];

		if (!u->wakeups || u->row != row)
			continue;
		++*ret_pairs;
		if (found == n && best[n - 1]->wakeups >= u->wakeups)
			continue;
		k = found < n ? found++ : n - 1;
		for (; k && best[k - 1]->wakeups < u->wakeups; k--)
			best[k] = best[k - 1];
		best[k] = u;
	}
	return found;
}

static int cmp_u32(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* How many threads are on the wakers' or the wakees' side of row; 0: no memory. */
static unsigned count_threads(const struct mig_table *t, const struct mig_row *row, bool wakers)
{
	uint32_t *tids = malloc((t->nr_units + 1) * sizeof(*tids));
	unsigned i, n = 0, k;

	for (i = 0; tids && i < t->nr_units; i++)
		if (t->units[i].row == row && t->units[i].wakeups)
			tids[n++] = wakers ? t->units[i].waker : t->units[i].wakee;
	if (n)
		qsort(tids, n, sizeof(*tids), cmp_u32);
	for (i = k = 0; i < n; i++)
		k += !i || tids[i] != tids[i - 1];
	free(tids);
	return k;
}

/* "522 pairs of threads (78 > 81)"; returns its length. */
static int print_threads(const struct mig_table *t, const struct mig_row *row, unsigned pairs,
			 FILE *fp)
{
	int len = fprintf(fp, "%u pair%s of threads", pairs, pairs == 1 ? "" : "s");

	if (pairs > 1)
		len += fprintf(fp, " (%u > %u)", count_threads(t, row, true),
			       count_threads(t, row, false));
	return len;
}

static int unit_word(const struct mig_unit *u, char *buf, size_t size)
{
	if (u->waker < MIG_KEY_IDLE)
		return snprintf(buf, size, "%u > %u: %" PRIu64, u->waker, u->wakee, u->wakeups);
	return snprintf(buf, size, "%u: %" PRIu64, u->wakee, u->wakeups);
}

/* How many pairs of threads row has, and the busiest of them, as many as fit into the line. */
static void print_busiest(const struct report *r, const struct mig_row *row, FILE *fp)
{
	const struct mig_table *t = report__tids(r);
	const struct mig_unit *best[3];
	unsigned i, n, pairs;
	char word[64];
	int len;

	if (t->full) {
		fprintf(fp, "  more than %u pairs of threads: see --by tids\n", REPORT_MAX_TIDS);
		return;
	}
	n = busiest(t, row, best, 3, &pairs);
	fputs("  ", fp);
	len = 2 + print_threads(t, row, pairs, fp);
	for (i = 0; i < n; i++) {
		int k = unit_word(best[i], word, sizeof(word));

		len += k + (i ? 2 : 10);
		if (len > 80)
			break;
		fprintf(fp, "%s%s", i ? ", " : ", busiest ", word);
	}
	fputc('\n', fp);
}

/* As --pair takes it, within a shell's single quotes. */
static void print_name(const char *name, FILE *fp)
{
	for (; *name; name++)
		if (*name == '\'')
			fputs("'\\''", fp);
		else
			fprintf(fp, *name == ',' ? "\\%c" : "%c", *name);
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
	stdio__shares(fp, top->detail->path, MIG_NR_PATH, mig_path__name, 0.5);
	fputs("\n  ", fp);
	print_mechanisms(top->detail, fp);
	if (top->wakeups * 2 > r->sum.wakeups) /* comms collapse: the threads tell more */
		print_busiest(r, top, fp);
	fputs("Detail: perf migstat report --pair '", fp);
	print_name(a, fp);
	fputc(',', fp);
	print_name(b, fp);
	fputs("'\n", fp);
}

/* --- --pair A,B --- */

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

/* The busiest pairs of threads, with their paths. */
void stdio__pair_busiest(const struct report *r, const struct mig_row *all, FILE *fp)
{
	const struct mig_unit *best[3];
	unsigned i, p, n, pairs;
	uint64_t path[MIG_NR_PATH];
	char word[64];

	n = busiest(&r->all, all, best, 3, &pairs);
	for (i = 0; i < n; i++) {
		unit_word(best[i], word, sizeof(word));
		fprintf(fp, "%-15s%s, ", i ? "" : "busiest", word);
		for (p = 0; p < MIG_NR_PATH; p++)
			path[p] = best[i]->path[p];
		stdio__shares(fp, path, MIG_NR_PATH, mig_path__name, 20);
		fputc('\n', fp);
	}
}

static void print_slowest(const struct report *r, FILE *fp)
{
	unsigned i;
	char buf[16];

	for (i = 0; i < r->slowest.nr; i++) {
		const struct mig_wakeup *w = &r->slowest.w[i];

		mig_ns__print(w->delay_ns, buf, sizeof(buf));
		fprintf(fp, "%s %s %d > %d at %" PRIu64 ".%06" PRIu64 ", %s, CPU %d%s\n",
			i ? "              " : "slowest       ", buf, w->waker_tid, w->wakee_tid,
			w->time / 1000000000, w->time % 1000000000 / 1000, mig_path__name(w->path),
			w->run_cpu, w->lost_nearby ? " !" : "");
	}
}

void stdio__pair_head(const struct report *r, const struct mig_row *all, FILE *fp)
{
	uint64_t seen = mig_row__side_n(all, MIG_SIDE_NEAR) + mig_row__side_n(all, MIG_SIDE_FAR);
	unsigned i, pairs = 0;
	char buf[32];

	for (i = 0; i < r->all.nr_units; i++)
		pairs += r->all.units[i].wakeups > 0;
	fprintf(fp, "%s wakeups, ", stdio__thousands(all->wakeups, buf, sizeof(buf)));
	if (r->all.full)
		fprintf(fp, "more than %u pairs of threads", REPORT_MAX_TIDS);
	else
		print_threads(&r->all, all, pairs, fp);
	fputc('\n', fp);
	print_mechanisms(all->detail, fp);
	fputs("context: ", fp);
	stdio__shares(fp, all->detail->context, MIG_NR_CTX, mig_context__name, 0.5);
	fputc('\n', fp);
	if (all->wakeups > seen)
		fprintf(fp, "%" PRIu64 " switch-ins or slices unseen\n", all->wakeups - seen);
}

void stdio__pair_sides(const struct report *r, const struct mig_row *all, FILE *fp)
{
	unsigned far_from = topo__far_from(&r->session->topo);
	unsigned i, p;

	stdio__side_head("path", fp);
	for (p = 0; p < MIG_NR_PATH; p++)
		for (i = 0; i < r->paths.nr; i++)
			if (r->paths.rows[i]->key[MIG_DIM_PATH] == p && r->paths.rows[i]->wakeups)
				stdio__side(r, mig_path__name(p), r->paths.rows[i], MIG_SIDE_ALL,
					    fp);
	stdio__side(r, "near", all, MIG_SIDE_NEAR, fp);
	if (r->verbose)
		stdio__levels(r, all, MIG_DIST_SELF, far_from, false, fp);
	stdio__side(r, "far", all, MIG_SIDE_FAR, fp);
	if (r->verbose)
		stdio__levels(r, all, far_from, MIG_DIST_UNKNOWN, false, fp);
	stdio__side(r, "moved", all, MIG_SIDE_MOVED, fp);
	stdio__side(r, "  in queue", all, MIG_SIDE_QUEUED, fp);
	stdio__side(r, "stayed", all, MIG_SIDE_STAYED, fp);
}

void stdio__pair_notes(const struct report *r, const struct mig_row *all, FILE *fp)
{
	const struct mig_compare *c = all->compare;

	if (all->lost_nearby)
		fprintf(fp,
			"!: %" PRIu64
			" facts of the pair stand beside a loss: its figures are bounds\n",
			all->lost_nearby);
	fprintf(fp, "note: n counts first slices after a wakeup; \"-\" below %d of them\n",
		MIG_MIN_SLICES);
	if (r->cctx.no_misses)
		return;
	if (r->all.full)
		stdio__incomplete(r, &r->all, fp);
	else
		fprintf(fp,
			"compared: misses/ms of pairs of threads that have both sides: "
			"%" PRIu64 " near and far,\n%" PRIu64
			" moved and stayed; other figures are sums over all threads\n",
			c ? c[MIG_COMPARE_PLACE].pairs : 0, c ? c[MIG_COMPARE_MOVE].pairs : 0);
}

void stdio__pair_detail(const struct report *r, FILE *fp)
{
	const struct mig_row *all = r->all.nr ? r->all.rows[0] : NULL;

	if (!all || !all->wakeups) {
		fprintf(fp, "No wakeup of this pair in the recording.\n");
		return;
	}
	fprintf(fp, "%s%s%s   ", color__title(), r->session->opts.pair, color__reset());
	stdio__pair_head(r, all, fp);
	fputc('\n', fp);
	stdio__pair_sides(r, all, fp);
	fputc('\n', fp);
	print_moves(r, all, fp);
	stdio__pair_busiest(r, all, fp);
	print_slowest(r, fp);
	stdio__pair_notes(r, all, fp);
}
