// SPDX-License-Identifier: GPL-2.0
/*
 * record-options: walks the command line along the table (help: record-help.c).
 *
 * Like perf record itself, stops at the first word that is no option: that is the command.
 */
#include "record-options.h"
#include "record-table.h"
#include "util/err.h"
#include "util/evstr.h"

#include <ctype.h>
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One option as found on the command line. */
struct found {
	const struct record_option *opt;
	const char *arg; /* NULL = none given */
	const char *shown; /* as the user wrote it, for messages: "-p", "--pid" */
	bool negated; /* --no-NAME */
};

static const struct record_option *find_key(char key)
{
	int nr;
	const struct record_option *t = record_table(&nr);

	for (int i = 0; i < nr; i++) {
		if (t[i].key == key)
			return &t[i];
	}
	return NULL;
}

/* By exact name or unique beginning, as perf takes them; *ret_other is set if there are two. */
static const struct record_option *find_name(const char *name, size_t len,
					     const struct record_option **ret_other)
{
	int nr;
	const struct record_option *t = record_table(&nr), *found = NULL;

	*ret_other = NULL;
	for (int i = 0; i < nr; i++) {
		if (!t[i].name || strncmp(t[i].name, name, len))
			continue;
		if (!t[i].name[len]) {
			*ret_other = NULL;
			return &t[i];
		}
		if (found)
			*ret_other = &t[i];
		else
			found = &t[i];
	}
	return found;
}

const char *record_options__action(const char *word)
{
	static const char *const names[] = {
		[RECORD_PASS] = "pass",     [RECORD_BIND] = "bind",   [RECORD_FILTER] = "filter",
		[RECORD_REFUSE] = "refuse", [RECORD_OTHER] = "other", [RECORD_OURS] = "ours",
		[RECORD_HIDDEN] = "hidden",
	};
	const struct record_option *opt = NULL, *other;

	if (!strncmp(word, "--", 2))
		opt = find_name(word + 2, strlen(word + 2), &other);
	else if (word[0] == '-' && word[1] && !word[2])
		opt = find_key(word[1]);
	return opt ? names[opt->action] : NULL;
}

static int add_miss_events(struct record_options *o, const char *list, struct mig_err *err)
{
	size_t len;

	for (; *list; list += len + (list[len] == ',')) {
		len = evstr__len(list);
		if (*list == '{')
			return mig_err__set(err, -EINVAL,
					    "--miss-event %s: without braces; all its "
					    "events are in the group of sched_switch",
					    list);
		if (!len)
			continue;
		if (o->miss.nr == EVENTS_MISS_MAX)
			return mig_err__set(err, -EINVAL,
					    "--miss-event: at most %d events, each "
					    "takes a counter",
					    EVENTS_MISS_MAX);
		argv__addf(&o->miss, "%.*s", (int)len, list);
	}
	return 0;
}

static int check_number(const char *shown, const char *arg, struct mig_err *err)
{
	char *end;

	errno = 0;
	if (!isdigit((unsigned char)*arg) || !strtoull(arg, &end, 10) || *end || errno)
		return mig_err__set(err, -EINVAL, "%s %s: a number above 0 is wanted", shown, arg);
	return 0;
}

static int apply_ours(struct record_options *o, const struct found *f, struct mig_err *err)
{
	const char *name = f->opt->name;

	if (!strcmp(name, "miss-event"))
		return add_miss_events(o, f->arg, err);
	if (!strcmp(name, "miss-sample")) {
		o->want.miss_sample = true;
		o->want.miss_period = f->arg;
		return f->arg ? check_number(f->shown, f->arg, err) : 0;
	}
	if (!strcmp(name, "no-wake-chain"))
		o->want.no_chain = true;
	else if (!strcmp(name, "wakeup"))
		o->want.wakeup = !f->negated;
	else if (!strcmp(name, "anatomy"))
		o->want.anatomy = !f->negated;
	else if (!strcmp(name, "sysroot"))
		o->sysroot = f->arg;
	return 0;
}

