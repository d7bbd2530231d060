#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# run-tests TEST...: runs TAP tests through prove, J at a time, those named live-* one by one at the
# end. Each test's output is kept in $MIG_BUILD/test-results/NAME.tap. Says what was skipped and why;
# the last line is "N passed, N failed, N skipped". Fails on a failure and when nothing ran.
#
# A test that dies, times out, or keeps no plan counts as one failure. With sanitizers a report of
# theirs is a failure of its own, whatever the test made of the exit code.

set -u
here=$(cd "$(dirname "$0")" && pwd)
results=${MIG_BUILD:?}/test-results
mkdir -p "$results"
rm -f "$results"/*.tap "$results"/*.rc "$results"/san.*
export MIG_TEST_RESULTS=$results

# The tests must not depend on who runs them where.
export LC_ALL=C.UTF-8 TZ=UTC
unset PERF_PAGER PAGER NO_COLOR COLUMNS
export ASAN_OPTIONS=exitcode=99:log_path=$results/san
export UBSAN_OPTIONS=exitcode=99:print_stacktrace=1:log_path=$results/san
export LSAN_OPTIONS=exitcode=99

together=() alone=()
for t in "$@"; do
	case ${t##*/} in
	live-*) alone+=("$t") ;;
	*) together+=("$t") ;;
	esac
done

bad=0
if command -v prove >/dev/null; then
	if [ ${#together[@]} -gt 0 ]; then
		prove -j"${J:-2}" --exec "bash $here/run-one.sh" "${together[@]}" </dev/null || bad=1
	fi
	if [ ${#alone[@]} -gt 0 ]; then
		prove -j1 --exec "bash $here/run-one.sh" "${alone[@]}" </dev/null || bad=1
	fi
else
	echo "Error: prove is missing: apt install perl, or dnf install perl-Test-Harness" >&2
	bad=1
fi

passed=0 failed=0 skipped=0
shopt -s nullglob
for tap in "$results"/*.tap; do
	name=${tap##*/} name=${name%.tap}
	rc=$(cat "$results/$name.rc" 2>/dev/null || echo 255)
	# Counts: a whole-file skip is one skip; a wrong plan or exit code without a "not ok" is one failure.
	read -r p f s < <(awk -v name="$name" -v rc="$rc" '
		/^1\.\.0/ { whole = 1; plan = 0; skip++; next }
		/^1\.\.[0-9]+/ { plan = substr($1, 4) + 0; planned = 1; next }
		/^not ok/ { n++; if ($0 ~ /# TODO/) skip++; else fail++; next }
		/^ok/ { n++; if ($0 ~ /# [Ss][Kk][Ii][Pp]/) skip++; else pass++; next }
		END {
			if (!whole && (!planned || plan != n || rc != 0) && !fail)
				fail++
			print pass + 0, fail + 0, skip + 0
		}' "$tap")
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	if [ "$s" -gt 0 ]; then
		sed -nE -e "s/^ok [0-9]* *-? *(.*) # SKIP *(.*)/skipped: $name: \1: \2/Ip" \
			-e "s/^1\.\.0 *# SKIP *(.*)/skipped: $name: \1/Ip" \
			-e "s/^not ok [0-9]* *-? *(.*) # TODO *(.*)/skipped: $name: \1: to do: \2/Ip" "$tap"
	fi
	if [ "$f" -gt 0 ]; then
		grep -A12 '^not ok' "$tap" | grep -vE '^(ok|--$|1\.\.)' | sed "s/^/failed: $name: /"
		grep -q '^not ok' "$tap" ||
			{ echo "failed: $name: exit code $rc or plan not kept, last lines:" && tail -n 5 "$tap"; }
	fi
done

for san in "$results"/san.*; do
	failed=$((failed + 1))
	echo "failed: sanitizer report $san"
	head -n 40 "$san"
done

[ $bad -ne 0 ] && [ $failed -eq 0 ] && failed=1
if [ $((passed + failed)) -eq 0 ]; then
	echo "Error: no test ran" >&2
	bad=1
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $bad -eq 0 ] && [ $failed -eq 0 ]
