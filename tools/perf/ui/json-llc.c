// SPDX-License-Identifier: GPL-2.0
/* json-llc: "llc" of report --llc --json (Documentation/migstat-json.md). */
#include "json-int.h"
#include "report.h"

static json_t *json_n(uint64_t n)
{
	return json_integer((json_int_t)n);
}

static json_t *json_cells(const struct llc_story *s)
{
	json_t *o = json_object();

	for (int i = 0; i < MIG_NR_CLASS; i++)
		json_object_set_new(o, mig_class__name((enum mig_cause_class)i),
				    json_pack("{s:o, s:o, s:o}", "same",
					      json_n(s->cells[i][LLC_CELL_SAME]), "other",
					      json_n(s->cells[i][LLC_CELL_OTHER]), "unknown",
					      json_n(s->cells[i][LLC_CELL_UNKNOWN])));
	return o;
}

static json_t *json_caches(const struct llc_story *s)
{
	json_t *a = json_array();

	for (unsigned i = 0; i < s->nr_caches; i++) {
		json_t *cpus = json_array();

		for (int cpu = 0; cpu < s->topo->nr_cpus; cpu++)
			if (s->cache_of[cpu] == (int)i)
				json_array_append_new(cpus, json_integer(cpu));
		json_array_append_new(a, json_pack("{s:o}", "cpus", cpus));
	}
	return a;
}

/* [{CLASS: n}] by cache */
static json_t *json_classes(const struct llc_story *s, const uint64_t *n)
{
	json_t *a = json_array();

	for (unsigned c = 0; c < s->nr_caches; c++) {
		json_t *o = json_object();

		for (int k = 0; k < MIG_NR_CLASS; k++)
			if (n[c * MIG_NR_CLASS + k])
				json_object_set_new(o, mig_class__name((enum mig_cause_class)k),
						    json_n(n[c * MIG_NR_CLASS + k]));
		json_array_append_new(a, o);
	}
	return a;
}

static json_t *json_proc(const struct report *r, const struct llc_proc *p)
{
	const struct llc_story *s = &r->llc;
	json_t *run = json_array();
	char comm[64];

	for (unsigned c = 0; c < s->nr_caches; c++)
		json_array_append_new(run, json_n(p->run[c]));
	mig_key__comm(&r->session->names, p->comm, comm, sizeof(comm));
	return json_pack("{s:i, s:o, s:i, s:o, s:o, s:o, s:i, s:i, s:o, s:o, s:o}", "pid", p->pid,
			 "comm", json_text(comm), "threads", (int)p->nr_threads, "run_ns",
			 json_n(p->run_ns), "home", p->run_ns ? json_integer(p->home) : json_null(),
			 "run_by_llc_ns", run, "windows", (int)p->nr_windows, "changes",
			 (int)p->changes, "left", json_classes(s, p->out), "came",
			 json_classes(s, p->in), "back", json_n(p->back));
}

static json_t *json_trips(const struct llc_trips *t)
{
	return json_pack(
		"{s:o, s:o, s:o, s:o, s:o}", "n", json_n(t->n), "away_p50_ns",
		json_u64(hist__percentile(&t->away, 50)), "away_p99_ns",
		json_u64(hist__p99(&t->away)), "ran_after_mean_ns",
		json_u64(t->ran_n ? t->ran_after_ns / t->ran_n : MIG_NULL), "next_misses_mean",
		t->miss_n ? json_real((double)t->misses / (double)t->miss_n) : json_null());
}

static json_t *json_all_trips(const struct llc_story *s)
{
	json_t *a = json_array();

	for (int i = 0; i < MIG_NR_CAUSE * MIG_NR_CAUSE; i++) {
		const struct llc_trips *cpus = &s->trips[LLC_LEVEL_CPU][i];
		const struct llc_trips *llcs = &s->trips[LLC_LEVEL_CACHE][i];

		if (!cpus->n && !llcs->n)
			continue;
		json_array_append_new(
			a, json_pack("{s:s, s:s, s:o, s:o}", "there",
				     mig_cause__name((enum mig_cause)(i / MIG_NR_CAUSE)), "back",
				     mig_cause__name((enum mig_cause)(i % MIG_NR_CAUSE)), "cpus",
				     json_trips(cpus), "llcs", json_trips(llcs)));
	}
	return a;
}

static json_t *json_chases(const struct report *r)
{
	const struct llc_story *s = &r->llc;
	json_t *a = json_array();
	char comm[2][64];

	for (uint32_t i = 0; i < s->nr_chases; i++) {
		const struct llc_chase *c = &s->chases[i];

		mig_key__comm(&r->session->names, c->first_comm, comm[0], sizeof(comm[0]));
		mig_key__comm(&r->session->names, c->second_comm, comm[1], sizeof(comm[1]));
		json_array_append_new(
			a, json_pack("{s:i, s:o, s:i, s:o, s:o, s:o, s:[o, o], s:i}", "first",
				     c->first, "first_comm", json_text(comm[0]), "second",
				     c->second, "second_comm", json_text(comm[1]), "steps",
				     json_n(c->steps), "longest", json_n(c->longest), "crossings",
				     json_n(c->crossings[0]), json_n(c->crossings[1]), "llcs",
				     (int)c->caches));
	}
	return a;
}

json_t *json_llc(const struct report *r)
{
	const struct llc_story *s = &r->llc;
	json_t *procs = json_array();

	for (uint32_t i = 0; i < s->nr_procs; i++)
		json_array_append_new(procs, json_proc(r, s->procs[i]));
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "within_ns",
			 json_n(s->within_ns), "windows_from_ns", json_u64(s->start), "window_ns",
			 json_n(s->width), "llcs", json_caches(s), "moves", json_cells(s),
			 "crossings", json_n(s->crossings), "processes", procs, "there_and_back",
			 json_all_trips(s), "chases", json_chases(r), "moves_left_out",
			 json_n(s->moves_left_out), "pairs_left_out", json_n(s->pairs_left_out));
}
