// SPDX-License-Identifier: GPL-2.0
#include "fact-text.h"

#include <errno.h>
#include <stdarg.h>

#include "column.h"
#include "session.h"

static int line(FILE *fp, uint64_t time, const char *kind, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static int line(FILE *fp, uint64_t time, const char *kind, const char *fmt, ...)
{
	va_list ap;

	fprintf(fp, "%6lu.%09lu %-6s", (unsigned long)(time / 1000000000),
		(unsigned long)(time % 1000000000), kind);
	va_start(ap, fmt);
	vfprintf(fp, fmt, ap);
	va_end(ap);
	return putc('\n', fp) == EOF ? -EIO : 0;
}

struct text {
	char s[40];
};

/* "name/tid", "-" if unknown */
static struct text task(const struct session *s, uint32_t comm, int32_t tid)
{
	struct text t;
	char name[20];

	if (tid < 0)
		snprintf(t.s, sizeof(t.s), "-");
	else if (!tid)
		snprintf(t.s, sizeof(t.s), "[idle]");
	else
		snprintf(t.s, sizeof(t.s), "%s/%d",
			 mig_key__comm(&s->names, comm ? comm : MIG_KEY_NONE, name, sizeof(name)),
			 tid);
	return t;
}

static struct text cpu(int32_t c)
{
	struct text t;

	if (c < 0)
		snprintf(t.s, sizeof(t.s), "?");
	else
		snprintf(t.s, sizeof(t.s), "%d", c);
	return t;
}

static struct text ns(uint64_t v)
{
	struct text t;

	if (v == MIG_NULL)
		snprintf(t.s, sizeof(t.s), "-");
	else
		mig_ns__print(v, t.s, sizeof(t.s));
	return t;
}

static int print_chain(const struct session *s, uint32_t chain, FILE *fp)
{
	const char *names[CHAIN_MAX_DEPTH];
	size_t i, nr = chain_table__names(&s->chains, chain, names, CHAIN_MAX_DEPTH);

	if (!nr)
		return 0;
	fprintf(fp, "%*s", 17, "");
	for (i = 0; i < nr; i++)
		fprintf(fp, "%s%s", i ? " < " : "", names[i] ? names[i] : "?");
	return putc('\n', fp) == EOF ? -EIO : 0;
}

int fact_text__wakeup(const struct session *s, const struct mig_wakeup *f, bool chain, FILE *fp)
{
	int ret = line(fp, f->time, "wake",
		       " %-22s > %-22s cpu %s: %s>%s run %s %s %s%s delay %s%s%s",
		       task(s, f->waker_comm, f->waker_tid).s,
		       task(s, f->wakee_comm, f->wakee_tid).s, cpu(f->waker_cpu).s,
		       cpu(f->prev_cpu).s, cpu(f->cpu).s, cpu(f->run_cpu).s,
		       mig_path__name(f->path), mig_mechanism__name(f->mechanism),
		       f->sync == MIG_SYNC_YES ? " sync" : "", ns(f->delay_ns).s,
		       f->context == MIG_CTX_TASK                  ? ""
		       : f->context == MIG_CTX_SOFTIRQ             ? " in softirq"
		       : f->context == MIG_CTX_HARDIRQ             ? " in hardirq"
		       : f->context == MIG_CTX_SOFTIRQ_LIKELY_TASK ? " in softirq?"
								   : "",
		       f->lost_nearby ? " !lost" : "");

	return ret || !chain ? ret : print_chain(s, f->chain, fp);
}

int fact_text__migration(const struct session *s, const struct mig_migration *f, FILE *fp)
{
	return line(fp, f->time, "move",
		    " %-22s cpu %s>%s %s %s%s by %s queued %s, then ran after %s%s",
		    task(s, f->comm, f->tid).s, cpu(f->from).s, cpu(f->to).s,
		    mig_distance__name(f->distance), mig_cause__name(f->cause),
		    f->certain ? "" : " (likely)", task(s, f->by_comm, f->by_tid).s,
		    ns(f->queued_ns).s, ns(f->ran_after_ns).s, f->lost_nearby ? " !lost" : "");
}

int fact_text__slice(const struct session *s, const struct mig_slice *f, FILE *fp)
{
	static const char *const began[] = { "?", "wakeup", "preempt", "fork" };
	static const char *const end[] = { "?", "sleep", "preempt", "exit" };
	char misses[300] = "";
	unsigned i, n = 0;

	for (i = 0; i < s->dec.group.nr && n < sizeof(misses); i++) {
		if (f->misses[i] == MIG_NULL || sched_model__reads_refused(&s->model))
			n += (unsigned)snprintf(misses + n, sizeof(misses) - n, " %s -",
						s->dec.group.c[i].name);
		else
			n += (unsigned)snprintf(misses + n, sizeof(misses) - n, " %s %lu",
						s->dec.group.c[i].name,
						(unsigned long)f->misses[i]);
	}
	return line(fp, f->time, "ran", " %-22s cpu %s for %s %s..%s %s%s%s",
		    task(s, f->comm, f->tid).s, cpu(f->cpu).s, ns(f->length_ns).s, began[f->began],
		    end[f->end],
		    f->moved == MIG_MOVED    ? "moved"
		    : f->moved == MIG_STAYED ? "stayed"
					     : "first",
		    misses, f->lost_nearby ? " !lost" : "");
}

int fact_text__fork(const struct session *s, const struct mig_fork *f, FILE *fp)
{
	return line(fp, f->time, "fork", " %-22s > %-22s cpu %s>%s",
		    task(s, f->parent_comm, f->parent_tid).s, task(s, f->comm, f->tid).s,
		    cpu(f->from).s, cpu(f->to).s);
}
