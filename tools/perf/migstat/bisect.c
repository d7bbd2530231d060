// SPDX-License-Identifier: GPL-2.0
/*
 * bisect: runs a command until it is clear whether its figure is that of the good or of the bad
 * runs, and exits as git bisect run wants it. How it is decided: stats__likelihood().
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "collect.h"
#include "compare.h"
#include "err.h"
#include "measure-options.h"
#include "number.h"
#include "runset.h"
#include "series.h"

/* git-bisect(1): 1 to 127 are bad, but for 125; from 128 on it stops. */
enum { EXIT_GOOD = 0, EXIT_BAD = 1, EXIT_SKIP = 125, EXIT_STOP = 128 };
enum { MIN_RUNS = 3, MAX_FAILED = 3 };

struct bisect {
	struct measure_opts measure;
	struct runset_file out;
	const char *good_path, *bad_path, *metric, *output, *name;
	long runs, warmup;
	bool verbose;
	struct runset good, bad, here;
	struct compare_side side[2]; /* of the metric: good, bad */
	struct run_arm *arm; /* the runs made here */
	double *x; /* their values */
	size_t n, failed;
	double llr; /* above 0: like the bad ones */
};

enum { KEY_GOOD = 0x4000, KEY_BAD, KEY_METRIC, KEY_NAME, KEY_WARMUP };

static const struct argp_option options[] = {
	{ NULL, 0, NULL, 0, "What is good, what is bad:", 0 },
	{ "good", KEY_GOOD, "FILE", 0, "results of good runs", 0 },
	{ "bad", KEY_BAD, "FILE", 0, "results of bad runs", 0 },
	{ "metric", KEY_METRIC, "NAME", 0, "by this figure (the primary one that differs most)",
	  0 },
	{ NULL, 0, NULL, 0, "Runs:", 1 },
	{ "repeat", 'r', "N", 0, "at most, while undecided (20)", 1 },
	{ "warmup", KEY_WARMUP, "N", 0, "runs before that, not counted (0)", 1 },
	{ NULL, 0, NULL, 0, "Results:", 3 },
	{ "output", 'o', "FILE", 0, "append the runs to a results file", 3 },
	{ "name", KEY_NAME, "NAME", 0, "of these runs (the commit that is checked out)", 3 },
	{ "verbose", 'v', NULL, 0, "show the output of the runs", 3 },
	{ 0 },
};

static const struct argp_child children[] = { { &measure_argp, 0, NULL, 0 }, { 0 } };

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct bisect *b = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &b->measure;
		return 0;
	case KEY_GOOD:
		b->good_path = arg;
		return 0;
	case KEY_BAD:
		b->bad_path = arg;
		return 0;
	case KEY_METRIC:
		b->metric = arg;
		return 0;
	case 'r':
		b->runs = measure_opts__number(arg, MIN_RUNS, 100000, "-r", state);
		return 0;
	case KEY_WARMUP:
		b->warmup = measure_opts__number(arg, 0, 1000, "--warmup", state);
		return 0;
	case 'o':
		b->output = arg;
		return 0;
	case KEY_NAME:
		b->name = arg;
		return 0;
	case 'v':
		b->verbose = true;
		return 0;
	case ARGP_KEY_ARGS:
		b->measure.m.command = state->argv + state->next;
		return 0;
	case ARGP_KEY_END:
		if (!b->good_path || !b->bad_path)
			argp_error(state, "name the results with --good FILE and --bad FILE");
		if (!b->measure.m.command)
			argp_error(state, "name the command to run");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp mig_bisect_argp = {
	.options = options,
	.parser = parse,
	.children = children,
	.args_doc = "[--] COMMAND...",
	.doc = "Says of a checkout whether its runs are like the good or the bad ones; for git "
	       "bisect run.",
};

static int read_one(struct runset *set, const char *path, struct mig_err *err)
{
	int rc = runset__read(set, path, NULL, err);

	if (rc || set->nr == 1)
		return rc;
	mig_err__set(err, -EINVAL, "%s holds %zu arms, one is needed", path, set->nr);
	return mig_err__hint(err, "measure with perf migstat stat -o FILE, one file for good, one "
				  "for bad");
}

/* The primary metric that these runs prove to differ, with the least p. */
static const char *choose_metric(const struct compare *c)
{
	const struct compare_row *best = NULL;

	for (size_t i = 0; i < c->nr; i++) {
		const struct compare_row *r = &c->row[i];

		if (r->family == COMPARE_PRIMARY && r->adjusted_p <= c->opts.alpha &&
		    (!best || r->two.p < best->two.p))
			best = r;
	}
	return best ? best->name : NULL;
}

