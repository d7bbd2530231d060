#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Recordings of public projects, 2010 to 2025, whole and damaged, with the counts of other readers.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/checks.sh"

need_migstat
need_cmd python3
t_checks python3 "$(dirname "$0")/public.py"
t_done
