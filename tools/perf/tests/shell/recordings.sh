#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# compare of recordings against report of each: the pair tables side by side, paths, totals, environment.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/checks.sh"

need_migstat
need_cmd python3
t_checks python3 "$(dirname "$0")/recordings.py"
t_done
