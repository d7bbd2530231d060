#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# No function is longer than 80 lines or has a McCabe number above 15 (a switch counts as one).
#
# Exceptions need a reason: a line "FILE FUNCTION REASON" in the list below.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/files.sh"

exceptions()
{
	cat <<-EOF
	EOF
}

need_cmd pmccabe
cd "$MIG_ROOT" || exit 1
mapfile -t src < <(files 'tools/perf/*.c' | grep -v '/tests/unit-')
[ ${#src[@]} -gt 0 ] || t_skip_all "no sources"

# modified McCabe, McCabe, statements, first line, lines, file(line): function
pmccabe "${src[@]}" >"$T_TMP/all"
exceptions >"$T_TMP/except"

bad()
{
	awk -v col="$1" -v max="$2" '
		NR == FNR { skip[$1 " " $2] = 1; next }
		{ file = $6; sub(/\(.*/, "", file) }
		$col > max && !((file " " $7) in skip) { print $col, file, $7 }' "$T_TMP/except" "$T_TMP/all" |
		sort -rn
}

t_is "no function of $(wc -l <"$T_TMP/all") is longer than 80 lines" "$(bad 5 80)" ""
t_is "no function has a McCabe number above 15" "$(bad 1 15)" ""
t_is "every exception is still needed" "$(
	while read -r file fn _; do
		[ -n "$file" ] || continue
		awk -v file="$file" -v fn="$fn" '
			{ f = $6; sub(/\(.*/, "", f) }
			f == file && $7 == fn && ($1 > 15 || $5 > 80) { found = 1 }
			END { if (!found) print file, fn }' "$T_TMP/all"
	done <"$T_TMP/except"
)" ""
t_done
