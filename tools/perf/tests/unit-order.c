// SPDX-License-Identifier: GPL-2.0
/*
 * Random streams of many CPUs, handed over in rounds as perf record does: what comes out is sorted
 * and nothing is lost.
 */
#include "order.h"

#include <errno.h>

#include "err.h"
#include "tests.h"

static uint64_t state = 0x2545f4914f6cdd1dULL;

static uint64_t rnd(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

struct taken {
	uint64_t n, runs, sum, last, back, same_back;
	uint64_t strangers; /* of another CPU than the first of their run */
	uint32_t last_seq[256]; /* by CPU */
	uint64_t last_time[256];
	uint64_t stop_after; /* runs */
	int rc;
};

/* mig.tid holds the number of the event in its CPU. */
static int take(const struct mig_event *ev, uint32_t nr, void *ctx)
{
	struct taken *t = ctx;
	unsigned cpu = ev->cpu == MIG_NO_CPU ? 255 : ev->cpu;
	uint32_t i;

	for (i = 0; i < nr; i++, ev++) {
		t->strangers += cpu != (ev->cpu == MIG_NO_CPU ? 255 : ev->cpu);
		if (ev->time < t->last)
			t->back++;
		/* events of one CPU with one time keep their order */
		if (ev->time == t->last_time[cpu] && (uint32_t)ev->mig.tid < t->last_seq[cpu])
			t->same_back++;
		t->last = ev->time;
		t->last_time[cpu] = ev->time;
		t->last_seq[cpu] = (uint32_t)ev->mig.tid;
		t->sum += (uint64_t)ev->mig.tid + 1000003ULL * cpu;
	}
	t->n += nr;
	t->runs++;
	return t->stop_after && t->runs >= t->stop_after ? t->rc : 0;
}

/*
 * A recorder with `cpus` rings: time goes on, each CPU writes events, and now and then a round
 * reads all rings one after the other; while it does so the CPUs go on writing, so a later ring can
 * hold events newer than what of an earlier one was read (as with real rings). swaps: neighbours
 * out of place in their ring, as an interrupt in the middle of an event leaves them.
 */
static void rounds(unsigned cpus, unsigned per_round, unsigned nr_rounds, unsigned swaps)
{
	struct mig_event *ring[64] = { 0 }, ev;
	unsigned nr[64] = { 0 }, c, r, i;
	uint32_t seq[64] = { 0 };
	uint64_t time = 1000, pushed = 0, sum = 0, swapped = 0;
	struct taken t = { 0 };
	struct order ord;
	struct mig_err err;

	order__init(&ord, 64 << 20);
	for (c = 0; c < cpus; c++)
		ring[c] = calloc(per_round * 4 + 16, sizeof(ev));
	for (r = 0; r < nr_rounds; r++) {
		for (i = 0; i < per_round * cpus; i++) {
			c = (unsigned)(rnd() % cpus);
			if (nr[c] == per_round * 4)
				continue;
			time += rnd() % 3; /* equal times are common */
			ring[c][nr[c]] =
				(struct mig_event){ .time = time,
						    .cpu = c == 63 ? MIG_NO_CPU : (uint16_t)c };
			ring[c][nr[c]++].mig.tid = (int32_t)seq[c]++;
		}
		for (c = 0; c < cpus; c++) {
			for (i = 0; swaps && i + 1 < nr[c]; i += 1 + (unsigned)(rnd() % swaps)) {
				if (ring[c][i].time == ring[c][i + 1].time)
					continue;
				ev = ring[c][i];
				ring[c][i] = ring[c][i + 1];
				ring[c][i + 1] = ev;
				swapped++;
			}
			for (i = 0; i < nr[c]; i++) {
				unsigned cpu = ring[c][i].cpu == MIG_NO_CPU ? 255 : ring[c][i].cpu;

				sum += (uint64_t)ring[c][i].mig.tid + 1000003ULL * cpu;
				pushed++;
				if (order__push(&ord, &ring[c][i], &err))
					ok(false, "push");
			}
			nr[c] = 0;
			/* meanwhile the others go on */
			for (i = 0; i < 3; i++) {
				unsigned o = (unsigned)(rnd() % cpus);

				time += rnd() % 3;
				ring[o][nr[o]] = (struct mig_event){ .time = time,
								     .cpu = o == 63 ? MIG_NO_CPU
										    : (uint16_t)o };
				ring[o][nr[o]++].mig.tid = (int32_t)seq[o]++;
			}
		}
		order__round(&ord, take, &t);
	}
	is_int(order__flush(&ord, take, &t), 0, "flush");
	ok(t.n == pushed && t.sum == sum, "%u CPUs, %u a round, swaps %u: nothing lost of %" PRIu64,
	   cpus, per_round, swaps, pushed);
	ok(!t.back, "%u CPUs, %u a round, swaps %u: sorted", cpus, per_round, swaps);
	ok(t.n && !t.strangers, "%u CPUs, %u a round, swaps %u: a run is of one CPU", cpus,
	   per_round, swaps);
	ok(!t.same_back, "%u CPUs, %u a round, swaps %u: one time keeps its order", cpus, per_round,
	   swaps);
	is_int((int64_t)ord.late, 0, "none late");
	is_int((int64_t)order__nr_queued(&ord), 0, "none left");
	ok(swaps ? ord.inverted > 0 && ord.inverted <= swapped + 1 : !ord.inverted,
	   "inversions are counted");
	ok(nr_rounds < 10 || ord.max_queued < pushed / 2,
	   "few wait at a time: %" PRIu64 " of %" PRIu64, ord.max_queued, pushed);
	order__exit(&ord);
	for (c = 0; c < cpus; c++)
		free(ring[c]);
}

static void push(struct order *ord, unsigned cpu, uint64_t time)
{
	struct mig_event ev = { .time = time, .cpu = (uint16_t)cpu };
	struct mig_err err;

	ev.mig.tid = (int32_t)time;
	if (order__push(ord, &ev, &err))
		ok(false, "push %" PRIu64, time);
}

/* No rounds at all, CPUs one after the other, one of them in reverse: sorted at the end. */
static void no_rounds(void)
{
	struct taken t = { 0 };
	struct order ord;
	unsigned c, i;

	order__init(&ord, 64 << 20);
	for (c = 0; c < 8; c++)
		for (i = 0; i < 500; i++)
			push(&ord, c, c == 3 ? 5000 - i * 3 : 1000 + i * 7 + c);
	is_int(order__flush(&ord, take, &t), 0, "no rounds: flush");
	is_int((int64_t)t.n, 4000, "no rounds: all of them");
	is_int((int64_t)t.back, 0, "no rounds: sorted, also what came in reverse");
	is_int((int64_t)ord.inverted, 499, "no rounds: inversions");
	order__exit(&ord);
}

/* At round k all up to the newest time of round k-1 is complete, and no more than that leaves. */
static void window(void)
{
	struct taken t = { 0 };
	struct order ord;

	order__init(&ord, 64 << 20);
	push(&ord, 0, 100);
	push(&ord, 1, 150);
	order__round(&ord, take, &t);
	is_int((int64_t)t.n, 0, "round 1: nothing is known to be complete");
	push(&ord, 0, 120); /* older than 150 of the round before */
	push(&ord, 0, 200);
	push(&ord, 1, 300);
	order__round(&ord, take, &t);
	is_int((int64_t)t.n, 3, "round 2: up to the newest of round 1");
	is_int((int64_t)t.last, 150, "round 2: which is 150");
	push(&ord, 1, 140);
	is_int((int64_t)ord.late, 1, "what comes after newer ones left is counted as late");
	order__flush(&ord, take, &t);
	is_int((int64_t)t.n, 6, "and handed on");
	is_int((int64_t)t.back, 1, "out of order");

	/* by time, without rounds (perfdata__safe_time) */
	push(&ord, 0, 400);
	push(&ord, 1, 500);
	order__advance(&ord, 450, take, &t);
	is_int((int64_t)t.last, 400, "advance: up to the time");
	order__advance(&ord, 500, take, &t);
	is_int((int64_t)t.last, 500, "advance: including it");
	order__exit(&ord);
}

static void limits(void)
{
	struct taken t = { .stop_after = 3, .rc = -EPIPE };
	struct mig_event ev = { 0 };
	struct order ord;
	struct mig_err err;
	int64_t i, rc = 0;

	/* rings are doubled: a half and two quarters of the events fill all that is allowed */
	order__init(&ord, 1024 * sizeof(ev));
	for (i = 0; i < 2000 && !rc; i++) {
		ev.time = (uint64_t)i + 1;
		ev.cpu = (uint16_t)(i % 4 % 3);
		rc = order__push(&ord, &ev, &err);
	}
	is_int(rc, -ENOBUFS, "more than the limit is refused");
	is_int(ord.bytes, 1024 * sizeof(ev), "what is allocated counts, and reaches the limit");
	is_int((int64_t)order__nr_queued(&ord), i - 1, "nothing is lost but what was refused");
	ok(strstr(err.msg, "FINISHED_ROUND") != NULL, "and the message says why");
	is_int(order__flush(&ord, take, &t), -EPIPE, "an error of the receiver stops the drain");
	is_int((int64_t)t.runs, 3, "at once");
	t.stop_after = 0;
	is_int(order__flush(&ord, take, &t), 0, "it can go on");
	is_int((int64_t)t.n, i - 1, "with the rest");
	order__exit(&ord);

	order__init(&ord, 1 << 20);
	is_int(order__flush(&ord, take, &t), 0, "an empty one");
	is_int(order__round(&ord, take, &t), 0, "an empty round");
	order__exit(&ord);
}

int main(void)
{
	rounds(1, 50, 20, 0);
	rounds(2, 3, 100, 0);
	rounds(8, 40, 50, 0);
	rounds(8, 40, 50, 5);
	rounds(64, 20, 30, 0); /* the last one without CPU */
	rounds(64, 20, 30, 3);
	rounds(3, 1000, 5, 2);
	no_rounds();
	window();
	limits();
	return done_testing();
}
