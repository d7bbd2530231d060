// SPDX-License-Identifier: GPL-2.0
/*
 * perfdata-header: the header of a perf.data file, its attrs with their ids, and the table of
 * feature sections. The attr part is shared with pipes (HEADER_ATTR). Layout: struct
 * perf_file_header in tools/perf/util/header.h; what perf tolerates: perf_session__read_header().
 */
#include "perfdata-int.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define HEADER_SIZE   104U /* with the 256 feature bits */
#define HEADER_NOBITS 72U /* before 2.6.32 */
#define ATTR_MAX      4096U

/* ---- what kind of file is it ---- */

static const struct {
	const char *magic;
	unsigned char len;
	const char *what, *hint;
} other_files[] = {
	{ "\x1f\x8b", 2, "gzip-compressed", "unpack it first: gunzip" },
	{ "\xfd"
	  "7zXZ",
	  5, "xz-compressed", "unpack it first: unxz" },
	{ "\x28\xb5\x2f\xfd", 4, "zstd-compressed", "unpack it first: unzstd" },
	{ "BZh", 3, "bzip2-compressed", "unpack it first: bunzip2" },
	{ "\x17\x08\x44tracing", 10, "a trace-cmd file (trace.dat)",
	  "record with perf migstat record or perf sched record" },
	{ "SIMPLEPERF", 10, "a simpleperf protobuf file",
	  "record with perf migstat record or perf sched record" },
	{ "\x7f"
	  "ELF",
	  4, "an ELF file", "give the recording, not the program" },
};

static int perfdata__not_ours(const struct perfdata *pd, const uint8_t *buf, size_t n,
			      struct mig_err *err)
{
	for (size_t i = 0; i < sizeof(other_files) / sizeof(other_files[0]); i++) {
		if (n < other_files[i].len || memcmp(buf, other_files[i].magic, other_files[i].len))
			continue;
		mig_err__set(err, -EINVAL, "%s: not a perf.data file: it is %s", pd->path,
			     other_files[i].what);
		return mig_err__hint(err, "%s", other_files[i].hint);
	}
	if (!n) {
		mig_err__set(err, -EINVAL, "%s: empty, there is no recording in it", pd->path);
		return mig_err__hint(err, "the recorder died before it wrote anything; record "
					  "again");
	}
	if (n < 16 && !memcmp(buf, "PERFILE2", n < 8 ? n : 8)) {
		mig_err__set(err, -EINVAL, "%s: ends inside the file header at offset %zu",
			     pd->path, n);
		return mig_err__hint(err, "the recorder died or the copy is not complete");
	}
	mig_err__set(err, -EINVAL, "%s: not a perf.data file (no PERFILE2 at offset 0)", pd->path);
	return mig_err__hint(err, "a recording is made by perf migstat record, perf record or "
				  "perf sched record");
}

int perfdata__probe(struct perfdata *pd, const uint8_t *buf, size_t n, bool *ret_pipe,
		    struct mig_err *err)
{
	const uint16_t one = 1;
	bool little = *(const uint8_t *)&one;
	uint64_t magic;

	if (n < 16)
		return perfdata__not_ours(pd, buf, n, err);
	magic = perf_get64(buf, false);
	if (magic == PD_MAGIC2)
		pd->swap = false;
	else if (bswap_64(magic) == PD_MAGIC2)
		pd->swap = true;
	else if (memcmp(buf, "PERFFILE", 8))
		return perfdata__not_ours(pd, buf, n, err);
	else
		pd->swap = perf_get64(buf + 8, false) > UINT32_MAX; /* old: guess from the size */
	pd->big_endian = little == pd->swap;
	*ret_pipe = perf_get64(buf + 8, pd->swap) == 16;
	return 0;
}

/* ---- attrs ---- */

/* Bit n of the attr's bit-field: a big-endian compiler starts at the top of each byte. */
static bool attr_bit(const uint8_t *attr, unsigned n, bool big_endian)
{
	return attr[40 + n / 8] >> (big_endian ? 7 - n % 8 : n % 8) & 1;
}

static unsigned count_bits(uint64_t v)
{
	return (unsigned)__builtin_popcountll(v);
}

