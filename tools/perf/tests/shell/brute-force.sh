#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every fact of script, and pairs and paths of report, against another program that answers the same
# questions from perf script's text by brute force (tests/brute-force.py). A recording of each kernel;
# with MIG_SHARED_DATA all of them.
. "$(dirname "$0")/lib/tap.sh"

need_migstat
need_cmd perf python3

brute=$(dirname "$0")/../brute-force.py

# compare FILE: no difference
compare()
{
	local dir=${1%/*} name

	name=$(basename "$dir")/$(basename "$1" .data)
	if [ ! -e "$1" ]; then
		t_skip "$name" "there is no $1"
		return
	fi
	python3 "$brute" --migstat "$PERF_MIGSTAT" "$1" >"$T_TMP/out" 2>&1
	case $? in
	0)
		t_ok "$name" true
		tail -n 1 "$T_TMP/out" | sed 's/^/# /'
		;;
	77)
		t_skip "$name" "perf cannot read it: $(tail -n 1 "$T_TMP/out")"
		;;
	*)
		t_ok "$name" false
		sed -n '/ fields compared/,$p' "$T_TMP/out" | sed 's/^#* */#   /'
		t_note <"$T_TMP/out"
		;;
	esac
}

if [ -d "${MIG_SHARED_DATA:-}/lab" ]; then
	for file in "$MIG_SHARED_DATA"/lab/*-migstat/ms-*.data; do
		compare "$file"
	done
else
	compare "$MIG_TEST_DATA/lab/6.1-n8-migstat/ms-msg.data"
	compare "$MIG_TEST_DATA/lab/6.12-d8-migstat/ms-naps.data"
	compare "$MIG_TEST_DATA/lab/6.18-host2-migstat/ms-pipe.data"
	t_skip "the other recordings" "MIG_SHARED_DATA is not set"
fi
t_done
