// SPDX-License-Identifier: GPL-2.0
/*
 * Selections as typed, and which facts they show.
 */
#include "select.h"

#include <errno.h>

#include "err.h"
#include "strtab.h"
#include "tests.h"

#define SEC 1000000000ULL

static struct strtab names;

static uint32_t id(const char *s)
{
	return strtab__intern(&names, s, strlen(s));
}

static struct mig_slice slice(uint64_t time, int tid, const char *comm, int cpu)
{
	return (struct mig_slice){
		.time = time, .tid = tid, .pid = tid / 10 * 10, .comm = id(comm), .cpu = cpu
	};
}

static struct mig_wakeup wake(uint64_t time, int a, const char *an, int b, const char *bn)
{
	return (struct mig_wakeup){ .time = time,
				    .waker_tid = a,
				    .waker_pid = a / 10 * 10,
				    .waker_comm = id(an),
				    .wakee_tid = b,
				    .wakee_pid = b / 10 * 10,
				    .wakee_comm = id(bn),
				    .waker_cpu = 0,
				    .prev_cpu = 1,
				    .cpu = 2,
				    .run_cpu = 3 };
}

static bool shows_time(const struct select *s, uint64_t time)
{
	struct mig_slice f = slice(time, 11, "a", 0);

	return select__slice(s, &f);
}

/* arg shows times of `in` (up to two) and not those of `out` */
static void check_time(const char *arg, uint64_t in1, uint64_t in2, uint64_t out1, uint64_t out2)
{
	struct mig_err err = { 0 };
	struct select s;

	select__init(&s);
	is_int(select__time(&s, arg, &err), 0, arg);
	is_int(select__resolve(&s, 100 * SEC, 200 * SEC, &err), 0, "resolved");
	ok(shows_time(&s, in1) && shows_time(&s, in2), "--time %s shows its ends", arg);
	ok((out1 == UINT64_MAX || !shows_time(&s, out1)) &&
		   (out2 == UINT64_MAX || !shows_time(&s, out2)),
	   "--time %s hides what is beside them", arg);
	select__exit(&s);
}

static void times(void)
{
	static const char *const bad[] = { "x",       "1,x",     "5,3",   "-1",
					   "1.2.3",   "200%",    "50%/0", "50%/3",
					   "50%-10%", "-5%-10%", "10%",   "10%-",
					   "1e3",     "1,2,3",   "0%/1",  "99999999999999999999,",
					   "1s" };
	const uint64_t none = UINT64_MAX, first = 100 * SEC, last = 200 * SEC;
	struct mig_err err = { 0 };
	struct select s;
	size_t i;

	check_time("150,160", 150 * SEC, 160 * SEC, 150 * SEC - 1, 160 * SEC + 1);
	check_time("150.5,", 150 * SEC + SEC / 2, none - 1, 150 * SEC + SEC / 2 - 1, none);
	check_time(",0.000000001", 0, 1, 2, none);
	check_time("123.123456789,123.123456789", 123123456789, 123123456789, 123123456788,
		   123123456790);
	check_time("150", 150 * SEC, none - 1, 150 * SEC - 1, none);
	check_time("10%/1", first, 110 * SEC - 1, 110 * SEC, last);
	check_time("10%/2", 110 * SEC, 120 * SEC - 1, 110 * SEC - 1, 120 * SEC);
	check_time("10%/10", 190 * SEC, last, 190 * SEC - 1, last + 1);
	check_time("0%-10%", first, 110 * SEC - 1, 110 * SEC, first - 1);
	check_time("90%-100%", 190 * SEC, last, 190 * SEC - 1, none);
	check_time("0%-10%,30%-40%", first, 135 * SEC, 120 * SEC, 150 * SEC);
	check_time("10%/1,10%/3", first, 125 * SEC, 115 * SEC, 135 * SEC);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		int rc;

		select__init(&s);
		rc = select__time(&s, bad[i], &err);
		ok(rc == -EINVAL && strstr(err.msg, "--time") && !strchr(err.msg, '\n'),
		   "--time %s is refused in one line", bad[i]);
		select__exit(&s);
	}
	/* a recording that does not say when it began */
	select__init(&s);
	is_int(select__time(&s, "50%/1", &err), 0, "50%/1");
	is_int(select__resolve(&s, 0, 0, &err), -EINVAL, "percent without first and last sample");
	select__exit(&s);
}

static void everything(void)
{
	struct mig_err err;
	struct select s;
	struct mig_slice f = slice(1, 11, "a", -1);
	struct mig_wakeup w = wake(1, 11, "a", 21, "b");
	struct mig_migration m = { .tid = 11, .from = 0, .to = 1 };
	struct mig_fork k = { .tid = 11, .from = -1, .to = 1 };
	struct mig_sample p = { .tid = -1, .cpu = -1 };

	select__init(&s);
	ok(!select__time(&s, NULL, &err) && !select__cpus(&s, NULL, &err) &&
		   !select__pids(&s, NULL, &err) && !select__tids(&s, NULL, &err) &&
		   !select__comms(&s, NULL, &names, &err) && !select__pair(&s, NULL, &names, &err),
	   "nothing is given");
	ok(s.empty, "the selection is empty");
	ok(select__slice(&s, &f) && select__wakeup(&s, &w) && select__migration(&s, &m) &&
		   select__fork(&s, &k) && select__sample(&s, &p),
	   "and shows everything");
	select__exit(&s);
}

