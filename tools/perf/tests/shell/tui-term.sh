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
tt_like "--by task: the TUI" '^ By task 1/6 '
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
tt_like "1x1 and a very large one" '^ Pairs 1/6 .* moves$'
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

# the arrow's three bytes come apart, as over a slow link; a machine under load may stretch the pause
# beyond what counts as one key, so several tries
cat >"$T_TMP/slow.py" <<-'EOF'
	import fcntl, os, pty, re, select, struct, sys, termios, time
	pid, fd = pty.fork()
	if not pid:
	    os.environ["TERM"] = "xterm"
	    os.execv(sys.argv[1], sys.argv[1:])
	fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
	def read_until(want, seconds):
	    got, end = b"", time.time() + seconds
	    while not re.search(want, got) and time.time() < end:
	        if select.select([fd], [], [], 0.05)[0]:
	            got += os.read(fd, 65536)
	    return re.search(want, got)
	assert read_until(rb" 1/[0-9]+", 10), "no screen"
	for _ in range(20):
	    os.write(fd, b"\x1b")
	    time.sleep(0.02)
	    os.write(fd, b"[B")
	    if read_until(rb"[2-9]\d*/|[2-9]", 0.5) and not read_until(b"really", 0.1):
	        break
	    os.write(fd, b"nn")
	else:
	    sys.exit("ESC, 20 ms, [B is never one key")
	os.write(fd, b"\x1b")
	assert read_until(b"really", 10), "ESC alone is not seen"
	os.write(fd, b"y")
	assert os.waitpid(pid, 0)[1] == 0
EOF
t_ok "an arrow that comes in parts is an arrow, ESC alone is ESC" python3 "$T_TMP/slow.py" "$PERF_MIGSTAT" report -i "$data"

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
tt_like "and the view stays" '^ Pairs 1/6'
tt_keys Tab
tt_like "the next time it is read" '^ Tasks 2/6'
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
