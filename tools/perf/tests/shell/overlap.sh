#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# How long wakers run on after a wakeup, against a recount on recordings of 8 CPUs.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/checks.sh"

need_migstat
need_cmd perf python3 jq
t_checks python3 "$(dirname "$0")/overlap.py"

report=("$PERF_MIGSTAT" report -i)
pipe=$MIG_TEST_DATA/lab/6.12-d8-migstat/ms-pipe.data
syms=(--kallsyms "${pipe%/*}/kallsyms.gz")
# every wakeup through a pipe is a synchronous one, and its waker sleeps at once (bench/sched-pipe.c)
t_is "a pipe's wakeups are sync" "$("${report[@]}" "$pipe" "${syms[@]}" --json --comm sched-pipe -F +overlap |
	jq -c '[.rows[] | select(.waker == "sched-pipe" and .wakee == "sched-pipe") | .overlap | [.sync_n == .sync_of, .below_n == .of]] | unique')" '[[true,true]]'
t_is "without chains it is not known" "$("${report[@]}" "$MIG_TEST_DATA/made/base.perf.data" --json -F +overlap |
	jq -c '[.rows[].overlap.sync_of] | unique')" '[0]'
t_like "a bad threshold" "$("${report[@]}" "$pipe" --overlap-threshold x 2>&1)" "overlap-threshold x: not a time"
t_like "in text" "$("${report[@]}" "$pipe" --stdio -F wakee,+overlap)" '^wakee +% +p50 +p90 below$'
t_done
