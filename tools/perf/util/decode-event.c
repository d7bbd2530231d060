// SPDX-License-Identifier: GPL-2.0
/*
 * decode-event: resolves the layout of one event (see decode-event.h). Runs once per event, so it
 * may ask libtraceevent and compare strings.
 */
#include "decode-event.h"
#include "decode-plain.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <traceevent/event-parse.h>

#include "perfdata.h"

/*
 * The tracepoints we read, with the fields that the union in struct mig_event needs, in the order
 * decode.c expects. "a|b" = either name; a leading '?' = may be absent.
 */
static const struct tp_desc {
	const char *system, *name;
	uint8_t type, add_flags;
	const char *field[DECODE_MAX_FIELDS];
	const char *comm[DECODE_MAX_COMMS];
} tp_desc[] = {
	{ "sched",
	  "sched_switch",
	  MIG_EV_SWITCH,
	  0,
	  { "prev_pid", "next_pid", "prev_state", "?prev_prio", "?next_prio" },
	  { "prev_comm", "next_comm" } },
	{ "sched",
	  "sched_waking",
	  MIG_EV_WAKING,
	  0,
	  { "pid", "target_cpu", "?prio", "?success" },
	  { "comm" } },
	{ "sched",
	  "sched_wakeup",
	  MIG_EV_WAKEUP,
	  0,
	  { "pid", "target_cpu", "?prio", "?success" },
	  { "comm" } },
	{ "sched",
	  "sched_wakeup_new",
	  MIG_EV_WAKEUP_NEW,
	  0,
	  { "pid", "target_cpu", "?prio", "?success" },
	  { "comm" } },
	{ "sched",
	  "sched_migrate_task",
	  MIG_EV_MIGRATE,
	  0,
	  { "pid", "orig_cpu", "dest_cpu", "?prio" },
	  { "comm" } },
	{ "sched",
	  "sched_process_fork",
	  MIG_EV_FORK,
	  0,
	  { "parent_pid", "child_pid" },
	  { "parent_comm", "child_comm" } },
	{ "sched", "sched_process_exec", MIG_EV_EXEC, 0, { "pid" }, { NULL } },
	{ "sched", "sched_process_exit", MIG_EV_EXIT, 0, { "pid" }, { "comm" } },
	{ "sched", "sched_move_numa", MIG_EV_NUMA, 0, { "pid|src_pid", "?dst_pid" }, { NULL } },
	{ "sched",
	  "sched_swap_numa",
	  MIG_EV_NUMA,
	  MIG_EVF_SWAP,
	  { "src_pid|pid", "?dst_pid" },
	  { NULL } },
	{ "irq", "softirq_entry", MIG_EV_SOFTIRQ, MIG_EVF_ENTER, { "vec" }, { NULL } },
	{ "irq", "softirq_exit", MIG_EV_SOFTIRQ, 0, { "vec" }, { NULL } },
	{ "syscalls",
	  "sys_enter_sched_setaffinity",
	  MIG_EV_SETAFFINITY,
	  MIG_EVF_ENTER,
	  { NULL },
	  { NULL } },
	{ "syscalls", "sys_exit_sched_setaffinity", MIG_EV_SETAFFINITY, 0, { NULL }, { NULL } },
	{ "ipi", "ipi_send_cpu", MIG_EV_IPI_SEND, 0, { "cpu", "callback" }, { NULL } },
	{ "irq_vectors", "reschedule_entry", MIG_EV_IPI_RESCHED, 0, { NULL }, { NULL } },
	{ "irq_vectors", "call_function_single_entry", MIG_EV_IPI_CALL, 0, { NULL }, { NULL } },
	{ "power", "cpu_idle", MIG_EV_IDLE, 0, { "state" }, { NULL } },
};

static const struct tp_desc *tp_desc__find(const char *system, const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(tp_desc) / sizeof(tp_desc[0]); i++)
		if (!strcmp(tp_desc[i].system, system) && !strcmp(tp_desc[i].name, name))
			return &tp_desc[i];
	return NULL;
}

bool decode_event__wants(const char *system, const char *name)
{
	return tp_desc__find(system, name);
}

