/* SPDX-License-Identifier: GPL-2.0 */
/*
 * session: the whole chain in one place. Reads a recording to its end and hands the facts of the
 * selection to the caller:
 *
 *	perfdata -> decode -> order -> sched-model -> select -> the caller's mig_fact_ops
 *
 * session__run() is the page to read first.
 */
#ifndef MIG_SESSION_H
#define MIG_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "cgroup.h"
#include "chain.h"
#include "decode.h"
#include "err.h"
#include "facts.h"
#include "mmaps.h"
#include "order.h"
#include "sched-model.h"
#include "select.h"
#include "strtab.h"
#include "topo.h"

struct perfdata;
struct perfdata_env;
struct symtab;

/* A selection within the selection, forms as those of the options; NULL = not given. */
struct session_zoom {
	const char *time; /* no percentages */
	const char *comms, *tids, *cpus;
	const char *row; /* a row of pairs, see select__row() */
	bool open_irq;
};

#define SESSION_MAX_ZOOM 8

struct session_opts {
	const char *input; /* path, "-" = pipe */
	const char *kallsyms, *symfs, *sysroot; /* NULL = not given */
	/* the selection as typed, NULL = not given */
	const char *time, *cpus, *pids, *tids, *comms, *pair;
	const char *cgroups; /* list as cgroup_map__has() takes it: tasks in these */
	bool want_mmaps; /* keep which files lie where in memory */
	bool want_cgroups, need_cgroups; /* follow them; it is an error not to have them */
	struct session_zoom zoom[SESSION_MAX_ZOOM]; /* all of them must fit */
	unsigned nr_zoom;
	uint64_t overlap_ns; /* of sched_model; 0 = its default */
	bool ignore_callchain, ignore_helpers; /* infer from less */
	/* called now and then with bytes read and in all (0 = unknown); may be NULL */
	void (*progress)(uint64_t done, uint64_t total, void *ctx);
	void *progress_ctx;
};

struct session {
	struct session_opts opts;
	struct perfdata *pd;
	struct strtab names;
	struct chain_table chains;
	struct decode dec;
	struct order order;
	struct topo topo;
	struct sched_model model;
	struct select select;
	struct cgroup_map cgroups;
	struct mmaps mmaps;
	struct chain_table miss_chains; /* of samples of counters; with want_mmaps */
	struct symtab *symtab; /* NULL: none found, or no chains */
	struct mig_err symtab_err; /* why there are none */
	struct mig_fact_ops ops; /* the caller's */
	void *ctx;
	/* called once, when the header is known and before the first fact; may be NULL */
	int (*ready)(struct session *s, void *ctx);
	bool is_ready, symtab_tried, filter_taken;
	bool drop_wakeups; /* sched_wakeup says nothing that sched_waking does not */
	bool keep_wakeups; /* .. but to those who asked for MIG_PART_ANATOMY */
	bool wakings_known; /* it is settled whether the recording holds sched_waking */
	char workload_filter[160]; /* what the recording itself selects, for display; "" = nothing
				    */
};

/*
 * Opens the recording. Strings in opts are borrowed until session__delete(). On failure *ret_s is
 * NULL and err says why.
 */
int session__open(const struct session_opts *opts, struct session **ret_s, struct mig_err *err);
void session__delete(struct session *s);

/* Symbols of the kernel, looked for when first asked for; NULL = none. */
const struct symtab *session__symbols(struct session *s);
/*
 * Reads all of it. ready() and the receivers of ops get ctx. 0, or a negative errno with err: of
 * the reader (damage: everything before it has been handed out) or of a receiver.
 */
int session__run(struct session *s, int (*ready)(struct session *s, void *ctx),
		 const struct mig_fact_ops *ops, void *ctx, struct mig_err *err);

/* What the recording's header says; in a pipe only what has come so far. */
const struct perfdata_env *session__env(const struct session *s);
/* The reader's warnings, one line each. */
size_t session__nr_warnings(const struct session *s);
const char *session__warning(const struct session *s, size_t idx);

#endif
