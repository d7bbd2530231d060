// SPDX-License-Identifier: GPL-2.0
/* Stands in for zstd-stream.c with NO_ZSTD=1. */
#include "zstd-stream.h"

#include <errno.h>

int zstd_stream__open(unsigned window_log, struct zstd_stream **ret_z)
{
	(void)window_log;
	*ret_z = NULL;
	return -ENOTSUP;
}

void zstd_stream__delete(struct zstd_stream *z)
{
	(void)z;
}

int zstd_stream__decode(struct zstd_stream *z, const uint8_t **in, size_t *in_size, void *out,
			size_t out_size, size_t *ret_written)
{
	(void)z;
	(void)in;
	(void)in_size;
	(void)out;
	(void)out_size;
	*ret_written = 0;
	return -ENOTSUP;
}

const char *zstd_stream__reason(const struct zstd_stream *z)
{
	(void)z;
	return "built without zstd";
}