static void cpus(void)
{
	static const char *const bad[] = { "", "x", "1-", "3-1", "1,,2", "-1", "1 2", "70000" };
	struct mig_err err = { 0 };
	struct select s;
	struct mig_slice f = slice(1, 11, "a", 0);
	struct mig_migration m = { .from = 2, .to = 7 };
	struct mig_wakeup w = wake(1, 11, "a", 21, "b");
	size_t i;
	int cpu;

	select__init(&s);
	is_int(select__cpus(&s, "0-2,5", &err), 0, "-C 0-2,5");
	for (cpu = -1; cpu < 8; cpu++) {
		f.cpu = cpu;
		ok(select__slice(&s, &f) == (cpu == 0 || cpu == 1 || cpu == 2 || cpu == 5),
		   "slice on CPU %d", cpu);
	}
	ok(select__migration(&s, &m), "a migration by its source");
	m.from = 7;
	m.to = 5;
	ok(select__migration(&s, &m), "a migration by its destination");
	m.to = 6;
	ok(!select__migration(&s, &m), "a migration elsewhere");
	w.waker_cpu = 5;
	w.cpu = 7;
	ok(select__wakeup(&s, &w), "a wakeup by its waker's CPU");
	w.waker_cpu = 7;
	w.cpu = 0;
	ok(select__wakeup(&s, &w), "a wakeup by the chosen CPU");
	w.cpu = 7;
	ok(!select__wakeup(&s, &w), "a wakeup elsewhere");
	select__exit(&s);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		select__init(&s);
		ok(select__cpus(&s, bad[i], &err) == -EINVAL && strstr(err.msg, "-C"),
		   "-C '%s' is refused", bad[i]);
		select__exit(&s);
	}
}

static void tasks(void)
{
	static const char *const bad[] = { "", "x", "1,", "-1", "1 2", "1,x", "99999999999" };
	struct mig_err err = { 0 };
	struct select s;
	struct mig_slice a = slice(1, 11, "a", 0), b = slice(1, 12, "b", 0),
			 c = slice(1, 21, "c", 0);
	struct mig_wakeup ab = wake(1, 11, "a", 21, "c"), bc = wake(1, 12, "b", 21, "c"),
			  cc = wake(1, 31, "x", 32, "y");
	size_t i;

	select__init(&s);
	is_int(select__tids(&s, "11,21", &err), 0, "--tid 11,21");
	ok(select__slice(&s, &a) && !select__slice(&s, &b) && select__slice(&s, &c),
	   "--tid: slices of these threads");
	ok(select__wakeup(&s, &ab) && select__wakeup(&s, &bc) && !select__wakeup(&s, &cc),
	   "--tid: a wakeup by either side");
	select__exit(&s);

	select__init(&s);
	is_int(select__pids(&s, "10", &err), 0, "--pid 10");
	ok(select__slice(&s, &a) && select__slice(&s, &b) && !select__slice(&s, &c),
	   "--pid: slices of its threads");
	select__exit(&s);

	select__init(&s);
	is_int(select__comms(&s, "a,c", &names, &err), 0, "--comm a,c");
	ok(select__slice(&s, &a) && !select__slice(&s, &b) && select__slice(&s, &c),
	   "--comm: slices of these names");
	ok(select__wakeup(&s, &bc) && !select__wakeup(&s, &cc), "--comm: a wakeup by either side");
	select__exit(&s);

	/* together they narrow: pid 10 and tid 21 have nothing in common */
	select__init(&s);
	select__pids(&s, "10", &err);
	select__tids(&s, "11,21", &err);
	ok(select__slice(&s, &a) && !select__slice(&s, &b) && !select__slice(&s, &c),
	   "--pid and --tid: both must fit");
	s.either = true;
	ok(select__slice(&s, &a) && select__slice(&s, &b) && select__slice(&s, &c),
	   "record's -p and -t: one is enough");
	select__exit(&s);

	/* record's own filter follows the children */
	select__init(&s);
	s.follow = true;
	select__pids(&s, "10", &err);
	select__forked(&s, 20, 10);
	ok(select__slice(&s, &c), "a child of a selected process is selected");
	select__forked(&s, 40, 30);
	is_int((int64_t)s.nr_pids, 2, "a child of another is not");
	select__exit(&s);

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		select__init(&s);
		ok(select__pids(&s, bad[i], &err) == -EINVAL && strstr(err.msg, "--pid"),
		   "--pid '%s' is refused", bad[i]);
		ok(select__tids(&s, bad[i], &err) == -EINVAL && strstr(err.msg, "--tid"),
		   "--tid '%s' is refused", bad[i]);
		select__exit(&s);
	}
	select__init(&s);
	is_int(select__comms(&s, "a\\,b,c", &names, &err), 0, "--comm a\\,b,c");
	is_int((int64_t)s.nr_comms, 2, "--comm: a comma in a name");
	is_str(strtab__name(&names, s.comms[0]), "a,b", "--comm: that name");
	select__exit(&s);
	select__init(&s);
	is_int(select__comms(&s, ",", &names, &err), -EINVAL, "--comm , is refused");
	select__exit(&s);
}

