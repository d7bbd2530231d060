// SPDX-License-Identifier: GPL-2.0
/*
 * mechanism: by what a task was woken, from the names in the callchain of sched_waking.
 *
 * One table of kernel function names (6.1 to 6.18, and the older names that are still met) with a
 * rank each. The lowest rank present decides, the leaf-most frame within it. Names that exist
 * everywhere (try_to_wake_up, __wake_up_common, sock_def_readable, ...) are not in the table.
 */
#include "mechanism.h"

#include <stdint.h>
#include <string.h>
#include <threads.h>

/*
 * Leaf-most alone is not enough: do_notify_parent() sends a signal and wakes a wait queue,
 * completions are used by everyone, and a tail call (process_timeout() -> wake_up_process()) leaves
 * nothing but the outermost function of the context.
 */
enum rank {
	/* the function belongs to one mechanism */
	RANK_OWN,
	/* sends a signal: what an exiting child or a POSIX timer may also do */
	RANK_SIGNAL,
	/* outermost function of a timer, work item or stopper: the step between is not visible */
	RANK_ROOT,
	/* says how, when nobody says why */
	RANK_HELPER,
	/* like RANK_ROOT, but only if no other function is between it and the wakeup */
	RANK_DIRECT,
};

struct rule {
	enum mig_mechanism mech;
	enum rank rank;
	const char *const *names; /* NULL-terminated */
};

#define NAMES(...) ((const char *const[]){ __VA_ARGS__, NULL })

