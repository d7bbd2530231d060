#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A running thread that moves itself a prime number of times, recorded here and now: counted exactly, with
# its cause; and the totals are those of perf script on the same file.
#
# What perf script shows is what the kernel wrote. Kernels are known that omit scheduler events without a
# LOST record, so neither is compared with counters of another source.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/checks.sh"

need_migstat
need_cmd python3 jq perf
need_root
need_tracepoints
[ "$(nproc)" -ge 2 ] || t_skip_all "needs two CPUs"
here=$(cd "$(dirname "$0")" && pwd)
cd "$T_TMP" || exit 1
moves=23

# count FILE TID: sched_migrate_task events of that task, by perf script
count()
{
	perf script -i "$1" -F event,trace 2>/dev/null | grep sched_migrate_task | grep -c " pid=$2 "
}
# record_moves FILE: sets $tid and $seen; again if the kernel left some out
record_moves()
{
	local try out

	for try in 1 2 3; do
		out=$("${record[@]}" -o "$1" -- "$MIG_WORKLOADS/selfmove" $moves 2>"err.$try")
		read -r tid moved <<<"$out"
		[ -s "$1" ] || return 1
		seen=$(count "$1" "$tid")
		[ "$seen" -eq $moves ] && return
	done
	return 0
}
check_moves()
{
	local how=$1 file=$2

	t_is "$how: the thread moved itself $moves times" "$moved" $moves
	t_is "$how: migrations of the thread" \
		"$(ms report --json --tid "$tid" -i "$file" | jq .summary.migrations)" "$seen"
	if [ "$seen" -ne $moves ]; then
		t_skip "$how: $moves migrations" "the kernel recorded $seen, three times"
		return
	fi
	t_is "$how: all $moves by itself" \
		"$(ms report --json --tid "$tid" -i "$file" | jq -c .summary.by_cause)" "{\"affinity-self\":$moves}"
	t_is "$how: as facts" "$(ms script --json --tid "$tid" --types migration -i "$file" |
		jq -r '[.tid, .cause, .cause_coarse, .comm] | @csv' | sort -u)" "$tid,\"affinity-self\",\"affinity\",\"selfmove\""
	t_is "$how: from one CPU to the other, in turns" "$(ms script --json --tid "$tid" --types migration -i "$file" |
		jq -r '"\(.time_ns) \(.from) \(.to)"' | sort -n | awk 'NR > 1 && $2 != to { n++ } { to = $3 } END { print n + 0 }')" 0
	t_like "$how: the text" "$(ms report --by task --fine -s migrations -i "$file")" "^ +$tid selfmove +$moves "
}
ms()
{
	"$PERF_MIGSTAT" "$@" 2>>"$T_TMP/ms.err"
}

record=(perf migstat record -q --miss-event page-faults)
if record_moves own.data; then
	check_moves "perf migstat record" own.data
else
	t_ok "perf migstat record wrote a file" test -s own.data
	t_note <err.1
fi
# with nothing but the scheduler's events, as others record
record=(perf record -q -a -e 'sched:sched_switch,sched:sched_waking,sched:sched_wakeup,sched:sched_wakeup_new'
	-e 'sched:sched_migrate_task,sched:sched_process_fork,sched:sched_process_exec')
if record_moves plain.data; then
	check_moves "perf record" plain.data
else
	t_ok "perf record wrote a file" test -s plain.data
	t_note <err.1
fi
t_checks python3 "$here/live-moves.py" own.data plain.data
perf record -q -a -o - -e sched:sched_switch -e sched:sched_waking -e sched:sched_migrate_task \
	-- "$MIG_WORKLOADS/selfmove" 5 2>/dev/null >both
# the workload's own words come before the recording's magic
python3 - <<'EOF'
b = open("both", "rb").read()
open("pipe.data", "wb").write(b[b.find(b"PERFILE2"):])
EOF
if [ -s pipe.data ] && [ "$(head -c 8 pipe.data)" = PERFILE2 ]; then
	t_is "perf record -o -: migrations as perf script" \
		"$(ms report --json -i - <pipe.data | jq '.summary.migrations')" \
		"$(perf script -i - -F event <pipe.data 2>/dev/null | grep -c sched_migrate_task)"
else
	t_skip "perf record -o -" "no recording on its stdout"
fi
t_is "no words on stderr" "$(cat ms.err)" ""
t_done
