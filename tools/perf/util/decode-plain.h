/* SPDX-License-Identifier: GPL-2.0 */
/*
 * decode-plain: the hot path of decode, inline: samples of the plain layout (see decode-event.h),
 * as nearly all are. session.c takes them straight from the reader's buffer into the queues of
 * order.
 */
#ifndef MIG_DECODE_PLAIN_H
#define MIG_DECODE_PLAIN_H

#include <string.h>

#include "decode-event.h"
#include "perfdata.h"

/*
 * Where the fields of sched_switch, sched_waking, sched_wakeup and sched_wakeup_new stand on 64-bit
 * kernels (include/trace/events/sched.h). Used only where the recording's formats say the same.
 */
enum {
	FIXED_FLAGS = 2,
	FIXED_COMM = 8,
	FIXED_TID = 24,
	FIXED_PRIO = 28,
	FIXED_TARGET_CPU = 32,
	FIXED_STATE = 32,
	FIXED_NEXT_COMM = 40,
	FIXED_NEXT_TID = 56,
	FIXED_NEXT_PRIO = 60,
};

/*
 * A comm of 16 bytes -> its number, through caches keyed by the bytes themselves. What an older
 * name left behind the NUL only makes one more entry.
 */
static inline uint32_t decode__comm16(struct decode *dec, const uint8_t *s)
{
	uint64_t lo = perf_load64(s), hi = perf_load64(s + 8);
	struct decode_comm_slot *slot;

	slot = &dec->comm_cache[(lo ^ hi * 0x9e3779b97f4a7c15ULL) * 0xff51afd7ed558ccdULL >>
				(64 - DECODE_COMM_CACHE_BITS)];
	if (__builtin_expect(slot->lo != lo || slot->hi != hi || !slot->id, 0)) {
		slot->lo = lo;
		slot->hi = hi;
		slot->id = strtab__intern(dec->names, (const char *)s, 16);
	}
	return slot->id;
}

/* decode.c: the name in slot is another one now. Returns its number. */
uint32_t decode__new_comm(struct decode *dec, struct decode_comm_slot *slot, const uint8_t *s);

/* .. of the task tid, whose name is most often what it was. */
static inline uint32_t decode__comm_of(struct decode *dec, const uint8_t *s, int32_t tid)
{
	struct decode_comm_slot *slot = &dec->comm_of[(uint32_t)tid % DECODE_NR_OWNERS];

	if (__builtin_expect(
		    slot->lo != perf_load64(s) || slot->hi != perf_load64(s + 8) || !slot->id, 0))
		return decode__new_comm(dec, slot, s);
	return slot->id;
}

static inline uint8_t decode__state(const struct decode_event *de, uint64_t state)
{
	return de->state_of[state & (DECODE_MAX_STATE - 1)];
}

static inline uint8_t event_flags(const struct decode_event *de, uint8_t common)
{
	return (uint8_t)(de->add_flags | (common & MIG_EVF_COMMON));
}

static inline int32_t load32(const uint8_t *p)
{
	return (int32_t)perf_load32(p);
}

/* The same as decode__payload() for events of the plain layout at the known offsets. */
static inline void decode__fixed_wake(struct decode *dec, const struct decode_event *de,
				      const uint8_t *p, struct mig_event *ev)
{
	ev->flags = event_flags(de, p[FIXED_FLAGS]);
	ev->wake.tid = load32(p + FIXED_TID);
	ev->wake.target_cpu = load32(p + FIXED_TARGET_CPU);
	ev->wake.prio = (int16_t)load32(p + FIXED_PRIO);
	ev->wake.comm = decode__comm_of(dec, p + FIXED_COMM, ev->wake.tid);
}

