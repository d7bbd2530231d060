#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The mechanism of every wakeup: recordings of one mechanism each, the labels of other code, partners, sync.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/checks.sh"

need_migstat
need_cmd python3
t_checks python3 "$(dirname "$0")/mechanism.py"
t_done
