// SPDX-License-Identifier: GPL-2.0
/*
 * perfdata: the next record of a recording. Takes in the records that only describe, merges the
 * streams of a directory, and answers questions about ids and trailers. perfdata-int.h says what
 * the other files of the room do.
 */
#include "perfdata-int.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "utf8.h"

#define WARNINGS_MAX 64

/* ---- warnings, ids ---- */

void perfdata__warn(struct perfdata *pd, const char *fmt, ...)
{
	char *text, **more;
	va_list ap;
	int n;

	if (pd->nr_warnings >= WARNINGS_MAX)
		return;
	more = realloc(pd->warnings, (pd->nr_warnings + 1) * sizeof(*more));
	if (!more)
		return;
	pd->warnings = more;
	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n >= 0)
		pd->warnings[pd->nr_warnings++] = text;
}

static size_t id_hash(uint64_t id, size_t cap)
{
	return (size_t)(id * 0x9e3779b97f4a7c15ULL >> 32) & (cap - 1);
}

static int perfdata__grow_ids(struct perfdata *pd)
{
	size_t cap = pd->ids_cap ? 2 * pd->ids_cap : 64;
	struct pd_id *ids = calloc(cap, sizeof(*ids));

	if (!ids)
		return -ENOMEM;
	for (size_t i = 0; i < pd->ids_cap; i++) {
		size_t at;

		if (!pd->ids[i].event)
			continue;
		at = id_hash(pd->ids[i].id, cap);
		while (ids[at].event)
			at = (at + 1) & (cap - 1);
		ids[at] = pd->ids[i];
	}
	free(pd->ids);
	pd->ids = ids;
	pd->ids_cap = cap;
	return 0;
}

int perfdata__map_id(struct perfdata *pd, uint64_t id, size_t event)
{
	size_t at;

	if (2 * (pd->nr_ids + 1) > pd->ids_cap) {
		int rc = perfdata__grow_ids(pd);

		if (rc)
			return rc;
	}
	at = id_hash(id, pd->ids_cap);
	while (pd->ids[at].event) {
		if (pd->ids[at].id == id)
			return 0; /* the first one has it */
		at = (at + 1) & (pd->ids_cap - 1);
	}
	pd->ids[at] = (struct pd_id){ id, (uint32_t)event + 1 };
	pd->nr_ids++;
	return 0;
}

int perfdata__event_by_id(const struct perfdata *pd, uint64_t id)
{
	size_t at;

	if (!pd->ids_cap)
		return -1;
	at = id_hash(id, pd->ids_cap);
	while (pd->ids[at].event) {
		if (pd->ids[at].id == id)
			return (int)pd->ids[at].event - 1;
		at = (at + 1) & (pd->ids_cap - 1);
	}
	return -1;
}

/* As perf: one event takes every sample; a sample with id 0 belongs to the first event. */
int perfdata__sample_event(const struct perfdata *pd, const struct perf_rec *rec)
{
	uint64_t id;

	if (pd->nr_events <= 1)
		return (int)pd->nr_events - 1;
	if (!pd->id_off || rec->size < pd->id_off + 8)
		return -1;
	id = perf_get64(rec->data + pd->id_off, pd->swap);
	if (pd_unlikely(!id))
		return 0;
	return perfdata__event_by_id(pd, id);
}

unsigned perfdata__id_offset(const struct perfdata *pd)
{
	return pd->nr_events > 1 && !pd->swap ? pd->id_off : 0;
}

/* ---- trailers ---- */

static unsigned trailer_size(unsigned type)
{
	return 8 * (unsigned)__builtin_popcount(type);
}

/* The sample_type bits of this record's trailer. Mixed events have the id at a common place. */
static unsigned perfdata__trailer_type(const struct perfdata *pd, const struct perf_rec *rec)
{
	const unsigned mask = PERF_ST_TID | PERF_ST_TIME | PERF_ST_ID | PERF_ST_STREAM_ID |
			      PERF_ST_CPU | PERF_ST_IDENTIFIER;
	int idx;

	if (!pd->trailers_differ || !pd->id_back || rec->size < 8 + pd->id_back)
		return pd->trailer_type;
	idx = perfdata__event_by_id(pd, perf_get64(rec->data + rec->size - pd->id_back, pd->swap));
	if (idx < 0)
		return pd->trailer_type;
	return pd->events[idx]->sample_id_all ? (unsigned)pd->events[idx]->sample_type & mask : 0;
}

