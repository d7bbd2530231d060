/* SPDX-License-Identifier: GPL-2.0 */
/*
 * theme: what a colour stands for; theme.c says which colour that is. Nothing else of the terminal
 * UI names a colour.
 */
#ifndef MIG_THEME_H
#define MIG_THEME_H

enum theme {
	THEME_NORMAL,
	THEME_TITLE, /* the first line */
	THEME_SUMMARY, /* what was not seen */
	THEME_WARN, /* .. when there is some */
	THEME_HEAD, /* column heads, section titles */
	THEME_TOP, /* from 5% */
	THEME_MEDIUM, /* from 0.5% */
	THEME_DIM,
	THEME_HELP, /* the last line */
	THEME_ERROR,
	THEME_BAR, /* bars of migrations */
	THEME_BAR_MISS, /* bars of misses */
	THEME_MARK, /* a selected range */
	THEME_HEAT_1, /* heat map, from few to many */
	THEME_HEAT_2,
	THEME_HEAT_3,
	THEME_HEAT_4,
	THEME_BOX, /* menus and prompts */
	THEME_SELECTED, /* the cursor's row */
	NR_THEME,
};

/* perf's colours of a share: from 5%, from 0.5%, else normal (also for none, -1). */
static inline enum theme theme__percent(double percent)
{
	return percent >= 5 ? THEME_TOP : percent >= 0.5 ? THEME_MEDIUM : THEME_NORMAL;
}

/*
 * Tells the terminal library of all of them; without colours they are told apart by attributes.
 * Section colors of perf's configuration may say something else: the last of its keys whose colours
 * are not known, NULL = none.
 */
const char *theme__init(void);

#endif
