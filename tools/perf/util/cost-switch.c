// SPDX-License-Identifier: GPL-2.0
#include "cost-switch.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "err.h"

enum { HOPS = 8, BATCH_MAX = 64 };

/* What the processes and the one that forked them share. */
struct shared {
	size_t nr;
	int error; /* errno */
	struct cost_sample s[BATCH_MAX];
};

struct player {
	struct cost_set set;
	bool has_set;
	unsigned long sum;
};

struct pipes {
	int there[2], back[2], self[2];
};

struct visit {
	const struct cost_switch_point *p;
	const struct cost_config *cf;
	unsigned max;
	double seconds;
	struct shared *shared;
};

static bool get(int fd)
{
	char c;
	ssize_t n;

	do
		n = read(fd, &c, 1);
	while (n < 0 && errno == EINTR);
	return n == 1;
}

static bool put(int fd)
{
	ssize_t n;

	do
		n = write(fd, "x", 1);
	while (n < 0 && errno == EINTR);
	return n == 1;
}

static void touch(struct player *pl)
{
	if (pl->has_set)
		pl->sum += cost_set__touch(&pl->set);
}

static int player__init(struct player *pl, const struct visit *v, unsigned seed)
{
	struct mig_err err;
	int ret;

	memset(pl, 0, sizeof(*pl));
	if (!v->p->size)
		return 0;
	ret = cost_set__init(&pl->set, v->p->size, v->p->pattern, COST_4K, v->cf->write, &err);
	if (ret)
		return ret;
	pl->has_set = true;
	pl->set.seed += seed;
	cost_set__fill(&pl->set);
	touch(pl);
	return 0;
}

/* Answers until the other one closes its pipe. */
static void __attribute__((noreturn)) partner(const struct visit *v, const struct pipes *pp)
{
	struct player pl;

	close(pp->there[1]);
	close(pp->back[0]);
	if (player__init(&pl, v, 1000 + v->p->nr_allocs))
		_exit(1);
	while (get(pp->there[0])) {
		touch(&pl);
		if (!put(pp->back[1]))
			break;
	}
	_exit(0);
}

/* ns for each hop of one process with itself. */
static bool single(struct player *pl, const struct pipes *pp, double *ret_ns)
{
	double t0 = cost__now_ns();

	for (int i = 0; i < HOPS; i++) {
		if (!put(pp->self[1]) || !get(pp->self[0]))
			return false;
		touch(pl);
	}
	*ret_ns = (cost__now_ns() - t0) / HOPS;
	return true;
}

/* ns for each switch: there and back are two. */
static bool both(struct player *pl, const struct pipes *pp, double *ret_ns)
{
	double t0 = cost__now_ns();

	for (int i = 0; i < HOPS; i += 2) {
		if (!put(pp->there[1]) || !get(pp->back[0]))
			return false;
		touch(pl);
	}
	*ret_ns = (cost__now_ns() - t0) / HOPS;
	return true;
}

static int play(const struct visit *v, const struct pipes *pp)
{
	double end = cost__now_ns() + v->seconds * 1e9, ns;
	struct shared *sh = v->shared;
	struct player pl;
	int ret = player__init(&pl, v, v->p->nr_allocs);

	/* the partner is there, and both are warm */
	if (!ret && !both(&pl, pp, &ns))
		ret = -EPIPE;
	while (!ret && sh->nr < v->max && !v->cf->stop() && (!sh->nr || cost__now_ns() < end)) {
		struct cost_sample *s = &sh->s[sh->nr];
		struct rusage a, b;

		*s = (struct cost_sample){ .probe_before = 1,
					   .probe_after = 1,
					   .alloc = v->p->nr_allocs };
		touch(&pl);
		getrusage(RUSAGE_SELF, &a);
		if (!single(&pl, pp, &s->stay))
			ret = -EPIPE;
		getrusage(RUSAGE_SELF, &b);
		if (!ret && !both(&pl, pp, &s->moved))
			ret = -EPIPE;
		/* within 'both' the partner's own preemption looks the same */
		if (a.ru_nivcsw != b.ru_nivcsw)
			s->drop = COST_SWITCHED;
		sh->nr += !ret;
	}
	return ret;
}

