/* SPDX-License-Identifier: GPL-2.0 */
/*
 * zstd-stream: one zstd decoder that is fed piece by piece (PERF_RECORD_COMPRESSED).
 *
 * zstd-stream.c needs libzstd; with NO_ZSTD=1 zstd-stream-none.c takes its place, whose open says
 * -ENOTSUP. The decoder's state lives on from record to record: perf never ends the zstd frame.
 */
#ifndef MIG_ZSTD_STREAM_H
#define MIG_ZSTD_STREAM_H

#include <stddef.h>
#include <stdint.h>

struct zstd_stream;

/*
 * window_log bounds the memory (2^window_log bytes) that a frame may ask for. Returns 0, -ENOTSUP
 * (built without zstd) or -ENOMEM.
 */
int zstd_stream__open(unsigned window_log, struct zstd_stream **ret_z);
/* NULL is fine. */
void zstd_stream__delete(struct zstd_stream *z);

/*
 * Decodes from *in (advanced, *in_size reduced) to out. Returns 0 or -EINVAL for damaged input.
 * When *ret_written == out_size there may be more to come without further input.
 */
int zstd_stream__decode(struct zstd_stream *z, const uint8_t **in, size_t *in_size, void *out,
			size_t out_size, size_t *ret_written);
/* Why the last zstd_stream__decode() failed. */
const char *zstd_stream__reason(const struct zstd_stream *z);

#endif
