// SPDX-License-Identifier: GPL-2.0
#include "perfconfig.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* Without blanks at both ends. */
static char *trim(char *s)
{
	size_t len;

	while (isspace((unsigned char)*s))
		s++;
	for (len = strlen(s); len && isspace((unsigned char)s[len - 1]); len--)
		s[len - 1] = '\0';
	return s;
}

/* "value" or value, up to a comment. */
static char *unquote(char *s)
{
	char *end;

	if (*s == '"') {
		end = strchr(s + 1, '"');
		if (end)
			*end = '\0';
		return s + 1;
	}
	s[strcspn(s, "#;")] = '\0';
	return trim(s);
}

static bool read_file(const char *path, const char *section, const char *key, char *buf,
		      size_t size)
{
	bool found = false, in = false;
	char line[1024];
	struct stat st;
	FILE *fp = fopen(path, "re");

	if (!fp)
		return false;
	if (fstat(fileno(fp), &st) || (st.st_uid && st.st_uid != geteuid())) {
		fclose(fp);
		return false;
	}
	while (fgets(line, sizeof(line), fp)) {
		char *p = trim(line), *eq;

		if (*p == '[') {
			p[strcspn(p, "]")] = '\0';
			in = !strcasecmp(trim(p + 1), section);
			continue;
		}
		if (!in || !*p || *p == '#' || *p == ';')
			continue;
		eq = strchr(p, '=');
		if (eq)
			*eq = '\0';
		if (strcasecmp(trim(p), key))
			continue;
		snprintf(buf, size, "%s", eq ? unquote(trim(eq + 1)) : "true");
		found = true;
	}
	fclose(fp);
	return found;
}

bool perfconfig__get(const char *section, const char *key, char *buf, size_t size)
{
	const char *own = getenv("PERF_CONFIG"), *home = getenv("HOME");
	char path[4096];
	bool found;

	if (own)
		return read_file(own, section, key, buf, size);
	found = read_file("/etc/perfconfig", section, key, buf, size);
	snprintf(path, sizeof(path), "%s/.perfconfig", home ? home : "");
	if (home && read_file(path, section, key, buf, size))
		found = true;
	return found;
}

void perfconfig__get_bool(const char *section, const char *key, bool *ret_on)
{
	char word[16];

	if (!perfconfig__get(section, key, word, sizeof(word)))
		return;
	*ret_on = !strcasecmp(word, "true") || !strcasecmp(word, "yes") ||
		  !strcasecmp(word, "on") || !strcmp(word, "1");
}
