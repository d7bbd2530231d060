// SPDX-License-Identifier: GPL-2.0
/*
 * compare-suite: a suite of benchmarks: the base is 1, the others are ratios of the means, with the
 * word for it by the direction of each metric; notes below.
 *
 *	bare metal       tip   tip + patch
 *	volano           1     0.955   (4.5% degradation)
 *	sysbench [n1]    1     0.9984  (0.16% degradation)
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare-view.h"
#include "compare.h"

enum { NAME_MIN = 17, NOTES_MAX = 64, WIDTH = 78 };

struct suite {
	const char *text[NOTES_MAX]; /* note i + 1 */
	int nr;
};

/* "[n1]" for the note of a row, or "". */
static const char *mark(struct suite *s, const struct compare_row *r, char *buf, size_t size)
{
	*buf = '\0';
	if (r->note && s->nr < NOTES_MAX) {
		s->text[s->nr++] = r->note;
		snprintf(buf, size, " [n%d]", s->nr);
	}
	return buf;
}

/* "4.5", "29", "100": two digits, no exponent */
static void print_percent(FILE *fp, double pct)
{
	fprintf(fp, pct >= 99.5 ? "%.0f%%" : "%.2g%%", pct);
}

static void print_word(FILE *fp, const struct compare_row *r, double ratio)
{
	int good = compare__goodness(r->better, ratio - 1);
	double pct = fabs(100 * (ratio - 1));

	if (pct < 0.005) {
		fputs("(no change", fp);
	} else {
		putc('(', fp);
		print_percent(fp, pct);
		fputs(good > 0    ? " improvement"
		      : good < 0  ? " degradation"
		      : ratio > 1 ? " more"
				  : " less",
		      fp);
	}
	if (r->side[0].n >= 4 && r->side[1].n >= 4 && r->verdict == COMPARE_NO_EVIDENCE)
		fputs(", not proven", fp);
	putc(')', fp);
}

/* Returns the ratio, NAN where there is none. */
static double print_ratio(FILE *fp, const struct compare_row *r, bool last)
{
	double ratio = NAN;
	char text[32] = "-";

	if (r && r->side[0].n && r->side[1].n && r->side[0].one.mean != 0)
		ratio = r->side[1].one.mean / r->side[0].one.mean;
	if (!isnan(ratio))
		snprintf(text, sizeof(text), "%.4g", ratio);
	fprintf(fp, "%-8s", text);
	if (!isnan(ratio))
		print_word(fp, r, ratio);
	if (!last)
		fputs("  ", fp);
	return ratio;
}

static int name_width(const struct compare_table *t)
{
	size_t most = 0, len;

	for (size_t b = 0; b < t->nr; b++) {
		for (size_t i = 0; t->block[b].nr && i < t->block[b].c[0].nr; i++) {
			const struct compare_row *r = &t->block[b].c[0].row[i];

			len = strlen(r->name) + (r->note ? strlen(" [n10]") : 0);
			if (len > most)
				most = len;
		}
	}
	return most + 2 > NAME_MIN ? most + 2 : NAME_MIN;
}

/* The column of the base, "1": at least 6 wide. */
static int base_width(const struct compare_block *b)
{
	size_t len = strlen(b->base->name) + 2;

	return len > 6 ? len : 6;
}

static void print_head(const struct compare_block *b, int width, FILE *fp)
{
	fprintf(fp, "%-*s%-*s", width, b->group ? b->group : "", base_width(b), b->base->name);
	for (size_t k = 0; k < b->nr; k++)
		fprintf(fp, k + 1 < b->nr ? "%-34s" : "%s", b->c[k].other->name);
	putc('\n', fp);
}

static bool same_arms(const struct compare_block *a, const struct compare_block *b)
{
	bool same = a->nr == b->nr && !strcmp(a->base->name, b->base->name);

	for (size_t k = 0; same && k < a->nr; k++)
		same = !strcmp(a->c[k].other->name, b->c[k].other->name);
	return same;
}

/* Better is up, whatever the metric: 1.05 and "lower is better" counts as 1/1.05. */
static void print_geomean(const struct compare_block *b, int width, FILE *fp)
{
	fprintf(fp, "%-*s%-*s", width, "geomean", base_width(b), "1");
	for (size_t k = 0; k < b->nr; k++) {
		double logs = 0;
		size_t n = 0, left = 0;

		for (size_t i = 0; i < b->c[0].nr; i++) {
			const struct compare_row *r = compare__find(&b->c[k], b->c[0].row[i].name);
			double ratio = r && r->side[0].n && r->side[1].n
					       ? r->side[1].one.mean / r->side[0].one.mean
					       : NAN;

			if (!(ratio > 0) || isinf(ratio) || r->better <= METRIC_NONE) {
				left++;
				continue;
			}
			logs += r->better == METRIC_LOWER ? -log(ratio) : log(ratio);
			n++;
		}
		if (n)
			fprintf(fp, "%-8.4g(of %zu, above 1 is better", exp(logs / n), n);
		else
			fprintf(fp, "%-8s(no rows with a direction", "-");
		if (left)
			fprintf(fp, "; %zu left out", left);
		fprintf(fp, ")%s", k + 1 < b->nr ? "  " : "");
	}
	putc('\n', fp);
}

static void print_block(struct suite *s, const struct compare_block *b, int width, FILE *fp)
{
	for (size_t i = 0; b->nr && i < b->c[0].nr; i++) {
		const struct compare_row *r = &b->c[0].row[i];
		char note[16];

		if (!r->side[0].n)
			continue;
		mark(s, r, note, sizeof(note));
		fprintf(fp, "%s%-*s%-*s", r->name, (int)(width - strlen(r->name)), note,
			base_width(b), "1");
		for (size_t k = 0; k < b->nr; k++)
			print_ratio(fp, compare__find(&b->c[k], r->name), k + 1 == b->nr);
		putc('\n', fp);
	}
}

/* "n1 16 threads; n2, n4 localhost, 1 client; ...", lines of up to 78 columns */
static void print_notes(const struct suite *s, FILE *fp)
{
	int column = 0;

	for (int i = 0; i < s->nr; i++) {
		char keys[256] = "";
		size_t n = 0;
		bool known = false;

		for (int k = 0; k < i; k++)
			known |= !strcmp(s->text[k], s->text[i]);
		if (known)
			continue;
		for (int k = i; k < s->nr && n < sizeof(keys); k++)
			if (!strcmp(s->text[k], s->text[i]))
				n += snprintf(keys + n, sizeof(keys) - n, "%sn%d", n ? ", " : "",
					      k + 1);
		n = strlen(keys) + 1 + strlen(s->text[i]);
		if (column && column + 2 + n > WIDTH) {
			fputs(";\n", fp);
			column = 0;
		} else if (column) {
			column += fprintf(fp, "; ");
		}
		column += fprintf(fp, "%s %s", keys, s->text[i]);
	}
	if (s->nr)
		putc('\n', fp);
}

int compare_view__suite(const struct compare_view *v, FILE *fp)
{
	const struct compare_table *t = v->table;
	int width = name_width(t);
	struct suite s = { .nr = 0 };

	for (size_t b = 0; b < t->nr; b++) {
		const struct compare_block *block = &t->block[b];

		if (!b || !same_arms(block, &t->block[b - 1]))
			print_head(block, width, fp);
		else
			fprintf(fp, "%s\n", block->group ? block->group : "");
		print_block(&s, block, width, fp);
		if (v->verbose)
			print_geomean(block, width, fp);
	}
	print_notes(&s, fp);
	return ferror(fp) ? -EIO : 0;
}
