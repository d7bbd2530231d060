#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# How long the terminal UI lets one wait: from the start to the first screen, against the same report
# as text, and from a key to the end of what it draws. On 100,000 pairs (tests/grow.py, one million
# events), and on BENCH_DIR/pipe-5.data where report.sh has made it. BENCH_ROUNDS, 7 by default.
. "$(dirname "$0")/lib/bench.sh"

many=$BENCH_DIR/many.data
[ -s "$many" ] || python3 "$MIG_ROOT/tools/perf/tests/grow.py" \
	"$MIG_ROOT/tools/perf/tests/data/made/base.perf.data" "$many" --pairs 100000
for file in "$many" "$BENCH_DIR/pipe-5.data"; do
	[ -s "$file" ] || continue
	echo "${file##*/}"
	python3 "$(dirname "$0")/lib/tui.py" "$PERF_MIGSTAT" "$file" "${BENCH_ROUNDS:-7}"
done