bool perfdata__sample_id(const struct perfdata *pd, const struct perf_rec *rec,
			 struct perf_sample_id *ret_sid)
{
	const uint8_t *p = rec->data + rec->size;
	unsigned type;

	*ret_sid = (struct perf_sample_id){ .pid = -1, .tid = -1, .cpu = -1 };
	if (!pd->trailers || rec->type >= PD_REC_USER || rec->type == PERF_REC_SAMPLE)
		return false;
	type = perfdata__trailer_type(pd, rec);
	if (!type || rec->size < 8 + trailer_size(type))
		return false;
	if (type & PERF_ST_IDENTIFIER) {
		p -= 8;
		ret_sid->id = perf_get64(p, pd->swap);
	}
	if (type & PERF_ST_CPU) {
		p -= 8;
		ret_sid->cpu = (int32_t)perf_get32(p, pd->swap);
	}
	if (type & PERF_ST_STREAM_ID)
		p -= 8;
	if (type & PERF_ST_ID) {
		p -= 8;
		ret_sid->id = perf_get64(p, pd->swap);
	}
	if (type & PERF_ST_TIME) {
		p -= 8;
		ret_sid->time = perf_get64(p, pd->swap);
	}
	if (type & PERF_ST_TID) {
		p -= 8;
		ret_sid->pid = (int32_t)perf_get32(p, pd->swap);
		ret_sid->tid = (int32_t)perf_get32(p + 4, pd->swap);
	}
	return true;
}

/* ---- records that only describe ---- */

static int perfdata__see_attr(struct perfdata *pd, const struct perf_rec *rec)
{
	size_t size, left = rec->size - 8U;
	int idx, rc;

	if (left < PD_ATTR_VER0)
		return -EINVAL;
	size = perf_get32(rec->data + 12, pd->swap);
	if (!size)
		size = PD_ATTR_VER0;
	if (size < PD_ATTR_VER0 || size > left)
		return -EINVAL;
	idx = perfdata__add_attr(pd, rec->data + 8, size);
	if (idx < 0)
		return idx;
	rc = perfdata__add_ids(pd, (size_t)idx, rec->data + 8 + size, (left - size) / 8);
	perfdata__apply_desc(pd);
	return rc;
}

/* EVENT_UPDATE: u64 type (2 = NAME), u64 id, name */
static void perfdata__see_update(struct perfdata *pd, const struct perf_rec *rec)
{
	char *name;
	int idx;

	if (rec->size <= 24 || perf_get64(rec->data + 8, pd->swap) != 2)
		return;
	idx = perfdata__event_by_id(pd, perf_get64(rec->data + 16, pd->swap));
	if (idx < 0 || pd->events[idx]->name || !rec->data[24])
		return;
	name = strndup((const char *)rec->data + 24, rec->size - 24U);
	if (name)
		utf8__clean(name, strlen(name) + 1, name);
	pd->events[idx]->name = name;
}

static int perfdata__see_tracing(struct perfdata *pd, const struct perf_rec *rec,
				 struct mig_err *err)
{
	struct pd_stream *s = &pd->streams[rec->stream];
	uint64_t off = rec->offset, size;
	uint8_t *buf;
	int rc;

	if (rec->size < 12)
		return mig_err__set(err, -EINVAL,
				    "%s: damaged at offset %#" PRIx64 ": TRACING_DATA too short",
				    s->path, off);
	size = ((uint64_t)perf_get32(rec->data + 8, pd->swap) + 7) & ~7ULL;
	if (!size)
		return 1;
	rc = pd_stream__payload(s, size, &buf, err);
	if (rc)
		return rc;
	if (perfdata__add_tracing(pd, buf, (size_t)size))
		perfdata__warn(pd, "%s: TRACING_DATA at offset %#" PRIx64 " is damaged", s->path,
			       off);
	return 1;
}

static void perfdata__see_feature(struct perfdata *pd, const struct perf_rec *rec)
{
	uint64_t feat;

	if (rec->size < 16)
		return;
	feat = perf_get64(rec->data + 8, pd->swap);
	if (feat < PD_FEAT_BITS &&
	    perfdata__add_feature(pd, (unsigned)feat, rec->data + 16, rec->size - 16U))
		perfdata__warn(pd, "%s: header record %s at offset %#" PRIx64 " is damaged",
			       pd->path, perfdata__feature_name((unsigned)feat), rec->offset);
}

