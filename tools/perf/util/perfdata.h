/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfdata: the only room that knows the perf.data file format.
 *
 * Opens a file, a pipe (path "-"), a file that holds pipe data, or a directory (perf record
 * --threads); either byte order; attrs of any size; plain or zstd-compressed records. Hands out one
 * raw record after the other through a small reused buffer (memory does not depend on the file's
 * size), and what the header says: events, formats, environment.
 *
 * Source of the layout: tools/perf/util/{header,session,data}.c and
 * include/uapi/linux/perf_event.h of Linux 6.1 and 6.12; kernel/events/core.c for samples.
 */
#ifndef MIG_PERFDATA_H
#define MIG_PERFDATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <byteswap.h>

#include "env.h"

struct mig_err;
struct perfdata;

/* record types that others name; the values are the format's */
enum perf_rec_type {
	PERF_REC_MMAP = 1,
	PERF_REC_LOST = 2,
	PERF_REC_COMM = 3,
	PERF_REC_EXIT = 4,
	PERF_REC_FORK = 7,
	PERF_REC_SAMPLE = 9,
	PERF_REC_MMAP2 = 10,
	PERF_REC_LOST_SAMPLES = 13,
	PERF_REC_CGROUP = 19,
	PERF_REC_FINISHED_ROUND = 68,
};

/* attr.sample_type bits */
#define PERF_ST_IP         (1U << 0)
#define PERF_ST_TID        (1U << 1)
#define PERF_ST_TIME       (1U << 2)
#define PERF_ST_ADDR       (1U << 3)
#define PERF_ST_READ       (1U << 4)
#define PERF_ST_CALLCHAIN  (1U << 5)
#define PERF_ST_ID         (1U << 6)
#define PERF_ST_CPU        (1U << 7)
#define PERF_ST_PERIOD     (1U << 8)
#define PERF_ST_STREAM_ID  (1U << 9)
#define PERF_ST_RAW        (1U << 10)
#define PERF_ST_IDENTIFIER (1U << 16)
#define PERF_ST_CGROUP     (1U << 21)

/* attr.read_format bits */
#define PERF_RF_ENABLED (1U << 0)
#define PERF_RF_RUNNING (1U << 1)
#define PERF_RF_ID      (1U << 2)
#define PERF_RF_GROUP   (1U << 3)
#define PERF_RF_LOST    (1U << 4)

/* attr.type */
enum { PERF_AT_HARDWARE = 0, PERF_AT_SOFTWARE = 1, PERF_AT_TRACEPOINT = 2, PERF_AT_HW_CACHE = 3 };

/* One event (attr) of the recording. Owned by the perfdata. */
struct perfdata_event {
	uint32_t type; /* PERF_AT_* or a PMU's number */
	uint64_t config; /* tracepoint: the event's id in tracefs */
	uint64_t sample_type, read_format;
	uint64_t sample_period; /* 0 if freq */
	bool freq, inherit, sample_id_all, use_clockid;
	char *name; /* as in EVENT_DESC / EVENT_UPDATE, e.g. "sched:sched_switch"; NULL if unknown.
		       May appear later in a pipe. */
	uint64_t *ids;
	size_t nr_ids;
	int leader; /* index of the group leader (own index for a leader), -1 = unknown/none */
	unsigned nr_group; /* leader: events in the group, 1 = alone */
};

/* One format text of the TRACING_DATA section. Borrowed from the perfdata. */
struct perfdata_format {
	const char *system; /* "sched" */
	const char *text; /* not NUL-terminated */
	size_t size;
};

/* One raw record. Borrowed: valid until the next perfdata__next(). */
struct perf_rec {
	uint32_t type;
	uint16_t misc;
	uint16_t size; /* whole record with its 8-byte header */
	const uint8_t *data; /* start of the header; file byte order; in recordings with -z not
				aligned: load with perf_get*() */
	uint64_t offset; /* in the file (of the COMPRESSED record for a compressed one) */
	unsigned stream; /* 0, or the directory's data.N */
};

/*
 * Opens path ("-" = standard input). On failure err says what is wrong, at which offset, what to
 * do. Errors: -ENOENT, -EACCES, -EINVAL (not a perf.data file, or damaged beyond reading), -ENOTSUP
 * (compressed, but built without zstd), -EIO.
 */
int perfdata__open(const char *path, struct perfdata **ret_pd, struct mig_err *err);
/* Closes and frees; NULL is fine. */
void perfdata__delete(struct perfdata *pd);

/*
 * Next record. 1 = *ret_rec is set; 0 = end of the recording; negative errno on damage, with err
 * naming the offset (everything before it has been handed out; further calls give the same error;
 * a damaged stream of a directory is reported when the others have ended). In a pipe, records that
 * only describe (HEADER_ATTR, EVENT_UPDATE, TRACING_DATA, features) are taken in and not handed
 * out. With several streams (directory) the records come from the stream whose last record time is
 * lowest; perfdata__safe_time() bounds what may still come.
 */
