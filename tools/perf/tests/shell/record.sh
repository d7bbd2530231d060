#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Real recordings, under the real perf: what is in them, and that perf's own tools open them.
. "$(dirname "$0")/lib/tap.sh"
need_migstat
need_root
need_tracepoints
cd "$T_TMP" || exit 1

events=$(
	for e in sched_switch sched_waking sched_wakeup_new sched_migrate_task sched_process_fork \
		sched_process_exec sched_process_exit sched_move_numa sched_swap_numa; do
		perf list "sched:$e" 2>/dev/null | grep -oE "sched:$e\b"
	done | sort
)
has_samples()
{
	perf report --stats -i "$1" 2>/dev/null | grep -qE 'SAMPLE events: +[1-9]'
}

t_ok "record of a command" perf migstat record --miss-event page-faults -o a.data -- perf bench sched pipe -l 50
t_is "stdout is the command's alone" "$(perf migstat record -o b.data -- echo hello 2>/dev/null)" "hello"
t_ok "perf's tools read it" has_samples a.data
t_is "every sched event that this kernel has" "$(perf evlist -i a.data | grep -oE '^sched:[a-z_]+' | sort)" "$events"
attrs=$(perf evlist -v -i a.data)
t_like "sched_switch leads a group read with its times" "$(grep '^sched:sched_switch' <<<"$attrs")" \
	'TIME_ENABLED.TOTAL_TIME_RUNNING.ID.GROUP'
t_is "two members: page faults and cpu-migrations" "$(perf evlist -g -i a.data | grep -c '^{sched:sched_switch.*page-faults.*cpu-migrations')" 1
t_is "call chains on sched_waking alone" "$(grep CALLCHAIN <<<"$attrs" | cut -d: -f1,2)" "sched:sched_waking"
t_like "kernel frames only" "$(grep '^sched:sched_waking' <<<"$attrs")" 'exclude_callchain_user'
t_unlike "no sampling frequency on tracepoints" "$(grep -E '^(sched|irq|syscalls):' <<<"$attrs")" 'freq: 1'

bench="perf bench sched pipe -l 200"
# shellcheck disable=SC2086
perf migstat record -q -o c.data --miss-event page-faults -- $bench >/dev/null 2>&1
t_ok "the group counts: page faults of some switch are above 0" sh -c \
	"perf script -i c.data -F event,period 2>/dev/null | grep -qE '[1-9][0-9]* +page-faults'"

perf migstat record -q -o - -- true >pipe.data 2>err.txt
t_is "-o -: nothing but the recording on stdout" "$(head -c 8 pipe.data)" "PERFILE2"
t_ok "-o -: readable from a pipe" sh -c "perf script -i - <pipe.data 2>/dev/null | grep -q sched_switch"
t_is "-q: no words" "$(cat err.txt)" ""

t_ok "a second recording" perf migstat record -q -o a.data -- true
t_ok "moves the first to FILE.old, as perf does" has_samples a.data.old
t_like "perf's end lines on stderr" "$(perf migstat record -o d.data -- true 2>&1 >/dev/null)" 'perf record: Captured and wrote'

t_ok "-z --threads: a directory" perf migstat record -q -z --threads -o dir -- true
t_ok "-z --threads: has data" test -s dir/data
t_ok "--switch-output, where no single file is left" perf migstat record -q --switch-output=1M -o sw.data -- true
t_ok "--dry-run leaves no file" sh -c "perf migstat record -q --dry-run -o dry.data -- true && ! test -e dry.data"
t_ok "-e -c -g of the user's" perf migstat record -q -g -e cpu-clock -c 1000000 -o g.data -- true
t_like "-c is on the user's event alone" "$(perf evlist -v -i g.data | grep 'period=1000000' | cut -d: -f1)" '^cpu-clock/period=1000000/$'
t_unlike "-g: sched_waking has user frames, too" "$(perf evlist -v -i g.data | grep '^sched:sched_waking')" 'exclude_callchain_user'

sleep 1000 &
sleeper=$!
t_cleanup "kill $sleeper 2>/dev/null"
perf migstat record -q -p $sleeper -o p.data 2>/dev/null &
rec=$!
t_wait "a recording of -p" test -s p.data
kill $sleeper
wait $rec
t_is "-p ends with the process" "$?" 0
t_like "-p is in the recording's command line" "$(perf report --header-only -i p.data 2>/dev/null | grep -a '^# cmdline')" \
	"-- [^ ]*/perf-migstat --wait-pids $sleeper *\$"
t_like "-p records the whole system" "$(perf report --header-only -i p.data 2>/dev/null | grep -a '^# cmdline')" ' record -a '
perf migstat record -q -p 1 -o - -- sh -c 'exit 5' >pp.data 2>/dev/null
t_is "the command's exit code comes through the filter's workload" "$?" 5
t_like "the filter is in a pipe's header, too" "$(perf report --header -i - <pp.data 2>/dev/null | grep -a '^# cmdline')" \
	'-- [^ ]*/perf-migstat --workload --filter-pid 1 -- sh -c exit 5'

if perf stat -x, -e cache-misses true 2>&1 | grep -q 'not supported'; then
	said=$(perf migstat record -o n.data -- true 2>&1)
	t_is "no cache-misses here: one warning" "$(grep -c '^Warning: cache-misses' <<<"$said")" 1
	t_like "no cache-misses here: names a substitute" "$said" '--miss-event .*page-faults'
	t_ok "no cache-misses here: recorded all the same" has_samples n.data
else
	t_skip "a PMU without cache-misses" "this one has it"
fi
t_rc "an event that perf does not know" 129 perf migstat record --miss-event no_such_event -o x.data -- true
t_rc "a command that is not there" 255 perf migstat record -q -o x.data -- /no/such/command

# another user
if command -v setpriv >/dev/null; then
	said=$(cd / && setpriv --reuid 65534 --clear-groups "$PERF_MIGSTAT" record -o /dev/null -- true 2>&1)
	t_like "not root: what is refused" "$said" '^Error: (no permission to read tracefs|recording the whole system needs root)'
	t_like "not root: the cure" "$said" '^Hint: .*sudo perf migstat record'
else
	t_skip "not root" "no setpriv"
fi
if unshare -m sh -c 'umount /sys/kernel/tracing' 2>/dev/null; then
	t_ok "tracefs not mounted: it gets mounted" unshare -m sh -c \
		"umount /sys/kernel/tracing; perf migstat record -q -o m.data -- true"
else
	t_skip "tracefs not mounted" "cannot unmount it in a namespace of one's own"
fi
t_ok "few open files: the soft limit is raised" bash -c "ulimit -Sn 20; perf migstat record -q -o f.data -- true"
t_done