static int check_apart(const struct bisect *b, const struct compare *c, struct mig_err *err)
{
	const struct compare_row *r = compare__find(c, b->metric);

	if (!r || !r->side[0].n || !r->side[1].n) {
		mig_err__set(err, -ENODATA, "%s and %s do not both have %s", b->good_path,
			     b->bad_path, b->metric);
		return mig_err__hint(err, "perf migstat compare -a %s %s shows what they have",
				     b->good_path, b->bad_path);
	}
	if (r->two.p <= c->opts.alpha)
		return 0;
	mig_err__set(err, -ENODATA, "%s does not tell good from bad: p=%.3f with %zu+%zu runs",
		     b->metric, r->two.p, r->side[0].n, r->side[1].n);
	return mig_err__hint(err, "measure more runs of both (10 and 10), or another --metric");
}

static int load(struct bisect *b, struct mig_err *err)
{
	const struct compare_options opts = { .alpha = 0.05, .fdr = 0.05 };
	struct compare c;
	int rc = read_one(&b->good, b->good_path, err);

	if (!rc)
		rc = read_one(&b->bad, b->bad_path, err);
	if (!rc)
		rc = compare__build(&c, &b->good.arm[0], &b->bad.arm[0], &opts, err);
	if (rc)
		return rc;
	if (!b->metric)
		b->metric = choose_metric(&c);
	if (!b->metric) {
		mig_err__set(err, -ENODATA, "no primary metric tells %s from %s", b->good_path,
			     b->bad_path);
		rc = mig_err__hint(err, "name one with --metric, or measure more runs of both (10 "
					"and 10)");
	} else {
		rc = check_apart(b, &c, err);
	}
	compare__exit(&c);
	if (!rc && (compare_side__fill(&b->side[0], &b->good.arm[0], b->metric) ||
		    compare_side__fill(&b->side[1], &b->bad.arm[0], b->metric)))
		rc = mig_err__set(err, -ENOMEM, "out of memory");
	return rc;
}

/* The commit that is checked out, as git names it in short; NULL where there is none. */
static char *commit_name(void)
{
	char *argv[] = { "/usr/bin/env", "git",         "describe", "--always",
			 "--abbrev=12",  "--exclude=*", NULL };
	char *text = NULL;
	int status = 0;

	if (collect__capture(argv, &text, &status, NULL) || status) {
		free(text);
		return NULL;
	}
	text[strcspn(text, "\n")] = '\0';
	return text;
}

static int make_arm(struct bisect *b, struct mig_err *err)
{
	char *commit = b->name ? NULL : commit_name();
	const char *name = b->name ? b->name : commit ? commit : b->measure.m.command[0];
	const struct run_metric *m;
	int rc = 0;

	if (runset__arm(&b->here, name, NULL, &b->arm))
		rc = mig_err__set(err, -ENOMEM, "out of memory");
	free(commit);
	if (!rc)
		rc = measure_opts__describe(&b->measure, b->arm, err);
	if (rc)
		return rc;
	m = run_arm__find(&b->good.arm[0], METRIC_VALUE);
	if (m && strcmp(b->metric, METRIC_VALUE) == 0 &&
	    strcmp(m->unit, run_arm__find(b->arm, METRIC_VALUE)->unit)) {
		mig_err__set(err, -EINVAL,
			     "the value of %s is in \"%s\", that of the runs here in "
			     "\"%s\"",
			     b->good_path, m->unit, run_arm__find(b->arm, METRIC_VALUE)->unit);
		return mig_err__hint(err, "use the --value it was measured with");
	}
	if (b->good.arm[0].command && strcmp(b->good.arm[0].command, b->arm->command))
		fprintf(stderr, "%s was measured with: %s\n", b->good_path, b->good.arm[0].command);
	return 0;
}

/* Odds as people say them: "bad 250:1", "good 3:1". */
static void print_odds(const struct bisect *b, FILE *fp)
{
	fprintf(fp, "%s %.4g:1", b->llr > 0 ? "bad" : "good", fmin(exp(fabs(b->llr)), 1e9));
}

