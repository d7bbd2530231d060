// SPDX-License-Identifier: GPL-2.0
#include <zstd.h>

int main(void)
{
	return ZSTD_freeDStream(ZSTD_createDStream()) != 0;
}
