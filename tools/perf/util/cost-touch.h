/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cost-touch: a working set in memory, and the ways to go through it.
 *
 * A line is COST_LINE bytes. Patterns:
 *  seq        each line once, ascending: hardware prefetchers overlap the misses
 *  random     each line once, each address read from the line before (one random cycle): one miss
 *             after the other
 *  2005-six   the loop of Linux 2.6.16's migration cost measurement: six areas, of which i%6 with
 *             steps of 8 words reaches two thirds of the lines
 *  2005-four  its earlier form: four areas, all lines but one
 */
#ifndef MIG_COST_TOUCH_H
#define MIG_COST_TOUCH_H

#include <stdbool.h>
#include <stddef.h>

struct mig_err;

enum { COST_LINE = 64 };

enum cost_pattern { COST_SEQ, COST_RANDOM, COST_2005_SIX, COST_2005_FOUR, COST_NR_PATTERNS };
enum cost_pages { COST_4K, COST_THP, COST_HUGETLB, COST_NR_PAGES };

/* NULL where there is none. */
const char *cost_pattern__name(int pattern);
const char *cost_pages__name(int pages);
/* -1 where there is none. */
int cost_pattern__parse(const char *name, size_t len);
int cost_pages__parse(const char *name, size_t len);

struct cost_set {
	char *mem; /* size bytes, aligned to 2 MiB unless pages are small */
	size_t size;
	enum cost_pattern pattern;
	bool write; /* the two loops of 2005 always write */
	/* private */
	void *map;
	size_t map_size;
	unsigned seed;
	bool linked;
};

/*
 * Maps fresh memory, not yet faulted in: whoever first touches it decides the node. size is at
 * least 4 KiB, a multiple of COST_LINE. Pages are what they are called, or it fails: -ENOMEM with
 * the cure for hugetlb; -ENOTSUP for transparent pages that are switched off.
 */
int cost_set__init(struct cost_set *set, size_t size, enum cost_pattern pattern,
		   enum cost_pages pages, bool write, struct mig_err *err);
void cost_set__exit(struct cost_set *set);

/* Faults everything in and links the random cycle. Call it on the CPU whose node is to hold it. */
void cost_set__fill(struct cost_set *set);

/* Share of filled memory that lies in huge pages, 0 to 1; NAN where the kernel does not say. */
double cost_set__huge_share(const struct cost_set *set);

/* Goes through it once. The result depends on every line, so that no load can be left out. */
unsigned long cost_set__touch(struct cost_set *set);

/* Lines that one touch reaches. */
size_t cost_pattern__lines(enum cost_pattern pattern, size_t size);

#endif
