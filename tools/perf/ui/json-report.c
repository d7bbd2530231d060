// SPDX-License-Identifier: GPL-2.0
/*
 * json-report: report --json, schema migstat.report/1 (Documentation/migstat-json.md). Rows come
 * from the column table, so that text, CSV and JSON cannot drift apart.
 */
#include "json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "insight.h"
#include "json-int.h"
#include "machine.h"
#include "report.h"
#include "sched-idle.h"

static json_t *counts(const uint64_t *n, int nr, const char *(*name)(int))
{
	json_t *o = json_object();
	int i;

	for (i = 0; i < nr; i++)
		if (n[i])
			json_object_set_new(o, name(i), json_integer((json_int_t)n[i]));
	return o;
}

static json_t *json_causes(const struct report *r)
{
	json_t *o = json_object();
	int i;

	for (i = 0; i < MIG_NR_CAUSE; i++) {
		const struct mig_cause_cost *c = &r->sum.by_cause[i];

		if (c->n)
			json_object_set_new(o, mig_cause__name((enum mig_cause)i),
					    json_integer((json_int_t)c->n));
	}
	return o;
}

/* {CAUSE: {n, certain, ran_after_p50_ns, .., queued_p50_ns, .., next_misses}} */
static json_t *json_cause_cost(const struct report *r)
{
	json_t *o = json_object(), *c;
	int i;

	for (i = 0; i < MIG_NR_CAUSE; i++) {
		const struct mig_cause_cost *cc = &r->sum.by_cause[i];

		if (!cc->n)
			continue;
		c = json_object();
		json_object_set_new(c, "n", json_integer((json_int_t)cc->n));
		json_object_set_new(c, "certain", json_integer((json_int_t)cc->certain));
		json_object_set_new(c, "ran_after_p50_ns",
				    json_u64(hist__percentile(&cc->ran_after, 50)));
		json_object_set_new(c, "ran_after_p99_ns", json_u64(hist__p99(&cc->ran_after)));
		json_object_set_new(c, "queued_p50_ns",
				    json_u64(hist__percentile(&cc->queued, 50)));
		json_object_set_new(c, "queued_p99_ns", json_u64(hist__p99(&cc->queued)));
		json_object_set_new(c, "next_slices", json_integer((json_int_t)cc->next_n));
		json_object_set_new(c, "next_misses",
				    json_misses(&r->session->dec.group, cc->next_misses,
						!cc->next_n || r->cctx.no_misses));
		json_object_set_new(o, mig_cause__name((enum mig_cause)i), c);
	}
	return o;
}

/* {CAUSE: {DISTANCE: n}} */
static json_t *json_cause_distance(const struct report *r)
{
	json_t *o = json_object();
	int i;

	for (i = 0; i < MIG_NR_CAUSE; i++)
		if (r->sum.by_cause[i].n)
			json_object_set_new(o, mig_cause__name((enum mig_cause)i),
					    counts(r->sum.cause_distance[i], MIG_NR_DIST,
						   mig_distance__name));
	return o;
}

/* [{from, to, n}] */
static json_t *json_moves(const struct report *r)
{
	json_t *a = json_array(), *o;
	uint32_t i;

	for (i = 0; i < r->moves.nr; i++) {
		o = json_object();
		json_object_set_new(o, "from", json_id(r->moves.moves[i].from));
		json_object_set_new(o, "to", json_id(r->moves.moves[i].to));
		json_object_set_new(o, "n", json_u64(r->moves.moves[i].n));
		json_array_append_new(a, o);
	}
	return a;
}

static json_t *json_sampled(const struct report *r)
{
	const struct mig_counters *cs = &r->session->dec.sampled;
	json_t *o = json_object();
	unsigned i;

	for (i = 0; i < cs->nr; i++)
		json_object_set_new(o, cs->c[i].name, json_u64(report__sampled(r, i)));
	return o;
}

static json_t *json_sampled_n(const struct report *r)
{
	const struct mig_counters *cs = &r->session->dec.sampled;
	json_t *o = json_object();
	unsigned i;

	for (i = 0; i < cs->nr; i++)
		json_object_set_new(o, cs->c[i].name, json_u64(r->sum.sampled_n[i]));
	return o;
}

