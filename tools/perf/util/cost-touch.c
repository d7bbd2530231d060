// SPDX-License-Identifier: GPL-2.0
#include "cost-touch.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "err.h"

#define HUGE ((size_t)2 << 20)

static const char *const patterns[] = { "seq", "random", "2005-six", "2005-four" };
static const char *const kinds[] = { "4k", "thp", "hugetlb" };

const char *cost_pattern__name(int pattern)
{
	return pattern >= 0 && pattern < COST_NR_PATTERNS ? patterns[pattern] : NULL;
}

const char *cost_pages__name(int pages)
{
	return pages >= 0 && pages < COST_NR_PAGES ? kinds[pages] : NULL;
}

static int find(const char *const *names, int nr, const char *name, size_t len)
{
	for (int i = 0; i < nr; i++) {
		if (strlen(names[i]) == len && !strncmp(names[i], name, len))
			return i;
	}
	return -1;
}

int cost_pattern__parse(const char *name, size_t len)
{
	return find(patterns, COST_NR_PATTERNS, name, len);
}

int cost_pages__parse(const char *name, size_t len)
{
	return find(kinds, COST_NR_PAGES, name, len);
}

static bool thp_is_off(void)
{
	char text[128] = "";
	FILE *f = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "re");

	if (!f)
		return true;
	if (!fgets(text, sizeof(text), f))
		text[0] = '\0';
	fclose(f);
	return strstr(text, "[never]") || !*text;
}

static int map(struct cost_set *set, enum cost_pages pages, struct mig_err *err)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | (pages == COST_HUGETLB ? MAP_HUGETLB : 0);
	size_t over = pages == COST_THP ? HUGE : 0; /* to align it */
	size_t unit = pages == COST_4K ? 4096 : HUGE;

	set->map_size = (set->size + unit - 1) / unit * unit + over;
	set->map = mmap(NULL, set->map_size, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (set->map == MAP_FAILED) {
		set->map = NULL;
		mig_err__set(err, -errno, "no memory for a working set of %zu KiB in %s pages: %s",
			     set->size >> 10, kinds[pages], strerror(errno));
		if (pages == COST_HUGETLB)
			mig_err__hint(err,
				      "set %zu or more free pages of 2 MiB in "
				      "/proc/sys/vm/nr_hugepages",
				      set->map_size / HUGE);
		return err->code;
	}
	set->mem = (char *)(((uintptr_t)set->map + over) & ~(uintptr_t)(unit - 1));
	return 0;
}

int cost_set__init(struct cost_set *set, size_t size, enum cost_pattern pattern,
		   enum cost_pages pages, bool write, struct mig_err *err)
{
	int ret;

