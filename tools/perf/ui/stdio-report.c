// SPDX-License-Identifier: GPL-2.0
#include "stdio-report.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "env.h"
#include "insight.h"
#include "report.h"
#include "stdio-int.h"

/* A sentence over lines of 80 columns, and the command that shows it. */
static void print_insight(const struct insight *in, FILE *fp)
{
	const char *p = in->text;
	int column = fprintf(fp, "* ");

	while (*p) {
		size_t len = strcspn(p, " ");

		if (column > 2 && column + (int)len > 79)
			column = fprintf(fp, "\n  ") - 1;
		else if (column > 2)
			column += fprintf(fp, " ");
		column += fprintf(fp, "%.*s", (int)len, p);
		p += len + (p[len] == ' ');
	}
	fprintf(fp, ".\n  perf migstat report %s\n", in->command);
}

static void print_insights(const struct report *r, FILE *fp)
{
	struct insight found[INSIGHT_MAX];
	unsigned n = insights__find(r, found);

	if (n)
		fputc('\n', fp);
	for (unsigned i = 0; i < n; i++)
		print_insight(&found[i], fp);
}

int stdio__report(const struct report *r, FILE *fp)
{
	stdio__summary(r, fp);
	if (r->matrix)
		stdio__matrix(r, fp);
	else if (r->want_llc)
		stdio__llc(r, fp);
	else if (r->want_symbols)
		stdio__symbols(r, fp);
	else if (r->pair_detail)
		stdio__pair_detail(r, fp);
	else if (!r->sum.wakeups && r->table.detail)
		fputs("No wakeups to show pairs of; --by task shows who ran and who moved.\n", fp);
	else if (r->table.nr)
		stdio__rows(r, fp);
	if (r->table.detail && !r->pair_detail && !r->matrix && !r->want_llc && !r->want_symbols)
		stdio__top_pair(r, fp);
	if (r->want_insights)
		print_insights(r, fp);
	return ferror(fp) ? -EIO : 0;
}

/* Raw: durations in ns, shares in percent, nothing cut; a value with the separator in it is quoted.
 */
static void print_raw(const struct mig_value *v, const struct report *r, const char *sep, FILE *fp)
{
	const char *p;

	switch (v->type) {
	case MIG_V_U64:
		fprintf(fp, "%" PRIu64, v->u);
		break;
	case MIG_V_DOUBLE:
		fprintf(fp, "%.6g", v->d);
		break;
	case MIG_V_MISSES:
		if (!r->cctx.no_misses && v->misses[r->cctx.miss] != MIG_NULL)
			fprintf(fp, "%" PRIu64, v->misses[r->cctx.miss]);
		break;
	case MIG_V_TEXT:
		if (!strstr(v->text, sep) && !strchr(v->text, '"')) {
			fputs(v->text, fp);
			break;
		}
		fputc('"', fp);
		for (p = v->text; *p; p++)
			fprintf(fp, *p == '"' ? "\"\"" : "%c", *p);
		fputc('"', fp);
		break;
	default:
		break;
	}
}

static int separated_moves(const struct report *r, const char *sep, FILE *fp)
{
	unsigned i;

	fprintf(fp, "from%sto%smigrations\n", sep, sep);
	for (i = 0; i < r->moves.nr; i++) {
		const struct report_move *m = &r->moves.moves[i];

		fprintf(fp, "%d%s%d%s%" PRIu64 "\n", m->from, sep, m->to, sep, m->n);
	}
	return ferror(fp) ? -EIO : 0;
}

int stdio__separated(const struct report *r, const char *sep, FILE *fp)
{
	struct mig_value v;
	unsigned i, k;

	if (r->matrix)
		return separated_moves(r, sep, fp);
	if (r->want_symbols)
		return stdio__separated_symbols(r, sep, fp);
	if (r->want_llc)
		return stdio__separated_llc(r, sep, fp);
	for (k = 0; k < r->cols.nr; k++)
		fprintf(fp, "%s%s", k ? sep : "", r->cols.c[k]->name);
	fputc('\n', fp);
	for (i = 0; i < r->table.nr; i++) {
		if (report__below_limit(r, r->table.rows[i]))
			continue;
		for (k = 0; k < r->cols.nr; k++) {
			if (k)
				fputs(sep, fp);
			mig_column__get(r->cols.c[k], r->table.rows[i], &r->cctx, &v);
			print_raw(&v, r, sep, fp);
		}
		fputc('\n', fp);
	}
	return ferror(fp) ? -EIO : 0;
}

static void header_line(FILE *fp, const char *name, const char *value)
{
	if (value)
		fprintf(fp, "# %s : %s\n", name, value);
}

/* The clock of all times, and the wall time it stands for where the recording tells (record -k). */
static void print_clock(const struct perfdata_env *env, FILE *fp)
{
	static const char *const names[] = { "realtime",
					     "monotonic",
					     "process",
					     "thread",
					     "monotonic_raw",
					     "realtime_coarse",
					     "monotonic_coarse",
					     "boottime",
					     "realtime_alarm",
					     "boottime_alarm",
					     NULL,
					     "tai" };
	time_t wall = (time_t)(env->clock_wall_ns / 1000000000);
	struct tm tm;
	char buf[64];

	if (!env->has_clockid) {
		fprintf(fp, "# clock : perf's own (sched_clock), as perf script prints it\n");
		return;
	}
	if ((unsigned)env->clockid < sizeof(names) / sizeof(names[0]) && names[env->clockid])
		fprintf(fp, "# clock : %s", names[env->clockid]);
	else
		fprintf(fp, "# clock : %d", env->clockid);
	if (env->clock_wall_ns && localtime_r(&wall, &tm) &&
	    strftime(buf, sizeof(buf), "%Y-%m-%d %H:%M:%S %Z", &tm))
		fprintf(fp, ", %" PRIu64 ".%09" PRIu64 " is %s", env->clock_ref_ns / 1000000000,
			env->clock_ref_ns % 1000000000, buf);
	fputc('\n', fp);
}

void stdio__header(const struct session *s, FILE *fp)
{
	const struct perfdata_env *env = session__env(s);
	size_t i;

	fputs("# ========\n", fp);
	header_line(fp, "hostname", env->hostname);
	header_line(fp, "os release", env->os_release);
	header_line(fp, "perf version", env->perf_version);
	header_line(fp, "arch", env->arch);
	if (env->nr_cpus_online)
		fprintf(fp, "# nrcpus online : %u\n# nrcpus avail : %u\n", env->nr_cpus_online,
			env->nr_cpus_avail);
	header_line(fp, "cpudesc", env->cpudesc);
	header_line(fp, "cpuid", env->cpuid);
	if (env->nr_cmdline) {
		fputs("# cmdline :", fp);
		for (i = 0; i < env->nr_cmdline; i++)
			fprintf(fp, " %s", env->cmdline[i]);
		fputc('\n', fp);
	}
	print_clock(env, fp);
	for (i = 0; i < s->dec.nr_events; i++)
		fprintf(fp, "# event : name = %s, samples = %" PRIu64 "\n",
			decode__event_name(&s->dec, (unsigned)i),
			decode__event_samples(&s->dec, (unsigned)i));
	for (i = 0; i < env->nr_nodes; i++)
		fprintf(fp, "# node%u cpu list : %s\n", env->nodes[i].node, env->nodes[i].cpus);
	for (i = 0; i < env->nr_caches; i++)
		if (env->caches[i].level >= 2)
			fprintf(fp, "# L%u %s %s [%s]\n", env->caches[i].level, env->caches[i].type,
				env->caches[i].size, env->caches[i].map);
	fputs("# ========\n#\n", fp);
}