static const struct rule rules[] = {
	{ MIG_MECH_FUTEX, RANK_OWN,
	  NAMES("futex_wake", "futex_wake_op", "futex_requeue", "futex_wake_mark",
		"mark_wake_futex", "handle_futex_death", "exit_robust_list",
		"futex_exit_release") },
	{ MIG_MECH_FUTEX, RANK_ROOT, NAMES("do_futex", "__x64_sys_futex", "__arm64_sys_futex") },
	{ MIG_MECH_FUTEX_PI, RANK_OWN,
	  NAMES("futex_unlock_pi", "wake_futex_pi", "rt_mutex_futex_unlock",
		"__rt_mutex_futex_unlock", "exit_pi_state_list", "requeue_pi_wake_futex") },
	{ MIG_MECH_FUTEX_PI, RANK_HELPER, NAMES("rt_mutex_postunlock") },
	{ MIG_MECH_PIPE, RANK_OWN,
	  NAMES("pipe_write", "anon_pipe_write", "fifo_pipe_write", "pipe_read", "anon_pipe_read",
		"fifo_pipe_read", "pipe_release", "fifo_open", "splice_to_pipe", "do_splice",
		"splice_pipe_to_pipe", "splice_from_pipe_next", "wakeup_pipe_readers",
		"wakeup_pipe_writers", "do_tee", "link_pipe", "pipe_fcntl", "pipe_resize_ring") },
	{ MIG_MECH_UNIX, RANK_OWN,
	  NAMES("unix_stream_sendmsg", "unix_dgram_sendmsg", "unix_seqpacket_sendmsg",
		"unix_write_space", "unix_stream_read_generic", "unix_stream_recvmsg",
		"__unix_dgram_recvmsg", "unix_dgram_recvmsg", "unix_dgram_disconnected",
		"unix_dgram_peer_wake_relay", "unix_release_sock", "unix_release",
		"unix_stream_connect", "unix_accept", "unix_shutdown", "unix_stream_sendpage",
		"unix_state_change") },
	{ MIG_MECH_TCP, RANK_OWN,
	  NAMES("tcp_v4_rcv", "tcp_v6_rcv", "tcp_v4_do_rcv", "tcp_v6_do_rcv", "tcp_rcv_established",
		"tcp_rcv_state_process", "tcp_data_ready", "tcp_data_queue", "tcp_child_process",
		"tcp_fin", "tcp_reset", "tcp_done", "tcp_done_with_error", "tcp_new_space",
		"tcp_check_space", "tcp_ack", "sk_stream_write_space", "tcp_shutdown", "tcp_close",
		"__tcp_close", "tcp_write_err", "tcp_keepalive_timer", "tcp_write_timer_handler",
		"tcp_delack_timer_handler", "tcp_backlog_rcv") },
	{ MIG_MECH_UDP, RANK_OWN,
	  NAMES("__udp_enqueue_schedule_skb", "udp_queue_rcv_skb", "udp_queue_rcv_one_skb",
		"udp_unicast_rcv_skb", "__udp4_lib_mcast_deliver", "__udp4_lib_rcv", "udp_rcv",
		"udpv6_queue_rcv_skb", "udpv6_queue_rcv_one_skb", "udp6_unicast_rcv_skb",
		"__udp6_lib_mcast_deliver", "__udp6_lib_rcv", "udpv6_rcv", "udp_recvmsg",
		"udpv6_recvmsg", "skb_consume_udp", "udp_err", "__udp4_lib_err",
		"__udp6_lib_err") },
	{ MIG_MECH_EPOLL, RANK_OWN,
	  NAMES("ep_poll_callback", "ep_done_scan", "ep_scan_ready_list", "ep_send_events",
		"ep_poll", "do_epoll_wait", "ep_insert", "ep_modify", "do_epoll_ctl",
		"ep_autoremove_wake_function") },
	{ MIG_MECH_POLL, RANK_OWN, NAMES("pollwake") },
	{ MIG_MECH_EVENTFD, RANK_OWN,
	  NAMES("eventfd_write", "eventfd_read", "eventfd_signal", "eventfd_signal_mask",
		"eventfd_release", "eventfd_ctx_remove_wait_queue") },
	{ MIG_MECH_TIMERFD, RANK_OWN,
	  NAMES("timerfd_tmrproc", "timerfd_triggered", "timerfd_alarmproc",
		"timerfd_clock_was_set") },
	{ MIG_MECH_TIMER, RANK_OWN,
	  NAMES("hrtimer_wakeup", "process_timeout", "posix_timer_fn", "posix_timer_event",
		"it_real_fn", "alarm_handle_timer", "alarmtimer_fired", "alarmtimer_nsleep_wakeup",
		"run_posix_cpu_timers", "posix_cpu_timers_work", "handle_posix_cpu_timers",
		"check_process_timers", "check_thread_timers", "cpu_timer_fire") },
	{ MIG_MECH_TIMER, RANK_ROOT,
	  NAMES("call_timer_fn", "expire_timers", "__run_timers", "__hrtimer_run_queues",
		"hrtimer_run_softirq") },
	{ MIG_MECH_CHILD_EXIT, RANK_OWN,
	  NAMES("do_notify_parent", "do_notify_parent_cldstop", "__wake_up_parent",
		"do_notify_pidfd", "exit_notify", "release_task", "wait_task_zombie") },
	{ MIG_MECH_SIGNAL, RANK_SIGNAL,
	  NAMES("complete_signal", "signal_wake_up_state", "signal_wake_up", "send_sigqueue",
		"__send_signal", "__send_signal_locked", "send_signal_locked", "do_send_sig_info",
		"group_send_sig_info", "do_send_specific", "do_tkill", "kill_pid_info",
		"kill_pid_info_type", "__kill_pgrp_info", "kill_pgrp", "kill_fasync",
		"send_sigio_to_task", "zap_other_threads", "ptrace_stop", "ptrace_resume",
		"ptrace_request", "ptrace_attach", "ptrace_detach", "set_notify_signal",
		"signalfd_cleanup") },
	{ MIG_MECH_SEM, RANK_OWN,
	  NAMES("__do_semtimedop", "do_semtimedop", "do_semop", "wake_up_sem_queue_do",
		"semctl_main", "semctl_setval", "freeary", "exit_sem") },
	{ MIG_MECH_MSG, RANK_OWN,
	  NAMES("do_msgsnd", "do_msgrcv", "ss_wakeup", "expunge_all", "pipelined_send", "freeque",
		"do_mq_timedsend", "do_mq_timedreceive", "__do_notify") },
	{ MIG_MECH_IO, RANK_OWN,
	  NAMES("bio_endio", "blk_update_request", "blk_mq_end_request", "__blk_mq_end_request",
		"blk_mq_end_request_batch", "blk_mq_complete_request", "blk_mq_free_request",
		"blk_mq_put_tag", "blk_end_sync_rq", "blk_done_softirq", "blk_complete_reqs",
		"flush_end_io", "blk_flush_complete_seq", "submit_bio_wait_endio",
		"end_bio_bh_io_sync", "iomap_dio_bio_end_io", "iomap_dio_complete",
		"dio_bio_end_aio", "dio_bio_end_io", "blkdev_bio_end_io",
		"blkdev_bio_end_io_simple", "mpage_end_io", "ext4_end_bio", "virtblk_done",
		"nvme_process_cq", "nvme_irq", "nvme_poll_cq", "scsi_done", "scsi_io_completion",
		"scsi_end_request") },
	{ MIG_MECH_IO, RANK_OWN,
	  NAMES("folio_wake_bit", "folio_wake", "wake_up_page_bit", "folio_unlock", "unlock_page",
		"folio_end_read", "folio_end_writeback", "end_page_writeback", "unlock_buffer",
		"end_buffer_read_sync", "end_buffer_write_sync", "end_buffer_async_read",
		"end_buffer_async_write", "journal_end_buffer_io_sync",
		"jbd2_journal_commit_transaction", "jbd2_log_start_commit",
		"__jbd2_log_start_commit", "jbd2_journal_stop", "finish_writeback_work",
		"wb_workfn", "sbitmap_queue_wake_up", "sbitmap_queue_clear", "__sbq_wake_up",
		"rq_qos_wake_function", "wbt_done", "__wbt_done", "aio_complete", "aio_complete_rw",
		"fuse_request_end") },
	{ MIG_MECH_IO, RANK_OWN,
	  NAMES("io_req_task_work_add", "__io_req_task_work_add", "io_req_local_work_add",
		"io_req_normal_work_add", "io_cqring_ev_posted", "__io_commit_cqring_flush",
		"io_cqring_wake", "io_poll_wake", "io_wq_enqueue", "io_wq_activate_free_worker",
		"io_wq_create_worker", "io_complete_rw") },
	{ MIG_MECH_IO, RANK_HELPER,
	  NAMES("wake_up_bit", "__wake_up_bit", "clear_and_wake_up_bit", "wake_bit_function",
		"wake_page_function") },
	{ MIG_MECH_WORKQUEUE, RANK_OWN,
	  NAMES("__queue_work", "insert_work", "queue_work_on", "queue_work_node",
		"queue_delayed_work_on", "__queue_delayed_work", "mod_delayed_work_on",
		"delayed_work_timer_fn", "rcu_work_rcufn", "queue_rcu_work", "kick_pool",
		"wake_up_worker", "wq_worker_sleeping", "wq_worker_tick", "create_worker",
		"worker_enter_idle", "pool_mayday_timeout", "send_mayday", "init_rescuer",
		"start_flush_work", "__flush_work", "flush_work", "__flush_workqueue",
		"flush_workqueue_prep_pwqs", "wq_barrier_func", "pwq_dec_nr_in_flight",
		"pwq_activate_inactive_work", "pwq_activate_first_inactive",
		"workqueue_offline_cpu", "workqueue_online_cpu", "unbind_workers", "rebind_workers",
		"put_unbound_pool", "set_worker_dying", "wake_dying_workers", "idle_cull_fn") },
	{ MIG_MECH_WORKQUEUE, RANK_ROOT,
	  NAMES("process_one_work", "process_scheduled_works", "worker_thread", "rescuer_thread") },
	{ MIG_MECH_KTHREAD, RANK_OWN,
	  NAMES("__kthread_create_on_node", "kthread_create_on_node", "kthread_create_on_cpu",
		"__kthread_create_worker", "kthread_stop", "kthread_park", "kthread_unpark",
		"__kthread_parkme", "kthread_parkme", "kthread_exit", "kthread_complete_and_exit",
		"kthread_queue_work", "kthread_insert_work", "kthread_queue_delayed_work",
		"kthread_delayed_work_timer_fn", "smpboot_park_threads", "smpboot_unpark_threads",
		"cpuhp_kick_ap", "__cpuhp_kick_ap", "bringup_cpu", "wakeup_softirqd",
		"raise_softirq", "raise_softirq_irqoff", "__raise_softirq_irqoff_ksoft",
		"dev_cpu_dead", "takeover_tasklets", "irq_wake_thread", "__irq_wake_thread",
		"irq_wake_secondary") },
	{ MIG_MECH_KTHREAD, RANK_OWN,
	  NAMES("cpu_stop_queue_work", "cpu_stop_queue_two_works", "queue_stop_cpus_work",
		"stop_one_cpu", "stop_one_cpu_nowait", "stop_two_cpus", "stop_machine_cpuslocked",
		"__stop_cpus", "stop_cpus", "wakeup_kswapd", "wake_all_kswapds", "wakeup_kcompactd",
		"khugepaged_enter_vma", "__khugepaged_enter", "__ksm_enter", "queue_oom_reaper",
		"wake_oom_reaper", "audit_log_end", "md_wakeup_thread") },
	{ MIG_MECH_KTHREAD, RANK_ROOT,
	  NAMES("cpu_stopper_thread", "migration_cpu_stop", "cpuhp_thread_fun",
		"kthread_worker_fn") },
	{ MIG_MECH_KTHREAD, RANK_DIRECT,
	  NAMES("handle_softirqs", "__do_softirq", "run_ksoftirqd", "irq_exit", "irq_exit_rcu",
		"__irq_exit_rcu", "__local_bh_enable_ip", "kthread", "kthreadd", "vma_merge",
		"do_huge_pmd_anonymous_page") },
	{ MIG_MECH_RCU, RANK_OWN,
	  NAMES("rcu_core", "rcu_core_si", "rcu_cpu_kthread", "rcu_do_batch", "rcu_sched_clock_irq",
		"invoke_rcu_core", "rcu_gp_init", "rcu_gp_cleanup", "rcu_gp_fqs_loop",
		"rcu_gp_kthread", "rcu_gp_kthread_wake", "rcu_accelerate_cbs", "rcu_report_qs_rdp",
		"rcu_report_qs_rnp", "rcu_report_qs_rsp", "rcu_report_exp_rnp",
		"__rcu_report_exp_rnp", "rcu_report_exp_cpu_mult", "rcu_exp_handler",
		"rcu_exp_wait_wake", "rcu_exp_sel_wait_wake", "rcu_preempt_deferred_qs_irqrestore",
		"rcu_preempt_deferred_qs", "rcu_read_unlock_special", "rcu_note_context_switch",
		"rcutree_report_cpu_dead", "wakeme_after_rcu", "call_rcu", "__call_rcu_common",
		"call_rcu_hurry", "synchronize_rcu", "synchronize_rcu_expedited",
		"synchronize_rcu_normal", "rcu_barrier", "rcu_barrier_callback",
		"rcu_sr_normal_complete", "nocb_gp_wait", "nocb_cb_wait", "rcu_nocb_gp_kthread",
		"rcu_nocb_cb_kthread", "__wake_nocb_gp", "wake_nocb_gp", "do_nocb_deferred_wakeup",
		"do_nocb_deferred_wakeup_timer", "call_rcu_tasks_generic", "rcu_tasks_invoke_cbs",
		"rcu_tasks_one_gp", "srcu_gp_end", "rcu_boost_kthread", "rcu_initiate_boost") },
	{ MIG_MECH_MUTEX, RANK_OWN,
	  NAMES("__mutex_unlock_slowpath", "mutex_unlock", "ww_mutex_unlock", "__ww_mutex_die",
		"__ww_mutex_wound", "rt_mutex_slowunlock", "rt_mutex_unlock", "rt_spin_unlock",
		"up", "__up") },
	{ MIG_MECH_RWSEM, RANK_OWN,
	  NAMES("rwsem_wake", "rwsem_mark_wake", "rwsem_downgrade_wake", "up_write", "up_read",
		"__up_write", "__up_read", "downgrade_write", "percpu_up_write", "percpu_up_read",
		"__percpu_up_read", "percpu_rwsem_wake_function", "rwbase_write_unlock",
		"__rwbase_read_unlock", "vma_refcount_put") },
	{ MIG_MECH_COMPLETION, RANK_HELPER,
	  NAMES("complete", "complete_all", "complete_with_flags", "complete_on_current_cpu",
		"complete_vfork_done") },
};

