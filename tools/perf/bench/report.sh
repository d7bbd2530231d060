#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What a report costs: CPU time (user + system) and peak RSS of `perf migstat report --json` against
# `perf sched latency`, which reads the same recording, in turns, warm cache, output thrown away.
#
# The recordings are made once, in BENCH_DIR: `perf bench sched pipe -T` until there are about 0.5, 5
# and 20 million events (BENCH_SIZES="0.5 5 20"), and bench/pairs.c with 9,900 and 159,600 pairs of
# threads (BENCH_PAIRS="100 400", the threads). BENCH_ROUNDS, 7 by default. BENCH_CALLGRIND=0 leaves
# out the instruction counts, which are made where valgrind is.
. "$(dirname "$0")/lib/bench.sh"

sizes=${BENCH_SIZES:-0.5 5 20}
threads=${BENCH_PAIRS:-100 400}

# record FILE cmd...: up to three times, until fewer than one event in a thousand is lost
record()
{
	local name=$1 file=$BENCH_DIR/$1 try events lost rest

	shift
	[ ! -s "$file" ] || return 0
	for try in 1 2 3; do
		rm -f "$file.tmp"
		echo "recording $file ..."
		perf record -q -a -m 4096 -r 1 -B -N -o "$file.tmp" -e sched:sched_switch,sched:sched_waking \
			-e sched:sched_wakeup,sched:sched_migrate_task -- "$@" >"$B_TMP/out" 2>"$B_TMP/err" ||
			b_die "recording failed: $*" "$(tail -n 3 "$B_TMP/err")"
		mv "$file.tmp" "$file"
		read -r events lost rest < <(facts "$name")
		[ $((lost * 1000)) -ge "$events" ] || break
		echo "  $lost of $events events lost in try $try"
	done
}

# How many events a turn of the ping-pong makes depends on kernel and machine, so it is tried.
record_pipes()
{
	local size turns per=4

	for size in $sizes; do
		turns=$(awk -v s="$size" -v p="$per" 'BEGIN { print int(s * 1000000 / p) }')
		record "pipe-$size.data" perf bench sched pipe -T -l "$turns"
		per=$(facts "pipe-$size.data" | awk -v t="$turns" '{ print $1 / t }')
	done
}

# the facts of a recording are kept beside it
facts()
{
	local file=$BENCH_DIR/$1

	[ "$file.facts" -nt "$file" ] || b_facts "$file" >"$file.facts"
	cat "$file.facts"
}

# What is compared. top: the rows are made, but few are printed.
kinds=(migstat tids top latency)
declare -A title=([migstat]="report --json" [tids]="report --json --by tids"
	[top]="  with --percent-limit 1" [latency]="perf sched latency")

# command_of KIND FILE: sets cmd
command_of()
{
	case $1 in
	migstat) cmd=("$PERF_MIGSTAT" report --json -q) ;;
	tids) cmd=("$PERF_MIGSTAT" report --json -q --by tids) ;;
	top) cmd=("$PERF_MIGSTAT" report --json -q --by tids --percent-limit 1) ;;
	latency) cmd=(perf sched latency) ;;
	esac
	cmd+=(-i "$BENCH_DIR/$2")
}

# line FILE EVENTS KIND
line()
{
	local cpu ratio=(1 1 1) rss

	read -ra cpu < <(b_column "$1-$3" 1 0.001)
	read -ra rss < <(b_column "$1-$3" 2 0.001024)
	[ "$3" = latency ] || read -ra ratio < <(b_ratio "$1-latency" "$1-$3")
	awk -v kind="$3" -v what="${title[$3]}" -v events="$2" \
		-v c="${cpu[*]}" -v r="${ratio[*]}" -v m="${rss[*]}" 'BEGIN {
		split(c, cpu); split(r, ratio); split(m, rss)
		printf "  %-24s %6.0f [%.0f-%.0f] ms, %.0f ns/event", what, cpu[1], cpu[2], cpu[3], cpu[1] * 1e6 / events
		if (kind != "latency")
			printf ", %.1fx [%.1f-%.1f] less", ratio[1], ratio[2], ratio[3]
		printf ", RSS %.1f MB\n", rss[3]
	}'
}

# measure FILE KIND...: the programs in turns
measure()
{
	local file=$1 events lost records round kind rows cmd

	shift
	read -r events lost records < <(facts "$file")
	cat "$BENCH_DIR/$file" >/dev/null
	for ((round = 0; round < BENCH_ROUNDS; round++)); do
		for kind in $(b_rotate $round "$@"); do
			command_of "$kind" "$file"
			b_cost "$file-$kind" "${cmd[@]}"
		done
	done
	echo
	echo "$file: $events events, $(($(stat -c %s "$BENCH_DIR/$file") / 1000000)) MB, lost $lost"
	[ "$lost" = 0 ] || echo "  LOST: $lost events in $records records; the figures are of what is left"
	for kind in "$@"; do
		line "$file" "$events" "$kind"
	done
	[[ " $* " == *" tids "* ]] || return 0
	command_of tids "$file"
	rows=$("${cmd[@]}" | grep -c '^{"waker"')
	awk -v rows="$rows" 'BEGIN {
		printf "  %d rows; RSS is to stay below %.0f MB\n",
			rows, 64 + (rows > 10000 ? (rows - 10000) * 400 / 1e6 : 0)
	}'
}

# instructions FILE KIND...: in user space, by callgrind; the same each time, whatever the machine does
instructions()
{
	local file=$1 events rest kind n cmd

	shift
	read -r events rest < <(facts "$file")
	echo "  $file"
	for kind in "$@"; do
		command_of "$kind" "$file"
		n=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "${cmd[@]}" 2>&1 >/dev/null |
			sed -nE 's/^==[0-9]+== Collected : ([0-9]+).*/\1/p')
		printf '    %-24s %8d\n' "${title[$kind]}" $((n / events))
	done
}

b_need
need=
for f in $sizes; do [ -s "$BENCH_DIR/pipe-$f.data" ] || need=1; done
for f in $threads; do [ -s "$BENCH_DIR/pairs-$f.data" ] || need=1; done
[ -z "$need" ] || b_need_record
record_pipes
for n in $threads; do
	record "pairs-$n.data" "$BENCH_BIN/pairs" "$n"
done

b_machine
echo "CPU time: median [range]; less: CPU time of perf sched latency / this one, in the same round"
for n in $sizes; do
	measure "pipe-$n.data" migstat latency
done
for n in $threads; do
	measure "pairs-$n.data" "${kinds[@]}"
done

if [ "${BENCH_CALLGRIND:-1}" = 1 ] && command -v valgrind >/dev/null; then
	echo
	echo "instructions for each event, in user space (callgrind):"
	instructions "pipe-${sizes%% *}.data" migstat latency
	instructions "pairs-${threads##* }.data" migstat top latency
fi
exit 0
