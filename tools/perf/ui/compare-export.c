// SPDX-License-Identifier: GPL-2.0
/*
 * compare-export: a comparison for other programs: CSV, benchstat, KTAP, JUnit, node_exporter.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare-view.h"
#include "compare.h"
#include "number.h"

typedef void (*row_fn)(const struct compare_block *b, const struct compare *c,
		       const struct compare_row *r, FILE *fp);

static void each_row(const struct compare_view *v, row_fn fn, FILE *fp)
{
	for (size_t b = 0; b < v->table->nr; b++)
		for (size_t k = 0; k < v->table->block[b].nr; k++)
			for (size_t i = 0; i < v->table->block[b].c[k].nr; i++)
				fn(&v->table->block[b], &v->table->block[b].c[k],
				   &v->table->block[b].c[k].row[i], fp);
}

/* RFC 4180: in quotes where there is a comma, a quote or a line end. */
static void csv_text(FILE *fp, const char *s)
{
	if (!strpbrk(s, ",\"\r\n")) {
		fputs(s, fp);
		return;
	}
	putc('"', fp);
	for (; *s; s++) {
		if (*s == '"')
			putc('"', fp);
		putc(*s, fp);
	}
	putc('"', fp);
}

/* Unknown is empty. */
static void csv_number(FILE *fp, double v)
{
	char buf[NUMBER_MAX];

	fprintf(fp, ",%s", isfinite(v) ? number__exact(v, buf) : "");
}

static void csv_side(FILE *fp, const struct compare_side *s)
{
	fprintf(fp, ",%zu", s->n);
	csv_number(fp, s->n ? s->one.mean : NAN);
	csv_number(fp, s->n ? s->one.sd : NAN);
	csv_number(fp, s->n ? s->one.median : NAN);
}

static void csv_row(const struct compare_block *b, const struct compare *c,
		    const struct compare_row *r, FILE *fp)
{
	bool both = r->side[0].n && r->side[1].n;

	csv_text(fp, b->group ? b->group : "");
	putc(',', fp);
	csv_text(fp, r->name);
	putc(',', fp);
	csv_text(fp, c->base->name);
	putc(',', fp);
	csv_text(fp, c->other->name);
	csv_side(fp, &r->side[0]);
	csv_side(fp, &r->side[1]);
	csv_number(fp, both ? r->two.change_pct : NAN);
	csv_number(fp, both ? r->two.ratio_pct : NAN);
	csv_number(fp, both ? r->two.ratio_lo_pct : NAN);
	csv_number(fp, both ? r->two.ratio_hi_pct : NAN);
	csv_number(fp, both ? r->two.hl_conf : NAN);
	csv_number(fp, both ? r->two.u : NAN);
	csv_number(fp, both ? r->two.p : NAN);
	csv_number(fp, r->adjusted_p);
	fprintf(fp, ",%s,%s\n", metric__better_name(r->better),
		r->verdict == COMPARE_ONE_SIDE ? "missing" : compare__verdict_name(r->verdict));
}

int compare_view__csv(const struct compare_view *v, FILE *fp)
{
	fputs("group,metric,base,other,base_n,base_mean,base_sd,base_median,other_n,other_mean,"
	      "other_sd,other_median,change_pct,hl_ratio_pct,hl_lo_pct,hl_hi_pct,hl_level,u,p,"
	      "adjusted_p,better,verdict\n",
	      fp);
	each_row(v, csv_row, fp);
	return ferror(fp) ? -EIO : 0;
}

/* A name without blanks; the first letter of a benchmark is upper case. */
static void go_word(FILE *fp, const char *s, bool upper)
{
	for (bool first = upper; *s; s++, first = false)
		putc(isspace((unsigned char)*s) ? '_'
		     : first                    ? toupper((unsigned char)*s)
						: *s,
		     fp);
}

static bool is_unit_known(const struct runset *set, size_t arm, size_t metric)
{
	for (size_t a = 0; a <= arm; a++)
		for (size_t m = 0; m < (a == arm ? metric : set->arm[a].nr_metrics); m++)
			if (!strcmp(set->arm[a].metric[m].name, set->arm[arm].metric[metric].name))
				return true;
	return false;
}

