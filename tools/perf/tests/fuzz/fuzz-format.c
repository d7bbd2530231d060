// SPDX-License-Identifier: GPL-2.0
/*
 * The formats of tracepoints, texts that libtraceevent parses: any bytes as the format of one
 * event, then a record of zeros for it.
 */
#include "fuzz.h"

#include "err.h"
#include "session.h"

static void put(uint8_t **p, const void *bytes, size_t n)
{
	memcpy(*p, bytes, n);
	*p += n;
}

static void put64(uint8_t **p, uint64_t v)
{
	put(p, &v, sizeof(v));
}

static void put32(uint8_t **p, uint32_t v)
{
	put(p, &v, sizeof(v));
}

/* One attr: tracepoint 77, IP | TID | TIME | CPU | PERIOD | RAW */
static void put_attr(uint8_t **p)
{
	uint8_t attr[128] = { 0 }, *a = attr;

	put32(&a, 2);
	put32(&a, sizeof(attr));
	put64(&a, 77);
	put64(&a, 1);
	put64(&a, 0x587);
	put32(p, 64); /* HEADER_ATTR */
	put32(p, (8 + sizeof(attr) + 8) << 16);
	put(p, attr, sizeof(attr));
	put64(p, 1);
}

static void put_tracing(uint8_t **p, const uint8_t *text, size_t size)
{
	uint8_t *at = *p, *start;

	put32(p, 66); /* TRACING_DATA */
	put32(p, 12 << 16);
	put32(p, 0);
	start = *p;
	put(p, "\x17\x08\x44tracing0.6\0\0\x08\0\x10\0\0header_page", 31);
	*(*p)++ = 0;
	put64(p, 0);
	put(p, "header_event", 13);
	put64(p, 0);
	put32(p, 0);
	put32(p, 1);
	put(p, "sched", 6);
	put32(p, 1);
	put64(p, size);
	put(p, text, size);
	while ((*p - start) % 8)
		*(*p)++ = 0;
	size = (size_t)(*p - start);
	memcpy(at + 8, &(uint32_t){ (uint32_t)size }, 4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct mig_fact_ops ops = { 0 };
	struct session_opts opts = { .ignore_callchain = true };
	static const uint8_t zeros[256];
	uint8_t *buf = malloc(size + 1024), *p = buf;
	struct fuzz_file f;
	struct session *s;
	struct mig_err err;

	if (!buf)
		return 0;
	put(&p, "PERFILE2\x10\0\0\0\0\0\0\0", 16);
	put_attr(&p);
	put_tracing(&p, data, size);
	for (int i = 0; i < 2; i++) {
		put32(&p, 9); /* SAMPLE */
		put32(&p, (8 + 40 + 4 + 132) << 16);
		put(&p, zeros, 40);
		put32(&p, 132);
		put(&p, zeros, 132);
	}
	fuzz_file__init(&f, buf, (size_t)(p - buf), NULL, 0);
	opts.input = f.path;
	if (!session__open(&opts, &s, &err)) {
		session__run(s, NULL, &ops, s, &err);
		session__delete(s);
	}
	fuzz_file__exit(&f);
	free(buf);
	return 0;
}
