#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every source file says its licence in the first lines.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/files.sh"

cd "$MIG_ROOT" || exit 1
mapfile -t src < <(files '*.c' '*.h' '*.sh' '*.mk' '*.rb' '*.py' 'Makefile' '.ci/run')
t_is "SPDX line in ${#src[@]} files" "$(
	for f in "${src[@]}"; do
		head -n 3 "$f" | grep -q 'SPDX-License-Identifier: GPL-2.0' || echo "$f"
	done
)" ""
t_ok "COPYING is version 2 of the GPL" grep -q 'Version 2, June 1991' COPYING
t_done