static void go_run(const struct run_arm *arm, size_t run, FILE *fp)
{
	char buf[NUMBER_MAX];
	bool any = false;

	for (size_t m = 0; m < arm->nr_metrics; m++)
		any |= !isnan(arm->metric[m].value[run]);
	if (!any || arm->run[run].status != RUN_OK)
		return;
	fputs("Benchmark", fp);
	go_word(fp, arm->group ? arm->group : "Run", true);
	fputs(" 1", fp); /* iterations: benchstat wants more than 0 */
	for (size_t m = 0; m < arm->nr_metrics; m++) {
		if (isnan(arm->metric[m].value[run]))
			continue;
		fprintf(fp, " %s ", number__exact(arm->metric[m].value[run], buf));
		go_word(fp, arm->metric[m].name, false);
	}
	putc('\n', fp);
}

int compare_view__go(const struct compare_view *v, FILE *fp)
{
	for (size_t a = 0; a < v->set->nr; a++) {
		const struct run_arm *arm = &v->set->arm[a];

		for (size_t m = 0; m < arm->nr_metrics; m++) {
			if (arm->metric[m].better <= METRIC_NONE || is_unit_known(v->set, a, m))
				continue;
			fputs("Unit ", fp);
			go_word(fp, arm->metric[m].name, false);
			fprintf(fp, " better=%s\n", metric__better_name(arm->metric[m].better));
		}
	}
	for (size_t a = 0; a < v->set->nr; a++) {
		fprintf(fp, "arm: %s\n\n", v->set->arm[a].name);
		for (size_t i = 0; i < v->set->arm[a].nr_runs; i++)
			go_run(&v->set->arm[a], i, fp);
		putc('\n', fp);
	}
	return ferror(fp) ? -EIO : 0;
}

/* The result of a test of a primary metric, in words; NULL for the others. */
static const char *outcome(const struct compare_row *r)
{
	if (r->family != COMPARE_PRIMARY)
		return NULL;
	return r->verdict == COMPARE_WORSE                                       ? "failed"
	       : r->verdict == COMPARE_TOO_FEW || r->verdict == COMPARE_ONE_SIDE ? "skipped"
										 : "passed";
}

static size_t count(const struct compare_view *v, const char *what)
{
	size_t n = 0;

	for (size_t b = 0; b < v->table->nr; b++) {
		for (size_t k = 0; k < v->table->block[b].nr; k++) {
			const struct compare *c = &v->table->block[b].c[k];

			for (size_t i = 0; i < c->nr; i++) {
				const char *o = outcome(&c->row[i]);

				n += o && (!what || !strcmp(o, what));
			}
		}
	}
	return n;
}

static void describe(const struct compare_row *r, char *buf, size_t size)
{
	char a[NUMBER_MAX], b[NUMBER_MAX], pct[NUMBER_MAX];

	if (r->verdict == COMPARE_ONE_SIDE)
		snprintf(buf, size, "not measured on both sides");
	else
		snprintf(buf, size, "%s -> %s (%s), p=%.3f, n=%zu+%zu",
			 number__short(r->side[0].one.mean, a),
			 number__short(r->side[1].one.mean, b),
			 number__percent(r->two.change_pct, pct), r->two.p, r->side[0].n,
			 r->side[1].n);
}

/* "#" begins a directive in TAP. */
static void ktap_name(const struct compare_block *b, const struct compare *c,
		      const struct compare_row *r, FILE *fp)
{
	if (b->group)
		fprintf(fp, "%s: ", b->group);
	fprintf(fp, "%s %s vs %s", r->name, c->other->name, c->base->name);
}

int compare_view__ktap(const struct compare_view *v, FILE *fp)
{
	size_t nr = 0;

	fprintf(fp, "KTAP version 1\n1..%zu\n", count(v, NULL));
	for (size_t b = 0; b < v->table->nr; b++) {
		for (size_t k = 0; k < v->table->block[b].nr; k++) {
			const struct compare *c = &v->table->block[b].c[k];

			for (size_t i = 0; i < c->nr; i++) {
				const char *o = outcome(&c->row[i]);
				char text[256];

				if (!o)
					continue;
				describe(&c->row[i], text, sizeof(text));
				fprintf(fp, "# %s: %s\n", c->row[i].name, text);
				fprintf(fp, "%sok %zu ", *o == 'f' ? "not " : "", ++nr);
				ktap_name(&v->table->block[b], c, &c->row[i], fp);
				fprintf(fp, "%s\n",
					*o == 's' ? " # SKIP too few runs to tell" : "");
			}
		}
	}
	return ferror(fp) ? -EIO : 0;
}

