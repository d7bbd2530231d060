// SPDX-License-Identifier: GPL-2.0
/*
 * decode: one raw record in, one struct mig_event out (see decode.h). The hot path: loads at
 * offsets that decode-event.c resolved, every one of them checked against the record's size.
 */
#include "decode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <traceevent/event-parse.h>

#include "cgroup.h"
#include "mmaps.h"
#include "decode-event.h"
#include "decode-plain.h"
#include "err.h"
#include "perfdata.h"

_Static_assert(sizeof(struct mig_event) == 56, "an event is larger than decode.h says");

int decode__init(struct decode *dec, struct perfdata *pd, struct strtab *names,
		 struct chain_table *chains, struct cgroup_map *cgroups, struct mig_err *err)
{
	memset(dec, 0, sizeof(*dec));
	dec->cgroups = cgroups;
	dec->pd = pd;
	dec->names = names;
	dec->chains = chains;
	dec->swap = perfdata__swapped(pd);
	dec->group.is_group = true;
	dec->tep = tep_alloc();
	dec->comm_cache = calloc(1U << DECODE_COMM_CACHE_BITS, sizeof(*dec->comm_cache));
	if (!dec->tep || !dec->comm_cache) {
		decode__exit(dec);
		return mig_err__set(err, -ENOMEM, "out of memory");
	}
	tep_set_loglevel(TEP_LOG_NONE);
	return decode__take_events(dec);
}

void decode__exit(struct decode *dec)
{
	unsigned i;

	for (i = 0; i < dec->nr_events; i++)
		decode_event__exit(&dec->events[i]);
	free(dec->events);
	decode_event__free_counters(&dec->group);
	decode_event__free_counters(&dec->sampled);
	free(dec->reads);
	free(dec->comm_cache);
	if (dec->tep)
		tep_free(dec->tep);
	memset(dec, 0, sizeof(*dec));
}

int decode__take_events(struct decode *dec)
{
	size_t nr = perfdata__nr_events(dec->pd), nr_formats;
	struct decode_event *p;
	int ret;

	perfdata__formats(dec->pd, &nr_formats);
	if (!dec->formats_taken && nr_formats) {
		ret = decode_event__take_formats(dec);
		if (ret)
			return ret;
	}
	/* in a pipe the attrs come before the formats: wait for these, unless samples begin */
	if (!nr_formats && perfdata__is_pipe(dec->pd) && !dec->nr_samples)
		return 0;
	if (nr <= dec->nr_events)
		return 0;
	dec->id_off = perfdata__id_offset(dec->pd);
	memset(dec->id_cache, 0xff, sizeof(dec->id_cache)); /* DECODE_NOT_PLAIN */
	p = realloc(dec->events, nr * sizeof(*p));
	if (!p)
		return -ENOMEM;
	dec->events = p;
	memset(p + dec->nr_events, 0, (nr - dec->nr_events) * sizeof(*p));
	while (dec->nr_events < nr) {
		struct decode_event *de = &dec->events[dec->nr_events];

		ret = decode_event__resolve(dec, de, perfdata__event(dec->pd, dec->nr_events));
		if (ret)
			return ret;
		dec->nr_events++;
	}
	return 0;
}

void decode__forget_unreadable(struct decode *dec)
{
	bool good[MIG_NR_EV] = { false }, bad[MIG_NR_EV] = { false };
	unsigned i;

	for (i = 0; i < dec->nr_events; i++) {
		const struct decode_event *de = &dec->events[i];

		if (de->nr_bad && de->nr_bad == de->nr_samples)
			bad[de->type] = true;
		else
			good[de->type] = true;
	}
	for (i = 0; i < MIG_NR_EV; i++)
		if (bad[i] && !good[i])
			dec->seen[i] = false;
}

const char *decode__event_name(const struct decode *dec, unsigned event)
{
	return event < dec->nr_events ? dec->events[event].name : "unknown";
}

uint64_t decode__event_samples(const struct decode *dec, unsigned event)
{
	return event < dec->nr_events ? dec->events[event].nr_samples : 0;
}

static uint32_t decode__comm(struct decode *dec, const uint8_t *s, size_t len)
{
	uint8_t buf[16] = { 0 };

	if (len > 16)
		return strtab__intern(dec->names, (const char *)s, len);
	memcpy(buf, s, len);
	return decode__comm16(dec, buf);
}

