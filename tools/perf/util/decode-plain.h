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
 * A comm of 16 bytes -> its number, through a cache keyed by the bytes themselves. What an older
 * name left behind the NUL only makes one more entry.
 */
static inline uint32_t decode__comm16(struct decode *dec, const uint8_t *s)
{
	uint64_t lo, hi;
	uint32_t slot;

	memcpy(&lo, s, 8);
	memcpy(&hi, s + 8, 8);
	slot = (uint32_t)((lo ^ hi * 0x9e3779b97f4a7c15ULL) * 0xff51afd7ed558ccdULL >>
			  (64 - DECODE_COMM_CACHE_BITS));
	if (__builtin_expect(dec->comm_cache[slot].lo != lo || dec->comm_cache[slot].hi != hi ||
				     !dec->comm_cache[slot].id,
			     0)) {
		dec->comm_cache[slot].lo = lo;
		dec->comm_cache[slot].hi = hi;
		dec->comm_cache[slot].id = strtab__intern(dec->names, (const char *)s, 16);
	}
	return dec->comm_cache[slot].id;
}

static inline uint8_t decode_state(const struct decode_event *de, uint64_t state)
{
	if (state & de->preempted_mask)
		return MIG_STATE_PREEMPTED;
	state &= de->state_mask;
	if (state & de->dead_mask)
		return MIG_STATE_DEAD;
	if (state & de->disk_mask)
		return MIG_STATE_DISK;
	return state ? MIG_STATE_SLEEP : MIG_STATE_RUNNABLE;
}

/* include/linux/trace_events.h: TRACE_FLAG_HARDIRQ 0x08, _SOFTIRQ 0x10, _NMI 0x40 */
static inline uint8_t event_flags(const struct decode_event *de, uint8_t common)
{
	return (uint8_t)(de->add_flags | (common & 0x08 ? MIG_EVF_HARDIRQ : 0) |
			 (common & 0x10 ? MIG_EVF_SOFTIRQ : 0) | (common & 0x40 ? MIG_EVF_NMI : 0));
}

static inline int32_t load32(const uint8_t *p, const struct decode_field *f)
{
	int32_t v;

	memcpy(&v, p + f->offset, sizeof(v));
	return v;
}

/* The same as decode__payload() for events of the plain layout, which are nearly all there are. */
static inline void decode__plain(struct decode *dec, const struct decode_event *de,
				 const uint8_t *p, struct mig_event *ev)
{
	const struct decode_field *f = de->field;
	uint64_t state = 0;

	ev->flags = event_flags(de, p[de->flags.offset]);
	if (de->type != MIG_EV_SWITCH) {
		ev->wake.tid = load32(p, &f[0]);
		ev->wake.target_cpu = load32(p, &f[1]);
		ev->wake.prio = (int16_t)load32(p, &f[2]);
		ev->wake.comm = decode__comm16(dec, p + de->comm[0].offset);
		return;
	}
	ev->sw.prev_tid = load32(p, &f[0]);
	ev->sw.next_tid = load32(p, &f[1]);
	if (f[2].size == 8)
		memcpy(&state, p + f[2].offset, 8);
	else
		state = (uint32_t)load32(p, &f[2]);
	ev->sw.prev_state = decode_state(de, state);
	ev->sw.prev_prio = (int16_t)load32(p, &f[3]);
	ev->sw.next_prio = (int16_t)load32(p, &f[4]);
	ev->sw.prev_comm = decode__comm16(dec, p + de->comm[0].offset);
	ev->sw.next_comm = decode__comm16(dec, p + de->comm[1].offset);
}

/* A sample of the plain layout without anything of variable length: loads and stores only. */
static inline int decode__plain_sample(struct decode *dec, const struct decode_event *de,
				       const uint8_t *d, struct mig_event *ev)
{
	uint32_t cpu;

	memcpy(&ev->time, d + de->off_time, 8);
	memcpy(&ev->pid, d + de->off_tid, 8); /* pid and tid */
	memcpy(&cpu, d + de->off_cpu, 4);
	ev->reads = ev->chain = 0;
	ev->cpu = cpu < MIG_NO_CPU ? (uint16_t)cpu : MIG_NO_CPU;
	ev->event = (uint16_t)(de - dec->events);
	ev->type = de->type;
	decode__plain(dec, de, d + de->off_var + 4, ev);
	return 1;
}

/*
 * The event of the sample record of size bytes at d if it can be taken by decode__plain_sample();
 * NULL: use decode__record().
 */
static inline struct decode_event *decode__plain_event(struct decode *dec, const uint8_t *d,
						       uint32_t size)
{
	struct decode_event *de;
	uint32_t raw, event1;
	unsigned slot;
	uint64_t id;

	if (!dec->id_off || size < dec->id_off + 8U)
		return NULL;
	id = perf_load64(d + dec->id_off);
	slot = id & ((1U << DECODE_ID_CACHE_BITS) - 1);
	event1 = dec->id_cache[slot].event1;
	if (dec->id_cache[slot].id != id || !event1)
		return NULL;
	de = &dec->events[event1 - 1];
	if (!de->plain_sample || size < de->off_var + 4U + de->min_raw)
		return NULL;
	raw = perf_load32(d + de->off_var);
	return raw >= de->min_raw && raw <= size - de->off_var - 4U ? de : NULL;
}

#endif
