// SPDX-License-Identifier: GPL-2.0
/*
 * stdio-summary: the first block of a report. Says what was recorded, what could not be seen, and
 * the totals; a figure that was not measured is "-", and why stands beside it.
 */
#include <inttypes.h>
#include <string.h>

#include "color.h"
#include "cost-file.h"
#include "env.h"
#include "machine.h"
#include "report.h"
#include "sched-idle.h"
#include "stdio-int.h"
#include "symbol.h"
#include "utf8.h"

const char *stdio__thousands(uint64_t n, char *buf, size_t size)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, n), i;
	size_t k = 0;

	for (i = 0; i < len && k + 2 < size; i++) {
		if (i && !((len - i) % 3))
			buf[k++] = ',';
		buf[k++] = digits[i];
	}
	buf[k] = '\0';
	return buf;
}

void stdio__shares(FILE *fp, const uint64_t *n, int nr, const char *(*name)(int), double min)
{
	uint64_t total = 0, other = 0;
	const char *sep = "";
	int i, k, best;
	uint64_t done = 0;

	for (i = 0; i < nr; i++)
		total += n[i];
	/* largest first; nr is small */
	for (k = 0; k < nr && total; k++) {
		best = -1;
		for (i = 0; i < nr; i++)
			if (!(done & 1ULL << i) && n[i] && (best < 0 || n[i] > n[best]))
				best = i;
		if (best < 0)
			break;
		done |= 1ULL << best;
		if ((double)n[best] * 100 < min * (double)total) {
			other += n[best];
			continue;
		}
		fprintf(fp, "%s%s %.0f%%", sep, name(best), (double)n[best] * 100 / (double)total);
		sep = ", ";
	}
	if (other * 200 >= total && other)
		fprintf(fp, "%sother %.0f%%", sep, (double)other * 100 / (double)total);
}

static void print_cmdline(const struct perfdata_env *env, FILE *fp)
{
	size_t i, start = 0;
	char line[60];
	size_t n = 0;

	for (i = 0; i < env->nr_cmdline; i++)
		if (!strcmp(env->cmdline[i], "--"))
			start = i + 1;
	if (!start || start >= env->nr_cmdline)
		return;
	for (i = start; i < env->nr_cmdline && n < sizeof(line) - 1; i++) {
		int k = snprintf(line + n, sizeof(line) - n, "%s%s", n ? " " : "", env->cmdline[i]);

		n += k > 0 ? (size_t)k : 0;
	}
	if (n >= sizeof(line) - 1)
		strcpy(line + sizeof(line) - 4, "...");
	utf8__clean(line, sizeof(line), line); /* it can be cut inside a character */
	fprintf(fp, "%s\n", line);
}

static void print_what(const struct report *r, FILE *fp)
{
	const struct session *s = r->session;
	const struct perfdata_env *env = session__env(s);
	const struct sched_model *m = &s->model;
	unsigned cpus = report__nr_cpus(r);

	if (m->first_time == MIG_NULL)
		fprintf(fp, "no events");
	else
		fprintf(fp, "%.3f s", (double)(m->last_time - m->first_time) / 1e9);
	fprintf(fp, ", %u CPU%s", cpus, cpus == 1 ? "" : "s");
	if (env->os_release)
		fprintf(fp, ", Linux %s", env->os_release);
	fputc('\n', fp);
	if (s->workload_filter[0])
		fprintf(fp, "Only%s, and what they fork (record's selection)\n",
			s->workload_filter);
	print_cmdline(env, fp);
}

static void print_unseen(const struct report *r, FILE *fp)
{
	const struct session *s = r->session;
	const struct sched_model *m = &s->model;
	uint64_t lost = report__lost(r);
	char buf[32];

	fprintf(fp, "%s events, %slost %s%s.",
		stdio__thousands(s->dec.nr_samples, buf, sizeof(buf)), lost ? color__warn() : "",
		stdio__thousands(lost, (char[32]){ 0 }, 32), lost ? color__reset() : "");
	if (m->unseen_switches || m->unseen_moves)
		fprintf(fp,
			"  Unseen: %" PRIu64 " switches, %" PRIu64 " moves (!: figures are bounds)",
			m->unseen_switches, m->unseen_moves);
	fputc('\n', fp);
	stdio__losses(r, fp);
	if (s->dec.no_formats)
		fprintf(fp, "Tracepoints without their formats (no_event_formats): they cannot be "
			    "read.\n");
	if (s->dec.bad_event[0])
		fprintf(fp, "Cannot be read as its format stands: %s\n", s->dec.bad_event);
	if (s->dec.undecoded)
		fprintf(fp, "%" PRIu64 " samples do not fit their event's format\n",
			s->dec.undecoded);
}