static json_t *json_events(const struct report *r)
{
	json_t *o = json_object(), *was;
	unsigned i;

	for (i = 0; i < r->session->dec.nr_events; i++) {
		const char *name = decode__event_name(&r->session->dec, i);
		uint64_t n = decode__event_samples(&r->session->dec, i);

		was = json_object_get(o, name);
		if (was)
			n += (uint64_t)json_integer_value(was);
		if (n)
			json_object_set_new(o, name, json_u64(n));
	}
	return o;
}

static json_t *json_if(bool known, uint64_t v)
{
	return known ? json_u64(v) : json_null();
}

static bool misses_refused(const struct report *r)
{
	return !r->sum.misses_n || sched_model__reads_refused(&r->session->model);
}

static json_t *json_recorder(const struct report *r)
{
	int32_t pid = r->session->model.recorder_pid;
	json_t *o = json_object();
	bool known = pid >= 0;

	json_object_set_new(o, "pid", json_id(pid));
	json_object_set_new(o, "switches", json_if(known, r->sum.recorder.switches));
	json_object_set_new(o, "migrations", json_if(known, r->sum.recorder.migrations));
	json_object_set_new(o, "wakeups", json_if(known, r->sum.recorder.wakeups));
	json_object_set_new(o, "misses",
			    json_misses(&r->session->dec.group, r->sum.recorder.misses,
					!known || misses_refused(r)));
	return o;
}

static json_t *json_topology(const struct report *r)
{
	const struct topo *t = &r->session->topo;
	json_t *o = json_object(), *levels = json_array();
	int i;

	json_object_set_new(o, "source", json_string(t->from_sysfs ? "sysfs" : "file"));
	json_object_set_new(o, "cpus", json_integer(t->nr_cpus));
	json_object_set_new(o, "llc", json_string(topo__llc_source(t)));
	json_object_set_new(o, "near_far", json_string(topo__near_far_words(t)));
	for (i = MIG_DIST_SMT; i <= MIG_DIST_REMOTE; i++)
		if (t->has[i])
			json_array_append_new(levels, json_string(mig_distance__name(i)));
	json_object_set_new(o, "levels", levels);
	return o;
}

/* {NAME: text}: of the recording, not of the machine that reads it */
static json_t *json_environment(const struct report *r)
{
	struct machine m = { 0 };
	json_t *o;

	machine__from_header(session__env(r->session), &m);
	o = json_machine(&m);
	machine__exit(&m);
	return o;
}

static json_t *json_odd(const struct report *r)
{
	const struct session *s = r->session;
	json_t *o = json_object();
	int i;

	for (i = 0; i < MIG_NR_ODD; i++)
		if (s->model.odd[i])
			json_object_set_new(o, mig_odd__name((enum mig_odd)i),
					    json_u64(s->model.odd[i]));
	if (s->order.late)
		json_object_set_new(o, "late", json_u64(s->order.late));
	if (s->order.inverted)
		json_object_set_new(o, "sorted-in", json_u64(s->order.inverted));
	if (s->dec.undecoded)
		json_object_set_new(o, "undecoded", json_u64(s->dec.undecoded));
	return o;
}

static json_t *json_losses(const struct loss_list *l)
{
	json_t *a = json_array(), *o;
	uint32_t i;

	for (i = 0; i < l->nr; i++) {
		o = json_object();
		json_object_set_new(o, "cpu", json_integer(l->w[i].cpu));
		json_object_set_new(o, "from_ns", json_if(l->w[i].from, l->w[i].from));
		json_object_set_new(o, "to_ns", json_u64(l->w[i].to));
		json_object_set_new(o, "records", json_u64(l->w[i].records));
		json_array_append_new(a, o);
	}
	return a;
}

static json_t *json_price(struct price *p)
{
	const struct price_result *r = price__result(p);

	return json_pack("{s:o, s:o, s:o, s:I, s:I}", "ns",
			 r->known ? json_real(r->ns) : json_null(), "lo_ns",
			 r->known ? json_real(r->lo) : json_null(), "hi_ns",
			 r->known ? json_real(r->hi) : json_null(), "moved", (json_int_t)r->moved,
			 "stayed", (json_int_t)r->stayed);
}

