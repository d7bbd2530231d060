// SPDX-License-Identifier: GPL-2.0
#include "select.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cgroup.h"
#include "err.h"
#include "strtab.h"
#include "topo.h"

#define MAX_CPUS 65536

void select__init(struct select *s)
{
	memset(s, 0, sizeof(*s));
	s->empty = true;
}

void select__exit(struct select *s)
{
	if (s->also)
		select__exit(s->also);
	free(s->also);
	free(s->ranges);
	free(s->percents);
	free(s->cpus);
	free(s->pids);
	free(s->tids);
	free(s->comms);
	memset(s, 0, sizeof(*s));
}

static void *grow(void *p, size_t nr, size_t size)
{
	return realloc(p, (nr + 1) * size);
}

static int bad_time(const char *arg, struct mig_err *err)
{
	mig_err__usage(err, "--time %s: not a time", arg);
	return mig_err__hint(err, "use start,stop in seconds as perf script prints them (either "
				  "may be "
				  "empty), n%%/m or a%%-b%%");
}

/* Seconds with up to 9 decimals -> ns, exactly (a double would lose ns after 104 days). */
static int parse_seconds(const char *s, const char *end, uint64_t *ret_ns)
{
	uint64_t sec = 0, ns = 0, scale = 100000000;
	const char *p = s;

	for (; p < end && *p >= '0' && *p <= '9'; p++) {
		if (sec > UINT64_MAX / 20)
			return -EINVAL;
		sec = sec * 10 + (uint64_t)(*p - '0');
	}
	if (p < end && *p == '.')
		for (p++; p < end && *p >= '0' && *p <= '9'; p++, scale /= 10)
			ns += scale * (uint64_t)(*p - '0');
	if (p != end || p == s || sec > UINT64_MAX / 1000000000 - 1)
		return -EINVAL;
	*ret_ns = sec * 1000000000 + ns;
	return 0;
}

static int add_percent(struct select *s, double from, double to)
{
	struct select_percent *p = grow(s->percents, s->nr_percents, sizeof(*p));

	if (!p)
		return -ENOMEM;
	s->percents = p;
	p[s->nr_percents++] = (struct select_percent){ from, to };
	return 0;
}

static int parse_percent(struct select *s, const char *word, struct mig_err *err)
{
	char *end, *end2;
	double a = strtod(word, &end), b;

	if (end == word || *end != '%' || a < 0 || a > 100)
		return bad_time(word, err);
	if (end[1] != '/' && end[1] != '-')
		return bad_time(word, err);
	b = strtod(end + 2, &end2);
	if (end[1] == '/' && end2 != end + 2 && !*end2 && b >= 1 && a > 0 && a * b <= 100.0 + 1e-9)
		return add_percent(s, a * (b - 1) / 100, a * b / 100);
	if (end[1] == '-' && end2 != end + 2 && *end2 == '%' && !end2[1] && b >= a && b <= 100)
		return add_percent(s, a / 100, b / 100);
	return bad_time(word, err);
}

int select__time(struct select *s, const char *arg, struct mig_err *err)
{
	struct select_range r = { 0, UINT64_MAX }, *p;
	const char *comma, *end;

	if (!arg)
		return 0;
	s->empty = false;
	if (strchr(arg, '%')) {
		char *copy = strdup(arg), *save = NULL, *w;
		int ret = copy ? 0 : -ENOMEM;

		for (w = copy ? strtok_r(copy, ", ", &save) : NULL; w && !ret;
		     w = strtok_r(NULL, ", ", &save))
			ret = parse_percent(s, w, err);
		free(copy);
		return ret;
	}
	comma = strchr(arg, ',');
	end = arg + strlen(arg);
	if ((comma ? comma : end) != arg && parse_seconds(arg, comma ? comma : end, &r.from))
		return bad_time(arg, err);
	if (comma && comma[1] && parse_seconds(comma + 1, end, &r.to))
		return bad_time(arg, err);
	if (r.from > r.to)
		return bad_time(arg, err);
	p = grow(s->ranges, s->nr_ranges, sizeof(*p));
	if (!p)
		return mig_err__set(err, -ENOMEM, "out of memory");
	s->ranges = p;
	p[s->nr_ranges++] = r;
	return 0;
}

