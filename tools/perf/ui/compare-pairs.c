// SPDX-License-Identifier: GPL-2.0
/*
 * compare-pairs: the pair tables of two recordings side by side: which pair changed its path, its
 * moves, its misses.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare-view.h"
#include "compare.h"
#include "hash.h"
#include "recording.h"
#include "stdio-int.h"
#include "wakepath.h"

enum { NR_FIGURES = RECORDING_PATH + MIG_NR_PATH, NAME_WIDTH = 12 };

struct pair {
	const char *name; /* "WAKER > WAKEE", len long */
	int len;
	const struct compare_row *figure[NR_FIGURES]; /* NULL = none */
	double wakeups; /* of both sides */
};

struct pairs {
	struct pair *pair;
	uint32_t nr, max;
	struct hash hash;
};

static int figure_of(const char *name)
{
	for (int i = 0; i < NR_FIGURES; i++)
		if (!strcmp(recording__figure(i), name))
			return i;
	return -1;
}

static struct pair *find(struct pairs *p, const char *name, int len)
{
	uint32_t hv = hash__bytes(name, len), pos, k;
	struct pair *more;

	for (pos = hash__start(&p->hash, hv); (k = hash__next(&p->hash, hv, &pos));)
		if (p->pair[k - 1].len == len && !memcmp(p->pair[k - 1].name, name, len))
			return &p->pair[k - 1];
	if (p->nr == p->max) {
		more = realloc(p->pair, (p->max ? 2 * p->max : 64) * sizeof(*more));
		if (!more)
			return NULL;
		p->pair = more;
		p->max = p->max ? 2 * p->max : 64;
	}
	if (hash__add(&p->hash, hv, p->nr))
		return NULL;
	p->pair[p->nr] = (struct pair){ .name = name, .len = len };
	return &p->pair[p->nr++];
}

static double mean(const struct compare_row *r, int side)
{
	return r && r->side[side].n ? r->side[side].one.mean : NAN;
}

/* "pair WAKER > WAKEE: FIGURE"; figures have no ": " in them, tasks may. */
static int gather(struct pairs *p, const struct compare *c)
{
	for (size_t i = 0; i < c->nr; i++) {
		const struct compare_row *r = &c->row[i];
		const char *end = NULL, *name = r->name + strlen("pair ");
		struct pair *pair;
		int f;

		if (strncmp(r->name, "pair ", strlen("pair ")))
			continue;
		for (const char *s = strstr(name, ": "); s; s = strstr(s + 1, ": "))
			end = s;
		f = end ? figure_of(end + 2) : -1;
		if (f < 0)
			continue;
		pair = find(p, name, end - name);
		if (!pair)
			return -ENOMEM;
		pair->figure[f] = r;
		if (f == RECORDING_WAKEUPS)
			pair->wakeups = fmax(mean(r, 0), 0) + fmax(mean(r, 1), 0);
	}
	return 0;
}

static int by_wakeups(const void *pa, const void *pb)
{
	const struct pair *a = pa, *b = pb;

	if (a->wakeups != b->wakeups)
		return a->wakeups < b->wakeups ? 1 : -1;
	return a->len != b->len ? a->len - b->len : memcmp(a->name, b->name, a->len);
}

static void print_name(const struct pair *p, FILE *fp)
{
	const char *to = memmem(p->name, p->len, " > ", 3);
	int first = to ? (int)(to - p->name) : p->len;
	char waker[128], wakee[128];

	snprintf(waker, sizeof(waker), "%.*s", first, p->name);
	snprintf(wakee, sizeof(wakee), "%.*s", to ? p->len - first - 3 : 0, to ? to + 3 : "");
	stdio__name(fp, waker, NAME_WIDTH, true);
	putc(' ', fp);
	stdio__name(fp, wakee, NAME_WIDTH, true);
}

static bool is_proven(const struct compare_row *r)
{
	return r && (r->verdict == COMPARE_BETTER || r->verdict == COMPARE_WORSE ||
		     r->verdict == COMPARE_CHANGED);
}

static void print_cell(double v, int width, int decimals, FILE *fp)
{
	if (isnan(v))
		fprintf(fp, " %*s", width, "-");
	else
		fprintf(fp, " %*.*f", width, v >= 99.95 && decimals == 1 ? 0 : decimals, v);
}

