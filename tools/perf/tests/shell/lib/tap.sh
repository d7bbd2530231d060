# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# tap: TAP output for shell tests (bash). A test is one tests/shell/NAME.sh:
#
#	#!/bin/bash
#	# SPDX-License-Identifier: GPL-2.0
#	. "$(dirname "$0")/lib/tap.sh"
#	t_ok "help exits 0" perf migstat -h
#	t_done
#
# Tests wait for a state (t_wait), never for a time. `perf migstat ...` runs the program that was just
# built through the real perf; "$PERF_MIGSTAT" runs it directly. $MIG_TEST_DATA is the unpacked
# tests/data, $MIG_SHARED_DATA a wider collection or unset, $MIG_ROOT the source tree,
# $MIG_WORKLOADS and $MIG_FUZZ the folders of the built tests/workloads and tests/fuzz. $T_TMP is private
# and goes at exit.

set -u

# A test run by hand, without `make check`, looks at the default build.
MIG_ROOT=${MIG_ROOT:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../../../../.." && pwd)}
MIG_BUILD=${MIG_BUILD:-$MIG_ROOT/build}
MIG_TEST_DATA=${MIG_TEST_DATA:-$MIG_BUILD/test-data}
MIG_WORKLOADS=${MIG_WORKLOADS:-$MIG_BUILD/tests/workloads}
MIG_FUZZ=${MIG_FUZZ:-$MIG_BUILD/tests/fuzz}
PERF_MIGSTAT=${PERF_MIGSTAT:-$MIG_ROOT/tools/perf/perf-migstat}
PERF_EXEC_PATH=${PERF_EXEC_PATH:-$(dirname "$PERF_MIGSTAT")}
export MIG_ROOT MIG_BUILD MIG_TEST_DATA MIG_WORKLOADS MIG_FUZZ PERF_MIGSTAT PERF_EXEC_PATH

T_TMP=$(mktemp -d "${TMPDIR:-/tmp}/migstat-test.XXXXXX") || exit 1
T_N=0
T_FAILED=0
T_CLEANUP=()
T_DONE=0

t__exit()
{
	local rc=$? i

	for ((i = ${#T_CLEANUP[@]} - 1; i >= 0; i--)); do
		eval "${T_CLEANUP[i]}"
	done
	rm -rf "$T_TMP"
	if [ "$T_DONE" -eq 0 ]; then
		echo "# the test ended before t_done"
		[ $rc -ne 0 ] || rc=1
	fi
	exit $rc
}
trap t__exit EXIT

# t_cleanup "shell words": run at exit, last one first (kill a session, restore a knob).
t_cleanup()
{
	T_CLEANUP+=("$1")
}

t__report()
{
	local good=$1 name=$2

	T_N=$((T_N + 1))
	if [ "$good" -eq 0 ]; then
		echo "ok $T_N - $name"
		return 0
	fi
	T_FAILED=$((T_FAILED + 1))
	echo "not ok $T_N - $name"
	return 1
}

# prints its input (first 20 lines) as a TAP comment
t_note()
{
	head -n 20 | sed 's/^/# /'
}

# t_ok "name" cmd...: cmd exits 0. Its output is shown when it does not.
t_ok()
{
	local name=$1 rc

	shift
	"$@" >"$T_TMP/.out" 2>&1
	rc=$?
	t__report $rc "$name" && return 0
	echo "#   exit code $rc of: $*"
	t_note <"$T_TMP/.out"
	return 1
}

# t_not_ok "name" cmd...: cmd fails, but not by a signal, a time limit or a sanitizer.
t_not_ok()
{
	local name=$1 rc

	shift
	"$@" >"$T_TMP/.out" 2>&1
	rc=$?
	case $rc in
	129) t__report 0 "$name" && return 0 ;; # wrong usage
	0 | 99 | 124 | 12[6-9] | 1[3-9]? | 2??) t__report 1 "$name" ;;
	*) t__report 0 "$name" && return 0 ;;
	esac
	echo "#   exit code $rc of: $*"
	t_note <"$T_TMP/.out"
	return 1
}

# t_rc "name" want cmd...: cmd exits with want.
t_rc()
{
	local name=$1 want=$2 rc

	shift 2
	"$@" >"$T_TMP/.out" 2>&1
	rc=$?
	[ $rc -eq "$want" ]
	t__report $? "$name" && return 0
	echo "#   exit code $rc, want $want, of: $*"
	t_note <"$T_TMP/.out"
	return 1
}

# t_is "name" got want: equal strings.
t_is()
{
	[ "$2" = "$3" ]
	t__report $? "$1" && return 0
	if [ -z "$3" ]; then
		echo "#   want nothing, got:"
		t_note <<<"$2"
	elif [ "$(printf '%s\n%s\n' "$2" "$3" | wc -l)" -le 2 ]; then
		printf '#   got  "%s"\n#   want "%s"\n' "$2" "$3"
	else
		diff <(printf '%s\n' "$3") <(printf '%s\n' "$2") | t_note
	fi
	return 1
}

# t_like "name" got regex: got matches the extended regular expression (any line).
t_like()
{
	grep -qE -- "$3" <<<"$2"
	t__report $? "$1" && return 0
	echo "#   no match for: $3"
	t_note <<<"$2"
	return 1
}

# t_unlike "name" got regex: no line matches.
t_unlike()
{
	! grep -qE -- "$3" <<<"$2"
	t__report $? "$1" && return 0
	echo "#   unwanted match for: $3"
	grep -E -- "$3" <<<"$2" | t_note
	return 1
}

# t_skip "name" "reason": a check that cannot run here.
t_skip()
{
	T_N=$((T_N + 1))
	echo "ok $T_N - $1 # SKIP $2"
}

# t_skip_all "reason": the whole file cannot run here, or what is left of it.
t_skip_all()
{
	if [ "$T_N" -gt 0 ]; then
		t_skip "the rest" "$1"
		t_done
	fi
	echo "1..0 # SKIP $1"
	T_DONE=1
	exit 0
}

# t_wait "what" cmd...: polls every 0.05 s, up to 10 s, until cmd succeeds. A failure is a failed check;
# success is silent.
t_wait()
{
	local what=$1 end=$((SECONDS + 11))

	shift
	while [ $SECONDS -lt $end ]; do
		"$@" >/dev/null 2>&1 && return 0
		sleep 0.05
	done
	t__report 1 "waited for: $what"
	return 1
}

# t_done: prints the plan; the last line of every test.
t_done()
{
	echo "1..$T_N"
	T_DONE=1
	exit $((T_FAILED > 0))
}

# The helpers below skip the whole file (or what is left of it), with the reason.

need_root()
{
	[ "$(id -u)" -eq 0 ] || t_skip_all "needs root"
}

# need_cmd NAME...: programs the test uses.
need_cmd()
{
	local c

	for c in "$@"; do
		command -v "$c" >/dev/null || t_skip_all "$c is not installed"
	done
}

# the program was built
need_migstat()
{
	[ -x "$PERF_MIGSTAT" ] || t_skip_all "perf-migstat is not built"
}

# a perf that works, the right to record system-wide, and sched tracepoints
need_tracepoints()
{
	local why

	need_cmd perf
	if ! why=$(perf record -q -a -e sched:sched_switch -o "$T_TMP/.probe.data" -- true 2>&1); then
		why=$(grep -v '^$' <<<"$why" | head -n 1)
		t_skip_all "sched tracepoints cannot be recorded here: ${why:-perf record failed}"
	fi
	rm -f "$T_TMP/.probe.data"
}
