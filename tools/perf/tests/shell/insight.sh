#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The sentences below a report: each figure stands in JSON, each command that is named works, and nothing
# is said of few values.
. "$(dirname "$0")/lib/tap.sh"
need_migstat
need_cmd jq
msg=$MIG_TEST_DATA/lab/6.1-n8-migstat/ms-msg.data
report() { "$PERF_MIGSTAT" report -i "$@"; }

json=$(report "$msg" --json)
of() { jq -c --arg k "$1" '.insights[] | select(.kind == $k) | '"$2" <<<"$json"; }
t_is "delay far and near are those of the pair" "$(of delay-far '[.value, .against, .n, .of]')" \
	"$(jq -c '.rows[] | select(.waker == "sched-messaging" and .wakee == "sched-messaging") |
		[.far.delay_p50_ns, .near.delay_p50_ns, .far.n, .near.n]' <<<"$json")"
t_is "late: the slowest and the fastest of causes with 30 moves" "$(of late '[.value, .against, .n, .of]')" \
	"$(jq -c '[.summary.cause_cost | to_entries[] | select(.value.n >= 30) | .value] | sort_by(.ran_after_p50_ns) |
		[.[-1].ran_after_p50_ns, .[0].ran_after_p50_ns, 169, 907]' <<<"$json")"
t_is "away: moves to another node" "$(of away '[.n, .of]')" \
	"$(jq -c '[.summary.by_distance.remote, .summary.migrations]' <<<"$json")"
t_is "no more than five" "$(jq '.insights | length <= 5' <<<"$json")" true
t_is "no misses of page faults" "$(of misses-moved .kind)" ""
text=$(report "$msg" --stdio)
t_like "in text" "$text" '^\* 39% of 1234 moves went to another node; 95% of these were wakeups\.$'
t_like "undone moves" "$text" '^\* 7% of 1234 moves undid the one before within 10\.0m\.$'
t_is "80 columns" "$(awk 'length > 80' <<<"$text")" ""
while read -r options; do
	eval "set -- $options"
	t_ok "perf migstat report $options" report "$msg" --stdio "$@"
done < <(jq -r '.insights[].options' <<<"$json")

# --by and --pair ask for something else
t_unlike "--by path" "$(report "$msg" --stdio --by path)" '^\*'
t_is "--by path: not in JSON" "$(report "$msg" --json --by path | jq 'has("insights")')" false
t_is "little says nothing" "$(report "$MIG_TEST_DATA/made/base.perf.data" --json | jq -c .insights)" "[]"

# a hardware event, and threads that are swapped between CPUs: misses/ms as the row has them
swap=$MIG_TEST_DATA/lab-riscv/grp-n4/g-swap48.data
json=$(report "$swap" --json)
t_is "every insight has its counts" "$(jq -c '[.insights[] | .n >= 30] | all' <<<"$json")" true
t_done
