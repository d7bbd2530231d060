#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Each mechanism provoked here and now, by a thread that wakes another one a prime number of times.
#
# Kernels are known that omit scheduler events without a LOST record, so no exact number is demanded.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/checks.sh"

need_migstat
need_cmd python3 perf
need_root
need_tracepoints
here=$(cd "$(dirname "$0")" && pwd)
cd "$T_TMP" || exit 1

perf migstat record -q --miss-event page-faults -o live.data -- "$MIG_WORKLOADS/wakers" -n 101 >modes 2>err
if [ ! -s live.data ] || ! grep -q . modes; then
	t_ok "a recording of every mechanism" false
	t_note <err
	t_done
fi
t_is "no words on stderr" "$(cat err)" ""
t_checks python3 "$here/live-mechanism.py" live.data modes
t_done
