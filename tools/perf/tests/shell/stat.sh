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
need_cmd perf python3
cd "$T_TMP" || exit 1
perf stat -e cpu-migrations true >/dev/null 2>&1 || t_skip_all "perf stat cannot count here"

# value NAME FILE WANT: what the program itself says in its output
value()
{
	t_is "--value=$1: $2" "$("${stat[@]}" --table --no-monitor --value="$1" -- cat "$results/outputs/$2.txt" |
		sed -n '2s/ .*//p')" "$3"
}

value hackbench hackbench 0.09
value perf-bench perf-bench 0.114
value schbench schbench 20
value schbench schbench-old 1786
value netperf netperf-rr 10481.21
value netperf netperf-udp 936.13
value netperf netperf-tcp 9405.64
value netperf netperf-k 55555.94
value iperf3 iperf3 10900
value iperf3 iperf3-json "$(python3 -c 'import json, sys
print("%.2f" % (json.load(open(sys.argv[1]))["end"]["sum_received"]["bits_per_second"] / 1e6))' "$results/outputs/iperf3-json.txt")"
value tbench tbench 195.06
value sysbench sysbench-cpu 3326.12
value hyperfine hyperfine 0.0138
t_like "an output that is not the program's" \
	"$("${stat[@]}" --table --value=tbench -- cat "$results/outputs/iperf3.txt" 2>&1)" '^no value: '

t_like "the last match is the value" "$("${stat[@]}" --table --value 'v=([0-9.]+)' -- echo v=1 v=7 2>&1)" '^7 '
t_like "--value-cmd reads the output" "$("${stat[@]}" --table --value-cmd 'tr -d x' -- echo x42x 2>&1)" '^42 '
t_rc "runs are written" 0 "${stat[@]}" -r 2 --name a -o r.jsonl -- true
t_rc "and appended to" 0 "${stat[@]}" -r 1 --name a -o r.jsonl -- true
t_is "three runs" "$("${stat[@]}" --table -I r.jsonl | wc -l)" 4
t_rc "a failed run" 1 "${stat[@]}" -o f.jsonl -- sh -c 'exit 3'
t_like "is kept and marked" "$(cat f.jsonl)" '"status":"failed","exit":3'
t_like "a time limit" "$("${stat[@]}" --timeout 0.2 -- sleep 100 2>&1)" '^timeout: not done after 0.2 s'
t_rc "no group in the expression" 129 "${stat[@]}" --value abc -- true
t_like "an event that perf does not know, in perf's words" "$("${stat[@]}" -e nonsuch -- true 2>&1)" \
	"^Error: perf stat counted nothing: event syntax error: '.*nonsuch'"

# a set of runs that is stopped keeps those that are done; nobody else writes to its file meanwhile
"${stat[@]}" -r 100000 --no-monitor --name long -o s.jsonl -- sleep 0.01 >s.out 2>&1 &
pid=$!
t_cleanup "kill $pid 2>/dev/null"
has_runs() { [ "$(wc -l <s.jsonl)" -ge 4 ]; }
t_wait "three runs are in the file" has_runs
t_rc "another one cannot write to it" 1 "${stat[@]}" -o s.jsonl -- true
t_like "and says so" "$("${stat[@]}" -o s.jsonl -- true 2>&1)" '^Error: s.jsonl: another perf migstat is writing to it'
kill -TERM $pid
wait $pid
t_is "stopped: exit code" $? 143
kept=$(sed -n 's/interrupted: \([0-9]*\) of 100000 runs kept/\1/p' s.out)
t_is "the runs that are done are in the file" "$(("$(wc -l <s.jsonl)" - 1))" "$kept"
t_rc "which is whole" 0 "${stat[@]}" -I s.jsonl

echo hello >other
t_rc "another file is not written to" 1 "${stat[@]}" -o other -- true
t_is "and stays" "$(cat other)" "hello"
cp "$results/foreign/hyperfine.json" other
t_rc "nor one that only compare can read" 1 "${stat[@]}" -o other -- true
t_ok "which stays" cmp other "$results/foreign/hyperfine.json"
t_rc "no file is made where nothing can be counted" 1 "${stat[@]}" -e nonsuch -o new -- true
t_not_ok "indeed" test -e new
head -c -1 r.jsonl >short.jsonl
t_rc "a file without its last line end is appended to" 0 "${stat[@]}" --name a -o short.jsonl -- true
t_is "as a line of its own" "$("${stat[@]}" --table -I short.jsonl | wc -l)" 5
t_rc "-D, --all-user, --for-each-cgroup are perf stat's" 0 "${stat[@]}" -a -D 1 --all-user \
	--for-each-cgroup / -o cg -- sleep 0.01
t_like "events of a cgroup" "$(cat cg)" '"cpu-migrations@/":[0-9]'
t_done
