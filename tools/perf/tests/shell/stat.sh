#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# stat: the table of a results file, values, failed runs, files that are appended to.
. "$(dirname "$0")/lib/tap.sh"
need_migstat
results=$MIG_TEST_DATA/results
stat=("$PERF_MIGSTAT" stat)

for arm in tip mg2 cost0 cost-1; do
	t_is "mail 1: $arm" "$("${stat[@]}" --table -I "$results/mail1-$arm.jsonl")" \
		"$(cat "$results/expected/mail1-$arm.txt")"
done
need_cmd perf
cd "$T_TMP" || exit 1
perf stat -e cpu-migrations true >/dev/null 2>&1 || t_skip_all "perf stat cannot count here"

t_like "the last match is the value" "$("${stat[@]}" --table --value 'v=([0-9.]+)' -- echo v=1 v=7 2>&1)" '^7 '
t_like "--value-cmd reads the output" "$("${stat[@]}" --table --value-cmd 'tr -d x' -- echo x42x 2>&1)" '^42 '
t_rc "runs are written" 0 "${stat[@]}" -r 2 --name a -o r.jsonl -- true
t_rc "and appended to" 0 "${stat[@]}" -r 1 --name a -o r.jsonl -- true
t_is "three runs" "$("${stat[@]}" --table -I r.jsonl | wc -l)" 4
t_rc "a failed run" 1 "${stat[@]}" -o f.jsonl -- sh -c 'exit 3'
t_like "is kept and marked" "$(cat f.jsonl)" '"status":"failed","exit":3'
t_like "a time limit" "$("${stat[@]}" --timeout 0.2 -- sleep 100 2>&1)" '^timeout: not done after 0.2 s'
t_rc "no group in the expression" 129 "${stat[@]}" --value abc -- true
echo hello >other
t_rc "another file is not written to" 1 "${stat[@]}" -o other -- true
t_is "and stays" "$(cat other)" "hello"
t_done