/* perf's id_index: u64 n, then n times id, idx, cpu, tid. Does each stream hold one CPU? */
static void perfdata__see_id_index(struct perfdata *pd, const struct perf_rec *rec)
{
	uint64_t n = rec->size >= 16 ? perf_get64(rec->data + 8, pd->swap) : 0;
	unsigned cpus = 0;

	if (pd->nr_streams == 1)
		return;
	if (n > (rec->size - 16U) / 32U)
		n = (rec->size - 16U) / 32U;
	for (uint64_t i = 0; i < n; i++) {
		uint64_t cpu = perf_get64(rec->data + 16 + 32 * i + 16, pd->swap);
		uint64_t k;

		for (k = 0; k < i; k++)
			if (perf_get64(rec->data + 16 + 32 * k + 16, pd->swap) == cpu)
				break;
		cpus += k == i;
	}
	if (cpus > pd->nr_streams - 1)
		pd->sorted = false;
}

/* 0 = hand the record out, 1 = taken in, negative errno. */
static int perfdata__absorb(struct perfdata *pd, const struct perf_rec *rec, struct mig_err *err)
{
	int rc;

	switch (rec->type) {
	case PD_REC_MMAP:
	case PD_REC_MMAP2:
		perfdata__see_mmap(pd, rec);
		return 0;
	case PD_REC_TRACING_DATA:
		return perfdata__see_tracing(pd, rec, err);
	case PD_REC_EVENT_UPDATE:
		perfdata__see_update(pd, rec);
		return pd->pipe;
	case PD_REC_ID_INDEX:
		perfdata__see_id_index(pd, rec);
		return 0;
	default:
		break;
	}
	if (!pd->pipe)
		return 0;
	switch (rec->type) {
	case PD_REC_HEADER_ATTR:
		rc = perfdata__see_attr(pd, rec);
		if (!rc)
			return 1;
		mig_err__set(err, rc, "%s: damaged event (HEADER_ATTR) at offset %#" PRIx64,
			     pd->path, rec->offset);
		return mig_err__hint(err, "record again, or copy the file again");
	case PD_REC_HEADER_FEATURE:
		perfdata__see_feature(pd, rec);
		return 1;
	case PD_REC_BUILD_ID:
		perfdata__add_build_id(pd, rec->data, rec->size);
		return 1;
	default:
		return 0;
	}
}

/* ---- directories: a heap of streams by their last record's time ---- */

static bool heap__less(const struct perfdata *pd, unsigned a, unsigned b)
{
	const struct pd_stream *x = &pd->streams[a], *y = &pd->streams[b];

	return x->last_time < y->last_time || (x->last_time == y->last_time && x->nr < y->nr);
}

static void heap__sift_down(struct perfdata *pd)
{
	unsigned i = 0, top = pd->heap[0];

	for (;;) {
		unsigned kid = 2 * i + 1;

		if (kid >= pd->nr_heap)
			break;
		if (kid + 1 < pd->nr_heap && heap__less(pd, pd->heap[kid + 1], pd->heap[kid]))
			kid++;
		if (!heap__less(pd, pd->heap[kid], top))
			break;
		pd->heap[i] = pd->heap[kid];
		i = kid;
	}
	pd->heap[i] = top;
}

static uint64_t perfdata__rec_time(const struct perfdata *pd, const struct perf_rec *rec)
{
	struct perf_sample_id sid;
	uint64_t type;
	unsigned off;
	int idx;

	if (rec->type != PERF_REC_SAMPLE)
		return perfdata__sample_id(pd, rec, &sid) && sid.time != UINT64_MAX ? sid.time : 0;
	idx = perfdata__sample_event(pd, rec);
	if (idx < 0)
		return 0;
	type = pd->events[idx]->sample_type;
	if (!(type & PERF_ST_TIME))
		return 0;
	off = 8 + trailer_size((unsigned)type & (PERF_ST_IDENTIFIER | PERF_ST_IP | PERF_ST_TID));
	return rec->size >= off + 8 ? perf_get64(rec->data + off, pd->swap) : 0;
}

/* Damage in one stream ends that stream; the others go on and the error comes at the end. */
static int perfdata__next_merged(struct perfdata *pd, struct perf_rec *rec, struct mig_err *err)
{
	while (pd->nr_heap) {
		struct pd_stream *s = &pd->streams[pd->heap[0]];
		int rc = pd_stream__next(s, rec, err);
		uint64_t time;

		if (rc < 0 && !pd->late_err.code)
			pd->late_err = *err;
		if (rc <= 0) {
			pd->heap[0] = pd->heap[--pd->nr_heap];
			if (pd->nr_heap)
				heap__sift_down(pd);
			continue;
		}
		time = perfdata__rec_time(pd, rec);
		if (time > s->last_time) {
			s->last_time = time;
			heap__sift_down(pd);
		}
		return 1;
	}
	*err = pd->late_err;
	return pd->late_err.code;
}

