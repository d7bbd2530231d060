#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# How well perf migstat cost repeats: the costs of BENCH_ROUNDS (10) runs of 3 s each. Figures of runs in which
# the CPUs were near are not put together with those in which they were far: one row for each octave of
# the latency of a cache line.
BENCH_ROUNDS=${BENCH_ROUNDS:-10}
. "$(dirname "$0")/lib/bench.sh"

runs=$BENCH_ROUNDS
b_need
b_machine
for ((i = 0; i < runs; i++)); do
	"$PERF_MIGSTAT" cost -x ' ' --sizes 64K,1M --time 3s 2>"$B_TMP/err" | tail -n +2 >>"$B_TMP/rows" ||
		b_die "$(head -n 1 "$B_TMP/err")"
done
echo
echo "cost (us) in $runs runs: median [lowest-highest], of runs with 30 samples or more"
printf '%-8s %-8s %8s %14s %5s   %s\n' distance pattern size "one way (ns)" runs cost
# columns: perf-migstat-cost(1), -x. Octaves: 2^n to 2^(n+1) ns.
awk '$9 >= 30 { o = int(log($8) / log(2)); print $3, $4, $6, o, $12 / 1000 }' "$B_TMP/rows" | sort >"$B_TMP/costs"
cut -d ' ' -f 1-4 "$B_TMP/costs" | sort -u -k1,2 -k3n | while read -r distance pattern size octave; do
	awk -v key="$distance $pattern $size $octave" '$1 " " $2 " " $3 " " $4 == key { print $5 }' "$B_TMP/costs" >"$B_TMP/one"
	read -r median min max < <(b_stats <"$B_TMP/one")
	printf '%-8s %-8s %8s %14s %5s   %.2f [%.2f-%.2f]\n' "$distance" "$pattern" "$size" \
		"$((1 << octave))-$((2 << octave))" "$(wc -l <"$B_TMP/one")" "$median" "$min" "$max"
done
