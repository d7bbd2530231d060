/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sched-tests: feeds the model hand-made events and keeps the facts. No file and no decoder: what
 * is checked against is written beside each event.
 */
#ifndef MIG_SCHED_TESTS_H
#define MIG_SCHED_TESTS_H

#include "sched-model.h"
#include "tests.h"

#define MAX_FACTS 64
#define HELPER    __attribute__((unused))

/*
 * Nine CPUs: a last-level cache of 0-2 (0 and 1 are threads of one core) and one of 3-4 on node 0,
 * 5-6 on node 1, 7-8 on node 2.
 */
#define NR_CPUS 9

struct world {
	struct strtab names;
	struct chain_table chains;
	struct topo topo;
	struct decode dec;
	struct sched_model m;
	struct mig_fact_ops ops;
	struct mig_wakeup wakeup[MAX_FACTS];
	struct mig_wakeup_more more[MAX_FACTS]; /* of wakeup[i] */
	struct mig_migration migration[MAX_FACTS];
	struct mig_slice slice[MAX_FACTS];
	struct mig_wakeup slice_wakeup[MAX_FACTS]; /* of slice[i], time 0 = it has none */
	struct mig_fork fork[MAX_FACTS];
	struct mig_sample sample[MAX_FACTS];
	struct mig_overlap overlap[MAX_FACTS];
	struct mig_wakeup overlap_wakeup[MAX_FACTS]; /* of overlap[i] */
	unsigned wakeups, migrations, slices, forks, samples, overlaps;
};

static int test_core[] = { 0, 0, 2, 3, 4, 5, 6, 7, 8 };
static int test_llc[] = { 0, 0, 0, 3, 3, 5, 5, 7, 7 };
static int test_node[] = { 0, 0, 0, 0, 0, 1, 1, 2, 2 };
static int test_package[] = { 0, 0, 0, 0, 0, 1, 1, 2, 2 };

static int keep_wakeup(const struct mig_wakeup *f, void *ctx)
{
	struct world *w = ctx;
	unsigned i = w->wakeups++ % MAX_FACTS;

	w->wakeup[i] = *f;
	w->wakeup[i].more = NULL;
	memset(&w->more[i], 0, sizeof(w->more[i]));
	if (f->more)
		w->more[i] = *f->more;
	return 0;
}

static int keep_migration(const struct mig_migration *f, void *ctx)
{
	struct world *w = ctx;

	w->migration[w->migrations++ % MAX_FACTS] = *f;
	return 0;
}

static int keep_slice(const struct mig_slice *f, void *ctx)
{
	struct world *w = ctx;
	unsigned i = w->slices++ % MAX_FACTS;

	w->slice[i] = *f;
	w->slice[i].wakeup = NULL;
	memset(&w->slice_wakeup[i], 0, sizeof(w->slice_wakeup[i]));
	if (f->wakeup)
		w->slice_wakeup[i] = *f->wakeup;
	return 0;
}

static int keep_fork(const struct mig_fork *f, void *ctx)
{
	struct world *w = ctx;

	w->fork[w->forks++ % MAX_FACTS] = *f;
	return 0;
}

static int keep_sample(const struct mig_sample *f, void *ctx)
{
	struct world *w = ctx;

	w->sample[w->samples++ % MAX_FACTS] = *f;
	return 0;
}

static int keep_overlap(const struct mig_overlap *f, void *ctx)
{
	struct world *w = ctx;
	unsigned i = w->overlaps++ % MAX_FACTS;

	w->overlap[i] = *f;
	w->overlap[i].wakeup = NULL;
	w->overlap_wakeup[i] = *f->wakeup;
	return 0;
}

/* counters: members of sched_switch's group. */
HELPER static struct world *world__new(unsigned counters)
{
	struct world *w = calloc(1, sizeof(*w));
	int i;

	if (!w || strtab__init(&w->names) || chain_table__init(&w->chains))
		exit(1);
	w->topo.nr_cpus = NR_CPUS;
	w->topo.core = test_core;
	w->topo.llc = test_llc;
	w->topo.node = test_node;
	w->topo.package = test_package;
	for (i = MIG_DIST_SELF; i <= MIG_DIST_REMOTE; i++)
		w->topo.has[i] = true;
	for (i = 0; i < MIG_NR_EV; i++)
		w->dec.seen[i] = i != MIG_EV_SOFTIRQ && i != MIG_EV_SETAFFINITY;
	w->dec.group.nr = counters;
	w->ops = (struct mig_fact_ops){
		.wakeup = keep_wakeup,
		.migration = keep_migration,
		.slice = keep_slice,
		.fork = keep_fork,
		.sample = keep_sample,
		.overlap = keep_overlap,
	};
	if (sched_model__init(&w->m, &w->names, &w->chains, &w->topo, &w->dec, &w->ops, w))
		exit(1);
	return w;
}

