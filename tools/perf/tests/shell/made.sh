#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Recordings made byte by byte: every line of made/cases.tsv.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/checks.sh"

need_migstat
need_cmd python3
t_checks python3 "$(dirname "$0")/made.py" "$T_TMP"

# what the text says where a figure is not known
text() { "$PERF_MIGSTAT" report --stdio -i "$MIG_TEST_DATA/made/$1.perf.data" 2>&1; }
t_like "no_tracing_data: the text says so" "$(text no_tracing_data)" 'without their formats \(no_event_formats\)'
t_like "big_periods: the overflow is marked" "$(text big_periods)" 'beyond 64 bits \(overflow\)'
t_like "big_periods: and shown as unknown" "$(text big_periods | grep -A1 'CPU migrations')" '^ +- '
t_like "only_migrate: no ratio" "$(text only_migrate | grep -A1 'CPU migrations')" '^ +- +7 +- +- +-$'
t_like "only_cache: no migrations" "$(text only_cache | grep -A1 'CPU migrations')" '^ +200 +- +- +- +-$'
t_like "no_cpu: the text says what is not known" "$(text no_cpu)" 'do not say on which CPU'
t_done
