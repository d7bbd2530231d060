/* SPDX-License-Identifier: GPL-2.0 */
/*
 * decode: raw record -> struct mig_event. The only user of libtraceevent.
 *
 * Field offsets are resolved once per event from the formats inside the recording (they differ by
 * kernel: comm became __data_loc in sched_migrate_task with 6.16, prev_state is 4 bytes on 32 bit,
 * PREEMPT_RT adds common fields); per record only loads at known offsets remain.
 */
#ifndef MIG_DECODE_H
#define MIG_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "chain.h"
#include "strtab.h"

struct cgroup_map;
struct mig_err;
struct perfdata;
struct perf_rec;
struct tep_handle;

enum mig_event_type {
	MIG_EV_NONE,
	MIG_EV_SWITCH,
	MIG_EV_WAKING,
	MIG_EV_WAKEUP,
	MIG_EV_WAKEUP_NEW,
	MIG_EV_MIGRATE,
	MIG_EV_FORK,
	MIG_EV_EXEC,
	MIG_EV_EXIT,
	MIG_EV_NUMA, /* sched_move_numa, sched_swap_numa */
	MIG_EV_SOFTIRQ, /* SCHED softirq entry or exit */
	MIG_EV_SETAFFINITY, /* sched_setaffinity system call, enter or exit */
	/* what a run delay is made of; only read where decode.anatomy says so */
	MIG_EV_IPI_SEND,
	MIG_EV_IPI_RESCHED, /* the interrupt of smp_send_reschedule() has arrived */
	MIG_EV_IPI_CALL, /* .. of send_call_function_single_ipi() */
	MIG_EV_IDLE, /* power:cpu_idle */
	MIG_EV_NR_TP,
	MIG_EV_SAMPLE = MIG_EV_NR_TP, /* a sample of a counter that is no tracepoint */
	MIG_EV_COMM, /* PERF_RECORD_COMM */
	MIG_EV_TASK, /* PERF_RECORD_FORK: who belongs to which process */
	MIG_EV_LOST, /* PERF_RECORD_LOST */
	MIG_NR_EV,
};

/* common_flags of a tracepoint (include/linux/trace_events.h: TRACE_FLAG_HARDIRQ, ..), and ours */
#define MIG_EVF_ENTER   0x01U /* MIG_EV_SOFTIRQ, MIG_EV_SETAFFINITY: entry; MIG_EV_IDLE: exit */
#define MIG_EVF_SWAP    0x02U /* MIG_EV_NUMA: sched_swap_numa */
#define MIG_EVF_CALL    0x01U /* MIG_EV_IPI_SEND: for a function, not for the scheduler */
#define MIG_EVF_GAP     0x04U /* a sched_wakeup before it on this CPU was left out */
#define MIG_EVF_HARDIRQ 0x08U
#define MIG_EVF_SOFTIRQ 0x10U
#define MIG_EVF_NMI     0x40U
#define MIG_EVF_COMMON  (MIG_EVF_HARDIRQ | MIG_EVF_SOFTIRQ | MIG_EVF_NMI)

/* how a task left the CPU (sched_switch prev_state) */
enum mig_state {
	MIG_STATE_RUNNABLE, /* R: yield */
	MIG_STATE_PREEMPTED, /* R+ */
	MIG_STATE_SLEEP, /* S, I, T, t, P */
	MIG_STATE_DISK, /* D */
	MIG_STATE_DEAD, /* X, Z */
};

/* One event, by value; 56 bytes. Names are strtab ids, times ns of the recording's clock. */
struct mig_event {
	uint64_t time; /* 0 = at once, before everything (synthesized records) */
	uint32_t reads; /* MIG_EV_SWITCH: handle of the group read + 1, 0 = none (decode__reads) */
	uint32_t chain; /* chain_table id, 0 = none */
	uint16_t cpu; /* MIG_NO_CPU = unknown */
	uint16_t event; /* index of the perfdata event */
	uint8_t type; /* enum mig_event_type */
	uint8_t flags; /* MIG_EVF_* */
	uint16_t cgroup; /* of the current task, where decode.cgroups is set: cgroup_map number */
	int32_t pid; /* of the sample: process; -1 = unknown or exiting */
	int32_t tid; /* of the sample: current task; -1 = unknown or exiting */
	union {
		struct {
			int32_t prev_tid, next_tid;
			uint32_t prev_comm, next_comm;
			int16_t prev_prio, next_prio;
			uint8_t prev_state; /* enum mig_state */
		} sw;
		struct {
			int32_t tid;
			uint32_t comm;
			int32_t target_cpu;
			int16_t prio;
		} wake; /* waking, wakeup, wakeup_new */
		struct {
			int32_t tid;
			uint32_t comm;
			int32_t orig_cpu, dest_cpu;
			int16_t prio;
		} mig;
		struct {
			int32_t parent_tid, child_tid;
			uint32_t parent_comm, child_comm;
		} fork;
		struct {
			int32_t tid, tid2; /* exec, exit: tid; numa: both partners (tid2 -1 = none)
					    */
			uint32_t comm;
		} task; /* exec, exit, numa, COMM (pid in .pid) */
		struct {
			int32_t cpu;
		} ipi; /* MIG_EV_IPI_SEND */
		struct {
			int32_t tid, pid, ppid, ptid;
		} rel; /* MIG_EV_TASK */
		struct {
			uint64_t period;
			uint64_t addr; /* IP, 0 = none */
			uint8_t counter; /* index into decode.sampled */
		} sample;
		struct {
			uint64_t lost;
			uint64_t left_out; /* time of a sched_wakeup before it on this CPU that was
					      left out, 0 = none */
		} lost;
	};
};

