// SPDX-License-Identifier: GPL-2.0
#include "session.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decode-plain.h"
#include "perfdata.h"
#include "symbol.h"
#include "workload.h"

/* A recording without rounds must fit here to be sorted. */
#define MAX_QUEUED_BYTES (256UL << 20)
#define PROGRESS_EVERY   256 /* buffers, or records that go the long way */

/* A misspelt name must not look like a machine without symbols or without a topology. */
static int check_paths(const struct session_opts *opts, struct mig_err *err)
{
	char cpus[PATH_MAX];

	if (opts->kallsyms && access(opts->kallsyms, R_OK))
		return mig_err__set(err, -errno, "--kallsyms %s: %s", opts->kallsyms,
				    strerror(errno));
	if (opts->symfs && access(opts->symfs, R_OK | X_OK))
		return mig_err__set(err, -errno, "--symfs %s: %s", opts->symfs, strerror(errno));
	if (!opts->sysroot)
		return 0;
	snprintf(cpus, sizeof(cpus), "%s/sys/devices/system/cpu", opts->sysroot);
	if (!access(cpus, R_OK | X_OK))
		return 0;
	mig_err__set(err, -errno, "--sysroot %s: %s: %s", opts->sysroot, cpus, strerror(errno));
	return mig_err__hint(err, "give the folder that holds the machine's sys/");
}

static int take_zoom(struct session *s, const struct session_zoom *zoom, struct mig_err *err)
{
	struct select *sel = select__also(&s->select);
	int ret;

	if (!sel)
		return mig_err__set(err, -ENOMEM, "out of memory");
	ret = select__time(sel, zoom->time, err);
	if (!ret)
		ret = select__cpus(sel, zoom->cpus, err);
	if (!ret)
		ret = select__tids(sel, zoom->tids, err);
	if (!ret)
		ret = select__comms(sel, zoom->comms, &s->names, err);
	return ret ? ret : select__row(sel, zoom->row, zoom->open_irq, &s->names, err);
}

/* Are cgroups of interest: to the caller, or was the recording made of some (record -G)? */
static bool follows_cgroups(const struct session *s)
{
	const struct perfdata_env *env = perfdata__env(s->pd);
	struct workload w;
	bool has = false;

	for (size_t i = 0; i < perfdata__nr_events(s->pd) && !has; i++)
		has = perfdata__event(s->pd, i)->sample_type & PERF_ST_CGROUP;
	if (!has || s->opts.want_cgroups || s->opts.cgroups)
		return has;
	return workload__parse((const char *const *)env->cmdline, (int)env->nr_cmdline, &w) == 1 &&
	       w.cgroups;
}

int session__open(const struct session_opts *opts, struct session **ret_s, struct mig_err *err)
{
	struct session *s = calloc(1, sizeof(*s));
	unsigned i;
	int ret;

	*ret_s = NULL;
	if (!s)
		return mig_err__set(err, -ENOMEM, "out of memory");
	s->opts = *opts;
	ret = check_paths(opts, err);
	if (ret) {
		free(s);
		return ret;
	}
	select__init(&s->select);
	order__init(&s->order, MAX_QUEUED_BYTES);
	ret = strtab__init(&s->names);
	if (!ret)
		ret = chain_table__init(&s->chains);
	if (!ret)
		ret = chain_table__init(&s->miss_chains);
	s->miss_chains.all = true;
	if (ret) {
		mig_err__set(err, ret, "out of memory");
		goto out;
	}
	ret = select__time(&s->select, opts->time, err);
	if (!ret)
		ret = select__cpus(&s->select, opts->cpus, err);
	if (!ret)
		ret = select__pids(&s->select, opts->pids, err);
	if (!ret)
		ret = select__tids(&s->select, opts->tids, err);
	if (!ret)
		ret = select__comms(&s->select, opts->comms, &s->names, err);
	if (!ret)
		ret = select__pair(&s->select, opts->pair, &s->names, err);
	for (i = 0; !ret && i < opts->nr_zoom; i++)
		ret = take_zoom(s, &opts->zoom[i], err);
	if (!ret)
		ret = perfdata__open(opts->input, &s->pd, err);
	if (!ret)
		ret = decode__init(
			&s->dec, s->pd, &s->names, &s->chains,
			/* of a pipe nothing is known yet */
			perfdata__is_pipe(s->pd) || follows_cgroups(s) ? &s->cgroups : NULL, err);
	if (!ret && opts->want_mmaps) {
		s->dec.mmaps = &s->mmaps;
		s->dec.miss_chains = &s->miss_chains;
		for (struct select *sel = &s->select; sel; sel = sel->also)
			sel->pair_samples = true;
	}
	if (!ret && opts->cgroups) {
		s->select.empty = false;
		s->select.only_cgroups = opts->cgroups;
		s->select.cgroup_map = &s->cgroups;
	}
out:
	if (ret) {
		session__delete(s);
		return ret;
	}
	*ret_s = s;
	return 0;
}

