#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Default text views fit 80 columns, are plain ASCII, and no line ends in a blank.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/checks.sh"

need_migstat
need_cmd python3
t_checks python3 "$(dirname "$0")/width.py"
t_done