/* Process or thread ids, all alive. */
static int check_tasks(const char *shown, const char *list, struct mig_err *err)
{
	char path[64], *end;

	for (const char *p = list;; p = end + 1) {
		long id = isdigit((unsigned char)*p) ? strtol(p, &end, 10) : 0;

		if (id <= 0 || id > 0x7fffffff || (*end && *end != ','))
			return mig_err__set(err, -EINVAL, "%s %s: numbers with commas are wanted",
					    shown, list);
		snprintf(path, sizeof(path), "/proc/%ld", id);
		if (access(path, F_OK))
			return mig_err__set(err, -ESRCH, "%s %s: there is no task %ld", shown, list,
					    id);
		if (!*end)
			return 0;
	}
}

/* User names or numbers to numbers: the report runs elsewhere, where the names mean others. */
static int resolve_users(struct record_options *o, const char *list, struct mig_err *err)
{
	struct argv ids = { 0 };
	char name[256], *end;
	size_t len;

	for (const char *p = list; *p; p += len + (p[len] == ',')) {
		struct passwd *pw;
		unsigned long id;

		len = strcspn(p, ",");
		snprintf(name, sizeof(name), "%.*s", (int)len, p);
		pw = getpwnam(name);
		id = pw ? pw->pw_uid : strtoul(name, &end, 10);
		if (!pw && (!isdigit((unsigned char)*name) || *end)) {
			argv__exit(&ids);
			return mig_err__set(err, -EINVAL, "-u %s: there is no user '%s'", list,
					    name);
		}
		argv__addf(&ids, "%s%lu", ids.nr ? "," : "", id);
	}
	o->uids = calloc(ids.nr + 1, 16);
	for (int i = 0; o->uids && i < ids.nr; i++)
		strcat(o->uids, ids.v[i]);
	argv__exit(&ids);
	o->tasks.uids = o->uids;
	return o->uids ? 0 : mig_err__set(err, -ENOMEM, "out of memory");
}

static int apply_filter(struct record_options *o, const struct found *f, struct mig_err *err)
{
	const char **at = NULL;

	switch (f->opt->key) {
	case 'p':
		at = &o->tasks.pids;
		break;
	case 't':
		at = &o->tasks.tids;
		break;
	case 'u':
		at = &o->tasks.uids;
		break;
	default:
		at = &o->tasks.cgroups;
		break;
	}
	if (*at)
		return mig_err__set(err, -EINVAL, "%s twice: give one list with commas", f->shown);
	*at = f->arg;
	if (f->opt->key == 'p' || f->opt->key == 't')
		return check_tasks(f->shown, f->arg, err);
	return f->opt->key == 'u' ? resolve_users(o, f->arg, err) : 0;
}

/* "dwarf,4096" as terms of one event; the mode before the comma is all that others need. */
static int set_chain(struct record_options *o, const char *mode, struct mig_err *err)
{
	size_t len = strcspn(mode, ",");

	o->chain = mode;
	if (!strncmp(mode, "dwarf,", 6))
		snprintf(o->chain_term, sizeof(o->chain_term), "dwarf,stack-size=%s", mode + 6);
	else if (!strncmp(mode, "no", len) || !len || len >= sizeof(o->chain_term))
		return mig_err__set(err, -EINVAL,
				    "--call-graph %s: fp, dwarf[,SIZE] or lbr is wanted; "
				    "--no-wake-chain is the way to have none",
				    mode);
	else
		snprintf(o->chain_term, sizeof(o->chain_term), "%.*s", (int)len, mode);
	return 0;
}