static struct tep_format_field *find_field(struct tep_event *te, const char *names)
{
	struct tep_format_field *field;
	char buf[64], *save = NULL, *name;

	snprintf(buf, sizeof(buf), "%s", names);
	for (name = strtok_r(buf, "|", &save); name; name = strtok_r(NULL, "|", &save)) {
		field = tep_find_any_field(te, name);
		if (field)
			return field;
	}
	return NULL;
}

static bool resolve_field(struct decode_field *df, const struct tep_format_field *field)
{
	if (field->offset < 0 || field->offset > 0xff00 ||
	    (field->size != 1 && field->size != 2 && field->size != 4 && field->size != 8))
		return false;
	df->offset = (uint16_t)field->offset;
	df->size = (uint16_t)field->size;
	df->is_signed = field->flags & TEP_FIELD_IS_SIGNED;
	return true;
}

static bool resolve_comm(struct decode_comm *dc, const struct tep_format_field *field)
{
	if (field->offset < 0 || field->offset > 0xff00 || field->size <= 0 || field->size > 256)
		return false;
	dc->offset = (uint16_t)field->offset;
	dc->size = (uint16_t)field->size;
	dc->kind = DECODE_COMM_ARRAY;
	if (field->flags & TEP_FIELD_IS_DYNAMIC)
		dc->kind = field->flags & TEP_FIELD_IS_RELATIVE ? DECODE_COMM_REL_LOC
								: DECODE_COMM_DATA_LOC;
	return true;
}

/*
 * The letters stand in the print format as { 0x0001, "S" }; '+' (preempted) is the bit above the
 * highest of them (TASK_REPORT_MAX), 0x100 on 4.14 and later, 1024 before. Bits differ by kernel:
 * X and Z changed places, so nothing is assumed here.
 */
static uint8_t decode_state(const struct decode_event *de, uint64_t state)
{
	if (state & de->preempted_mask)
		return MIG_STATE_PREEMPTED;
	state &= de->state_mask;
	if (state & de->dead_mask)
		return MIG_STATE_DEAD;
	if (state & de->disk_mask)
		return MIG_STATE_DISK;
	return state ? MIG_STATE_SLEEP : MIG_STATE_RUNNABLE;
}

void decode_event__parse_states(struct decode_event *de, const char *text, size_t size)
{
	uint64_t state;
	const char *p = text, *end = text + size;
	uint64_t top = 0;

	de->preempted_mask = de->dead_mask = de->disk_mask = 0;
	while ((p = memchr(p, '{', (size_t)(end - p)))) {
		unsigned long long bit;
		char letter[4], buf[48];
		size_t n = (size_t)(end - p) < sizeof(buf) - 1 ? (size_t)(end - p)
							       : sizeof(buf) - 1;

		memcpy(buf, p, n);
		buf[n] = '\0';
		p++;
		if (sscanf(buf, "{ %lli , \"%1[A-Za-z]\" }", (long long *)&bit, letter) != 2)
			continue;
		if (bit > top)
			top = bit;
		if (letter[0] == 'X' || letter[0] == 'Z' || letter[0] == 'x') /* x: before 4.14 */
			de->dead_mask |= bit;
		else if (letter[0] == 'D')
			de->disk_mask |= bit;
	}
	if (!top) { /* no letters in the format: the values of 4.14 and later */
		top = 0x80;
		de->dead_mask = 0x30;
		de->disk_mask = 0x02;
	}
	de->preempted_mask = top << 1;
	de->state_mask = (top << 1) - 1;
	for (state = 0; state < DECODE_MAX_STATE; state++)
		de->state_of[state] = decode_state(de, state);
}

