#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Traces of other kernels (arm64, 32 bit), turned into perf.data: counts as other code made them.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/checks.sh"

need_migstat
need_cmd python3
t_checks python3 "$(dirname "$0")/converted.py"
t_done