/* The run that was just made. -ENODATA: it has no such figure. */
static int weigh(struct bisect *b, struct mig_err *err)
{
	const struct run *run = &b->arm->run[b->arm->nr_runs - 1];
	const struct run_metric *m = run_arm__find(b->arm, b->metric);
	double v = m ? m->value[b->arm->nr_runs - 1] : NAN;
	char buf[NUMBER_MAX];

	if (run->status != RUN_OK) {
		b->failed++;
		fprintf(stderr, "run %zu: %s: %s\n", b->arm->nr_runs, run_status__name(run->status),
			run->why ? run->why : "");
		return 0;
	}
	if (isnan(v)) {
		mig_err__set(err, -ENODATA, "the runs here do not measure %s%s%s", b->metric,
			     m && m->why ? ": " : "", m && m->why ? m->why : "");
		return mig_err__hint(err, "name its event with -e, or another --metric");
	}
	b->x[b->n++] = v;
	if (stats__likelihood(b->x, b->n, b->side[0].x, b->side[0].n, b->side[1].x, b->side[1].n,
			      &b->llr))
		return mig_err__set(err, -ENODATA, "one run is not enough in %s or %s",
				    b->good_path, b->bad_path);
	fprintf(stderr, "run %zu: %s %s, ", b->arm->nr_runs, b->metric, number__short(v, buf));
	print_odds(b, stderr);
	putc('\n', stderr);
	return 0;
}

static bool is_decided(const struct bisect *b)
{
	return b->n >= MIN_RUNS && fabs(b->llr) >= SERIES_DECIDED;
}

static int run_all(struct bisect *b, struct mig_err *err)
{
	char *output;
	int rc = 0;

	for (long i = 0; i < b->warmup + b->runs && !rc; i++) {
		bool warm = i < b->warmup;

		if (collect__stop_signal())
			return -EINTR;
		rc = measure__run(&b->measure.m, warm ? NULL : b->arm, &output, err);
		if (b->verbose && output)
			fputs(output, stderr);
		free(output);
		if (rc || warm)
			continue;
		rc = runset_file__append(&b->out, b->arm, err);
		if (!rc)
			rc = weigh(b, err);
		if (is_decided(b) || (!b->n && b->failed >= MAX_FAILED))
			break;
	}
	return rc;
}

static int verdict(const struct bisect *b)
{
	char here[NUMBER_MAX], good[NUMBER_MAX], bad[NUMBER_MAX];
	struct stats_one one;

	if (!b->n || stats__one(b->x, b->n, &one)) {
		printf("%s cannot be tested: %zu of %zu runs failed\n", b->arm->name, b->failed,
		       b->arm->nr_runs);
		return EXIT_SKIP;
	}
	printf("%s is %s: %s %s (median of %zu), good %s, bad %s; ", b->arm->name,
	       !is_decided(b) ? "undecided"
	       : b->llr > 0   ? "bad"
			      : "good",
	       b->metric, number__short(one.median, here), b->n,
	       number__short(b->side[0].one.median, good),
	       number__short(b->side[1].one.median, bad));
	print_odds(b, stdout);
	putchar('\n');
	return !is_decided(b) ? EXIT_SKIP : b->llr > 0 ? EXIT_BAD : EXIT_GOOD;
}

static int run(struct bisect *b, struct mig_err *err)
{
	struct collect_signals signals;
	int rc = load(b, err);

	if (!rc)
		rc = measure_opts__prepare(&b->measure, err);
	if (!rc)
		rc = runset_file__open(&b->out, b->output, err);
	if (!rc)
		rc = make_arm(b, err);
	b->x = rc ? NULL : malloc(b->runs * sizeof(*b->x));
	if (!rc && !b->x)
		rc = mig_err__set(err, -ENOMEM, "out of memory");
	if (rc)
		return rc;
	collect__hold(&signals);
	rc = run_all(b, err);
	collect__release(&signals);
	return rc ? rc : verdict(b);
}

int cmd_bisect(int argc, char **argv)
{
	struct bisect *b = calloc(1, sizeof(*b));
	struct mig_err err = { 0 };
	int rc;

	if (!b) {
		perror("perf migstat bisect");
		return EXIT_STOP;
	}
	b->runs = 20;
	b->out.fd = -1;
	rc = options__parse(&mig_bisect_argp, "bisect", ARGP_IN_ORDER, argc, argv, b);
	rc = rc ? MIG_EXIT_USAGE : run(b, &err);
	runset_file__close(&b->out);
	measure_opts__exit(&b->measure);
	runset__exit(&b->good);
	runset__exit(&b->bad);
	runset__exit(&b->here);
	compare_side__exit(&b->side[0]);
	compare_side__exit(&b->side[1]);
	free(b->x);
	free(b);
	if (rc == -EINTR)
		return 128 + collect__stop_signal();
	if (rc >= 0)
		return rc;
	rc = mig_err__print(&err);
	return rc == MIG_EXIT_FAILED ? EXIT_STOP : rc;
}