/* The offsets that decode-plain.h knows as constants. */
static bool is_fixed(const struct decode_event *de)
{
	const struct decode_field *f = de->field;

	if (de->flags.offset != FIXED_FLAGS || de->comm[0].offset != FIXED_COMM)
		return false;
	if (de->type != MIG_EV_SWITCH)
		return f[0].offset == FIXED_TID && f[1].offset == FIXED_TARGET_CPU &&
		       f[2].offset == FIXED_PRIO;
	return f[0].offset == FIXED_TID && f[1].offset == FIXED_NEXT_TID &&
	       f[2].offset == FIXED_STATE && f[2].size == 8 && f[3].offset == FIXED_PRIO &&
	       f[4].offset == FIXED_NEXT_PRIO && de->comm[1].offset == FIXED_NEXT_COMM;
}

static void set_plain(const struct decode *dec, struct decode_event *de, const struct tp_desc *d)
{
	unsigned end = de->flags.offset + 1U;
	bool plain = !dec->swap && de->flags.size == 1;
	int i;

	for (i = 0; i < DECODE_MAX_FIELDS && d->field[i]; i++) {
		const struct decode_field *f = &de->field[i];
		bool is_state = de->type == MIG_EV_SWITCH && i == 2;

		if (!strcmp(d->field[i], "?success")) {
			plain &= !f->size; /* old kernels only */
			continue;
		}
		plain &= f->size == 4 || (is_state && f->size == 8);
		if (f->offset + f->size > (int)end)
			end = (unsigned)f->offset + f->size;
	}
	for (i = 0; i < DECODE_MAX_COMMS && d->comm[i]; i++) {
		plain &= de->comm[i].kind == DECODE_COMM_ARRAY && de->comm[i].size == 16;
		if (de->comm[i].offset + 16U > end)
			end = de->comm[i].offset + 16U;
	}
	de->plain = plain && (de->type == MIG_EV_SWITCH || de->type == MIG_EV_WAKING ||
			      de->type == MIG_EV_WAKEUP || de->type == MIG_EV_WAKEUP_NEW);
	de->min_raw = (uint16_t)end;
	de->has_tail = de->has_read || de->has_chain;
	/* the plain path does not look at the cgroup, which stands behind all else */
	if (de->plain && de->off_tid && de->off_time && de->off_cpu && de->has_raw && !dec->cgroups)
		de->min_size = de->off_var + 4U + de->min_raw;
	de->fixed = de->plain && is_fixed(de);
	if (de->fixed && !de->has_tail)
		de->straight = de->type == MIG_EV_SWITCH ? DECODE_FIXED_SWITCH : DECODE_FIXED_WAKE;
}

static int resolve_payload(struct decode *dec, struct decode_event *de, struct tep_event *te,
			   const struct tp_desc *d)
{
	struct tep_format_field *field;
	int i;

	field = tep_find_common_field(te, "common_flags");
	if (field)
		resolve_field(&de->flags, field);
	for (i = 0; i < DECODE_MAX_FIELDS && d->field[i]; i++) {
		bool optional = d->field[i][0] == '?';

		field = find_field(te, d->field[i] + optional);
		if (field ? !resolve_field(&de->field[i], field) : !optional)
			goto bad;
	}
	for (i = 0; i < DECODE_MAX_COMMS && d->comm[i]; i++) {
		field = find_field(te, d->comm[i]);
		if (field)
			resolve_comm(&de->comm[i], field);
	}
	de->type = d->type;
	de->add_flags = d->add_flags;
	set_plain(dec, de, d);
	return 0;
bad:
	snprintf(dec->bad_event, sizeof(dec->bad_event), "%s: field %s", de->name, d->field[i]);
	return 0;
}

static void resolve_states(struct decode *dec, struct decode_event *de, const char *name)
{
	const struct perfdata_format *f;
	size_t n, i;
	char head[80];
	int len = snprintf(head, sizeof(head), "name: %s\n", name);

	f = perfdata__formats(dec->pd, &n);
	for (i = 0; i < n; i++)
		if (f[i].size > (size_t)len && !memcmp(f[i].text, head, (size_t)len))
			decode_event__parse_states(de, f[i].text, f[i].size);
}