struct raw {
	const uint8_t *p;
	uint32_t size;
	bool swap;
};

static inline int64_t raw__field(const struct raw *raw, const struct decode_field *f, bool *ok)
{
	const uint8_t *p = raw->p + f->offset;

	if (f->size == 0 || (uint32_t)f->offset + f->size > raw->size) {
		*ok = false;
		return 0;
	}
	switch (f->size) {
	case 4: {
		uint32_t v = perf_get32(p, raw->swap);

		return f->is_signed ? (int64_t)(int32_t)v : (int64_t)v;
	}
	case 8:
		return (int64_t)perf_get64(p, raw->swap);
	case 2: {
		uint16_t v = perf_get16(p, raw->swap);

		return f->is_signed ? (int64_t)(int16_t)v : (int64_t)v;
	}
	default:
		return f->is_signed ? (int64_t)(int8_t)*p : (int64_t)*p;
	}
}

static inline int64_t raw__optional(const struct raw *raw, const struct decode_field *f,
				    int64_t absent)
{
	bool ok = true;
	int64_t v = raw__field(raw, f, &ok);

	return ok ? v : absent;
}

static uint32_t raw__comm(struct decode *dec, const struct raw *raw, const struct decode_comm *c)
{
	uint32_t off = c->offset, len = c->size, loc;

	if (c->kind == DECODE_COMM_NONE || off + len > raw->size)
		return 0;
	if (c->kind != DECODE_COMM_ARRAY) {
		if (len < 4)
			return 0;
		loc = perf_get32(raw->p + off, raw->swap);
		off = (loc & 0xffff) + (c->kind == DECODE_COMM_REL_LOC ? off + len : 0);
		len = loc >> 16;
		if (off > raw->size || len > raw->size - off)
			return 0;
	}
	return decode__comm(dec, raw->p + off, len);
}

/* 1, 0 = it does not fit the payload, -1 = nothing for us. */
static int decode__payload(struct decode *dec, const struct decode_event *de, const struct raw *raw,
			   struct mig_event *ev)
{
	const struct decode_field *f = de->field;
	bool ok = true;

	ev->flags = event_flags(de, (uint8_t)raw__optional(raw, &de->flags, 0));
	switch (de->type) {
	case MIG_EV_SWITCH:
		ev->sw.prev_tid = (int32_t)raw__field(raw, &f[0], &ok);
		ev->sw.next_tid = (int32_t)raw__field(raw, &f[1], &ok);
		ev->sw.prev_state = decode__state(de, (uint64_t)raw__field(raw, &f[2], &ok));
		ev->sw.prev_prio = (int16_t)raw__optional(raw, &f[3], 120);
		ev->sw.next_prio = (int16_t)raw__optional(raw, &f[4], 120);
		ev->sw.prev_comm = raw__comm(dec, raw, &de->comm[0]);
		ev->sw.next_comm = raw__comm(dec, raw, &de->comm[1]);
		break;
	case MIG_EV_WAKING:
	case MIG_EV_WAKEUP:
	case MIG_EV_WAKEUP_NEW:
		ev->wake.tid = (int32_t)raw__field(raw, &f[0], &ok);
		ev->wake.target_cpu = (int32_t)raw__field(raw, &f[1], &ok);
		ev->wake.prio = (int16_t)raw__optional(raw, &f[2], 120);
		if (!raw__optional(raw, &f[3], 1))
			return -1; /* success=0 of kernels before 4.x: it was running, nothing woke
				    */
		ev->wake.comm = raw__comm(dec, raw, &de->comm[0]);
		break;
	case MIG_EV_MIGRATE:
		ev->mig.tid = (int32_t)raw__field(raw, &f[0], &ok);
		ev->mig.orig_cpu = (int32_t)raw__field(raw, &f[1], &ok);
		ev->mig.dest_cpu = (int32_t)raw__field(raw, &f[2], &ok);
		ev->mig.prio = (int16_t)raw__optional(raw, &f[3], 120);
		ev->mig.comm = raw__comm(dec, raw, &de->comm[0]);
		break;
	case MIG_EV_FORK:
		ev->fork.parent_tid = (int32_t)raw__field(raw, &f[0], &ok);
		ev->fork.child_tid = (int32_t)raw__field(raw, &f[1], &ok);
		ev->fork.parent_comm = raw__comm(dec, raw, &de->comm[0]);
		ev->fork.child_comm = raw__comm(dec, raw, &de->comm[1]);
		break;
	case MIG_EV_SOFTIRQ:
		/* include/linux/interrupt.h: SCHED_SOFTIRQ = 7 */
		return raw__field(raw, &f[0], &ok) == 7 || !ok ? ok : -1;
	case MIG_EV_SETAFFINITY:
	case MIG_EV_IPI_RESCHED:
	case MIG_EV_IPI_CALL:
		break;
	case MIG_EV_IPI_SEND:
		/* smp_send_reschedule() has no callback (include/linux/smp.h) */
		ev->ipi.cpu = (int32_t)raw__field(raw, &f[0], &ok);
		if (raw__field(raw, &f[1], &ok))
			ev->flags |= MIG_EVF_CALL;
		break;
	case MIG_EV_IDLE:
		/* include/trace/events/power.h: PWR_EVENT_EXIT = -1 */
		if ((int32_t)raw__field(raw, &f[0], &ok) == -1)
			ev->flags |= MIG_EVF_ENTER;
		break;
	default: /* exec, exit, numa */
		ev->task.tid = (int32_t)raw__field(raw, &f[0], &ok);
		ev->task.tid2 = (int32_t)raw__optional(raw, &f[1], -1);
		ev->task.comm = raw__comm(dec, raw, &de->comm[0]);
	}
	return ok;
}

