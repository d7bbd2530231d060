#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# compare reads what others write: figures against those in the files themselves; and refuses what is damaged,
# with the line.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/checks.sh"

need_migstat
need_cmd python3
t_checks python3 "$(dirname "$0")/foreign.py"
t_done