	memset(set, 0, sizeof(*set));
	set->size = size;
	set->pattern = pattern;
	set->write = write;
	set->seed = 1;
	if (pages == COST_THP && thp_is_off()) {
		mig_err__set(err, -ENOTSUP, "transparent huge pages are switched off");
		return mig_err__hint(
			err, "write madvise to /sys/kernel/mm/transparent_hugepage/enabled");
	}
	ret = map(set, pages, err);
	if (ret || pages == COST_HUGETLB)
		return ret;
	/* a kernel without transparent huge pages refuses both: then pages are small anyway */
	madvise(set->map, set->map_size, pages == COST_THP ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	return 0;
}

void cost_set__exit(struct cost_set *set)
{
	if (set->map)
		munmap(set->map, set->map_size);
	memset(set, 0, sizeof(*set));
}

/* xorshift: the cycle need not be secret, only without a stride */
static unsigned next_random(unsigned *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/* The first word of each line holds the offset of the next one. */
static unsigned *link_of(const struct cost_set *set, size_t line)
{
	return (unsigned *)(set->mem + line * COST_LINE);
}

/* Sattolo: a permutation that is one single cycle. */
static void link_lines(struct cost_set *set)
{
	size_t nr = set->size / COST_LINE;

	for (size_t i = 0; i < nr; i++)
		*link_of(set, i) = i;
	for (size_t i = nr - 1; i > 0; i--) {
		size_t j = next_random(&set->seed) % i;
		unsigned other = *link_of(set, j);

		*link_of(set, j) = *link_of(set, i);
		*link_of(set, i) = other;
	}
}

void cost_set__fill(struct cost_set *set)
{
	memset(set->mem, 0, set->size);
	if (set->pattern == COST_RANDOM)
		link_lines(set);
}

double cost_set__huge_share(const struct cost_set *set)
{
	uintptr_t from, to, at = (uintptr_t)set->mem;
	unsigned long kb, huge = 0;
	bool inside = false, found = false;
	char text[256];
	FILE *f = fopen("/proc/self/smaps", "re");

	while (f && fgets(text, sizeof(text), f)) {
		if (sscanf(text, "%" SCNxPTR "-%" SCNxPTR " ", &from, &to) == 2)
			inside = from < at + set->size && at < to;
		else if (inside && (sscanf(text, "AnonHugePages: %lu kB", &kb) == 1 ||
				    sscanf(text, "Private_Hugetlb: %lu kB", &kb) == 1)) {
			huge += kb;
			found = true;
		}
	}
	if (f)
		fclose(f);
	if (!found)
		return NAN;
	return huge * 1024.0 >= set->size ? 1 : huge * 1024.0 / set->size;
}

static unsigned long touch_seq(const struct cost_set *set)
{
	unsigned long sum = 0;

	for (volatile char *p = set->mem, *end = p + set->size; p < end; p += COST_LINE) {
		volatile unsigned long *word = (volatile unsigned long *)p;

		if (set->write)
			*word += 1;
		else
			sum += *word;
	}
	return sum;
}

static unsigned long touch_random(const struct cost_set *set)
{
	unsigned at = 0;

	do {
		volatile unsigned *line = (volatile unsigned *)(set->mem + (size_t)at * COST_LINE);

		at = line[0];
		if (set->write)
			line[2] += 1;
	} while (at);
	return at;
}

/* touch_cache() of kernel/sched.c in Linux 2.6.16, with its arithmetic */
static unsigned long touch_six(const struct cost_set *set)
{
	volatile unsigned long *cache = (volatile unsigned long *)set->mem;
	size_t size = set->size / sizeof(long), chunk1 = size / 3, chunk2 = 2 * size / 3;

	for (size_t i = 0; i < size / 6; i += 8) {
		switch (i % 6) {
		case 0:
			cache[i]++; /* fall through */
		case 1:
			cache[size - 1 - i]++; /* fall through */
		case 2:
			cache[chunk1 - i]++; /* fall through */
		case 3:
			cache[chunk1 + i]++; /* fall through */
		case 4:
			cache[chunk2 - i]++; /* fall through */
		case 5:
			cache[chunk2 + i]++;
		}
	}
	return 0;
}

static unsigned long touch_four(const struct cost_set *set)
{
	volatile unsigned long *cache = (volatile unsigned long *)set->mem;
	size_t size = set->size / sizeof(long), chunk = size / 2;

	for (size_t i = 0; i < size / 4; i += 8) {
		switch (i % 4) {
		case 0:
			cache[i]++; /* fall through */
		case 1:
			cache[size - 1 - i]++; /* fall through */
		case 2:
			cache[chunk - i]++; /* fall through */
		case 3:
			cache[chunk + i]++;
		}
	}
	return 0;
}

unsigned long cost_set__touch(struct cost_set *set)
{
	switch (set->pattern) {
	case COST_RANDOM:
		return touch_random(set);
	case COST_2005_SIX:
		return touch_six(set);
	case COST_2005_FOUR:
		return touch_four(set);
	default:
		return touch_seq(set);
	}
}

size_t cost_pattern__lines(enum cost_pattern pattern, size_t size)
{
	size_t words = size / sizeof(long), n = 0;

	if (pattern == COST_2005_FOUR)
		return size / COST_LINE - 1; /* two areas begin in the same line */
	if (pattern != COST_2005_SIX)
		return size / COST_LINE;
	for (size_t i = 0; i < words / 6; i += 8)
		n += 6 - i % 6;
	return n - 2; /* twice two areas begin at the same word */
}