static void xml_text(FILE *fp, const char *s)
{
	for (; *s; s++) {
		switch (*s) {
		case '<':
			fputs("&lt;", fp);
			break;
		case '>':
			fputs("&gt;", fp);
			break;
		case '&':
			fputs("&amp;", fp);
			break;
		case '"':
			fputs("&quot;", fp);
			break;
		default:
			putc((unsigned char)*s < ' ' ? '?' : *s, fp);
		}
	}
}

static void junit_row(const struct compare_block *b, const struct compare *c,
		      const struct compare_row *r, FILE *fp)
{
	const char *o = outcome(r);
	char text[256];

	if (!o)
		return;
	describe(r, text, sizeof(text));
	fputs("    <testcase classname=\"migstat.", fp);
	xml_text(fp, b->group ? b->group : "compare");
	fputs("\" name=\"", fp);
	xml_text(fp, r->name);
	fputs(" ", fp);
	xml_text(fp, c->other->name);
	fputs("\" time=\"0\">", fp);
	if (*o != 'p') {
		fputs(*o == 'f' ? "<failure message=\"" : "<skipped message=\"", fp);
		xml_text(fp, text);
		fputs("\"/>", fp);
	}
	fputs("</testcase>\n", fp);
}

int compare_view__junit(const struct compare_view *v, FILE *fp)
{
	size_t all = count(v, NULL), failed = count(v, "failed"), skipped = count(v, "skipped");

	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", fp);
	fprintf(fp, "<testsuites tests=\"%zu\" failures=\"%zu\">\n", all, failed);
	fprintf(fp,
		"  <testsuite name=\"perf migstat compare\" tests=\"%zu\" failures=\"%zu\" "
		"skipped=\"%zu\" time=\"0\">\n",
		all, failed, skipped);
	each_row(v, junit_row, fp);
	fputs("  </testsuite>\n</testsuites>\n", fp);
	return ferror(fp) ? -EIO : 0;
}

static void label(FILE *fp, const char *key, const char *value, bool first)
{
	fprintf(fp, "%s%s=\"", first ? "" : ",", key);
	for (; *value; value++) {
		if (*value == '"' || *value == '\\')
			putc('\\', fp);
		if (*value == '\n')
			fputs("\\n", fp);
		else
			putc(*value, fp);
	}
	putc('"', fp);
}

static void sample(FILE *fp, const char *family, const struct compare_block *b, const char *metric,
		   const char *arm, double v)
{
	char buf[NUMBER_MAX];

	if (!isfinite(v))
		return;
	fprintf(fp, "%s{", family);
	label(fp, "metric", metric, true);
	label(fp, "arm", arm, false);
	if (b->group)
		label(fp, "group", b->group, false);
	fprintf(fp, "} %s\n", number__exact(v, buf));
}

static void metrics_mean(const struct compare_block *b, const struct compare *c,
			 const struct compare_row *r, FILE *fp)
{
	if (c == b->c && r->side[0].n)
		sample(fp, "migstat_mean", b, r->name, c->base->name, r->side[0].one.mean);
	if (r->side[1].n)
		sample(fp, "migstat_mean", b, r->name, c->other->name, r->side[1].one.mean);
}

static void metrics_change(const struct compare_block *b, const struct compare *c,
			   const struct compare_row *r, FILE *fp)
{
	if (r->side[0].n && r->side[1].n)
		sample(fp, "migstat_change_percent", b, r->name, c->other->name, r->two.change_pct);
}

static void metrics_p(const struct compare_block *b, const struct compare *c,
		      const struct compare_row *r, FILE *fp)
{
	sample(fp, "migstat_adjusted_p", b, r->name, c->other->name, r->adjusted_p);
}

int compare_view__openmetrics(const struct compare_view *v, FILE *fp)
{
	static const struct {
		const char *name, *help;
		row_fn fn;
	} families[] = {
		{ "migstat_mean", "Mean of the runs of an arm", metrics_mean },
		{ "migstat_change_percent", "Change of the mean against the base", metrics_change },
		{ "migstat_adjusted_p", "p of the change, adjusted for the family", metrics_p },
	};

	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		fprintf(fp, "# HELP %s %s\n# TYPE %s gauge\n", families[i].name, families[i].help,
			families[i].name);
		each_row(v, families[i].fn, fp);
	}
	fputs("# EOF\n", fp);
	return ferror(fp) ? -EIO : 0;
}
