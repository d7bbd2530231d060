#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# report --llc on machines with two last-level caches: counts against a recount from perf script.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/checks.sh"

need_migstat
need_cmd perf python3 jq
t_checks python3 "$(dirname "$0")/llc.py"

report=("$PERF_MIGSTAT" report -i "$MIG_TEST_DATA/lab/6.12-d8-migstat/ms-msg.data")
text=$("${report[@]}" --stdio --llc)
t_like "four cells" "$text" '^  wakeup +[0-9]+ +[0-9]+ +0$'
t_like "homes" "$text" '^sched-messaging/[0-9]+ .* [01] \((0-3|4-7)\) '
t_like "there and back" "$text" '^there and back within 10\.0m +CPUs +LLCs'
t_like "--within" "$("${report[@]}" --stdio --llc --within 500us)" '^there and back within 500u '
t_is "80 columns" "$(awk 'length > 80' <<<"$text" | grep -v '%$')" ""
t_is "with a separator: the cells" "$("${report[@]}" --llc -t, | awk -F, '$1 == "moves" { n += $5 } END { print n }')" \
	"$("${report[@]}" --json | jq .summary.migrations)"
t_is "no --llc, none in JSON" "$("${report[@]}" --json | jq 'has("llc")')" false
t_like "one cache for all" "$("$PERF_MIGSTAT" report --stdio --llc -i "$MIG_TEST_DATA/made/base.perf.data" 2>&1)" \
	'last-level cache'
t_like "a bad time" "$("${report[@]}" --llc --within 5 2>&1)" "5: not a time like 10ms"
t_rc "is a wrong use" 129 "${report[@]}" --llc --within 5

# columns of moves back: the rows' sum is that of all, whatever they are grouped by
n=$("${report[@]}" --json --llc | jq '[.llc.there_and_back[].cpus.n] | add')
for by in task pair cpu cause,distance; do
	t_is "--by $by: moves back" "$("${report[@]}" --json --by $by -F +bounce | jq '[.rows[].bounces.n] | add')" "$n"
done
t_is "--within, too" "$("${report[@]}" --json --within 500us -F +bounces | jq '[.rows[].bounces.n] | add')" \
	"$("${report[@]}" --json --llc --within 500us | jq '[.llc.there_and_back[].cpus.n] | add // 0')"
t_done
