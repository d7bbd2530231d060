/* SPDX-License-Identifier: GPL-2.0 */
/*
 * summary: totals of the selection, and what could not be seen.
 */
#ifndef MIG_SUMMARY_H
#define MIG_SUMMARY_H

#include "facts.h"
#include "group.h"
#include "hist.h"

struct mig_cause_cost {
	uint64_t n, certain, lost_nearby;
	struct hist ran_after; /* move to running */
	struct hist queued; /* runnable to the move, of queued tasks */
	uint64_t next_n; /* slices that followed and whose misses are known */
	uint64_t next_misses[MIG_MAX_COUNTERS];
};

struct mig_summary {
	unsigned nr_counters; /* of the group; set before the first fact */
	uint64_t wakeups, migrations, forks, placements, slices;
	uint64_t by_path[MIG_NR_PATH], by_mechanism[MIG_NR_MECH], by_context[MIG_NR_CTX];
	uint64_t by_distance[MIG_NR_DIST];
	uint64_t cause_distance[MIG_NR_CAUSE][MIG_NR_DIST];
	struct mig_cause_cost by_cause[MIG_NR_CAUSE];
	uint64_t run_ns, run_n; /* of the slices whose length is known */
	uint64_t misses[MIG_MAX_COUNTERS], misses_n; /* group: sum over slices with known misses */
	uint64_t sampled[MIG_MAX_COUNTERS], sampled_n[MIG_MAX_COUNTERS];
	bool sampled_overflow[MIG_MAX_COUNTERS];
	struct hist delay, wait; /* of the rows together; filled by report.c at the end */
	uint64_t lost_nearby; /* facts beside a loss */
	struct {
		uint64_t switches, migrations, wakeups, misses[MIG_MAX_COUNTERS];
	} recorder;
};

void mig_summary__init(struct mig_summary *s);
void mig_summary__exit(struct mig_summary *s);

static inline void mig_summary__add_wakeup(struct mig_summary *s, const struct mig_wakeup *f)
{
	s->wakeups++;
	s->by_path[f->path]++;
	s->by_mechanism[f->mechanism]++;
	s->by_context[f->context]++;
	s->recorder.wakeups += f->wakee_is_recorder;
}

int mig_summary__add_migration(struct mig_summary *s, const struct mig_migration *f);

/* Slices are summed up in rows already; only those of the recorder are needed one by one. */
void mig_summary__add_recorder_slice(struct mig_summary *s, const struct mig_slice *f);
/* At the end, for each row of a table of all facts: its slices and losses. */
void mig_summary__add_row(struct mig_summary *s, const struct mig_row *row);
int mig_summary__add_fork(struct mig_summary *s, const struct mig_fork *f);
int mig_summary__add_sample(struct mig_summary *s, const struct mig_sample *f);

#endif
