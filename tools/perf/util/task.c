// SPDX-License-Identifier: GPL-2.0
#include "task.h"

#include <stdlib.h>
#include <string.h>

void task_table__init(struct task_table *tt)
{
	memset(tt, 0, sizeof(*tt));
}

void task_table__exit(struct task_table *tt)
{
	uint32_t i;

	for (i = 0; i < tt->nr; i++) {
		free(tt->all[i]->idle);
		free(tt->all[i]);
	}
	for (i = 0; tt->top && i < TASK_NR_PAGES; i++)
		free(tt->top[i]);
	free(tt->top);
	free(tt->all);
	memset(tt, 0, sizeof(*tt));
}

void task__reset(struct task *t)
{
	struct task was = *t;

	memset(t, 0, sizeof(*t));
	t->tid = was.tid;
	t->pid = -1;
	t->cpu = t->slice_cpu = t->run_cpu = -1;
	t->prio = 120;
	t->comm_class = COMM_PLAIN;
	t->forked_by = t->last_waker = t->ppid = -1;
	t->queued_since = t->wait_ns = MIG_NULL;
	t->asleep_from = -1;
	t->pending = was.pending;
	t->idle = was.idle;
	t->anatomy = was.anatomy;
	t->overlap = was.overlap;
	if (was.pid_noted) {
		t->pid = was.pid;
		t->ppid = was.ppid;
	}
}

static struct task *task__new(int32_t tid)
{
	struct task *t = calloc(1, sizeof(*t));

	if (t) {
		t->tid = tid;
		task__reset(t);
	}
	return t;
}

struct task *task_table__make(struct task_table *tt, int32_t tid)
{
	struct task *t, **page;

	if ((uint32_t)tid >> TASK_PAGE_BITS >= TASK_NR_PAGES)
		return NULL;
	if (!tt->top) {
		tt->top = calloc(TASK_NR_PAGES, sizeof(*tt->top));
		if (!tt->top)
			return NULL;
	}
	page = tt->top[tid >> TASK_PAGE_BITS];
	if (!page) {
		page = tt->top[tid >> TASK_PAGE_BITS] = calloc(1U << TASK_PAGE_BITS, sizeof(*page));
		if (!page)
			return NULL;
	}
	if (tt->nr == tt->max) {
		uint32_t max = tt->max ? tt->max * 2 : 256;
		struct task **all = realloc(tt->all, max * sizeof(*all));

		if (!all)
			return NULL;
		tt->all = all;
		tt->max = max;
	}
	t = task__new(tid);
	if (t) {
		tt->all[tt->nr++] = t;
		page[tid & ((1 << TASK_PAGE_BITS) - 1)] = t;
	}
	return t;
}

enum comm_class comm_class__of(const char *comm)
{
	static const struct {
		const char *name;
		enum comm_class class;
	} prefix[] = {
		{ "migration/", COMM_STOPPER },
		{ "ksoftirqd/", COMM_KSOFTIRQD },
		{ "cpuhp/", COMM_CPUHP },
	};
	size_t i;

	for (i = 0; i < sizeof(prefix) / sizeof(prefix[0]); i++)
		if (!strncmp(comm, prefix[i].name, strlen(prefix[i].name)))
			return prefix[i].class;
	return strcmp(comm, "perf-exec") ? COMM_PLAIN : COMM_PERF_EXEC;
}