static inline void decode__fixed_switch(struct decode *dec, const struct decode_event *de,
					const uint8_t *p, struct mig_event *ev)
{
	const int32_t prev = load32(p + FIXED_TID), next = load32(p + FIXED_NEXT_TID);

	ev->flags = event_flags(de, p[FIXED_FLAGS]);
	ev->sw.prev_tid = prev;
	ev->sw.next_tid = next;
	ev->sw.prev_state = decode__state(de, perf_load64(p + FIXED_STATE));
	ev->sw.prev_prio = (int16_t)load32(p + FIXED_PRIO);
	ev->sw.next_prio = (int16_t)load32(p + FIXED_NEXT_PRIO);
	ev->sw.prev_comm = decode__comm_of(dec, p + FIXED_COMM, prev);
	ev->sw.next_comm = decode__comm_of(dec, p + FIXED_NEXT_COMM, next);
}

/* .. at any offsets. */
static inline void decode__plain(struct decode *dec, const struct decode_event *de,
				 const uint8_t *p, struct mig_event *ev)
{
	const struct decode_field *f = de->field;

	ev->flags = event_flags(de, p[de->flags.offset]);
	if (de->type != MIG_EV_SWITCH) {
		ev->wake.tid = load32(p + f[0].offset);
		ev->wake.target_cpu = load32(p + f[1].offset);
		ev->wake.prio = (int16_t)load32(p + f[2].offset);
		ev->wake.comm = decode__comm16(dec, p + de->comm[0].offset);
		return;
	}
	ev->sw.prev_tid = load32(p + f[0].offset);
	ev->sw.next_tid = load32(p + f[1].offset);
	ev->sw.prev_state = decode__state(de, f[2].size == 8 ? perf_load64(p + f[2].offset)
							     : perf_load32(p + f[2].offset));
	ev->sw.prev_prio = (int16_t)load32(p + f[3].offset);
	ev->sw.next_prio = (int16_t)load32(p + f[4].offset);
	ev->sw.prev_comm = decode__comm16(dec, p + de->comm[0].offset);
	ev->sw.next_comm = decode__comm16(dec, p + de->comm[1].offset);
}

/* What stands at fixed places. */
static inline void decode__words(const struct decode_event *de, const uint8_t *d, uint32_t cpu,
				 struct mig_event *ev)
{
	ev->time = perf_load64(d + de->off_time);
	memcpy(&ev->pid, d + de->off_tid, 8); /* pid and tid */
	ev->cpu = (uint16_t)cpu;
	ev->event = de->index;
	ev->type = de->type;
}

/* decode.c: decode__plain_sample() for what is not straight. */
bool decode__winding_sample(struct decode *dec, struct decode_event *de, const uint8_t *d,
			    uint32_t size, uint32_t cpu, struct mig_event *ev);

/*
 * Decodes the sample record of size bytes at d, of the event that decode__plain_event() gave, of
 * CPU cpu. false: it is not as it should be, use decode__record().
 */
static inline bool decode__plain_sample(struct decode *dec, struct decode_event *de,
					const uint8_t *d, uint32_t size, uint32_t cpu,
					struct mig_event *ev)
{
	const uint8_t *p = d + de->off_var;

	if (__builtin_expect(!de->straight, 0))
		return decode__winding_sample(dec, de, d, size, cpu, ev);
	if (__builtin_expect(perf_load32(p) < de->min_raw, 0))
		return false;
	ev->reads = ev->chain = 0;
	decode__words(de, d, cpu, ev);
	if (de->straight == DECODE_FIXED_SWITCH)
		decode__fixed_switch(dec, de, p + 4, ev);
	else
		decode__fixed_wake(dec, de, p + 4, ev);
	return true;
}

/*
 * The event of the sample record of size bytes at d if decode__plain_sample() may take it; NULL:
 * use decode__record(). id_off: dec->id_off, not 0; as many bytes and 8 more can be loaded.
 */
static inline struct decode_event *decode__plain_event(const struct decode *dec, unsigned id_off,
						       const uint8_t *d, uint32_t size)
{
	const uint64_t id = perf_load64(d + id_off);
	const struct decode_id_slot *slot = &dec->id_cache[id % DECODE_NR_IDS];

	/* min_size of an event is beyond its id, so a shorter record ends here too */
	return slot->id == id && slot->min_size <= size ? slot->de : NULL;
}

#endif
