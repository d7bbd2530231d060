// SPDX-License-Identifier: GPL-2.0
/* stdio-symbols: report --by symbol: which functions miss right after a move, and which anyway. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "color.h"
#include "report.h"
#include "stdio-int.h"

enum { FEW = 25, FEW_PATHS = 3 };

uint64_t stdio__symbols_run(const struct report *r, unsigned side)
{
	uint64_t ns = 0;
	struct mig_side s;

	for (uint32_t i = 0; i < r->table.nr; i++) {
		if (r->table.rows[i]->key[MIG_DIM_WAKEE] == MIG_KEY_IDLE)
			continue;
		mig_row__side(r->table.rows[i], r->table.nr_counters, side, &s);
		ns += s.run_ns;
	}
	return ns;
}

static void print_rate(FILE *fp, uint64_t misses, uint64_t ns, uint64_t samples)
{
	if (samples && ns)
		fprintf(fp, " %8.3g", (double)misses * 1e6 / (double)ns);
	else
		fprintf(fp, " %8s", "-");
}

/* The most frequent paths to a function, as "f < g < h". */
static void print_callers(const struct report *r, const struct miss_symbol *s, FILE *fp)
{
	const struct miss_symbols *m = &r->symbols;
	uint64_t all = s->misses[MIG_MOVED] + s->misses[MIG_STAYED] + s->misses[MIG_MOVED_UNKNOWN];
	unsigned shown = 0;

	for (uint32_t i = 0; i < m->nr_paths && shown < FEW_PATHS; i++) {
		const struct miss_path *p = &m->path[i];

		if (p->function != s->function || p->object != s->object || !p->nr || !all)
			continue;
		fprintf(fp, "  %5.1f%%", 100.0 * (double)p->misses / (double)all);
		for (unsigned k = 0; k < p->nr; k++) {
			const char *name = strtab__name(&r->session->names, p->caller[k]);

			fprintf(fp, " < %.40s", *name ? name : "?");
		}
		fputc('\n', fp);
		shown++;
	}
}

static const char *class_name(int class)
{
	return class < MIG_NR_CLASS ? mig_class__name((enum mig_cause_class) class) : "unknown";
}

static void print_symbol(const struct report *r, const struct miss_symbol *s,
			 const uint64_t run[MIG_NR_MOVED], FILE *fp)
{
	const uint64_t *n = s->samples, *misses = s->misses;
	const char *name = strtab__name(&r->session->names, s->function);

	stdio__name(fp, *name ? name : "-", 26, true);
	fputc(' ', fp);
	stdio__name(fp, strtab__name(&r->session->names, s->object), 12, true);
	fprintf(fp, " %7" PRIu64, misses[MIG_MOVED]);
	print_rate(fp, misses[MIG_MOVED], run[MIG_MOVED], n[MIG_MOVED]);
	fprintf(fp, " %7" PRIu64, misses[MIG_STAYED]);
	print_rate(fp, misses[MIG_STAYED], run[MIG_STAYED], n[MIG_STAYED]);
	if (n[MIG_MOVED] >= MIG_MIN_SLICES && n[MIG_STAYED] >= MIG_MIN_SLICES && run[MIG_MOVED] &&
	    run[MIG_STAYED])
		fprintf(fp, " %6.2f",
			(double)misses[MIG_MOVED] / (double)run[MIG_MOVED] /
				((double)misses[MIG_STAYED] / (double)run[MIG_STAYED]));
	else
		fprintf(fp, " %6s", "-");
	fputc('\n', fp);
	if (r->verbose)
		print_callers(r, s, fp);
	if (!r->verbose || !misses[MIG_MOVED])
		return;
	fputs("  after moves by: ", fp);
	stdio__shares(fp, s->moved_by, MIG_NR_CLASS + 1, class_name, 0.5);
	fputc('\n', fp);
}

static void print_unknown(const struct report *r, FILE *fp)
{
	const struct miss_symbols *m = &r->symbols;

	for (uint32_t i = 0; i < m->nr_unknown && (r->verbose || i < 5); i++)
		fprintf(fp, "no symbols of %.40s: %s (%" PRIu64 " samples)\n",
			strtab__name(&r->session->names, m->unknown[i].object),
			strtab__name(&r->session->names, m->unknown[i].why), m->unknown[i].samples);
}

void stdio__symbols(const struct report *r, FILE *fp)
{
	const struct miss_symbols *m = &r->symbols;
	const uint64_t run[MIG_NR_MOVED] = { [MIG_MOVED] = stdio__symbols_run(r, MIG_SIDE_MOVED),
					     [MIG_STAYED] =
						     stdio__symbols_run(r, MIG_SIDE_STAYED) };
	uint32_t few = r->verbose || m->nr < FEW ? m->nr : FEW;
	char moved[16], stayed[16];

	if (!m->nr) {
		fputs("No sampled misses with an address: perf migstat record --miss-sample.\n",
		      fp);
		return;
	}
	mig_ns__print(run[MIG_MOVED], moved, sizeof(moved));
	mig_ns__print(run[MIG_STAYED], stayed, sizeof(stayed));
	fprintf(fp, "%s%-39s %16s %16s%s\n", color__title(), "misses of", "after a move",
		"where it stayed", color__reset());
	fprintf(fp, "%s%-26s %-12s %7s %8s %7s %8s %6s%s\n", color__title(), "function", "in", "n",
		"/ms", "n", "/ms", "ratio", color__reset());
	for (uint32_t i = 0; i < few; i++)
		print_symbol(r, &m->symbol[i], run, fp);
	if (few < m->nr)
		fprintf(fp, "(%u more)\n", m->nr - few);
	fprintf(fp, "%-39s %7" PRIu64 " %8s %7" PRIu64 "\n", "total", m->misses[MIG_MOVED], "",
		m->misses[MIG_STAYED]);
	fprintf(fp,
		"run time of slices after a move %s, of others %s; of %" PRIu64
		" misses the\nslice is not known. ratio: of both per ms, from %d samples a side "
		"on.\n",
		moved, stayed, m->misses[MIG_MOVED_UNKNOWN], MIG_MIN_SLICES);
	print_unknown(r, fp);
}

int stdio__separated_symbols(const struct report *r, const char *sep, FILE *fp)
{
	const struct miss_symbols *m = &r->symbols;

	fprintf(fp, "function%sin%smoved%smoved_samples%sstayed%sstayed_samples%sunknown\n", sep,
		sep, sep, sep, sep, sep);
	for (uint32_t i = 0; i < m->nr; i++) {
		const struct miss_symbol *s = &m->symbol[i];

		fprintf(fp,
			"%s%s%s%s%" PRIu64 "%s%" PRIu64 "%s%" PRIu64 "%s%" PRIu64 "%s%" PRIu64 "\n",
			strtab__name(&r->session->names, s->function), sep,
			strtab__name(&r->session->names, s->object), sep, s->misses[MIG_MOVED], sep,
			s->samples[MIG_MOVED], sep, s->misses[MIG_STAYED], sep,
			s->samples[MIG_STAYED], sep, s->misses[MIG_MOVED_UNKNOWN]);
	}
	return ferror(fp) ? -EIO : 0;
}
