// SPDX-License-Identifier: GPL-2.0
/*
 * The whole way: any bytes as a recording, its report as text, JSON and values with separators. The
 * first two bytes choose the grouping and the options, so that the views see odd rows, too.
 */
#include "fuzz.h"

#include "err.h"
#include "json.h"
#include "report.h"
#include "stdio-report.h"

static const char *const by[] = { "pair", "tids",     "path", "mechanism", "cause,distance",
				  "task", "cpu,comm", "comm", "comm,path" };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct session_opts opts = { 0 };
	static FILE *null;
	struct fuzz_file f;
	struct session *s;
	struct mig_err err;
	struct report r;
	uint32_t dims;

	if (size < 2)
		return 0;
	if (!null)
		null = fopen("/dev/null", "w");
	fuzz_file__init(&f, NULL, 0, data + 2, size - 2);
	opts.input = f.path;
	opts.ignore_callchain = true; /* the symbols of this machine are no part of the input */
	opts.ignore_helpers = data[1] & 1;
	if (data[1] & 2)
		opts.time = "10%-90%";
	if (data[1] & 4)
		opts.cpus = "0-1";
	if (data[1] & 8)
		opts.pair = ",";
	FUZZ_CLAIM(!mig_table__parse_by(by[data[0] % 9], &dims, &err));
	if (session__open(&opts, &s, &err)) {
		FUZZ_CLAIM(err.msg[0] && err.code < 0);
		goto out;
	}
	report__init(&r, s, dims);
	r.verbose = data[1] >> 4 & 1;
	r.fine = data[1] >> 5 & 1;
	r.matrix = data[1] >> 6 & 1;
	r.table.open_irq = data[1] >> 7;
	r.text = true;
	if (data[0] & 16)
		r.want = (1U << MIG_NR_PART) - 1;
	r.want_llc = data[0] & 32;
	r.pair_detail = opts.pair && !r.matrix &&
			dims == (1U << MIG_DIM_WAKER | 1U << MIG_DIM_WAKEE);
	report__run(&r, &err);
	if (s->is_ready) {
		stdio__report(&r, null);
		stdio__separated(&r, ";", null);
		stdio__header(s, null);
		json__report(&r, null);
	}
	report__exit(&r);
	session__delete(s);
out:
	fuzz_file__exit(&f);
	return 0;
}
