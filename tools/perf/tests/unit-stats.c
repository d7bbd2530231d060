// SPDX-License-Identifier: GPL-2.0
/*
 * Every statistic of golden/statistics.tsv, which another program computed and scipy confirmed
 * (tests/data/README), and figures from other tools: ministat, benchstat's tables of p.
 */
#include <errno.h>
#include <math.h>

#include "stats.h"
#include "tests.h"

enum { SAMPLES = 32, RUNS = 16, ROW = 40 };

struct sample {
	char name[48];
	double x[RUNS];
	size_t n;
};

static struct sample samples[SAMPLES];
static size_t nr_samples;

static const struct sample *sample(const char *name)
{
	for (size_t i = 0; i < nr_samples; i++)
		if (!strcmp(samples[i].name, name))
			return &samples[i];
	return NULL;
}

/* The file has ratios to 6 digits, the statistics are of the unrounded ones. */
static double ratio(const char *name, size_t run)
{
	char of[64];
	int len = strrchr(name, '.') - name;
	double misses;

	snprintf(of, sizeof(of), "%.*s.misses", len, name);
	misses = sample(of)->x[run];
	snprintf(of, sizeof(of), "%.*s.migrations", len, name);
	return misses / sample(of)->x[run];
}

static void add_sample(const char *name, char *values)
{
	struct sample *s = &samples[nr_samples];
	const char *metric = strrchr(name, '.');

	snprintf(s->name, sizeof(s->name), "%s", name);
	for (char *v = strtok(values, ","); v && s->n < RUNS; v = strtok(NULL, ","), s->n++)
		s->x[s->n] = !strcmp(metric, ".ratio") ? ratio(name, s->n) : strtod(v, NULL);
	nr_samples++;
}

/* "000.tip+mg2.misses" and "000.all20.misses": the samples of several groups one after the other */
static size_t pooled(const char *name, double *ret_x, int *ret_group)
{
	static const struct {
		const char *name, *groups[5];
	} pools[] = {
		{ "tip+mg2", { "tip", "mg2" } },
		{ "all20", { "tip", "mg2", "cost0", "cost-1" } },
	};
	const char *metric = strrchr(name, '.');
	char full[64];
	size_t n = 0;

	for (size_t p = 0; p < 2; p++) {
		if (strncmp(name + 4, pools[p].name, strlen(pools[p].name)))
			continue;
		for (int g = 0; pools[p].groups[g]; g++) {
			const struct sample *s;

			snprintf(full, sizeof(full), "000.%s%s", pools[p].groups[g], metric);
			s = sample(full);
			for (size_t i = 0; s && i < s->n; i++, n++) {
				ret_x[n] = s->x[i];
				ret_group[n] = g;
			}
		}
		return n;
	}
	return 0;
}

struct figure {
	const char *name;
	double v;
};

static void golden(const struct figure *f, size_t nr, const char *a, const char *b,
		   const char *what, const char *want)
{
	char got[64], label[160];
	double w = strtod(want, NULL);

	snprintf(label, sizeof(label), "%s %s %s", what, a, b);
	for (size_t i = 0; i < nr; i++) {
		if (strcmp(f[i].name, what))
			continue;
		snprintf(got, sizeof(got), "%.6f", f[i].v);
		if (isfinite(w) && fabs(f[i].v - w) <= 1e-12 * fabs(w))
			ok(true, "%s", label);
		else
			is_str(got, want, label);
		return;
	}
	ok(false, "%s: no such figure", label);
}

static void one_figures(const struct stats_one *o, const char *name, const char *what,
			const char *want)
{
	const struct figure f[] = {
		{ "mean", o->mean },
		{ "sd", o->sd },
		{ "sd_pct", stats__percent(o->sd, o->mean) },
		{ "sd_pop", o->sd_pop },
		{ "sd_pop_pct", stats__percent(o->sd_pop, o->mean) },
		{ "sem_pct", stats__percent(o->sd / sqrt(o->n), o->mean) },
		{ "median", o->median },
		{ "median_upper", o->median_upper },
		{ "mad", o->mad },
		{ "geomean", o->geomean },
		{ "hmean", o->hmean },
		{ "mean_ci95_lo", o->mean_lo },
		{ "mean_ci95_hi", o->mean_hi },
		{ "median_ci_lo", o->median_lo },
		{ "median_ci_hi", o->median_hi },
		{ "median_ci_conf", o->median_conf },
	};

	golden(f, sizeof(f) / sizeof(f[0]), name, "", what, want);
}

