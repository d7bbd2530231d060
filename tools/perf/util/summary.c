// SPDX-License-Identifier: GPL-2.0
#include "summary.h"

#include <string.h>

void mig_summary__init(struct mig_summary *s)
{
	memset(s, 0, sizeof(*s));
}

void mig_summary__exit(struct mig_summary *s)
{
	int i;

	for (i = 0; i < MIG_NR_CAUSE; i++) {
		hist__exit(&s->by_cause[i].ran_after);
		hist__exit(&s->by_cause[i].queued);
	}
	hist__exit(&s->delay);
	hist__exit(&s->wait);
}

int mig_summary__add_migration(struct mig_summary *s, const struct mig_migration *f)
{
	struct mig_cause_cost *c = &s->by_cause[f->cause];
	unsigned i;
	int ret = 0;

	s->migrations++;
	s->by_distance[f->distance]++;
	s->cause_distance[f->cause][f->distance]++;
	s->recorder.migrations += f->is_recorder;
	c->n++;
	c->certain += f->certain;
	c->lost_nearby += f->lost_nearby;
	if (f->ran_after_ns != MIG_NULL)
		ret = hist__add(&c->ran_after, f->ran_after_ns);
	if (!ret && !f->at_wakeup && f->queued_ns != MIG_NULL)
		ret = hist__add(&c->queued, f->queued_ns);
	if (f->next_misses[0] != MIG_NULL) {
		c->next_n++;
		for (i = 0; i < s->nr_counters; i++)
			if (f->next_misses[i] != MIG_NULL)
				c->next_misses[i] += f->next_misses[i];
	}
	return ret;
}

void mig_summary__add_recorder_slice(struct mig_summary *s, const struct mig_slice *f)
{
	unsigned i;

	s->recorder.switches++;
	for (i = 0; i < s->nr_counters; i++)
		if (f->misses[i] != MIG_NULL)
			s->recorder.misses[i] += f->misses[i];
}

void mig_summary__add_row(struct mig_summary *s, const struct mig_row *row)
{
	struct mig_side all;
	unsigned i;

	mig_row__side(row, s->nr_counters, MIG_SIDE_ALL, &all);
	s->slices += row->slices;
	s->lost_nearby += row->lost_nearby;
	s->run_n += all.run_n;
	s->run_ns += all.run_ns;
	s->misses_n += all.miss_n;
	for (i = 0; i < s->nr_counters; i++)
		s->misses[i] += all.misses[i];
}

int mig_summary__add_fork(struct mig_summary *s, const struct mig_fork *f)
{
	s->forks++;
	s->placements += f->from >= 0 && f->from != f->to;
	return 0;
}

int mig_summary__add_sample(struct mig_summary *s, const struct mig_sample *f)
{
	if (f->counter >= MIG_MAX_COUNTERS)
		return 0;
	s->sampled_n[f->counter]++;
	if (__builtin_add_overflow(s->sampled[f->counter], f->period, &s->sampled[f->counter]))
		s->sampled_overflow[f->counter] = true;
	return 0;
}
