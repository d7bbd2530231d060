// SPDX-License-Identifier: GPL-2.0
#include "zstd-stream.h"

#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

struct zstd_stream {
	ZSTD_DCtx *ctx;
	const char *reason;
};

int zstd_stream__open(unsigned window_log, struct zstd_stream **ret_z)
{
	struct zstd_stream *z = calloc(1, sizeof(*z));

	if (!z)
		return -ENOMEM;
	z->ctx = ZSTD_createDCtx();
	if (!z->ctx ||
	    ZSTD_isError(ZSTD_DCtx_setParameter(z->ctx, ZSTD_d_windowLogMax, (int)window_log))) {
		zstd_stream__delete(z);
		return -ENOMEM;
	}
	z->reason = "";
	*ret_z = z;
	return 0;
}

void zstd_stream__delete(struct zstd_stream *z)
{
	if (!z)
		return;
	ZSTD_freeDCtx(z->ctx);
	free(z);
}

int zstd_stream__decode(struct zstd_stream *z, const uint8_t **in, size_t *in_size, void *out,
			size_t out_size, size_t *ret_written)
{
	ZSTD_inBuffer src = { *in, *in_size, 0 };
	ZSTD_outBuffer dst = { out, out_size, 0 };

	while (dst.pos < dst.size) {
		size_t in_pos = src.pos, out_pos = dst.pos;
		size_t rc = ZSTD_decompressStream(z->ctx, &dst, &src);

		if (ZSTD_isError(rc)) {
			z->reason = ZSTD_getErrorName(rc);
			return -EINVAL;
		}
		if (src.pos == src.size && dst.pos < dst.size)
			break; /* all is out */
		if (src.pos == in_pos && dst.pos == out_pos) {
			z->reason = "the decoder makes no progress";
			return -EINVAL;
		}
	}
	*in += src.pos;
	*in_size -= src.pos;
	*ret_written = dst.pos;
	return 0;
}

const char *zstd_stream__reason(const struct zstd_stream *z)
{
	return z->reason;
}
