# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# checks: results of a helper in another language as TAP. Source it after tap.sh.
#
# t_checks cmd...: cmd prints a line for each check, fields separated by tabs:
#
#	ok	NAME
#	bad	NAME	what was got and wanted
#	skip	NAME	reason
#	end			(the last line: the helper came to its end)
#
# lib/migcheck.py prints them.

t_checks()
{
	local verdict name detail ended=0

	while IFS=$'\t' read -r verdict name detail; do
		case $verdict in
		ok) t__report 0 "$name" ;;
		bad)
			t__report 1 "$name"
			printf '%b\n' "$detail" | t_note
			;;
		skip) t_skip "$name" "$detail" ;;
		end) ended=1 ;;
		*) printf '%s\n' "$verdict $name $detail" | t_note ;;
		esac
	done < <("$@" 2>"$T_TMP/.checks.err")
	if [ $ended -eq 0 ]; then
		t__report 1 "$(basename "${2:-$1}") came to its end"
		tail -n 20 "$T_TMP/.checks.err" | t_note
	fi
}