static const char *const mechanism_names[MIG_NR_MECH] = {
	[MIG_MECH_UNKNOWN] = "unknown",
	[MIG_MECH_FUTEX] = "futex",
	[MIG_MECH_FUTEX_PI] = "futex-pi",
	[MIG_MECH_PIPE] = "pipe",
	[MIG_MECH_UNIX] = "unix",
	[MIG_MECH_TCP] = "tcp",
	[MIG_MECH_UDP] = "udp",
	[MIG_MECH_EPOLL] = "epoll",
	[MIG_MECH_POLL] = "poll",
	[MIG_MECH_EVENTFD] = "eventfd",
	[MIG_MECH_TIMER] = "timer",
	[MIG_MECH_TIMERFD] = "timerfd",
	[MIG_MECH_SIGNAL] = "signal",
	[MIG_MECH_CHILD_EXIT] = "child-exit",
	[MIG_MECH_SEM] = "sem",
	[MIG_MECH_MSG] = "msg",
	[MIG_MECH_IO] = "io",
	[MIG_MECH_WORKQUEUE] = "workqueue",
	[MIG_MECH_KTHREAD] = "kthread",
	[MIG_MECH_RCU] = "rcu",
	[MIG_MECH_MUTEX] = "mutex",
	[MIG_MECH_RWSEM] = "rwsem",
	[MIG_MECH_COMPLETION] = "completion",
	[MIG_MECH_OTHER] = "other",
};

