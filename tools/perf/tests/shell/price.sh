#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# -F +price on recordings of the lab: every slice that is compared counts once, whatever it is grouped by;
# too few are not separable. The arithmetic is unit-price's, how well it finds a known price bench/price.sh's.
. "$(dirname "$0")/lib/tap.sh"
need_migstat
need_cmd jq
for f in 6.1-n8-migstat/ms-msg 6.1-n8-migstat/ms-naps 6.12-d8-migstat/ms-futex 6.12-d8-migstat/ms-unix; do
	json=$("$PERF_MIGSTAT" report -i "$MIG_TEST_DATA/lab/$f.data" --json --by task -F +price)
	n=$(jq '[.rows[].price.moved] | add' <<<"$json")
	t_is "$f: each slice after a move has one cause" "$(jq '[.summary.price.by_cause[].moved] | add // 0' <<<"$json")" "$n"
	t_is "$f: and went over one distance" "$(jq '[.summary.price.by_distance[].moved] | add // 0' <<<"$json")" "$n"
	t_is "$f: no more than moves" "$(jq ".summary.migrations >= $n" <<<"$json")" true
	t_is "$f: below 20 there is no price" "$(jq '[.rows[].price, .summary.price.by_cause[], .summary.price.by_distance[] |
		select((.moved < 20 or .stayed < 20) and .ns != null)] | length' <<<"$json")" 0
	t_is "$f: an interval has its price in it, nearly always" "$(jq '[.rows[].price | select(.ns != null) |
		select(.lo_ns > .hi_ns)] | length' <<<"$json")" 0
done
t_like "in text" "$("$PERF_MIGSTAT" report -i "$MIG_TEST_DATA/lab/6.1-n8-migstat/ms-naps.data" --stdio --by task -F +price)" \
	'^  by wakeup +-?[0-9.]+[num] +-?[0-9.]+[num] +-?[0-9.]+[num] +[0-9]+ +[0-9]+$'
t_is "not in JSON unless asked for" "$("$PERF_MIGSTAT" report -i "$MIG_TEST_DATA/lab/6.1-n8-migstat/ms-naps.data" --json |
	jq '(.summary | has("price")), (.rows[0] | has("price"))' | uniq)" false
t_done
