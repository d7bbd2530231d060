/* SPDX-License-Identifier: GPL-2.0 */
/*
 * runset: repeated runs, figure by figure: what `stat` measures and `compare` compares.
 *
 * A set has arms (tip, mg2, ...), an arm has runs in the order they were made, a run has values of
 * metrics. A value that was not measured is NAN, never 0. Runs that failed stay in the arm, marked,
 * and are left out of every figure.
 *
 * In: results files of ours (Documentation/migstat-results.md), LKP's stats.json and matrix.json,
 * perf stat -x and -j, hyperfine's JSON, Go benchmark text. Out: results files.
 */
#ifndef MIG_RUNSET_H
#define MIG_RUNSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "hash.h"
#include "machine.h"
#include "metric.h"

struct mig_err;

enum run_status { RUN_OK, RUN_FAILED, RUN_TIMEOUT, RUN_NO_VALUE };

struct run {
	enum run_status status;
	int exit_code; /* as a shell gives it */
	double seconds; /* NAN = unknown */
	char *start; /* UTC, ISO 8601, or NULL */
	char *why; /* what is wrong with it, or NULL */
	double running_pct; /* the least share of the time an event was counted; 100 = always */
};

struct run_metric {
	char *name;
	char *unit; /* "" = none */
	char *note; /* a footnote, or NULL */
	char *why; /* why it has no values ("not supported"), or NULL */
	enum metric_better better;
	double *value; /* one for each run of the arm, NAN = not measured */
};

struct run_arm {
	char *name;
	char *group; /* what is measured: heading of a block, NULL = one block for all */
	char *note; /* --note, or NULL */
	char *command; /* as a shell would take it, or NULL */
	char *source; /* the file */
	struct machine machine; /* empty if the file does not say */
	struct run_metric *metric;
	size_t nr_metrics, max_metrics;
	struct hash by_name; /* of the metrics */
	struct run *run;
	size_t nr_runs, max_runs;
};

struct runset {
	struct run_arm *arm;
	size_t nr;
};

void runset__exit(struct runset *set);

/* The arm of that name and group (group may be NULL), made if new. -ENOMEM. */
int runset__arm(struct runset *set, const char *name, const char *group, struct run_arm **ret);

/* The metric of that name, made if new with what metric.h knows of it. -ENOMEM. */
int run_arm__metric(struct run_arm *arm, const char *name, struct run_metric **ret);
/* NULL if the arm has none of that name. */
struct run_metric *run_arm__find(const struct run_arm *arm, const char *name);

/* A new run, all of its values NAN. -ENOMEM. */
int run_arm__add_run(struct run_arm *arm, struct run **ret);

/* Takes the last run out again. */
void run_arm__drop_last(struct run_arm *arm);

/* Sets a value of the last run, of a metric that is made if new. -ENOMEM. */
int run_arm__set(struct run_arm *arm, const char *metric, double v);

/* The values of the runs that count, in run order, with their run numbers (from 1) if wanted. The
 * arrays have room for nr_runs; returns how many there are. */
size_t run_arm__values(const struct run_arm *arm, const struct run_metric *m, double *ret_v,
		       size_t *ret_run);

/* How many runs count. */
size_t run_arm__good(const struct run_arm *arm);

/* Works out the ratio of misses and migrations and the miss rate of the last run. -ENOMEM. */
int run_arm__derive(struct run_arm *arm);

const char *run_status__name(enum run_status status); /* "ok", "failed", "timeout", "no value" */

/* The name of an arm read from a file: "dir/mg2.jsonl" -> "mg2". To free; NULL without memory. */
char *runset__name_of(const char *path);

/*
 * Adds what a file holds ("-": standard input); as arms called name if that is given and the file
 * holds one arm. The kind of file is found out from its first bytes. Bad files: -EINVAL or -ENODATA
 * with the line; nothing of them is added.
 */
int runset__read(struct runset *set, const char *path, const char *name, struct mig_err *err);

/*
 * runset-native.c: the results file. One JSON object a line: a header begins an arm, and the lines
 * below it are its runs.
 */
int runset__write_header(const struct run_arm *arm, FILE *fp);
int runset__write_run(const struct run_arm *arm, size_t run, FILE *fp);

/*
 * runset-append.c: a results file that runs are appended to, locked meanwhile, since a run belongs
 * to the header above it. A file that is there must be a whole results file of ours. path NULL:
 * nothing is written. -EINVAL, -EBUSY, or what opening gives.
 */
struct runset_file {
	const char *path; /* borrowed */
	int fd; /* -1 = none */
	bool has_header;
};

int runset_file__open(struct runset_file *f, const char *path, struct mig_err *err);
/* The last run of the arm, behind a header if it is the first; as a whole or not at all. */
int runset_file__append(struct runset_file *f, const struct run_arm *arm, struct mig_err *err);
/* A file without a single run is removed. */
void runset_file__close(struct runset_file *f);

/*
 * runset-perfstat.c: one output of perf stat -x SEP, as the values of the last run of arm. With
 * single each event may stand there once only; otherwise the second time begins a new run.
 */
int runset__parse_perfstat(struct run_arm *arm, char *text, char sep, bool single,
			   struct mig_err *err);

#endif
