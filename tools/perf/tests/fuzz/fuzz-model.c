// SPDX-License-Identifier: GPL-2.0
/*
 * The model: any bytes as scheduler events, events in, facts out. What is claimed of the facts
 * holds for every sequence of events, possible ones or not: nothing is handed out twice or not at
 * all, no time or count is longer or larger than what was seen, and none goes across a loss.
 *
 * Six bytes are one event: type, CPU and flags, two tasks, an argument, time since the last event
 * (of all CPUs). The first byte of the input: 1 = counters in sched_switch's group, 2 = time may go
 * back, 4 = no sched_waking, 8 = no sched_migrate_task, 16 = no figures on request, 32 = no IPIs.
 */
#include "fuzz.h"

#include "../sched-tests.h"

#define OP_SIZE 6
#define NR_CPU  NR_CPUS

static struct {
	bool back; /* time went back: no claim about times */
	uint64_t first, last; /* time of the first and last event */
	uint64_t lost_at[NR_CPU]; /* of the last loss */
	uint64_t run[NR_CPU], misses[NR_CPU]; /* what slices add up to */
	uint64_t value[NR_CPU]; /* of the counter */
	uint64_t wakings, moves, switches, forks; /* fed */
	uint64_t wakeups, migrations, slices, placements, overlaps; /* handed out */
} seen;

/* Terms of a delay add up to it, and there are none without a delay. */
static void claim_terms(const struct mig_wakeup *f)
{
	uint64_t sum = 0;
	unsigned i;

	if (!f->more || !f->more->separated)
		return;
	FUZZ_CLAIM(f->delay_ns != MIG_NULL && !f->lost_nearby);
	for (i = 0; i < MIG_NR_TERM; i++) {
		FUZZ_CLAIM(f->more->term_ns[i] <= f->delay_ns);
		sum += f->more->term_ns[i];
	}
	FUZZ_CLAIM(sum == f->delay_ns);
}

static int on_overlap(const struct mig_overlap *f, void *ctx)
{
	(void)ctx;
	seen.overlaps++;
	FUZZ_CLAIM(seen.overlaps <= seen.wakeups);
	FUZZ_CLAIM(f->wakeup->path != MIG_PATH_RUNNING && f->wakeup->waker_tid > 0);
	if (!seen.back)
		FUZZ_CLAIM(f->ns <= seen.last - f->wakeup->time);
	return 0;
}

static int on_wakeup(const struct mig_wakeup *f, void *ctx)
{
	(void)ctx;
	claim_terms(f);
	seen.wakeups++;
	FUZZ_CLAIM(f->wakee_tid >= 0);
	FUZZ_CLAIM(f->run_cpu >= -1 && f->run_cpu < NR_CPU && f->waker_cpu < NR_CPU);
	FUZZ_CLAIM(f->path < MIG_NR_PATH && f->mechanism < MIG_NR_MECH && f->context < MIG_NR_CTX);
	if (f->delay_ns == MIG_NULL)
		return 0;
	FUZZ_CLAIM(f->run_cpu >= 0 && f->path != MIG_PATH_RUNNING);
	if (seen.back)
		return 0;
	FUZZ_CLAIM(f->time + f->delay_ns == seen.last);
	FUZZ_CLAIM(seen.lost_at[f->run_cpu] <= f->time); /* no delay across a loss */
	return 0;
}

static int on_migration(const struct mig_migration *f, void *ctx)
{
	(void)ctx;
	seen.migrations++;
	FUZZ_CLAIM(f->from != f->to && f->to >= 0);
	FUZZ_CLAIM(f->cause < MIG_NR_CAUSE && f->distance < MIG_NR_DIST);
	if (!seen.back && f->ran_after_ns != MIG_NULL)
		FUZZ_CLAIM(f->ran_after_ns <= seen.last - f->time);
	if (!seen.back && f->queued_ns != MIG_NULL)
		FUZZ_CLAIM(f->queued_ns <= f->time - seen.first);
	return 0;
}

static int on_slice(const struct mig_slice *f, void *ctx)
{
	(void)ctx;
	seen.slices++;
	FUZZ_CLAIM(f->cpu >= 0 && f->cpu < NR_CPU);
	FUZZ_CLAIM(f->moved < MIG_NR_MOVED);
	if (f->wakeup)
		FUZZ_CLAIM(f->wakeup->wakee_tid == f->tid);
	if (f->misses[0] != MIG_NULL) {
		seen.misses[f->cpu] += f->misses[0];
		FUZZ_CLAIM(seen.misses[f->cpu] <= seen.value[f->cpu]);
	}
	if (seen.back || f->length_ns == MIG_NULL)
		return 0;
	FUZZ_CLAIM(f->length_ns <= f->time - seen.first);
	FUZZ_CLAIM(f->time - f->length_ns >= seen.lost_at[f->cpu]);
	seen.run[f->cpu] += f->length_ns;
	FUZZ_CLAIM(seen.run[f->cpu] <= f->time - seen.first);
	if (f->wait_ns != MIG_NULL)
		FUZZ_CLAIM(f->wait_ns <= f->time - f->length_ns - seen.first);
	return 0;
}

static int on_fork(const struct mig_fork *f, void *ctx)
{
	(void)ctx;
	(void)f;
	seen.placements++;
	return 0;
}

