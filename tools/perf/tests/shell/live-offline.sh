#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A CPU that is offline, and one that goes while it is recorded: what ran there is pushed away.
. "$(dirname "$0")/lib/tap.sh"

need_migstat
need_cmd perf taskset python3
need_root
need_tracepoints
cd "$T_TMP" || exit 1
online=/sys/devices/system/cpu/cpu1/online
[ "$(cat $online 2>/dev/null)" = 1 ] || t_skip_all "there is no CPU 1 that could go offline"
t_cleanup "echo 1 >$online"
echo 0 2>/dev/null >$online || t_skip_all "CPU 1 cannot be taken offline here"

# cpus FILE: the CPUs on which tasks ran
cpus()
{
	"$PERF_MIGSTAT" report --json -q --by cpu -i "$1" | python3 -c '
import json, sys
print(*sorted(r["cpu"] for r in json.load(sys.stdin)["rows"] if r["slices"]))'
}

t_rc "a recording with a CPU offline" 0 "$PERF_MIGSTAT" record -q -o off.data -- perf bench sched pipe -l 1000
t_is "what ran ran on the others" "$(cpus off.data | grep -cw 1)" 0
t_like "it can be reported" "$("$PERF_MIGSTAT" report --stdio -i off.data)" '^sched-pipe +sched-pipe +[0-9]'
echo 1 >$online

cat >push.sh <<E2
exec 3>spinner
taskset -c 1 bash -c 'echo \$\$ >&3; exec 3>&-; while :; do :; done' &
spinner=\$!
until [ "\$(ps -o psr= -p \$spinner | tr -d ' ')" = 1 ]; do :; done
echo 0 >$online
until [ "\$(ps -o psr= -p \$spinner | tr -d ' ')" != 1 ]; do :; done
echo 1 >$online
kill \$spinner
E2
t_rc "a recording in which a CPU goes" 0 "$PERF_MIGSTAT" record -q -o push.data -- bash push.sh
spinner=$(cat spinner)
t_is "CPU 1 is back" "$(cat $online)" 1
# kernels are known that omit events
moves=$(perf script -i push.data -F event,trace 2>/dev/null |
	sed -nE "s/.*sched_migrate_task: .* pid=$spinner .*orig_cpu=1 dest_cpu=([0-9]+).*/\1/p")
if [ -n "$moves" ]; then
	t_is "its task was pushed to another: the cause" "$("$PERF_MIGSTAT" script --json -q -i push.data --types migration |
		python3 -c '
import json, sys
print({f["cause"] for f in map(json.loads, sys.stdin) if f["tid"] == int(sys.argv[1]) and f["from"] == 1})' "$spinner")" \
		"{'hotplug-push'}"
else
	t_skip "the cause of the push" "the kernel wrote no sched_migrate_task of it"
fi
t_done
