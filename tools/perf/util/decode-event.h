/* SPDX-License-Identifier: GPL-2.0 */
/*
 * decode-event: the layout of one event, resolved once: where in a sample each word stands, where
 * in the tracepoint's payload each field stands. Internal to decode*.c.
 */
#ifndef MIG_DECODE_EVENT_H
#define MIG_DECODE_EVENT_H

#include "decode.h"

#define DECODE_MAX_FIELDS 5
#define DECODE_MAX_STATE  4096 /* the bit of '+' is up to 2048 before 4.14, 256 since */
#define DECODE_NOT_PLAIN  UINT32_MAX
#define DECODE_MAX_COMMS  2

struct decode_field {
	uint16_t offset, size; /* size 0 = absent */
	bool is_signed;
};

enum decode_comm_kind {
	DECODE_COMM_NONE,
	DECODE_COMM_ARRAY,
	DECODE_COMM_DATA_LOC,
	DECODE_COMM_REL_LOC
};

struct decode_comm {
	uint16_t offset, size;
	uint8_t kind; /* enum decode_comm_kind */
};

struct decode_event {
	char *name;
	uint8_t type; /* enum mig_event_type, NONE = not ours */
	uint8_t add_flags;
	bool is_dup; /* a second event on the same tracepoint: counted, not decoded */
	uint8_t counter;
	/* sample layout; offsets from the record's start, 0 = absent */
	uint16_t off_ip, off_tid, off_time, off_cpu, off_period, off_var;
	bool has_read, has_chain, has_raw;
	bool has_cgroup; /* the last word of the sample */
	uint64_t read_format, fixed_period;
	uint8_t group_slot[MIG_MAX_COUNTERS + 1]; /* member position -> counter, 0xff = none */
	bool group_resolved;
	/* payload layout */
	struct decode_field flags, field[DECODE_MAX_FIELDS];
	struct decode_comm comm[DECODE_MAX_COMMS];
	uint64_t preempted_mask, dead_mask, disk_mask, state_mask;
	uint8_t state_of[DECODE_MAX_STATE]; /* enum mig_state of prev_state's report bits */
	/*
	 * The layout of nearly all recordings: this machine's byte order, fields of 4 bytes
	 * (prev_state 4 or 8), comms char[16], flags 1 byte. Then one check of the payload's size
	 * (min_raw) does for all loads.
	 */
	bool plain;
	bool fixed; /* .. and at the offsets of 64-bit kernels from 4.14 to at least 6.18 */
	/* .. and without has_tail: where decode-plain.h jumps to; 0 = none of these */
	enum { DECODE_FIXED_NOT, DECODE_FIXED_SWITCH, DECODE_FIXED_WAKE } straight;
	uint16_t min_raw;
	/*
	 * .. and tid, time and CPU stand before it, nothing of variable length: smallest record
	 * that decode__plain_sample() may take, DECODE_NOT_PLAIN = none.
	 */
	uint32_t min_size;
	bool has_tail; /* a read or a chain of variable length stands before the payload */
	uint16_t index;
	uint64_t nr_samples, nr_bad; /* nr_bad: did not fit the format */
};

struct perfdata_event;

/* Fills de for the perfdata event ev; takes the payload layout from tep. */
int decode_event__resolve(struct decode *dec, struct decode_event *de,
			  const struct perfdata_event *ev);
void decode_event__exit(struct decode_event *de);
void decode_event__free_counters(struct mig_counters *cs);
/* Does anything here read this tracepoint? */
bool decode_event__wants(const char *system, const char *name);
/* decode-format.c: hands the formats that are wanted to libtraceevent, once. -ENOMEM. */
int decode_event__take_formats(struct decode *dec);
/*
 * Maps the members of a group read to counters, from the ids of the first read: nr entries, the
 * id of entry i at ids + i * stride. -ENOMEM.
 */
int decode_event__resolve_group(struct decode *dec, struct decode_event *de, const uint8_t *ids,
				size_t stride, unsigned nr, bool swap);
/* prev_state masks from sched_switch's print format text. */
void decode_event__parse_states(struct decode_event *de, const char *text, size_t size);

#endif