static struct mig_reads *decode__get_reads(struct decode *dec, uint32_t *ret_handle)
{
	uint32_t h = dec->free_reads;

	if (h) {
		dec->free_reads = dec->reads[h - 1].next_free;
	} else {
		if (dec->nr_reads == dec->max_reads) {
			uint32_t max = dec->max_reads ? dec->max_reads * 2 : 1024;
			struct mig_reads *p = realloc(dec->reads, max * sizeof(*p));

			if (!p)
				return NULL;
			dec->reads = p;
			dec->max_reads = max;
		}
		h = ++dec->nr_reads;
	}
	*ret_handle = h;
	return &dec->reads[h - 1];
}

/*
 * Parses the READ block at p. Returns its size, 0 if it does not fit. A group read of a switch is
 * stored; whatever else (a scalar value, a group that another event leads) is only skipped.
 */
static size_t decode__read_block(struct decode *dec, struct decode_event *de, const uint8_t *p,
				 size_t left, struct mig_event *ev)
{
	uint64_t rf = de->read_format, nr = 1, enabled = 0, running = 0;
	size_t entry = 8 + (rf & PERF_RF_ID ? 8 : 0) + (rf & PERF_RF_LOST ? 8 : 0), off = 0, size;
	size_t times = (rf & PERF_RF_ENABLED ? 8 : 0) + (rf & PERF_RF_RUNNING ? 8 : 0);
	struct mig_reads *r;
	unsigned i;

	if (!(rf & PERF_RF_GROUP))
		return times + entry <= left ? times + entry : 0;
	if (left < 8 + times)
		return 0;
	nr = perf_get64(p, dec->swap);
	off = 8;
	if (rf & PERF_RF_ENABLED) {
		enabled = perf_get64(p + off, dec->swap);
		off += 8;
	}
	if (rf & PERF_RF_RUNNING) {
		running = perf_get64(p + off, dec->swap);
		off += 8;
	}
	if (nr > (left - off) / entry)
		return 0;
	size = off + nr * entry;
	if (de->type != MIG_EV_SWITCH || nr < 2 || !(rf & PERF_RF_ID))
		return size;
	if (!de->group_resolved &&
	    decode_event__resolve_group(dec, de, p + off + 8, entry, (unsigned)nr, dec->swap))
		return size;
	r = decode__get_reads(dec, &ev->reads);
	if (!r)
		return size;
	r->enabled = enabled;
	r->running = running;
	r->id = perf_get64(p + off + 8, dec->swap);
	memset(r->value, 0xff, sizeof(r->value)); /* MIG_NULL: not in the group after all */
	for (i = 1; i < nr && i <= MIG_MAX_COUNTERS; i++)
		if (de->group_slot[i] < MIG_MAX_COUNTERS)
			r->value[de->group_slot[i]] = perf_get64(p + off + i * entry, dec->swap);
	return size;
}