void session__delete(struct session *s)
{
	if (!s)
		return;
	if (s->is_ready)
		sched_model__exit(&s->model);
	topo__exit(&s->topo);
	order__exit(&s->order);
	decode__exit(&s->dec);
	chain_table__exit(&s->chains);
	symtab__delete(s->symtab);
	select__exit(&s->select);
	cgroup_map__exit(&s->cgroups);
	mmaps__exit(&s->mmaps);
	chain_table__exit(&s->miss_chains);
	strtab__exit(&s->names);
	perfdata__delete(s->pd);
	free(s);
}

const struct perfdata_env *session__env(const struct session *s)
{
	return perfdata__env(s->pd);
}

size_t session__nr_warnings(const struct session *s)
{
	return perfdata__nr_warnings(s->pd);
}

const char *session__warning(const struct session *s, size_t idx)
{
	return perfdata__warning(s->pd, idx);
}

/* --- from the model to the caller, through the selection --- */

static int on_wakeup(const struct mig_wakeup *f, void *ctx)
{
	struct session *s = ctx;

	return s->ops.wakeup && select__wakeup(&s->select, f) ? s->ops.wakeup(f, s->ctx) : 0;
}

static int on_migration(const struct mig_migration *f, void *ctx)
{
	struct session *s = ctx;

	return s->ops.migration && select__migration(&s->select, f) ? s->ops.migration(f, s->ctx)
								    : 0;
}

static int on_slice(const struct mig_slice *f, void *ctx)
{
	struct session *s = ctx;

	return s->ops.slice && select__slice(&s->select, f) ? s->ops.slice(f, s->ctx) : 0;
}

static int on_fork(const struct mig_fork *f, void *ctx)
{
	struct session *s = ctx;

	return s->ops.fork && select__fork(&s->select, f) ? s->ops.fork(f, s->ctx) : 0;
}

static int on_sample(const struct mig_sample *f, void *ctx)
{
	struct session *s = ctx;

	return s->ops.sample && select__sample(&s->select, f) ? s->ops.sample(f, s->ctx) : 0;
}

static int on_overlap(const struct mig_overlap *f, void *ctx)
{
	struct session *s = ctx;

	return s->ops.overlap && select__wakeup(&s->select, f->wakeup) ? s->ops.overlap(f, s->ctx)
								       : 0;
}

static const struct mig_fact_ops session_ops = {
	.wakeup = on_wakeup,
	.migration = on_migration,
	.slice = on_slice,
	.fork = on_fork,
	.sample = on_sample,
	.overlap = on_overlap,
};

/* --- getting ready --- */