/* A path of any length on a line of 80 columns: its end says most. */
static void print_path(const char *label, const char *path, FILE *fp)
{
	const size_t room = 80 - strlen(label), len = strlen(path);

	if (len <= room)
		fprintf(fp, "%s%s\n", label, path);
	else
		fprintf(fp, "%s..%s\n", label, path + len - (room - 2));
}

static void print_topology(const struct report *r, FILE *fp)
{
	const struct topo *t = &r->session->topo;

	if (!t->nr_cpus)
		fprintf(fp, "No topology: distances are unknown, %s.\n", topo__near_far_words(t));
	else if (t->llc_source != TOPO_LLC_FILE)
		fprintf(fp, "No cache data (%s): %s.\n", topo__llc_source(t),
			topo__near_far_words(t));
	else
		fprintf(fp, "%c%s.\n", 'N', topo__near_far_words(t) + 1);
	if (r->verbose && r->session->symtab)
		print_path("Kernel symbols: ", symtab__origin(r->session->symtab), fp);
	if (r->session->symtab_tried && !r->session->symtab)
		fprintf(fp, "No kernel symbols: mechanisms are unknown (--kallsyms FILE)\n");
}

static void print_sampled(const struct report *r, const char *name, FILE *fp)
{
	const struct mig_counters *cs = &r->session->dec.sampled;
	unsigned i;

	fprintf(fp, "Misses are %s, sampled (sum of periods, by task).\n", name);
	for (i = 0; i < cs->nr; i++) /* each PMU counts for itself */
		if (cs->c[cs->c[i].first].pmu_event && cs->c[cs->c[i].first].pmu_event == name)
			fprintf(fp, "  of %.*s: %" PRIu64 "\n", (int)strcspn(cs->c[i].name, "/"),
				cs->c[i].name, report__sampled(r, i));
}

static void print_misses_note(const struct report *r, FILE *fp)
{
	const struct sched_model *m = &r->session->model;
	const struct mig_counter *c = report__miss(r);
	const char *name;
	bool sampled;

	if (c && m->reads_multiplexed)
		fprintf(fp,
			"%s was multiplexed (other counters took its place at times):\n"
			"its figures are refused. Record fewer events, see record's man page.\n",
			c->name);
	else if (c && m->switches_without_read)
		fprintf(fp,
			"%s: %" PRIu64 " of %" PRIu64 " switches came without its count (it did "
			"not\n"
			"fit the PMU, or does not belong to sched_switch): its figures are "
			"refused.\n",
			c->name, m->switches_without_read, m->switches);
	if (c && sched_model__reads_refused(m))
		return;
	report__primary_misses(r, &name, &sampled);
	if (!name && r->session->dec.foreign_counter[0])
		fprintf(fp,
			"%.40s was counted in the group of another event than sched_switch:\n"
			"no figures per slice, all miss columns are \"-\".\n",
			r->session->dec.foreign_counter);
	else if (!name)
		fprintf(fp, "No miss event was recorded: all miss columns are \"-\".\n");
	else if (!r->session->dec.nr_samples)
		fprintf(fp,
			"The recording has no samples, so %s is not known.\n"
			"A group that does not fit the PMU never fires: record fewer events.\n",
			name);
	else if (sampled && report__sampled_overflow(r))
		fprintf(fp, "Misses are %s, sampled; their sum is beyond 64 bits (overflow).\n",
			name);
	else if (sampled)
		print_sampled(r, name, fp);
	else if (r->sum.misses_n && c && !c->software && m->reads_untimed)
		fprintf(fp,
			"Misses are %s, exact per slice unless the counter was multiplexed,\n"
			"which this recording would not show (perf migstat record does: -s).\n",
			name);
	else
		fprintf(fp,
			r->sum.misses_n ? "Misses are %s, exact per slice.\n"
					: "Misses are %s; no slice has a count of them.\n",
			name);
}