/* The process that measures: pins itself, then starts its partner, which inherits that. */
static void __attribute__((noreturn)) measure(const struct visit *v, pid_t parent)
{
	int cpu = v->cf->cpu[0], ret = 0;
	cpu_set_t *set = CPU_ALLOC(cpu + 1);
	size_t size = CPU_ALLOC_SIZE(cpu + 1);
	struct pipes pp;
	pid_t pid;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!set || getppid() != parent)
		_exit(1);
	CPU_ZERO_S(size, set);
	CPU_SET_S(cpu, size, set);
	signal(SIGPIPE, SIG_IGN);
	if (sched_setaffinity(0, size, set) || pipe(pp.there) || pipe(pp.back) || pipe(pp.self))
		ret = -errno;
	if (!ret) {
		parent = getpid();
		pid = fork();
		if (!pid) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			if (getppid() == parent)
				partner(v, &pp);
			_exit(1);
		}
		close(pp.there[0]);
		close(pp.back[1]);
		ret = pid < 0 ? -errno : play(v, &pp);
		close(pp.there[1]);
		while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	v->shared->error = -ret;
	_exit(ret ? 1 : 0);
}

static int visit(struct cost_switch *s, struct cost_switch_point *p, double seconds,
		 struct shared *shared, struct mig_err *err)
{
	struct visit v = { p, &s->config, s->config.repeat / s->config.allocs + 1, seconds,
			   shared };
	pid_t pid, parent = getpid();
	int status, ret = 0;

	shared->nr = 0;
	shared->error = 0;
	if (v.max > BATCH_MAX)
		v.max = BATCH_MAX;
	pid = fork();
	if (!pid)
		measure(&v, parent);
	if (pid < 0)
		return mig_err__set(err, -errno, "cannot start a process: %s", strerror(errno));
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		kill(pid, SIGTERM); /* it ends after the sample it is at */
	if (shared->error || !WIFEXITED(status) || WEXITSTATUS(status))
		return mig_err__set(err, -EIO, "the processes on CPU %d failed: %s",
				    s->config.cpu[0],
				    shared->error ? strerror(shared->error) : "killed");
	for (size_t i = 0; i < shared->nr && !ret; i++)
		ret = cost_samples__add(&p->samples, &shared->s[i]);
	p->nr_allocs++;
	return ret ? mig_err__set(err, ret, "out of memory") : 0;
}

int cost_switch__init(struct cost_switch *s, const struct cost_config *config, struct mig_err *err)
{
	memset(s, 0, sizeof(*s));
	s->config = *config;
	s->point = calloc(1 + config->nr_sizes * COST_NR_PATTERNS, sizeof(*s->point));
	if (!s->point)
		return mig_err__set(err, -ENOMEM, "out of memory");
	s->nr_points = 1;
	for (int pattern = 0; pattern < COST_NR_PATTERNS; pattern++) {
		for (size_t i = 0; i < config->nr_sizes && config->pattern[pattern]; i++) {
			s->point[s->nr_points].size = config->size[i];
			s->point[s->nr_points++].pattern = pattern;
		}
	}
	return 0;
}

void cost_switch__exit(struct cost_switch *s)
{
	for (size_t i = 0; i < s->nr_points; i++)
		cost_samples__exit(&s->point[i].samples);
	free(s->point);
	memset(s, 0, sizeof(*s));
}

/* All points once for each fresh allocation, so that what changes over time falls on all. */
static int run_rounds(struct cost_switch *s, double first, struct shared *shared,
		      struct mig_err *err)
{
	double end = first + s->config.seconds * 1e9, now;
	int ret = 0;

	for (unsigned round = 0; round < s->config.allocs; round++) {
		for (size_t i = 0; i < s->nr_points && !ret; i++) {
			size_t left = (s->config.allocs - round) * s->nr_points - i;

			now = cost__now_ns();
			s->stopped |= s->config.stop();
			if (s->stopped || now >= end)
				return 0;
			ret = visit(s, &s->point[i], (end - now) / 1e9 / left, shared, err);
			if (s->config.progress)
				s->config.progress((now - first) / 1e6, s->config.seconds * 1000,
						   NULL);
		}
	}
	return ret;
}

int cost_switch__run(struct cost_switch *s, struct mig_err *err)
{
	const struct cost_modes one = { .mode = { { .hi = INFINITY, .median = 1 } }, .nr = 1 };
	double first = cost__now_ns();
	struct shared *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int ret;

	if (shared == MAP_FAILED)
		return mig_err__set(err, -ENOMEM, "out of memory");
	ret = run_rounds(s, first, shared, err);
	munmap(shared, sizeof(*shared));
	s->stopped |= s->config.stop();
	s->seconds = (cost__now_ns() - first) / 1e9;
	for (size_t i = 0; i < s->nr_points && !ret; i++) {
		if (cost_figures__fill(&s->point[i].samples, &one, 0, &s->point[i].fig))
			ret = mig_err__set(err, -ENOMEM, "out of memory");
	}
	return ret;
}

double cost_switch__indirect(const struct cost_switch *s, const struct cost_switch_point *p)
{
	return p->fig.cost - s->point[0].fig.cost;
}