static void one(const char *name, const char *what, const char *want)
{
	const struct sample *s = sample(name);
	struct stats_one o;

	if (!ok(s && !stats__one(s->x, s->n, &o), "%s is there", name))
		return;
	one_figures(&o, name, what, want);
}

static void two_figures(const struct stats_two *t, const char *a, const char *b, const char *what,
			const char *want)
{
	const struct figure f[] = {
		{ "change_pct", t->change_pct },
		{ "change_median_pct", t->change_median_pct },
		{ "U", t->u },
		{ "U_p_exact", t->p },
		{ "U_p_normal", t->p_normal },
		{ "welch_t", t->welch_t },
		{ "welch_df", t->welch_df },
		{ "welch_p", t->welch_p },
		{ "welch_ci_lo", t->welch_lo },
		{ "welch_ci_hi", t->welch_hi },
		{ "pooled_t", t->pooled_t },
		{ "pooled_p", t->pooled_p },
		{ "hl_shift", t->hl },
		{ "hl_lo", t->hl_lo },
		{ "hl_hi", t->hl_hi },
		{ "hl_conf", t->hl_conf },
		{ "hl_ratio_pct", t->ratio_pct },
		{ "hl_ratio_lo_pct", t->ratio_lo_pct },
		{ "hl_ratio_hi_pct", t->ratio_hi_pct },
		{ "cliffs_delta", t->cliff },
		{ "p_superiority", t->superiority },
		{ "cohen_d", t->cohen },
		{ "hedges_g", t->hedges },
	};

	golden(f, sizeof(f) / sizeof(f[0]), a, b, what, want);
}

static void two(const char *a, const char *b, const char *what, const char *want)
{
	const struct sample *x = sample(a), *y = sample(b);
	struct stats_two t;

	if (!ok(x && y && !stats__two(x->x, x->n, y->x, y->n, &t), "%s, %s are there", a, b))
		return;
	two_figures(&t, a, b, what, want);
}

static void corr_figures(const struct stats_corr *c, const char *a, const char *b, const char *what,
			 const char *want)
{
	const struct figure f[] = {
		{ "pearson_r", c->pearson },     { "pearson_p", c->pearson_p },
		{ "pearson_lo", c->pearson_lo }, { "pearson_hi", c->pearson_hi },
		{ "spearman_rho", c->spearman }, { "spearman_p_t", c->spearman_p_t },
	};

	golden(f, sizeof(f) / sizeof(f[0]), a, b, what, want);
}

static void corr(const char *a, const char *b, const char *what, const char *want)
{
	const struct sample *x = sample(a), *y = sample(b);
	double px[RUNS * 4], py[RUNS * 4];
	int group[RUNS * 4];
	struct stats_corr c;
	size_t n = x ? 0 : pooled(a, px, group);
	int rc = n ? pooled(b, py, group) != n || stats__corr(px, py, n, &c)
		   : !x || !y || stats__corr(x->x, y->x, x->n, &c);

	if (!ok(!rc, "%s, %s are there", a, b))
		return;
	corr_figures(&c, a, b, what, want);
}

static void all_golden(void)
{
	char path[512], line[1024], *field[6], *save;
	size_t rows = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/golden/statistics.tsv", test_data());
	f = fopen(path, "r");
	if (!ok(f != NULL, "golden/statistics.tsv"))
		return;
	while (fgets(line, sizeof(line), f)) {
		int n = 0;

		for (char *p = strtok_r(line, "\t\n", &save); p && n < 6; n++) {
			field[n] = p;
			p = strtok_r(NULL, "\t\n", &save);
		}
		if (n < 5 || line[0] == '#')
			continue;
		rows++;
		if (!strcmp(field[0], "input"))
			add_sample(field[1], field[4]);
		else if (!strcmp(field[0], "one"))
			one(field[1], field[3], field[4]);
		else if (!strcmp(field[0], "two"))
			two(field[1], field[2], field[3], field[4]);
		else
			corr(field[1], field[2], field[3], field[4]);
	}
	fclose(f);
	is_int((int64_t)rows, 942, "all rows were read");
}

