// SPDX-License-Identifier: GPL-2.0
#include "theme.h"

#include <slang.h>
#include <stdio.h>
#include <string.h>

#include "perfconfig.h"

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

/* The names of section colors in perf's configuration, and what they stand for here. */
static const struct {
	const char *key;
	enum theme theme;
} configurable[] = {
	{ "top", THEME_TOP },           { "medium", THEME_MEDIUM }, { "normal", THEME_NORMAL },
	{ "selected", THEME_SELECTED }, { "root", THEME_TITLE },    { "root", THEME_HELP },
	{ "root", THEME_BOX },
};

#define NR_CONFIGURABLE (sizeof(configurable) / sizeof(configurable[0]))

static bool is_color(const char *name)
{
	static const char *const names[] = {
		"default", "black",      "red",           "green",      "brown",     "blue",
		"magenta", "cyan",       "lightgray",     "gray",       "brightred", "brightgreen",
		"yellow",  "brightblue", "brightmagenta", "brightcyan", "white",
	};
	unsigned number;
	char more;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return sscanf(name, "color%3u%c", &number, &more) == 1 && number < 256;
}

/* "foreground, background"; the second may be missing. */
static bool set_color(int object, const char *value)
{
	char fg[32], bg[32] = "default";
	int n = sscanf(value, " %31[^, \t] , %31[^, \t]", fg, bg);

	if (n < 1 || !is_color(fg) || !is_color(bg))
		return false;
	SLtt_set_color(object, NULL, fg, bg);
	return true;
}

const char *theme__init(void)
{
	const char *bad = NULL;
	char value[80];
	size_t k;
	int i;

	for (i = 0; i < NR_THEME; i++) {
		/* object 0 is the terminal's own, so that ours begin at 1 */
		SLtt_set_color(i + 1, NULL, (char *)colors[i].fg, (char *)colors[i].bg);
		if (!SLtt_Use_Ansi_Colors)
			SLtt_set_mono(i + 1, NULL, colors[i].mono);
	}
	for (k = 0; k < NR_CONFIGURABLE; k++)
		if (perfconfig__get("colors", configurable[k].key, value, sizeof(value)) &&
		    !set_color((int)configurable[k].theme + 1, value))
			bad = configurable[k].key;
	return bad;
}
