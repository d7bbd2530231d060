// SPDX-License-Identifier: GPL-2.0
#include "plot.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

enum { LABEL_MAX = 12, TICKS_MAX = 10 };

struct plot {
	double low, high, tick; /* of the y axis */
	int label; /* width of the labels */
	int left, right; /* columns of the frame */
	char row[PLOT_LEVELS][PLOT_WIDTH + 1];
};

/* 1, 2 or 5 times a power of ten: at most 10 steps over the range. */
static double nice_step(double range)
{
	double p = pow(10, floor(log10(range / TICKS_MAX)));

	for (int i = 0; i < 2; i++, p *= 10)
		for (int k = 1; k <= 5; k += k == 1 ? 1 : 3)
			if (range / (k * p) <= TICKS_MAX)
				return k * p;
	return p;
}

static void scale(struct plot *p, const struct plot_sample *s, size_t n)
{
	p->low = p->high = s[0].y;
	for (size_t i = 1; i < n; i++) {
		p->low = fmin(p->low, s[i].y);
		p->high = fmax(p->high, s[i].y);
	}
	if (p->high - p->low <= fabs(p->high) * 1e-12) { /* all the same */
		double half = p->high != 0 ? fabs(p->high) / 10 : 1;

		p->low -= half;
		p->high += half;
	}
	p->tick = nice_step(p->high - p->low);
	p->low = floor(p->low / p->tick + 1e-9) * p->tick;
	p->high = ceil(p->high / p->tick - 1e-9) * p->tick;
}

static int level_of(const struct plot *p, double y)
{
	return (int)((p->high - y) / (p->high - p->low) * (PLOT_LEVELS - 1) + 0.5);
}

/* Labels at the nearest level, "++" beside them; the frame's corners are ticks, too. */
static void frame(struct plot *p)
{
	char text[NUMBER_MAX];
	int ticks = (int)((p->high - p->low) / p->tick + 0.5);

	for (int i = 0; i <= ticks; i++) {
		int len = strlen(number__short(p->low + i * p->tick, text));

		p->label = len > p->label ? len : p->label;
	}
	p->label = p->label < LABEL_MAX ? p->label : LABEL_MAX;
	p->left = p->label + 3;
	p->right = PLOT_WIDTH - 2;
	for (int l = 0; l < PLOT_LEVELS; l++) {
		bool edge = !l || l == PLOT_LEVELS - 1;

		memset(p->row[l], ' ', PLOT_WIDTH);
		memset(p->row[l] + p->left, edge ? '-' : ' ', p->right - p->left);
		p->row[l][p->left] = p->row[l][p->right] = edge ? '+' : '|';
		p->row[l][p->right + 1] = '\0';
	}
	for (int i = 0; i <= ticks; i++) {
		double y = p->low + i * p->tick;
		char *row = p->row[level_of(p, y)];
		int len = strlen(number__short(fabs(y) < p->tick / 1e6 ? 0 : y, text));

		len = len < p->label ? len : p->label;
		memcpy(row + 2 + p->label - len, text, len);
		row[p->left] = row[p->left + 1] = '+';
	}
}

static int column_of(const struct plot *p, size_t i, size_t n)
{
	return n < 2 ? (p->left + p->right) / 2
		     : p->left + (int)((double)i / (n - 1) * (p->right - p->left) + 0.5);
}

/* Dots between two samples, one a column or one a level, whichever are more. */
static void join(struct plot *p, int x0, int l0, int x1, int l1)
{
	int steps = x1 - x0 > abs(l1 - l0) ? x1 - x0 : abs(l1 - l0);

	for (int i = 1; i < steps; i++) {
		int x = x0 + (int)lround((double)i / steps * (x1 - x0));
		int l = l0 + (int)lround((double)i / steps * (l1 - l0));

		p->row[l][x] = '.';
	}
}

static void draw(struct plot *p, const struct plot_sample *s, size_t n, char joined, bool *ret_both)
{
	bool taken[PLOT_LEVELS][PLOT_WIDTH] = { 0 };
	int x0 = -1, l0 = 0;

	for (size_t i = 0; i < n; i++) {
		int x = column_of(p, i, n), l = level_of(p, s[i].y);

		if (s[i].glyph != joined)
			continue;
		if (x0 >= 0)
			join(p, x0, l0, x, l);
		x0 = x;
		l0 = l;
	}
	for (size_t i = 0; i < n; i++) {
		int x = column_of(p, i, n), l = level_of(p, s[i].y);
		bool both = taken[l][x] && p->row[l][x] != s[i].glyph;

		p->row[l][x] = both ? '#' : s[i].glyph;
		taken[l][x] = true;
		*ret_both |= both;
	}
}

static void print_line(const char *line, FILE *fp)
{
	size_t len = strlen(line);

	while (len && line[len - 1] == ' ')
		len--;
	fprintf(fp, "%.*s\n", (int)len, line);
}

int plot__print(const char *title, const struct plot_sample *s, size_t n, char joined,
		bool *ret_both, FILE *fp)
{
	struct plot p = { 0 };
	int len = strlen(title);

	*ret_both = false;
	if (!n)
		return -EINVAL;
	scale(&p, s, n);
	frame(&p);
	draw(&p, s, n, joined, ret_both);
	fprintf(fp, "%*s%.*s\n\n", len < PLOT_WIDTH - 2 ? (PLOT_WIDTH - len) / 2 : 0, "",
		PLOT_WIDTH - 2, title);
	for (int l = 0; l < PLOT_LEVELS; l++)
		print_line(p.row[l], fp);
	return 0;
}
