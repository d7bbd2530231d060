#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# demo: builds if needed, records a built-in workload and shows the report. Where recording is not
# permitted it says why and shows the report of a recording that comes with the sources.

set -u
cd "$(dirname "$0")/.." || exit 1
${MAKE:-make} -s all || exit 1

PERF_EXEC_PATH=$PWD/tools/perf
export PERF_EXEC_PATH
program=$PERF_EXEC_PATH/perf-migstat
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# perf migstat is what a user types; without perf the program is run directly.
migstat=("$program")
why=
if ! command -v perf >/dev/null; then
	why="perf is not installed"
elif ! perf version >/dev/null 2>&1; then
	why="perf does not run: $(perf version 2>&1 | head -n 1)"
else
	migstat=(perf migstat)
fi

# echoes the command as a user would type it, and runs it
show()
{
	echo "\$ ${*/#"$tmp/"/}"
	"$@"
}

if [ -z "$why" ]; then
	data=$tmp/demo.data
	workload=(perf bench sched messaging -g 2 -l 200)
	miss=()
	if perf stat -e cache-misses true 2>&1 | grep -q 'not supported'; then
		echo "No cache-misses on this machine: page faults stand in for them."
		miss=(--miss-event page-faults)
	fi
	echo "\$ perf migstat record -o demo.data ${miss[*]:+${miss[*]} }-- ${workload[*]}"
	if perf migstat record -o "$data" "${miss[@]}" -- "${workload[@]}" >"$tmp/log" 2>&1 </dev/null &&
		[ -s "$data" ]; then
		cat "$tmp/log"
		echo
		show "${migstat[@]}" report --stdio -i "$data"
		exit
	fi
	why=$(grep -v '^[[:space:]]*$' "$tmp/log" | tail -n 4)
	[ -n "$why" ] || why="perf migstat record failed and said nothing"
fi

echo
echo "Recording does not work here:"
printf '%s\n' "$why" | sed 's/^/  /'
echo "So here is the report of a recording from another machine (Linux 6.1, 8 CPUs, 2 nodes):"
echo
lab=tools/perf/tests/data/lab/6.1-n8-migstat
xz -dc $lab/ms-msg.data.xz >"$tmp/ms-msg.data" || exit 1
show "${migstat[@]}" report --stdio -i "$tmp/ms-msg.data" --kallsyms $lab/kallsyms.gz
