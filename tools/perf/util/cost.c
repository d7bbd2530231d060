// SPDX-License-Identifier: GPL-2.0
/*
 * cost: what is measured: sizes, pairs of CPUs, points. cost-run.c measures it.
 */
#include "cost.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"

enum { MIN_SIZE = 4096, UNKNOWN_LLC_MAX = 64 << 20 };

/* --- sizes --- */

/* The largest data cache of a CPU in bytes, 0 = not told. */
static size_t llc_size(int cpu)
{
	size_t best = 0;

	for (int index = 0; index < 16; index++) {
		char path[96], unit = 'K';
		unsigned long n = 0;
		FILE *f;

		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cache/index%d/size",
			 cpu, index);
		f = fopen(path, "re");
		if (!f)
			continue;
		if (fscanf(f, "%lu%c", &n, &unit) >= 1)
			n <<= unit == 'M' ? 20 : unit == 'G' ? 30 : unit == 'K' ? 10 : 0;
		fclose(f);
		best = n > best ? n : best;
	}
	return best;
}

static size_t free_memory(void)
{
	unsigned long kb = 0;
	char line[128];
	FILE *f = fopen("/proc/meminfo", "re");

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "MemAvailable: %lu kB", &kb) == 1)
			break;
	}
	if (f)
		fclose(f);
	return (size_t)kb << 10;
}

static size_t doubled(size_t from, size_t to, size_t size[COST_MAX_SIZES])
{
	size_t n = 0;

	for (size_t s = from; s <= to && n < COST_MAX_SIZES; s *= 2)
		size[n++] = s;
	return n;
}

size_t cost__default_sizes(int cpu, size_t size[COST_MAX_SIZES], size_t *ret_llc)
{
	size_t llc = llc_size(cpu), most = llc ? 2 * llc : UNKNOWN_LLC_MAX,
	       room = free_memory() / 8;

	*ret_llc = llc;
	if (most > (size_t)COST_MAX_SIZE_MIB << 20)
		most = (size_t)COST_MAX_SIZE_MIB << 20;
	if (room && most > room)
		most = room > MIN_SIZE ? room : MIN_SIZE;
	return doubled(MIN_SIZE, most, size);
}

/* One size of a list; *text is moved behind it. 0 = none. */
static size_t parse_size(const char **text)
{
	char *end;
	double v = strtod(*text, &end);

	if (end == *text || !isdigit((unsigned char)**text))
		return 0;
	switch (toupper((unsigned char)*end)) {
	case 'K':
		v *= 1024;
		end++;
		break;
	case 'M':
		v *= 1 << 20;
		end++;
		break;
	case 'G':
		v *= 1 << 30;
		end++;
		break;
	}
	if (!strncmp(end, "iB", 2))
		end += 2;
	else if (*end == 'B')
		end++;
	*text = end;
	if (!(v >= MIN_SIZE && v <= (double)COST_MAX_SIZE_MIB * (1 << 20)))
		return 0;
	return (size_t)v / COST_LINE * COST_LINE;
}

