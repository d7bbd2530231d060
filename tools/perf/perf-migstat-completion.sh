# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Bash completion for `perf-migstat` and `perf migstat`.
#
# Subcommands and options come from `perf-migstat --list-cmds` and `perf-migstat CMD --list-opts`. perf's
# own completion knows only perf's built-in commands, so it is wrapped: what begins with `perf migstat` is
# completed here, all else by perf's function, and `migstat` joins perf's list of commands.
#
# Installed as completions/perf-migstat it is loaded when `perf-migstat` is first completed. For
# `perf migstat` source it from ~/.bashrc, after bash-completion.

# completes the words of perf migstat after its name: $1 = index of the first of them
__perf_migstat_words()
{
	local first=$1 cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} cmd='' i

	COMPREPLY=()
	for ((i = first; i < COMP_CWORD; i++)); do
		# behind -- stands the command to record: the shell's own completion
		[ "${COMP_WORDS[i]}" = -- ] && return
		if [ -z "$cmd" ] && [[ ${COMP_WORDS[i]} != -* ]]; then
			cmd=${COMP_WORDS[i]}
		fi
	done

	case $prev in
	-i | --input | -o | --output | --kallsyms | --symfs | --sysroot | --state | --set-file) return ;; # files
	--set) # knobs; --list has their names in the first column
		compopt -o nospace 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -S = -W \
			"$(perf-migstat sweep --list 2>/dev/null | sed -n 's/^\([a-z][a-z_.]*\)  .*/\1/p')" -- "$cur")
		return
		;;
	esac

	if [ -z "$cmd" ]; then
		if [[ $cur != -* ]]; then
			mapfile -t COMPREPLY < <(compgen -W "$(perf-migstat --list-cmds 2>/dev/null)" -- "$cur")
		else
			mapfile -t COMPREPLY < <(compgen -W "-h --help --version" -- "$cur")
		fi
	elif [[ $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(perf-migstat "$cmd" --list-opts 2>/dev/null)" -- "$cur")
	fi
}

_perf_migstat()
{
	__perf_migstat_words 1
}
complete -o bashdefault -o default -F _perf_migstat perf-migstat

# perf: options of its own may stand before the command
_perf_with_migstat()
{
	local i

	for ((i = 1; i < COMP_CWORD; i++)); do
		if [ "${COMP_WORDS[i]}" = migstat ]; then
			compopt +o nospace 2>/dev/null
			__perf_migstat_words $((i + 1))
			return
		fi
		[[ ${COMP_WORDS[i]} == -* ]] || break
	done

	declare -F _perf >/dev/null && _perf "$@"
	# perf's function appends the blank by itself (nospace)
	if [ "$i" -eq "$COMP_CWORD" ] && [[ migstat == "${COMP_WORDS[COMP_CWORD]}"* ]]; then
		COMPREPLY+=("migstat ")
	fi
}

# perf's completion is loaded on demand; it has to be there before it can be wrapped
if ! declare -F _perf >/dev/null && declare -F _completion_loader >/dev/null; then
	_completion_loader perf 2>/dev/null
fi
complete -o bashdefault -o default -o nospace -F _perf_with_migstat perf
