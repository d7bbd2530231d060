// SPDX-License-Identifier: GPL-2.0
/*
 * stdio-llc: report --llc: moves within and between last-level caches, whose home a cache is and
 * who leaves it, moves that are undone, threads that follow each other.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "color.h"
#include "report.h"
#include "stdio-int.h"

enum { FEW = 10 }; /* lines of each kind, without -v */

static const char *class_name(int class)
{
	return mig_class__name((enum mig_cause_class) class);
}

/* "0 (0-3)": which cache, and the CPUs it spans if they are one range. */
static void print_cache(const struct report *r, unsigned i, char *buf, size_t size)
{
	const struct llc_cache *c = &r->llc.cache[i];
	int last = -1;

	for (int cpu = 0; cpu < r->llc.topo->nr_cpus; cpu++)
		if (r->llc.cache_of[cpu] == (int)i)
			last = cpu;
	if ((unsigned)(last - c->id) + 1 == c->nr_cpus)
		snprintf(buf, size, "%u (%d-%d)", i, c->id, last);
	else
		snprintf(buf, size, "%u (%d..)", i, c->id);
}

void stdio__llc_moves(const struct report *r, FILE *fp)
{
	const struct llc_story *s = &r->llc;

	fprintf(fp, "%s%-24s %10s %11s %9s%s\n", color__title(), "moves", "same LLC", "other LLC",
		"unknown", color__reset());
	for (int i = 0; i < MIG_NR_CLASS; i++) {
		const uint64_t *n = s->cells[i];

		if (n[0] || n[1] || n[2] || i <= MIG_CLASS_BALANCE)
			fprintf(fp, "  %-22s %10" PRIu64 " %11" PRIu64 " %9" PRIu64 "\n",
				class_name(i), n[LLC_CELL_SAME], n[LLC_CELL_OTHER],
				n[LLC_CELL_UNKNOWN]);
	}
	fputs("  each cause by distance: perf migstat report --by cause,distance\n", fp);
}

static void print_proc(const struct report *r, const struct llc_proc *p, FILE *fp)
{
	const struct llc_story *s = &r->llc;
	const uint64_t *out = p->out + (size_t)p->home * MIG_NR_CLASS;
	char name[40], comm[32], run[16], cache[32], changes[24];
	uint64_t left = 0, came = 0;

	for (int i = 0; i < MIG_NR_CLASS; i++) {
		left += out[i];
		came += p->in[p->home * MIG_NR_CLASS + i];
	}
	mig_key__comm(&r->session->names, p->comm, comm, sizeof(comm));
	snprintf(name, sizeof(name), "%.15s/%d", comm, p->pid);
	mig_ns__print(p->run_ns, run, sizeof(run));
	print_cache(r, p->home, cache, sizeof(cache));
	snprintf(changes, sizeof(changes), "%u/%u", p->changes, p->nr_windows);
	fprintf(fp, "%-19.19s %5s %4u%c %-9s %5.1f %7s %6" PRIu64 " %6" PRIu64 " %6" PRIu64, name,
		run, p->nr_threads, p->nr_threads > s->cache[p->home].nr_cpus ? '+' : ' ', cache,
		100.0 * (double)p->run[p->home] / (double)p->run_ns, changes, left, came, p->back);
	if (left) {
		fputs("  ", fp);
		stdio__shares(fp, out, MIG_NR_CLASS, class_name, 10);
	}
	fputc('\n', fp);
}

void stdio__llc_homes(const struct report *r, FILE *fp)
{
	const struct llc_story *s = &r->llc;
	uint64_t all = 0;
	uint32_t i, shown = 0;
	char width[16];

	if (s->nr_caches < 2) {
		fprintf(fp, "%s: no homes, no chases.\n",
			s->nr_caches ? "All CPUs share one last-level cache"
				     : "The last-level caches are not known (--sysroot DIR tells)");
		return;
	}
	for (i = 0; i < s->nr_procs; i++)
		all += s->procs[i]->run_ns;
	mig_ns__print(s->width, width, sizeof(width));
	fprintf(fp, "%s%-19s %5s %5s %-9s %5s %7s %6s %6s %6s%s\n", color__title(), "process",
		"run", "thr", "home LLC", "%", "changes", "left", "came", "back", color__reset());
	for (i = 0; i < s->nr_procs; i++) {
		const struct llc_proc *p = s->procs[i];

		if (!p->run_ns || (!r->verbose && (shown == FEW || p->run_ns * 100 < all)))
			continue;
		print_proc(r, p, fp);
		shown++;
	}
	if (shown < s->nr_procs)
		fprintf(fp, "(%u more)\n", s->nr_procs - shown);
	fprintf(fp,
		"+: more threads than that LLC has CPUs. changes: windows of %s with another\n"
		"home than the one before, of those it ran in. left, came: moves out of the home,\n"
		"into it. back: there and back. Who: --pid PID --by task,cause,distance\n",
		width);
}

/* Sums over the fine causes of a class. */
struct trips_line {
	int there, back; /* classes, or causes */
	uint64_t cpus, caches, ran_n, ran_ns, miss_n, misses;
	struct hist away;
};