static int compare_sizes(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

int cost__parse_sizes(const char *text, size_t size[COST_MAX_SIZES], size_t *ret_nr,
		      struct mig_err *err)
{
	const char *p = text;
	size_t nr = 0, last;

	do {
		size_t from = parse_size(&p), to;

		if (!from || nr == COST_MAX_SIZES)
			goto bad;
		size[nr++] = from;
		if (*p != '-')
			continue;
		p++;
		to = parse_size(&p);
		if (to < from)
			goto bad;
		nr--;
		for (size_t s = from; s <= to; s *= 2) {
			if (nr == COST_MAX_SIZES)
				goto bad;
			size[nr++] = s;
		}
	} while (*p == ',' && p++);
	if (*p)
		goto bad;
	qsort(size, nr, sizeof(*size), compare_sizes);
	last = 0;
	for (size_t i = 1; i < nr; i++) {
		if (size[i] != size[last])
			size[++last] = size[i];
	}
	*ret_nr = last + 1;
	return 0;
bad:
	mig_err__usage(err, "--sizes %s: not a list of sizes from 4K to %dM", text,
		       COST_MAX_SIZE_MIB);
	return mig_err__hint(err, "for example 64K,1M or 4K-64M (doubled), %d at most",
			     COST_MAX_SIZES);
}

/* --- pairs and points --- */

static void add_point(struct cost_pair *pair, size_t size, int pattern, int pages)
{
	struct cost_point *p = &pair->point[pair->nr_points++];

	p->size = size;
	p->pattern = pattern;
	p->pages = pages;
	p->huge = NAN;
}

static int add_points(struct cost *c, struct cost_pair *pair)
{
	const struct cost_config *cf = &c->config;

	pair->point = calloc(cf->nr_sizes * COST_NR_PATTERNS * COST_NR_PAGES, sizeof(*pair->point));
	if (!pair->point)
		return -ENOMEM;
	for (int pattern = 0; pattern < COST_NR_PATTERNS; pattern++) {
		for (int pages = 0; pages < COST_NR_PAGES; pages++) {
			if (!cf->pattern[pattern] || !cf->pages[pages] || c->pages_missing[pages])
				continue;
			for (size_t i = 0; i < cf->nr_sizes; i++)
				add_point(pair, cf->size[i], pattern, pages);
		}
	}
	return 0;
}

static int add_pair(struct cost *c, int a, int b, enum mig_distance distance)
{
	struct cost_pair *more = reallocarray(c->pair, c->nr_pairs + 1, sizeof(*more));

	if (!more)
		return -ENOMEM;
	c->pair = more;
	more += c->nr_pairs++;
	memset(more, 0, sizeof(*more));
	more->cpu[0] = a;
	more->cpu[1] = b;
	more->distance = distance;
	return add_points(c, more);
}

static int choose_pairs(struct cost *c)
{
	const struct cost_config *cf = &c->config;
	bool seen[MIG_NR_DIST] = { 0 };
	int ret = 0;

	for (size_t i = 0; i < cf->nr_cpus; i++) {
		for (size_t j = i + 1; j < cf->nr_cpus && !ret; j++) {
			enum mig_distance d = topo__distance(&c->topo, cf->cpu[i], cf->cpu[j]);

			if (!cf->all_pairs && seen[d])
				continue;
			seen[d] = true;
			ret = add_pair(c, cf->cpu[i], cf->cpu[j], d);
		}
	}
	return ret;
}

/* Nearest first, so that a reader meets the classes in the order of the topology. */
static int compare_pairs(const void *va, const void *vb)
{
	const struct cost_pair *a = va, *b = vb;

	if (a->distance != b->distance)
		return (a->distance > b->distance) - (a->distance < b->distance);
	if (a->cpu[0] != b->cpu[0])
		return (a->cpu[0] > b->cpu[0]) - (a->cpu[0] < b->cpu[0]);
	return (a->cpu[1] > b->cpu[1]) - (a->cpu[1] < b->cpu[1]);
}

/* Are these pages to be had, for the largest size? */
static int try_pages(struct cost *c, int pages, struct mig_err *err)
{
	const struct cost_config *cf = &c->config;
	size_t size = cf->size[cf->nr_sizes - 1];
	struct cost_set set;
	int ret = cost_set__init(&set, size, COST_SEQ, pages, true, err);
	double huge;

	if (ret)
		return ret;
	cost_set__fill(&set);
	huge = cost_set__huge_share(&set);
	cost_set__exit(&set);
	if (pages == COST_THP && huge < 0.9) {
		mig_err__set(err, -ENOMEM, "only %.0f%% of %zu KiB came in huge pages", 100 * huge,
			     size >> 10);
		mig_err__hint(err, "free some memory, or write 1 to /proc/sys/vm/compact_memory");
	}
	return pages == COST_THP && huge < 0.9 ? err->code : 0;
}

static int check_pages(struct cost *c, struct mig_err *err)
{
	int wanted = 0, missing = 0, ret;

	for (int i = 0; i < COST_NR_PAGES; i++)
		wanted += c->config.pages[i];
	for (int i = 0; i < COST_NR_PAGES; i++) {
		if (!c->config.pages[i])
			continue;
		ret = try_pages(c, i, err);
		if (!ret)
			continue;
		missing++;
		if (missing == wanted)
			return ret;
		c->pages_missing[i] = true;
		snprintf(c->why_missing[i], sizeof(c->why_missing[i]), "%.*s",
			 (int)sizeof(c->why_missing[i]) - 1, err->msg);
	}
	return 0;
}

int cost__init(struct cost *c, const struct cost_config *config, struct mig_err *err)
{
	double least;
	int ret;

	memset(c, 0, sizeof(*c));
	c->config = *config;
	if (config->nr_cpus < 2) {
		mig_err__set(err, -ENODEV, "a migration needs two CPUs, there is %zu to use",
			     config->nr_cpus);
		return mig_err__hint(
			err, "--method switch measures on one CPU; see also taskset and -C");
	}
	ret = check_pages(c, err);
	if (ret)
		return ret;
	ret = topo__init_from_sysfs(&c->topo, "", err);
	if (ret)
		return ret;
	if (choose_pairs(c))
		return mig_err__set(err, -ENOMEM, "out of memory");
	qsort(c->pair, c->nr_pairs, sizeof(*c->pair), compare_pairs);
	least = 0.01 * c->nr_pairs * c->pair[0].nr_points;
	if (config->seconds >= least)
		return 0;
	mig_err__usage(err, "--time %g s is too little for %zu pairs with %zu points each",
		       config->seconds, c->nr_pairs, c->pair[0].nr_points);
	return mig_err__hint(err, "give at least %.0f s, fewer --sizes, or fewer CPUs with -C",
			     ceil(least));
}

void cost__exit(struct cost *c)
{
	for (size_t i = 0; i < c->nr_pairs; i++) {
		for (size_t k = 0; k < c->pair[i].nr_points; k++)
			cost_samples__exit(&c->pair[i].point[k].samples);
		free(c->pair[i].point);
		free(c->pair[i].probe);
	}
	free(c->pair);
	topo__exit(&c->topo);
	memset(c, 0, sizeof(*c));
}

static int finish_pair(struct cost_pair *p)
{
	unsigned last = 0;
	int ret;

	if (!p->nr_probes)
		return 0;
	ret = cost_modes__find(p->probe, p->nr_probes, 0.05, &p->modes);
	for (size_t i = 0; i < p->nr_probes && !ret; i++) {
		unsigned mode = cost_modes__of(&p->modes, p->probe[i]);

		p->mode_changes += i && mode != last;
		last = mode;
	}
	for (size_t i = 0; i < p->nr_points; i++) {
		for (unsigned m = 0; m < p->modes.nr && !ret; m++)
			ret = cost_figures__fill(&p->point[i].samples, &p->modes, m,
						 &p->point[i].fig[m]);
	}
	return ret;
}

int cost__finish(struct cost *c)
{
	int ret = 0;

	for (size_t i = 0; i < c->nr_pairs && !ret; i++)
		ret = finish_pair(&c->pair[i]);
	return ret;
}

double cost_point__per_line(const struct cost_point *p, unsigned mode)
{
	size_t lines = cost_pattern__lines(p->pattern, p->size);

	return lines ? p->fig[mode].cost / lines : NAN;
}