/* By what moved, and how far; those that occurred. */
static json_t *json_prices(const struct report *r)
{
	struct price_summary *p = (struct price_summary *)&r->price; /* worked out when shown */
	json_t *causes = json_object(), *distances = json_object();

	for (int i = 0; i <= MIG_NR_CLASS; i++)
		if (price__result(&p->by_class[i])->moved)
			json_object_set_new(causes,
					    i < MIG_NR_CLASS
						    ? mig_class__name((enum mig_cause_class)i)
						    : "unknown",
					    json_price(&p->by_class[i]));
	for (int i = 0; i < MIG_NR_DIST; i++)
		if (price__result(&p->by_distance[i])->moved)
			json_object_set_new(distances, mig_distance__name(i),
					    json_price(&p->by_distance[i]));
	return json_pack("{s:o, s:o}", "by_cause", causes, "by_distance", distances);
}

static json_t *json_interval(const struct sched_idle *s, int llc)
{
	struct idle_interval i = sched_idle__wasted(s, llc);

	return json_pack("{s:I, s:I, s:I}", "n", (json_int_t)i.n, "ns", (json_int_t)i.sum_ns,
			 "longest_ns", (json_int_t)i.longest_ns);
}

/* Time that CPUs idled while tasks waited; null where that was not followed. */
static json_t *json_wasted(const struct report *r)
{
	const struct sched_idle *s = r->session->model.idle;
	json_t *llcs;

	if (!s)
		return json_null();
	llcs = json_array();
	for (unsigned i = 0; i < s->nr_llcs; i++)
		json_array_append_new(llcs, json_interval(s, (int)i));
	return json_pack("{s:o, s:o}", "machine", json_interval(s, -1), "llcs", llcs);
}

static json_t *json_summary(const struct report *r)
{
	const struct session *s = r->session;
	const struct sched_model *m = &s->model;
	bool wakes = report__has(r, MIG_EV_WAKING) || report__has(r, MIG_EV_WAKEUP);
	bool moves = report__has(r, MIG_EV_MIGRATE), switches = report__has(r, MIG_EV_SWITCH);
	json_t *o = json_object();

	json_object_set_new(o, "duration_ns",
			    json_if(m->first_time != MIG_NULL, m->last_time - m->first_time));
	json_object_set_new(o, "cpus", json_integer(report__nr_cpus(r)));
	json_object_set_new(o, "events", json_u64(s->dec.nr_samples));
	json_object_set_new(o, "events_by_name", json_events(r));
	json_object_set_new(o, "lost_records", json_u64(s->dec.lost_records));
	json_object_set_new(o, "lost_samples", json_u64(s->dec.lost_samples));
	json_object_set_new(o, "lost_nearby", json_u64(r->sum.lost_nearby));
	json_object_set_new(o, "losses", json_losses(&m->losses));
	json_object_set_new(o, "unseen_switches", json_if(switches, m->unseen_switches));
	json_object_set_new(o, "unseen_moves", json_if(switches && moves, m->unseen_moves));
	json_object_set_new(o, "wakeups", json_if(wakes, r->sum.wakeups));
	json_object_set_new(o, "migrations", json_if(moves, r->sum.migrations));
	json_object_set_new(o, "fork_placements",
			    json_if(report__has(r, MIG_EV_WAKEUP_NEW), r->sum.placements));
	json_object_set_new(o, "forks", json_if(report__has(r, MIG_EV_WAKEUP_NEW), r->sum.forks));
	json_object_set_new(o, "slices", json_if(switches, r->sum.slices));
	json_object_set_new(o, "run_ns", json_if(r->sum.run_n, r->sum.run_ns));
	json_object_set_new(o, "cpu_migrations", json_u64(report__cpu_migrations(r)));
	json_object_set_new(o, "ratio", json_u64(report__ratio(r)));
	json_object_set_new(o, "delay_p50_ns", json_u64(hist__percentile(&r->sum.delay, 50)));
	json_object_set_new(o, "delay_p99_ns", json_u64(hist__p99(&r->sum.delay)));
	json_object_set_new(o, "wait_p50_ns", json_u64(hist__percentile(&r->sum.wait, 50)));
	json_object_set_new(o, "wait_p99_ns", json_u64(hist__p99(&r->sum.wait)));
	json_object_set_new(o, "by_cause", json_causes(r));
	json_object_set_new(o, "cause_cost", json_cause_cost(r));
	json_object_set_new(o, "cause_distance", json_cause_distance(r));
	json_object_set_new(o, "moves", json_moves(r));
	json_object_set_new(o, "by_distance",
			    counts(r->sum.by_distance, MIG_NR_DIST, mig_distance__name));
	json_object_set_new(o, "by_path", counts(r->sum.by_path, MIG_NR_PATH, mig_path__name));
	json_object_set_new(o, "by_mechanism",
			    counts(r->sum.by_mechanism, MIG_NR_MECH, mig_mechanism__name));
	json_object_set_new(o, "by_context",
			    counts(r->sum.by_context, MIG_NR_CTX, mig_context__name));
	json_object_set_new(o, "misses",
			    json_misses(&s->dec.group, r->sum.misses, misses_refused(r)));
	json_object_set_new(o, "multiplexed", json_boolean(m->reads_multiplexed));
	json_object_set_new(o, "switches_without_read", json_u64(m->switches_without_read));
	json_object_set_new(o, "sampled_misses", json_sampled(r));
	json_object_set_new(o, "samples", json_sampled_n(r));
	json_object_set_new(o, "recorder", json_recorder(r));
	if (r->want & 1U << MIG_PART_REGRET)
		json_object_set_new(o, "wasted", json_wasted(r));
	if (r->want & 1U << MIG_PART_PRICE)
		json_object_set_new(o, "price", json_prices(r));
	json_object_set_new(o, "odd", json_odd(r));
	json_object_set_new(o, "topology", json_topology(r));
	json_object_set_new(o, "environment", json_environment(r));
	json_object_set_new(o, "warnings", json_array());
	return o;
}