/* Interrupt entries that no pattern below covers. */
static const char *const irq_entries[] = {
	/* x86, with the names before 5.8 */
	"asm_exc_nmi",
	"exc_nmi",
	"nmi",
	"end_repeat_nmi",
	"apic_timer_interrupt",
	"smp_apic_timer_interrupt",
	"reschedule_interrupt",
	"smp_reschedule_interrupt",
	"scheduler_ipi",
	"call_function_interrupt",
	"smp_call_function_interrupt",
	"call_function_single_interrupt",
	"smp_call_function_single_interrupt",
	"asm_spurious_interrupt",
	"fred_extint",
	/* arm64, arm */
	"el1_interrupt",
	"el0_interrupt",
	"el1_irq",
	"el0_irq",
	"el1_fiq",
	"el0_fiq",
	"__el0_irq_handler_common",
	"do_interrupt_handler",
	"gic_handle_irq",
	"__irq_svc",
	"__irq_usr",
	"asm_do_IRQ",
	/* riscv, loongarch, mips */
	"riscv_intc_irq",
	"riscv_intc_aia_irq",
	"handle_riscv_irq",
	"do_irq",
	"do_vint",
	"handle_loongarch_irq",
	"plat_irq_dispatch",
	"handle_int",
	/* s390, powerpc, sparc */
	"do_io_irq",
	"do_ext_irq",
	"io_int_handler",
	"ext_int_handler",
	"do_IRQ",
	"__do_IRQ",
	"__do_irq",
	"timer_interrupt",
	"doorbell_exception",
	"performance_monitor_exception",
	"hardware_interrupt_common",
	"hardware_interrupt_common_virt",
	"decrementer_common",
	"decrementer_common_virt",
	"doorbell_super_common",
	"doorbell_super_common_virt",
	"h_virt_irq_common",
	"h_virt_irq_common_virt",
	"__replay_soft_interrupts",
	"replay_soft_interrupts",
	"handler_irq",
	/* every architecture: the first common functions below the entry */
	"generic_handle_arch_irq",
	"generic_handle_domain_irq",
	"__handle_domain_irq",
	"handle_domain_irq",
};