/* record -p/-t/-u/-G: the recording is of the whole system, the report of what was asked for */
static int take_workload_filter(struct session *s, struct mig_err *err)
{
	const struct perfdata_env *env = perfdata__env(s->pd);
	struct workload w;
	int ret;

	s->filter_taken = true;
	if (workload__parse((const char *const *)env->cmdline, (int)env->nr_cmdline, &w) != 1)
		return 0;
	/* a selection typed now says more than the one typed then */
	if (s->opts.pids || s->opts.tids || s->opts.comms || s->opts.pair || s->opts.cgroups)
		return 0;
	if (!w.pids && !w.tids && !w.uids && !w.user_pids && !w.cgroups)
		return 0;
	s->select.empty = false;
	s->select.follow = s->select.either = true;
	s->select.cgroups = w.cgroups;
	s->select.cgroup_map = &s->cgroups;
	snprintf(s->workload_filter, sizeof(s->workload_filter), "%s%s%s%s%s%s%s%s",
		 w.pids ? " process " : "", w.pids ? w.pids : "", w.tids ? " thread " : "",
		 w.tids ? w.tids : "", w.uids ? " user " : "", w.uids ? w.uids : "",
		 w.cgroups ? " cgroup " : "", w.cgroups ? w.cgroups : "");
	ret = select__pids(&s->select, w.pids, err);
	if (!ret)
		ret = select__pids(&s->select, w.user_pids, err);
	return ret ? ret : select__tids(&s->select, w.tids, err);
}

/*
 * Symbols are looked for when the first chain shows up: most recordings of others have none. Not to
 * find any is no error, but a file that was asked for must do.
 */
static int session__find_symbols(struct session *s)
{
	const struct perfdata_env *env = perfdata__env(s->pd);
	struct symtab_source src = {
		.kallsyms = s->opts.kallsyms,
		.symfs = s->opts.symfs,
		.buildid_dir = getenv("PERF_BUILDID_DIR"),
		.os_release = env->os_release,
		.build_id = env->kernel_build_id,
		.kernel_text = env->kernel_text,
	};
	char debug_dir[512];
	const char *home = getenv("HOME");
	int ret;

	s->symtab_tried = true;
	if (!src.buildid_dir && home) {
		snprintf(debug_dir, sizeof(debug_dir), "%s/.debug", home);
		src.buildid_dir = debug_dir;
	}
	ret = symtab__new(&src, &s->symtab, &s->symtab_err);
	if (ret)
		return s->opts.kallsyms ? ret : 0;
	chain_table__set_symtab(&s->chains, s->symtab,
				!symtab__has(s->symtab, "__wake_up_sync_key"));
	return 0;
}

const struct symtab *session__symbols(struct session *s)
{
	if (!s->symtab_tried)
		(void)session__find_symbols(s); /* without is no error */
	return s->symtab;
}

static int session__get_ready(struct session *s, struct mig_err *err)
{
	const struct perfdata_env *env = perfdata__env(s->pd);
	unsigned i, nr_switch = 0;
	int ret;

	if (!follows_cgroups(s)) {
		s->dec.cgroups = NULL;
		if (s->opts.need_cgroups || s->opts.cgroups) {
			mig_err__set(err, -ENODATA,
				     "the recording does not say in which cgroups tasks are");
			return mig_err__hint(err, "perf migstat record --all-cgroups");
		}
	}
	ret = decode__take_events(&s->dec);
	if (ret)
		return mig_err__set(err, ret, "out of memory");
	ret = s->opts.sysroot ? topo__init_from_sysfs(&s->topo, s->opts.sysroot, err)
			      : topo__init_from_env(&s->topo, env, err);
	if (ret)
		return ret;
	ret = select__resolve(&s->select, env->first_sample_ns, env->last_sample_ns, err);
	if (!ret)
		ret = s->filter_taken ? 0 : take_workload_filter(s, err);
	if (ret)
		return ret;
	/* before anything is handed out: it may not be what was asked for */
	if (s->opts.kallsyms && !s->opts.ignore_callchain) {
		ret = session__find_symbols(s);
		if (ret)
			return ret;
	}
	/* without a selection the facts need not pass by it */
	ret = sched_model__init(&s->model, &s->names, &s->chains, &s->topo, &s->dec,
				s->select.empty ? &s->ops : &session_ops,
				s->select.empty ? s->ctx : s);
	if (ret)
		return mig_err__set(err, ret, "out of memory");
	for (i = 0; i < s->dec.nr_events; i++)
		nr_switch += !strcmp(decode__event_name(&s->dec, i), "sched:sched_switch");
	s->model.twin_switches = nr_switch > 1;
	s->model.ignore_helpers = s->opts.ignore_helpers;
	s->model.ignore_callchain = s->opts.ignore_callchain;
	if (s->opts.overlap_ns)
		s->model.overlap_ns = s->opts.overlap_ns;
	s->is_ready = true;
	ret = s->ready ? s->ready(s, s->ctx) : 0;
	/* there, when a wakeup is over is of interest, too */
	s->dec.anatomy = s->keep_wakeups = s->model.want & 1U << MIG_PART_ANATOMY;
	s->drop_wakeups &= !s->keep_wakeups;
	return ret;
}