static int line__add(struct trips_line *l, const struct llc_story *s, int there, int back)
{
	const struct llc_trips *t = llc_story__trips(s, LLC_LEVEL_CPU, there, back);

	l->cpus += t->n;
	l->caches += llc_story__trips(s, LLC_LEVEL_CACHE, there, back)->n;
	l->ran_n += t->ran_n;
	l->ran_ns += t->ran_after_ns;
	l->miss_n += t->miss_n;
	l->misses += t->misses;
	return hist__merge(&l->away, &t->away);
}

static int compare_lines(const void *pa, const void *pb)
{
	const struct trips_line *a = pa, *b = pb;

	if (a->cpus != b->cpus)
		return a->cpus < b->cpus ? 1 : -1;
	return a->caches != b->caches ? (a->caches < b->caches ? 1 : -1) : 0;
}

/* Lines of classes, or of causes with --fine; those that occurred. */
static unsigned make_lines(const struct report *r, struct trips_line *lines)
{
	const bool fine = r->fine || r->verbose;
	unsigned nr = 0, k;

	for (int i = 0; i < MIG_NR_CAUSE * MIG_NR_CAUSE; i++) {
		int there = i / MIG_NR_CAUSE, back = i % MIG_NR_CAUSE;
		int a = fine ? there : (int)mig_cause__class((enum mig_cause)there);
		int b = fine ? back : (int)mig_cause__class((enum mig_cause)back);

		if (!llc_story__trips(&r->llc, LLC_LEVEL_CPU, there, back)->n &&
		    !llc_story__trips(&r->llc, LLC_LEVEL_CACHE, there, back)->n)
			continue;
		for (k = 0; k < nr && (lines[k].there != a || lines[k].back != b); k++)
			;
		if (k == nr)
			lines[nr++] = (struct trips_line){ .there = a, .back = b };
		if (line__add(&lines[k], &r->llc, there, back))
			break;
	}
	qsort(lines, nr, sizeof(*lines), compare_lines);
	return nr;
}

static void print_line(const struct report *r, const struct trips_line *l, FILE *fp)
{
	const bool fine = r->fine || r->verbose;
	char label[64], away[16] = "-", ran[16] = "-", miss[16] = "-";

	snprintf(label, sizeof(label), "%s > %s",
		 fine ? mig_cause__name((enum mig_cause)l->there) : class_name(l->there),
		 fine ? mig_cause__name((enum mig_cause)l->back) : class_name(l->back));
	if (l->away.n)
		mig_ns__print(hist__percentile(&l->away, 50), away, sizeof(away));
	if (l->ran_n)
		mig_ns__print(l->ran_ns / l->ran_n, ran, sizeof(ran));
	if (l->miss_n && !r->cctx.no_misses)
		snprintf(miss, sizeof(miss), "%.2f", (double)l->misses / (double)l->miss_n);
	fprintf(fp, "  %-30s %8" PRIu64 " %8" PRIu64 " %9s %8s %10s\n", label, l->cpus, l->caches,
		away, ran, miss);
}

void stdio__llc_trips(const struct report *r, FILE *fp)
{
	struct trips_line lines[MIG_NR_CAUSE * MIG_NR_CAUSE];
	unsigned nr = make_lines(r, lines), few = r->verbose || nr < FEW ? nr : FEW;
	char within[16];

	mig_ns__print(r->within_ns, within, sizeof(within));
	fprintf(fp, "%sthere and back within %-10s %8s %8s %9s %8s %10s%s\n", color__title(),
		within, "CPUs", "LLCs", "away p50", "then ran", "miss/next", color__reset());
	for (unsigned i = 0; i < few; i++)
		print_line(r, &lines[i], fp);
	if (!nr)
		fputs("  none\n", fp);
	else if (few < nr)
		fprintf(fp, "  (%u more)\n", nr - few);
	for (unsigned i = 0; i < nr; i++)
		hist__exit(&lines[i].away);
	if (nr)
		fputs("  whose: perf migstat report --by task -F +bounce\n", fp);
}

static void print_chase(const struct report *r, const struct llc_chase *c, FILE *fp)
{
	char name[2][48], comm[32], crossings[48];

	mig_key__comm(&r->session->names, c->first_comm, comm, sizeof(comm));
	snprintf(name[0], sizeof(name[0]), "%.15s/%d", comm, c->first);
	mig_key__comm(&r->session->names, c->second_comm, comm, sizeof(comm));
	snprintf(name[1], sizeof(name[1]), "%.15s/%d", comm, c->second);
	snprintf(crossings, sizeof(crossings), "%" PRIu64 ",%" PRIu64, c->crossings[0],
		 c->crossings[1]);
	fprintf(fp, "  %-22.22s %-22.22s %6" PRIu64 " %7" PRIu64 " %10s %4u\n", name[0], name[1],
		c->steps, c->longest, crossings, c->caches);
}

