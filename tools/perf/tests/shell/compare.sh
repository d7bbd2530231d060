#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What is compared within pairs of threads, levels, and moves by CPU, against the facts of the same recording.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/checks.sh"

need_migstat
need_cmd python3
t_checks python3 "$(dirname "$0")/compare.py"
t_done
