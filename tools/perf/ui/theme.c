// SPDX-License-Identifier: GPL-2.0
#include "theme.h"

#include <slang.h>

static const struct {
	const char *fg, *bg;
	SLtt_Char_Type mono;
} colors[NR_THEME] = {
	[THEME_NORMAL] = { "default", "default", 0 },
	[THEME_TITLE] = { "white", "blue", SLTT_REV_MASK },
	[THEME_SUMMARY] = { "default", "default", 0 },
	[THEME_WARN] = { "yellow", "default", SLTT_BOLD_MASK },
	[THEME_HEAD] = { "brightcyan", "default", SLTT_BOLD_MASK },
	[THEME_TOP] = { "red", "default", SLTT_BOLD_MASK },
	[THEME_MEDIUM] = { "green", "default", 0 },
	[THEME_DIM] = { "gray", "default", 0 },
	[THEME_HELP] = { "white", "blue", SLTT_REV_MASK },
	[THEME_ERROR] = { "white", "red", SLTT_REV_MASK | SLTT_BOLD_MASK },
	[THEME_BAR] = { "red", "default", SLTT_BOLD_MASK },
	[THEME_BAR_MISS] = { "cyan", "default", 0 },
	[THEME_MARK] = { "black", "cyan", SLTT_ULINE_MASK },
	[THEME_HEAT_1] = { "blue", "default", 0 },
	[THEME_HEAT_2] = { "green", "default", 0 },
	[THEME_HEAT_3] = { "yellow", "default", SLTT_BOLD_MASK },
	[THEME_HEAT_4] = { "brightred", "default", SLTT_BOLD_MASK },
	[THEME_BOX] = { "white", "blue", SLTT_REV_MASK },
	[THEME_SELECTED] = { "black", "yellow", SLTT_REV_MASK },
};

void theme__init(void)
{
	int i;

	for (i = 0; i < NR_THEME; i++) {
		/* object 0 is the terminal's own, so that ours begin at 1 */
		SLtt_set_color(i + 1, NULL, (char *)colors[i].fg, (char *)colors[i].bg);
		if (!SLtt_Use_Ansi_Colors)
			SLtt_set_mono(i + 1, NULL, colors[i].mono);
	}
}
