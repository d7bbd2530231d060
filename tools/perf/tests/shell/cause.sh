#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The cause of every migration is the one that the kernel's callchain shows; without chains, how often.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/checks.sh"

need_migstat
need_cmd python3
t_checks python3 "$(dirname "$0")/cause.py"
t_done
