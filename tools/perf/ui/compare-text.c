// SPDX-License-Identifier: GPL-2.0
/*
 * compare-text: the default view of compare. 80 columns, plain ASCII, fit for a mail.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "color.h"
#include "compare-view.h"
#include "compare.h"
#include "number.h"
#include "stdio-int.h"
#include "utf8.h"

enum { NAME_WIDTH = 22, NOTE_MAX = 999 };

struct text {
	const struct compare_view *view;
	const struct compare *c;
	FILE *fp;
	char *note[NOTE_MAX];
	int nr_notes;
	size_t nr_hidden; /* notes that are not shown */
};

/* "      4990 ~11%", the spread left blank below 3 runs */
static void print_mean(FILE *fp, const struct compare_side *s)
{
	char buf[NUMBER_MAX];
	double pct = s->n ? fabs(stats__percent(s->one.sd, s->one.mean)) : NAN;

	fprintf(fp, "%10s", s->n ? number__mean(s->one.mean, buf) : "-");
	if (s->n < 3 || isnan(pct))
		fputs("     ", fp);
	else if (pct >= 100)
		fprintf(fp, " ~%3.0f", fmin(999, trunc(pct)));
	else
		fprintf(fp, " ~%2.0f%%", trunc(pct));
}

static void print_p(FILE *fp, const struct compare_row *r)
{
	char buf[64] = "";

	if (r->side[0].n && r->side[1].n) {
		if (r->verdict == COMPARE_TOO_FEW)
			snprintf(buf, sizeof(buf), "n=%zu+%zu", r->side[0].n, r->side[1].n);
		else if (r->two.p < 0.0005)
			snprintf(buf, sizeof(buf), "p<0.001");
		else
			snprintf(buf, sizeof(buf), "p=%.3f", r->two.p);
	}
	fprintf(fp, "  %-7s", buf);
}

static void print_verdict(FILE *fp, const struct compare_row *r)
{
	const char *name = r->verdict == COMPARE_ONE_SIDE ? "-" : compare__verdict_name(r->verdict);
	const char *color = r->verdict == COMPARE_WORSE ? color__warn() : "";

	fprintf(fp, " %s%-6s%s ", color, name, *color ? color__reset() : "");
}

/* Takes the texts over; returns the number of the first, 0 if there are none. */
static int take_notes(struct text *t, const struct compare_row *r, int *ret_nr)
{
	char *note[COMPARE_NOTES_MAX];
	int nr = compare__notes(t->c, r, note), first = t->nr_notes + 1;

	*ret_nr = 0;
	/* many metrics make many notes: those that decide come first */
	if (!t->view->verbose && r->family != COMPARE_PRIMARY && t->c->nr_family[COMPARE_PRIMARY]) {
		for (int i = 0; i < nr; i++)
			free(note[i]);
		t->nr_hidden += nr > 0 ? nr : 0;
		return 0;
	}
	for (int i = 0; i < nr; i++) {
		int known = 0;

		while (known < t->nr_notes && strcmp(t->note[known], note[i]))
			known++;
		if (nr == 1 && known < t->nr_notes) { /* one text for all rows it fits */
			free(note[i]);
			*ret_nr = 1;
			return known + 1;
		}
		if (t->nr_notes == NOTE_MAX) {
			free(note[i]);
			continue;
		}
		t->note[t->nr_notes++] = note[i];
		++*ret_nr;
	}
	return first;
}

static void print_name(struct text *t, const struct compare_row *r)
{
	char marks[64] = "", alike[32] = "", clean[512];
	int nr, first = take_notes(t, r, &nr);
	size_t used;

	if (nr == 1)
		snprintf(marks, sizeof(marks), " [n%d]", first);
	else if (nr)
		snprintf(marks, sizeof(marks), " [n%d-n%d]", first, first + nr - 1);
	if (r->nr_alike)
		snprintf(alike, sizeof(alike), " (+%zu alike)", r->nr_alike);
	utf8__clean(clean, sizeof(clean), r->name);
	used = strlen(marks) + strlen(alike);
	stdio__name(t->fp, clean,
		    t->view->verbose        ? 1000
		    : used + 8 < NAME_WIDTH ? NAME_WIDTH - used
					    : 8,
		    false);
	fprintf(t->fp, "%s%s\n", alike, marks);
}

