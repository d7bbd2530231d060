// SPDX-License-Identifier: GPL-2.0
/*
 * perfdata-stream: bytes to records. Records are handed out in place from a reused buffer that
 * read() fills; payloads that follow a record (AUXTRACE) are skipped; COMPRESSED records feed a
 * zstd decoder whose output is a second buffer of records. A record may straddle two reads or two
 * COMPRESSED records; other records may stand between the latter.
 */
#include "perfdata-int.h"
#include "zstd-stream.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#define DEC_SIZE (256U << 10)

ssize_t pd_read_full(int fd, void *buf, size_t n)
{
	size_t got = 0;

	while (got < n) {
		ssize_t rc = read(fd, (char *)buf + got, n - got);

		if (rc < 0 && errno == EINTR)
			continue;
		if (rc < 0)
			return -errno;
		if (!rc)
			break;
		got += (size_t)rc;
	}
	return (ssize_t)got;
}

ssize_t pd_pread_full(int fd, void *buf, size_t n, uint64_t off)
{
	size_t got = 0;

	if (off > INT64_MAX || n > INT64_MAX - off)
		return -EINVAL;
	while (got < n) {
		ssize_t rc = pread(fd, (char *)buf + got, n - got, (off_t)(off + got));

		if (rc < 0 && errno == EINTR)
			continue;
		if (rc < 0)
			return -errno;
		if (!rc)
			break;
		got += (size_t)rc;
	}
	return (ssize_t)got;
}

int pd_stream__init(struct pd_stream *s, const char *path, int fd, bool owns_fd, size_t buf_size)
{
	memset(s, 0, sizeof(*s));
	s->fd = fd;
	s->owns_fd = owns_fd;
	s->limit = PD_NO_LIMIT;
	s->size = PD_NO_LIMIT;
	s->window_log = 27; /* zstd's own bound */
	s->path = strdup(path);
	s->raw.buf = malloc(buf_size);
	s->raw.cap = buf_size;
	return s->path && s->raw.buf ? 0 : -ENOMEM;
}

void pd_stream__exit(struct pd_stream *s)
{
	if (s->owns_fd && s->fd >= 0)
		close(s->fd);
	zstd_stream__delete(s->z);
	free(s->raw.buf);
	free(s->dec.buf);
	free(s->path);
	memset(s, 0, sizeof(*s));
	s->fd = -1;
}

static size_t win__avail(const struct pd_win *w)
{
	return w->end - w->pos;
}

static void win__compact(struct pd_win *w)
{
	if (!w->pos)
		return;
	memmove(w->buf, w->buf + w->pos, win__avail(w));
	w->end -= w->pos;
	w->pos = 0;
}

/* File offset of the next raw byte. */
static uint64_t pd_stream__pos(const struct pd_stream *s)
{
	return s->off - win__avail(&s->raw);
}

/* 1 = need bytes are in the raw window, 0 = the input ends before, negative errno. */
static int pd_stream__fill(struct pd_stream *s, size_t need, struct mig_err *err)
{
	struct pd_win *w = &s->raw;

	win__compact(w);
	while (w->end < need && !s->eof) {
		size_t room = w->cap - w->end;
		ssize_t rc;

		if (room > s->limit - s->off)
			room = (size_t)(s->limit - s->off);
		if (!room)
			break;
		rc = s->seekable ? pread(s->fd, w->buf + w->end, room, (off_t)s->off)
				 : read(s->fd, w->buf + w->end, room);
		if (rc < 0 && errno == EINTR)
			continue;
		if (rc < 0)
			return mig_err__set(err, -errno,
					    "%s: cannot read at offset %#" PRIx64 ": %s", s->path,
					    s->off, strerror(errno));
		if (!rc)
			s->eof = true;
		w->end += (size_t)rc;
		s->off += (uint64_t)rc;
	}
	return w->end >= need;
}

/* perf record -o - 2>&1 mixes what perf says into the recording. */
static bool is_perf_message(const uint8_t *p, size_t n)
{
	static const char text[] = "[ perf record:";

	return n >= sizeof(text) - 1 && !memcmp(p, text, sizeof(text) - 1);
}

static int pd_stream__hint(const struct pd_stream *s, struct mig_err *err, const char *hint)
{
	if (is_perf_message(s->raw.buf + s->raw.pos, win__avail(&s->raw)))
		hint = "perf's own messages stand in the recording here: record again without 2>&1";
	return mig_err__hint(err, "everything before it was read; %s", hint);
}

