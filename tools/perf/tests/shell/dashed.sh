#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Behind `perf`, which forks us and waits: signals, the terminal, exit codes, what completion asks.
. "$(dirname "$0")/lib/tap.sh"
need_migstat
need_cmd perf

t_is "--list-cmds" "$(perf migstat --list-cmds)" "$("$PERF_MIGSTAT" --list-cmds)"
t_like "--list-cmds names record, report, script" "$(perf migstat --list-cmds)" 'record report script'
t_like "record --list-opts" "$(perf migstat record --list-opts)" '^--miss-event .* --output '
for cmd in $(perf migstat --list-cmds); do
	t_like "$cmd --list-opts" "$(perf migstat "$cmd" --list-opts)" '^(--[a-z][a-z0-9-]* )+--help$'
	t_rc "$cmd -h" 0 perf migstat "$cmd" -h
	t_rc "$cmd --help" 0 perf migstat "$cmd" --help
	t_is "$cmd -h speaks on stdout alone" "$(perf migstat "$cmd" -h 2>&1 >/dev/null)" ""
	t_rc "$cmd --no-such-option" 129 perf migstat "$cmd" --no-such-option
	t_is "$cmd --no-such-option: one line" "$(perf migstat "$cmd" --no-such-option 2>&1 | wc -l)" 1
done
t_rc "-h" 0 perf migstat -h
t_rc "no subcommand" 129 perf migstat
t_rc "unknown subcommand" 129 perf migstat recrod
t_like "unknown subcommand: a suggestion" "$(perf migstat recrod 2>&1)" "did you mean 'record'"
t_like "version" "$(perf migstat version)" '^perf migstat version [0-9]+\.[0-9]+'
t_like "version --build-options" "$(perf migstat version --build-options)" 'libtraceevent: \[ (on |OFF) \]  # HAVE_LIBTRACEEVENT'
mkdir "$T_TMP/exec" && ln -s "$PERF_MIGSTAT" "$T_TMP/exec/perf-migstat"
t_like "perf help -a lists it" "$(PERF_EXEC_PATH=$T_TMP/exec perf help -a)" '^ +migstat'

need_root
need_tracepoints
cd "$T_TMP" || exit 1
# what a shell gives its background children is an ignored SIGINT
plain="env --default-signal=INT,QUIT,TSTP"

# child_of PID NAME: the pid of its child of that name
child_of()
{
	ps -o pid=,args= --ppid "$1" 2>/dev/null | awk -v n="$2" '$2 ~ n { print $1; exit }'
}
has_child()
{
	[ -n "$(child_of "$1" "$2")" ]
}
gone()
{
	! kill -0 "$1" 2>/dev/null
}
complete()
{
	perf script -i "$1" 2>/dev/null | grep -q sched_switch && ! perf report --header-only -i "$1" 2>&1 | grep -q 'data size field is 0'
}

t_rc "the exit code of the command" 3 perf migstat record -q -o a.data -- sh -c 'exit 3'
mkfifo closed
true <closed &
exec 9>closed
wait $!
t_is "a reader that has gone is no error" "$(perf migstat script -q -i a.data 2>&1 >&9)" ""
exec 9>&-

# start NAME [RUNNER]: a recording without end; $wrapper is perf, $ours perf-migstat, $rec perf record
start()
{
	${2-$plain} perf migstat record -q -o "$1" 2>"$1.err" &
	wrapper=$!
	t_wait "our process" has_child $wrapper perf-migstat
	ours=$(child_of $wrapper perf-migstat)
	t_wait "perf record" has_child "$ours" /perf
	t_wait "data in $1" test -s "$1"
	rec=$(child_of "$ours" /perf)
}

