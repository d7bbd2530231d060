// SPDX-License-Identifier: GPL-2.0
#include "sched-idle.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sched-model-int.h"

enum idle_state { CPU_UNKNOWN, CPU_BUSY, CPU_IDLE };

/* How long something has been so, in all. */
struct idle_clock {
	uint64_t sum, since;
	bool on;
};

struct idle_cpu {
	int core, llc; /* indices, -1 = unknown */
	bool counts; /* it is in the topology */
	bool known, runs_idle;
	uint8_t state; /* enum idle_state */
	uint32_t queued, unbound; /* tasks that wait for it; those of them that may run elsewhere */
	uint32_t waiters; /* .. while it runs another */
	struct idle_clock clock; /* idle */
};

struct idle_core {
	int llc;
	unsigned nr, idle;
};

struct idle_group {
	unsigned nr, idle, unknown, idle_cores, waiters;
	uint64_t gone; /* how often a CPU of it became unknown */
	struct idle_clock any, core; /* a CPU, a whole core is idle */
	struct idle_interval wasted;
};

/* At the choice, and when it was put where it then waits. */
struct idle_note {
	int32_t counted; /* CPU whose `queued` it is in, -1 = none */
	uint32_t comm; /* .. that `bound` is of */
	bool bound, was_bound; /* may run on one CPU only; when it was counted */
	bool chosen; /* sets and clocks are of its open wakeup */
	int32_t cpu; /* that the clocks are of */
	uint64_t prev0, any0, llc0, core0; /* clocks then */
	uint64_t gone_any, gone_llc;
	uint64_t set[]; /* idle, known */
};

static void clock__set(struct idle_clock *c, uint64_t now, bool on)
{
	if (c->on == on)
		return;
	if (c->on)
		c->sum += now - c->since;
	c->on = on;
	c->since = now;
}

static uint64_t clock__read(const struct idle_clock *c, uint64_t now)
{
	return c->sum + (c->on ? now - c->since : 0);
}

static void interval__set(struct idle_interval *i, uint64_t now, bool on)
{
	if (i->on == on)
		return;
	if (i->on && now > i->since) {
		uint64_t ns = now - i->since;

		i->n++;
		i->sum_ns += ns;
		i->longest_ns = ns > i->longest_ns ? ns : i->longest_ns;
	}
	i->on = on;
	i->since = now;
}

/* Indices of cores and LLCs, whose ids are CPUs; *nr: how many so far. */
static int index_of(int *map, int id, unsigned *nr)
{
	if (id < 0)
		return -1;
	if (map[id] < 0)
		map[id] = (int)(*nr)++;
	return map[id];
}

static int idle__map(struct sched_idle *s, const struct topo *topo)
{
	int *cores = malloc((s->nr_cpus + 1) * sizeof(*cores)), *llcs;
	unsigned nr_cores = 0;

	llcs = malloc((s->nr_cpus + 1) * sizeof(*llcs));
	if (!cores || !llcs) {
		free(cores);
		free(llcs);
		return -ENOMEM;
	}
	memset(cores, 0xff, (s->nr_cpus + 1) * sizeof(*cores));
	memset(llcs, 0xff, (s->nr_cpus + 1) * sizeof(*llcs));
	for (unsigned i = 0; i < s->nr_cpus; i++) {
		struct idle_cpu *c = &s->cpu[i];

		c->core = index_of(cores, topo->core[i], &nr_cores);
		c->llc = index_of(llcs, topo->llc[i], &s->nr_llcs);
		c->counts = c->core >= 0 || c->llc >= 0;
		if (c->core >= 0) {
			s->core[c->core].nr++;
			s->core[c->core].llc = c->llc;
		}
	}
	free(cores);
	free(llcs);
	for (unsigned i = 0; i < s->nr_cpus; i++) {
		const struct idle_cpu *c = &s->cpu[i];

		if (c->llc >= 0) {
			s->llc[c->llc].nr++;
			s->llc[c->llc].unknown++;
		}
	}
	return 0;
}

static struct idle_group *machine(const struct sched_idle *s)
{
	return &s->llc[s->nr_cpus]; /* there are no more LLCs than CPUs */
}