/*
 * Takes in the read and the chain of a record of size bytes at d. Returns where what follows them
 * stands, 0 if they do not fit.
 */
static unsigned decode__tail(struct decode *dec, struct decode_event *de, const uint8_t *d,
			     uint32_t size, struct mig_event *ev)
{
	const uint8_t *p = d + de->off_var, *end = d + size;

	if (de->has_read) {
		size_t n = decode__read_block(dec, de, p, (size_t)(end - p), ev);

		if (!n)
			return 0;
		p += n;
	}
	if (de->has_chain) {
		uint64_t nr;

		if (end - p < 8)
			return 0;
		nr = perf_get64(p, dec->swap);
		p += 8;
		if (nr > (uint64_t)(end - p) / 8)
			return 0;
		if (nr && (de->type == MIG_EV_WAKING || de->type == MIG_EV_WAKEUP ||
			   de->type == MIG_EV_MIGRATE))
			ev->chain = chain_table__intern(dec->chains, p, nr, dec->swap);
		p += nr * 8;
	}
	return (unsigned)(p - d);
}

uint32_t decode__new_comm(struct decode *dec, struct decode_comm_slot *slot, const uint8_t *s)
{
	slot->lo = perf_load64(s);
	slot->hi = perf_load64(s + 8);
	slot->id = decode__comm16(dec, s);
	return slot->id;
}

bool decode__winding_sample(struct decode *dec, struct decode_event *de, const uint8_t *d,
			    uint32_t size, uint32_t cpu, struct mig_event *ev)
{
	unsigned off = de->off_var;
	const uint8_t *p;

	ev->reads = ev->chain = 0;
	if (de->has_tail)
		off = decode__tail(dec, de, d, size, ev);
	p = d + off + 4;
	if (!off || size < off + 4U + de->min_raw || perf_load32(d + off) < de->min_raw) {
		decode__put_reads(dec, ev);
		return false;
	}
	decode__words(de, d, cpu, ev);
	if (!de->fixed)
		decode__plain(dec, de, p, ev);
	else if (de->type == MIG_EV_SWITCH)
		decode__fixed_switch(dec, de, p, ev);
	else
		decode__fixed_wake(dec, de, p, ev);
	return true;
}

/* What follows the fixed words: READ, CALLCHAIN, RAW. */
static int decode__variable(struct decode *dec, struct decode_event *de, const struct perf_rec *rec,
			    struct mig_event *ev)
{
	unsigned off = decode__tail(dec, de, rec->data, rec->size, ev);
	const uint8_t *p = rec->data + off, *end = rec->data + rec->size;
	struct raw raw = { .swap = dec->swap };

	if (!off)
		return 0;
	if (!de->has_raw || end - p < 4)
		return 0;
	raw.size = perf_get32(p, dec->swap);
	raw.p = p + 4;
	if (raw.size > (size_t)(end - raw.p))
		return 0;
	if (de->plain && raw.size >= de->min_raw) {
		decode__plain(dec, de, raw.p, ev);
		return 1;
	}
	return decode__payload(dec, de, &raw, ev);
}

/* Index of the sample's event, through the cache. */
static int decode__find_event(struct decode *dec, const struct perf_rec *rec)
{
	int idx = perfdata__sample_event(dec->pd, rec);

	if (idx >= 0 && (unsigned)idx < dec->nr_events && dec->id_off &&
	    rec->size >= dec->id_off + 8) {
		const uint64_t id = perf_load64(rec->data + dec->id_off);
		struct decode_event *de = &dec->events[idx];

		dec->id_cache[id & (DECODE_NR_IDS - 1)] =
			(struct decode_id_slot){ .id = id, .de = de, .min_size = de->min_size };
	}
	return idx;
}

