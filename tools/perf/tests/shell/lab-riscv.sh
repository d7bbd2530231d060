#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Misses of a hardware event in sched_switch's group: sums of each task and misses of each slice are
# what an independent reader found; groups that never fitted the PMU are refused, and said to be.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/checks.sh"

need_migstat
need_cmd python3
t_checks python3 "$(dirname "$0")/lab-riscv.py"

# what a user reads of recordings whose group never counted
refused="$MIG_TEST_DATA/lab-riscv"
for f in mux2b-r4/x-bigplain grp-n4/g-migr; do
	text=$("$PERF_MIGSTAT" report --stdio -i "$refused/$f.data" 2>"$T_TMP/err")
	t_is "$f: exit code" $? 0
	t_like "$f: figures per slice are refused" "$text" \
		'dTLB-load-misses(: [0-9]+ of [0-9]+ switches came without| was counted in the group of another)'
	t_unlike "$f: nothing is called exact" "$text" 'exact per slice'
	t_is "$f: nothing on stderr" "$(cat "$T_TMP/err")" ""
done
for f in mux2b-r4/x-bigv mux2b-r4/x-hwlead; do
	text=$("$PERF_MIGSTAT" report --stdio -i "$refused/$f.data" 2>&1)
	t_is "$f: exit code" $? 0
	t_like "$f: the text says that nothing was counted" "$text" 'no samples'
	t_unlike "$f: nothing is called exact or sampled" "$text" 'exact|sampled'
done
for f in mux2b-r4/x-s mux2b-r4/y-few-1 grp-n4/g-swap48; do
	text=$("$PERF_MIGSTAT" report --stdio -i "$refused/$f.data" 2>&1)
	t_like "$f: exact" "$text" '^Misses are dTLB-load-misses, exact per slice'
	t_unlike "$f: nothing is refused" "$text" 'refused'
done
t_done
