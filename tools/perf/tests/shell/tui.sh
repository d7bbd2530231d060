#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# report in a terminal: every view and every key; figures are those of the text report.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/tmux.sh"

need_migstat
need_cmd perf tmux
"$PERF_MIGSTAT" version --build-options | grep -q 'slang: \[ on' || t_skip_all "built without slang"

lab=$MIG_TEST_DATA/lab/6.1-n8-migstat
args=(-i "$lab/ms-msg.data" --kallsyms "$lab/kallsyms.gz")
report="perf migstat report ${args[*]}"
text() { perf migstat report --stdio --percent-limit 0 "${args[@]}" "$@"; }

# "N wakeups, N moves" of a selection, as the text counts them
totals()
{
	text "$@" | sed -nE 's/^ +[0-9]+ +([0-9]+)!? +[0-9]+!? +[0-9]+ +([0-9]+)!?$/\2 wakeups, \1 moves/p' | head -n 1
}

# --- open, look, leave ---

tt_start 80 24 TERM=xterm-256color -- "$report"
tt_like "report opens the pairs on a terminal" '^ Pairs 1/7 +2,170 wakeups, 1,234 moves'
tt_like "with what was lost" '^ lost 0; 9,327 events, 3\.026 s, 8 CPUs'
tt_like "and the figures of the text" '^\+ sched-\.\.aging +sched-\.\.aging +1852  48\.5  82\.6  17\.4'
tt_keys Enter
tt_like "ENTER opens a pair" '^ Pair sched-messaging > sched-messaging  1,852 wakeups, 1,207 moves of the wakee'
pair=$(tt_screen)
missing=$(text --pair sched-messaging,sched-messaging | grep -E '^(affine|near|far|moved|stayed) ' |
	while read -r line; do grep -qF "$line" <<<"$pair" || echo "$line"; done)
t_is "with the sides of report --pair" "$missing" ""
tt_keys End
tt_like "with its wake chains" '^ +[0-9]+ +[0-9.]+%  mean delay .* < '
tt_keys Escape
tt_like "ESC goes back" '^ Pairs 1/7'
tt_keys Down Right
tt_like "RIGHT opens as well, also a pair whose waker is [irq]" '^ Pair \[irq\] > rcu_preempt  151 wakeups'
tt_keys Left
tt_like "LEFT goes back" '^ Pairs 1/7'
tt_keys Left
tt_like "and no further" 'nothing to go back to; q leaves$|nothing to go back to; q leaves '

# --- rows ---

tt_keys Home e
tt_like "e opens a row" '^path: affine 47%, prev 32%, local 19%'
tt_keys c
tt_gone "c closes it" '^path: affine'
tt_keys E
tt_like "E opens all" '/[1-9][0-9][0-9]$'
tt_keys C
tt_like "C closes all" ' 1/40$'
tt_keys / ; tt_keys -l kwork; tt_keys Enter
tt_like "/ filters" '^ Pairs 1/7 \["kwork"\]'
tt_like "and says how many are hidden" ' 1/13 \(27 hidden\)$'
tt_keys Down Down
tt_like "the cursor moves" ' 3/13 '
cursor() { tt capture-pane -e -p | grep -F "$(printf '\033[30m\033[103m')" | sed 's/\x1b\[[0-9;]*m//g'; }
before=$(cursor)
t_like "it is on a row" "$before" 'kworker/2:1'
tt_keys S
tt_like "S reverses the order" '^ sorted by -wakeups'
t_is "the cursor stays on its row" "$(cursor)" "$before"
tt_keys s
tt_like "s asks for a column" '^   sort by '
tt_keys End Enter
tt_like "and sorts by it" '^ sorted by far-rate'
t_is "the cursor still stays" "$(cursor)" "$before"
tt_keys Escape
tt_gone "ESC takes the filter away" 'kwork"\]'
t_is "and the cursor stays" "$(cursor)" "$before"
tt_keys n
tt_like "n goes to the next hit" 'ENTER open'
t_like "the cursor is on it" "$(cursor)" kworker
tt_keys / Up
tt_like "UP recalls an earlier filter" '^ show rows with: kwork$'
tt_keys Escape
tt_keys f; tt_keys -l '+delay-max,-near%'; tt_keys Enter
tt_like "f changes the columns" '^  waker .* far%   p50   p99  near   far   max$'
tt_keys f; tt_keys -l 'nonsense'; tt_keys Enter
tt_like "and says what is wrong" "there is no column 'nonsense'"
tt_keys H
tt_gone "H hides the heads" '^  waker '
tt_keys H
tt_like "and shows them" '^  waker '

# --- zooming ---

tt_keys Home s Home Down Down Enter
tt_like "sorted by wakeups" '^ sorted by wakeups'
tt_keys Home Down t
tt_like "t zooms into the wakee" '^ Pairs 1/7 \[task rcu_preempt\]  [0-9]+ wakeups'
tt_like "as --comm does" "\[task rcu_preempt\]  $(totals --comm rcu_preempt)"
tt_keys Tab Tab
tt_like "other views follow" '^ Causes 3/7 \[task rcu_preempt\]'
tt_keys Escape
tt_like "ESC zooms out" '^ Causes 3/7  2,170 wakeups'

# --- views ---