struct sched_idle *sched_idle__new(const struct topo *topo)
{
	struct sched_idle *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->nr_cpus = (unsigned)topo->nr_cpus;
	s->words = (s->nr_cpus + 63) / 64;
	s->cpu = calloc(s->nr_cpus + 1, sizeof(*s->cpu));
	s->core = calloc(s->nr_cpus + 1, sizeof(*s->core));
	s->llc = calloc(s->nr_cpus + 1, sizeof(*s->llc));
	s->sets = calloc(2 * s->words + 1, sizeof(*s->sets));
	s->next = calloc(1, sizeof(*s->next) + 2 * s->words * sizeof(s->next->set[0]));
	if (!s->cpu || !s->core || !s->llc || !s->sets || !s->next || idle__map(s, topo)) {
		sched_idle__delete(s);
		return NULL;
	}
	for (unsigned i = 0; i < s->nr_cpus; i++)
		machine(s)->unknown += s->cpu[i].counts;
	if (!s->nr_cpus)
		machine(s)->unknown = 1; /* who knows */
	return s;
}

void sched_idle__delete(struct sched_idle *s)
{
	if (!s)
		return;
	free(s->cpu);
	free(s->core);
	free(s->llc);
	free(s->sets);
	free(s->next);
	free(s);
}

static void group__change(struct idle_group *g, enum idle_state from, enum idle_state to)
{
	g->idle += (to == CPU_IDLE) - (from == CPU_IDLE);
	g->unknown += (to == CPU_UNKNOWN) - (from == CPU_UNKNOWN);
	g->gone += to == CPU_UNKNOWN;
}

static void group__settle(struct idle_group *g, uint64_t now)
{
	clock__set(&g->any, now, g->idle);
	clock__set(&g->core, now, g->idle_cores);
	interval__set(&g->wasted, now, g->idle && g->waiters);
}

/* A whole core of this group is idle, or is no more. */
static void core__change(struct sched_idle *s, const struct idle_cpu *c, bool idle)
{
	struct idle_core *core = &s->core[c->core];
	bool was = core->idle == core->nr, is;

	core->idle += idle ? 1U : -1U;
	is = core->idle == core->nr;
	if (is == was)
		return;
	machine(s)->idle_cores += is ? 1U : -1U;
	if (core->llc >= 0)
		s->llc[core->llc].idle_cores += is ? 1U : -1U;
}

static void bit(uint64_t *set, unsigned i, bool on)
{
	if (on)
		set[i / 64] |= 1ULL << i % 64;
	else
		set[i / 64] &= ~(1ULL << i % 64);
}

/* Something of CPU i has changed. */
static void cpu__refresh(struct sched_idle *s, unsigned i)
{
	struct idle_cpu *c = &s->cpu[i];
	enum idle_state was = c->state, is = !c->known                    ? CPU_UNKNOWN
					     : c->runs_idle && !c->queued ? CPU_IDLE
									  : CPU_BUSY;
	/* of those that wait for an idle CPU one is about to run */
	uint32_t first = c->runs_idle && c->queued == c->unbound, waiters = 0;
	struct idle_group *llc = c->llc >= 0 ? &s->llc[c->llc] : NULL;

	if (!c->counts)
		return;
	if (c->known)
		waiters = c->unbound > first ? c->unbound - first : 0;
	if (was == is && waiters == c->waiters)
		return;
	machine(s)->waiters += waiters - c->waiters;
	group__change(machine(s), was, is);
	if (llc) {
		llc->waiters += waiters - c->waiters;
		group__change(llc, was, is);
	}
	if (c->core >= 0 && (was == CPU_IDLE) != (is == CPU_IDLE))
		core__change(s, c, is == CPU_IDLE);
	c->waiters = waiters;
	c->state = is;
	clock__set(&c->clock, s->now, is == CPU_IDLE);
	bit(s->sets, i, is == CPU_IDLE);
	bit(s->sets + s->words, i, is != CPU_UNKNOWN);
	group__settle(machine(s), s->now);
	if (llc)
		group__settle(llc, s->now);
}