start int.data
t_is "SIGWINCH is not blocked" $((16#$(awk '/^SigBlk/ { print $2 }' "/proc/$ours/status") >> 27 & 1)) 0
kill -INT $wrapper
t_wait "the end of the recording" gone "$rec"
t_wait "our end" gone "$ours"
t_ok "kill -INT of perf ends the recording, and it is whole" complete int.data
wait $wrapper 2>/dev/null

start bg.data env # with SIGINT ignored
kill $wrapper
t_wait "the end of the recording" gone "$rec"
t_ok "kill of perf in a script's background ends the recording, and it is whole" complete bg.data
wait $wrapper 2>/dev/null

start term.data
kill -TERM "$ours"
wait $wrapper
t_is "kill -TERM of us: an exit code, not a death" "$?" 143
t_is "and perf has nothing to say" "$(cat term.data.err)" ""
t_ok "the recording is whole" complete term.data

start kill.data
kill -KILL "$ours"
t_wait "the end of the recording" gone "$rec"
t_ok "kill -KILL of us: perf record still finishes" complete kill.data
wait $wrapper 2>/dev/null

# at a terminal
if ! command -v tmux >/dev/null; then
	t_skip "^C and ^Z at a terminal" "tmux is not installed"
	t_done
fi
tm()
{
	tmux -L "migstat$$" -f /dev/null "$@"
}
screen()
{
	tm capture-pane -p
}
shows()
{
	screen | grep -qE "$1"
}
type_line()
{
	tm send-keys -l "$1" && tm send-keys Enter
}
t_cleanup "tmux -L migstat$$ kill-server 2>/dev/null"
tm new-session -d -x 80 -y 24 "env PS1='$ ' bash --norc --noprofile"
t_wait "a shell" shows '^\$'
type_line "cd $T_TMP; clear"

type_line "perf migstat record -q -o tty.data; echo code=\$?"
t_wait "a recording at the terminal" test -s tty.data
tm send-keys C-c
t_wait "the prompt" shows 'code=[0-9]'
t_like "^C: perf waits for us, the code arrives" "$(screen)" 'code=130$'
t_ok "^C: the recording is whole at the prompt" complete tty.data
type_line "expr 6 '*' 7"
t_wait "the shell" shows '^42'
t_like "^C: the terminal is the shell's again" "$(screen)" '^42$'

type_line "clear; perf migstat record -q -o stop.data"
t_wait "a second recording" test -s stop.data
tm send-keys C-z
t_wait "a stopped job" shows 'Stopped'
t_like "^Z: the shell has a stopped job" "$(screen)" 'Stopped +perf migstat record'
type_line "fg; echo code=\$?"
running()
{
	ps -o stat= -p "$(pgrep -f '^[^ ]*perf-migstat record -q -o stop.data')" | grep -q '^[SR]'
}
t_wait "the job" running
tm send-keys C-c
t_wait "the prompt" shows 'code=130$'
t_ok "fg, ^C: the recording is whole" complete stop.data

if command -v less >/dev/null; then
	type_line "clear; PERF_PAGER='less -+F -Ppager' perf migstat report --stdio -i tty.data"
	t_wait "the pager" shows '^pager'
	tm send-keys C-c
	tm send-keys g # redraws, if the pager is still there
	t_wait "the pager after ^C" shows '^pager'
	tm send-keys q
	type_line "echo code=\$?"
	t_wait "the prompt" shows 'code=[0-9]'
	t_like "^C in the pager is the pager's" "$(screen)" 'code=0$'
else
	t_skip "^C in the pager is the pager's" "less is not installed"
fi

cat >job.sh <<-'EOS'
	perf migstat record -q -o script.data
	echo "the next command"
EOS
type_line "clear; bash job.sh"
t_wait "a recording of a script" test -s script.data
tm send-keys C-c
type_line "echo code=\$?" # by itself: bash drops the rest of a line that ^C has ended
t_wait "the prompt" shows 'code=[0-9]'
t_like "^C of a script: as if it had hit the script itself" "$(screen)" '^code=130'
t_unlike "^C of a script ends the script, too" "$(screen)" 'next command'
t_ok "^C of a script: the recording is whole" complete script.data

type_line "clear; perf migstat -h | sh -c 'read -r x </dev/tty; echo got=\$x'"
type_line "this"
t_wait "the reader" shows '^got='
t_like "in a pipeline the terminal stays with the others" "$(screen)" '^got=this'
t_done
