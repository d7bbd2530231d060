#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# cost: what is measured against what must hold on any machine, all three outputs, refusals, ^C.
. "$(dirname "$0")/lib/tap.sh"
need_migstat
need_cmd jq taskset
cost=("$PERF_MIGSTAT" cost)

t_rc "a wrong size" 129 "${cost[@]}" --sizes 1K
t_rc "a wrong pattern" 129 "${cost[@]}" --pattern zigzag
t_rc "a wrong time" 129 "${cost[@]}" --time 3x
t_rc "a wrong count" 129 "${cost[@]}" -r 0
t_rc "no arguments" 129 "${cost[@]}" true
t_like "a CPU that is not there" "$("${cost[@]}" -C 4000 2>&1)" "^Error: -C 4000: this process may not use CPU 4000"
first=$(taskset -cp $$ | sed -E 's/.*: ([0-9]+).*/\1/')
t_like "one CPU is not enough" "$("${cost[@]}" -C "$first" 2>&1)" "^Error: a migration needs two CPUs, there is 1"
[ "$(nproc)" -ge 2 ] || t_skip_all "needs two CPUs"
t_like "too little time says how much" "$("${cost[@]}" --time 1ms 2>&1)" "^Hint: give at least [0-9]+ s"
cd "$T_TMP" || exit 1

# a file whose figures are compared: 16 times the lines take longer to touch, the first touch after a
# move is not faster than a warm one
t_ok "a measurement" sh -c '"$@" >cost.json' sh "${cost[@]}" --json --sizes 4K,64K --time 5s -r 60
t_is "its schema" "$(jq -r '.schema, .method' cost.json | tr '\n' ' ')" "migstat.cost/1 move "
t_is "every pair has both patterns at both sizes" \
	"$(jq -c '[.pairs[] | .points | map("\(.pattern) \(.size) \(.lines)")] | unique' cost.json)" \
	'[["seq 4096 64","seq 65536 1024","random 4096 64","random 65536 1024"]]'
t_is "each figure is its medians' difference" "$(jq '[.pairs[].points[].figures[] | select(.n > 0) |
	select((.cost_ns - (.moved_ns.median - .stay_ns.median)) | fabs > 1e-6)] | length' cost.json)" 0
t_is "quartiles are in order" "$(jq '[.pairs[].points[].figures[] | select(.n > 0) | (.stay_ns, .moved_ns) |
	select(.q1 > .median or .median > .q3)] | length' cost.json)" 0
t_is "shares of the modes add up" "$(jq '[.pairs[] | [.modes[].share] | add | . * 1000 | round] | unique[]' cost.json)" 1000
if jq -e '[.pairs[0].points[].figures[] | select(.n >= 30)] | length >= 4' cost.json >/dev/null; then
	# per mode, whichever both sizes were seen in
	t_is "16 times the lines take longer where they stay" "$(jq '[.pairs[0].points | group_by(.pattern)[] |
		. as [$small, $large] | $small.figures[] | select(.n >= 30) | .mode as $m | .stay_ns.median as $s |
		$large.figures[] | select(.mode == $m and .n >= 30 and .stay_ns.median < 3 * $s)] | length' cost.json)" 0
else
	t_skip "16 times the lines take longer" "the CPUs are too busy for 30 clean samples of each point"
fi
names()
{
	jq -r '[paths(type != "array") | map(select(type == "string")) | .[]] | unique[]' "$1"
}
t_is "every name is documented" "$(comm -23 <(names cost.json | sort -u) \
	<(grep -ohE "\`[^\` ]+\`" "$MIG_ROOT/Documentation/migstat-json.md" | tr -d "\`" | sort -u))" ""

out=$("${cost[@]}" -x ';' --sizes 4K-16K --pattern seq --time 2s -r 20)
t_is "separated values: 20 columns in every line" "$(awk -F ';' '{ print NF }' <<<"$out" | sort -u)" 20
out=$("${cost[@]}" --sizes 4K-64K --time 2s -r 20)
t_like "text says how far the CPUs are apart" "$out" "^CPUs [0-9]+ and [0-9]+ \((smt|llc|node|remote)\): "
t_is "text fits 80 columns" "$(awk 'length > 80' <<<"$out")" ""
t_like "and what follows for the kernel" "$out" "migration_cost is [0-9.]+ ms"
out=$("${cost[@]}" --all-pairs -C "$(taskset -cp $$ | sed 's/.*: //')" --sizes 4K --pattern seq --time 2s -r 20 2>&1)
[ "$(nproc)" -gt 8 ] || t_like "a matrix" "$out" "^from.to"

t_rc "a switch has no pairs" 129 "${cost[@]}" --method switch --all-pairs
t_ok "the cost of a switch" sh -c '"$@" >switch.json' sh "${cost[@]}" --method switch --json --sizes 4K,64K --time 4s
t_is "two patterns at two sizes, and the direct cost" "$(jq -c '.points | map("\(.pattern) \(.size)")' switch.json)" \
	'["null 0","seq 4096","seq 65536","random 4096","random 65536"]'
t_is "two processes take longer than one" "$(jq '.points[0] | .n == 0 or .both_ns > .single_ns' switch.json)" true
t_is "indirect is what is not direct" "$(jq '.points[0].switch_ns as $d | [.points[1:][] | select(.n > 0) |
	select((.switch_ns - $d - .indirect_ns) | fabs > 1e-6)] | length' switch.json)" 0
t_is "every name of it is documented" "$(comm -23 <(names switch.json | sort -u) \
	<(grep -ohE "\`[^\` ]+\`" "$MIG_ROOT/Documentation/migstat-json.md" | tr -d "\`" | sort -u))" ""

if [ "$(cat /proc/sys/vm/nr_hugepages)" = 0 ]; then
	t_like "hugetlb pages that are not there" "$("${cost[@]}" --pages hugetlb --sizes 4K 2>&1)" \
		"^Hint: set 1 or more free pages of 2 MiB in /proc/sys/vm/nr_hugepages"
	t_like "among all kinds they are left out" "$("${cost[@]}" --pages 4k,hugetlb --sizes 4K --time 1s -r 4)" \
		"^Without hugetlb pages: no memory"
else
	t_skip "hugetlb pages that are not there" "they are there"
fi

# stopped (SIGTERM: bash lets nothing in the background have SIGINT): what was measured is shown, and the program ends; nobody's affinity has changed
before=$(taskset -p $$)
"${cost[@]}" --json --time 600s -r 100000 >int.json 2>int.err &
pid=$!
t_cleanup "kill -9 $pid 2>/dev/null"
running()
{
	[ "$(find "/proc/$pid/task" -mindepth 1 -maxdepth 1 2>/dev/null | wc -l)" -ge 3 ]
}
t_wait "it to measure" running
kill -TERM $pid
wait $pid
rc=$?
if [ $rc -eq 143 ]; then
	t_is "stopped: what is done is shown" "$(jq -r '"\(.stopped) \(.pairs | length > 0)"' int.json)" "true true"
	t_like "and said" "$(cat int.err)" "^interrupted"
else
	t_is "stopped by SIGTERM" $rc 143
fi
t_is "the shell's affinity is as it was" "$(taskset -p $$)" "$before"
t_done
