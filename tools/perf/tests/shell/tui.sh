#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# report in a terminal: opens, shows pairs, opens one, comes back, leaves.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/tmux.sh"

need_migstat
need_cmd perf tmux
"$PERF_MIGSTAT" version --build-options | grep -q 'slang: \[ on' || t_skip_all "built without slang"

lab=$MIG_TEST_DATA/lab/6.1-n8-migstat
report="perf migstat report -i $lab/ms-msg.data --kallsyms $lab/kallsyms.gz"

tt_start 80 24 TERM=xterm -- "$report"
tt_like "report opens the pairs on a terminal" '^ Pairs 1/6 +2,170 wakeups, 1,234 moves'
tt_like "with what was lost" '^ lost 0; 9,327 events, 3\.026 s, 8 CPUs'
tt_like "and the figures of the text" '^\+ sched-\.\.aging +sched-\.\.aging +1852  48\.5  82\.6  17\.4'
tt_keys Enter
tt_like "ENTER opens a pair" '^ Pair sched-messaging > sched-messaging  1,852 wakeups, 1,207 moves'
tt_like "with its paths and placements" '^affine +869 +1\.63 +1\.633 +1\.00'
tt_keys Escape
tt_like "ESC goes back" '^ Pairs 1/6'
tt_keys q
tt_ended "q leaves" 0
t_unlike "and the screen is the shell's again" "$(tt_screen)" 'wakeups'
t_done