static int pd_stream__cut(const struct pd_stream *s, const char *what, struct mig_err *err)
{
	if (s->eof && s->limit != PD_NO_LIMIT)
		mig_err__set(err, -EIO,
			     "%s: file ends %s at offset %#" PRIx64 "; its header says the records "
			     "go on to %#" PRIx64,
			     s->path, what, pd_stream__pos(s), s->limit);
	else
		mig_err__set(err, -EIO, "%s: %s %s at offset %#" PRIx64, s->path,
			     s->eof ? "input ends" : "the records end", what, pd_stream__pos(s));
	return pd_stream__hint(s, err,
			       "the recording was cut off (disk full, copy not complete, "
			       "recorder killed?)");
}

/* The input is at its end: is it a clean one? */
static int pd_stream__end(struct pd_stream *s, struct mig_err *err)
{
	if (win__avail(&s->raw))
		return pd_stream__cut(s, "inside a record", err);
	if (s->limit != PD_NO_LIMIT && s->off < s->limit)
		return pd_stream__cut(s, "between two records", err);
	if (win__avail(&s->dec))
		return pd_stream__cut(s, "inside a compressed record", err);
	return 0;
}

static int pd_stream__bad(const struct pd_stream *s, uint64_t off, const uint8_t *rec,
			  const char *what, struct mig_err *err)
{
	mig_err__set(err, -EINVAL,
		     "%s: damaged at offset %#" PRIx64 ": record of type %u and size %u %s",
		     s->path, off, perf_get32(rec, s->swap), perf_get16(rec + 6, s->swap), what);
	return pd_stream__hint(s, err,
			       "record again, or report it if perf script can read the file");
}

static int pd_stream__skip(struct pd_stream *s, struct mig_err *err)
{
	while (s->skip) {
		size_t n = win__avail(&s->raw);

		if (!n && s->seekable) {
			uint64_t end = s->limit < s->size ? s->limit : s->size;

			if (s->off > end || s->skip > end - s->off) {
				s->eof = s->size < s->limit;
				return pd_stream__cut(s, "inside the data behind a record", err);
			}
			s->raw.pos = s->raw.end = 0;
			s->off += s->skip;
			s->skip = 0;
			return 0;
		}
		if (!n) {
			int rc = pd_stream__fill(s, 1, err);

			if (rc < 0)
				return rc;
			if (!rc)
				return pd_stream__cut(s, "inside the data behind a record", err);
			continue;
		}
		if (n > s->skip)
			n = (size_t)s->skip;
		s->raw.pos += n;
		s->skip -= n;
	}
	return 0;
}

int pd_stream__payload(struct pd_stream *s, uint64_t size, uint8_t **ret_buf, struct mig_err *err)
{
	uint64_t at = pd_stream__pos(s);
	uint64_t end = s->limit < s->size ? s->limit : s->size;
	size_t got = 0, cap = 0;
	uint8_t *buf = NULL;
	int rc = 0;

	if (size > PD_BLOB_MAX || (s->seekable && (at > end || size > end - at)))
		return mig_err__set(err, -EINVAL,
				    "%s: damaged at offset %#" PRIx64 ": %" PRIu64 " bytes of data "
				    "announced, "
				    "which cannot "
				    "be",
				    s->path, at, size);
	while (got < size) {
		size_t n = win__avail(&s->raw);

		if (!n) {
			rc = pd_stream__fill(s, 1, err);
			if (rc < 0)
				goto out;
			if (!rc) {
				rc = pd_stream__cut(s, "inside the data behind a record", err);
				goto out;
			}
			n = win__avail(&s->raw);
		}
		if (n > size - got)
			n = (size_t)(size - got);
		if (got + n > cap) { /* grows with what is really there, not with the claim */
			uint8_t *more;

			cap = 2 * (got + n) < size ? 2 * (got + n) : (size_t)size;
			more = realloc(buf, cap);
			if (!more) {
				rc = mig_err__set(err, -ENOMEM, "%s: out of memory", s->path);
				goto out;
			}
			buf = more;
		}
		memcpy(buf + got, s->raw.buf + s->raw.pos, n);
		s->raw.pos += n;
		got += n;
	}
	*ret_buf = buf;
	return 0;
out:
	free(buf);
	return rc;
}

