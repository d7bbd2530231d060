# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# tmux: a real terminal for tests. Source it after tap.sh; needs tmux.
#
#	tt_start 80 24 [VAR=value ...] -- COMMAND	runs a shell command in a terminal of that size
#	tt_keys KEY...			as tmux names them (Enter, Escape, PageDown, q)
#	tt_wait "what" REGEX		until the screen has a line that matches
#	tt_gone "what" REGEX		until it has none
#	tt_screen			prints the screen
#	tt_size 40 10			another size
#	tt_pid				the perf-migstat that runs in it
#	tt_ended "name" RC		the command has ended with RC, the shell has the terminal back
#
# The command runs from a shell, as a user's does; its exit code is printed as "rc=N" behind it.

export TMUX_TMPDIR=$T_TMP
unset TMUX

tt()
{
	tmux -L "migtest$TT_N" -f /dev/null "$@"
}

t_cleanup 'tt kill-server 2>/dev/null'

TT_N=0

tt_start()
{
	local w=$1 h=$2 vars=()

	shift 2
	while [ "$1" != -- ]; do
		vars+=("$1")
		shift
	done
	shift
	tt kill-server 2>/dev/null
	TT_N=$((TT_N + 1)) # the old server may still be going
	# a shell without a start-up file
	tmux -L "migtest$TT_N" -f /dev/null new-session -d -x "$w" -y "$h" -c "$T_TMP" \
		"bash --norc --noprofile -i" || return 1
	tt_wait "a prompt" '^bash.*[$#]'
	# tmux has a TERM of its own for those inside of it
	tt send-keys -l "export LC_ALL=C.UTF-8 ${vars[*]}; clear; $* ; echo rc=\$?"
	tt send-keys Enter
}

tt_keys()
{
	tt send-keys "$@"
}

tt_screen()
{
	tt capture-pane -p
}

tt__has()
{
	tt_screen | grep -qE -- "$1"
}

tt__has_not()
{
	! tt__has "$1"
}

tt_wait()
{
	t_wait "$1" tt__has "$2" && return 0
	tt_screen | t_note
	return 1
}

tt_gone()
{
	t_wait "$1" tt__has_not "$2" && return 0
	tt_screen | t_note
	return 1
}

# by its terminal: others of that name belong to other tests
tt_pid()
{
	local tty

	tty=$(tt display-message -p '#{pane_tty}')
	pgrep -n -x -t "${tty#/dev/}" perf-migstat
}

tt_size()
{
	tt resize-window -x "$1" -y "$2"
}

# t_like on the screen, once it has come
tt_like()
{
	if tt_wait "$1" "$2"; then
		t__report 0 "$1"
	fi
}

tt_ended()
{
	tt_like "$1" "^rc=$2\$"
}