/* What a line costs, as --cost has it. */
static void print_prices(const struct report *r, FILE *fp)
{
	const struct perfdata_env *env = session__env(r->session);
	const struct cost_file *f = r->prices;
	const char *sep = "Fetching a line again takes ", *why = report__no_prices(r);
	int d;

	if (why) {
		fprintf(fp, "No time for extra misses: %s.\n", why);
		return;
	}
	for (d = 0; d < MIG_NR_DIST; d++) {
		const struct cost_price *p = &f->price[d];

		if (!cost_price__known(p))
			continue;
		fprintf(fp, "%s%.3g", sep, p->lo);
		if (p->lo < p->hi)
			fprintf(fp, "-%.3g", p->hi);
		fprintf(fp, " ns (%s)", mig_distance__name(d));
		sep = ", ";
	}
	fputc('\n', fp);
	print_path("  measured: ", f->path, fp);
	if (f->cpu && env->cpudesc && strcmp(f->cpu, env->cpudesc))
		fprintf(fp,
			"  on another CPU (%.50s) than the recording's:\n"
			"  its extra time is that machine's.\n",
			f->cpu);
}

/* Terms of the run delay that this recording cannot tell. */
static void print_anatomy_note(const struct report *r, FILE *fp)
{
	static const char *const terms[MIG_NR_TERM] = { "select", "ipi", "idle", "queue",
							"switch" };
	bool first = true;
	unsigned i;

	if (!(r->want & 1U << MIG_PART_ANATOMY))
		return;
	for (i = 0; i < MIG_NR_TERM; i++)
		if (r->cctx.no_terms & 1U << i) {
			fprintf(fp, "%s%s", first ? "Not recorded: " : ", ", terms[i]);
			first = false;
		}
	if (!first)
		fputs("; their time is in later terms (record --anatomy).\n", fp);
}

static void print_number(FILE *fp, int width, uint64_t v, bool known, const char *mark)
{
	if (!known || v == MIG_NULL)
		fprintf(fp, "%*s", width, "-");
	else
		fprintf(fp, "%*" PRIu64 "%s", width - (int)strlen(mark), v, mark);
}

/* The line of the first mail: misses, CPU migrations, their ratio. */
static void print_totals(const struct report *r, FILE *fp)
{
	const struct sched_model *m = &r->session->model;
	bool wakes = report__has(r, MIG_EV_WAKING) || report__has(r, MIG_EV_WAKEUP);
	const char *lost = r->session->dec.lost_records || r->session->dec.lost_samples ? "!" : "";
	const char *name, *mark = m->unseen_moves ? "!" : lost;
	char ratio_head[96];
	bool sampled;
	uint64_t misses = report__primary_misses(r, &name, &sampled);

	if (!name)
		name = "cachemisses";
	/* a longer name twice would not fit the line */
	snprintf(ratio_head, sizeof(ratio_head), "%.13s/migrations",
		 strlen(name) > 13 ? "misses" : name);
	fprintf(fp, "\n%s%12.20s  CPU migrations  %s  cpu-migrations  wakeups%s\n", color__title(),
		name, ratio_head, color__reset());
	print_number(fp, strlen(name) > 12 ? (int)strlen(name) : 12, misses, true, "");
	fputs("  ", fp);
	print_number(fp, 14, r->sum.migrations, report__has(r, MIG_EV_MIGRATE), mark);
	fputs("  ", fp);
	print_number(fp, (int)strlen(ratio_head), report__ratio(r), true, mark);
	fputs("  ", fp);
	print_number(fp, 14, report__cpu_migrations(r), true, "");
	fputs("  ", fp);
	print_number(fp, 7, r->sum.wakeups, wakes, lost);
	fputc('\n', fp);
}

