// SPDX-License-Identifier: GPL-2.0
#include "llc-story.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int llc_story__init(struct llc_story *s, const struct topo *topo, uint64_t within_ns, unsigned miss)
{
	*s = (struct llc_story){
		.topo = topo,
		.within_ns = within_ns,
		.miss = miss,
		.start = MIG_NULL,
		.width = LLC_WINDOW_NS,
	};
	s->cache_of = malloc(((size_t)topo->nr_cpus + 1) * sizeof(*s->cache_of));
	s->cache = calloc((size_t)topo->nr_cpus + 1, sizeof(*s->cache));
	if (!s->cache_of || !s->cache)
		return -ENOMEM;
	for (int cpu = 0; cpu < topo->nr_cpus; cpu++) {
		int id = topo->llc[cpu];
		unsigned i = 0;

		s->cache_of[cpu] = -1;
		if (id < 0)
			continue;
		while (i < s->nr_caches && s->cache[i].id != id)
			i++;
		s->cache[i].id = id;
		s->cache[i].nr_cpus++;
		s->nr_caches += i == s->nr_caches;
		s->cache_of[cpu] = (int)i;
	}
	return 0;
}

void llc_story__exit(struct llc_story *s)
{
	for (int level = 0; level < LLC_NR_LEVEL; level++) {
		for (int i = 0; s->trips[level] && i < MIG_NR_CAUSE * MIG_NR_CAUSE; i++)
			hist__exit(&s->trips[level][i].away);
		free(s->trips[level]);
	}
	hash__exit(&s->proc_hash);
	hash__exit(&s->pair_hash);
	hash__exit(&s->thread_hash);
	arena__exit(&s->mem);
	free(s->cache_of);
	free(s->cache);
	free(s->moves);
	free(s->procs);
	free(s->pairs);
	free(s->threads);
	free(s->chases);
	memset(s, 0, sizeof(*s));
}

struct llc_proc *llc_story__proc(struct llc_story *s, int32_t pid)
{
	uint32_t hv = (uint32_t)hash__mix(1, (uint32_t)pid), pos, k;
	size_t n = s->nr_caches ? s->nr_caches : 1;
	struct llc_proc *p, **procs;

	for (pos = hash__start(&s->proc_hash, hv); (k = hash__next(&s->proc_hash, hv, &pos));)
		if (s->procs[k - 1]->pid == pid)
			return s->procs[k - 1];
	p = arena__alloc(&s->mem, sizeof(*p));
	procs = array__room(s->procs, s->nr_procs, &s->room_procs, sizeof(*procs));
	if (!p || !procs)
		return NULL;
	s->procs = procs;
	if (hash__add(&s->proc_hash, hv, s->nr_procs))
		return NULL;
	p->pid = pid;
	p->width = s->width;
	p->run = arena__alloc(&s->mem, n * sizeof(*p->run));
	p->window = arena__alloc(&s->mem, n * LLC_NR_WINDOWS * sizeof(*p->window));
	p->out = arena__alloc(&s->mem, n * MIG_NR_CLASS * sizeof(*p->out));
	p->in = arena__alloc(&s->mem, n * MIG_NR_CLASS * sizeof(*p->in));
	if (!p->run || !p->window || !p->out || !p->in)
		return NULL;
	s->procs[s->nr_procs++] = p;
	return p;
}

int llc_story__add_move(struct llc_story *s, const struct mig_migration *f)
{
	int from = llc_story__cache(s, f->from), to = llc_story__cache(s, f->to);
	int class = mig_cause__class((enum mig_cause)f->cause);
	bool known = from >= 0 && to >= 0;
	struct llc_move *moves;
	struct llc_proc *p;

	s->cells[class][!known ? LLC_CELL_UNKNOWN : from == to ? LLC_CELL_SAME : LLC_CELL_OTHER]++;
	if (known && from != to) {
		p = llc_story__proc(s, f->pid >= 0 ? f->pid : f->tid);
		if (!p)
			return -ENOMEM;
		p->out[from * MIG_NR_CLASS + class]++;
		p->in[to * MIG_NR_CLASS + class]++;
		s->crossings++;
	}
	if (s->nr_moves == LLC_MAX_MOVES) {
		s->moves_left_out++;
		return 0;
	}
	moves = array__room(s->moves, s->nr_moves, &s->room_moves, sizeof(*moves));
	if (!moves)
		return -ENOMEM;
	s->moves = moves;
	s->moves[s->nr_moves++] = (struct llc_move){
		.time = f->time,
		.ran_after_ns = f->ran_after_ns,
		.misses = s->miss < MIG_MAX_COUNTERS ? f->next_misses[s->miss] : MIG_NULL,
		.tid = f->tid,
		.pid = f->pid,
		.from = f->from,
		.to = f->to,
		.comm = f->comm,
		.cause = f->cause,
	};
	return 0;
}

/* Two windows become one until they are as wide as the story's. */
static void proc__widen(const struct llc_story *s, struct llc_proc *p)
{
	const unsigned n = s->nr_caches;

	for (; p->width < s->width; p->width *= 2) {
		for (unsigned i = 0; i < LLC_NR_WINDOWS / 2; i++) {
			for (unsigned c = 0; c < n; c++)
				p->window[i * n + c] =
					p->window[2 * i * n + c] + p->window[(2 * i + 1) * n + c];
		}
		memset(p->window + (size_t)n * LLC_NR_WINDOWS / 2, 0,
		       sizeof(*p->window) * n * LLC_NR_WINDOWS / 2);
	}
}