static bool name__starts(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

/* Length without a compiler suffix; a leading dot is PowerPC's entry point. */
static size_t name__len(const char **name)
{
	if (**name == '.')
		++*name;
	return strcspn(*name, ".");
}

static bool name__is(const char *name, size_t len, const char *func)
{
	return !strncmp(name, func, len) && !func[len];
}

/* An open-addressing index over the table, so that a frame costs one or two comparisons. */
#define INDEX_SIZE 2048

struct rule_slot {
	const char *name;
	const struct rule *rule;
};

static struct rule_slot rule_index[INDEX_SIZE];
static once_flag rule_index_once = ONCE_FLAG_INIT;

static uint32_t name__hash(const char *name, size_t len)
{
	uint32_t hash = 2166136261U;

	while (len--)
		hash = (hash ^ (unsigned char)*name++) * 16777619U;
	return hash;
}

static void rule_index__build(void)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		for (const char *const *name = rules[i].names; *name; name++) {
			uint32_t pos = name__hash(*name, strlen(*name)) % INDEX_SIZE;

			while (rule_index[pos].name)
				pos = (pos + 1) % INDEX_SIZE;
			rule_index[pos] = (struct rule_slot){ *name, &rules[i] };
		}
	}
}

static const struct rule *rule__find(const char *name, size_t len)
{
	uint32_t pos = name__hash(name, len) % INDEX_SIZE;

	call_once(&rule_index_once, rule_index__build);
	for (; rule_index[pos].name; pos = (pos + 1) % INDEX_SIZE) {
		if (name__is(name, len, rule_index[pos].name))
			return rule_index[pos].rule;
	}
	return NULL;
}

