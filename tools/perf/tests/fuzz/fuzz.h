/* SPDX-License-Identifier: GPL-2.0 */
/*
 * fuzz: what the fuzz targets share.
 *
 * A target is one fuzz-NAME.c with LLVMFuzzerTestOneInput(): libFuzzer drives it under `make fuzz`
 * (clang), fuzz-replay.c under `make check` (any compiler), which runs it over the kept inputs. A
 * claim that does not hold ends the process (FUZZ_CLAIM), as a crash does.
 */
#ifndef MIG_FUZZ_H
#define MIG_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * Read by the leak sanitizer. libtraceevent 1.7 does not free the tokens of a field line that it
 * gives up on: never more than the format's own text.
 */
const char *__lsan_default_suppressions(void);
__attribute__((weak)) const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent.so\n";
}

#define FUZZ_CLAIM(cond)                                                                          \
	do {                                                                                      \
		if (!(cond)) {                                                                    \
			fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #cond); \
			abort();                                                                  \
		}                                                                                 \
	} while (0)

/* A file in memory with head and data in it, and its path; close it with fuzz_file__exit(). */
struct fuzz_file {
	int fd;
	char path[32];
};

__attribute__((unused)) static void fuzz_file__init(struct fuzz_file *f, const void *head,
						    size_t head_size, const void *data, size_t size)
{
	f->fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (f->fd < 0 || (head_size && write(f->fd, head, head_size) != (ssize_t)head_size) ||
	    (size && write(f->fd, data, size) != (ssize_t)size))
		exit(1);
	snprintf(f->path, sizeof(f->path), "/proc/self/fd/%d", f->fd);
}

__attribute__((unused)) static void fuzz_file__exit(struct fuzz_file *f)
{
	close(f->fd);
}

#endif