static void print_figure(const struct compare_row *r, int width, int decimals, FILE *fp)
{
	print_cell(mean(r, 0), width, decimals, fp);
	print_cell(mean(r, 1), width, decimals, fp);
	putc(is_proven(r) ? '*' : ' ', fp);
}

/* The path that most wakeups of that side took; -1 = there are none. */
static int main_path(const struct pair *p, int side)
{
	double most = 0;
	int path = -1;

	for (int i = 0; i < MIG_NR_PATH; i++) {
		double share = mean(p->figure[RECORDING_PATH + i], side);

		if (share > most) {
			most = share;
			path = i;
		}
	}
	return path;
}

/* "local 98>45": its share on both sides; "local>affine" where another one leads. */
static void print_path(const struct pair *p, FILE *fp)
{
	int a = main_path(p, 0), b = main_path(p, 1);
	bool proven = false;

	for (int i = 0; i < MIG_NR_PATH; i++)
		proven |= is_proven(p->figure[RECORDING_PATH + i]);
	if (a < 0 || b < 0)
		fprintf(fp, " %s", a < 0 && b < 0 ? "-" : mig_path__name(a < 0 ? b : a));
	else if (a != b)
		fprintf(fp, " %s>%s", mig_path__name(a), mig_path__name(b));
	else
		fprintf(fp, " %s %.0f>%.0f", mig_path__name(a),
			mean(p->figure[RECORDING_PATH + a], 0),
			mean(p->figure[RECORDING_PATH + b], 1));
	fputs(proven ? "*\n" : "\n", fp);
}

static void print_pair(const struct pair *p, FILE *fp)
{
	print_name(p, fp);
	print_figure(p->figure[RECORDING_WAKEUPS], 7, 0, fp);
	print_figure(p->figure[RECORDING_MOVED], 4, 1, fp);
	print_figure(p->figure[RECORDING_RATE], 5, 2, fp);
	print_path(p, fp);
}

static void print_head(const struct compare *c, FILE *fp)
{
	fprintf(fp, "\npairs: %s | %s\n", c->base->name, c->other->name);
	fprintf(fp, "%*s %16s %11s %13s\n", 2 * NAME_WIDTH + 1, "", "wakeups", "moved at%",
		"miss/ms");
	fprintf(fp, "%-*s %-*s %7s %7s  %4s %4s  %5s %5s  %s\n", NAME_WIDTH, "waker", NAME_WIDTH,
		"wakee", "a", "b", "a", "b", "a", "b", "path");
}

static void print_foot(const struct compare *c, size_t hidden, FILE *fp)
{
	size_t n = run_arm__good(c->base), m = run_arm__good(c->other);

	if (hidden)
		fprintf(fp, "(%zu more pairs, each below 1%% of the wakeups; -a shows all)\n",
			hidden);
	if (n == 1 || m == 1)
		fprintf(fp,
			"%zu+%zu recordings: what differs is shown, not tested "
			"(a=1.data a=2.data ..)\n",
			n, m);
	else
		fputs("* proven; means of the recordings of an arm\n", fp);
}

int compare_pairs__print(const struct compare_view *v, const struct compare *c, FILE *fp)
{
	struct pairs p = { 0 };
	double total = 0;
	size_t hidden = 0;
	int rc = gather(&p, c);

	for (uint32_t i = 0; i < p.nr; i++)
		total += p.pair[i].wakeups;
	if (!rc && p.nr) {
		qsort(p.pair, p.nr, sizeof(*p.pair), by_wakeups);
		print_head(c, fp);
		for (uint32_t i = 0; i < p.nr; i++) {
			if (!v->all && p.pair[i].wakeups < total / 100)
				hidden++;
			else
				print_pair(&p.pair[i], fp);
		}
		print_foot(c, hidden, fp);
	}
	hash__exit(&p.hash);
	free(p.pair);
	return rc;
}

int compare_view__pairs(const struct compare_view *v, FILE *fp)
{
	int rc = 0;

	for (size_t b = 0; b < v->table->nr; b++)
		for (size_t k = 0; k < v->table->block[b].nr && !rc; k++)
			rc = compare_pairs__print(v, &v->table->block[b].c[k], fp);
	return rc ? rc : ferror(fp) ? -EIO : 0;
}
