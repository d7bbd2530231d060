#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What was lost: on which CPUs, when, and which figures it can have touched.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/checks.sh"

need_migstat
need_cmd python3 perf
here=$(cd "$(dirname "$0")" && pwd)
t_checks python3 "$here/loss.py" "$MIG_TEST_DATA/lab/6.1-n8-fmt/fmt-lost.data"

rep()
{
	"$PERF_MIGSTAT" report --stdio "$@" 2>&1
}

lost=$MIG_TEST_DATA/lab/6.1-n8-fmt/fmt-lost.data
whole=$MIG_TEST_DATA/lab/6.1-n8-migstat/ms-pipe.data
t_like "moves of a cause are marked" "$(rep -i "$lost")" '^  wakeup +51! '
t_like "and the matrix" "$(rep --matrix -i "$lost")" 'to CPU \(across\), at least: !$'
t_unlike "nothing is marked where nothing was lost: no row" "$(rep -i "$whole" | grep -v '^ *[0-9].*cpu-migr')" '^[^ ].* ! +[0-9]'
t_unlike "nor a span" "$(rep -i "$whole")" '^Lost by'
t_like "CSV has a warning beside it" "$("$PERF_MIGSTAT" report -t, -i "$lost" 2>&1 >/dev/null)" '^Warning: 5783 events were lost: '
t_is "not with -q" "$("$PERF_MIGSTAT" report -q -t, -i "$lost" 2>&1 >/dev/null)" ""
t_like "a pair says so" "$(rep --pair sched-messaging,sched-messaging -i "$lost")" '^!: [0-9]+ facts of the pair stand beside a loss'
t_done