/* [from, to) on cache c, each window its part. */
static void proc__ran(struct llc_story *s, struct llc_proc *p, unsigned c, uint64_t from,
		      uint64_t to)
{
	p->run_ns += to - from;
	p->run[c] += to - from;
	from = from > s->start ? from - s->start : 0;
	to = to > s->start ? to - s->start : 0;
	while (to > s->width * LLC_NR_WINDOWS)
		s->width *= 2;
	proc__widen(s, p);
	while (from < to) {
		uint64_t i = from / s->width, end = (i + 1) * s->width;

		p->window[i * s->nr_caches + c] += (end < to ? end : to) - from;
		from = end;
	}
}

static int count_thread(struct llc_story *s, struct llc_proc *p, int32_t tid)
{
	uint32_t hv = (uint32_t)hash__mix((uint32_t)p->pid, (uint32_t)tid), pos, k;
	struct llc_thread *threads;

	for (pos = hash__start(&s->thread_hash, hv); (k = hash__next(&s->thread_hash, hv, &pos));)
		if (s->threads[k - 1].tid == tid && s->threads[k - 1].pid == p->pid)
			return 0;
	threads = array__room(s->threads, s->nr_threads, &s->room_threads, sizeof(*threads));
	if (!threads)
		return -ENOMEM;
	s->threads = threads;
	s->threads[s->nr_threads] = (struct llc_thread){ tid, p->pid };
	p->nr_threads++;
	return hash__add(&s->thread_hash, hv, s->nr_threads++);
}

int llc_story__add_slice(struct llc_story *s, const struct mig_slice *f)
{
	int c = llc_story__cache(s, f->cpu);
	struct llc_proc *p;

	if (!f->tid || c < 0 || f->length_ns == MIG_NULL)
		return 0;
	p = llc_story__proc(s, f->pid >= 0 ? f->pid : f->tid);
	if (!p)
		return -ENOMEM;
	if (f->tid == f->pid || !p->comm)
		p->comm = f->comm;
	proc__ran(s, p, (unsigned)c, f->time - f->length_ns, f->time);
	return count_thread(s, p, f->tid);
}

int llc_story__add_wakeup(struct llc_story *s, const struct mig_wakeup *f)
{
	int32_t a = f->waker_tid, b = f->wakee_tid;
	struct llc_pair *pairs;
	uint32_t hv, pos, k;

	if (f->partner != MIG_PARTNER_YES || a <= 0 || b <= 0 || a == b || s->nr_caches < 2)
		return 0;
	if (a > b) {
		a = f->wakee_tid;
		b = f->waker_tid;
	}
	hv = (uint32_t)hash__mix((uint32_t)a, (uint32_t)b);
	for (pos = hash__start(&s->pair_hash, hv); (k = hash__next(&s->pair_hash, hv, &pos));)
		if (s->pairs[k - 1].tid[0] == a && s->pairs[k - 1].tid[1] == b)
			return 0;
	if (s->nr_pairs == LLC_MAX_PAIRS) {
		s->pairs_left_out++;
		return 0;
	}
	pairs = array__room(s->pairs, s->nr_pairs, &s->room_pairs, sizeof(*pairs));
	if (!pairs)
		return -ENOMEM;
	s->pairs = pairs;
	s->pairs[s->nr_pairs] = (struct llc_pair){ { a, b } };
	return hash__add(&s->pair_hash, hv, s->nr_pairs++);
}

static unsigned most(const uint64_t *run, unsigned n)
{
	unsigned best = 0;

	for (unsigned c = 1; c < n; c++)
		if (run[c] > run[best])
			best = c;
	return best;
}

static void proc__finish(const struct llc_story *s, struct llc_proc *p)
{
	int last = -1;

	proc__widen(s, p);
	p->home = most(p->run, s->nr_caches);
	for (unsigned i = 0; i < LLC_NR_WINDOWS; i++) {
		const uint64_t *run = p->window + (size_t)i * s->nr_caches;
		unsigned home = most(run, s->nr_caches);

		if (!s->nr_caches || !run[home])
			continue;
		p->changes += p->nr_windows && (int)home != last;
		p->nr_windows++;
		last = (int)home;
	}
}

static int compare_procs(const void *pa, const void *pb)
{
	const struct llc_proc *a = *(struct llc_proc *const *)pa,
			      *b = *(struct llc_proc *const *)pb;

	if (a->run_ns != b->run_ns)
		return a->run_ns < b->run_ns ? 1 : -1;
	return (a->pid > b->pid) - (a->pid < b->pid);
}

int llc_story__finish(struct llc_story *s)
{
	int ret = llc_story__follow(s);

	for (uint32_t i = 0; i < s->nr_procs; i++)
		proc__finish(s, s->procs[i]);
	if (s->nr_procs)
		qsort(s->procs, s->nr_procs, sizeof(*s->procs), compare_procs);
	hash__exit(&s->proc_hash); /* indices into what is sorted now */
	return ret;
}
