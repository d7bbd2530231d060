#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every view of the terminal UI on three sizes of screen, against stored screens, in colour and without.
# After a change that is meant to show: MIG_NEW_SCREENS=1 make check T=tui-screens writes them anew.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/tmux.sh"

need_migstat
need_cmd perf tmux python3
"$PERF_MIGSTAT" version --build-options | grep -q 'slang: \[ on' || t_skip_all "built without slang"

lab=$MIG_TEST_DATA/lab/6.1-n8-migstat
stored=$MIG_ROOT/tools/perf/tests/data/tui
python3 "$MIG_ROOT/tools/perf/tests/grow.py" "$MIG_TEST_DATA/made/base.perf.data" "$T_TMP/cpus.data" --cpus 256

# looks anew each time it is called
is_stored()
{
	diff -q "$stored/$1.txt" <(tt_screen)
}

# screen NAME REGEX: once a line matches, the screen must be the stored one
screen()
{
	local name=$1

	tt_wait "$name" "$2" || return
	if [ -n "${MIG_NEW_SCREENS:-}" ]; then
		tt_screen >"$stored/$name.txt"
	fi
	# what is drawn last is the last line, so that the rest is there
	t_wait "$name: the stored screen" is_stored "$name" ||
		diff "$stored/$name.txt" <(tt_screen) | t_note
	t_is "$name" "$(tt_screen)" "$(cat "$stored/$name.txt")"
}

views()
{
	local size=$1 w=${1%x*} h=${1#*x}

	tt_start "$w" "$h" TERM=xterm -- "perf migstat report -i $lab/ms-msg.data --kallsyms $lab/kallsyms.gz"
	screen "pairs-$size" '^ Pairs 1/7'
	tt_keys e
	screen "pairs-open-$size" '^path: '
	tt_keys Enter
	screen "pair-$size" '^ Pair '
	tt_keys Escape
	tt_wait "pairs" '^ Pairs'
	tt_keys Tab
	screen "tasks-$size" '^ Tasks'
	tt_keys Tab
	screen "causes-$size" '^ Causes'
	tt_keys Tab
	screen "cpus-$size" '^ CPUs'
	tt_keys Tab
	screen "timeline-$size" '^ Timeline'
	tt_keys Tab
	screen "slowest-$size" '^ Slowest'
	tt_keys Tab
	screen "llcs-$size" '^ LLCs 7/7'
	tt_keys '?'
	screen "help-$size" '^ Help'
	tt_keys q
	tt_ended "$size: left" 0
	tt_start "$w" "$h" TERM=xterm -- "perf migstat report -i $T_TMP/cpus.data"
	tt_wait "pairs" '^ Pairs'
	tt_keys BTab BTab BTab BTab
	screen "cpus256-$size" '^ CPUs'
	tt_keys End '>' '>' '>' '>'
	screen "cpus256-end-$size" '^\+ +255 '
	tt_keys q
	tt_ended "$size: left" 0
}

mkdir -p "$stored"
for size in 80x24 40x10 120x40; do
	views $size
done

# --- colours ---

# the first rows, with the terminal's attributes
attributes() { tt capture-pane -e -p | head -n 6; }
esc=$(printf '\033')
for how in "xterm-256color " "xterm-256color NO_COLOR=1" "vt100 "; do
	read -r term var <<<"$how"
	tt_start 80 24 TERM="$term" ${var:+"$var"} -- "perf migstat report -i $lab/ms-msg.data --kallsyms $lab/kallsyms.gz"
	tt_wait "$how" '^ Pairs'
	tt_wait "$how" '/40$'
	if [ -z "$var" ] && [ "$term" != vt100 ]; then
		t_like "$how: colours" "$(attributes)" "$esc\[97m$esc\[44m Pairs"
		t_like "$how: the cursor's row" "$(attributes)" "$esc\[30m$esc\[103m\+ sched"
	else
		t_unlike "$how: no colours" "$(attributes)" "$esc\[(3[0-7]|4[0-7]|9[0-7]|10[0-7])m"
		t_like "$how: the title in reverse" "$(attributes)" "$esc\[7m Pairs"
		t_like "$how: and the cursor's row" "$(attributes)" "7m.*\+ sched"
	fi
	tt_keys q
	tt_ended "$how: left" 0
done

# perf's configuration: names, an index, a missing background, a blank more or less
printf '[colors]\n\tselected = white,red\n\troot = black , color2\n\ttop = magenta\n' >"$T_TMP/colors"
config=PERF_CONFIG=$T_TMP/colors
tt_start 80 24 TERM=xterm-256color "$config" -- "'$PERF_MIGSTAT' report -i $lab/ms-msg.data"
tt_wait "the screen" ' 1/[0-9]+$'
t_like "colors.root" "$(attributes)" "$esc\[30m$esc\[42m Pairs"
t_like "colors.selected" "$(attributes)" "$esc\[97m$esc\[41m\+ sched"
tt_keys Down
tt_wait "the next row" ' 2/[0-9]+$'
t_like "colors.top" "$(attributes)" "$esc\[35m.* 48\.5"
tt_keys q
tt_ended "left" 0
printf '[colors]\n\ttop = orange-ish, default\n' >"$T_TMP/colors"
tt_start 80 24 TERM=xterm-256color "$config" -- "'$PERF_MIGSTAT' report -i $lab/ms-msg.data"
tt_like "a colour that is none" "^ colors\.top in perf's configuration: not two colours"
t_like "stays as it was" "$(tt capture-pane -e -p)" "$esc\[31m"
tt_keys q
tt_ended "left" 0
t_done