/* Where the sample id is, as perf's __evsel__calc_id_pos() and __evsel__calc_is_pos(). */
static void perfdata__place_id(struct perfdata *pd, const struct perfdata_event *ev)
{
	const uint64_t before = PERF_ST_IP | PERF_ST_TID | PERF_ST_TIME | PERF_ST_ADDR;
	const uint64_t trailer = PERF_ST_TID | PERF_ST_TIME | PERF_ST_ID | PERF_ST_STREAM_ID |
				 PERF_ST_CPU | PERF_ST_IDENTIFIER;
	unsigned bits = (unsigned)(ev->sample_type & trailer);

	if (!pd->id_off && ev->sample_type & PERF_ST_IDENTIFIER)
		pd->id_off = 8;
	else if (!pd->id_off && ev->sample_type & PERF_ST_ID)
		pd->id_off = 8 + 8 * count_bits(ev->sample_type & before);
	if (!ev->sample_id_all)
		return;
	if (!pd->trailers) {
		pd->trailers = true;
		pd->trailer_type = bits;
		pd->trailer_size = 8 * count_bits(bits);
		if (bits & PERF_ST_IDENTIFIER)
			pd->id_back = 8;
		else if (bits & PERF_ST_ID)
			pd->id_back = 8 + 8 * count_bits(bits & (PERF_ST_CPU | PERF_ST_STREAM_ID));
	} else if (bits != pd->trailer_type) {
		pd->trailers_differ = true;
	}
}

int perfdata__add_attr(struct perfdata *pd, const uint8_t *attr, size_t size)
{
	struct perfdata_event *ev = calloc(1, sizeof(*ev)), **more;
	uint8_t a[PD_ATTR_KNOWN] = { 0 };
	uint32_t own = size >= 8 ? perf_get32(attr + 4, pd->swap) : 0;

	more = realloc(pd->events, (pd->nr_events + 1) * sizeof(*more));
	if (more)
		pd->events = more;
	if (!ev || !more) {
		free(ev);
		return -ENOMEM;
	}
	if (!own)
		own = PD_ATTR_VER0;
	if (size > own)
		size = own;
	memcpy(a, attr, size < sizeof(a) ? size : sizeof(a));
	ev->type = perf_get32(a, pd->swap);
	ev->config = perf_get64(a + 8, pd->swap);
	ev->sample_type = perf_get64(a + 24, pd->swap);
	ev->read_format = perf_get64(a + 32, pd->swap);
	ev->inherit = attr_bit(a, 1, pd->big_endian);
	ev->freq = attr_bit(a, 10, pd->big_endian);
	ev->sample_id_all = attr_bit(a, 18, pd->big_endian);
	ev->use_clockid = attr_bit(a, 25, pd->big_endian);
	ev->sample_period = ev->freq ? 0 : perf_get64(a + 16, pd->swap);
	ev->leader = -1;
	ev->nr_group = 1;
	if (ev->use_clockid && !pd->env.has_clockid) {
		pd->env.has_clockid = true;
		pd->env.clockid = (int32_t)perf_get32(a + 92, pd->swap);
	}
	perfdata__place_id(pd, ev);
	pd->events[pd->nr_events++] = ev;
	return (int)(pd->nr_events - 1);
}

int perfdata__add_ids(struct perfdata *pd, size_t event, const uint8_t *ids, size_t n)
{
	struct perfdata_event *ev = pd->events[event];

	if (!n || ev->nr_ids)
		return 0;
	ev->ids = calloc(n, sizeof(*ev->ids));
	if (!ev->ids)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		int rc;

		ev->ids[i] = perf_get64(ids + 8 * i, pd->swap);
		rc = perfdata__map_id(pd, ev->ids[i], event);
		if (rc)
			return rc;
	}
	ev->nr_ids = n;
	return 0;
}

/* ---- regular files ---- */

struct pd_section {
	uint64_t offset, size;
};

struct pd_file {
	struct perfdata *pd;
	int fd;
	uint64_t size; /* of the file */
	uint64_t header_size, attr_size;
	struct pd_section attrs, data;
	uint64_t features[4];
};

static struct pd_section get_section(const uint8_t *p, bool swap)
{
	return (struct pd_section){ perf_get64(p, swap), perf_get64(p + 8, swap) };
}

static bool section_fits(const struct pd_file *f, const struct pd_section *s)
{
	return s->offset <= f->size && s->size <= f->size - s->offset;
}

static int bad_header(const struct pd_file *f, struct mig_err *err, const char *what,
		      uint64_t value, unsigned at)
{
	mig_err__set(err, -EINVAL,
		     "%s: damaged file header: %s is %#" PRIx64 " at offset %u, the file has "
		     "%" PRIu64 " bytes",
		     f->pd->path, what, value, at, f->size);
	return mig_err__hint(err, "record again, or copy the file again");
}

/*
 * 32-bit big-endian machines wrote the bitmap as u32 words, so swapping it as u64 puts words the
 * wrong way round. perf looks at HOSTNAME, which every perf record sets, to find out.
 */
