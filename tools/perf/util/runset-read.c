// SPDX-License-Identifier: GPL-2.0
/*
 * runset-read: the file as a whole, and which reader it is for.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "runset-int.h"

enum { SOURCE_MAX = 256 << 20 };

int runset__nomem(struct mig_err *err)
{
	return mig_err__set(err, -ENOMEM, "out of memory");
}

char *runset__line(char **pos)
{
	char *line = *pos, *end;

	if (!*line)
		return NULL;
	end = strchr(line, '\n');
	*pos = end ? end + 1 : line + strlen(line);
	if (end)
		*end = '\0';
	if (end && end > line && end[-1] == '\r')
		end[-1] = '\0';
	return line;
}

bool runset__number(const json_t *v, double *ret)
{
	if (!json_is_number(v))
		return false;
	*ret = json_number_value(v);
	return isfinite(*ret);
}

static int slurp(const char *path, struct runset_source *src, struct mig_err *err)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "re") : stdin;
	size_t max = 1 << 16, n;
	int rc = 0;
	char *more;

	if (!f) {
		mig_err__set(err, -errno, "%s: %s", path, strerror(errno));
		return err ? err->code : -EIO;
	}
	src->text = malloc(max);
	while (src->text && (n = fread(src->text + src->size, 1, max - src->size - 1, f)) > 0) {
		src->size += n;
		if (src->size + 1 < max)
			continue;
		max *= 2;
		more = max <= SOURCE_MAX ? realloc(src->text, max) : NULL;
		if (!more) {
			rc = mig_err__set(err, -EFBIG, "%s: more than %d MiB, no results file",
					  path, SOURCE_MAX >> 20);
			break;
		}
		src->text = more;
	}
	if (!src->text)
		rc = runset__nomem(err);
	else
		src->text[src->size] = '\0';
	if (!rc && ferror(f))
		rc = mig_err__set(err, -EIO, "%s: %s", path, strerror(errno));
	if (f != stdin)
		fclose(f);
	if (!rc && !src->size)
		rc = mig_err__set(err, -ENODATA, "%s is empty", path);
	if (!rc && strlen(src->text) != src->size)
		rc = mig_err__set(err, -EINVAL, "%s: not a text file", path);
	return rc;
}

/* "dir/mg2.jsonl" -> "mg2"; of LKP's fixed names, and of files of one name, the folder tells. */
char *runset__name_of(const char *path)
{
	const char *base = strrchr(path, '/'), *dot;

	base = base ? base + 1 : path;
	if (base > path + 1 &&
	    (!strncmp(base, "stats.json", 10) || !strncmp(base, "matrix.json", 11)))
		return strndup(path, base - path - 1);
	dot = strrchr(base, '.');
	return dot && dot > base ? strndup(base, dot - base) : strdup(base);
}

typedef int (*reader_fn)(struct runset *, struct runset_source *, struct mig_err *);

/* A whole file that is one JSON object. */
static reader_fn json_reader(const struct runset_source *src)
{
	json_t *root = json_loadb(src->text, src->size, 0, NULL);
	reader_fn fn = NULL;

	if (json_is_object(root))
		fn = json_object_get(root, "schema") || json_object_get(root, "run")
			     ? runset__read_native
		     : json_is_array(json_object_get(root, "results")) ? runset__read_hyperfine
		     : json_object_get(root, "counter-value")          ? runset__read_perf
								       : runset__read_lkp;
	json_decref(root);
	return fn;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Lines of Go benchmark text: "goos: linux", "Unit ns/op better=lower", "BenchmarkX 1 2 ns/op". */
static bool is_go(const char *text)
{
	return begins(text, "goos:") || begins(text, "pkg:") || begins(text, "Unit ") ||
	       begins(text, "Benchmark") || begins(text, "PASS") || strstr(text, "\nBenchmark");
}

static reader_fn reader(const struct runset_source *src)
{
	const char *text = src->text + strspn(src->text, " \t\r\n");
	reader_fn fn;

	if (*text == '{') {
		fn = json_reader(src);
		if (fn)
			return fn;
		/* one object a line */
		return strstr(text, "\"counter-value\"") && !strstr(text, "\"schema\"")
			       ? runset__read_perf
			       : runset__read_native;
	}
	if (begins(text, "# started on") || strchr("0123456789.<", *text) || begins(text, "S0"))
		return runset__read_perf;
	return is_go(text) ? runset__read_go : NULL;
}

/* The arms of one file join the others; a name that is taken gives way to the path. */
static int join(struct runset *set, struct runset *from, const char *path)
{
	struct run_arm *more = realloc(set->arm, (set->nr + from->nr) * sizeof(*more));
	size_t before = set->nr;

	if (!more)
		return -ENOMEM;
	set->arm = more;
	for (size_t i = 0; i < from->nr; i++) {
		struct run_arm *arm = &from->arm[i];
		char *name = NULL;

		for (size_t j = 0; j < before && !name; j++) {
			const struct run_arm *other = &set->arm[j];

			if (!strcmp(other->name, arm->name) &&
			    !strcmp(other->group ? other->group : "",
				    arm->group ? arm->group : "") &&
			    asprintf(&name, from->nr > 1 ? "%s:%s" : "%s", path, arm->name) < 0)
				return -ENOMEM;
		}
		if (name) {
			free(arm->name);
			arm->name = name;
		}
		arm->source = strdup(path);
		if (!arm->source)
			return -ENOMEM;
	}
	memcpy(set->arm + set->nr, from->arm, from->nr * sizeof(*more));
	set->nr += from->nr;
	free(from->arm);
	*from = (struct runset){ 0 };
	return 0;
}

int runset__read(struct runset *set, const char *path, const char *name, struct mig_err *err)
{
	struct runset_source src = { .path = path, .named = name };
	struct runset from = { 0 };
	reader_fn fn;
	char *own = name ? strdup(name) : runset__name_of(path);
	int rc = own ? slurp(path, &src, err) : runset__nomem(err);

	if (rc)
		goto out;
	src.name = own;
	fn = reader(&src);
	if (!fn) {
		mig_err__set(err, -EINVAL, "%s: not a results file of a kind I know", path);
		rc = mig_err__hint(err, "known: perf migstat stat -o, LKP stats.json and "
					"matrix.json, perf stat -x, and -j, hyperfine "
					"--export-json, Go benchmark text");
		goto out;
	}
	rc = fn(&from, &src, err);
	if (!rc && !from.nr)
		rc = mig_err__set(err, -ENODATA, "%s holds no runs", path);
	if (!rc && join(set, &from, path))
		rc = runset__nomem(err);
out:
	runset__exit(&from);
	free(own);
	free(src.text);
	return rc;
}
