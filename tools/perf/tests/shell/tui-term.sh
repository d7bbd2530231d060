#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The terminal UI on odd terminals: tiny, dumb, resized, stopped, killed, without UTF-8, with names that
# are no text; and when it is chosen at all.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/tmux.sh"

need_migstat
need_cmd perf tmux python3
"$PERF_MIGSTAT" version --build-options | grep -q 'slang: \[ on' || t_skip_all "built without slang"

lab=$MIG_TEST_DATA/lab/6.1-n8-migstat
data=$lab/ms-msg.data
report="perf migstat report -i $data --kallsyms $lab/kallsyms.gz"
grow=$MIG_ROOT/tools/perf/tests/grow.py

# --- when it is chosen ---

# "tui" or "text", on a terminal with these settings
chosen()
{
	tt_start 80 24 "$@"
	tt_wait "a screen" '^ Pairs|^rc='
	if tt__has '^ Pairs'; then
		tt_keys q
		tt_wait "the prompt" '^rc='
		echo tui
	else
		echo text
	fi
}

printf '[tui]\n\tmigstat = off\n' >"$T_TMP/off"
printf '[tui]\n\tmigstat = on\n' >"$T_TMP/on"
term=TERM=xterm-256color
plain="PERF_PAGER=cat PERF_CONFIG=/dev/null"
t_is "a terminal: the TUI" "$(chosen $term -- "$plain $report")" tui
t_is "--stdio: text" "$(chosen $term -- "$plain $report --stdio")" text
t_is "tui.migstat = off: text" "$(chosen $term -- "$plain PERF_CONFIG=$T_TMP/off $report")" text
t_is "--tui: the TUI all the same" "$(chosen $term -- "$plain PERF_CONFIG=$T_TMP/off $report --tui")" tui
t_is "tui.migstat = on" "$(chosen $term -- "$plain PERF_CONFIG=$T_TMP/on $report")" tui
t_is "the last of --tui and --stdio counts" "$(chosen $term -- "$plain $report --stdio --tui")" tui
t_is "--json: no TUI" "$(chosen $term -- "$plain $report --json")" text
t_is "-t: no TUI" "$(chosen $term -- "$plain $report -t,")" text
t_is "--matrix: no TUI" "$(chosen $term -- "$plain $report --matrix")" text
t_is "--pair: the text of the pair" "$(chosen $term -- "$plain $report --pair sched-messaging,sched-messaging")" text
tt_start 80 24 $term -- "$report --by task"
tt_like "--by task: the TUI" '^ By task 1/7 '
tt_keys q
tt_ended "left" 0
t_is "standard output is no terminal" "$(chosen $term -- "$plain $report | cat")" text
t_is "TERM=dumb: text" "$(chosen TERM=dumb -- "$plain $report")" text
t_is "TERM empty: text" "$(chosen TERM= -- "$plain $report")" text
t_is "TERM unknown: text" "$(chosen TERM=no-such-terminal -- "$plain $report")" text
tt_start 80 24 TERM=dumb -- "$report --tui"
tt_like "--tui says why not" '^Error: --tui: the terminal that TERM names is unknown'
tt_ended "and fails" 1
tt_start 80 24 $term -- "perf migstat report --tui -i - <$data"
tt_like "--tui from a pipe says why not" '^Error: --tui: standard input can be read only once'
tt_start 80 24 $term -- "$report </dev/null"
tt_like "standard input need not be the terminal" '^ Pairs'
tt_keys q
tt_ended "keys come from it all the same" 0

# --- sizes ---

tt_start 80 24 $term -- "$report"
tt_wait "the screen" '/40$'
whole=$(tt_screen)
tt_size 39 10
tt_like "too narrow" '^39x10: needs 40x10$'
tt_size 1 1
tt_size 300 70
tt_like "1x1 and a very large one" '^ Pairs 1/7 .* moves$'
tt_like "wide rows have whole names" '^\+ sched-messaging +sched-messaging '
t_like "to the last line" "$(tt_screen | tail -n 1)" 'q leave.* 1/40$'
tt_size 1 1
tt_size 80 24
tt_like "and back" '^\+ sched-\.\.aging'
t_wait "the same screen" test "$(tt_screen)" = "$whole"
t_is "as it was" "$(tt_screen)" "$whole"

