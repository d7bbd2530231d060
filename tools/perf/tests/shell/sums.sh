#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# However a report groups or selects, its figures add up to what others counted of the whole.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/checks.sh"

need_migstat
need_cmd python3
t_checks python3 "$(dirname "$0")/sums.py"
t_done
