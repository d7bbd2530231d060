#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What differs by kernel and recorder, names and numbers of tasks, sequences that cannot be: recordings
# made byte by byte (lib/mkperf.py), and perf script as a second reader of them.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/checks.sh"

need_migstat
need_cmd python3
t_checks python3 "$(dirname "$0")/odd.py" "$T_TMP" "$(command -v perf >/dev/null && echo perf)"
t_done