#define MIG_NO_CPU 0xffff

#define MIG_MAX_COUNTERS 8 /* members of sched_switch's group; and as many sampled ones */

/* One group read. Values are cumulative per CPU since the group was enabled. */
struct mig_reads {
	uint64_t enabled, running; /* 0, 0 = not recorded */
	uint64_t id; /* of the leader: another one = another counter */
	uint64_t value[MIG_MAX_COUNTERS]; /* by counter, without the leader */
	uint32_t next_free;
};

struct mig_counter {
	char *name; /* "cache-misses", "page-faults", "cpu-migrations", without our modifiers */
	int event; /* perfdata event */
	bool software; /* counted by the kernel, never multiplexed */
	bool is_work; /* cycles, instructions, branches: what a profile samples, no misses */
	bool is_migrations; /* the cpu-migrations software counter */
	bool no_lines; /* known to count something else than cache lines that miss */
	/*
	 * Machines with two kinds of CPU have a PMU for each, and so an event for each: first is
	 * the first counter of the same event (often itself), pmu_event its name without the PMU
	 * (NULL where one PMU has it).
	 */
	unsigned first;
	char *pmu_event;
};

struct mig_counters {
	unsigned nr;
	bool is_group; /* of sched_switch's group, not sampled */
	struct mig_counter c[MIG_MAX_COUNTERS];
};

struct decode_comm_slot { /* 32 bytes, so that it is found by a shift */
	uint64_t lo, hi;
	uint32_t id; /* 0 = empty */
	uint32_t pad[3];
};

struct decode_event; /* decode.c: one event's layout */

/* An event by sample id. */
struct decode_id_slot {
	uint64_t id;
	struct decode_event *de;
	uint32_t min_size; /* of a sample for decode-plain.h; DECODE_NOT_PLAIN = none, and unused */
	uint32_t pad[3];
};

#define DECODE_NR_IDS          512
#define DECODE_COMM_CACHE_BITS 12
#define DECODE_NR_OWNERS       512

struct decode {
	struct perfdata *pd; /* borrowed */
	struct tep_handle *tep;
	struct strtab *names; /* borrowed: comms */
	struct chain_table *chains; /* borrowed */
	struct cgroup_map *cgroups; /* borrowed; NULL = cgroups are of no interest */
	struct mmaps *mmaps; /* the same of files in memory; may be set after init */
	struct chain_table *miss_chains; /* of samples of counters, with user space; the same */
	struct decode_event *events;
	unsigned nr_events;
	bool formats_taken, swap;
	struct mig_counters group; /* members of sched_switch's group */
	struct mig_counters sampled;
	struct mig_reads *reads;
	uint32_t nr_reads, max_reads, free_reads; /* free_reads: handle + 1 */
	struct decode_comm_slot *comm_cache; /* by their bytes */
	struct decode_comm_slot comm_of[DECODE_NR_OWNERS]; /* the last ones, by tid */
	/* events by sample id, the most recent ones: nearly every sample is found here */
	struct decode_id_slot id_cache[DECODE_NR_IDS];
	unsigned id_off;
	uint64_t nr_samples, nr_records;
	uint64_t lost_records, lost_samples;
	uint64_t undecoded; /* samples of scheduler events that could not be decoded */
	uint64_t no_cpu; /* scheduler events without a CPU */
	bool anatomy; /* read MIG_EV_IPI_SEND to MIG_EV_IDLE, too */
	bool seen[MIG_NR_EV]; /* the recording has this event */
	char foreign_counter[64]; /* a counter in a group that sched_switch does not lead */
	bool no_formats; /* tracepoints, but no formats */
	char bad_event[64]; /* a scheduler event whose format lacks a field we need; "" = none */
};

/* All are borrowed; cgroups: NULL = of no interest. -ENOMEM, -EINVAL. */
int decode__init(struct decode *dec, struct perfdata *pd, struct strtab *names,
		 struct chain_table *chains, struct cgroup_map *cgroups, struct mig_err *err);
void decode__exit(struct decode *dec);

/* 1 = *ret_ev is set; 0 = not ours, or a record that could not be decoded (counted). -ENOMEM. */
int decode__record(struct decode *dec, const struct perf_rec *rec, struct mig_event *ret_ev);

/*
 * Takes in events that the header (or the pipe so far) declares, so that seen[], counters and
 * errors are known before the first sample. decode__record() does it itself when new ones appear.
 */
int decode__take_events(struct decode *dec);

/* At the end: an event of which no sample could be decoded was not seen (null, not 0). */
void decode__forget_unreadable(struct decode *dec);

/* The group read of a switch; valid until decode__put_reads() or the next decode__record(). */
static inline const struct mig_reads *decode__reads(const struct decode *dec,
						    const struct mig_event *ev)
{
	return ev->reads ? &dec->reads[ev->reads - 1] : NULL;
}

static inline void decode__put_reads(struct decode *dec, const struct mig_event *ev)
{
	if (ev->reads) {
		dec->reads[ev->reads - 1].next_free = dec->free_reads;
		dec->free_reads = ev->reads;
	}
}

/* "sched:sched_switch" of a perfdata event; "unknown" if neither header nor formats name it. */
const char *decode__event_name(const struct decode *dec, unsigned event);
uint64_t decode__event_samples(const struct decode *dec, unsigned event);

#endif
