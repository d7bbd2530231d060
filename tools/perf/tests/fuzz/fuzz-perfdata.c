// SPDX-License-Identifier: GPL-2.0
/*
 * The file reader: any bytes as a recording, once as a file and once through a pipe. Records lie
 * inside what the reader owns, and what a pipe can carry reads the same both ways.
 */
#include "fuzz.h"

#include "err.h"
#include "perfdata.h"

#define PIPE_ROOM 65536

static void read_all(const char *path, uint64_t *ret_records, uint64_t *ret_sum)
{
	struct perf_sample_id sid;
	struct perfdata *pd;
	struct perf_rec rec;
	struct mig_err err;
	uint64_t n = 0, sum = 0;

	*ret_records = *ret_sum = 0;
	if (perfdata__open(path, &pd, &err)) {
		FUZZ_CLAIM(err.msg[0] && err.code < 0);
		return;
	}
	while (perfdata__next(pd, &rec, &err) == 1) {
		int event;

		n++;
		for (unsigned i = 0; i < rec.size; i++)
			sum = sum * 31 + rec.data[i];
		if (rec.type == PERF_REC_SAMPLE) {
			event = perfdata__sample_event(pd, &rec);
			FUZZ_CLAIM(event < 0 || (size_t)event < perfdata__nr_events(pd));
		} else {
			perfdata__sample_id(pd, &rec, &sid);
		}
	}
	*ret_records = n;
	*ret_sum = sum;
	perfdata__delete(pd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t records, sum, piped, piped_sum;
	struct fuzz_file f;
	char path[32];
	int fd[2];

	fuzz_file__init(&f, NULL, 0, data, size);
	read_all(f.path, &records, &sum);
	fuzz_file__exit(&f);
	if (size > PIPE_ROOM || pipe(fd))
		return 0;
	if (write(fd[1], data, size) != (ssize_t)size)
		exit(1);
	close(fd[1]);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd[0]);
	read_all(path, &piped, &piped_sum);
	close(fd[0]);
	/* the header says in its second word that it is a pipe's */
	if (size >= 16 && (!memcmp(data + 8, "\x10\0\0\0\0\0\0\0", 8) ||
			   !memcmp(data + 8, "\0\0\0\0\0\0\0\x10", 8)))
		FUZZ_CLAIM(records == piped && sum == piped_sum);
	return 0;
}