/* --- the chain --- */

/*
 * A recording can have asked for sched_waking and hold none (kernels before 4.3, traces turned into
 * perf.data). Its wakeups are the sched_wakeup events then. A few at the start prove nothing: their
 * wakings may be older than the recording.
 */
static void session__look_for_wakings(struct session *s, bool at_end)
{
	uint64_t wakings = 0, wakeups = 0;
	unsigned i;

	for (i = 0; i < s->dec.nr_events; i++) {
		const char *name = decode__event_name(&s->dec, i);

		if (!strcmp(name, "sched:sched_waking"))
			wakings += decode__event_samples(&s->dec, i);
		else if (!strcmp(name, "sched:sched_wakeup"))
			wakeups += decode__event_samples(&s->dec, i);
	}
	if (!wakings && wakeups >= (at_end ? 1 : 64))
		s->dec.seen[MIG_EV_WAKING] = false;
	s->wakings_known = wakings || wakeups >= 64;
	/* the wakings tell it all: of a sched_wakeup only that it was there is kept */
	s->drop_wakeups = wakings && !s->keep_wakeups;
}

static int session__take(struct session *s, const struct perf_rec *rec, struct mig_err *err)
{
	struct mig_event ev;
	uint64_t safe;
	int ret;

	if (rec->type == PERF_REC_FINISHED_ROUND) {
		if (!s->wakings_known)
			session__look_for_wakings(s, false);
		return s->is_ready ? order__round(&s->order, sched_model__feed_run, &s->model) : 0;
	}
	ret = decode__record(&s->dec, rec, &ev);
	if (ret <= 0)
		return ret;
	if (!s->is_ready && (rec->type == PERF_REC_SAMPLE || !perfdata__is_pipe(s->pd))) {
		ret = session__get_ready(s, err);
		if (ret)
			return ret;
	}
	/* in a pipe the tasks that there are come before the first sample, the command line before
	 */
	if (ev.type == MIG_EV_TASK && !s->filter_taken && perfdata__env(s->pd)->nr_cmdline) {
		ret = take_workload_filter(s, err);
		if (ret)
			return ret;
	}
	if (ev.type == MIG_EV_TASK)
		select__forked(&s->select, ev.rel.pid, ev.rel.ppid);
	if (ev.chain && !s->symtab_tried && !s->opts.ignore_callchain) {
		ret = session__find_symbols(s);
		if (ret)
			return ret;
	}
	/* synthesized records stand for what was before the recording: no order to wait for */
	if (!ev.time && (ev.type == MIG_EV_COMM || ev.type == MIG_EV_TASK)) {
		if (s->is_ready)
			return sched_model__feed_run(&ev, 1, &s->model);
		ev.time = 1; /* a pipe whose header is still coming */
	}
	if (ev.type == MIG_EV_LOST && order__queue(&s->order, ev.cpu))
		ev.lost.left_out = order__queue(&s->order, ev.cpu)->left_out;
	ret = order__push(&s->order, &ev, err);
	if (ret)
		return ret;
	safe = perfdata__safe_time(s->pd);
	if (safe > s->order.limit + 1000000 && order__nr_queued(&s->order) > 4096)
		ret = order__advance(&s->order, safe - 1, sched_model__feed_run, &s->model);
	return ret;
}