/* CPUs that idled while tasks waited, where that was followed. */
static void print_wasted(const struct report *r, FILE *fp)
{
	const struct sched_idle *s = r->session->model.idle;
	struct idle_interval all, i;
	uint64_t within = 0, longest = 0;
	char sum[16], in_llc[16], most[16];

	if (!s || !(r->want & 1U << MIG_PART_REGRET))
		return;
	all = sched_idle__wasted(s, -1);
	for (unsigned k = 0; k < s->nr_llcs; k++) {
		i = sched_idle__wasted(s, (int)k);
		within += i.sum_ns;
		longest = i.longest_ns > longest ? i.longest_ns : longest;
	}
	mig_ns__print(all.sum_ns, sum, sizeof(sum));
	mig_ns__print(all.longest_ns, most, sizeof(most));
	fprintf(fp,
		"A CPU idled while a task waited on another: %s in %" PRIu64 " times, longest %s",
		sum, all.n, most);
	if (s->nr_llcs > 1) {
		mig_ns__print(within, in_llc, sizeof(in_llc));
		mig_ns__print(longest, most, sizeof(most));
		fprintf(fp, ";\nwithin one LLC %s (of all LLCs together), longest %s", in_llc,
			most);
	}
	fputc('\n', fp);
}

static void print_price(const char *how, const char *name, const struct price_result *p, FILE *fp)
{
	char label[32], text[3][24] = { "-", "-", "-" };
	const double ns[3] = { p->ns, p->lo, p->hi };

	if (!p->moved)
		return;
	for (int i = 0; i < 3 && p->known; i++) {
		struct mig_value v = { .type = MIG_V_DOUBLE, .d = ns[i] };

		mig_value__print(&v, MIG_KIND_NS, text[i], sizeof(text[i]));
	}
	snprintf(label, sizeof(label), "%s %s", how, name);
	fprintf(fp, "  %-22s %8s %8s %8s %8" PRIu64 " %8" PRIu64 "\n", label, text[0], text[1],
		text[2], p->moved, p->stayed);
}

/* What the moves cost in run time, by cause and by distance. */
static void print_prices_of_moves(const struct report *r, FILE *fp)
{
	/* worked out when it is shown first */
	struct price_summary *p = (struct price_summary *)&r->price;

	if (!(r->want & 1U << MIG_PART_PRICE))
		return;
	fprintf(fp, "\n%s%-24s %8s %8s %8s %8s %8s%s\n", color__title(), "price of a move", "p50",
		"from", "to", "moved", "stayed", color__reset());
	for (int i = 0; i <= MIG_NR_CLASS; i++)
		print_price("by",
			    i < MIG_NR_CLASS ? mig_class__name((enum mig_cause_class)i) : "unknown",
			    price__result(&p->by_class[i]), fp);
	for (int i = 0; i < MIG_NR_DIST; i++)
		print_price("over", mig_distance__name(i), price__result(&p->by_distance[i]), fp);
}

static void print_odd(const struct report *r, FILE *fp)
{
	const struct session *s = r->session;
	int i;

	for (i = 0; i < MIG_NR_ODD; i++)
		if (s->model.odd[i])
			fprintf(fp, "  odd: %s %" PRIu64 "\n", mig_odd__name((enum mig_odd)i),
				s->model.odd[i]);
	if (s->order.late)
		fprintf(fp, "  odd: came after newer ones had left: %" PRIu64 "\n", s->order.late);
}

/* Of the recording; what a line cannot hold is in --header. */
static void print_environment(const struct report *r, FILE *fp)
{
	struct machine m = { 0 };
	char clean[128];

	if (!machine__from_header(session__env(r->session), &m) && m.nr)
		fputs("  environment of the recording:\n", fp);
	for (size_t i = 0; i < m.nr; i++) {
		int room = 72 - (int)strlen(m.item[i].name);

		utf8__clean(clean, sizeof(clean), m.item[i].text);
		fprintf(fp, "    %s: %.*s%s\n", m.item[i].name, room, clean,
			(int)strlen(clean) > room ? ".." : "");
	}
	machine__exit(&m);
}

void stdio__summary(const struct report *r, FILE *fp)
{
	print_what(r, fp);
	print_unseen(r, fp);
	print_topology(r, fp);
	print_misses_note(r, fp);
	if (r->prices)
		print_prices(r, fp);
	print_anatomy_note(r, fp);
	print_totals(r, fp);
	stdio__causes(r, fp);
	print_wasted(r, fp);
	print_prices_of_moves(r, fp);
	if (r->verbose)
		print_odd(r, fp);
	if (r->verbose)
		print_environment(r, fp);
	fputc('\n', fp);
}