/* ksoftirqd/3, kworker/3:1H, migration/3; not kworker/u8:2, not a comm that merely has a slash. */
static bool is_bound(const char *comm)
{
	static const char *const names[] = { "ksoftirqd",   "migration",   "kworker", "cpuhp",
					     "idle_inject", "rcuc",        "rcuop",   "watchdog",
					     "irq_work",    "backlog_napi" };
	const char *slash = strchr(comm, '/');

	for (size_t i = 0; slash && i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == (size_t)(slash - comm) &&
		    !memcmp(comm, names[i], (size_t)(slash - comm)))
			return isdigit((unsigned char)slash[1]);
	return false;
}

static struct idle_note *note_of(struct sched_model *m, struct task *t)
{
	struct idle_note *n = t->idle;

	if (!n) {
		n = t->idle = calloc(1, sizeof(*n) + 2 * m->idle->words * sizeof(n->set[0]));
		if (!n)
			return NULL;
		n->counted = -1;
	}
	if (n->comm != t->comm) {
		n->comm = t->comm;
		n->bound = is_bound(strtab__name(m->names, t->comm));
	}
	return n;
}

static void uncount(struct sched_idle *s, struct idle_note *n)
{
	unsigned cpu = (unsigned)n->counted;

	s->cpu[cpu].queued--;
	s->cpu[cpu].unbound -= !n->was_bound;
	n->counted = -1;
	cpu__refresh(s, cpu);
}

/* t waits for a CPU, for another, or no more. */
static int recount(struct sched_model *m, struct task *t)
{
	struct sched_idle *s = m->idle;
	int32_t cpu = t && t->tid && t->state == TASK_QUEUED ? t->cpu : -1;
	struct idle_note *n;

	if (!t || !t->tid || (!t->idle && cpu < 0))
		return 0;
	n = note_of(m, t);
	if (!n)
		return -ENOMEM;
	if (cpu == n->counted)
		return 0;
	if (n->counted >= 0)
		uncount(s, n);
	n->counted = (unsigned)cpu < s->nr_cpus ? cpu : -1;
	if (n->counted < 0)
		return 0;
	n->was_bound = n->bound;
	s->cpu[cpu].queued++;
	s->cpu[cpu].unbound += !n->bound;
	cpu__refresh(s, (unsigned)cpu);
	return 0;
}

/* The clocks of what a task that is put on cpu could have had instead. */
static void note_clocks(struct sched_idle *s, struct idle_note *n, int prev, int cpu)
{
	const struct idle_group *llc;

	n->cpu = cpu;
	n->any0 = clock__read(&machine(s)->any, s->now);
	n->gone_any = machine(s)->gone;
	if ((unsigned)prev < s->nr_cpus)
		n->prev0 = clock__read(&s->cpu[prev].clock, s->now);
	if ((unsigned)cpu >= s->nr_cpus || s->cpu[cpu].llc < 0)
		return;
	llc = &s->llc[s->cpu[cpu].llc];
	n->llc0 = clock__read(&llc->any, s->now);
	n->core0 = clock__read(&llc->core, s->now);
	n->gone_llc = llc->gone;
}

/* Who runs on CPU i: as the model has it, else as the event's sample says. */
static void cpu__look(struct sched_model *m, unsigned i, int32_t sampled)
{
	struct idle_cpu *c = &m->idle->cpu[i];
	int32_t tid = i < m->nr_cpus ? m->cpus[i].cur_tid : -1;

	if (tid < 0)
		tid = sampled;
	c->known = tid >= 0;
	c->runs_idle = !tid;
	cpu__refresh(m->idle, i);
}

int sched_idle__before(struct sched_model *m, const struct mig_event *ev)
{
	struct sched_idle *s = m->idle;
	struct idle_note *n;
	struct task *t;

	if (ev->time > s->now)
		s->now = ev->time;
	if (ev->type != MIG_EV_WAKING)
		return 0;
	if (ev->cpu < s->nr_cpus && !s->cpu[ev->cpu].known)
		cpu__look(m, ev->cpu, ev->tid);
	t = task_table__get(&m->tasks, ev->wake.tid);
	if (!t)
		return 0;
	n = note_of(m, t);
	if (!n)
		return -ENOMEM;
	if (n->counted >= 0 && (t->waking_open || !t->preempted))
		uncount(s, n); /* it ran and slept since, unseen */
	/* n itself still is of the wakeup before, which may be handed out now */
	memcpy(s->next->set, s->sets, 2 * s->words * sizeof(n->set[0]));
	note_clocks(s, s->next, ev->wake.target_cpu, ev->wake.target_cpu);
	return 0;
}

