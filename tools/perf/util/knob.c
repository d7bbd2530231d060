// SPDX-License-Identifier: GPL-2.0
#include "knob.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "err.h"

enum { TEXT_MAX = 16384 };

static const char *const kind_names[] = { "text", "choice", "features" };

const char *knob_kind__name(enum knob_kind kind)
{
	return kind_names[kind];
}

int knob_kind__parse(const char *word, enum knob_kind *ret)
{
	for (int i = 0; i < 3; i++) {
		if (!strcmp(kind_names[i], word)) {
			*ret = (enum knob_kind)i;
			return 0;
		}
	}
	return -EINVAL;
}

/* The whole file without the white space at its end. */
static int read_text(const char *path, char **ret)
{
	char *text = malloc(TEXT_MAX);
	int fd = open(path, O_RDONLY | O_CLOEXEC), code;
	size_t len = 0;
	ssize_t n = 0;

	code = !text ? -ENOMEM : fd < 0 ? -errno : 0;
	while (!code && len < TEXT_MAX - 1) {
		n = read(fd, text + len, TEXT_MAX - 1 - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			code = -errno;
		if (n <= 0)
			break;
		len += n;
	}
	if (fd >= 0)
		close(fd);
	if (code) {
		free(text);
		return code;
	}
	while (len && isspace((unsigned char)text[len - 1]))
		len--;
	text[len] = '\0';
	*ret = text;
	return 0;
}

/* Leaves the word in brackets; a text without brackets stays. */
static void keep_choice(char *text)
{
	char *open = strpbrk(text, "[("), *close = open ? strpbrk(open, "])") : NULL;

	if (!close)
		return;
	*close = '\0';
	memmove(text, open + 1, strlen(open + 1) + 1);
}

int knob_place__read(const char *path, enum knob_kind kind, char **ret, struct mig_err *err)
{
	int code = read_text(path, ret);

	if (code)
		return mig_err__set(err, code, "%s: %s", path, strerror(-code));
	if (kind == KNOB_CHOICE)
		keep_choice(*ret);
	return 0;
}

/* As echo does it: with the end of the line. */
static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC), code = 0, len;
	char *line;

	if (fd < 0)
		return -errno;
	len = asprintf(&line, "%s\n", text);
	if (len < 0)
		code = -ENOMEM;
	else if (write(fd, line, len) != len)
		code = errno ? -errno : -EIO;
	if (len >= 0)
		free(line);
	if (close(fd) && !code)
		code = -errno;
	return code;
}

/* Is word one of the words of text? */
static bool has_word(const char *text, const char *word, size_t len)
{
	while (*text) {
		size_t n = strcspn(text, " \n\t");

		if (n == len && !strncmp(text, word, len))
			return true;
		text += n;
		text += strspn(text, " \n\t");
	}
	return false;
}

/* Does what was read mean what was written? */
static bool means(enum knob_kind kind, const char *now, const char *text)
{
	char *end_a, *end_b;
	long long a, b;

	if (kind == KNOB_FEATURES) {
		while (*text) {
			size_t n = strcspn(text, " ");

			if (!has_word(now, text, n))
				return false;
			text += n;
			text += strspn(text, " ");
		}
		return true;
	}
	if (!strcmp(now, text))
		return true;
	a = strtoll(now, &end_a, 0);
	b = strtoll(text, &end_b, 0);
	return end_a != now && end_b != text && !*end_a && !*end_b && a == b;
}

static int write_place(const char *path, enum knob_kind kind, const char *text)
{
	char word[128];
	int code = 0;

	if (kind != KNOB_FEATURES)
		return write_text(path, text);
	while (*text && !code) {
		size_t n = strcspn(text, " ");

		if (n >= sizeof(word))
			return -EINVAL;
		memcpy(word, text, n);
		word[n] = '\0';
		code = n ? write_text(path, word) : 0;
		text += n;
		text += strspn(text, " ");
	}
	return code;
}

int knob_place__write(const char *path, enum knob_kind kind, const char *text, struct mig_err *err)
{
	char *now = NULL;
	int code = write_place(path, kind, text);

	if (code)
		return mig_err__set(err, code, "%s: cannot write '%.200s': %s", path, text,
				    strerror(-code));
	code = knob_place__read(path, kind, &now, err);
	if (!code && !means(kind, now, text))
		code = mig_err__set(err, -EINVAL, "%s: '%.200s' was written, but it says '%.200s'",
				    path, text, now);
	free(now);
	return code;
}

static int add_place(struct knob *k, const char *path, enum knob_kind kind)
{
	struct knob_place *more = realloc(k->place, (k->nr + 1) * sizeof(*more)), *p;

	if (!more)
		return -ENOMEM;
	k->place = more;
	p = &k->place[k->nr++];
	*p = (struct knob_place){ .path = strdup(path), .kind = kind };
	return p->path ? 0 : -ENOMEM;
}

/* The first of the places that is there; '*' gives several. */
static int find_places(struct knob *k, const struct knob_known *known, const char *root)
{
	char path[PATH_MAX];
	int code = 0;

	for (int i = 0; i < 4 && known->where[i] && !k->nr && !code; i++) {
		glob_t g = { 0 };

		snprintf(path, sizeof(path), "%s%s", root, known->where[i]);
		if (!glob(path, 0, NULL, &g)) {
			for (size_t n = 0; n < g.gl_pathc && !code; n++)
				code = add_place(k, g.gl_pathv[n], known->kind);
		}
		globfree(&g);
	}
	return code;
}