int select__resolve(struct select *s, uint64_t first, uint64_t last, struct mig_err *err)
{
	size_t i;

	if (!s->nr_percents)
		return 0;
	if (!first || last <= first) {
		mig_err__set(err, -EINVAL,
			     "--time with %%: the recording does not say when its first and "
			     "last sample were");
		return mig_err__hint(err, "give the times in seconds (start,stop)");
	}
	for (i = 0; i < s->nr_percents; i++) {
		struct select_range *p = grow(s->ranges, s->nr_ranges, sizeof(*p));

		if (!p)
			return mig_err__set(err, -ENOMEM, "out of memory");
		s->ranges = p;
		p[s->nr_ranges].from =
			first + (uint64_t)((double)(last - first) * s->percents[i].from);
		p[s->nr_ranges].to = first + (uint64_t)((double)(last - first) * s->percents[i].to);
		/* a range ends where the next one begins: what stands there belongs to one of them
		 * (set_percent_time() in tools/perf/util/time-utils.c) */
		if (p[s->nr_ranges].to > p[s->nr_ranges].from && p[s->nr_ranges].to != last)
			p[s->nr_ranges].to--;
		s->nr_ranges++;
	}
	s->nr_percents = 0;
	return 0;
}

static void set_cpu(int cpu, void *ctx)
{
	uint8_t *map = ctx;

	if (cpu >= 0 && cpu < MAX_CPUS)
		map[cpu / 8] |= (uint8_t)(1 << (cpu % 8));
}

int select__cpus(struct select *s, const char *arg, struct mig_err *err)
{
	if (!arg)
		return 0;
	s->empty = false;
	if (!s->cpus)
		s->cpus = calloc(MAX_CPUS / 8, 1);
	if (!s->cpus)
		return mig_err__set(err, -ENOMEM, "out of memory");
	if (!*arg || cpulist__for_each(arg, set_cpu, s->cpus)) {
		mig_err__usage(err, "-C %s: not a CPU list", arg);
		return mig_err__hint(err, "use numbers and ranges, as in 0-3,8");
	}
	return 0;
}

/* Ids beyond PID_MAX_LIMIT (2^22) are no tasks'. */
#define MAX_ID (1 << 22)

static bool has_id(const uint8_t *ids, int32_t id)
{
	return ids && id >= 0 && id <= MAX_ID && ids[id / 8] >> (id % 8) & 1;
}

static int add_id(uint8_t **ids, size_t *nr, int32_t id)
{
	if (!*ids)
		*ids = calloc(MAX_ID / 8 + 1, 1);
	if (!*ids)
		return -ENOMEM;
	if (!has_id(*ids, id)) {
		(*ids)[id / 8] |= (uint8_t)(1 << (id % 8));
		++*nr;
	}
	return 0;
}

static int parse_ids(const char *arg, const char *opt, uint8_t **ids, size_t *nr,
		     struct mig_err *err)
{
	const char *p = arg;

	for (;;) {
		char *end;
		long v = strtol(p, &end, 10);

		if (end == p || (*end && *end != ',') || v < 0 || v > MAX_ID)
			return mig_err__usage(err, "%s %s: not a list of numbers", opt, arg);
		if (add_id(ids, nr, (int32_t)v))
			return mig_err__set(err, -ENOMEM, "out of memory");
		if (!*end)
			return 0;
		p = end + 1;
	}
}

int select__pids(struct select *s, const char *arg, struct mig_err *err)
{
	if (!arg)
		return 0;
	s->empty = false;
	return parse_ids(arg, "--pid", &s->pids, &s->nr_pids, err);
}

int select__tids(struct select *s, const char *arg, struct mig_err *err)
{
	if (!arg)
		return 0;
	s->empty = false;
	return parse_ids(arg, "--tid", &s->tids, &s->nr_tids, err);
}

/*
 * The next part of a list of names, up to a comma that no backslash stands before, in buf (cut to
 * its size). Returns its length; *p is left at the comma or the end.
 */
static size_t next_name(const char **p, char *buf, size_t size)
{
	size_t n = 0;

	for (; **p && **p != ','; (*p)++) {
		if (**p == '\\' && (*p)[1] == ',')
			(*p)++;
		if (n < size - 1)
			buf[n++] = **p;
	}
	return n;
}