static int apply_bound(struct record_options *o, const struct found *f, struct mig_err *err)
{
	const char *name = f->opt->name;

	switch (f->opt->key) {
	case 'e':
		argv__add(&o->user_events, "-e");
		argv__add(&o->user_events, f->arg);
		return 0;
	case 'c':
		o->count = f->arg;
		return check_number(f->shown, f->arg, err);
	case 'F':
		o->freq = f->arg;
		return strcmp(f->arg, "max") ? check_number(f->shown, f->arg, err) : 0;
	case 'g':
		return set_chain(o, "fp", err);
	default:
		break;
	}
	if (!strcmp(name, "call-graph"))
		return set_chain(o, f->arg, err);
	if (!strcmp(name, "filter")) {
		if (!o->user_events.nr)
			return mig_err__set(err, -EINVAL,
					    "--filter binds to the -e before it, and there "
					    "is none; our own events are needed whole, the report "
					    "has "
					    "--comm, --pid, --tid and --cpu");
		argv__add(&o->user_events, "--filter");
		argv__add(&o->user_events, f->arg);
	} else if (o->user_events.nr) {
		argv__add(&o->user_events, "--exclude-perf");
	} else {
		o->exclude_perf = true;
	}
	return 0;
}

/* To perf in one word, so that nothing can be taken for something else. */
static void pass(struct record_options *o, const struct found *f)
{
	const struct record_option *opt = f->opt;

	if (!opt->name)
		argv__addf(&o->rest, "-%c%s", opt->key, f->arg ? f->arg : "");
	else if (f->negated)
		argv__addf(&o->rest, "--no-%s", opt->name);
	else if (f->arg)
		argv__addf(&o->rest, "--%s=%s", opt->name, f->arg);
	else
		argv__addf(&o->rest, "--%s", opt->name);
}

static int apply_other(struct record_options *o, const struct found *f)
{
	switch (f->opt->key) {
	case 'h':
		o->help = true;
		return 0;
	case 'a':
	case 's':
		return 0;
	case 'o': /* as two words, the way everybody writes and greps it */
		o->output = f->arg;
		argv__add(&o->rest, "-o");
		argv__add(&o->rest, f->arg);
		return 0;
	case 'm':
		o->rings = true;
		break;
	case 'q':
		o->quiet = !f->negated;
		break;
	case 'v':
		o->verbose = !f->negated;
		break;
	default:
		if (!strcmp(f->opt->name, "kernel-callchains")) {
			o->kernel_chains = !f->negated;
			return 0;
		}
		o->dry_run = !f->negated;
		break;
	}
	pass(o, f);
	return 0;
}

static int apply(struct record_options *o, const struct found *f, struct mig_err *err)
{
	switch (f->opt->action) {
	case RECORD_OURS:
	case RECORD_HIDDEN:
		return apply_ours(o, f, err);
	case RECORD_FILTER:
		return apply_filter(o, f, err);
	case RECORD_BIND:
		return apply_bound(o, f, err);
	case RECORD_OTHER:
		return apply_other(o, f);
	case RECORD_REFUSE:
		return mig_err__set(err, -EINVAL, "%s: %s", f->shown, f->opt->text);
	default:
		if (f->opt->name && (!strncmp(f->opt->name, "switch-output", 13) ||
				     !strcmp(f->opt->name, "timestamp-filename")))
			o->many_outputs = !f->negated;
		pass(o, f);
		return 0;
	}
}

/*
 * Finds a long option, also as --no-NAME where that makes sense. f->opt stays NULL if there is
 * none; -EINVAL if there are two.
 */
static int find_long(const char *name, size_t len, struct found *f, struct mig_err *err)
{
	const struct record_option *other;

	f->opt = find_name(name, len, &other);
	if (!f->opt && len > 3 && !strncmp(name, "no-", 3)) {
		f->opt = find_name(name + 3, len - 3, &other);
		f->negated = true;
	}
	if (other)
		return mig_err__set(err, -EINVAL, "%s: is it --%s or --%s?", f->shown, f->opt->name,
				    other->name);
	if (f->negated && f->opt && (f->opt->arg == RECORD_ARG || f->opt->action == RECORD_REFUSE))
		f->opt = NULL;
	return 0;
}

