/* SPDX-License-Identifier: GPL-2.0 */
/*
 * plot: samples as characters over their number, in the shape of the plots of the 0-day robot's
 * mails: 80 columns, a frame, 15 levels, '*' joined by dots and 'O'. Plain ASCII.
 */
#ifndef MIG_PLOT_H
#define MIG_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct plot_sample {
	double y; /* finite */
	char glyph;
};

enum { PLOT_WIDTH = 80, PLOT_LEVELS = 15 };

/*
 * From left to right; samples of the glyph `joined` are joined by dots. Where two glyphs fall on
 * one place stands '#'. *ret_both tells whether there is such a place. 0, -EINVAL for no samples,
 * or -ENOMEM.
 */
int plot__print(const char *title, const struct plot_sample *s, size_t n, char joined,
		bool *ret_both, FILE *fp);

#endif