static void pairs(void)
{
	struct mig_err err = { 0 };
	struct select s;
	struct mig_wakeup ab = wake(1, 11, "a", 21, "b"), ba = wake(1, 21, "b", 11, "a"),
			  odd = wake(1, 11, "a,b", 21, "b");
	struct mig_slice after = slice(2, 21, "b", 0), alone = slice(3, 21, "b", 0);

	after.wakeup = &ab;
	select__init(&s);
	is_int(select__pair(&s, "a,b", &names, &err), 0, "--pair a,b");
	ok(select__wakeup(&s, &ab) && !select__wakeup(&s, &ba), "--pair: this direction only");
	ok(select__slice(&s, &after) && !select__slice(&s, &alone),
	   "--pair: the slices after them");
	select__exit(&s);

	select__init(&s);
	is_int(select__pair(&s, ",b", &names, &err), 0, "--pair ,b");
	ok(select__wakeup(&s, &ab) && !select__wakeup(&s, &ba) && select__wakeup(&s, &odd),
	   "--pair: an empty side is any task");
	select__exit(&s);

	select__init(&s);
	is_int(select__pair(&s, "a,*", &names, &err), 0, "--pair a,*");
	ok(select__wakeup(&s, &ab) && !select__wakeup(&s, &ba), "--pair: * is any task");
	select__exit(&s);

	select__init(&s);
	is_int(select__pair(&s, "a\\,b,b", &names, &err), 0, "--pair a\\,b,b");
	ok(select__wakeup(&s, &odd) && !select__wakeup(&s, &ab), "--pair: a comma in a name");
	select__exit(&s);

	select__init(&s);
	is_int(select__pair(&s, "ab", &names, &err), -EINVAL, "--pair ab is refused");
	select__exit(&s);
}

/* Does the row `arg` have this wakeup? */
static bool row_of(const char *arg, bool open_irq, const struct mig_wakeup *w)
{
	struct mig_err err = { 0 };
	struct select s;
	bool has;

	select__init(&s);
	has = !select__row(&s, arg, open_irq, &names, &err) && select__wakeup(&s, w);
	select__exit(&s);
	return has;
}

static bool row_has(const char *arg, const struct mig_wakeup *w)
{
	return row_of(arg, false, w);
}

static void rows(void)
{
	struct mig_wakeup w = wake(1, 11, "a", 21, "b,c");
	struct mig_migration m = { .tid = 21, .pid = 20, .comm = id("b,c") };
	struct select s;

	w.partner = MIG_PARTNER_YES;
	ok(row_has("a,b\\,c", &w), "a row of a pair, a comma in a name");
	ok(!row_has("[irq],b\\,c", &w) && !row_has("x,b\\,c", &w), "of another waker");
	w.partner = MIG_PARTNER_NO;
	ok(!row_has("a,b\\,c", &w), "an interrupt that hit the waker is not in its row");
	ok(row_has("[irq],b\\,c", &w), "but in that of [irq]");
	ok(row_of("a,b\\,c", true, &w), "with --irq rows do not tell them apart");
	w.partner = MIG_PARTNER_YES;
	w.waker_is_recorder = true;
	ok(!row_has("a,b\\,c", &w) && row_has("[recorder],b\\,c", &w), "the recorder");
	w.waker_is_recorder = false;
	w.waker_tid = 0;
	ok(!row_has("a,b\\,c", &w) && row_has("[idle],b\\,c", &w), "idle");
	select__init(&s);
	select__row(&s, "a,b\\,c", false, &names, NULL);
	ok(select__migration(&s, &m), "the moves of a row are its wakee's");
	m.is_recorder = true;
	ok(!select__migration(&s, &m), "not those of the recorder under that name");
	select__exit(&s);
}

static void also(void)
{
	struct mig_slice in = slice(5 * SEC, 11, "a", 3), out = slice(5 * SEC, 11, "a", 4),
			 late = slice(9 * SEC, 11, "a", 3);
	struct mig_err err = { 0 };
	struct select s;

	select__init(&s);
	ok(select__slice(&s, &in), "nothing selected: all is shown");
	select__time(select__also(&s), "4,6", &err);
	ok(!s.empty && select__slice(&s, &in) && !select__slice(&s, &late),
	   "a selection within nothing else");
	select__cpus(select__also(&s), "3", &err);
	ok(select__slice(&s, &in) && !select__slice(&s, &out) && !select__slice(&s, &late),
	   "and a third one: all must fit");
	select__exit(&s);
}

int main(void)
{
	if (strtab__init(&names))
		return 1;
	everything();
	times();
	cpus();
	tasks();
	pairs();
	rows();
	also();
	strtab__exit(&names);
	return done_testing();
}