/* The next word, if the option wants an argument and has none yet; *i moves on over it. */
static int take_argument(struct found *f, int argc, char **argv, int *i, struct mig_err *err)
{
	if (f->opt->arg != RECORD_ARG || f->arg)
		return 0;
	if (*i + 1 >= argc)
		return mig_err__set(err, -EINVAL, "%s needs an argument: %s", f->shown,
				    f->opt->arg_name ? f->opt->arg_name : "");
	f->arg = argv[++*i];
	return 0;
}

/* A long option; *i is its place in argv and moves on over its argument. */
static int parse_long(struct record_options *o, int argc, char **argv, int *i, struct mig_err *err)
{
	const char *word = argv[*i], *name = word + 2, *equals = strchr(name, '=');
	size_t len = equals ? (size_t)(equals - name) : strlen(name);
	struct found f = { .shown = word, .arg = equals ? equals + 1 : NULL };
	int rc = find_long(name, len, &f, err);

	if (rc)
		return rc;
	if (!f.opt && equals) { /* of a newer perf, perhaps: that is asked later */
		argv__add(&o->rest, word);
		argv__addf(&o->unknown, "%.*s", (int)len, name);
		return 0;
	}
	if (!f.opt)
		return mig_err__set(err, -EINVAL,
				    "unknown option %s (an option of a newer perf record "
				    "passes as %s=VALUE)",
				    word, word);
	if (f.opt->arg == RECORD_NO_ARG && f.arg)
		return mig_err__set(err, -EINVAL, "--%s takes no argument", f.opt->name);
	rc = take_argument(&f, argc, argv, i, err);
	return rc ? rc : apply(o, &f, err);
}

/* A word of short options, "-ag", "-p12", "-z3". */
static int parse_short(struct record_options *o, int argc, char **argv, int *i, struct mig_err *err)
{
	const char *p = argv[*i] + 1;
	int rc = 0;

	while (*p && !rc) {
		char shown[3] = { '-', *p };
		struct found f = { .opt = find_key(*p++), .shown = shown };

		if (!f.opt)
			return mig_err__set(err, -EINVAL, "unknown option %s in %s", shown,
					    argv[*i]);
		if (f.opt->arg != RECORD_NO_ARG && *p) {
			f.arg = p;
			p += strlen(p);
		}
		rc = take_argument(&f, argc, argv, i, err);
		if (!rc)
			rc = apply(o, &f, err);
	}
	return rc;
}

/* The period or frequency as a term of one element of a -e list. */
static int bind_one(FILE *out, const char *ev, const char *opt, const char *term,
		    struct mig_err *err)
{
	char *bound;

	if (evstr__is_tracepoint(ev) && strcmp(term, "period=1"))
		return mig_err__set(err, -EINVAL,
				    "%s does not thin a tracepoint (%s); leave it out, or "
				    "use --filter",
				    opt, ev);
	if (evstr__is_tracepoint(ev) || strstr(ev, "period=") || strstr(ev, "freq=")) {
		fputs(ev, out);
		return 0;
	}
	bound = evstr__add_term(ev, term);
	if (!bound)
		return mig_err__set(err, -ENOMEM, "out of memory");
	fputs(bound, out);
	free(bound);
	return 0;
}

/* The same for all of the list; *ret is the new list, owned by the caller. */
static int bind_list(const char *list, const char *opt, const char *term, char **ret,
		     struct mig_err *err)
{
	size_t len, size;
	int rc = 0;
	FILE *out = open_memstream(ret, &size);

	if (!out)
		return mig_err__set(err, -ENOMEM, "out of memory");
	while (*list && !rc) {
		char *ev;

		len = evstr__len(list);
		ev = strndup(list, len);
		rc = ev ? bind_one(out, ev, opt, term, err)
			: mig_err__set(err, -ENOMEM, "no memory");
		free(ev);
		list += len;
		if (*list == ',')
			putc(*list++, out);
	}
	fclose(out);
	return rc;
}