uint64_t perfdata__safe_time(const struct perfdata *pd)
{
	if (pd->nr_streams == 1 || !pd->sorted)
		return 0;
	return pd->nr_heap ? pd->streams[pd->heap[0]].last_time : UINT64_MAX;
}

struct perf_window *perfdata__window(struct perfdata *pd)
{
	return &pd->window;
}

/* Takes back what the caller has taken by itself. */
static void window__close(struct perfdata *pd)
{
	struct pd_win *raw = &pd->streams[0].raw;

	if (pd->window.pos)
		raw->pos = (size_t)(pd->window.pos - raw->buf);
	pd->window.pos = pd->window.end = NULL;
}

static void window__open(struct perfdata *pd)
{
	const struct pd_stream *s = &pd->streams[0];

	if (pd->nr_streams != 1 || pd->swap || s->busy || s->dec.buf)
		return;
	pd->window.pos = s->raw.buf + s->raw.pos;
	pd->window.end = s->raw.buf + s->raw.end;
}

int perfdata__next(struct perfdata *pd, struct perf_rec *ret_rec, struct mig_err *err)
{
	struct mig_err own;
	int rc;

	if (!err)
		err = &own;
	if (pd_unlikely(pd->failed)) {
		*err = pd->late_err;
		return pd->failed;
	}
	do {
		if (pd_likely(pd->nr_streams == 1)) {
			window__close(pd);
			rc = pd_stream__next(&pd->streams[0], ret_rec, err);
		} else
			rc = perfdata__next_merged(pd, ret_rec, err);
		if (pd_likely(rc == 1 && ret_rec->type == PERF_REC_SAMPLE)) {
			window__open(pd);
			return 1;
		}
		if (rc == 1)
			rc = perfdata__absorb(pd, ret_rec, err);
		else if (!rc)
			return 0;
		if (rc < 0) {
			pd->failed = rc;
			pd->late_err = *err;
			return rc;
		}
	} while (rc == 1);
	return 1;
}

/* ---- plain answers ---- */

size_t perfdata__nr_events(const struct perfdata *pd)
{
	return pd->nr_events;
}

const struct perfdata_event *perfdata__event(const struct perfdata *pd, size_t idx)
{
	return idx < pd->nr_events ? pd->events[idx] : NULL;
}

const struct perfdata_env *perfdata__env(const struct perfdata *pd)
{
	return &pd->env;
}

const struct perfdata_format *perfdata__formats(const struct perfdata *pd, size_t *ret_n)
{
	*ret_n = pd->nr_formats;
	return pd->formats;
}

const char *perfdata__header_page(const struct perfdata *pd, size_t *ret_size)
{
	*ret_size = pd->header_page_size;
	return pd->header_page;
}

bool perfdata__big_endian(const struct perfdata *pd)
{
	return pd->big_endian;
}

bool perfdata__swapped(const struct perfdata *pd)
{
	return pd->swap;
}

/* Without TRACING_DATA the machine's name has to tell. */
unsigned perfdata__long_size(const struct perfdata *pd)
{
	const char *arch = pd->env.arch;

	if (pd->long_size)
		return pd->long_size;
	if (arch && (!strncmp(arch, "armv", 4) || (arch[0] == 'i' && strstr(arch, "86"))))
		return 4;
	return 8;
}

bool perfdata__is_pipe(const struct perfdata *pd)
{
	return pd->pipe;
}

void perfdata__progress(const struct perfdata *pd, uint64_t *ret_done, uint64_t *ret_total)
{
	*ret_done = 0;
	for (unsigned i = 0; i < pd->nr_streams; i++) {
		const struct pd_stream *s = &pd->streams[i];

		*ret_done += s->off - (s->raw.end - s->raw.pos);
	}
	*ret_total = pd->total;
}

size_t perfdata__nr_warnings(const struct perfdata *pd)
{
	return pd->nr_warnings;
}

const char *perfdata__warning(const struct perfdata *pd, size_t idx)
{
	return idx < pd->nr_warnings ? pd->warnings[idx] : NULL;
}
