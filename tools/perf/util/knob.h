/* SPDX-License-Identifier: GPL-2.0 */
/*
 * knob: a setting of the running kernel by name: where it is, what it says, how it is set, and if
 * it cannot be set, why.
 *
 * In: a name (knob__for_each() lists them), the name of a scheduler feature (WA_IDLE), or the path
 * of a file. Out: one place or several (a file for each CPU), each with the text it had. Below root
 * everything is looked up in another tree; "" is the running system.
 */
#ifndef MIG_KNOB_H
#define MIG_KNOB_H

#include <stddef.h>

struct mig_err;

enum knob_kind {
	KNOB_TEXT, /* what is written is read back */
	KNOB_CHOICE, /* "always [madvise] never", "none (voluntary) full" */
	KNOB_FEATURES, /* "WA_IDLE NO_HRTICK ...": one word at a time is written */
};

const char *knob_kind__name(enum knob_kind kind); /* "text", "choice", "features" */
/* -EINVAL for another word. */
int knob_kind__parse(const char *word, enum knob_kind *ret);

struct knob_place {
	char *path;
	enum knob_kind kind;
	char *saved; /* what brings it back to where it was: for a choice the chosen word */
};

struct knob {
	char *name;
	char *feature; /* the one feature it switches by 0 and 1, or NULL */
	struct knob_place *place;
	size_t nr;
};

/*
 * Finds the knob and reads what it says now. -ENOENT: no such name, or this kernel has no such
 * knob; -EACCES, -EPERM, -EROFS: it is there and cannot be set. The reason and what to do instead
 * is in err. knob__exit() in any case.
 */
int knob__init(struct knob *k, const char *root, const char *name, struct mig_err *err);
/* The same for a file; path as given, not below a root. */
int knob__init_file(struct knob *k, const char *path, struct mig_err *err);
void knob__exit(struct knob *k);

/*
 * Sets all places, and reads them back: what the kernel took for something else is an error.
 * "default" is what each place said when the knob was found. Of features, a value is one or several
 * words with '+' between them, over the default; of one feature it is 0 or 1.
 */
int knob__set(const struct knob *k, const char *value, struct mig_err *err);

/* Reads one place (to free), writes one place and reads it back. */
int knob_place__read(const char *path, enum knob_kind kind, char **ret, struct mig_err *err);
int knob_place__write(const char *path, enum knob_kind kind, const char *text, struct mig_err *err);

/* knob-table.c: what is known by name. */
struct knob_known {
	const char *name;
	const char *what; /* a few words */
	enum knob_kind kind;
	const char *where[4]; /* newest kernel first; '*' is one file for each CPU or domain */
};

const struct knob_known *knob__find(const char *name); /* NULL if there is none */
/* Calls fn for each known knob, in the order of the table. */
void knob__for_each(void (*fn)(const struct knob_known *known, void *ctx), void *ctx);

/*
 * knob-why.c: sets err to why path could not be used: code is the negative errno of the attempt.
 * Returns code.
 */
int knob__why(const char *root, const char *name, const char *path, int code, struct mig_err *err);

#endif