tt_like "causes" '^\+ balance +311   25\.2% +21\.2m p50 +7\.02'
tt_keys Down e
tt_like "open into kinds and distances" '^  periodic-pull +282 '
tt_keys Tab
tt_like "CPUs" '^\+ +7 +252 +42 +11 +6 +34 +52 +5 +102 +-$'
tt_keys Tab
tt_like "timeline" '^ +11\.900000 +41 +119 +844 #+ +=+$'
tt_keys Home Down Down Down Down Down Down Down Down Down Down Down Down Down Down Enter
tt_like "ENTER begins a range" 'to the end of the range'
tt_keys Down Enter
tt_like "ENTER again zooms into it" '^ Timeline 5/7 \[time 11\.900000-12\.100000\]  '
tt_like "with the counts of --time" "  $(totals --time 11.9,12.099999999)"
tt_keys Tab
tt_like "slowest" '^ Slowest wakeups 6/7 \[time '
tt_keys Escape
tt_gone "ESC takes the range away" '\[time '
tt_keys Home
tt_like "the longest delay of the text" '^\+ +338m sched-messaging/452 +sched-messaging/481 +prev +0'
tt_keys e
tt_like "opens into its place and chain" '^at 11\.850947[0-9]+: waker on CPU'
tt_keys BTab BTab BTab BTab
tt_like "Shift-TAB goes the other way" '^ Tasks 2/7'
tt_like "the cursor is on the task that was alone when it was zoomed into" ' [2-9][0-9]*/113$'
tt_keys Home
tt_like "Home goes to the first" ' 1/113$'
t_is "tasks are those of --by task" "$(tt_screen | sed -nE 's/^\+ +([0-9]+) .*/\1/p' | head -n 5 | tr '\n' ' ')" \
	"$(text --by task -x, -F tid | sed 1d | head -n 5 | tr '\n' ' ')"

# --- single migrations ---

moves() { perf migstat script "${args[@]}" "$@" | grep -c ' move '; }
tt_keys Home l
tid=$(text --by task -x, -F tid | sed -n 2p)
tt_like "l lists the moves of a task" "^ Moves of thread $tid  $(moves --tid "$tid") moves\$"
tt_keys e
tt_like "a move opens" '^(smt|llc|node|remote), moved by '
tt_keys Escape Tab C Home Down l
tt_like "of a class of causes" '^ Moves balance  311 moves$'
tt_keys / ; tt_keys -l 'newidle'; tt_keys Enter
tt_like "a filter finds causes, paths, tasks" ' 1/29 \(282 hidden\)$'
tt_keys Escape Escape Home Down e Down l
tt_like "of one cause" '^ Moves (periodic-pull  282|newidle-pull  29) moves$'
tt_keys Escape c Tab End l
tt_like "from a CPU" '^ Moves from CPU 7  252 moves$'
tt_keys Escape e Down l
tt_like "to another" '^ Moves from CPU 7 to 6  102 moves$'
tt_keys Escape c BTab BTab BTab Home Enter l
tt_like "of a pair" '^ Moves sched-messaging > sched-messaging  1,207 moves$'
first=$(perf migstat script "${args[@]}" --pair sched-messaging,sched-messaging | sed -nE '/ move .*sched-messaging/{s/^ *([0-9]+\.[0-9]{6}).* cpu ([0-9]+>[0-9]+) .*/\1 .* \2 /p}' | sort -n | head -n 1)
tt_like "the first of them is that of script" "$first"
tt_keys Escape w
tt_like "w lists wake chains" '^ Wake chains sched-messaging > sched-messaging  '
tt_keys P
tt_wait "a file" ' perf\.migstat\.[0-9] written'
t_is "which hold all wakeups of the pair" \
	"$(awk '$1 == "+" { n += $2 } END { print n }' "$T_TMP/perf.migstat.0")" 1852
rm -f "$T_TMP"/perf.migstat.*
tt_keys e
tt_like "a chain opens into its tasks" '^ +> sched-messaging$'
tt_keys Escape Escape
tt_like "and back" '^ Pairs 1/7'
tt_keys Tab
tt_like "tasks" '^ Tasks 2/7'

# --- the rest ---

tt_keys P
tt_like "P writes a file" '^ perf\.migstat\.0 written'
t_like "with all rows" "$(cat "$T_TMP/perf.migstat.0")" '^\+ +465 '
t_is "one line each" "$(wc -l <"$T_TMP/perf.migstat.0")" $((113 + 4))
tt_keys P
tt_like "another name the next time" '^ perf\.migstat\.1 written'
tt_keys i
tt_like "i shows the recording" '^perf bench sched messaging -g 2 -l 8'
tt_keys Escape '?'
tt_like "? shows the keys" '^  TAB +next view'
tt_keys End
tt_like "the help scrolls" '^  q Ctrl-C +leave'
tt_keys Escape m
tt_like "m is a menu" '^   Zoom into it'
tt_keys q
tt_ended "a key in the menu does what it does elsewhere: q leaves" 0
t_unlike "and the screen is the shell's again" "$(tt_screen)" 'wakeups'
tt_start 80 24 TERM=xterm-256color -- "$report"
tt_wait "the screen" '^ Pairs'
tt_keys Escape
tt_like "ESC with nothing to go back to asks" 'really want to leave'
tt_keys n
tt_gone "n: no" 'really want'
tt_keys Escape
tt_wait "the question" 'really'
tt_keys Enter
tt_ended "ENTER: yes" 0
t_done