static void read_feature_bits(struct pd_file *f, const uint8_t *p)
{
	const uint64_t hostname = 1ULL << PD_FEAT_HOSTNAME;
	bool swap = f->pd->swap;

	for (int i = 0; i < 4; i++)
		f->features[i] = perf_get64(p + 8 * i, swap);
	if (!swap || f->features[0] & hostname)
		return;
	if (!(perf_get32(p, swap) & hostname))
		return;
	for (int i = 0; i < 4; i++)
		f->features[i] = perf_get32(p + 8 * i, swap) |
				 (uint64_t)perf_get32(p + 8 * i + 4, swap) << 32;
}

static int parse_header(struct pd_file *f, struct mig_err *err)
{
	struct perfdata *pd = f->pd;
	uint8_t h[HEADER_SIZE] = { 0 };
	ssize_t n = pd_pread_full(f->fd, h, sizeof(h), 0);

	if (n < 0)
		return mig_err__set(err, (int)n, "%s: cannot read the file header: %s", pd->path,
				    strerror((int)-n));
	if (n < (ssize_t)HEADER_NOBITS) {
		mig_err__set(err, -EINVAL, "%s: ends inside the file header at offset %zd",
			     pd->path, n);
		return mig_err__hint(err, "the recorder died or the copy is not complete");
	}
	f->header_size = perf_get64(h + 8, pd->swap);
	f->attr_size = perf_get64(h + 16, pd->swap);
	f->attrs = get_section(h + 24, pd->swap);
	f->data = get_section(h + 40, pd->swap);
	if (f->header_size < HEADER_NOBITS || f->header_size > f->size)
		return bad_header(f, err, "its size", f->header_size, 8);
	if (f->attr_size < PD_ATTR_VER0 + 16 || f->attr_size > ATTR_MAX)
		return bad_header(f, err, "the size of an event entry", f->attr_size, 16);
	if (!section_fits(f, &f->attrs))
		return bad_header(f, err,
				  f->attrs.offset > f->size ? "the start of the events"
							    : "the size of the events",
				  f->attrs.offset > f->size ? f->attrs.offset : f->attrs.size,
				  f->attrs.offset > f->size ? 24 : 32);
	if (f->data.offset > f->size || f->data.size > INT64_MAX - f->data.offset)
		return bad_header(f, err,
				  f->data.offset > f->size ? "the start of the records"
							   : "the size of the records",
				  f->data.offset > f->size ? f->data.offset : f->data.size,
				  f->data.offset > f->size ? 40 : 48);
	if (f->header_size >= HEADER_SIZE)
		read_feature_bits(f, h + HEADER_NOBITS);
	return 0;
}

/* Reads a section whole; it was checked to lie inside the file. *ret_buf is never NULL on 0. */
static int read_section(const struct pd_file *f, const struct pd_section *s, uint8_t **ret_buf)
{
	uint8_t *buf;
	ssize_t n;

	if (s->size > PD_BLOB_MAX)
		return -EFBIG;
	buf = malloc(s->size ? (size_t)s->size : 1);
	if (!buf)
		return -ENOMEM;
	n = pd_pread_full(f->fd, buf, (size_t)s->size, s->offset);
	if (n != (ssize_t)s->size) {
		free(buf);
		return n < 0 ? (int)n : -EIO;
	}
	*ret_buf = buf;
	return 0;
}

/*
 * Size of the entry at buf, 0 if it does not fit. The attr's own size counts, as for perf, which
 * reads one entry after the other (read_attr() in tools/perf/util/header.c): the file header's is
 * that of the recorder, which need not know how long an attr is that it was handed.
 */
static uint64_t entry_size(const struct pd_file *f, const uint8_t *buf, uint64_t left)
{
	uint64_t own = left >= 8 ? perf_get32(buf + 4, f->pd->swap) : 0;
	uint64_t size = own >= PD_ATTR_VER0 && own <= ATTR_MAX - 16 ? own + 16 : f->attr_size;

	return size <= left ? size : 0;
}

/* One entry: the attr as its writer knew it, then the section with its ids. */
static int read_attr(struct pd_file *f, const uint8_t *entry, size_t entry_len, uint64_t off,
		     struct mig_err *err)
{
	struct perfdata *pd = f->pd;
	size_t attr_size = entry_len - 16;
	struct pd_section ids = get_section(entry + attr_size, pd->swap);
	uint8_t *buf;
	int idx, rc;

