#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# compare --style: rows that scheduler authors posted, byte for byte, from runs with the posted means and spreads; the
# sign is improvement (intel, amd, mmtests) or change (schedstat).
. "$(dirname "$0")/lib/tap.sh"
need_migstat
need_cmd python3
cd "$T_TMP" || exit 1

# arm FILE NAME GROUP METRIC BETTER VALUE...
arm()
{
	python3 - "$@" <<'EOF' >"$1"
import json, sys
_, _, name, group, metric, better, *values = sys.argv
print(json.dumps({"schema": "migstat-results", "version": 1, "name": name, "group": group or None,
                  "metrics": {metric: {"better": better}}}))
for i, v in enumerate(values):
    print(json.dumps({"run": i + 1, "values": {metric: float(v)}}))
EOF
}

# row STYLE: the last line
row()
{
	"$PERF_MIGSTAT" compare --style="$1" a b | tail -n 1
}

# two runs of mean m and sd s (n - 1): m -+ s / sqrt(2)
arm a baseline "" threads-pipe-8/1-groups lower 98.090812 101.909188
arm b compare "" threads-pipe-8/1-groups lower 75.175063 75.804937
t_is "intel" "$(row intel)" "threads-pipe-8          1-groups         1.00 (  2.70)  +24.51 (  0.59)"
t_like "intel: header" "$("$PERF_MIGSTAT" compare --style=intel a b)" \
	'^case +load +baseline\(std%\)  compare%\( std%\)$'
arm a base "" "Lat 99.9th-qrtle-1" lower 32
arm b patch "" "Lat 99.9th-qrtle-1" lower 23
t_is "mmtests" "$(row mmtests)" "Lat 99.9th-qrtle-1         32.00 (   0.00%)       23.00 (  28.12%)"
arm a base "" "thread = 4" lower 11 12 14
arm b patch "" "thread = 4" lower 8 10 11
t_is "intel, latencies" "$(row intel-latency)" "thread = 4  12.33(1.53)  9.67(1.53)  +21.57%"
arm a tip "" 1-groups lower 90.284353 109.715647
arm b X "" 1-groups lower 94.042277 111.497723
t_is "amd" "$(row amd)" " 1-groups  1.00 [ -0.00](13.74)  1.03 [ -2.77](12.01)"
t_like "amd: direction" "$("$PERF_MIGSTAT" compare --style=amd a b)" '^Interpretation: Lower is better$'
arm a tip "" 1-groups higher 100
arm b X "" 1-groups higher 103
t_is "amd: higher is better" "$(row amd)" " 1-groups  1.00 [  0.00]( 0.00)  1.03 [  3.00]( 0.00)"
# the sign rule on pairs (ratio, pct imp) that were posted, of lower is better
for pair in "32.0426 -3104.26" "0.5435 45.65"; do
	arm a tip "" x lower 10000
	arm b X "" x lower "$(python3 -c "print(10000 * ${pair% *})")"
	t_like "amd: ratio ${pair% *}" "$(row amd)" "\\[ *${pair#* }\\]"
done
arm a tip "" x higher 10000
arm b X "" x higher 3895
t_like "amd: ratio 0.39, higher is better" "$(row amd)" ' 0\.39 \[-61\.05\]'
arm a tip "" "hammerdb+mysql 16VU" higher 10000
arm b X "" "hammerdb+mysql 16VU" higher 9785
t_is "amd, one column" "$(row amd-diff)" "hammerdb+mysql 16VU  -2.15%"
arm a a "" newidle_lb_count none 16961
arm b b "" newidle_lb_count none 3155
t_is "schedstat" "$(row schedstat)" "newidle_lb_count : 16961, 3155  | -81.40% |"
arm a a "64 clients" count none 1286 1287 1288 1289 1290
arm b b "64 clients" count none 59594 59595 59596 59597 59598
t_is "schedstat, counts: the row to read" "$(row schedstat-count)" " 64 clients: count : 1288, 59596  | 4527.02| <==="
arm a a "64 clients" count none 1288
arm b b "64 clients" count none 59596
t_is "schedstat, counts: without proof no arrow" "$(row schedstat-count)" " 64 clients: count : 1288, 59596  | 4527.02|"
t_done