/* One plain sample into its queue. false: it is to go the long way. */
static inline bool session__take_one(struct session *s, struct decode_event *de, const uint8_t *p,
				     uint32_t size)
{
	const uint32_t cpu = perf_load32(p + de->off_cpu);
	struct order_queue *q = order__queue(&s->order, cpu);
	struct mig_event *ev;

	if (__builtin_expect(!q, 0))
		return false;
	if (de->type == MIG_EV_WAKEUP && s->drop_wakeups) {
		order__gap(q, perf_load64(p + de->off_time));
		return true;
	}
	ev = order__room(q);
	if (__builtin_expect(!ev, 0) || !decode__plain_sample(&s->dec, de, p, size, cpu, ev))
		return false;
	/* the first chain of all needs the symbols first */
	if (__builtin_expect(ev->chain && !s->symtab_tried, 0) || !order__commit(q, ev)) {
		decode__put_reads(&s->dec, ev);
		return false;
	}
	return true;
}

/*
 * Takes plain samples from the reader's buffer into their queues, as long as there are some: the
 * short way of nearly all events.
 */
static __attribute__((noinline)) void session__take_plain(struct session *s)
{
	struct perf_window *w = perfdata__window(s->pd);
	const uint8_t *p = w->pos, *const end = w->end;
	const unsigned id_off = s->dec.id_off;
	struct decode_event *de;
	uint64_t n = 0;
	uint32_t size;

	while (id_off && (size = perf_window__sample(p, end, id_off + 8))) {
		de = decode__plain_event(&s->dec, id_off, p, size);
		if (!de || !session__take_one(s, de, p, size))
			break;
		de->nr_samples++;
		n++;
		p += size;
	}
	w->pos = p;
	s->dec.nr_samples += n;
	s->dec.nr_records += n;
}

int session__run(struct session *s, int (*ready)(struct session *s, void *ctx),
		 const struct mig_fact_ops *ops, void *ctx, struct mig_err *err)
{
	struct perf_rec rec;
	uint64_t done, total, n = 0;
	int ret, damage;

	s->ready = ready;
	s->ops = *ops;
	s->ctx = ctx;
	err->code = 0;
	while ((ret = perfdata__next(s->pd, &rec, err)) == 1) {
		ret = session__take(s, &rec, err);
		if (ret)
			goto out;
		if (s->is_ready)
			session__take_plain(s);
		if (s->opts.progress && !(++n % PROGRESS_EVERY)) {
			perfdata__progress(s->pd, &done, &total);
			s->opts.progress(done, total, s->opts.progress_ctx);
		}
	}
	damage = ret;
	ret = s->is_ready ? 0 : session__get_ready(s, err);
	if (!s->wakings_known)
		session__look_for_wakings(s, true);
	if (!ret)
		ret = order__flush(&s->order, sched_model__feed_run, &s->model);
	if (!ret)
		ret = sched_model__finish(&s->model);
	decode__forget_unreadable(&s->dec);
	if (!ret)
		ret = damage;
out:
	if (ret && s->symtab_err.code == ret && s->opts.kallsyms)
		*err = s->symtab_err;
	else if (ret && !err->code)
		mig_err__set(err, ret, ret == -ENOMEM ? "out of memory" : "%s", strerror(-ret));
	return ret;
}