static void resolve_tracepoint(struct decode *dec, struct decode_event *de,
			       const struct perfdata_event *ev)
{
	const struct tp_desc *d;
	struct tep_event *te = tep_find_event(dec->tep, (int)ev->config);
	char name[128];
	unsigned i;

	if (te) {
		snprintf(name, sizeof(name), "%s:%s", te->system, te->name);
		free(de->name);
		de->name = strdup(name);
	}
	if (!te || !de->name) {
		size_t n;

		perfdata__formats(dec->pd, &n);
		if (!n)
			dec->no_formats = true;
		return;
	}
	d = tp_desc__find(te->system, te->name);
	if (!d)
		return;
	resolve_payload(dec, de, te, d);
	if (de->type == MIG_EV_SWITCH)
		resolve_states(dec, de, te->name);
	/*
	 * The same tracepoint recorded twice is one event. Two sched_switch events are both read:
	 * one may carry the group's counters, and the model drops the twin (sched-model.c).
	 */
	for (i = 0; i < dec->nr_events; i++)
		if (&dec->events[i] != de && dec->events[i].type == de->type &&
		    dec->events[i].add_flags == de->add_flags && de->type != MIG_EV_SWITCH &&
		    dec->events[i].name && !strcmp(dec->events[i].name, de->name))
			de->is_dup = true;
	if (de->is_dup)
		de->min_size = DECODE_NOT_PLAIN;
	if (de->type)
		dec->seen[de->type] = true;
}

/* Strips what a recording by us adds to the names of counters. */
static void strip_modifiers(char *name)
{
	static const char *const ours[] = { "/call-graph=no/", ",call-graph=no", "call-graph=no," };
	size_t i, len;
	char *p;

	for (i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
		p = strstr(name, ours[i]);
		if (!p)
			continue;
		len = strlen(ours[i]);
		memmove(p, p + len, strlen(p + len) + 1);
	}
	/* .. and of record -g; "page-faults/period=1/" of --miss-sample=1 */
	p = strstr(name, ",call-graph=fp/");
	if (p)
		memmove(p, p + 14, strlen(p + 14) + 1);
	p = strstr(name, "/period=");
	if (p && p[8 + strspn(p + 8, "0123456789")] == '/' && !p[9 + strspn(p + 8, "0123456789")])
		*p = '\0';
}

static const char *counter_name(const struct perfdata_event *ev, char *buf, size_t size)
{
	static const char *const hw[] = { "cycles",       "instructions", "cache-references",
					  "cache-misses", "branches",     "branch-misses" };
	static const char *const sw[] = { "cpu-clock",        "task-clock",     "page-faults",
					  "context-switches", "cpu-migrations", "minor-faults",
					  "major-faults" };

	if (ev->name)
		snprintf(buf, size, "%s", ev->name);
	else if (ev->type == PERF_AT_HARDWARE && ev->config < sizeof(hw) / sizeof(hw[0]))
		snprintf(buf, size, "%s", hw[ev->config]);
	else if (ev->type == PERF_AT_SOFTWARE && ev->config < sizeof(sw) / sizeof(sw[0]))
		snprintf(buf, size, "%s", sw[ev->config]);
	else
		snprintf(buf, size, "event-%u-%llx", ev->type, (unsigned long long)ev->config);
	strip_modifiers(buf);
	return buf;
}

/* PERF_COUNT_SW_CPU_MIGRATIONS */
static bool is_migrations(const struct perfdata_event *ev)
{
	return ev->type == PERF_AT_SOFTWARE && ev->config == 4;
}

/* Software events that count no misses: clocks, context switches, dummy, bpf-output, cgroup. */
static bool is_no_counter(const struct perfdata_event *ev)
{
	if (ev->type != PERF_AT_SOFTWARE)
		return ev->type >= PERF_AT_HW_CACHE + 2 && ev->name &&
		       (strstr(ev->name, "dummy") || strstr(ev->name, "_pt/") ||
			strstr(ev->name, "cs_etm"));
	return ev->config <= 1 || ev->config == 3 || ev->config >= 9;
}

/* PERF_COUNT_HW_CPU_CYCLES 0, INSTRUCTIONS 1, BRANCH_INSTRUCTIONS 4, BUS_CYCLES 6, REF_CPU_CYCLES 9
 */