/* The call chain of a counter's sample; 0 = it has none, or other things stand before it. */
static uint32_t decode__miss_chain(struct decode *dec, const struct decode_event *de,
				   const struct perf_rec *rec)
{
	const size_t left = rec->size > de->off_var ? rec->size - de->off_var : 0;
	uint64_t nr;

	if (!de->has_chain || de->has_read || left < 8)
		return 0;
	nr = perf_get64(rec->data + de->off_var, dec->swap);
	if (nr > (left - 8) / 8)
		return 0;
	return chain_table__intern(dec->miss_chains, rec->data + de->off_var + 8, nr, dec->swap);
}

static int decode__sample(struct decode *dec, const struct perf_rec *rec, struct mig_event *ev)
{
	int idx = decode__find_event(dec, rec);
	struct decode_event *de;
	int ret;

	dec->nr_samples++;
	if (idx < 0)
		return 0;
	if ((unsigned)idx >= dec->nr_events) {
		ret = decode__take_events(dec);
		if (ret || (unsigned)idx >= dec->nr_events)
			return ret;
	}
	de = &dec->events[idx];
	de->nr_samples++;
	if (de->type == MIG_EV_NONE || de->is_dup ||
	    (de->type >= MIG_EV_IPI_SEND && de->type <= MIG_EV_IDLE && !dec->anatomy))
		return 0;
	if (rec->size < de->off_var) {
		dec->undecoded++;
		de->nr_bad++;
		return 0;
	}
	ev->type = de->type;
	ev->event = (uint16_t)idx;
	ev->flags = 0;
	ev->reads = ev->chain = 0;
	ev->pid = ev->tid = -1;
	ev->cpu = MIG_NO_CPU;
	ev->time = de->off_time ? perf_get64(rec->data + de->off_time, dec->swap) : 0;
	if (de->off_tid) {
		ev->pid = (int32_t)perf_get32(rec->data + de->off_tid, dec->swap);
		ev->tid = (int32_t)perf_get32(rec->data + de->off_tid + 4, dec->swap);
	}
	if (de->off_cpu) {
		uint32_t cpu = perf_get32(rec->data + de->off_cpu, dec->swap);

		ev->cpu = cpu < MIG_NO_CPU ? (uint16_t)cpu : MIG_NO_CPU;
	}
	if (de->type == MIG_EV_SAMPLE) {
		ev->sample.counter = de->counter;
		ev->sample.addr = de->off_ip ? perf_get64(rec->data + de->off_ip, dec->swap) : 0;
		ev->chain = dec->miss_chains ? decode__miss_chain(dec, de, rec) : 0;
		ev->sample.period = de->off_period
					    ? perf_get64(rec->data + de->off_period, dec->swap)
					    : de->fixed_period;
		return 1;
	}
	if (!de->off_time || ev->cpu == MIG_NO_CPU) {
		/* without a time there is no order either */
		ev->cpu = MIG_NO_CPU;
		dec->no_cpu++;
	}
	ret = decode__variable(dec, de, rec, ev);
	if (ret <= 0) {
		if (!ret) {
			dec->undecoded++;
			de->nr_bad++;
		}
		decode__put_reads(dec, ev);
		return 0;
	}
	if (!dec->cgroups)
		return 1;
	ev->cgroup = 0;
	if (!de->has_cgroup || ev->tid <= 0)
		return 1;
	ev->cgroup =
		cgroup_map__number(dec->cgroups, perf_get64(rec->data + rec->size - 8, dec->swap));
	return cgroup_map__note(dec->cgroups, ev->tid, ev->cgroup, true) ? -ENOMEM : 1;
}

/*
 * MMAP: header, pid, tid, start, len, pgoff, name. MMAP2 has device, inode and generation, or (misc
 * bit 14) the build id, then protection and flags before the name. Of user space alone (misc & 7 is
 * 2), and code (misc bit 13 is data).
 */
static int decode__mmap(struct decode *dec, const struct perf_rec *rec, uint64_t time)
{
	const uint8_t *p = rec->data;
	size_t at = rec->type == PERF_REC_MMAP ? 40 : 72;
	bool has_id = rec->type == PERF_REC_MMAP2 && rec->misc & (1U << 14);
	struct mmap_region r = { 0 };

	if (rec->size <= at || (rec->misc & 7) != 2 || rec->misc & (1U << 13) ||
	    !memchr(p + at, 0, rec->size - at))
		return 0;
	r.start = perf_get64(p + 16, dec->swap);
	r.end = r.start + perf_get64(p + 24, dec->swap);
	r.offset = perf_get64(p + 32, dec->swap);
	if (r.end <= r.start)
		return 0;
	return mmaps__add(dec->mmaps, (int32_t)perf_get32(p + 8, dec->swap), time, &r,
			  (const char *)p + at, has_id ? p + 44 : NULL,
			  has_id && p[40] <= 20 ? p[40] : 0);
}