int pd_stream__open_zstd(struct pd_stream *s, struct mig_err *err)
{
	int rc;

	if (s->z)
		return 0;
	rc = zstd_stream__open(s->window_log, &s->z);
	if (rc == -ENOTSUP) {
		mig_err__set(err, rc,
			     "%s: compressed recording, but perf-migstat was built without zstd",
			     s->path);
		return mig_err__hint(err, "install libzstd-dev and build again, or record "
					  "without -z");
	}
	if (!rc) {
		s->dec.cap = DEC_SIZE;
		s->dec.buf = malloc(DEC_SIZE);
	}
	return s->dec.buf ? 0 : mig_err__set(err, -ENOMEM, "%s: out of memory", s->path);
}

/* Starts on the payload of a COMPRESSED record, which lies inside the raw window. */
static int pd_stream__start_compressed(struct pd_stream *s, const uint8_t *in, size_t n,
				       uint64_t off, struct mig_err *err)
{
	int rc = pd_stream__open_zstd(s, err);

	if (rc)
		return rc;
	s->z_in = in;
	s->z_left = n;
	s->z_off = off;
	s->z_more = true;
	s->busy = true;
	return 0;
}

static void pd_stream__give(const struct pd_stream *s, const uint8_t *p, uint64_t off,
			    struct perf_rec *rec)
{
	rec->type = perf_get32(p, s->swap);
	rec->misc = perf_get16(p + 4, s->swap);
	rec->size = perf_get16(p + 6, s->swap);
	rec->data = p;
	rec->offset = off;
	rec->stream = s->nr;
}

/* Next record from decoded bytes: 1, 0 = needs the next COMPRESSED record, negative errno. */
static int pd_stream__next_decoded(struct pd_stream *s, struct perf_rec *rec, struct mig_err *err)
{
	struct pd_win *w = &s->dec;

	for (;;) {
		const uint8_t *p = w->buf + w->pos;
		size_t n = win__avail(w), written;

		if (n >= 8) {
			uint16_t size = perf_get16(p + 6, s->swap);
			uint32_t type = perf_get32(p, s->swap);

			if (pd_unlikely(size < 8 || type == PD_REC_COMPRESSED ||
					type == PD_REC_COMPRESSED2 || type == PD_REC_AUXTRACE ||
					type == PD_REC_TRACING_DATA))
				return pd_stream__bad(s, s->z_off, p, "in compressed data", err);
			if (n >= size) {
				pd_stream__give(s, p, s->z_off, rec);
				w->pos += size;
				return 1;
			}
		}
		if (!s->z_more)
			return 0;
		win__compact(w);
		if (zstd_stream__decode(s->z, &s->z_in, &s->z_left, w->buf + w->end,
					w->cap - w->end, &written)) {
			mig_err__set(err, -EINVAL,
				     "%s: compressed record at offset %#" PRIx64 " cannot be "
				     "decoded: %s",
				     s->path, s->z_off, zstd_stream__reason(s->z));
			return mig_err__hint(err, "everything before it was read; the recording "
						  "is damaged");
		}
		w->end += written;
		s->z_more = s->z_left || w->end == w->cap;
	}
}

/*
 * Can it be a record's header? The kernel's records are multiples of 8 bytes (perf_output_begin()),
 * perf's own ones not always. Not so where bytes of something else stand in between.
 */
static inline bool is_header(uint32_t type, size_t size)
{
	return type && type < 1U << 24 && (type >= PD_REC_USER || !(size & 7));
}

/*
 * Length of the record at p, of which n >= 8 bytes are in the window; more than n: not all of it is
 * there. 0 = damaged. COMPRESSED2 carries its own length, since header.size is a u16 and is 0
 * where padding took it to 65536.
 */
static size_t pd_stream__rec_len(const struct pd_stream *s, const uint8_t *p, size_t n)
{
	const uint32_t type = perf_get32(p, s->swap);
	const size_t size = perf_get16(p + 6, s->swap);
	uint64_t data;

	if (!is_header(type, size))
		return 0;
	if (pd_likely(type != PD_REC_COMPRESSED2))
		return size >= 8 ? size : 0;
	if (n < 16)
		return 16;
	data = perf_get64(p + 8, s->swap);
	if (data > PD_REC_MAX - 16)
		return 0;
	if (!size)
		return (16 + (size_t)data + 7) & ~(size_t)7;
	return size >= 16 + data ? size : 0;
}

