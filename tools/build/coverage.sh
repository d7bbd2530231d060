#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# coverage DIR: lines executed, per source file, of the --coverage build in DIR after its `make check`.

set -eu
dir=$1

if command -v lcov >/dev/null; then
	lcov -q -c -d "$dir" -o "$dir/coverage.info" --rc lcov_branch_coverage=0
	lcov -q -e "$dir/coverage.info" "$PWD/tools/perf/*" -o "$dir/coverage.info"
	lcov -q -r "$dir/coverage.info" '*/tests/*' -o "$dir/coverage.info"
	genhtml -q -o "$dir/coverage" "$dir/coverage.info"
	lcov -l "$dir/coverage.info"
	echo "HTML: $dir/coverage/index.html"
	exit
fi

find "$dir" -name '*.gcda' ! -path '*/tests/*' | sort | while IFS= read -r f; do
	gcov -n -o "${f%/*}" "$f" 2>/dev/null | awk '
		/^File .tools\/perf/ { file = $2; gsub(/\x27/, "", file); next }
		/^Lines executed/ && file != "" && file ~ /\.c$/ {
			split($0, a, /[:% ]+/)
			printf "%6.1f%% of %4d lines  %s\n", a[3], a[5], file
			file = ""
		}'
done
