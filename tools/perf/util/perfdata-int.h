/* SPDX-License-Identifier: GPL-2.0 */
/*
 * perfdata-int: what the files of the perfdata room share; nobody else includes it.
 *
 * perfdata.c          next, lookups; takes in the records that only describe
 * perfdata-open.c     file, pipe or directory: sets up the streams
 * perfdata-header.c   file header, attrs, table of feature sections
 * perfdata-feature.c  one parser per feature section
 * perfdata-tracing.c  TRACING_DATA; bounded parsing
 * perfdata-stream.c   bytes to records: buffered read(), payloads, COMPRESSED
 */
#ifndef MIG_PERFDATA_INT_H
#define MIG_PERFDATA_INT_H

#include "err.h"
#include "perfdata.h"

#include <sys/types.h>

#define PD_MAGIC2     0x32454c4946524550ULL /* "PERFILE2" */
#define PD_MAGIC1     0x454c494646524550ULL /* "PERFFILE", before Linux 3.0 */
#define PD_REC_MAX    65536U /* header.size is a u16; COMPRESSED2 may fill 64 KiB */
#define PD_BLOB_MAX   (64U << 20) /* no section of a sane file comes near */
#define PD_NO_LIMIT   UINT64_MAX
#define PD_ATTR_VER0  64U /* sizeof(struct perf_event_attr) in 2.6.31 */
#define PD_ATTR_KNOWN 96U /* we look at nothing behind attr.clockid */

#define pd_likely(x)   __builtin_expect(!!(x), 1)
#define pd_unlikely(x) __builtin_expect(!!(x), 0)

/* record types that only this room looks into */
enum {
	PD_REC_MMAP = 1,
	PD_REC_MMAP2 = 10,
	PD_REC_USER = 64, /* from here on perf's own records, without trailer */
	PD_REC_HEADER_ATTR = 64,
	PD_REC_TRACING_DATA = 66,
	PD_REC_BUILD_ID = 67,
	PD_REC_ID_INDEX = 69,
	PD_REC_AUXTRACE = 71,
	PD_REC_EVENT_UPDATE = 78,
	PD_REC_HEADER_FEATURE = 80,
	PD_REC_COMPRESSED = 81,
	PD_REC_COMPRESSED2 = 83,
};

enum {
	PD_FEAT_TRACING_DATA = 1,
	PD_FEAT_BUILD_ID = 2,
	PD_FEAT_HOSTNAME = 3,
	PD_FEAT_OSRELEASE = 4,
	PD_FEAT_VERSION = 5,
	PD_FEAT_ARCH = 6,
	PD_FEAT_NRCPUS = 7,
	PD_FEAT_CPUDESC = 8,
	PD_FEAT_CPUID = 9,
	PD_FEAT_TOTAL_MEM = 10,
	PD_FEAT_CMDLINE = 11,
	PD_FEAT_EVENT_DESC = 12,
	PD_FEAT_CPU_TOPOLOGY = 13,
	PD_FEAT_NUMA_TOPOLOGY = 14,
	PD_FEAT_GROUP_DESC = 17,
	PD_FEAT_CACHE = 20,
	PD_FEAT_SAMPLE_TIME = 21,
	PD_FEAT_COMPRESSED = 27,
	PD_FEAT_CLOCK_DATA = 29,
	PD_FEAT_BITS = 256,
};

/* ---- bounded parsing: reads past the end give 0 and set bad ---- */

struct pd_cur {
	const uint8_t *p, *end;
	bool swap, bad;
};

static inline size_t pd_cur__left(const struct pd_cur *c)
{
	return (size_t)(c->end - c->p);
}

const uint8_t *pd_cur__bytes(struct pd_cur *c, uint64_t n);
uint8_t pd_cur__u8(struct pd_cur *c);
uint32_t pd_cur__u32(struct pd_cur *c);
uint64_t pd_cur__u64(struct pd_cur *c);
/* A NUL-terminated string in place, NULL when the NUL is missing. */
const char *pd_cur__cstr(struct pd_cur *c);

/* ---- streams ---- */

struct pd_win {
	uint8_t *buf;
	size_t pos, end, cap;
};

struct pd_stream {
	char *path; /* as the user knows it */
	int fd;
	bool owns_fd, seekable, swap, eof;
	bool busy; /* decoded bytes or a payload to skip come before the next raw record */
	unsigned nr;
	uint64_t off; /* file offset of raw.buf[raw.end] */
	uint64_t limit; /* where the records end as the header says; PD_NO_LIMIT = at EOF */
	uint64_t size; /* of the file; PD_NO_LIMIT = unknown */
	uint64_t skip; /* payload bytes before the next record */
	struct pd_win raw;
	struct pd_win dec; /* decoded COMPRESSED bytes; buf NULL until the first */
	struct zstd_stream *z;
	unsigned window_log;
	const uint8_t *z_in; /* rest of the COMPRESSED record at hand, inside raw */
	size_t z_left;
	bool z_more; /* the decoder may hold output */
	uint64_t z_off; /* file offset of that record */
	uint64_t last_time; /* directories: highest record time so far */
};

