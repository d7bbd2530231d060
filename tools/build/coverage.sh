#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# coverage DIR: lines executed, per source file, of the --coverage build in DIR after its `make check`.

set -eu
dir=$1

if command -v lcov >/dev/null; then
	# the first pass brings in files that no test reached
	lcov -q -c -i -d "$dir" -o "$dir/none.info" 2>/dev/null
	lcov -q -c -d "$dir" -o "$dir/ran.info" 2>/dev/null
	lcov -q -a "$dir/none.info" -a "$dir/ran.info" -o "$dir/coverage.info"
	lcov -q -e "$dir/coverage.info" "$PWD/tools/perf/*" -o "$dir/coverage.info"
	lcov -q -r "$dir/coverage.info" '*/tests/*' -o "$dir/coverage.info"
	genhtml -q -o "$dir/coverage" "$dir/coverage.info"
	lcov -l "$dir/coverage.info"
	echo "HTML: $dir/coverage/index.html"
	exit
fi

find "$dir" -name '*.gcno' ! -path '*/tests/*' | sort | while IFS= read -r f; do
	gcov -n -o "${f%/*}" "$f" 2>/dev/null | awk '
		/^File .tools\/perf/ { file = $2; gsub(/\x27/, "", file); next }
		/^Lines executed/ && file != "" && file ~ /\.c$/ {
			split($0, a, /[:% ]+/)
			printf "%6.1f%% of %4d lines  %s\n", a[3], a[5], file
			file = ""
		}'
done
