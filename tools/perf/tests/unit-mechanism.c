// SPDX-License-Identifier: GPL-2.0
/*
 * unit-mechanism: what woke a task, told from the names of a callchain.
 *
 * chains.tsv holds every distinct chain of sched_waking of workloads with a known mechanism,
 * recorded on 6.1, 6.12 and 6.18; the hand-made chains below cover what those do not. With the
 * wider collection at hand, the share of correct names is measured on its wakeup by wakeup.
 */
#include "tests.h"
#include "mechanism.h"

#include <glob.h>

#define MAX_FRAMES 64

struct chain {
	char text[4096];
	const char *names[MAX_FRAMES];
	size_t nr;
};

/* Frames separated by spaces; "?" is a frame without a name. */
static void chain__init(struct chain *chain, const char *text, const char *irq)
{
	char *save = NULL;

	chain->nr = 0;
	snprintf(chain->text, sizeof(chain->text), "%s %s", text,
		 irq && strcmp(irq, "-") ? irq : "");
	for (char *tok = strtok_r(chain->text, " ", &save); tok && chain->nr < MAX_FRAMES;
	     tok = strtok_r(NULL, " ", &save))
		chain->names[chain->nr++] = strcmp(tok, "?") ? tok : NULL;
}

static struct mig_chain_facts classify_sync(const char *text, const char *irq, bool inlined_sync)
{
	struct mig_chain_facts facts;
	struct chain chain;

	chain__init(&chain, text, irq);
	mig_chain__classify(chain.names, chain.nr, inlined_sync, &facts);
	return facts;
}

static struct mig_chain_facts classify(const char *text, const char *irq)
{
	return classify_sync(text, irq, false);
}

static void test_names(void)
{
	bool same = true;

	for (int i = 0; i < MIG_NR_MECH; i++)
		same = same && mig_mechanism__parse(mig_mechanism__name(i)) == i;
	ok(same, "every mechanism's name parses back");
	is_str(mig_mechanism__name(MIG_MECH_FUTEX_PI), "futex-pi", "name of futex-pi");
	is_str(mig_mechanism__name(MIG_MECH_CHILD_EXIT), "child-exit", "name of child-exit");
	is_str(mig_mechanism__name(MIG_NR_MECH), "unknown", "name of a value out of range");
	is_int(mig_mechanism__parse("hrtimer"), -1, "an unknown name");
	is_int(mig_mechanism__parse(NULL), -1, "no name");
}

static void test_irq_entries(void)
{
	static const char *const yes[] = {
		"asm_sysvec_apic_timer_interrupt",
		"sysvec_reschedule_ipi",
		"common_interrupt",
		"asm_common_interrupt",
		"__common_interrupt",
		"__sysvec_apic_timer_interrupt",
		"asm_exc_nmi",
		"exc_nmi",
		"do_IRQ",
		"el1_interrupt",
		"el1h_64_irq",
		"el1h_64_irq_handler",
		"el0t_64_irq",
		"el0t_64_fiq_handler",
		"do_irq",
		"riscv_intc_irq",
		"handle_riscv_irq",
		"do_io_irq",
		"do_ext_irq",
		"timer_interrupt",
		"smp_apic_timer_interrupt",
		"sysvec_call_function_single.isra.0",
		".do_IRQ",
	};
	static const char *const no[] = {
		"asm_exc_page_fault",   "exc_page_fault",  "el0t_64_sync",
		"el1h_64_sync_handler", "el0_svc",         "handle_exception",
		"do_syscall_64",        "handle_softirqs", "call_on_irq_stack",
		"do_IRQ_late",          "irq_thread",      "",
	};

	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
		ok(mig_frame__is_irq_entry(yes[i]), "%s is an interrupt entry", yes[i]);
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		ok(!mig_frame__is_irq_entry(no[i]), "\"%s\" is no interrupt entry", no[i]);
	ok(!mig_frame__is_irq_entry(NULL), "an unresolved frame is no interrupt entry");
}

