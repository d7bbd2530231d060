#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Bash completion of perf-migstat and of perf migstat.
. "$(dirname "$0")/lib/tap.sh"
need_migstat

PATH=$(dirname "$PERF_MIGSTAT"):$PATH

# perf's own completion, as far as it matters here
_perf()
{
	local cur=${COMP_WORDS[COMP_CWORD]}

	mapfile -t COMPREPLY < <(compgen -W "mem record report" -- "$cur")
}
# shellcheck source=../../perf-migstat-completion.sh
. "$MIG_ROOT/tools/perf/perf-migstat-completion.sh"

# what is offered for the words given, the last of them being typed
offers()
{
	local fn=$1

	shift
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	COMPREPLY=()
	"$fn" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" 2>/dev/null
	echo "${COMPREPLY[*]}"
}

cmds=$(perf-migstat --list-cmds | tr '\n' ' ')
t_is "perf-migstat TAB: all subcommands" "$(offers _perf_migstat perf-migstat '')" "${cmds% }"
t_is "perf-migstat rep TAB" "$(offers _perf_migstat perf-migstat rep)" "report"
t_like "perf-migstat report --st TAB" "$(offers _perf_migstat perf-migstat report --st)" "(^| )--stdio( |\$)"
t_is "perf-migstat report -i TAB: files" "$(offers _perf_migstat perf-migstat report -i '')" ""
t_is "perf migstat TAB: all subcommands" "$(offers _perf_with_migstat perf migstat '')" "${cmds% }"
t_is "perf --no-pager migstat rep TAB" "$(offers _perf_with_migstat perf --no-pager migstat rep)" "report"
t_like "perf migstat record --no-wa TAB" "$(offers _perf_with_migstat perf migstat record --no-wa)" "--no-wake"
t_is "perf migstat record -- TAB: the shell's own" "$(offers _perf_with_migstat perf migstat record -- --)" ""
t_is "perf m TAB: perf's commands and migstat" "$(offers _perf_with_migstat perf m)" "mem migstat "
t_is "perf rep TAB: perf's alone" "$(offers _perf_with_migstat perf rep)" "report"
t_is "perf record mig TAB: not ours" "$(offers _perf_with_migstat perf record mig)" ""
t_is "perf migstat sweep --set mig TAB: knobs" "$(offers _perf_with_migstat perf migstat sweep --set mig)" "migration_cost="
t_is "perf migstat sweep --set cpu TAB" "$(offers _perf_with_migstat perf migstat sweep --set cpu)" \
	"cpu.weight= cpu.max= cpuset="
t_done