# --- stopped and continued ---

tt_keys C-z
tt_like "^Z stops it" 'Stopped'
tt_keys -l 'stty -a | grep -o " echo " | tr " " :; fg'
tt_keys Enter
tt_like "fg brings the same screen back" '^\+ sched-\.\.aging'
tt_keys Down
tt_like "and its keys" ' 2/40$'
pid=$(tt_pid)
kill -STOP "$pid"
kill -CONT "$pid"
tt_keys Down
tt_like "SIGSTOP and SIGCONT" ' 3/40$'
kill -WINCH "$pid"
tt_keys Down
tt_like "SIGWINCH without a change" ' 4/40$'
tt_keys q
tt_like "the shell has its terminal back" ':echo:'
tt_start 80 24 $term -- "'$PERF_MIGSTAT' report -i $data"
tt_wait "the screen" ' 1/[0-9]+$'
tt_keys C-z
tt_like "^Z without perf in front" 'Stopped'
tt_keys -l fg
tt_keys Enter
tt_like "fg" ' 1/[0-9]+$'
tt_keys C-c
tt_gone "^C leaves" '^ Pairs'

# --- signals ---

for sig in TERM HUP INT QUIT; do
	tt_start 80 24 $term -- "'$PERF_MIGSTAT' report -i $data"
	tt_wait "the screen" ' 1/[0-9]+$'
	kill -$sig "$(tt_pid)"
	tt_ended "SIG$sig: the exit code tells" $((128 + $(kill -l $sig)))
	t_unlike "SIG$sig: the screen is the shell's" "$(tt_screen)" '^ Pairs'
	tt_keys -l 'stty -a | grep -o " echo " | tr " " :'
	tt_keys Enter
	tt_like "SIG$sig: the terminal is as it was" '^:echo:$'
done

# --- ESC and what begins with it ---

# between the terminal and the program: each byte that is typed comes alone, some time after the one before
cat >"$T_TMP/slow.py" <<-'EOF'
	import fcntl, os, pty, select, sys, termios, time, tty
	gap = float(sys.argv[1])
	size = fcntl.ioctl(0, termios.TIOCGWINSZ, b"." * 8)
	pid, fd = pty.fork()
	if not pid:
	    fcntl.ioctl(0, termios.TIOCSWINSZ, size)
	    os.execvp(sys.argv[2], sys.argv[2:])
	old = termios.tcgetattr(0)
	tty.setraw(0)
	try:
	    while True:
	        ready = select.select([0, fd], [], [])[0]
	        if fd in ready:
	            os.write(1, os.read(fd, 65536))
	        if 0 in ready:
	            for byte in os.read(0, 1024):
	                os.write(fd, bytes([byte]))
	                time.sleep(gap)
	except OSError:
	    pass
	termios.tcsetattr(0, termios.TCSADRAIN, old)
	sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
EOF

# a machine under load may stretch a pause beyond what counts as one key: several tries
arrow_after()
{
	local try

	tt_start 80 24 $term -- "python3 $T_TMP/slow.py $1 '$PERF_MIGSTAT' report -i $data"
	tt_wait "the screen" ' 1/[0-9]+$'
	for try in 1 2 3 4 5; do
		tt_keys Down
		tt_wait "a key was seen" 'really want| 2/[0-9]+$'
		tt__has ' 2/[0-9]+$' && break
		tt_keys n
		tt_gone "the question" 'really want'
		t_note "try $try: taken for ESC"
	done
	tt_like "an arrow whose bytes come $1 s apart is an arrow" ' 2/[0-9]+$'
	tt_keys Escape
	tt_like "$1: ESC alone is ESC" 'really want'
	tt_keys y
	tt_ended "$1: left" 0
}

for gap in 0.02 0.05 0.1; do
	arrow_after $gap
