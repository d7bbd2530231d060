// SPDX-License-Identifier: GPL-2.0
/*
 * sched-more: figures that facts carry only where sched_model.want asks for them. Each has a file
 * of its own; the hot path comes here through one test of `want`.
 */
#include "sched-model-int.h"

#include <stdlib.h>

static bool wants(const struct sched_model *m, enum mig_part part)
{
	return m->want & 1U << part;
}

bool sched_model__more_event(struct sched_model *m, struct cpu_state *cpu,
			     const struct mig_event *ev)
{
	if (wants(m, MIG_PART_ANATOMY) && ev->type != MIG_EV_SWITCH)
		anatomy__event(m, cpu, ev);
	return ev->type >= MIG_EV_IPI_SEND && ev->type <= MIG_EV_IDLE;
}

int sched_model__more_switch(struct sched_model *m, struct cpu_state *cpu,
			     const struct mig_event *ev)
{
	if (wants(m, MIG_PART_ANATOMY))
		anatomy__switch(m, cpu, ev);
	return wants(m, MIG_PART_OVERLAP) ? overlap__switch(m, cpu, ev) : 0;
}

int sched_model__more_waking(struct sched_model *m, struct cpu_state *cpu,
			     const struct mig_event *ev, struct task *t)
{
	int ret = wants(m, MIG_PART_ANATOMY) ? anatomy__waking(m, cpu, ev, t) : 0;

	return !ret && wants(m, MIG_PART_OVERLAP) ? overlap__waking(m, cpu, ev, t) : ret;
}

int sched_model__more_born(const struct sched_model *m, struct task *t)
{
	return wants(m, MIG_PART_OVERLAP) ? overlap__born(t) : 0;
}

int sched_model__emit_more(struct sched_model *m, struct mig_wakeup *w, uint64_t time)
{
	struct mig_wakeup_more more = { 0 };
	int ret = 0;

	if (m->idle)
		sched_idle__describe(m, w, &more);
	if (wants(m, MIG_PART_ANATOMY))
		anatomy__emit(m, w, time, &more);
	if (wants(m, MIG_PART_OVERLAP))
		overlap__emit(m, w, &more);
	w->more = &more;
	if (m->ops->wakeup)
		ret = m->ops->wakeup(w, m->ctx);
	w->more = NULL;
	return !ret && wants(m, MIG_PART_OVERLAP) ? overlap__emitted(m, w) : ret;
}

void sched_model__more_exit(struct sched_model *m)
{
	uint32_t i;

	overlap__exit(m);
	for (i = 0; i < m->tasks.nr; i++) {
		free(m->tasks.all[i]->anatomy);
		free(m->tasks.all[i]->overlap);
	}
}