static void print_interval(FILE *fp, const struct compare_row *r)
{
	const struct stats_two *t = &r->two;
	char a[NUMBER_MAX], lo[NUMBER_MAX], hi[NUMBER_MAX];

	if (!r->side[0].n || !r->side[1].n)
		return;
	if (!isnan(t->ratio_pct))
		fprintf(fp, "  HL %+.1f%% [%+.1f, %+.1f] %.1f%%", t->ratio_pct, t->ratio_lo_pct,
			t->ratio_hi_pct, 100 * t->hl_conf);
	else
		fprintf(fp, "  HL %s [%s, %s] %.1f%%", number__short(t->hl, a),
			isinf(t->hl_lo) ? "-inf" : number__short(t->hl_lo, lo),
			isinf(t->hl_hi) ? "+inf" : number__short(t->hl_hi, hi), 100 * t->hl_conf);
	fprintf(fp, "  P(b>a) %.2f  n=%zu+%zu  U=%g", t->superiority, r->side[0].n, r->side[1].n,
		t->u);
	if (!isnan(r->adjusted_p))
		fprintf(fp, "  %s=%.3f", r->family == COMPARE_PRIMARY ? "Holm" : "q",
			r->adjusted_p);
	putc('\n', fp);
	if (t->ks_p <= 0.05 && t->p > 0.05)
		fprintf(fp, "  the shape changed, not the level: KS D=%.2f p=%.3f\n", t->ks_d,
			t->ks_p);
}

static void print_row(struct text *t, const struct compare_row *r)
{
	char pct[NUMBER_MAX], aa[NUMBER_MAX];

	print_mean(t->fp, &r->side[0]);
	fprintf(t->fp, " %9s ",
		r->side[0].n && r->side[1].n ? number__percent(r->two.change_pct, pct) : "-");
	print_mean(t->fp, &r->side[1]);
	print_p(t->fp, r);
	print_verdict(t->fp, r);
	if (t->c->opts.aa)
		fprintf(t->fp, "A/A %-7s ",
			isnan(r->aa_pct) ? "-" : number__percent(r->aa_pct, aa));
	print_name(t, r);
	if (t->view->verbose)
		print_interval(t->fp, r);
}

/* Right-aligned, what does not fit cut off at the left end of the name. */
static void print_head(const struct text *t)
{
	char a[128], b[128];

	utf8__clean(a, sizeof(a), t->c->base->name);
	utf8__clean(b, sizeof(b), t->c->other->name);
	fprintf(t->fp, "%s%15.15s %25.25s%s\n", color__title(), a, b, color__reset());
	fputs("--------------- -------------------------\n", t->fp);
}

static void print_arm(FILE *fp, const struct run_arm *arm)
{
	size_t good = run_arm__good(arm);
	double least = 100;

	for (size_t i = 0; i < arm->nr_runs; i++)
		if (arm->run[i].status == RUN_OK && arm->run[i].running_pct < least)
			least = arm->run[i].running_pct;
	if (good < arm->nr_runs)
		fprintf(fp, "%s: %zu of %zu runs failed and are left out of the figures\n",
			arm->name, arm->nr_runs - good, arm->nr_runs);
	if (least < 100)
		fprintf(fp,
			"%s: events were counted down to %.0f%% of the time (multiplexed), scaled\n",
			arm->name, least);
	if (arm->note)
		fprintf(fp, "%s: %s\n", arm->name, arm->note);
}

/* A line of at most 80 columns, the end left away. */
static void print_cut(FILE *fp, const char *text, bool full)
{
	if (full || strlen(text) <= 78)
		fprintf(fp, "  %s\n", text);
	else
		fprintf(fp, "  %.*s..\n", 76, text);
}