static void test_hand_made(void)
{
	static const struct {
		const char *want, *chain, *what;
	} cases[] = {
		{ "futex", "__traceiter_sched_waking try_to_wake_up wake_up_q futex_wake do_futex",
		  "the tracepoint's own frame is skipped" },
		{ "futex", "? try_to_wake_up wake_up_q futex_wake.isra.0 ?",
		  "a suffix, unresolved ends" },
		{ "futex", "try_to_wake_up wake_up_q do_futex __x64_sys_futex",
		  "futex_wake inlined" },
		{ "futex-pi",
		  "try_to_wake_up wake_up_q rt_mutex_postunlock futex_unlock_pi do_futex",
		  "PI futex" },
		{ "epoll",
		  "try_to_wake_up default_wake_function ep_autoremove_wake_function "
		  "__wake_up_common "
		  "__wake_up ep_poll_callback __wake_up_common __wake_up_sync_key pipe_write",
		  "epoll wins over what made the file ready" },
		{ "epoll",
		  "try_to_wake_up __wake_up_common __wake_up ep_poll_callback __wake_up_common "
		  "__wake_up_sync_key do_notify_parent do_exit",
		  "epoll of a pidfd" },
		{ "poll",
		  "try_to_wake_up pollwake __wake_up_common __wake_up_sync_key sock_def_readable "
		  "tcp_rcv_established tcp_v4_rcv",
		  "poll wins over the socket" },
		{ "mutex",
		  "try_to_wake_up wake_up_q __mutex_unlock_slowpath.isra.0 pipe_write vfs_write",
		  "the mutex inside a pipe is a mutex" },
		{ "child-exit",
		  "try_to_wake_up signal_wake_up_state complete_signal __send_signal_locked "
		  "do_notify_parent do_exit",
		  "SIGCHLD is a child's exit" },
		{ "timer",
		  "try_to_wake_up complete_signal send_sigqueue posix_timer_fn "
		  "__hrtimer_run_queues",
		  "the signal of a POSIX timer" },
		{ "timer", "try_to_wake_up complete_signal __send_signal kill_pid_info it_real_fn",
		  "the signal of setitimer()" },
		{ "signal",
		  "try_to_wake_up complete_signal __send_signal kill_pgrp isig n_tty_receive_char "
		  "flush_to_ldisc process_one_work worker_thread kthread",
		  "^C sent by a worker" },
		{ "timer", "try_to_wake_up process_timeout call_timer_fn __run_timers",
		  "schedule_timeout()" },
		{ "workqueue", "try_to_wake_up kick_pool __queue_work call_timer_fn __run_timers",
		  "delayed work" },
		{ "completion", "try_to_wake_up complete mm_release exec_mmap begin_new_exec",
		  "vfork: the child's exec completes" },
		{ "kthread", "try_to_wake_up complete kthread ret_from_fork",
		  "a new kthread is up" },
		{ "completion", "try_to_wake_up complete some_driver_loop kthread ret_from_fork",
		  "a kthread completes something" },
		{ "kthread",
		  "try_to_wake_up handle_softirqs do_softirq __local_bh_enable_ip tcp_v4_do_rcv",
		  "ksoftirqd, not what enabled bottom halves" },
		{ "kthread", "try_to_wake_up __irq_exit_rcu",
		  "ksoftirqd, at the end of an interrupt" },
		{ "other", "try_to_wake_up some_softirq handle_softirqs do_softirq tcp_v4_do_rcv",
		  "an unknown softirq" },
		{ "other", "try_to_wake_up some_balancer __schedule schedule pipe_read vfs_read",
		  "a wakeup inside schedule() is not the pipe's" },
		{ "rwsem",
		  "try_to_wake_up wake_up_q rwsem_wake up_read do_user_addr_fault exc_page_fault "
		  "copy_page_from_iter pipe_write",
		  "a page fault inside write()" },
		{ "other", "try_to_wake_up some_function ksys_write", "nothing known" },
		{ "unknown", "? ? ?", "no names" },
		{ "unknown", "", "no chain" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mig_chain_facts facts = classify(cases[i].chain, NULL);

		is_str(mig_mechanism__name(facts.mechanism), cases[i].want, cases[i].what);
	}
}

static void test_irq(void)
{
	struct mig_chain_facts facts;

	facts = classify("try_to_wake_up some_driver_irq __handle_irq_event_percpu "
			 "asm_common_interrupt futex_wake do_futex",
			 NULL);
	is_str(mig_mechanism__name(facts.mechanism), "other",
	       "the interrupted task's frames are cut");
	ok(facts.irq && facts.resolved, "an interrupt, with names");
	facts = classify("try_to_wake_up wake_up_q futex_wake do_futex", NULL);
	ok(!facts.irq && facts.resolved, "no interrupt");
	facts = classify("? ?", NULL);
	ok(!facts.irq && !facts.resolved, "nothing resolved");
	facts = classify("try_to_wake_up swake_up_one rcu_core handle_softirqs __irq_exit_rcu",
			 NULL);
	ok(facts.irq, "the end of an interrupt proves one where its entry has an unknown name");
	facts = classify("try_to_wake_up sock_def_readable tcp_v4_rcv process_backlog "
			 "net_rx_action "
			 "__do_softirq call_on_irq_stack do_softirq_own_stack __local_bh_enable_ip "
			 "tcp_sendmsg el0_svc el0t_64_sync",
			 NULL);
	ok(!facts.irq && facts.mechanism == MIG_MECH_TCP, "loopback on arm64 is no interrupt");
}

static void test_sync(void)
{
	struct mig_chain_facts facts;

	facts = classify("try_to_wake_up autoremove_wake_function __wake_up_common "
			 "__wake_up_sync_key pipe_write",
			 NULL);
	is_int(facts.sync, MIG_SYNC_YES, "a pipe write is sync");
	facts = classify("try_to_wake_up autoremove_wake_function __wake_up_common __wake_up "
			 "pipe_release",
			 NULL);
	is_int(facts.sync, MIG_SYNC_NO, "a pipe's release is not");
	facts = classify("try_to_wake_up ep_autoremove_wake_function __wake_up_common __wake_up "
			 "ep_poll_callback __wake_up_common __wake_up_sync_key pipe_write",
			 NULL);
	is_int(facts.sync, MIG_SYNC_NO, "an epoll relay is not sync itself");
	facts = classify("try_to_wake_up __wake_up_common __wake_up_common_lock __wake_up_sync_key "
			 "do_notify_parent",
			 NULL);
	is_int(facts.sync, MIG_SYNC_YES, "with the lock helper not inlined");
	facts = classify("try_to_wake_up __wake_up_common __wake_up_common_lock __wake_up "
			 "pipe_release",
			 NULL);
	is_int(facts.sync, MIG_SYNC_NO, "not sync, with the lock helper not inlined");
	facts = classify("try_to_wake_up __wake_up_common __wake_up_common_lock pipe_write", NULL);
	is_int(facts.sync, MIG_SYNC_UNKNOWN, "6.1: the tail call hides which one it was");
	facts = classify("try_to_wake_up __wake_up_common eventfd_write vfs_write", NULL);
	is_int(facts.sync, MIG_SYNC_NO, "an eventfd is not sync");
	facts = classify("try_to_wake_up wake_up_q futex_wake do_futex", NULL);
	is_int(facts.sync, MIG_SYNC_NO, "a futex is not sync");
	facts = classify_sync("try_to_wake_up wake_up_q futex_wake do_futex", NULL, true);
	is_int(facts.sync, MIG_SYNC_UNKNOWN, "no proof where the function is inlined");
	facts = classify_sync("try_to_wake_up __wake_up_common __wake_up_sync_key pipe_write", NULL,
			      true);
	is_int(facts.sync, MIG_SYNC_YES, "proof all the same");
	facts = classify("?", NULL);
	is_int(facts.sync, MIG_SYNC_UNKNOWN, "no names, no answer");
}

/* Splits a line at tabs, in place; missing columns are "". */
static void line__split(char *line, const char **cols, size_t nr)
{
	line[strcspn(line, "\n")] = '\0';
	for (size_t i = 0; i < nr; i++) {
		char *tab = line ? strchr(line, '\t') : NULL;

		cols[i] = line ? line : "";
		if (tab)
			*tab++ = '\0';
		line = tab;
	}
}

static void test_chains(void)
{
	size_t nr = 0, wrong = 0, irq_wrong = 0, size = 0;
	char path[4096], *line = NULL;
	const char *cols[3];
	FILE *fp;

	snprintf(path, sizeof(path), "%s/mechanism/chains.tsv", test_data());
	fp = fopen(path, "r");
	if (!ok(fp, "%s is there", path))
		return;
	while (getline(&line, &size, fp) > 0) {
		struct mig_chain_facts facts;

		if (*line == '#')
			continue;
		line__split(line, cols, 3);
		facts = classify(cols[2], cols[1]);
		nr++;
		/* a task on its way back to user mode is no interrupt any more */
		irq_wrong += facts.irq !=
			     (strcmp(cols[1], "-") && !strstr(cols[2], "exit_to_user_mode"));
		if (strcmp(mig_mechanism__name(facts.mechanism), cols[0])) {
			wrong++;
			printf("# %s, want %s: %s\n", mig_mechanism__name(facts.mechanism), cols[0],
			       cols[2]);
		}
	}
	fclose(fp);
	free(line);
	ok(nr > 150, "%zu recorded chains", nr);
	is_int(wrong, 0, "each has its mechanism");
	is_int(irq_wrong, 0, "each is in an interrupt or not");
}

/* The workloads' recordings: which threads were woken by what, all but their start and end. */
static const struct workload {
	const char *file, *thread, *want;
} workloads[] = {
	{ "mech-futex.", "fx-", "futex" },     { "mech-pipe.", "pi-", "pipe" },
	{ "mech-unix.", "ux-", "unix" },       { "mech-tcp.", "tc-", "tcp" },
	{ "mech-udp.", "ud-", "udp" },         { "mech-epoll.", "ep-", "epoll" },
	{ "mech-poll.", "po-", "poll" },       { "mech-nanosleep.", "ns-", "timer" },
	{ "mech-timerfd.", "tf-", "timerfd" }, { "mech-signal.", "sg-", "signal" },
	{ "mech-sem.", "sm-", "sem" },         { "mech-msg.", "mq-", "msg" },
	{ "mech-io.", "io-", "io" },
};

/* Kernel threads whose name says what they wait for; it must agree with the chain. */
static const struct workload helpers[] = {
	{ "", "kworker/", "workqueue" },
	{ "", "ksoftirqd/", "kthread" },
	{ "", "migration/", "kthread" },
};

static bool workload__fits(const struct workload *wl, const char *file, const char *comm)
{
	return strstr(file, wl->file) && !strncmp(comm, wl->thread, strlen(wl->thread));
}

struct tally {
	size_t nr, good;
};

static void sweep_file(const char *path, struct tally *by_workload, struct tally *by_helper,
		       struct tally *known)
{
	FILE *fp = fopen(path, "r");
	const char *cols[10];
	char *line = NULL;
	size_t size = 0;

	while (fp && getline(&line, &size, fp) > 0) {
		struct mig_chain_facts facts;
		const char *name;

		line__split(line, cols, 10);
		if (!strcmp(cols[0], "time"))
			continue;
		facts = classify(cols[9], cols[7]);
		name = mig_mechanism__name(facts.mechanism);
		known->nr++;
		known->good += facts.mechanism != MIG_MECH_OTHER &&
			       facts.mechanism != MIG_MECH_UNKNOWN;
		for (size_t i = 0; i < sizeof(workloads) / sizeof(workloads[0]); i++) {
			if (!workload__fits(&workloads[i], path, cols[4]))
				continue;
			by_workload[i].nr++;
			by_workload[i].good += !strcmp(name, workloads[i].want);
		}
		for (size_t i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++) {
			if (!workload__fits(&helpers[i], path, cols[4]))
				continue;
			by_helper[i].nr++;
			by_helper[i].good += !strcmp(name, helpers[i].want);
		}
	}
	if (fp)
		fclose(fp);
	free(line);
}

static void tally__check(const struct tally *tally, const char *name)
{
	ok(tally->nr && tally->good * 100 >= tally->nr * 99, "%s: %zu of %zu", name, tally->good,
	   tally->nr);
}

static void test_sweep(void)
{
	struct tally by_workload[sizeof(workloads) / sizeof(workloads[0])] = { 0 };
	struct tally by_helper[sizeof(helpers) / sizeof(helpers[0])] = { 0 };
	struct tally known = { 0 };
	char pattern[4096];
	glob_t found;

	if (!shared_data()) {
		skip("wakeup by wakeup", "MIG_SHARED_DATA is not set");
		return;
	}
	snprintf(pattern, sizeof(pattern), "%s/lab/*/*.wake.tsv", shared_data());
	if (glob(pattern, 0, NULL, &found)) {
		skip("wakeup by wakeup", "no recordings with known wakeups there");
		return;
	}
	for (size_t i = 0; i < found.gl_pathc; i++)
		sweep_file(found.gl_pathv[i], by_workload, by_helper, &known);
	globfree(&found);
	for (size_t i = 0; i < sizeof(workloads) / sizeof(workloads[0]); i++)
		tally__check(&by_workload[i], workloads[i].want);
	for (size_t i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++)
		tally__check(&by_helper[i], helpers[i].thread);
	tally__check(&known, "wakeups with a known mechanism");
}

int main(void)
{
	test_names();
	test_irq_entries();
	test_hand_made();
	test_irq();
	test_sync();
	test_chains();
	test_sweep();
	return done_testing();
}
