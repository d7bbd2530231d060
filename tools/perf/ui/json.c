// SPDX-License-Identifier: GPL-2.0
/*
 * json: the facts of script --json (the report is in json-report.c).
 */
#include "json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json-int.h"
#include "machine.h"
#include "session.h"
#include "utf8.h"

json_t *json_text(const char *s)
{
	char buf[1024];
	size_t n = 0;

	while (*s && n + 4 < sizeof(buf)) {
		size_t len = utf8__len(s);

		memcpy(buf + n, len ? s : "\xef\xbf\xbd", len ? len : 3);
		n += len ? len : 3;
		s += len ? len : 1;
	}
	buf[n] = '\0';
	return json_string(buf);
}

json_t *json_machine(const struct machine *m)
{
	json_t *o = json_object();

	for (size_t i = 0; i < m->nr; i++)
		json_object_set_new(o, m->item[i].name, json_text(m->item[i].text));
	return o;
}

json_t *json_u64(uint64_t v)
{
	/* JSON integers here are signed: what does not fit is not known, MIG_NULL among it */
	return v > INT64_MAX ? json_null() : json_integer((json_int_t)v);
}

json_t *json_finite(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

json_t *json_id(int32_t v)
{
	return v < 0 ? json_null() : json_integer(v);
}

static json_t *json_comm(const struct session *s, uint32_t comm)
{
	return comm ? json_text(strtab__name(&s->names, comm)) : json_null();
}

static json_t *json_name(const char *name)
{
	return strcmp(name, "unknown") ? json_string(name) : json_null();
}

static json_t *json_relation(uint8_t rel)
{
	return rel == MIG_REL_NEAR  ? json_string("near")
	       : rel == MIG_REL_FAR ? json_string("far")
				    : json_null();
}

json_t *json_misses(const struct mig_counters *cs, const uint64_t *misses, bool refused)
{
	json_t *o = json_object();
	unsigned i;

	for (i = 0; i < cs->nr; i++)
		json_object_set_new(o, cs->c[i].name, refused ? json_null() : json_u64(misses[i]));
	return o;
}

static int dump_line(json_t *o, FILE *fp)
{
	int ret = json_dumpf(o, fp, JSON_COMPACT);

	json_decref(o);
	return ret || putc('\n', fp) == EOF ? -EIO : 0;
}

static json_t *json_chain(const struct session *s, uint32_t chain)
{
	const char *names[CHAIN_MAX_DEPTH];
	size_t i, nr = chain_table__names(&s->chains, chain, names, CHAIN_MAX_DEPTH);
	json_t *a = json_array();

	for (i = 0; i < nr; i++)
		json_array_append_new(a, names[i] ? json_text(names[i]) : json_null());
	return a;
}

int json__wakeup(const struct session *s, const struct mig_wakeup *f, bool chain, FILE *fp)
{
	static const char sync[] = { [MIG_SYNC_NO] = 0, [MIG_SYNC_YES] = 1, [MIG_SYNC_UNKNOWN] = 2 };
	static const char partner[] = {
		[MIG_PARTNER_NO] = 0, [MIG_PARTNER_YES] = 1, [MIG_PARTNER_UNKNOWN] = 2
	};
	json_t *o = json_object();

#define TRISTATE(v) ((v) == 2 ? json_null() : json_boolean(v))
	json_object_set_new(o, "type", json_string("wakeup"));
	json_object_set_new(o, "time_ns", json_u64(f->time));
	json_object_set_new(o, "waker_tid", json_id(f->waker_tid));
	json_object_set_new(o, "waker_comm", json_comm(s, f->waker_comm));
	json_object_set_new(o, "wakee_tid", json_id(f->wakee_tid));
	json_object_set_new(o, "wakee_comm", json_comm(s, f->wakee_comm));
	json_object_set_new(o, "context", json_name(mig_context__name(f->context)));
	json_object_set_new(o, "partner", TRISTATE(partner[f->partner]));
	json_object_set_new(o, "waker_cpu", json_id(f->waker_cpu));
	json_object_set_new(o, "prev_cpu", json_id(f->prev_cpu));
	json_object_set_new(o, "cpu", json_id(f->cpu));
	json_object_set_new(o, "run_cpu", json_id(f->run_cpu));
	json_object_set_new(o, "path", json_name(mig_path__name(f->path)));
	json_object_set_new(o, "distance", json_name(mig_distance__name(f->distance)));
	json_object_set_new(o, "relation", json_relation(f->relation));
	json_object_set_new(o, "mechanism", json_string(mig_mechanism__name(f->mechanism)));
	json_object_set_new(o, "sync", TRISTATE(sync[f->sync]));
	json_object_set_new(o, "delay_ns", json_u64(f->delay_ns));
	json_object_set_new(o, "lost_nearby", json_boolean(f->lost_nearby));
	if (chain)
		json_object_set_new(o, "chain", json_chain(s, f->chain));
#undef TRISTATE
	return dump_line(o, fp);
}

int json__migration(const struct session *s, const struct mig_migration *f, FILE *fp)
{
	json_t *o = json_object();

	json_object_set_new(o, "type", json_string("migration"));
	json_object_set_new(o, "time_ns", json_u64(f->time));
	json_object_set_new(o, "tid", json_id(f->tid));
	json_object_set_new(o, "comm", json_comm(s, f->comm));
	json_object_set_new(o, "from", json_id(f->from));
	json_object_set_new(o, "to", json_id(f->to));
	json_object_set_new(o, "cause", json_string(mig_cause__name(f->cause)));
	json_object_set_new(o, "cause_coarse",
			    json_string(mig_class__name(mig_cause__class(f->cause))));
	json_object_set_new(o, "certain", json_boolean(f->certain));
	json_object_set_new(o, "distance", json_name(mig_distance__name(f->distance)));
	json_object_set_new(o, "by_tid", json_id(f->by_tid));
	json_object_set_new(o, "by_comm", json_comm(s, f->by_comm));
	json_object_set_new(o, "queued_ns", json_u64(f->queued_ns));
	json_object_set_new(o, "ran_after_ns", json_u64(f->ran_after_ns));
	json_object_set_new(o, "next_length_ns", json_u64(f->next_length_ns));
	json_object_set_new(o, "next_misses",
			    json_misses(&s->dec.group, f->next_misses,
					sched_model__reads_refused(&s->model)));
	json_object_set_new(o, "lost_nearby", json_boolean(f->lost_nearby));
	return dump_line(o, fp);
}

int json__slice(const struct session *s, const struct mig_slice *f, FILE *fp)
{
	static const char *const began[] = { "unknown", "wakeup", "preempt", "fork" };
	static const char *const end[] = { "unknown", "sleep", "preempt", "exit" };
	json_t *o = json_object();

	json_object_set_new(o, "type", json_string("slice"));
	json_object_set_new(o, "time_ns", json_u64(f->time));
	json_object_set_new(o, "tid", json_id(f->tid));
	json_object_set_new(o, "comm", json_comm(s, f->comm));
	json_object_set_new(o, "cpu", json_id(f->cpu));
	json_object_set_new(o, "length_ns", json_u64(f->length_ns));
	json_object_set_new(o, "wait_ns", json_u64(f->wait_ns));
	json_object_set_new(o, "misses",
			    json_misses(&s->dec.group, f->misses,
					sched_model__reads_refused(&s->model)));
	json_object_set_new(o, "moved",
			    f->moved == MIG_MOVED_UNKNOWN ? json_null()
							  : json_boolean(f->moved == MIG_MOVED));
	json_object_set_new(o, "began", json_name(began[f->began]));
	json_object_set_new(o, "end", json_name(end[f->end]));
	json_object_set_new(o, "start_known", json_boolean(f->start_known));
	json_object_set_new(o, "relation", json_relation(f->wakeup ? f->wakeup->relation : 0));
	json_object_set_new(o, "waker_tid", json_id(f->wakeup ? f->wakeup->waker_tid : -1));
	json_object_set_new(o, "lost_nearby", json_boolean(f->lost_nearby));
	return dump_line(o, fp);
}

int json__fork(const struct session *s, const struct mig_fork *f, FILE *fp)
{
	json_t *o = json_object();

	json_object_set_new(o, "type", json_string("fork"));
	json_object_set_new(o, "time_ns", json_u64(f->time));
	json_object_set_new(o, "parent_tid", json_id(f->parent_tid));
	json_object_set_new(o, "tid", json_id(f->tid));
	json_object_set_new(o, "comm", json_comm(s, f->comm));
	json_object_set_new(o, "from", json_id(f->from));
	json_object_set_new(o, "to", json_id(f->to));
	return dump_line(o, fp);
}