/* The wakeup of t has just moved it: what it could have had is that of its new place. */
static void moved(struct sched_model *m, const struct mig_event *ev)
{
	struct task *t = task_table__find(&m->tasks, ev->mig.tid);

	if (t && t->idle && t->waking_open && t->pending && t->pending->fact.at_wakeup &&
	    t->pending->fact.time == ev->time)
		note_clocks(m->idle, t->idle, t->waking.prev_cpu, ev->mig.dest_cpu);
}

/*
 * The wakeup that was just taken up has the state before it. A task that is woken on its way to
 * sleep chooses later, and maybe not at all.
 */
static void keep(struct sched_model *m, int32_t tid)
{
	const struct idle_note *next = m->idle->next;
	struct task *t = task_table__find(&m->tasks, tid);
	struct idle_note *n = t ? t->idle : NULL;

	if (!n)
		return;
	n->chosen = t->waking_open && t->waking.time == m->idle->now;
	n->cpu = next->cpu;
	n->prev0 = next->prev0;
	n->any0 = next->any0;
	n->llc0 = next->llc0;
	n->core0 = next->core0;
	n->gone_any = next->gone_any;
	n->gone_llc = next->gone_llc;
	memcpy(n->set, next->set, 2 * m->idle->words * sizeof(n->set[0]));
}

int sched_idle__after(struct sched_model *m, const struct mig_event *ev)
{
	struct sched_idle *s = m->idle;
	/* records of tasks may be made up (perf's synthesized ones), and tell of no CPU */
	int32_t tids[3] = { ev->type < MIG_EV_NR_TP ? ev->tid : -1, -1, -1 };
	int ret = 0;

	switch (ev->type) {
	case MIG_EV_SWITCH:
		tids[0] = -1; /* it has left */
		tids[1] = ev->sw.prev_tid;
		tids[2] = ev->sw.next_tid;
		break;
	case MIG_EV_WAKING:
		keep(m, ev->wake.tid);
		/* fall through */
	case MIG_EV_WAKEUP:
	case MIG_EV_WAKEUP_NEW:
		tids[1] = ev->wake.tid;
		break;
	case MIG_EV_MIGRATE:
		moved(m, ev);
		tids[1] = ev->mig.tid;
		break;
	default:
		break;
	}
	for (int i = 0; i < 3 && !ret; i++)
		if (tids[i] > 0)
			ret = recount(m, task_table__find(&m->tasks, tids[i]));
	if (ev->type == MIG_EV_LOST) {
		for (unsigned i = 0; i < s->nr_cpus; i++)
			cpu__look(m, i, -1);
	} else if (ev->cpu < s->nr_cpus && ev->type < MIG_EV_NR_TP) {
		cpu__look(m, ev->cpu, tids[0]);
	}
	return ret;
}

/* --- what is said of a wakeup --- */

static bool has(const uint64_t *set, unsigned i)
{
	return set[i / 64] >> i % 64 & 1;
}

static uint8_t answer(const struct sched_idle *s, const struct idle_note *n, int cpu)
{
	if ((unsigned)cpu >= s->nr_cpus || !has(n->set + s->words, (unsigned)cpu))
		return MIG_CHOICE_UNKNOWN;
	return has(n->set, (unsigned)cpu) ? MIG_CHOICE_YES : MIG_CHOICE_NO;
}

/* Yes if one says so, else no if all say no. */
static uint8_t either(uint8_t a, uint8_t b)
{
	if (a == MIG_CHOICE_YES || b == MIG_CHOICE_YES)
		return MIG_CHOICE_YES;
	return a == MIG_CHOICE_NO && b == MIG_CHOICE_NO ? MIG_CHOICE_NO : MIG_CHOICE_UNKNOWN;
}

static uint8_t not(uint8_t a)
{
	return a == MIG_CHOICE_UNKNOWN ? a : a == MIG_CHOICE_YES ? MIG_CHOICE_NO : MIG_CHOICE_YES;
}

