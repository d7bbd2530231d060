// SPDX-License-Identifier: GPL-2.0
/*
 * The decoder: any bytes as records behind the header of a real recording (attrs and formats), to
 * facts. The first byte chooses the header: a plain one, one of the other byte order, one with
 * group reads and callchains. A fact names CPUs and times that can be, or says that it does not
 * know.
 */
#include "fuzz.h"

#include "err.h"
#include "session.h"

/* tests/fuzz/heads: pipe recordings cut off before their first sample */
#define HEAD(name, file)                                                                    \
	__asm__(".section .rodata\n" #name ":\n.incbin \"" FUZZ_HEADS "/" file "\"\n" #name \
		"_end:\n.byte 0\n.previous\n");                                             \
	extern const uint8_t name[], name##_end[]

HEAD(head_plain, "plain.pdata");
HEAD(head_swapped, "swapped.pdata");
HEAD(head_group, "group.pdata");

static void check_cpu(int32_t cpu)
{
	FUZZ_CLAIM(cpu >= -1);
}

static int on_wakeup(const struct mig_wakeup *f, void *ctx)
{
	const struct sched_model *m = &((struct session *)ctx)->model;

	check_cpu(f->waker_cpu);
	check_cpu(f->run_cpu);
	FUZZ_CLAIM(f->delay_ns == MIG_NULL ||
		   (f->run_cpu >= 0 && (unsigned)f->run_cpu < m->nr_cpus &&
		    f->delay_ns <= m->cpus[f->run_cpu].last_time - f->time));
	return 0;
}

static int on_migration(const struct mig_migration *f, void *ctx)
{
	(void)ctx;
	FUZZ_CLAIM(f->to >= 0 && f->from != f->to);
	return 0;
}

static int on_slice(const struct mig_slice *f, void *ctx)
{
	(void)ctx;
	check_cpu(f->cpu);
	FUZZ_CLAIM(f->length_ns == MIG_NULL || f->length_ns <= f->time);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct mig_fact_ops ops = { .wakeup = on_wakeup,
					  .migration = on_migration,
					  .slice = on_slice };
	struct session_opts opts = { .ignore_callchain = true };
	const uint8_t *head, *end;
	struct fuzz_file f;
	struct session *s;
	struct mig_err err;

	if (!size)
		return 0;
	head = data[0] % 3 == 0 ? head_plain : data[0] % 3 == 1 ? head_swapped : head_group;
	end = data[0] % 3 == 0   ? head_plain_end
	      : data[0] % 3 == 1 ? head_swapped_end
				 : head_group_end;
	fuzz_file__init(&f, head, (size_t)(end - head), data + 1, size - 1);
	opts.input = f.path;
	FUZZ_CLAIM(!session__open(&opts, &s, &err));
	session__run(s, NULL, &ops, s, &err);
	session__delete(s);
	fuzz_file__exit(&f);
	return 0;
}