/* One step is no chase yet: with -v only. */
void stdio__llc_chases(const struct report *r, FILE *fp)
{
	const struct llc_story *s = &r->llc;
	char within[16], head[48];
	uint32_t i;

	mig_ns__print(r->within_ns, within, sizeof(within));
	snprintf(head, sizeof(head), "chase within %s: first", within);
	fprintf(fp, "%s%-24s %-22s %6s %7s %10s %4s%s\n", color__title(), head, "then", "steps",
		"longest", "crossings", "LLCs", color__reset());
	for (i = 0; i < s->nr_chases; i++) {
		if (!r->verbose && (i == FEW || s->chases[i].steps < 2))
			break;
		print_chase(r, &s->chases[i], fp);
	}
	if (!s->nr_chases)
		fputs("  none\n", fp);
	else if (i < s->nr_chases)
		fprintf(fp, "  (%u more%s)\n", s->nr_chases - i,
			s->chases[i].steps < 2 ? " with one step" : "");
}

void stdio__llc(const struct report *r, FILE *fp)
{
	const struct llc_story *s = &r->llc;

	if (s->moves_left_out)
		fprintf(fp,
			"There and back, chases: only of the first %u moves, %" PRIu64
			" are left out.\n",
			LLC_MAX_MOVES, s->moves_left_out);
	if (s->pairs_left_out)
		fprintf(fp, "Chases: only of the first %u pairs of threads.\n", LLC_MAX_PAIRS);
	stdio__llc_moves(r, fp);
	fputc('\n', fp);
	stdio__llc_homes(r, fp);
	fputc('\n', fp);
	stdio__llc_trips(r, fp);
	if (s->nr_caches < 2)
		return;
	fputc('\n', fp);
	stdio__llc_chases(r, fp);
}

/* --- with a separator: what, of whom, by what, name, value --- */

struct long_form {
	const char *sep;
	FILE *fp;
};

static void put(const struct long_form *f, const char *what, const char *a, const char *b,
		const char *name, uint64_t v)
{
	fprintf(f->fp, "%s%s%s%s%s%s%s%s", what, f->sep, a, f->sep, b, f->sep, name, f->sep);
	if (v != MIG_NULL)
		fprintf(f->fp, "%" PRIu64, v);
	fputc('\n', f->fp);
}

static void put_procs(const struct report *r, const struct long_form *f)
{
	const struct llc_story *s = &r->llc;
	char pid[16], cache[16];

	for (uint32_t i = 0; i < s->nr_procs; i++) {
		const struct llc_proc *p = s->procs[i];

		snprintf(pid, sizeof(pid), "%d", p->pid);
		put(f, "process", pid, "", "threads", p->nr_threads);
		put(f, "process", pid, "", "home", p->home);
		put(f, "process", pid, "", "windows", p->nr_windows);
		put(f, "process", pid, "", "changes", p->changes);
		put(f, "process", pid, "", "back", p->back);
		for (unsigned c = 0; c < s->nr_caches; c++) {
			snprintf(cache, sizeof(cache), "%u", c);
			put(f, "run", pid, cache, "ns", p->run[c]);
			for (int k = 0; k < MIG_NR_CLASS; k++) {
				if (p->out[c * MIG_NR_CLASS + k])
					put(f, "left", pid, cache, class_name(k),
					    p->out[c * MIG_NR_CLASS + k]);
				if (p->in[c * MIG_NR_CLASS + k])
					put(f, "came", pid, cache, class_name(k),
					    p->in[c * MIG_NR_CLASS + k]);
			}
		}
	}
}

int stdio__separated_llc(const struct report *r, const char *sep, FILE *fp)
{
	static const char *const cells[] = { "same", "other", "unknown" };
	const struct long_form f = { sep, fp };
	const struct llc_story *s = &r->llc;
	char a[16], b[16];

	fprintf(fp, "what%sof%sby%sname%svalue\n", sep, sep, sep, sep);
	for (int i = 0; i < MIG_NR_CLASS; i++)
		for (int k = 0; k < 3; k++)
			put(&f, "moves", class_name(i), cells[k], "n", s->cells[i][k]);
	put_procs(r, &f);
	for (int i = 0; i < MIG_NR_CAUSE * MIG_NR_CAUSE; i++) {
		const char *there = mig_cause__name((enum mig_cause)(i / MIG_NR_CAUSE));
		const char *back = mig_cause__name((enum mig_cause)(i % MIG_NR_CAUSE));

		if (s->trips[LLC_LEVEL_CPU][i].n)
			put(&f, "back", there, back, "cpus", s->trips[LLC_LEVEL_CPU][i].n);
		if (s->trips[LLC_LEVEL_CACHE][i].n)
			put(&f, "back", there, back, "llcs", s->trips[LLC_LEVEL_CACHE][i].n);
	}
	for (uint32_t i = 0; i < s->nr_chases; i++) {
		snprintf(a, sizeof(a), "%d", s->chases[i].first);
		snprintf(b, sizeof(b), "%d", s->chases[i].second);
		put(&f, "chase", a, b, "steps", s->chases[i].steps);
		put(&f, "chase", a, b, "longest", s->chases[i].longest);
	}
	return ferror(fp) ? -EIO : 0;
}