done
tt_start 80 24 $term ESCDELAY=5000 -- "python3 $T_TMP/slow.py 0.5 '$PERF_MIGSTAT' report -i $data"
tt_wait "the screen" ' 1/[0-9]+$'
tt_keys Down
tt_like "ESCDELAY makes it wait longer" ' 2/[0-9]+$'
tt_keys -H 1b 5b
tt_keys Down
tt_like "a sequence that was cut off is no key, the next one is" ' 3/[0-9]+$'
tt_keys -H 1b 5b 39 39 7e 1b 5b 42
tt_like "one that is unknown, too" ' 4/[0-9]+$'
tt_keys q
tt_ended "left" 0

# --- through ssh ---

# a server of our own: a free port, a key and a configuration that are thrown away
ssh_port()
{
	python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

over_ssh()
{
	local dir=$T_TMP/ssh sshd port server

	sshd=$(PATH=$PATH:/usr/sbin type -P sshd)
	mkdir -p "$dir" && chmod 700 "$dir"
	port=$(ssh_port)
	ssh-keygen -q -t ed25519 -N '' -f "$dir/host" && ssh-keygen -q -t ed25519 -N '' -f "$dir/user" || return
	cp "$dir/user.pub" "$dir/authorized"
	printf '%s\n' "Port $port" "ListenAddress 127.0.0.1" "HostKey $dir/host" "PidFile none" \
		"AuthorizedKeysFile $dir/authorized" "StrictModes no" "UsePAM no" "PermitRootLogin yes" >"$dir/config"
	[ -d /run/sshd ] || mkdir -p /run/sshd 2>/dev/null
	"$sshd" -D -e -f "$dir/config" 2>"$dir/log" &
	server=$!
	t_cleanup "kill $server 2>/dev/null"
	t_wait "the server" grep -q 'Server listening' "$dir/log"
	tt_start 80 24 $term -- "ssh -tt -F none -p $port -i $dir/user -o StrictHostKeyChecking=no" \
		"-o UserKnownHostsFile=$dir/known -o LogLevel=ERROR 127.0.0.1" \
		"\"PERF_EXEC_PATH='$PERF_EXEC_PATH' LC_ALL=C.UTF-8 perf migstat report -i '$data'\""
	tt_like "ssh: the screen" ' 1/[0-9]+$'
	tt_keys Down
	tt_like "ssh: an arrow" ' 2/[0-9]+$'
	tt_size 60 15
	tt_like "ssh: another size" "^\\+ sche\.\.ing sche\.\.ing"
	t_is "ssh: the whole of it" "$(tt_screen | grep -c .)" 15
	tt_keys Escape
	tt_like "ssh: ESC" 'really want'
	tt_keys y
	tt_ended "ssh: left" 0
	kill "$server"
}

if [ "$(id -u)" = 0 ] && type -P ssh ssh-keygen >/dev/null && PATH=$PATH:/usr/sbin type -P sshd >/dev/null; then
	over_ssh
else
	t_skip "through ssh" "needs root, openssh-client, openssh-server"
fi

# --- names that are no plain text ---

python3 "$grow" "$MIG_TEST_DATA/made/base.perf.data" "$T_TMP/odd.data" --comms 'caf\xc3\xa9' \
	'\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e' '\x1b[2J\x1b[31m' 'tab\tx\x07' 'cut\xe6\x97' '\xc2\x9b2J' 'a,b' 'e\xcc\x81\xcc\x81'
tt_start 80 24 $term -- "perf migstat report -i $T_TMP/odd.data"
tt_like "UTF-8" '^\+ producer +café  +1 100\.0'
tt_like "wide characters: the columns stay in place" '^\+ producer         日本語                 1 100\.0'
tt_like "escape sequences do not reach the terminal" '^\+ producer +\?\[2J\?\[31m +1 '
tt_like "nor control characters" '^\+ producer +tab\?x\? +1 '
tt_like "a name cut inside a character" '^\+ producer +cut\?+ +1 '
tt_like "nor C1 controls" '^\+ producer +\?2J +1 '
tt_keys / ; tt_keys -l '日本'; tt_keys Enter
tt_like "a filter in UTF-8" ' 1/1 \(7 hidden\)$'
tt_keys Enter
tt_like "opened by its bytes" '^ Pair producer > 日本語  1 wakeups'
tt_keys Escape
tt_wait "the list" '^ Pairs'
tt_keys Escape / ; tt_keys -l 'a,b'; tt_keys Enter Enter
tt_like "a comma in a name" '^ Pair producer > a,b  1 wakeups'
tt_keys q
tt_ended "left" 0
tt_start 80 24 $term LC_ALL=C -- "perf migstat report -i $T_TMP/odd.data"
tt_like "LANG=C: a ? for each character" '^\+ producer +\?\?\? +1 100\.0'
tt_like "and the same columns" '^\+ producer +caf\? +1 100\.0'
tt_keys q
tt_ended "left" 0

# --- many rows, and reading that is stopped ---

python3 "$grow" "$MIG_TEST_DATA/made/base.perf.data" "$T_TMP/many.data" --pairs 30000
tt_start 80 24 $term -- "perf migstat report -i $T_TMP/many.data"
tt_like "30,000 pairs" ' 1/30000$'
tt_keys End
tt_like "to the last" ' 30000/30000$'
tt_keys PageUp
tt_like "a page up" ' 299[0-9][0-9]/30000$'
tt_keys Tab Escape
tt_like "ESC stops reading" '^ stopped: all is as it was'
tt_like "and the view stays" '^ Pairs 1/7'
tt_keys Tab
tt_like "the next time it is read" '^ Tasks 2/7'
tt_keys q
tt_ended "left" 0

# --- losses, sampled misses ---

# lost_rows FILE "BEGIN ...": how many of the rows that begin then (s) have a loss in them
lost_rows()
{
	"$PERF_MIGSTAT" report --json -q -i "$1" | python3 -c '
import json, sys
begins = [int(b.replace(".", "")) * 1000 for b in sys.argv[1].split()]
width = begins[1] - begins[0]
lost = json.load(sys.stdin)["summary"]["losses"]
print(sum(any(w["from_ns"] < b + width and w["to_ns"] >= b for w in lost) for b in begins))' "$2"
}


lossy=$MIG_TEST_DATA/lab/6.1-n8-fmt/fmt-lost.data
tt_start 80 70 $term -- "perf migstat report -i $lossy"
tt_like "losses stand in the summary" '^ lost 5,783, unseen 0 switches 90 moves; 6,297 events'
tt_like "and are marked in rows" '^\+ sched-messaging +sched-messaging *! +98 '
tt_keys Tab Tab Tab Tab
tt_like "the timeline counts what was sampled" '^ +from \(s\) +wakeups +moves +page-faults'
faults=$(perf script -i "$lossy" -F event 2>/dev/null | grep -c page-faults)
t_is "all of it" "$(tt_screen | awk '$1 ~ /^[0-9]+\.[0-9]+$/ { n += $4 + 0 } END { print n }')" "$faults"
t_is "and marks where events were lost" "$(tt_screen | grep -cE '^ +[0-9.]+ +[0-9]+! +[0-9]+! +[0-9]+!')" \
	"$(lost_rows "$lossy" "$(tt_screen | awk '$1 ~ /^[0-9]+\.[0-9]+$/ { print $1 }')")"
tt_keys q
tt_ended "left" 0

# --- damage, nothing to show ---

head -c 900000 "$data" >"$T_TMP/cut.data"
tt_start 80 24 $term -- "perf migstat report -i $T_TMP/cut.data"
tt_like "a file that ends early: what came before is shown, and said" '^ lost 0, damaged file'
tt_keys q
tt_ended "the exit code tells" 1
tt_like "with the reason" '^Error: '
tt_start 80 24 $term -- "perf migstat report -i $MIG_TEST_DATA/made/no_samples.perf.data"
tt_like "no events: an empty list" ' 0/0$'
tt_keys Down Enter e E s Escape P t Tab Tab Tab Enter Tab Enter Enter Tab Enter e
tt_like "every key does nothing" '^ Slowest wakeups'
tt_keys BTab BTab BTab BTab BTab
tt_like "what to do where there is nothing" '^ no wakeups to show pairs of; TAB: tasks'
tt_keys q
tt_ended "left" 0
t_done