static json_t *json_insights(const struct report *r)
{
	struct insight found[INSIGHT_MAX];
	unsigned n = insights__find(r, found);
	json_t *a = json_array();

	for (unsigned i = 0; i < n; i++)
		json_array_append_new(a, json_pack("{s:s, s:o, s:o, s:I, s:I, s:o, s:o}", "kind",
						   insight_kind__name(found[i].kind), "value",
						   json_finite(found[i].value[0]), "against",
						   json_finite(found[i].value[1]), "n",
						   (json_int_t)found[i].n[0], "of",
						   (json_int_t)found[i].n[1], "text",
						   json_text(found[i].text), "options",
						   json_text(found[i].command)));
	return a;
}

static int dump(json_t *o, FILE *fp)
{
	int ret = json_dumpf(o, fp, JSON_COMPACT | JSON_ENCODE_ANY);

	json_decref(o);
	return ret ? -EIO : 0;
}

int json__report(const struct report *r, FILE *fp)
{
	const char *words[MIG_NR_DIM];
	struct json_buf buf = { 0 };
	unsigned n, i, k;
	json_t *by = json_array(), *sum = json_summary(r), *warn;
	int ret;

	warn = json_object_get(sum, "warnings");
	for (k = 0; k < session__nr_warnings(r->session); k++)
		json_array_append_new(warn, json_text(session__warning(r->session, k)));
	if (r->table.full)
		json_array_append_new(warn, json_string("too_many_thread_pairs"));
	if (r->session->dec.no_formats)
		json_array_append_new(warn, json_string("no_event_formats"));
	if (r->session->dec.bad_event[0])
		json_array_append_new(warn, json_string("damaged_format"));
	if (sched_model__ids_differ(&r->session->model))
		json_array_append_new(warn, json_string("foreign_task_ids"));
	mig_table__by_words(r->table.dims, words, &n);
	for (i = 0; i < n; i++)
		json_array_append_new(by, json_string(words[i]));
	fputs("{\"schema\":\"migstat.report/1\",\"summary\":", fp);
	ret = dump(sum, fp);
	fputs(",\"by\":", fp);
	if (!ret)
		ret = dump(by, fp);
	else
		json_decref(by);
	if (!ret && r->want_llc) {
		fputs(",\"llc\":", fp);
		ret = dump(json_llc(r), fp);
	}
	if (!ret && r->want_symbols) {
		fputs(",\"symbols\":", fp);
		ret = dump(json_symbols(r), fp);
	}
	if (!ret && r->want_insights) {
		fputs(",\"insights\":", fp);
		ret = dump(json_insights(r), fp);
	}
	fputs(",\"rows\":[", fp);
	for (i = k = 0; i < r->table.nr && !ret; i++) {
		if (report__below_limit(r, r->table.rows[i]))
			continue;
		fputs(k++ ? ",\n" : "\n", fp);
		ret = json__row(r->table.rows[i], r, &buf, fp);
	}
	json_buf__exit(&buf);
	if (ret) /* cut short, and to be seen as such */
		return ret;
	return fputs("\n]}\n", fp) == EOF ? -EIO : 0;
}
