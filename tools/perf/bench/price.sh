#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Does the price of a move (report -F +price) hold the truth? A thread with a working set of known size is
# moved in half of its sleeps and times itself; the same run is recorded. The truth is of user space alone;
# what the kernel adds in the slice after a move is estimated by the smallest working set, and printed.
. "$(dirname "$0")/lib/bench.sh"

b_need
b_machine
cc -O2 -D_GNU_SOURCE -pthread -o "$B_TMP/warmmove" "$MIG_ROOT/tools/perf/tests/workloads/warmmove.c" || b_die "no compiler"
n=${PRICE_N:-1500}
echo
echo "us: what the thread measured, moved - stayed; the price from the recording with its 95% interval; $n wakeups each"
printf '%8s %10s %10s %20s %8s %6s\n' KiB truth price interval kernel holds
kernel=
for kib in 4 64 256 1024 4096 8192; do
	truth=$("$PERF_MIGSTAT" record -o "$B_TMP/data" -- "$B_TMP/warmmove" $kib "$n" 2>"$B_TMP/err" |
		awk '{ print $1 - $2 }')
	[ -n "$truth" ] || b_die "$(head -n 1 "$B_TMP/err")"
	read -r ns lo hi < <("$PERF_MIGSTAT" report -i "$B_TMP/data" --json --by comm -F +price --comm warm-worker |
		jq -r '.rows[] | select(.comm == "warm-worker") | .price | "\(.ns) \(.lo_ns) \(.hi_ns)"')
	[ "$ns" != null ] || { printf '%8s %10.1f %10s\n' $kib "$(awk "BEGIN { print $truth / 1000 }")" -; continue; }
	[ -n "$kernel" ] || kernel=$(awk "BEGIN { print $ns - $truth }")
	awk -v kib=$kib -v t="$truth" -v p="$ns" -v lo="$lo" -v hi="$hi" -v k="$kernel" 'BEGIN {
		printf "%8d %10.1f %10.1f %20s %8.1f %6s\n", kib, t / 1000, p / 1000,
			sprintf("[%.1f, %.1f]", lo / 1000, hi / 1000), k / 1000, (t + k >= lo && t + k <= hi ? "yes" : "no") }'
done
