// SPDX-License-Identifier: GPL-2.0
/*
 * cost-plot: cost over size, both on logarithmic scales, a letter for each pattern.
 */
#include <math.h>
#include <string.h>

#include "cost-view.h"
#include "cost.h"

enum { WIDTH = 64, HEIGHT = 14 };

static const char letters[] = { 's', 'r', '6', '4' };

struct plot {
	double x0, x1, y0, y1; /* logarithms */
	char at[HEIGHT][WIDTH + 1];
};

static bool shown(const struct cost_point *p, unsigned mode)
{
	return p->fig[mode].moved.n && cost_figures__is_cost(&p->fig[mode]);
}

static size_t scale(struct plot *g, const struct cost_pair *p, unsigned mode)
{
	size_t n = 0;

	*g = (struct plot){ INFINITY, -INFINITY, INFINITY, -INFINITY, { "" } };
	for (size_t i = 0; i < p->nr_points; i++) {
		const struct cost_point *pt = &p->point[i];

		if (!shown(pt, mode))
			continue;
		g->x0 = fmin(g->x0, log(pt->size));
		g->x1 = fmax(g->x1, log(pt->size));
		g->y0 = fmin(g->y0, log(pt->fig[mode].cost));
		g->y1 = fmax(g->y1, log(pt->fig[mode].cost));
		n++;
	}
	return g->x1 > g->x0 && g->y1 > g->y0 ? n : 0;
}

void cost_plot__print(const struct cost *c, const struct cost_pair *p, unsigned mode, FILE *fp)
{
	char text[COST_US_LEN], from[COST_SIZE_LEN], to[COST_SIZE_LEN];
	struct plot g;

	if (!scale(&g, p, mode))
		return;
	for (int y = 0; y < HEIGHT; y++)
		memset(g.at[y], ' ', WIDTH);
	for (size_t i = 0; i < p->nr_points; i++) {
		const struct cost_point *pt = &p->point[i];
		int x, y;

		if (!shown(pt, mode))
			continue;
		x = (int)lround((log(pt->size) - g.x0) / (g.x1 - g.x0) * (WIDTH - 1));
		y = (int)lround((log(pt->fig[mode].cost) - g.y0) / (g.y1 - g.y0) * (HEIGHT - 1));
		g.at[y][x] = g.at[y][x] == ' ' || g.at[y][x] == letters[pt->pattern]
				     ? letters[pt->pattern]
				     : '*';
	}
	fputs("\ncost (us) over size, logarithmic:", fp);
	for (int i = 0; i < COST_NR_PATTERNS; i++) {
		if (c->config.pattern[i])
			fprintf(fp, " %c %s", letters[i], cost_pattern__name(i));
	}
	fputs(", * both\n", fp);
	for (int y = HEIGHT - 1; y >= 0; y--) {
		bool label = y == HEIGHT - 1 || y == 0 || y == HEIGHT / 2;
		int len = WIDTH;

		while (len && g.at[y][len - 1] == ' ')
			len--;
		fprintf(fp, "%8s |%.*s\n",
			label ? cost_text__us(exp(g.y0 + (g.y1 - g.y0) * y / (HEIGHT - 1)), text)
			      : "",
			len, g.at[y]);
	}
	fprintf(fp, "%8s +%.*s\n", "", WIDTH,
		"----------------------------------------------------------------");
	cost_text__size(round(exp(g.x0)), from);
	cost_text__size(round(exp(g.x1)), to);
	fprintf(fp, "%9s %s%*s\n", "", from, (int)(WIDTH - strlen(from)), to);
}