/* What begins and ends in memory with processes. */
static int decode__follow_maps(struct decode *dec, const struct perf_rec *rec, uint64_t time)
{
	const uint8_t *p = rec->data + 8;
	int32_t pid = rec->size >= 24 ? (int32_t)perf_get32(p, dec->swap) : -1;
	int32_t parent = rec->size >= 24 ? (int32_t)perf_get32(p + 4, dec->swap) : -1;

	switch (rec->type) {
	case PERF_REC_MMAP:
	case PERF_REC_MMAP2:
		return decode__mmap(dec, rec, time);
	case PERF_REC_FORK:
		/* a record that perf made up tells of no fork */
		return time && pid >= 0 && pid != parent
			       ? mmaps__fork(dec->mmaps, pid, parent, time)
			       : 0;
	case PERF_REC_COMM:
		return rec->misc & (1U << 13) && pid >= 0 ? mmaps__exec(dec->mmaps, pid, time) : 0;
	default:
		return 0;
	}
}

/* The others: COMM, FORK, LOST, LOST_SAMPLES, with their time and CPU from the trailer. */
static int decode__other(struct decode *dec, const struct perf_rec *rec, struct mig_event *ev)
{
	const uint8_t *p = rec->data + 8;
	size_t left = rec->size - 8U;
	struct perf_sample_id sid;

	perfdata__sample_id(dec->pd, rec, &sid);
	memset(ev, 0, sizeof(*ev));
	ev->time = sid.time == UINT64_MAX ? 0 : sid.time;
	ev->cpu = sid.cpu >= 0 && sid.cpu < MIG_NO_CPU ? (uint16_t)sid.cpu : MIG_NO_CPU;
	if (dec->mmaps && decode__follow_maps(dec, rec, ev->time))
		return -ENOMEM;
	switch (rec->type) {
	case PERF_REC_COMM:
		if (left < 9)
			return 0;
		ev->type = MIG_EV_COMM;
		ev->pid = (int32_t)perf_get32(p, dec->swap);
		ev->task.tid = ev->tid = (int32_t)perf_get32(p + 4, dec->swap);
		ev->task.comm = decode__comm(dec, p + 8, left - 8 > 16 ? 16 : left - 8);
		return 1;
	case PERF_REC_FORK:
		if (left < 16)
			return 0;
		ev->type = MIG_EV_TASK;
		ev->rel.ptid = (int32_t)perf_get32(p + 12, dec->swap);
		ev->rel.pid = (int32_t)perf_get32(p, dec->swap);
		ev->rel.ppid = (int32_t)perf_get32(p + 4, dec->swap);
		ev->rel.tid = (int32_t)perf_get32(p + 8, dec->swap);
		return 1;
	case PERF_REC_LOST:
		if (left < 16)
			return 0;
		ev->type = MIG_EV_LOST;
		ev->lost.lost = perf_get64(p + 8, dec->swap);
		dec->lost_records += ev->lost.lost;
		return 1;
	case PERF_REC_CGROUP:
		if (left >= 9 && dec->cgroups)
			return cgroup_map__add_path(dec->cgroups, perf_get64(p, dec->swap),
						    (const char *)p + 8, left - 8);
		return 0;
	case PERF_REC_LOST_SAMPLES:
		/* bit 15: dropped by a BPF filter, which the user asked for */
		if (left >= 8 && !(rec->misc & (1U << 15)))
			dec->lost_samples += perf_get64(p, dec->swap);
		return 0;
	default:
		return 0;
	}
}

int decode__record(struct decode *dec, const struct perf_rec *rec, struct mig_event *ret_ev)
{
	dec->nr_records++;
	return rec->type == PERF_REC_SAMPLE ? decode__sample(dec, rec, ret_ev)
					    : decode__other(dec, rec, ret_ev);
}