/* The kernel's highest sampling frequency, for -F max; perf has no term for it. */
static unsigned long max_freq(void)
{
	unsigned long freq = 0;
	FILE *f = fopen("/proc/sys/kernel/perf_event_max_sample_rate", "re");

	if (f && fscanf(f, "%lu", &freq) != 1)
		freq = 0;
	if (f)
		fclose(f);
	return freq ? freq : 100000;
}

/* Each -e of the user's with the term. */
static int bind_events(struct argv *events, const char *opt, const char *term, struct mig_err *err)
{
	int rc = 0;

	for (int i = 0; !rc && i + 1 < events->nr; i++) {
		char *bound = NULL;

		if (strcmp(events->v[i], "-e"))
			continue;
		rc = bind_list(events->v[++i], opt, term, &bound, err);
		if (rc) {
			free(bound);
		} else {
			free(events->v[i]);
			events->v[i] = bound;
		}
	}
	return rc;
}

/* -c and -F become terms of the user's own events. */
static int bind_period(struct record_options *o, struct mig_err *err)
{
	const char *opt = o->count ? "-c" : "-F";
	char term[64];

	if (!o->count && !o->freq)
		return 0;
	if (o->count && o->freq)
		return mig_err__set(err, -EINVAL, "-c and -F exclude each other");
	if (!o->user_events.nr && o->count && !strcmp(o->count, "1"))
		return 0; /* what tracepoints have anyhow */
	if (!o->user_events.nr)
		return mig_err__set(err, -EINVAL,
				    "%s needs an event of your own (-e EV %s N): ours are "
				    "recorded whole; for sampled misses use --miss-sample=PERIOD",
				    opt, opt);
	if (o->count)
		snprintf(term, sizeof(term), "period=%s", o->count);
	else if (!strcmp(o->freq, "max"))
		snprintf(term, sizeof(term), "freq=%lu", max_freq());
	else
		snprintf(term, sizeof(term), "freq=%s", o->freq);
	return bind_events(&o->user_events, opt, term, err);
}

static int finish(struct record_options *o, struct mig_err *err)
{
	int rc = bind_period(o, err);

	if (rc)
		return rc;
	if (!o->miss.nr)
		argv__add(&o->miss, "cache-misses");
	o->want.nr_miss = o->miss.nr;
	for (int i = 0; i < o->miss.nr; i++)
		o->want.miss[i] = o->miss.v[i];
	if (o->chain && !o->want.no_chain)
		o->want.chain = o->chain_term;
	if (argv__failed(&o->miss) || argv__failed(&o->rest) || argv__failed(&o->user_events) ||
	    argv__failed(&o->unknown))
		return mig_err__set(err, -ENOMEM, "out of memory");
	return 0;
}

int record_options__parse(struct record_options *ret, int argc, char **argv, struct mig_err *err)
{
	int i, rc = 0;

	for (i = 1; i < argc && !rc && !ret->help; i++) {
		if (!strcmp(argv[i], "--")) {
			i++;
			break;
		}
		if (argv[i][0] != '-' || !argv[i][1])
			break;
		if (argv[i][1] == '-')
			rc = parse_long(ret, argc, argv, &i, err);
		else
			rc = parse_short(ret, argc, argv, &i, err);
	}
	if (rc || ret->help)
		return rc;
	if (i < argc) {
		ret->tasks.command = (const char *const *)argv + i;
		ret->tasks.nr_command = argc - i;
	}
	return finish(ret, err);
}

void record_options__exit(struct record_options *o)
{
	argv__exit(&o->miss);
	argv__exit(&o->user_events);
	argv__exit(&o->rest);
	argv__exit(&o->unknown);
	free(o->uids);
	o->uids = NULL;
}
