// SPDX-License-Identifier: GPL-2.0
#include "input.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "err.h"
#include "progress.h"

enum {
	KEY_COMM = 0x1000,
	KEY_PID,
	KEY_TID,
	KEY_TIME,
	KEY_KALLSYMS,
	KEY_SYMFS,
	KEY_SYSROOT,
	KEY_PAIR,
	KEY_CGROUP,
	KEY_IGNORE_CALLCHAIN,
	KEY_IGNORE_HELPERS,
};

static const struct argp_option input_options[] = {
	{ NULL, 0, NULL, 0, "Input:", 1 },
	{ "input", 'i', "FILE", 0, "recording to read, - for standard input (default perf.data)",
	  1 },
	{ "force", 'f', NULL, 0, "read it though it belongs to another user", 1 },
	{ "kallsyms", KEY_KALLSYMS, "FILE", 0, "kernel symbols of the recording, plain or gzip",
	  1 },
	{ "symfs", KEY_SYMFS, "DIR", 0, "look for the kernel's vmlinux below DIR", 1 },
	{ "sysroot", KEY_SYSROOT, "DIR", 0,
	  "take the topology from DIR/sys instead of the recording", 1 },
	{ NULL, 0, NULL, 0, "Selection (the model sees all events, the output these):", 2 },
	{ "cpu", 'C', "LIST", 0, "these CPUs", 2 },
	{ "comm", KEY_COMM, "LIST", 0, "tasks of these names; a wakeup counts by either side", 2 },
	{ "comms", KEY_COMM, NULL, OPTION_ALIAS, NULL, 2 },
	{ "pid", KEY_PID, "LIST", 0, "these processes", 2 },
	{ "tid", KEY_TID, "LIST", 0, "these threads", 2 },
	{ "cgroup", KEY_CGROUP, "LIST", 0, "tasks in these cgroups or below them", 2 },
	{ "time", KEY_TIME, "RANGE", 0, "start,stop in seconds, n%/m or a%-b%", 2 },
	{ "pair", KEY_PAIR, "A,B", 0, "wakeups of B by A; an empty side is any task", 2 },
	{ NULL, 0, NULL, 0, "Inference, for checking:", 3 },
	{ "ignore-callchain", KEY_IGNORE_CALLCHAIN, NULL, 0, "do as if there were no callchains",
	  3 },
	{ "ignore-helpers", KEY_IGNORE_HELPERS, NULL, 0,
	  "do as if there were no softirq and sched_setaffinity events", 3 },
	{ NULL, 0, NULL, 0, "Common:", -1 },
	{ "quiet", 'q', NULL, 0, "no warnings, no progress", -1 },
	{ "verbose", 'v', NULL, 0,
	  "more: report: rows that are folded otherwise, all causes, odd sequences; script: "
	  "the kernel functions of each waking",
	  -1 },
	{ 0 },
};

static error_t input_parse(int key, char *arg, struct argp_state *state)
{
	struct input_opts *o = state->input;
	struct session_opts *s = &o->session;

	switch (key) {
	case 'i':
		s->input = arg;
		break;
	case 'f':
		o->force = true;
		break;
	case KEY_KALLSYMS:
		s->kallsyms = arg;
		break;
	case KEY_SYMFS:
		s->symfs = arg;
		break;
	case KEY_SYSROOT:
		s->sysroot = arg;
		break;
	case 'C':
		s->cpus = arg;
		break;
	case KEY_COMM:
		s->comms = arg;
		break;
	case KEY_PID:
		s->pids = arg;
		break;
	case KEY_TID:
		s->tids = arg;
		break;
	case KEY_TIME:
		s->time = arg;
		break;
	case KEY_CGROUP:
		s->cgroups = arg;
		break;
	case KEY_PAIR:
		s->pair = arg;
		break;
	case KEY_IGNORE_CALLCHAIN:
		s->ignore_callchain = true;
		break;
	case KEY_IGNORE_HELPERS:
		s->ignore_helpers = true;
		break;
	case 'q':
		o->quiet = true;
		break;
	case 'v':
		o->verbose++;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp input_argp = { .options = input_options, .parser = input_parse };

void input__init(struct input_opts *opts, struct argp_state *state)
{
	state->child_inputs[0] = opts;
}

/* perf reads only files of the user or of root: a recording can make a reader do much. */
static int check_owner(const char *path, struct mig_err *err)
{
	struct stat st;

	if (!stat(path, &st) && st.st_uid && st.st_uid != geteuid() && geteuid()) {
		mig_err__set(err, -EACCES, "%s belongs to another user", path);
		return mig_err__hint(err, "-f reads it all the same");
	}
	return 0;
}

static bool stdin_is_pipe(void)
{
	struct stat st;

	return !fstat(STDIN_FILENO, &st) && S_ISFIFO(st.st_mode);
}

int input__open(struct input_opts *opts, struct session **ret_s, struct mig_err *err)
{
	struct session_opts *s = &opts->session;
	int ret;

	if (!s->input)
		s->input = access("perf.data", F_OK) && stdin_is_pipe() ? "-" : "perf.data";
	if (!opts->force && strcmp(s->input, "-")) {
		ret = check_owner(s->input, err);
		if (ret)
			return ret;
	}
	if (!opts->quiet)
		s->progress = progress__update;
	return session__open(s, ret_s, err);
}

void input__warn(const struct input_opts *opts, const struct session *s)
{
	size_t i;

	progress__finish();
	if (opts->quiet)
		return;
	for (i = 0; i < session__nr_warnings(s); i++)
		fprintf(stderr, "Warning: %s\n", session__warning(s, i));
	if (s->dec.bad_event[0])
		fprintf(stderr,
			"Warning: %s cannot be read: its format in the recording is damaged\n",
			s->dec.bad_event);
	if (sched_model__ids_differ(&s->model))
		fprintf(stderr,
			"Warning: recorded in a container: the samples hold its task ids, the "
			"events the host's; sampled counts cannot be given to tasks of the events "
			"(record on the host)\n");
	if (s->dec.no_cpu)
		fprintf(stderr,
			"Warning: %" PRIu64 " scheduler events do not say on which CPU or when: "
			"delays, "
			"run times, paths and causes are unknown (record with -a)\n",
			s->dec.no_cpu);
	if (s->dec.undecoded)
		fprintf(stderr,
			"Warning: %" PRIu64 " samples do not fit their event's format: they count "
			"for nothing\n",
			s->dec.undecoded);
}