static int print_environment(const struct text *t)
{
	char **diff = compare__environment(t->c->base, t->c->other);
	int nr = 0;

	if (!diff)
		return -ENOMEM;
	for (; diff[nr]; nr++)
		;
	if (nr)
		fprintf(t->fp, "Environments differ in %d point%s (%s | %s):\n", nr,
			nr == 1 ? "" : "s", t->c->base->name, t->c->other->name);
	for (int i = 0; i < nr; i++) {
		if (i < 5 || t->view->verbose)
			print_cut(t->fp, diff[i], t->view->verbose);
		free(diff[i]);
	}
	if (nr > 5 && !t->view->verbose)
		fprintf(t->fp, "  and %d more (-v)\n", nr - 5);
	free(diff);
	return 0;
}

static void print_foot(struct text *t)
{
	size_t others = t->c->nr_family[COMPARE_OTHER] + t->c->nr_family[COMPARE_PAIR], alike = 0;
	size_t too_few = 0;

	for (int i = 0; i < t->nr_notes; i++) {
		fprintf(t->fp, "n%d. %s\n", i + 1, t->note[i]);
		free(t->note[i]);
	}
	if (t->nr_hidden)
		fprintf(t->fp, "(%zu notes on the other metrics; -v shows them)\n", t->nr_hidden);
	for (size_t i = 0; i < t->c->nr; i++) {
		alike += t->c->row[i].nr_alike;
		too_few += t->c->row[i].verdict == COMPARE_TOO_FEW;
	}
	fprintf(t->fp, "%zu of %zu metrics shown", t->c->nr_shown, t->c->nr);
	if (others && !t->c->opts.all)
		fprintf(t->fp, "; by chance %zu would have p < %g", t->c->nr_chance,
			t->c->opts.alpha);
	if (t->c->nr_shown + alike < t->c->nr && !t->c->opts.all)
		fprintf(t->fp, "; -a shows all");
	putc('\n', t->fp);
	if (too_few)
		fprintf(t->fp, "%zu undecided: the runs are too few to prove anything\n", too_few);
	else if (!t->c->nr_shown)
		fprintf(t->fp, "none changed (q <= %g)\n", t->c->opts.fdr);
}

static int print_one(const struct compare_view *v, const struct compare *c, FILE *fp)
{
	struct text *t = calloc(1, sizeof(*t));
	int rc;

	if (!t)
		return -ENOMEM;
	*t = (struct text){ .view = v, .c = c, .fp = fp };
	rc = print_environment(t);
	print_arm(fp, c->base);
	print_arm(fp, c->other);
	print_head(t);
	for (size_t i = 0; i < c->nr; i++)
		if (c->row[i].shown)
			print_row(t, &c->row[i]);
	print_foot(t);
	free(t);
	return rc;
}

int compare_view__text(const struct compare_view *v, FILE *fp)
{
	const struct compare_table *t = v->table;
	bool first = true;
	int rc = 0;

	fprintf(fp, "means truncated, ~sd%% (n-1), change of means; p: exact Mann-Whitney U\n");
	for (size_t i = 0; i < t->nr && !rc; i++) {
		const struct compare_block *b = &t->block[i];

		if (b->group)
			fprintf(fp, "%s%s\n", first ? "" : "\n", b->group);
		for (size_t k = 0; k < b->nr && !rc; k++) {
			if (!first && (k || !b->group))
				putc('\n', fp);
			first = false;
			rc = print_one(v, &b->c[k], fp);
			if (!rc)
				rc = compare_pairs__print(v, &b->c[k], fp);
			if (!rc && v->corr)
				rc = compare_view__corr(&b->c[k], fp);
		}
		if (!b->nr)
			fprintf(fp, "%s: nothing to compare it with\n", b->base->name);
	}
	return rc ? rc : ferror(fp) ? -EIO : 0;
}
