#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every recording of the tests against perf script; what differs is in Documentation/perf-differences.md.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/checks.sh"

need_migstat
need_cmd python3 perf
here=$(cd "$(dirname "$0")" && pwd)
t_checks python3 "$here/perf-script.py" "$MIG_ROOT/Documentation/perf-differences.md"
t_done