static void near(double got, double want, double tolerance, const char *name)
{
	if (!ok(fabs(got - want) <= tolerance, "%s", name))
		printf("#   got %.9g, want %.9g\n", got, want);
}

/* comparing.md 2.2 and 2.3: the smallest p, the eight p adjusted, modes, drift, KS */
static void other_figures(void)
{
	static const double smallest[] = { .1, .028571, .007937, .002165, .000583, .000155 };
	double p[] = { .309524, .150794, .150794, .150794, .055556, .007937, .007937, .007937 };
	const double bh[] = { .309524, .172336, .172336, .172336, .111111, .021164 };
	double q[8], rho, pooled_x[RUNS * 4], px[RUNS * 4], py[RUNS * 4], r;
	const struct sample *mg2 = sample("000.mg2.migrations"), *a = sample("000.tip.value");
	const struct sample *b = sample("000.mg2.value"), *c = sample("000.cost0.value");
	int group[RUNS * 4];
	struct stats_split split;
	struct stats_one o;
	struct stats_two t;
	size_t n;

	for (size_t i = 0; i < 6; i++)
		near(stats__smallest_p(i + 3, i + 3), smallest[i], 5e-7, "smallest p");
	near(stats__smallest_p(5, 3), .035714, 5e-7, "smallest p of 5 + 3");
	is_int((int64_t)stats__runs_needed(0.05), 4, "4 + 4 runs can give .05");
	is_int((int64_t)stats__runs_needed(0.05 / 6), 5, "5 + 5 serve six metrics");
	is_int((int64_t)stats__runs_needed(0.05 / 7), 6, "but not seven");

	memcpy(q, p, sizeof(q));
	stats__bh(q, 8);
	for (size_t i = 0; i < 6; i++)
		near(q[i], bh[i], 2e-6, "Benjamini-Hochberg");
	memcpy(q, p, sizeof(q));
	stats__holm(q, 8);
	near(q[0], .603175, 3e-6, "Holm, the largest");
	near(q[4], .277778, 3e-6, "Holm, the middle");
	near(q[7], .063492, 5e-6, "Holm, the smallest");

	stats__drift(mg2->x, mg2->n, &rho, &q[0]);
	near(rho, 1, 1e-12, "mg2's migrations rise with every run");
	near(q[0], .016667, 5e-7, "p by permutation");
	stats__drift(sample("002.dbase.base")->x, 10, &rho, &q[0]);
	near(rho, .684848, 5e-7, "dbase base drifts");
	near(q[0], .028883, 5e-7, "p by t");

	stats__two(a->x, 5, b->x, 5, &t);
	near(t.ks_d, .6, 1e-12, "KS distance");
	near(t.ks_p, .357143, 5e-7, "KS p");
	stats__two(b->x, 5, c->x, 5, &t);
	near(t.ks_p, .079365, 5e-7, "KS p of B and C");
	stats__two(sample("002.dbase.base")->x, 10, sample("002.dbase.patch")->x, 10, &t);
	near(t.pooled_sd, 49.8762, 5e-5, "ministat's pooled s");

	memcpy(pooled_x, a->x, 5 * sizeof(double));
	memcpy(pooled_x + 5, b->x, 5 * sizeof(double));
	stats__split(pooled_x, 10, &split);
	near(split.r2, .923007, 5e-7, "two modes in the ten scores");
	ok(split.two_modes && split.nr_low == 3, "three low, flagged");
	near(split.low, 4575.457, 5e-4, "the low mode");
	near(split.high, 5564.734, 5e-4, "the high mode");
	near(split.gap, 579.91, 5e-3, "the gap");
	stats__split(b->x, 5, &split);
	near(split.r2, .927489, 5e-7, "mg2 alone");
	ok(!split.two_modes, "five runs are too few to tell");

	stats__one(c->x, 5, &o);
	ok(stats__is_outlier(&o, 5224.02) && !stats__is_outlier(&o, 2867.62), "run 5 of cost 0");
	stats__one(a->x, 5, &o);
	ok(stats__is_outlier(&o, 5329.71), "run 1 of tip");

	n = pooled("000.tip+mg2.misses", px, group);
	pooled("000.tip+mg2.value", py, group);
	stats__corr_within(px, py, group, n, &r);
	near(r, -.570051, 5e-7, "within groups, misses x score of two");
	n = pooled("000.all20.misses", px, group);
	pooled("000.all20.value", py, group);
	stats__corr_within(px, py, group, n, &r);
	near(r, .419689, 5e-7, "within groups, misses x score of four: the sign flips");
}

