// SPDX-License-Identifier: GPL-2.0
#include "placement.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "topo.h"

struct set {
	bool *has;
	int nr; /* room */
	bool beyond; /* a CPU that the machine does not have */
};

static void note(int cpu, void *ctx)
{
	struct set *s = ctx;

	if (cpu < s->nr)
		s->has[cpu] = true;
	else
		s->beyond = true;
}

static int first_of(const struct set *s)
{
	for (int cpu = 0; cpu < s->nr; cpu++)
		if (s->has[cpu])
			return cpu;
	return -1;
}

/* Those of s within the distance of its first. */
static void keep_within(const struct topo *topo, struct set *s, enum mig_distance most)
{
	int first = first_of(s);

	for (int cpu = 0; cpu < s->nr; cpu++)
		s->has[cpu] &= topo__distance(topo, first, cpu) <= most;
}

/* One of each part: each that is far from all that are kept before it. */
static void keep_apart(const struct topo *topo, struct set *s)
{
	enum mig_distance far = MIG_DIST_SMT;

	for (int a = 0; a < s->nr; a++) {
		for (int b = 0; b < a; b++) {
			enum mig_distance d = topo__distance(topo, a, b);

			if (s->has[a] && s->has[b] && d != MIG_DIST_UNKNOWN && d > far)
				far = d;
		}
	}
	for (int a = 0; a < s->nr; a++)
		for (int b = 0; b < a; b++)
			if (s->has[b] && topo__distance(topo, a, b) < far)
				s->has[a] = false;
}

static char *list_of(const struct set *s)
{
	char *text = calloc(s->nr + 1, 8);
	size_t len = 0;

	for (int cpu = 0; text && cpu < s->nr; cpu++) {
		int last = cpu;

		if (!s->has[cpu])
			continue;
		while (last + 1 < s->nr && s->has[last + 1])
			last++;
		len += sprintf(text + len, last > cpu ? "%s%d-%d" : "%s%d", len ? "," : "", cpu,
			       last);
		cpu = last;
	}
	return text;
}

static int count(const struct set *s)
{
	int n = 0;

	for (int cpu = 0; cpu < s->nr; cpu++)
		n += s->has[cpu];
	return n;
}

static int own_list(struct set *s, const char *word, struct mig_err *err)
{
	char *list = strdup(word);
	struct set own = { calloc(s->nr + 1, sizeof(bool)), s->nr, false };
	int code = list && own.has ? 0 : -ENOMEM;

	for (char *c = list; c && *c; c++)
		if (*c == '+')
			*c = ',';
	if (!code && cpulist__for_each(list, note, &own)) {
		code = mig_err__usage(err,
				      "--set place=%s: use all, one, smt, llc, node, apart, or "
				      "CPUs as 0+2-3",
				      word);
	} else if (!code) {
		for (int cpu = 0; cpu < s->nr; cpu++)
			own.beyond |= own.has[cpu] && !s->has[cpu];
		memcpy(s->has, own.has, s->nr * sizeof(bool));
		if (own.beyond)
			code = mig_err__set(err, -ENODEV,
					    "place=%s: not all of these CPUs can be used here",
					    word);
	}
	free(list);
	free(own.has);
	return code;
}

/* What the word leaves of s; *ret_least is how many it must be to mean anything. */
static int choose(const struct topo *topo, struct set *s, const char *word, int *ret_least,
		  struct mig_err *err)
{
	*ret_least = 1;
	if (!strcmp(word, "one")) {
		keep_within(topo, s, MIG_DIST_SELF);
	} else if (!strcmp(word, "smt")) {
		keep_within(topo, s, MIG_DIST_SMT);
		*ret_least = 2;
	} else if (!strcmp(word, "llc")) {
		keep_within(topo, s, MIG_DIST_LLC);
	} else if (!strcmp(word, "node")) {
		keep_within(topo, s, MIG_DIST_NODE);
	} else if (!strcmp(word, "apart")) {
		keep_apart(topo, s);
		*ret_least = 2;
	} else if (strcmp(word, "all")) {
		return own_list(s, word, err);
	}
	return 0;
}

int placement__cpus(const struct topo *topo, const char *allowed, const char *word, char **ret,
		    struct mig_err *err)
{
	struct set s = { calloc(topo->nr_cpus + 1, sizeof(bool)), topo->nr_cpus, false };
	int code = s.has ? 0 : -ENOMEM, least = 1;

	*ret = NULL;
	for (int cpu = 0; !code && !allowed && cpu < s.nr; cpu++)
		s.has[cpu] = topo->core[cpu] >= 0;
	if (!code && allowed && cpulist__for_each(allowed, note, &s))
		code = mig_err__set(err, -EINVAL, "%s: no list of CPUs", allowed);
	if (!code)
		code = choose(topo, &s, word, &least, err);
	if (!code && count(&s) < least) {
		mig_err__set(err, -ENODEV, "place=%s: there are no two such CPUs here", word);
		code = mig_err__hint(err, "perf migstat sweep --list shows what is here");
	}
	if (!code) {
		*ret = list_of(&s);
		code = *ret ? 0 : -ENOMEM;
	}
	if (code == -ENOMEM)
		mig_err__set(err, code, "out of memory");
	free(s.has);
	return code;
}