static void set_payload(struct mig_event *ev, int a, int b, int arg)
{
	switch (ev->type) {
	case MIG_EV_SWITCH:
		ev->sw.prev_tid = a;
		ev->sw.next_tid = b;
		ev->sw.prev_state = (uint8_t)(arg % (MIG_STATE_DEAD + 1));
		ev->sw.prev_prio = ev->sw.next_prio = arg & 64 ? 0 : 120;
		break;
	case MIG_EV_WAKING:
	case MIG_EV_WAKEUP:
	case MIG_EV_WAKEUP_NEW:
		ev->wake.tid = a;
		ev->wake.target_cpu = arg % NR_CPU;
		ev->wake.prio = arg & 64 ? 0 : 120;
		break;
	case MIG_EV_MIGRATE:
		ev->mig.tid = a;
		ev->mig.orig_cpu = arg % NR_CPU;
		ev->mig.dest_cpu = b % NR_CPU - (arg & 128 ? 1 : 0);
		break;
	case MIG_EV_IPI_SEND:
		ev->ipi.cpu = arg % NR_CPU;
		break;
	case MIG_EV_FORK:
		ev->fork.parent_tid = a;
		ev->fork.child_tid = b;
		break;
	case MIG_EV_TASK:
		ev->rel.tid = a;
		ev->rel.pid = b;
		ev->rel.ppid = arg;
		break;
	case MIG_EV_LOST:
		ev->lost.lost = (uint64_t)arg;
		break;
	case MIG_EV_SAMPLE:
		ev->sample.period = (uint64_t)arg;
		break;
	default:
		ev->task.tid = a;
		ev->task.tid2 = b;
	}
}

/* What must come out of this event; before it is fed. */
static void note(const struct world *w, const struct mig_event *ev)
{
	switch (ev->type) {
	case MIG_EV_SWITCH:
		seen.switches++;
		break;
	case MIG_EV_WAKING:
		seen.wakings++;
		break;
	case MIG_EV_WAKEUP:
		seen.wakings += !w->dec.seen[MIG_EV_WAKING];
		break;
	case MIG_EV_MIGRATE:
		seen.moves += ev->mig.dest_cpu >= 0 && ev->mig.dest_cpu != ev->mig.orig_cpu;
		break;
	case MIG_EV_WAKEUP_NEW:
		seen.forks++;
		break;
	case MIG_EV_LOST:
		seen.lost_at[ev->cpu] = ev->time;
		break;
	default:
		break;
	}
}

static void feed_op(struct world *w, const uint8_t *p, uint64_t *time)
{
	static const char *const comms[] = { "a",           "b",       "perf-exec", "migration/0",
					     "ksoftirqd/1", "cpuhp/1", "swapper" };
	struct mig_reads reads = { .id = 1, .enabled = 1, .running = 1 };
	struct mig_event ev = { .type = (uint8_t)(1 + p[0] % (MIG_NR_EV - 1)) };
	const char *comm = comms[p[4] % 7];
	int a = p[2] % 16, b = p[3] % 16;

	ev.cpu = p[1] % NR_CPU;
	ev.flags = p[1] >> 4;
	/* half of the time the sample says who is current */
	ev.pid = ev.tid = p[0] & 128 ? a : -1;
	if (p[5] >= 250 && seen.back)
		*time -= p[5] - 249;
	else
		*time += p[5];
	ev.time = *time;
	if (ev.time < seen.first)
		seen.first = ev.time;
	seen.last = ev.time;
	set_payload(&ev, a, b, p[4]);
	if (ev.type == MIG_EV_COMM)
		ev.task.comm = strtab__intern(&w->names, comm, strlen(comm));
	if (ev.type == MIG_EV_SWITCH && w->dec.group.nr && p[4] & 32) {
		seen.value[ev.cpu] += p[3];
		reads.value[0] = seen.value[ev.cpu];
		ev.reads = 1;
	}
	note(w, &ev);
	FUZZ_CLAIM(!sched_model__feed(&w->m, &ev, ev.reads ? &reads : NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct world *w;
	uint64_t time = 1000000, odd;
	size_t i;

	if (!size)
		return 0;
	memset(&seen, 0, sizeof(seen));
	seen.first = time;
	seen.back = data[0] & 2;
	w = world__new(data[0] & 1);
	w->dec.seen[MIG_EV_WAKING] = !(data[0] & 4);
	w->dec.seen[MIG_EV_MIGRATE] = !(data[0] & 8);
	w->ops = (struct mig_fact_ops){ .wakeup = on_wakeup,
					.migration = on_migration,
					.slice = on_slice,
					.fork = on_fork,
					.overlap = on_overlap };
	if (!(data[0] & 16))
		w->m.want = 1U << MIG_PART_ANATOMY | 1U << MIG_PART_OVERLAP;
	w->dec.seen[MIG_EV_IPI_SEND] = !(data[0] & 32);
	for (i = 1; i + OP_SIZE <= size; i += OP_SIZE)
		feed_op(w, data + i, &time);
	FUZZ_CLAIM(!sched_model__finish(&w->m));
	odd = w->m.odd[MIG_ODD_DUPLICATE];
	FUZZ_CLAIM(seen.slices + odd == seen.switches);
	FUZZ_CLAIM(seen.migrations == seen.moves);
	FUZZ_CLAIM(seen.wakeups == seen.wakings);
	FUZZ_CLAIM(seen.placements == seen.forks);
	world__delete(w);
	return 0;
}
