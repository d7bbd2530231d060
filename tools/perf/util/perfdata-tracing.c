// SPDX-License-Identifier: GPL-2.0
/*
 * perfdata-tracing: the TRACING_DATA section (and record of a pipe): texts that tell the layout of
 * the tracepoints, in the form of a trace.dat 0.6 header. Also the bounded reading that all parsers
 * of the room use. Layout: tools/perf/util/trace-event-{info,read}.c.
 */
#include "perfdata-int.h"

#include <errno.h>
#include <stdlib.h>

/* ---- bounded parsing ---- */

const uint8_t *pd_cur__bytes(struct pd_cur *c, uint64_t n)
{
	const uint8_t *p = c->p;

	if (c->bad || n > pd_cur__left(c)) {
		c->bad = true;
		return NULL;
	}
	c->p += n;
	return p;
}

uint8_t pd_cur__u8(struct pd_cur *c)
{
	const uint8_t *p = pd_cur__bytes(c, 1);

	return p ? *p : 0;
}

uint32_t pd_cur__u32(struct pd_cur *c)
{
	const uint8_t *p = pd_cur__bytes(c, 4);

	return p ? perf_get32(p, c->swap) : 0;
}

uint64_t pd_cur__u64(struct pd_cur *c)
{
	const uint8_t *p = pd_cur__bytes(c, 8);

	return p ? perf_get64(p, c->swap) : 0;
}

const char *pd_cur__cstr(struct pd_cur *c)
{
	const uint8_t *nul = c->bad ? NULL : memchr(c->p, '\0', pd_cur__left(c));
	const char *s = (const char *)c->p;

	if (!nul) {
		c->bad = true;
		return NULL;
	}
	c->p = nul + 1;
	return s;
}

/* ---- TRACING_DATA ---- */

/* u64 size, then that much text */
static const char *tracing__text(struct pd_cur *c, size_t *ret_size)
{
	uint64_t size = pd_cur__u64(c);
	const uint8_t *p = pd_cur__bytes(c, size);

	*ret_size = p ? (size_t)size : 0;
	return (const char *)p;
}

static int tracing__add_format(struct perfdata *pd, const char *system, struct pd_cur *c)
{
	struct perfdata_format fmt = { .system = system };

	fmt.text = tracing__text(c, &fmt.size);
	if (!fmt.text)
		return 0;
	if (!(pd->nr_formats & (pd->nr_formats - 1))) { /* full at powers of two */
		size_t cap = pd->nr_formats ? 2 * pd->nr_formats : 1;
		struct perfdata_format *more = realloc(pd->formats, cap * sizeof(*more));

		if (!more)
			return -ENOMEM;
		pd->formats = more;
	}
	pd->formats[pd->nr_formats++] = fmt;
	return 0;
}

static int tracing__formats(struct perfdata *pd, struct pd_cur *c)
{
	uint32_t n = pd_cur__u32(c);

	for (uint32_t i = 0; !c->bad && i < n; i++) { /* ftrace's own */
		int rc = tracing__add_format(pd, "ftrace", c);

		if (rc)
			return rc;
	}
	n = pd_cur__u32(c);
	for (uint32_t i = 0; !c->bad && i < n; i++) {
		const char *system = pd_cur__cstr(c);
		uint32_t events = pd_cur__u32(c);

		for (uint32_t k = 0; !c->bad && k < events; k++) {
			int rc = tracing__add_format(pd, system, c);

			if (rc)
				return rc;
		}
	}
	return 0;
}

int perfdata__add_tracing(struct perfdata *pd, uint8_t *buf, size_t size)
{
	static const char magic[] = "\x17\x08\x44tracing";
	struct pd_cur c = { .p = buf, .end = buf + size };
	const uint8_t *p;
	const char *s;
	size_t n;
	int rc;

	if (pd->tracing.data) { /* formats are borrowed: the first stays */
		free(buf);
		return 0;
	}
	pd->tracing = (struct pd_blob){ buf, size };
	p = pd_cur__bytes(&c, sizeof(magic) - 1);
	if (!p || memcmp(p, magic, sizeof(magic) - 1) || !pd_cur__cstr(&c))
		return -EINVAL;
	c.swap = (pd_cur__u8(&c) != 0) != (pd->big_endian != pd->swap);
	pd->long_size = pd_cur__u8(&c);
	if (pd->long_size != 4)
		pd->long_size = 8;
	pd_cur__u32(&c); /* page size */
	s = pd_cur__cstr(&c);
	if (!s || strcmp(s, "header_page"))
		return -EINVAL;
	pd->header_page = tracing__text(&c, &pd->header_page_size);
	s = pd_cur__cstr(&c);
	if (!s || strcmp(s, "header_event"))
		return -EINVAL;
	tracing__text(&c, &n);
	rc = tracing__formats(pd, &c);
	/* kallsyms, printk formats and saved command lines follow: not needed */
	return rc ? rc : c.bad ? -EINVAL : 0;
}