/* Of the features' words the one that counts. */
static int keep_feature(const struct knob *k, char *saved)
{
	char off[64];
	size_t len = strlen(k->feature);

	snprintf(off, sizeof(off), "NO_%.56s", k->feature);
	if (has_word(saved, off, strlen(off)))
		strcpy(saved, off); /* it is a word of saved */
	else if (has_word(saved, k->feature, len))
		strcpy(saved, k->feature);
	else
		return -ENOENT;
	return 0;
}

/* Reads each place, and makes sure that it can be written. */
static int save(struct knob *k, const char *root, struct mig_err *err)
{
	for (size_t i = 0; i < k->nr; i++) {
		struct knob_place *p = &k->place[i];
		int code = knob_place__read(p->path, p->kind, &p->saved, err), fd = -1;
		struct stat st;

		if (!code && !stat(p->path, &st) && !(st.st_mode & 0222))
			code = -EACCES;
		if (!code) {
			fd = open(p->path, O_WRONLY | O_CLOEXEC);
			code = fd < 0 ? -errno : 0;
		}
		if (fd >= 0)
			close(fd);
		if (code)
			return knob__why(root, k->name, p->path, code, err);
		if (k->feature && keep_feature(k, p->saved)) {
			mig_err__set(err, -ENOENT, "%s: no such feature in %s", k->name, p->path);
			return mig_err__hint(err, "cat %s lists them", p->path);
		}
	}
	return 0;
}

/* Names of features are in capitals. */
static bool is_feature(const char *name)
{
	return *name && name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")] == '\0' &&
	       isupper((unsigned char)*name);
}

int knob__init(struct knob *k, const char *root, const char *name, struct mig_err *err)
{
	bool feature = is_feature(name);
	const struct knob_known *known = knob__find(feature ? "features" : name);
	char path[PATH_MAX];
	int code;

	*k = (struct knob){ .name = strdup(name) };
	if (!known) {
		mig_err__usage(err, "--set %s: there is no such knob", name);
		return mig_err__hint(err, "perf migstat sweep --list names them; --set-file and "
					  "--set-cmd are for anything else");
	}
	if (feature)
		k->feature = strdup(strncmp(name, "NO_", 3) ? name : name + 3);
	if (!k->name || (feature && !k->feature))
		return mig_err__set(err, -ENOMEM, "out of memory");
	code = find_places(k, known, root);
	if (code)
		return mig_err__set(err, code, "out of memory");
	if (!k->nr) {
		snprintf(path, sizeof(path), "%s%s", root, known->where[0]);
		return knob__why(root, name, path, -ENOENT, err);
	}
	return save(k, root, err);
}

int knob__init_file(struct knob *k, const char *path, struct mig_err *err)
{
	int code;

	*k = (struct knob){ .name = strdup(path) };
	code = k->name ? add_place(k, path, KNOB_TEXT) : -ENOMEM;
	return code ? mig_err__set(err, code, "out of memory") : save(k, "", err);
}

void knob__exit(struct knob *k)
{
	for (size_t i = 0; i < k->nr; i++) {
		free(k->place[i].path);
		free(k->place[i].saved);
	}
	free(k->place);
	free(k->feature);
	free(k->name);
	*k = (struct knob){ 0 };
}

/* A value as the place takes it, to free. */
static char *translate(const struct knob *k, const struct knob_place *p, const char *value)
{
	char *text = NULL;

	if (!strcmp(value, "default"))
		return strdup(p->saved);
	if (k->feature && (!strcmp(value, "0") || !strcmp(value, "1"))) {
		if (asprintf(&text, "%s%s", *value == '0' ? "NO_" : "", k->feature) < 0)
			return NULL;
		return text;
	}
	/* since 5.13 it is an u32 in debugfs, where -1 is an error; the same bits say the same */
	if (!strcmp(k->name, "migration_cost") && !strcmp(value, "-1") &&
	    strstr(p->path, "/debug/"))
		return strdup("4294967295");
	text = strdup(value);
	for (char *c = text; c && *c && p->kind == KNOB_FEATURES; c++)
		if (*c == '+')
			*c = ' ';
	return text;
}

int knob__set(const struct knob *k, const char *value, struct mig_err *err)
{
	int rc = 0;

	if (k->feature && strcmp(value, "0") && strcmp(value, "1") && strcmp(value, "default"))
		return mig_err__usage(err, "--set %s=%s: use 0, 1 or default", k->name, value);
	for (size_t i = 0; i < k->nr && !rc; i++) {
		const struct knob_place *p = &k->place[i];
		char *text = translate(k, p, value);

		if (!text)
			return mig_err__set(err, -ENOMEM, "out of memory");
		/* a list of features is over what was there, not over the value before */
		if (p->kind == KNOB_FEATURES && !k->feature)
			rc = knob_place__write(p->path, p->kind, p->saved, err);
		if (!rc)
			rc = knob_place__write(p->path, p->kind, text, err);
		free(text);
	}
	return rc;
}