HELPER static void world__end(struct world *w)
{
	is_int(sched_model__finish(&w->m), 0, "finish");
}

HELPER static void world__delete(struct world *w)
{
	sched_model__exit(&w->m);
	chain_table__exit(&w->chains);
	strtab__exit(&w->names);
	free(w);
}

HELPER static uint32_t name_of(struct world *w, int tid)
{
	char name[16];

	snprintf(name, sizeof(name), tid ? "t%d" : "swapper", tid);
	return strtab__intern(&w->names, name, strlen(name));
}

HELPER static void feed(struct world *w, const struct mig_event *ev, const struct mig_reads *reads)
{
	struct mig_event e = *ev;

	e.reads = reads ? 1 : 0;
	if (sched_model__feed(&w->m, &e, reads))
		ok(false, "the model takes the event at %" PRIu64, ev->time);
}

HELPER static struct mig_event event(uint8_t type, int cpu, uint64_t time, int32_t cur)
{
	return (struct mig_event){
		.type = type, .cpu = (uint16_t)cpu, .time = time, .pid = cur, .tid = cur
	};
}

/* prev (in state, left) gives way to next */
HELPER static void sw_reads(struct world *w, int cpu, uint64_t time, int prev, int next,
			    enum mig_state state, const struct mig_reads *reads)
{
	struct mig_event ev = event(MIG_EV_SWITCH, cpu, time, prev);

	ev.sw.prev_tid = prev;
	ev.sw.next_tid = next;
	ev.sw.prev_comm = name_of(w, prev);
	ev.sw.next_comm = name_of(w, next);
	ev.sw.prev_prio = ev.sw.next_prio = 120;
	ev.sw.prev_state = (uint8_t)state;
	feed(w, &ev, reads);
}

HELPER static void sw(struct world *w, int cpu, uint64_t time, int prev, int next,
		      enum mig_state state)
{
	sw_reads(w, cpu, time, prev, next, state, NULL);
}

/* .. with a value of the first counter */
HELPER static void sw_value(struct world *w, int cpu, uint64_t time, int prev, int next,
			    uint64_t value)
{
	struct mig_reads r = { .id = 100 + (uint64_t)cpu, .value = { value } };

	sw_reads(w, cpu, time, prev, next, MIG_STATE_SLEEP, &r);
}

HELPER static void wake_flags(struct world *w, uint8_t type, int cpu, uint64_t time, int cur,
			      int wakee, int target, uint8_t flags)
{
	struct mig_event ev = event(type, cpu, time, cur);

	ev.flags = flags;
	ev.wake.tid = wakee;
	ev.wake.comm = name_of(w, wakee);
	ev.wake.target_cpu = target;
	ev.wake.prio = 120;
	feed(w, &ev, NULL);
}

HELPER static void waking(struct world *w, int cpu, uint64_t time, int cur, int wakee, int target)
{
	wake_flags(w, MIG_EV_WAKING, cpu, time, cur, wakee, target, 0);
}

HELPER static void wakeup(struct world *w, int cpu, uint64_t time, int cur, int wakee, int target)
{
	wake_flags(w, MIG_EV_WAKEUP, cpu, time, cur, wakee, target, 0);
}

HELPER static void wakeup_new(struct world *w, int cpu, uint64_t time, int cur, int child,
			      int target)
{
	wake_flags(w, MIG_EV_WAKEUP_NEW, cpu, time, cur, child, target, 0);
}

HELPER static void migrate(struct world *w, int cpu, uint64_t time, int cur, int tid, int from,
			   int to)
{
	struct mig_event ev = event(MIG_EV_MIGRATE, cpu, time, cur);

	ev.mig.tid = tid;
	ev.mig.comm = name_of(w, tid);
	ev.mig.orig_cpu = from;
	ev.mig.dest_cpu = to;
	ev.mig.prio = 120;
	feed(w, &ev, NULL);
}

HELPER static void forks(struct world *w, int cpu, uint64_t time, int parent, int child)
{
	struct mig_event ev = event(MIG_EV_FORK, cpu, time, parent);

	ev.fork.parent_tid = parent;
	ev.fork.child_tid = child;
	ev.fork.parent_comm = ev.fork.child_comm = name_of(w, parent);
	feed(w, &ev, NULL);
}

HELPER static void lost(struct world *w, int cpu, uint64_t time, uint64_t n)
{
	struct mig_event ev = event(MIG_EV_LOST, cpu, time, -1);

	ev.lost.lost = n;
	feed(w, &ev, NULL);
}

#endif