static bool is_work(const struct perfdata_event *ev)
{
	return ev->type == PERF_AT_HARDWARE &&
	       (ev->config <= 1 || ev->config == 4 || ev->config == 6 || ev->config == 9);
}

/*
 * What an event counts has no price for each line: all but PERF_COUNT_HW_CACHE_MISSES 3 and misses
 * (result 1) of the caches L1D 0, LL 2 and NODE 6; of events of a PMU's own that cannot be told.
 */
static bool has_no_lines(const struct perfdata_event *ev)
{
	unsigned cache = ev->config & 0xff, result = ev->config >> 16 & 0xff;

	if (ev->type == PERF_AT_HARDWARE)
		return ev->config != 3;
	if (ev->type == PERF_AT_HW_CACHE)
		return result != 1 || (cache && cache != 2 && cache != 6);
	return ev->type == PERF_AT_SOFTWARE;
}

/* "cache-misses" of "cpu_atom/cache-misses,period=1/u": its length; 0 = no event of a named PMU. */
static size_t pmu_event(const char *name, const char **ret_event)
{
	const char *slash = strchr(name, '/');

	*ret_event = slash ? slash + 1 : name;
	return slash && slash > name ? strcspn(*ret_event, "/,") : 0;
}

/* Finds the counter of the same event on another PMU. */
static int find_twin(struct mig_counters *cs, unsigned idx)
{
	const char *a, *b;
	size_t len = pmu_event(cs->c[idx].name, &a);
	unsigned i;

	cs->c[idx].first = idx;
	for (i = 0; len && i < idx; i++) {
		struct mig_counter *c = &cs->c[i];

		if (pmu_event(c->name, &b) != len || memcmp(a, b, len))
			continue;
		cs->c[idx].first = c->first;
		c = &cs->c[c->first];
		if (!c->pmu_event)
			c->pmu_event = strndup(a, len);
		return c->pmu_event ? 0 : -ENOMEM;
	}
	return 0;
}

static int add_counter(struct mig_counters *cs, const struct perfdata_event *ev, int idx)
{
	char buf[128];
	struct mig_counter *c;

	if (cs->nr == MIG_MAX_COUNTERS)
		return -ENOSPC;
	c = &cs->c[cs->nr];
	c->name = strdup(counter_name(ev, buf, sizeof(buf)));
	if (!c->name)
		return -ENOMEM;
	c->event = idx;
	c->software = ev->type == PERF_AT_SOFTWARE;
	c->is_work = is_work(ev);
	c->is_migrations = is_migrations(ev);
	c->no_lines = has_no_lines(ev);
	cs->nr++;
	return find_twin(cs, cs->nr - 1) ? -ENOMEM : (int)cs->nr - 1;
}

/* Two attrs of one name (several CPUs' events opened apart, or -e X -e X) are one counter. */
static int find_counter(const struct mig_counters *cs, const struct perfdata_event *ev)
{
	char buf[128];
	unsigned i;

	counter_name(ev, buf, sizeof(buf));
	for (i = 0; i < cs->nr; i++)
		if (!strcmp(cs->c[i].name, buf))
			return (int)i;
	return -1;
}

static int resolve_sample(struct decode_event *de, const struct perfdata_event *ev)
{
	uint64_t st = ev->sample_type;
	uint16_t off = 8;

#define WORD(bit, where)                           \
	do {                                       \
		if (st & (bit)) {                  \
			where;                     \
			off = (uint16_t)(off + 8); \
		}                                  \
	} while (0)
	/* the order of perf_output_sample(), not the one of the uapi header's comment */
	WORD(PERF_ST_IDENTIFIER, (void)0);
	WORD(PERF_ST_IP, de->off_ip = off);
	WORD(PERF_ST_TID, de->off_tid = off);
	WORD(PERF_ST_TIME, de->off_time = off);
	WORD(PERF_ST_ADDR, (void)0);
	WORD(PERF_ST_ID, (void)0);
	WORD(PERF_ST_STREAM_ID, (void)0);
	WORD(PERF_ST_CPU, de->off_cpu = off);
	WORD(PERF_ST_PERIOD, de->off_period = off);
#undef WORD
	de->off_var = off;
	de->has_read = st & PERF_ST_READ;
	de->has_chain = st & PERF_ST_CALLCHAIN;
	de->has_raw = st & PERF_ST_RAW;
	/* PERF_SAMPLE_CGROUP (bit 21); behind it only AUX (20) and the page sizes (22, 23) can
	 * stand */
	de->has_cgroup = st & 1U << 21 && !(st & (1U << 20 | 1U << 22 | 1U << 23));
	de->read_format = ev->read_format;
	de->fixed_period = ev->freq ? 1 : ev->sample_period;
	return 0;
}

