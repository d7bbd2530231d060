#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The sources look as .clang-format says (`make format` makes them so).
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/files.sh"

cf=
for c in "${CLANG_FORMAT:-clang-format}" clang-format-14; do
	"$c" --version 2>/dev/null | grep -q 'version 14\.' && cf=$c && break
done
[ -n "$cf" ] || t_skip_all "clang-format 14 is not installed (other versions format differently)"

cd "$MIG_ROOT" || exit 1
mapfile -t src < <(files '*.c' '*.h')
bad=$(for f in "${src[@]}"; do
	"$cf" --dry-run -Werror "$f" >/dev/null 2>&1 || echo "$f"
done)
t_is "${#src[@]} C files are formatted" "$bad" ""
t_is "no line ends in a blank" "$(grep -nE '[[:blank:]]+$' "${src[@]}" Makefile tools/build/*.mk)" ""
t_done