const char *mig_mechanism__name(int mech)
{
	return (unsigned)mech < MIG_NR_MECH ? mechanism_names[mech] : "unknown";
}

int mig_mechanism__parse(const char *name)
{
	for (int i = 0; name && i < MIG_NR_MECH; i++) {
		if (!strcmp(name, mechanism_names[i]))
			return i;
	}
	return -1;
}

bool mig_frame__is_irq_entry(const char *name)
{
	static const char suffix[] = "common_interrupt";
	size_t len;

	if (!name)
		return false;
	len = name__len(&name);
	if (name__starts(name, "asm_sysvec_") || name__starts(name, "sysvec_") ||
	    name__starts(name, "__sysvec_") || name__starts(name, "fred_sysvec_"))
		return true;
	/* el1h_64_irq_handler, el0t_32_fiq, ... */
	if (len > 4 && (name__starts(name, "el1") || name__starts(name, "el0")) &&
	    (strstr(name, "_irq") || strstr(name, "_fiq")))
		return true;
	if (len >= strlen(suffix) && !strncmp(name + len - strlen(suffix), suffix, strlen(suffix)))
		return true;
	for (size_t i = 0; i < sizeof(irq_entries) / sizeof(irq_entries[0]); i++) {
		if (name__is(name, len, irq_entries[i]))
			return true;
	}
	return false;
}

/* The tracepoint's own frames: seen above try_to_wake_up() when it has several users. */
static bool frame__is_tracer(const char *name)
{
	return name__starts(name, "__traceiter_") || name__starts(name, "perf_trace_") ||
	       name__starts(name, "trace_event_raw_event_") || name__starts(name, "__bpf_trace_") ||
	       name__starts(name, "perf_tp_event") || name__starts(name, "ftrace_");
}

/* The wakeup itself and the helpers that say nothing about its reason. */
static bool frame__is_core(const char *name)
{
	return name__starts(name, "try_to_wake_up") || name__starts(name, "wake_up_process") ||
	       name__starts(name, "wake_up_q") || name__starts(name, "wake_up_state") ||
	       name__starts(name, "default_wake_function") || name__starts(name, "__wake_up") ||
	       name__starts(name, "swake_up") || name__starts(name, "complete") ||
	       name__starts(name, "autoremove_wake_function") ||
	       name__starts(name, "woken_wake_function") || name__starts(name, "do_softirq");
}

/*
 * On the way back to user mode the task itself runs, with signals and exits of its own, though the
 * interrupt that it came by stands further out in the chain.
 */
static bool frame__is_user_exit(const char *name)
{
	static const char *const exits[] = {
		"irqentry_exit_to_user_mode", "exit_to_user_mode_prepare", "exit_to_user_mode_loop",
		"exit_to_user_mode",          "prepare_exit_to_usermode",  "do_notify_resume"
	};

	for (size_t i = 0; i < sizeof(exits) / sizeof(exits[0]); i++)
		if (!strcmp(name, exits[i]))
			return true;
	return false;
}