/* Is every CPU of core idle; but: one that is left out, -1 = none */
static uint8_t core_idle(const struct sched_idle *s, const struct idle_note *n, int core, int but)
{
	uint8_t busy = MIG_CHOICE_NO;

	for (unsigned i = 0; i < s->nr_cpus; i++)
		if (s->cpu[i].core == core && (int)i != but)
			busy = either(busy, not(answer(s, n, (int)i)));
	return not(busy);
}

/* What was to be had in the LLC of CPU `at`. */
static void look_around(const struct sched_idle *s, const struct idle_note *n, unsigned at,
			struct mig_choice *c)
{
	int llc = s->cpu[at].llc, core = s->cpu[at].core;

	if (core >= 0 && s->core[core].nr > 1)
		c->sibling_busy = not(core_idle(s, n, core, (int)at));
	if (llc < 0)
		return;
	c->llc_idle = c->core_free = MIG_CHOICE_NO;
	for (unsigned i = 0; i < s->nr_cpus; i++) {
		const struct idle_cpu *o = &s->cpu[i];
		bool first = true;

		if (o->llc != llc)
			continue;
		c->llc_idle = either(c->llc_idle, answer(s, n, (int)i));
		for (unsigned k = 0; k < i && first; k++)
			first = s->cpu[k].core != o->core || o->core < 0;
		if (first && o->core >= 0)
			c->core_free = either(c->core_free, core_idle(s, n, o->core, -1));
	}
}

/* since: the clock then; gone: whether a CPU of it became unknown in between. */
static uint64_t elapsed(const struct sched_idle *s, const struct idle_clock *c, uint64_t since,
			bool known)
{
	return known ? clock__read(c, s->now) - since : MIG_NULL;
}

static void regret(const struct sched_idle *s, const struct idle_note *n,
		   const struct mig_wakeup *w, struct mig_wakeup_more *more)
{
	const struct idle_group *all = machine(s);
	const struct idle_cpu *c = &s->cpu[w->cpu];
	const struct idle_group *llc = c->llc >= 0 ? &s->llc[c->llc] : NULL;
	bool known = llc && llc->gone == n->gone_llc && !llc->unknown;

	if (more->choice.chosen_idle == MIG_CHOICE_YES || n->bound) {
		memset(more->regret_ns, 0, sizeof(more->regret_ns));
		return;
	}
	if (more->choice.chosen_idle == MIG_CHOICE_UNKNOWN || n->cpu != w->cpu)
		return;
	more->regret_ns[MIG_REGRET_ANY] =
		elapsed(s, &all->any, n->any0, all->gone == n->gone_any && !all->unknown);
	if ((unsigned)w->prev_cpu < s->nr_cpus)
		more->regret_ns[MIG_REGRET_PREV] =
			elapsed(s, &s->cpu[w->prev_cpu].clock, n->prev0,
				more->choice.prev_idle != MIG_CHOICE_UNKNOWN &&
					s->cpu[w->prev_cpu].state != CPU_UNKNOWN);
	if (!known)
		return;
	more->regret_ns[MIG_REGRET_LLC] = elapsed(s, &llc->any, n->llc0, true);
	more->regret_ns[MIG_REGRET_CORE] = elapsed(s, &llc->core, n->core0, true);
}

void sched_idle__describe(struct sched_model *m, const struct mig_wakeup *w,
			  struct mig_wakeup_more *more)
{
	struct sched_idle *s = m->idle;
	struct task *t = task_table__find(&m->tasks, w->wakee_tid);
	struct idle_note *n = t ? t->idle : NULL;

	for (int i = 0; i < MIG_NR_REGRET; i++)
		more->regret_ns[i] = MIG_NULL;
	if (!n || !n->chosen || w->path == MIG_PATH_RUNNING || (unsigned)w->cpu >= s->nr_cpus)
		return;
	n->chosen = false;
	more->choice.bound = n->bound;
	more->choice.chosen_idle = answer(s, n, w->cpu);
	more->choice.prev_idle = answer(s, n, w->prev_cpu);
	look_around(s, n, (unsigned)w->cpu, &more->choice);
	if (w->delay_ns != MIG_NULL)
		regret(s, n, w, more);
}

struct idle_interval sched_idle__wasted(const struct sched_idle *s, int llc)
{
	struct idle_interval i = llc < 0 ? machine(s)->wasted : s->llc[llc].wasted;

	interval__set(&i, s->now, false);
	return i;
}