/* Attrs stand in the order of the events, a leader before its members. */
static bool led_by_switch(const struct decode *dec, const struct decode_event *de)
{
	unsigned i = de->index;

	while (i--) {
		const struct perfdata_event *ev = perfdata__event(dec->pd, i);

		if (!(ev->read_format & PERF_RF_GROUP))
			return false;
		if (ev->sample_period || ev->freq)
			return dec->events[i].type == MIG_EV_SWITCH;
	}
	return false;
}

int decode_event__resolve(struct decode *dec, struct decode_event *de,
			  const struct perfdata_event *ev)
{
	char buf[128];
	int idx = (int)(de - dec->events), slot;

	de->index = (uint16_t)idx;
	de->min_size = DECODE_NOT_PLAIN;

	de->name = strdup(ev->type == PERF_AT_TRACEPOINT ? (ev->name ? ev->name : "unknown")
							 : counter_name(ev, buf, sizeof(buf)));
	if (!de->name)
		return -ENOMEM;
	resolve_sample(de, ev);
	memset(de->group_slot, 0xff, sizeof(de->group_slot));
	if (ev->type == PERF_AT_TRACEPOINT) {
		resolve_tracepoint(dec, de, ev);
		return 0;
	}
	/* a group member writes no samples of its own, its leader's reads hold it */
	if (ev->read_format & PERF_RF_GROUP && !ev->sample_period && !ev->freq) {
		if (!led_by_switch(dec, de)) {
			snprintf(dec->foreign_counter, sizeof(dec->foreign_counter), "%s",
				 de->name);
			return 0;
		}
		slot = find_counter(&dec->group, ev);
		if (slot < 0)
			slot = add_counter(&dec->group, ev, idx);
		return slot == -ENOMEM ? slot : 0;
	}
	if (is_no_counter(ev))
		return 0;
	slot = find_counter(&dec->sampled, ev);
	if (slot < 0)
		slot = add_counter(&dec->sampled, ev, idx);
	if (slot < 0)
		return slot == -ENOMEM ? slot : 0;
	de->type = MIG_EV_SAMPLE;
	de->counter = (uint8_t)slot;
	return 0;
}

int decode_event__resolve_group(struct decode *dec, struct decode_event *de, const uint8_t *ids,
				size_t stride, unsigned nr, bool swap)
{
	unsigned i;

	for (i = 1; i < nr && i <= MIG_MAX_COUNTERS; i++) {
		int idx = perfdata__event_by_id(dec->pd, perf_get64(ids + i * stride, swap));
		const struct perfdata_event *ev;
		int slot;

		if (idx < 0)
			continue;
		ev = perfdata__event(dec->pd, (size_t)idx);
		if (ev->type == PERF_AT_TRACEPOINT)
			continue;
		slot = find_counter(&dec->group, ev);
		if (slot < 0)
			slot = add_counter(&dec->group, ev, idx);
		if (slot == -ENOMEM)
			return slot;
		/* {switch,X,X}: the second drives no counter of its own on some PMUs; keep the
		 * first */
		if (slot >= 0 && !memchr(de->group_slot, slot, i))
			de->group_slot[i] = (uint8_t)slot;
	}
	de->group_resolved = true;
	return 0;
}

void decode_event__exit(struct decode_event *de)
{
	free(de->name);
}

void decode_event__free_counters(struct mig_counters *cs)
{
	for (unsigned i = 0; i < cs->nr; i++) {
		free(cs->c[i].name);
		free(cs->c[i].pmu_event);
	}
}
