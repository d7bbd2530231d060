#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What recording costs in the worst case: `perf bench sched pipe` on one CPU does little else than
# switch. CPU time (user + system) of workload and recorder together, in turns: bare, under `perf sched
# record`, `perf migstat record`, and that with --no-wake-chain. Bytes for each event, and what was lost.
#
# BENCH_LOOPS="40000 200000", turns of the ping-pong: the shorter one shows the start and the end of
# the recorder as well. BENCH_ROUNDS, 7 by default.
. "$(dirname "$0")/lib/bench.sh"

loops=${BENCH_LOOPS:-40000 200000}
kinds=(bare sched migstat nochain)
declare -A title=([bare]="bare" [sched]="perf sched record" [migstat]="perf migstat record"
	[nochain]="migstat --no-wake-chain")
pin=$(($(nproc) - 1))

# run KIND LOOPS
run()
{
	local file=$B_TMP/data
	local cmd=(taskset -c "$pin" perf bench sched pipe -l "$2")

	rm -f "$file"*
	case $1 in
	bare) ;;
	sched) cmd=(perf sched record -o "$file" -- "${cmd[@]}") ;;
	migstat) cmd=(perf migstat record -o "$file" -- "${cmd[@]}") ;;
	nochain) cmd=(perf migstat record --no-wake-chain -o "$file" -- "${cmd[@]}") ;;
	esac
	b_cost "$1-$2" "${cmd[@]}"
	[ "$1" = bare ] || echo "$(stat -c %s "$file") $(b_facts "$file")" >>"$B_TMP/$1-$2.facts"
}

# line KIND LOOPS
line()
{
	local cpu bare=(1 1 1) sched=(1 1 1)

	read -ra cpu < <(b_column "$1-$2" 1 0.001)
	[ "$1" = bare ] || read -ra bare < <(b_ratio "$1-$2" "bare-$2")
	case $1 in
	migstat | nochain) read -ra sched < <(b_ratio "$1-$2" "sched-$2") ;;
	esac
	printf '  %-24s %5.0f [%.0f-%.0f] ms' "${title[$1]}" "${cpu[@]}"
	[ "$1" = bare ] || printf ', %.2f [%.2f-%.2f] of bare' "${bare[@]}"
	case $1 in
	migstat | nochain) printf ', %.2f [%.2f-%.2f] of perf sched record' "${sched[@]}" ;;
	esac
	echo
	[ "$1" = bare ] || awk '{ bytes += $1; n += $2; lost += $3; if ($4) rounds++ }
		END { printf "    %.0f events, %.0f bytes each; lost %d events, in %d of %d rounds\n",
			n / NR, bytes / n, lost, rounds, NR }' "$B_TMP/$1-$2.facts"
}

# slope KIND FEW MANY: what a further turn costs, without start and end of the recorder; a line for each
# round: "US OF_BARE OF_SCHED"
slope()
{
	paste -d ' ' "$B_TMP/$1-$2" "$B_TMP/$1-$3" "$B_TMP/bare-$2" "$B_TMP/bare-$3" \
		"$B_TMP/sched-$2" "$B_TMP/sched-$3" |
		awk -v n="$(($3 - $2))" '{ d = $3 - $1; print d / n, d / ($7 - $5), d / ($11 - $9) }'
}

slope_line()
{
	local us bare sched

	slope "$@" >"$B_TMP/slope"
	read -ra us < <(cut -d ' ' -f 1 "$B_TMP/slope" | b_stats)
	read -ra bare < <(cut -d ' ' -f 2 "$B_TMP/slope" | b_stats)
	read -ra sched < <(cut -d ' ' -f 3 "$B_TMP/slope" | b_stats)
	printf '  %-24s %5.2f [%.2f-%.2f] us' "${title[$1]}" "${us[@]}"
	[ "$1" = bare ] || printf ', %.2f [%.2f-%.2f] of bare' "${bare[@]}"
	case $1 in
	migstat | nochain) printf ', %.2f [%.2f-%.2f] of perf sched record' "${sched[@]}" ;;
	esac
	echo
}

b_need
b_need_record
b_machine
echo "CPU time of workload and recorder: median [range]; ratios within the same round"
for n in $loops; do
	for ((round = 0; round < BENCH_ROUNDS; round++)); do
		for kind in $(b_rotate $round "${kinds[@]}"); do
			run "$kind" "$n"
		done
	done
	echo
	echo "perf bench sched pipe -l $n on CPU $pin"
	for kind in "${kinds[@]}"; do
		line "$kind" "$n"
	done
done

few=${loops%% *} many=${loops##* }
if [ "$many" -gt "$few" ]; then
	echo
	echo "each further turn, start and end of the recorder left out: from -l $few to -l $many"
	for kind in "${kinds[@]}"; do
		slope_line "$kind" "$few" "$many"
	done
fi
exit 0
