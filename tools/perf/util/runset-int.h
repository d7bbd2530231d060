/* SPDX-License-Identifier: GPL-2.0 */
/* runset-int: the readers, one for each kind of file; called by runset__read(). */
#ifndef MIG_RUNSET_INT_H
#define MIG_RUNSET_INT_H

#include <jansson.h>
#include <stddef.h>

#include "runset.h"

#define RUNSET_SCHEMA "migstat-results"

/* What is being read. */
struct runset_source {
	const char *path; /* for messages */
	const char *name; /* of the arm: the user's, or from the path */
	bool named; /* by the user */
	char *text; /* the whole file, ends with a 0 byte; readers may write into it */
	size_t size;
};

/* Each returns 0, or a negative errno with err set. */
int runset__read_native(struct runset *set, struct runset_source *src, struct mig_err *err);
int runset__read_lkp(struct runset *set, struct runset_source *src, struct mig_err *err);
int runset__read_perf(struct runset *set, struct runset_source *src, struct mig_err *err);
int runset__read_hyperfine(struct runset *set, struct runset_source *src, struct mig_err *err);
int runset__read_go(struct runset *set, struct runset_source *src, struct mig_err *err);

int runset__nomem(struct mig_err *err);

/* The next line of *pos, cut out of the text; NULL at the end. */
char *runset__line(char **pos);

/* A JSON number as a double; false for anything else and for what is not finite. */
bool runset__number(const json_t *v, double *ret);

#endif
