// SPDX-License-Identifier: GPL-2.0
/* json-symbols: "symbols" of report --by symbol --json (Documentation/migstat-json.md). */
#include "json-int.h"
#include "report.h"
#include "stdio-int.h"

static json_t *json_name(const struct report *r, uint32_t id)
{
	const char *name = strtab__name(&r->session->names, id);

	return *name ? json_text(name) : json_null();
}

static json_t *json_sides(const uint64_t *n)
{
	return json_pack("{s:o, s:o, s:o}", "moved", json_u64(n[MIG_MOVED]), "stayed",
			 json_u64(n[MIG_STAYED]), "unknown", json_u64(n[MIG_MOVED_UNKNOWN]));
}

static json_t *json_moved_by(const uint64_t *n)
{
	json_t *o = json_object();

	for (int i = 0; i <= MIG_NR_CLASS; i++)
		if (n[i])
			json_object_set_new(o,
					    i < MIG_NR_CLASS
						    ? mig_class__name((enum mig_cause_class)i)
						    : "unknown",
					    json_u64(n[i]));
	return o;
}

json_t *json_symbols(const struct report *r)
{
	const struct miss_symbols *m = &r->symbols;
	json_t *a = json_array(), *none = json_array();

	for (uint32_t i = 0; i < m->nr; i++)
		json_array_append_new(a, json_pack("{s:o, s:o, s:o, s:o, s:o}", "function",
						   json_name(r, m->symbol[i].function), "in",
						   json_name(r, m->symbol[i].object), "misses",
						   json_sides(m->symbol[i].misses), "samples",
						   json_sides(m->symbol[i].samples), "moved_by",
						   json_moved_by(m->symbol[i].moved_by)));
	for (uint32_t i = 0; i < m->nr_unknown; i++)
		json_array_append_new(none, json_pack("{s:o, s:o, s:o}", "file",
						      json_name(r, m->unknown[i].object), "why",
						      json_name(r, m->unknown[i].why), "samples",
						      json_u64(m->unknown[i].samples)));
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "run_moved_ns",
			 json_u64(stdio__symbols_run(r, MIG_SIDE_MOVED)), "run_stayed_ns",
			 json_u64(stdio__symbols_run(r, MIG_SIDE_STAYED)), "misses",
			 json_sides(m->misses), "functions", a, "without_symbols", none);
}