/* Takes over fd (closed by exit when owns_fd); path is copied. Returns 0 or -ENOMEM. */
int pd_stream__init(struct pd_stream *s, const char *path, int fd, bool owns_fd, size_t buf_size);
void pd_stream__exit(struct pd_stream *s);
/* 1 = record, 0 = clean end, negative errno with err. */
int pd_stream__next(struct pd_stream *s, struct perf_rec *rec, struct mig_err *err);
/* Prepares for COMPRESSED records. Returns 0, -ENOTSUP (built without zstd) or -ENOMEM. */
int pd_stream__open_zstd(struct pd_stream *s, struct mig_err *err);
/* Reads exactly size raw bytes at the current place into a fresh buffer. */
int pd_stream__payload(struct pd_stream *s, uint64_t size, uint8_t **ret_buf, struct mig_err *err);
/* Reads n bytes sequentially (pipe header). Returns bytes read, less only at EOF, or -errno. */
ssize_t pd_read_full(int fd, void *buf, size_t n);
ssize_t pd_pread_full(int fd, void *buf, size_t n, uint64_t off);

/* ---- the recording ---- */

struct pd_id {
	uint64_t id;
	uint32_t event; /* index + 1, 0 = free slot */
};

struct pd_blob {
	uint8_t *data;
	size_t size;
};

struct perfdata {
	char *path;
	bool pipe, swap, big_endian;
	bool compressed; /* the header says so */
	unsigned long_size; /* 0 = TRACING_DATA did not say */
	struct pd_stream *streams;
	unsigned nr_streams;
	unsigned *heap; /* directories: streams by last_time, [0] = lowest */
	unsigned nr_heap;
	bool sorted; /* directories: every stream holds one CPU */
	uint64_t total;
	struct perf_window window; /* what the caller may take of streams[0].raw by itself */

	struct perfdata_event **events; /* pointers stay valid while the array grows */
	size_t nr_events;
	struct pd_id *ids;
	size_t nr_ids, ids_cap; /* cap: power of two or 0 */
	unsigned id_off; /* of the id in a SAMPLE record, 0 = none */
	unsigned id_back; /* of the id in a trailer, from the record's end; 0 = none */
	unsigned trailer_type; /* sample_type bits of the trailer, when all events agree */
	unsigned trailer_size;
	bool trailers, trailers_differ;

	struct perfdata_env env;
	struct pd_blob event_desc, group_desc; /* kept: in a pipe the attrs may come later */
	struct pd_blob tracing;
	const char *header_page;
	size_t header_page_size;
	struct perfdata_format *formats;
	size_t nr_formats;

	char **warnings;
	size_t nr_warnings;
	int failed; /* the error that ended reading; late_err says it again */
	struct mig_err late_err;
};

/* perfdata.c */
void perfdata__warn(struct perfdata *pd, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
int perfdata__map_id(struct perfdata *pd, uint64_t id, size_t event);
/* perfdata-header.c: reads the header of a regular file; the stream is set up to read records */
int perfdata__read_header(struct perfdata *pd, int fd, uint64_t file_size, struct pd_stream *s,
			  struct mig_err *err);
/* Byte order and kind from the first 16 bytes; *ret_pipe. */
int perfdata__probe(struct perfdata *pd, const uint8_t *buf, size_t n, bool *ret_pipe,
		    struct mig_err *err);
/* Adds an event from raw attr bytes in file byte order. Returns its index or -errno. */
int perfdata__add_attr(struct perfdata *pd, const uint8_t *attr, size_t size);
int perfdata__add_ids(struct perfdata *pd, size_t event, const uint8_t *ids, size_t n);
/* perfdata-feature.c: takes in one feature section or HEADER_FEATURE record. 0, -EINVAL, -ENOMEM */
int perfdata__add_feature(struct perfdata *pd, unsigned feat, const uint8_t *data, size_t size);
/* Applies the kept EVENT_DESC and GROUP_DESC to the events there are. */
void perfdata__apply_desc(struct perfdata *pd);
/* perfdata-tracing.c. Takes over buf (malloc) in every case. */
int perfdata__add_tracing(struct perfdata *pd, uint8_t *buf, size_t size);
/* One build-id record: remembers the kernel's. */
void perfdata__add_build_id(struct perfdata *pd, const uint8_t *rec, size_t size);
/* Remembers where the kernel's text starts, and its build id, from MMAP and MMAP2. */
void perfdata__see_mmap(struct perfdata *pd, const struct perf_rec *rec);
const char *perfdata__feature_name(unsigned feat);
void perfdata__free_env(struct perfdata_env *env);

#endif
