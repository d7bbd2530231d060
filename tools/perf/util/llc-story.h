/* SPDX-License-Identifier: GPL-2.0 */
/*
 * llc-story: who leaves a last-level cache and why, who comes back, who runs after whom. Takes
 * facts while a recording is read, works out the rest at its end.
 *
 * - A move is *same* or *other* by the cache of its two CPUs (Chen Yu's four counters of cache
 * aware scheduling, LKML 2025: wakeup or load balance, within a cache or between two).
 * - *There and back*: a task's move from A to B and its next one, from B to A, within within_ns.
 *   Each move is one end of one such trip. Counted for CPUs, over all moves, and for caches, over
 * the moves between two caches: the tug of war, where the causes of the two ends say who pulls.
 * - *Chase*: of two threads that wake each other one crosses from cache X to Y, and the other,
 * after it and within within_ns, from X to Y, too. Each crossing of the first is followed once at
 * most, and only while it is its last.
 * - The *home* of a process is the cache that it ran on most; of a window of time, that it ran on
 * most in it. Windows are as wide as it takes for at most LLC_NR_WINDOWS of them, 1 ms doubled.
 *
 * All counts are exact; above LLC_MAX_MOVES moves or LLC_MAX_PAIRS pairs the rest is left out, and
 * `moves_left_out`, `pairs_left_out` tell.
 */
#ifndef MIG_LLC_STORY_H
#define MIG_LLC_STORY_H

#include "arena.h"
#include "facts.h"
#include "hash.h"
#include "hist.h"

#define LLC_NR_WINDOWS 128
#define LLC_WINDOW_NS  1000000
#define LLC_MAX_MOVES  1000000
#define LLC_MAX_PAIRS  200000

/* One last-level cache. */
struct llc_cache {
	int id; /* as of struct topo: its first CPU */
	unsigned nr_cpus;
};

struct llc_move {
	uint64_t time;
	uint64_t ran_after_ns, misses; /* MIG_NULL = not known */
	int32_t tid, pid, from, to; /* CPUs */
	uint32_t comm;
	uint8_t cause; /* enum mig_cause */
	bool used; /* an end of a trip */
};

struct llc_proc {
	int32_t pid;
	uint32_t comm; /* of its main thread, else of the first that was seen */
	uint32_t nr_threads; /* that ran */
	uint64_t run_ns;
	uint64_t width; /* of its windows now */
	uint64_t *run; /* by cache */
	uint64_t *window; /* [LLC_NR_WINDOWS][caches] run time */
	uint64_t *out, *in; /* [caches][MIG_NR_CLASS] moves out of it, into it, to another cache */
	/* filled by llc_story__finish() */
	unsigned home; /* index of a cache */
	unsigned nr_windows, changes; /* windows it ran in; with another home than the one before */
	uint64_t back; /* trips there and back between caches */
};

/* Trips of one pair of causes. */
struct llc_trips {
	uint64_t n, ran_n, ran_after_ns, miss_n, misses; /* after either end, where it is known */
	struct hist away; /* time between the ends */
};

enum llc_level { LLC_LEVEL_CPU, LLC_LEVEL_CACHE, LLC_NR_LEVEL };

struct llc_chase {
	int32_t first, second; /* threads */
	uint32_t first_comm, second_comm;
	uint64_t steps; /* crossings of the second that follow the first */
	uint64_t longest; /* .. without another crossing of the second between them */
	uint64_t crossings[2];
	unsigned caches; /* that it went through: different destinations */
};

struct llc_pair {
	int32_t tid[2];
};

struct llc_thread { /* that a process has */
	int32_t tid, pid;
};

struct llc_story {
	const struct topo *topo; /* borrowed */
	uint64_t within_ns, start, width; /* start, width: of the windows */
	unsigned miss; /* counter of next_misses; MIG_MAX_COUNTERS = none */
	struct llc_cache *cache;
	unsigned nr_caches;
	int *cache_of; /* CPU -> index, -1 = unknown */
	struct arena mem;
	struct llc_move *moves;
	uint32_t nr_moves, room_moves;
	struct hash proc_hash, pair_hash, thread_hash;
	struct llc_proc **procs;
	uint32_t nr_procs, room_procs;
	struct llc_pair *pairs;
	uint32_t nr_pairs, room_pairs;
	struct llc_thread *threads;
	uint32_t nr_threads, room_threads;
	uint64_t moves_left_out, pairs_left_out;
	/* by cause class: within a cache, between two, not known */
	uint64_t cells[MIG_NR_CLASS][3];
	/* filled by llc_story__finish() */
	struct llc_trips *trips[LLC_NR_LEVEL]; /* [cause there][cause back] */
	uint64_t nr_trips[LLC_NR_LEVEL];
	struct llc_chase *chases; /* most steps first */
	uint32_t nr_chases, room_chases;
	uint64_t crossings; /* moves between two caches */
};

enum { LLC_CELL_SAME, LLC_CELL_OTHER, LLC_CELL_UNKNOWN };

/* start: no fact is older. -ENOMEM */
int llc_story__init(struct llc_story *s, const struct topo *topo, uint64_t within_ns,
		    unsigned miss);
void llc_story__exit(struct llc_story *s);

/* -ENOMEM. A slice needs llc_story.start. */
int llc_story__add_move(struct llc_story *s, const struct mig_migration *f);
int llc_story__add_slice(struct llc_story *s, const struct mig_slice *f);
int llc_story__add_wakeup(struct llc_story *s, const struct mig_wakeup *f);
/* When all are in. Processes are sorted by run time. -ENOMEM */
int llc_story__finish(struct llc_story *s);

static inline const struct llc_trips *llc_story__trips(const struct llc_story *s,
						       enum llc_level level, int there, int back)
{
	return &s->trips[level][there * MIG_NR_CAUSE + back];
}

/* Index of the cache of a CPU, -1 = not known. */
static inline int llc_story__cache(const struct llc_story *s, int cpu)
{
	return cpu >= 0 && cpu < s->topo->nr_cpus ? s->cache_of[cpu] : -1;
}

/* llc-trips.c: fills trips, chases, and `back` of the processes. -ENOMEM */
int llc_story__follow(struct llc_story *s);
/* The process, made if it is not there; NULL: no memory. */
struct llc_proc *llc_story__proc(struct llc_story *s, int32_t pid);

#endif