/* Softirqs that run at the end of an interrupt: an entry follows, on some architectures unseen. */
static bool frame__is_irq_exit(const char *name)
{
	return !strcmp(name, "__irq_exit_rcu") || !strcmp(name, "irq_exit_rcu") ||
	       !strcmp(name, "irq_exit");
}

/*
 * Frames beyond these do not say why: softirqs run on top of whoever enabled bottom halves (though
 * that one is the partner on loopback), the scheduler wakes helpers below any function that sleeps,
 * and a page fault can hit any copy from or to user space.
 */
static bool frame__ends_reason(const char *name, size_t len)
{
	static const char *const ends[] = { "handle_softirqs", "__do_softirq",
					    "__schedule",      "schedule",
					    "exc_page_fault",  "do_user_addr_fault",
					    "do_page_fault",   "handle_page_fault",
					    "do_mem_abort" };

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		if (name__is(name, len, ends[i]))
			return true;
	}
	return false;
}

static enum mig_mechanism chain__mechanism(const char *const *names, size_t nr)
{
	const struct rule *best = NULL;
	bool direct = true, named = false;

	for (size_t i = 0; i < nr; i++) {
		const char *name = names[i];
		const struct rule *rule;
		size_t len;

		if (!name)
			continue;
		named = true;
		len = name__len(&name);
		rule = rule__find(name, len);
		if (rule && rule->rank == RANK_DIRECT) {
			if (direct && (!best || best->rank > RANK_ROOT))
				return rule->mech;
		} else if (rule && (!best || rule->rank < best->rank)) {
			best = rule;
			if (rule->rank == RANK_OWN)
				break;
		}
		if (frame__ends_reason(name, len))
			break;
		direct = direct && frame__is_core(name);
	}
	if (best)
		return best->mech;
	return named ? MIG_MECH_OTHER : MIG_MECH_UNKNOWN;
}

/*
 * WF_SYNC reaches try_to_wake_up() through the nearest __wake_up*() only; ep_poll_callback() wakes
 * its own queue anew. Where __wake_up() and __wake_up_sync_key() both end in a tail call (6.1),
 * only __wake_up_common_lock() is left, and that can be either.
 */
static enum mig_sync chain__sync(const char *const *names, size_t nr, bool inlined_sync)
{
	enum mig_sync no = inlined_sync ? MIG_SYNC_UNKNOWN : MIG_SYNC_NO;
	bool named = false, common_lock = false;

	for (size_t i = 0; i < nr; i++) {
		const char *name = names[i];
		size_t len;

		if (!name)
			continue;
		named = true;
		len = name__len(&name);
		if (name__starts(name, "__wake_up_sync") || name__starts(name, "__wake_up_locked_"
									       "sync_key"))
			return MIG_SYNC_YES;
		if (name__is(name, len, "__wake_up_common_lock"))
			common_lock = true;
		else if (common_lock)
			return name__starts(name, "__wake_up") ? no : MIG_SYNC_UNKNOWN;
		else if (name__starts(name, "__wake_up") &&
			 !name__is(name, len, "__wake_up_common"))
			return no;
		if (frame__ends_reason(name, len))
			break;
	}
	if (common_lock || !named)
		return MIG_SYNC_UNKNOWN;
	return no;
}

void mig_chain__classify(const char *const *names, size_t nr, bool inlined_sync,
			 struct mig_chain_facts *ret_facts)
{
	struct mig_chain_facts facts = { .mechanism = MIG_MECH_UNKNOWN };
	size_t start = 0, end;

	while (start < nr && (!names[start] || frame__is_tracer(names[start])))
		start++;
	for (end = start; end < nr; end++) {
		if (names[end])
			facts.resolved = true;
		if (names[end] && frame__is_user_exit(names[end]))
			break;
		facts.irq = mig_frame__is_irq_entry(names[end]);
		if (facts.irq)
			break;
		if (names[end] && frame__is_irq_exit(names[end])) {
			facts.irq = true;
			end++;
			break;
		}
	}
	facts.mechanism = chain__mechanism(names + start, end - start);
	facts.sync = chain__sync(names + start, end - start, inlined_sync);
	*ret_facts = facts;
}