	if (!section_fits(f, &ids) || ids.size % 8) {
		mig_err__set(err, -EINVAL,
			     "%s: damaged event entry at offset %#" PRIx64 ": ids at %#" PRIx64
			     " + %#" PRIx64 ", the file has %#" PRIx64 " bytes",
			     pd->path, off, ids.offset, ids.size, f->size);
		return mig_err__hint(err, "record again, or copy the file again");
	}
	idx = perfdata__add_attr(pd, entry, attr_size);
	if (idx < 0)
		return mig_err__set(err, idx, "%s: out of memory", pd->path);
	rc = read_section(f, &ids, &buf);
	if (!rc) {
		rc = perfdata__add_ids(pd, (size_t)idx, buf, (size_t)ids.size / 8);
		free(buf);
	}
	if (rc)
		return mig_err__set(err, rc,
				    "%s: cannot read the event ids at offset %#" PRIx64 ": %s",
				    pd->path, ids.offset, strerror(-rc));
	return 0;
}

static int read_attrs(struct pd_file *f, struct mig_err *err)
{
	struct perfdata *pd = f->pd;
	uint8_t *buf;
	int rc = read_section(f, &f->attrs, &buf);

	if (rc)
		return mig_err__set(err, rc,
				    "%s: cannot read the events at offset %#" PRIx64 ": %s",
				    pd->path, f->attrs.offset, strerror(-rc));
	for (uint64_t at = 0, len; !rc; at += len) {
		len = entry_size(f, buf + at, f->attrs.size - at);
		if (!len)
			break;
		rc = read_attr(f, buf + at, (size_t)len, f->attrs.offset + at, err);
	}
	free(buf);
	if (!rc && !pd->nr_events) {
		mig_err__set(err, -EINVAL,
			     "%s: no event in the header (%" PRIu64 " bytes of events at offset "
			     "%#" PRIx64 ")",
			     pd->path, f->attrs.size, f->attrs.offset);
		rc = mig_err__hint(err, "the recorder died at its start; record again");
	}
	return rc;
}

static void read_feature(struct pd_file *f, unsigned feat, const struct pd_section *s)
{
	struct perfdata *pd = f->pd;
	uint8_t *buf;
	int rc;

	if (!perfdata__feature_name(feat) || !s->size)
		return;
	if (!section_fits(f, s)) {
		perfdata__warn(pd,
			       "%s: header section %s is cut away (offset %#" PRIx64 ", %" PRIu64
			       " bytes)",
			       pd->path, perfdata__feature_name(feat), s->offset, s->size);
		return;
	}
	rc = read_section(f, s, &buf);
	if (!rc && feat == PD_FEAT_TRACING_DATA) {
		rc = perfdata__add_tracing(pd, buf, (size_t)s->size);
	} else if (!rc) {
		rc = perfdata__add_feature(pd, feat, buf, (size_t)s->size);
		free(buf);
	}
	if (rc)
		perfdata__warn(pd, "%s: header section %s at offset %#" PRIx64 " is damaged: %s",
			       pd->path, perfdata__feature_name(feat), s->offset, strerror(-rc));
}

/* The table stands behind the records: one section per set bit, in bit order. */
static void read_features(struct pd_file *f)
{
	struct pd_section table = { f->data.offset + f->data.size, 0 };
	uint8_t *buf, *p;

	for (int i = 0; i < 4; i++)
		table.size += 16ULL * count_bits(f->features[i]);
	if (!table.size)
		return;
	if (!section_fits(f, &table) || read_section(f, &table, &buf)) {
		perfdata__warn(f->pd,
			       "%s: the header sections behind the records are cut away "
			       "(table at offset %#" PRIx64 ", the file has %" PRIu64 " bytes): "
			       "event names, formats and machine are not known",
			       f->pd->path, table.offset, f->size);
		return;
	}
	p = buf;
	for (unsigned feat = 0; feat < PD_FEAT_BITS; feat++) {
		struct pd_section s;

		if (!(f->features[feat / 64] >> feat % 64 & 1))
			continue;
		s = get_section(p, f->pd->swap);
		p += 16;
		read_feature(f, feat, &s);
	}
	free(buf);
}

int perfdata__read_header(struct perfdata *pd, int fd, uint64_t file_size, struct pd_stream *s,
			  struct mig_err *err)
{
	struct pd_file f = { .pd = pd, .fd = fd, .size = file_size };
	int rc;

	rc = parse_header(&f, err);
	if (!rc)
		rc = read_attrs(&f, err);
	if (rc)
		return rc;
	s->off = f.data.offset;
	if (!f.data.size) {
		/* perf record fills the size in when it ends */
		s->limit = file_size;
		perfdata__warn(pd,
			       "%s: the recorder was killed (the header gives no data size): read "
			       "to the end of the file; event names, formats and machine are not "
			       "known",
			       pd->path);
	} else {
		s->limit = f.data.offset + f.data.size;
		read_features(&f);
		perfdata__apply_desc(pd);
	}
	pd->total = s->limit < file_size ? s->limit : file_size; /* progress ends at the last record
								  */
	return 0;
}
