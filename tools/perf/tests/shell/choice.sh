#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What wakeups could have chosen and what they missed, against brute force on recordings of 8 CPUs.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/checks.sh"

need_migstat
need_cmd perf python3 jq
t_checks python3 "$(dirname "$0")/choice.py"

report=("$PERF_MIGSTAT" report -i)
msg=$MIG_TEST_DATA/lab/6.1-n8-migstat/ms-msg.data
t_like "-F +choice: the shares" "$("${report[@]}" "$msg" --stdio -F wakee,+choice)" \
	'^wakee .* idle +prev +stack +miss +sib +core +mcore$'
t_like "-F +regret: what CPUs idled meanwhile" "$("${report[@]}" "$msg" --stdio -F wakee,+regret)" \
	'^A CPU idled while a task waited on another: [0-9.]+[mu] in [0-9]+ times, longest [0-9.]+m;$'
t_like "sorted by a share" "$("${report[@]}" "$msg" -t, -F wakee,missed-idle% -s missed-idle% | sed -n 2p)" ',[0-9.]+$'
t_is "nobody asks, nobody pays: not in JSON" "$("${report[@]}" "$msg" --json | jq '(.rows[0] | has("choice")), (.summary | has("wasted"))' | uniq)" false
# without a topology, and after losses, less is known; never more than there were wakeups
for f in made/base.perf.data lab/6.1-n8-fmt/fmt-lost.data lab/6.18-host2-migstat/ms-msg.data; do
	t_is "$f: known of no more wakeups than there are" "$("${report[@]}" "$MIG_TEST_DATA/$f" --json -F +choice,+regret |
		jq '[.rows[] | (.choice.chosen_idle_of, .choice.missed_idle_of, .regret.any_of) > .wakeups] | any')" false
done
t_is "one thread a core: no sibling" "$("${report[@]}" "$MIG_TEST_DATA/lab/6.18-host2-migstat/ms-msg.data" --json -F +choice |
	jq -c '[.rows[].choice.busy_sibling_of] | unique')" "[0]"
t_done
