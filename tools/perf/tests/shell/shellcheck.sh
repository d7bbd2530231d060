#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The shell scripts are clean (.shellcheckrc has the settings).
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/files.sh"

need_cmd shellcheck
cd "$MIG_ROOT" || exit 1
mapfile -t src < <(files '*.sh' '.ci/run')
t_ok "${#src[@]} shell scripts" shellcheck -- "${src[@]}"
t_done
