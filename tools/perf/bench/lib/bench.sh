# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# bench: what the benchmarks share. `make bench` sets the variables; a script run by hand takes the
# default build. Settings: BENCH_DIR (recordings), BENCH_ROUNDS (7).

set -u
export LC_ALL=C

MIG_ROOT=${MIG_ROOT:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../../../.." && pwd)}
PERF_MIGSTAT=${PERF_MIGSTAT:-$MIG_ROOT/tools/perf/perf-migstat}
PERF_EXEC_PATH=${PERF_EXEC_PATH:-$(dirname "$PERF_MIGSTAT")}
BENCH_DIR=${BENCH_DIR:-$MIG_ROOT/build/bench}
BENCH_BIN=${BENCH_BIN:-$MIG_ROOT/build/tools/perf/bench}
BENCH_ROUNDS=${BENCH_ROUNDS:-7}
export PERF_EXEC_PATH

b_die()
{
	echo "Error: $1"
	[ -z "${2-}" ] || echo "Hint: $2"
	exit 1
}

# What is measured, where, and how busy the machine is with other things.
b_machine()
{
	local commit

	commit=$(git -C "$MIG_ROOT" log -1 --format=%h 2>/dev/null) || commit=unknown
	[ -z "$(git -C "$MIG_ROOT" status --porcelain -uno 2>/dev/null)" ] || commit="$commit and uncommitted changes"
	echo "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), $(nproc) CPUs, Linux $(uname -r)"
	echo "$(perf --version), $("$PERF_MIGSTAT" version | head -n 1), sources at $commit"
	echo "load average $(cut -d ' ' -f 1-3 /proc/loadavg), $BENCH_ROUNDS rounds"
}

b_need()
{
	if [ ! -x "$PERF_MIGSTAT" ] || [ ! -x "$BENCH_BIN/cost" ]; then
		b_die "programs are not built" "make bench builds and runs them"
	fi
	command -v perf >/dev/null || b_die "perf is not installed" "sh tools/setup.sh"
	mkdir -p "$BENCH_DIR" || exit 1
	B_TMP=$(mktemp -d "$BENCH_DIR/tmp.XXXXXX") || exit 1
	trap 'rm -rf "$B_TMP"' EXIT
}

# Recording needs rights; say so once, before minutes of work.
b_need_record()
{
	perf record -q -a -B -N -e sched:sched_switch -o "$B_TMP/try" -- true >"$B_TMP/err" 2>&1 && return
	head -n 5 "$B_TMP/err"
	b_die "cannot record" "root, or the rights that README.md names under Install"
}

# b_cost NAME cmd...: runs cmd, and adds its CPU time and peak RSS to $B_TMP/NAME
b_cost()
{
	local name=$1

	shift
	"$BENCH_BIN/cost" "$B_TMP/$name" "$@" >/dev/null 2>"$B_TMP/err" && return
	head -n 5 "$B_TMP/err"
	b_die "failed: $*"
}

# numbers, one a line, to "MEDIAN MIN MAX"
b_stats()
{
	sort -g | awk '{ v[NR] = $1 }
		END { printf "%.9g %.9g %.9g\n", (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2, v[1], v[NR] }'
}

# b_column NAME COLUMN SCALE: statistics of a column (1: us, 2: KiB), multiplied
b_column()
{
	awk -v c="$2" -v s="$3" '{ print $c * s }' "$B_TMP/$1" | b_stats
}

# b_ratio A B: statistics of CPU time A / B, round by round
b_ratio()
{
	paste "$B_TMP/$1" "$B_TMP/$2" | awk '{ print $1 / $3 }' | b_stats
}

# b_rotate N name...: the names in an order that changes with the round, so that none is always first
b_rotate()
{
	local n=$1

	shift
	n=$((n % $#))
	printf '%s\n' "${@:n + 1}" "${@:1:n}"
}

# b_facts FILE: "EVENTS LOST RECORDS": samples and records that tell of a loss, as perf counts them, and
# the events that these records say were lost
b_facts()
{
	local lost

	lost=$("$PERF_MIGSTAT" report --json -q -i "$1" 2>/dev/null | grep -o '"lost_records":[0-9]*' | head -n 1)
	perf report --stats -i "$1" 2>/dev/null | awk -v lost="${lost#*:}" '
		/^ *SAMPLE events:/ && !n { n = $3 }
		/^ *LOST events:/ { r = $3 }
		/^ *LOST_SAMPLES events:/ { r += $3 }
		END { print n + 0, lost + 0, r + 0 }'
}
