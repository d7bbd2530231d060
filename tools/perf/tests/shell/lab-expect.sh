#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Facts and sums of the lab's recordings are what other code counted from perf script, and what each
# thread of the workload read from its own /proc/PID/task/TID/sched.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/checks.sh"

need_migstat
need_cmd python3
t_checks python3 "$(dirname "$0")/lab-expect.py"
t_done
