#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# run-one TEST: what prove runs. Executes one test under a time limit and keeps its TAP output and
# exit code in $MIG_TEST_RESULTS.

set -u
test=$1
name=$(basename "$test" .sh)
out=${MIG_TEST_RESULTS:?}/$name
case $test in
*.sh) cmd=(bash "$test") ;;
*) cmd=("$test") ;;
esac
timeout -k 10 "${MIG_TEST_TIMEOUT:-300}" "${cmd[@]}" 2>&1 | tee "$out.tap"
rc=${PIPESTATUS[0]}
[ "$rc" -eq 124 ] && echo "# timed out" | tee -a "$out.tap"
echo "$rc" >"$out.rc"
exit "$rc"