int perfdata__next(struct perfdata *pd, struct perf_rec *ret_rec, struct mig_err *err);

/*
 * The records that lie whole in the reader's buffer after the one that perfdata__next() gave last,
 * for a caller that takes samples in a tight loop: it may advance pos over records, and then calls
 * perfdata__next() for the first one it does not want. Empty (pos = end) whenever that would not be
 * right: foreign byte order, compressed data, several streams.
 */
struct perf_window {
	const uint8_t *pos, *end;
};

struct perf_window *perfdata__window(struct perfdata *pd);

/*
 * Directory recordings have no FINISHED_ROUND: every stream holds one CPU, sorted by the kernel.
 * Returns the time before which no further record can come (min over streams of the last time),
 * UINT64_MAX when all have ended; 0 = nothing is known: one-stream recordings (use the rounds) and
 * directories whose streams hold several CPUs each (--threads=core, package, numa), for which perf
 * leaves no mark between two sweeps: all has to be kept and sorted.
 */
uint64_t perfdata__safe_time(const struct perfdata *pd);

/* The events, in attr order. They can only grow (pipe). */
size_t perfdata__nr_events(const struct perfdata *pd);
const struct perfdata_event *perfdata__event(const struct perfdata *pd, size_t idx);
/* Index of the event with this sample id, -1 if there is none. Constant time. */
int perfdata__event_by_id(const struct perfdata *pd, uint64_t id);
/* Index of the event that a SAMPLE record belongs to, -1 if unknown. Constant time. */
int perfdata__sample_event(const struct perfdata *pd, const struct perf_rec *rec);

/*
 * Where in every SAMPLE record its id stands (a u64), for callers that cache by id; 0 = nowhere,
 * in foreign byte order, or one event takes all samples. Changes only when events are added.
 */
unsigned perfdata__id_offset(const struct perfdata *pd);

const struct perfdata_env *perfdata__env(const struct perfdata *pd);

/* Formats from TRACING_DATA; *ret_n = 0 when the recording has none. */
const struct perfdata_format *perfdata__formats(const struct perfdata *pd, size_t *ret_n);
/* "header_page" text of TRACING_DATA, NULL if none. */
const char *perfdata__header_page(const struct perfdata *pd, size_t *ret_size);
/* Byte order and word size of the machine that wrote it. */
bool perfdata__big_endian(const struct perfdata *pd);
bool perfdata__swapped(const struct perfdata *pd); /* != this machine's order */
unsigned perfdata__long_size(const struct perfdata *pd);
bool perfdata__is_pipe(const struct perfdata *pd);

/* The sample_id trailer of a non-sample record (sample_id_all). */
struct perf_sample_id {
	int32_t pid, tid; /* -1 = not there */
	uint64_t time; /* 0 = not there */
	uint64_t id; /* 0 = not there */
	int32_t cpu; /* -1 = not there */
};
/* false (and all "not there") when the recording has no trailers or the record is too short. */
bool perfdata__sample_id(const struct perfdata *pd, const struct perf_rec *rec,
			 struct perf_sample_id *ret_sid);

/* Bytes read so far and in all (0 = unknown, a pipe): for a progress bar. */
void perfdata__progress(const struct perfdata *pd, uint64_t *ret_done, uint64_t *ret_total);

/* Things the user should know though reading goes on, one line each ("recorder was killed: ."). */
size_t perfdata__nr_warnings(const struct perfdata *pd);
const char *perfdata__warning(const struct perfdata *pd, size_t idx);

/* Unaligned loads in this machine's byte order. */
static inline uint32_t perf_load32(const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint64_t perf_load64(const void *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/*
 * Size of the SAMPLE record at p, 0 if there is none, or not all of it, before end; the smallest
 * that is asked for has min >= 8 bytes, and so many may be loaded.
 */
static inline uint32_t perf_window__sample(const uint8_t *p, const uint8_t *end, unsigned min)
{
	uint32_t size;

	if (end - p < (ptrdiff_t)min || perf_load32(p) != PERF_REC_SAMPLE)
		return 0;
	size = perf_load32(p + 4) >> 16;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	size = perf_load32(p + 4) & 0xffff;
#endif
	return size <= end - p ? size : 0;
}

/* Unaligned loads in file byte order. */
static inline uint16_t perf_get16(const void *p, bool swap)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return swap ? bswap_16(v) : v;
}

static inline uint32_t perf_get32(const void *p, bool swap)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return swap ? bswap_32(v) : v;
}

static inline uint64_t perf_get64(const void *p, bool swap)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return swap ? bswap_64(v) : v;
}

#endif