static void edges(void)
{
	const double same[] = { 7, 7, 7 }, zero[] = { 0, 1, 2 }, lone[] = { 5 };
	double big[60], other[60];
	struct stats_one o;
	struct stats_two t;
	struct stats_corr c;

	is_int(stats__one(same, 0, &o), -EINVAL, "no runs");
	stats__one(lone, 1, &o);
	ok(isnan(o.sd) && o.mean == 5 && isnan(o.mean_lo), "one run has no spread");
	stats__one(zero, 3, &o);
	ok(isnan(o.geomean) && isnan(o.hmean), "no geometric mean of a zero");
	stats__two(same, 3, same, 3, &t);
	ok(t.identical && t.p == 1 && isnan(t.welch_t), "all the same value: p is 1");
	stats__two(zero, 3, same, 3, &t);
	ok(isnan(t.ratio_pct) && t.hl == 6, "a shift but no ratio from a zero");
	near(t.p, 0.1, 1e-12, "three above three, tied among themselves");
	stats__corr(same, zero, 3, &c);
	ok(isnan(c.pearson) && isnan(c.spearman_p), "no correlation with a constant");
	for (int i = 0; i < 60; i++) {
		big[i] = i * 7 % 60;
		other[i] = big[i] + 20;
	}
	stats__two(big, 60, other, 60, &t);
	ok(!t.exact && t.p == t.p_normal && t.p < 1e-3, "60 runs: the normal approximation");
	near(t.hl, 20, 1e-9, "the shift of 60 runs");
	ok(t.hl_lo < 20 && t.hl_hi > 20 && t.hl_conf == 0.95, "and its interval");
	near(stats__t_quantile(0.05, 4), 2.776445, 5e-7, "t table, 4 degrees");
	near(stats__t_quantile(0.05, 30), 2.042272, 5e-7, "t table, 30 degrees");
}

/* Of which sample are further runs: the values are sums of densities by Python's math. */
static void likelihoods(void)
{
	const double tip[] = { 5329.71, 5641.59, 5580.87, 5547.19, 5626.38 };
	const double mg2[] = { 4749.80, 4327.06, 4649.51, 5655.82, 5571.58 };
	const double moves_mg2[] = { 1132, 1252, 1489, 1848, 2159 };
	const double moves_c0[] = { 117, 122, 128, 104, 133 };
	const double moves_c1[] = { 2331, 2542, 3968, 2574, 2490 };
	const double high[] = { 5600 }, low[] = { 4500, 4600 }, between[] = { 1500 };
	const double plus[] = { 1, 2, 3 }, minus[] = { -1, -2, -4 }, zero[] = { -1, 0.5 };
	const double same[] = { 7, 7 }, eight[] = { 8, 8 };
	double llr;

	stats__likelihood(high, 1, tip, 5, mg2, 5, &llr);
	near(llr, -2.029865, 5e-7, "5600 is rather one of tip");
	stats__likelihood(low, 2, tip, 5, mg2, 5, &llr);
	near(llr, 10.151014, 5e-7, "4500 and 4600 are of mg2");
	stats__likelihood(moves_c0, 5, moves_mg2, 5, moves_c1, 5, &llr);
	near(llr, -9.273707, 5e-7, "cost 0 is nearer to mg2 than to cost -1");
	stats__likelihood(between, 1, moves_c0, 5, moves_mg2, 5, &llr);
	near(llr, 11.454029, 5e-7, "1500 migrations are not of cost 0");
	stats__likelihood(zero, 2, plus, 3, minus, 3, &llr);
	near(llr, .664348, 5e-7, "values below 0 are not taken as logarithms");
	stats__likelihood(same, 2, same, 2, eight, 2, &llr);
	ok(isfinite(llr) && llr < -4, "samples without a spread");
	stats__likelihood(same, 2, same, 2, same, 2, &llr);
	ok(llr == 0, "twice the same sample says nothing");
	is_int(stats__likelihood(same, 2, same, 1, eight, 2, &llr), -EINVAL, "one run is none");
}

int main(void)
{
	all_golden();
	other_figures();
	edges();
	likelihoods();
	return done_testing();
}