int select__comms(struct select *s, const char *arg, struct strtab *names, struct mig_err *err)
{
	const char *p = arg;

	if (!arg)
		return 0;
	s->empty = false;
	while (*p) {
		char name[64];
		size_t len = next_name(&p, name, sizeof(name));
		uint32_t *grown;

		if (len) {
			grown = grow(s->comms, s->nr_comms, sizeof(*grown));
			if (!grown)
				return mig_err__set(err, -ENOMEM, "out of memory");
			s->comms = grown;
			grown[s->nr_comms++] = strtab__intern(names, name, len);
		}
		p += *p == ',';
	}
	return s->nr_comms ? 0 : mig_err__usage(err, "--comm: an empty list");
}

int select__pair(struct select *s, const char *arg, struct strtab *names, struct mig_err *err)
{
	char side[2][64];
	const char *p = arg;
	size_t n[2] = { 0 };

	if (!arg)
		return 0;
	n[0] = next_name(&p, side[0], sizeof(side[0]));
	if (!*p) {
		mig_err__usage(err, "--pair %s: a pair is WAKER,WAKEE", arg);
		return mig_err__hint(err, "for example --pair sender,receiver; an empty side is "
					  "any task");
	}
	p++;
	n[1] = next_name(&p, side[1], sizeof(side[1]));
	if (*p)
		return mig_err__usage(err,
				      "--pair %s: more than two names; a comma in a name is "
				      "written \\,",
				      arg);
	s->empty = false;
	s->has_pair = true;
	side[0][n[0]] = side[1][n[1]] = '\0';
	if (n[0] && strcmp(side[0], "*"))
		s->pair_waker = strtab__intern(names, side[0], n[0]);
	if (n[1] && strcmp(side[1], "*"))
		s->pair_wakee = strtab__intern(names, side[1], n[1]);
	return 0;
}

static uint8_t who_is(const char *arg, size_t len)
{
	static const char *const words[] = {
		[SELECT_IRQ] = "[irq]",
		[SELECT_RECORDER] = "[recorder]",
		[SELECT_IDLE] = "[idle]",
	};
	uint8_t i;

	for (i = SELECT_IRQ; i <= SELECT_IDLE; i++)
		if (strlen(words[i]) == len && !memcmp(words[i], arg, len))
			return i;
	return SELECT_COMM;
}

int select__row(struct select *s, const char *arg, bool open_irq, struct strtab *names,
		struct mig_err *err)
{
	const char *comma;
	int ret = select__pair(s, arg, names, err);

	if (ret || !arg)
		return ret;
	s->pair_as_row = true;
	s->pair_open_irq = open_irq;
	for (comma = arg; *comma != ','; comma++)
		comma += *comma == '\\';
	s->waker_who = who_is(arg, (size_t)(comma - arg));
	s->wakee_who = who_is(comma + 1, strlen(comma + 1));
	return 0;
}

struct select *select__also(struct select *s)
{
	for (; s->also; s = s->also)
		s->empty = false;
	s->also = malloc(sizeof(*s->also));
	if (!s->also)
		return NULL;
	s->empty = false;
	select__init(s->also);
	return s->also;
}

void select__forked(struct select *s, int32_t pid, int32_t ppid)
{
	if (!s->follow || pid == ppid || pid < 0 || pid > MAX_ID)
		return;
	if (has_id(s->pids, ppid))
		(void)add_id(&s->pids, &s->nr_pids, pid); /* no memory: it is not followed */
}

static bool in_time(const struct select *s, uint64_t time)
{
	size_t i;

	for (i = 0; i < s->nr_ranges; i++)
		if (time >= s->ranges[i].from && time <= s->ranges[i].to)
			return true;
	return !s->nr_ranges;
}

static bool on_cpu(const struct select *s, int cpu)
{
	return !s->cpus || (cpu >= 0 && cpu < MAX_CPUS && s->cpus[cpu / 8] >> (cpu % 8) & 1);
}