/* Characters where a record's type should stand; no type is so large. */
static bool looks_like_text(const uint8_t *p)
{
	unsigned i;

	for (i = 0; i < 4; i++)
		if ((p[i] < ' ' || p[i] > '~') && p[i] != '\n' && p[i] != '\t' && p[i] != '\r')
			return false;
	return true;
}

static int pd_stream__text(const struct pd_stream *s, const uint8_t *p, size_t n,
			   struct mig_err *err)
{
	char text[33];
	size_t len;

	for (len = 0; len < n && len < sizeof(text) - 1 && p[len] >= ' ' && p[len] <= '~'; len++)
		text[len] = (char)p[len];
	text[len] = '\0';
	mig_err__set(err, -EINVAL,
		     "%s: text where a record should begin, at offset %#" PRIx64 ": %s", s->path,
		     pd_stream__pos(s), text);
	return pd_stream__hint(s, err,
			       "the output of a program stands in the recording (2>&1?): send it "
			       "elsewhere, or record with -o FILE");
}

/* Makes one whole record available in the raw window. 1 (*ret_len set), 0 = end, negative errno. */
static int pd_stream__peek(struct pd_stream *s, size_t *ret_len, struct mig_err *err)
{
	size_t need = 8;

	for (;;) {
		const uint8_t *p = s->raw.buf + s->raw.pos;
		size_t n = win__avail(&s->raw);
		int rc;

		if (pd_likely(n >= 8)) {
			need = pd_stream__rec_len(s, p, n);
			if (pd_unlikely(!need && looks_like_text(p)))
				return pd_stream__text(s, p, n, err);
			if (pd_unlikely(!need))
				return pd_stream__bad(s, pd_stream__pos(s), p, "cannot be", err);
			if (pd_likely(n >= need)) {
				*ret_len = need;
				return 1;
			}
		}
		rc = pd_stream__fill(s, need, err);
		if (rc < 0)
			return rc;
		if (!rc)
			return pd_stream__end(s, err);
	}
}

/* Looks after the record types that are more than their bytes. 0 = hand it out, 1 = go on. */
static int pd_stream__special(struct pd_stream *s, const uint8_t *p, size_t len, uint64_t off,
			      struct mig_err *err)
{
	int rc;

	switch (perf_get32(p, s->swap)) {
	case PD_REC_COMPRESSED:
		rc = pd_stream__start_compressed(s, p + 8, len - 8, off, err);
		return rc ? rc : 1;
	case PD_REC_COMPRESSED2:
		rc = pd_stream__start_compressed(s, p + 16, (size_t)perf_get64(p + 8, s->swap), off,
						 err);
		return rc ? rc : 1;
	case PD_REC_AUXTRACE:
		if (len < 16)
			return pd_stream__bad(s, off, p, "is too short for AUXTRACE", err);
		s->skip = perf_get64(p + 8, s->swap);
		s->busy = true;
		return 0;
	default:
		return 0;
	}
}

/* The way of nearly every record: whole in the window and nothing special about it. */
static bool pd_stream__next_fast(struct pd_stream *s, struct perf_rec *rec)
{
	const uint8_t *p = s->raw.buf + s->raw.pos;
	size_t n = win__avail(&s->raw);

	if (pd_unlikely(n < 8 || s->busy))
		return false;
	pd_stream__give(s, p, s->off - n, rec);
	if (pd_unlikely(rec->size < 8 || rec->size > n || rec->type >= PD_REC_AUXTRACE ||
			!is_header(rec->type, rec->size)))
		return false;
	s->raw.pos += rec->size;
	return true;
}

int pd_stream__next(struct pd_stream *s, struct perf_rec *rec, struct mig_err *err)
{
	while (!pd_stream__next_fast(s, rec)) {
		const uint8_t *p;
		uint64_t off;
		size_t len = 0;
		int rc;

		if (s->dec.buf) {
			rc = pd_stream__next_decoded(s, rec, err);
			if (rc)
				return rc;
		}
		rc = pd_stream__skip(s, err);
		if (rc)
			return rc;
		s->busy = false;
		rc = pd_stream__peek(s, &len, err);
		if (rc <= 0)
			return rc;
		p = s->raw.buf + s->raw.pos;
		off = pd_stream__pos(s);
		rc = pd_stream__special(s, p, len, off, err);
		if (rc < 0)
			return rc;
		s->raw.pos += len;
		if (rc)
			continue;
		pd_stream__give(s, p, off, rec);
		return 1;
	}
	return 1;
}