static bool is_task(const struct select *s, int32_t pid, int32_t tid, uint32_t comm)
{
	bool pid_fits = has_id(s->pids, pid), tid_fits = has_id(s->tids, tid);
	size_t i;

	if (s->only_cgroups && !cgroup_map__has(s->cgroup_map, tid, s->only_cgroups))
		return false;
	if (s->either) {
		if (!pid_fits && !tid_fits &&
		    !(s->cgroups && cgroup_map__has(s->cgroup_map, tid, s->cgroups)))
			return false;
	} else if ((s->nr_pids && !pid_fits) || (s->nr_tids && !tid_fits)) {
		return false;
	}
	for (i = 0; i < s->nr_comms; i++)
		if (s->comms[i] == comm)
			return true;
	return !s->nr_comms;
}

/* As a row's key is made (group.c). */
static bool is_side(uint8_t who, uint32_t want, uint32_t comm, int32_t tid, bool is_recorder)
{
	uint8_t is = is_recorder ? SELECT_RECORDER : !tid ? SELECT_IDLE : SELECT_COMM;

	return is == who && (who != SELECT_COMM || !want || want == comm);
}

static bool is_row(const struct select *s, const struct mig_wakeup *w)
{
	bool irq = w->partner == MIG_PARTNER_NO && !s->pair_open_irq;

	if (irq != (s->waker_who == SELECT_IRQ))
		return false;
	return (irq || is_side(s->waker_who, s->pair_waker, w->waker_comm, w->waker_tid,
			       w->waker_is_recorder)) &&
	       is_side(s->wakee_who, s->pair_wakee, w->wakee_comm, w->wakee_tid,
		       w->wakee_is_recorder);
}

static bool is_pair(const struct select *s, const struct mig_wakeup *w)
{
	if (!s->has_pair)
		return true;
	if (s->pair_as_row)
		return w && is_row(s, w);
	return w && (!s->pair_waker || s->pair_waker == w->waker_comm) &&
	       (!s->pair_wakee || s->pair_wakee == w->wakee_comm);
}

bool select__wakeup(const struct select *s, const struct mig_wakeup *f)
{
	if (s->empty)
		return true;
	return in_time(s, f->time) && is_pair(s, f) &&
	       (on_cpu(s, f->cpu) || on_cpu(s, f->waker_cpu)) &&
	       (is_task(s, f->wakee_pid, f->wakee_tid, f->wakee_comm) ||
		is_task(s, f->waker_pid, f->waker_tid, f->waker_comm)) &&
	       (!s->also || select__wakeup(s->also, f));
}

/* The moves of a pair are those of its wakee. */
static bool is_wakee(const struct select *s, const struct mig_migration *f)
{
	if (s->has_pair && s->pair_as_row)
		return is_side(s->wakee_who, s->pair_wakee, f->comm, f->tid, f->is_recorder);
	return !s->has_pair || !s->pair_wakee || s->pair_wakee == f->comm;
}

bool select__migration(const struct select *s, const struct mig_migration *f)
{
	if (s->empty)
		return true;
	return in_time(s, f->time) && (on_cpu(s, f->from) || on_cpu(s, f->to)) &&
	       is_task(s, f->pid, f->tid, f->comm) && is_wakee(s, f) &&
	       (!s->also || select__migration(s->also, f));
}

bool select__slice(const struct select *s, const struct mig_slice *f)
{
	if (s->empty)
		return true;
	return in_time(s, f->time) && on_cpu(s, f->cpu) && is_task(s, f->pid, f->tid, f->comm) &&
	       (!s->has_pair || is_pair(s, f->wakeup)) && (!s->also || select__slice(s->also, f));
}

bool select__fork(const struct select *s, const struct mig_fork *f)
{
	if (s->empty)
		return true;
	return in_time(s, f->time) && (on_cpu(s, f->from) || on_cpu(s, f->to)) &&
	       is_task(s, f->pid, f->tid, f->comm) && !s->has_pair &&
	       (!s->also || select__fork(s->also, f));
}

bool select__sample(const struct select *s, const struct mig_sample *f)
{
	if (s->empty)
		return true;
	return in_time(s, f->time) && on_cpu(s, f->cpu) && is_task(s, f->pid, f->tid, f->comm) &&
	       (!s->has_pair || (s->pair_samples && is_pair(s, f->wakeup))) &&
	       (!s->also || select__sample(s->also, f));
}
