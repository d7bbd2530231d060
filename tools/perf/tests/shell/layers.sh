#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The order of the rooms (util/LAYERS), and that util/ neither prints nor ends the process.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/files.sh"

util=$MIG_ROOT/tools/perf/util
mapfile -t rooms < <(grep -vE '^[[:space:]]*(#|$)' "$util/LAYERS")

# room_of NAME: NAME is a room, or a part of one (perfdata-pipe belongs to perfdata); the longest wins.
# Prints "ROOM INDEX", nothing if unknown.
room_of()
{
	local i best='' at=

	for i in "${!rooms[@]}"; do
		if [ "$1" = "${rooms[i]}" ] || [[ $1 = "${rooms[i]}"-* ]]; then
			[ ${#rooms[i]} -gt ${#best} ] && best=${rooms[i]} at=$i
		fi
	done
	[ -n "$best" ] && echo "$best $at"
}

# prints every include that goes upward or out of util/
upward()
{
	local f inc own to room at toroom toat name

	for f in "$util"/*.[ch]; do
		name=${f##*/}
		own=$(room_of "${name%.*}")
		if [ -z "$own" ]; then
			echo "util/$name: its room is not in util/LAYERS"
			continue
		fi
		read -r room at <<<"$own"
		while IFS= read -r inc; do
			if [ ! -e "$util/${inc##*/}" ]; then
				echo "util/$name includes $inc, which is outside of util/"
				continue
			fi
			to=$(room_of "$(basename "$inc" .h)")
			read -r toroom toat <<<"$to"
			[ -z "$to" ] || [ "$toat" -le "$at" ] ||
				echo "util/$name ($room) includes $inc ($toroom), which is a higher room"
		done < <(sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"([^"]+)".*/\1/p' "$f")
	done
}

# util/ code without strings and comments, as FILE:LINE:text
code()
{
	local f

	for f in "$util"/*.[ch]; do
		sed -E -e 's/"([^"\\]|\\.)*"/""/g' -e 's@/\*.*\*/@@g' -e 's@/\*.*@@' -e 's@^[[:space:]]*\*([[:space:]/].*)?$@@' "$f" |
			grep -nE "$1" | sed "s,^,util/${f##*/}:,"
	done
}

speaks='(^|[^A-Za-z0-9_])(v?printf|puts|putchar|perror|(v?fprintf|fputs|fputc|putc)[[:space:]]*\(.*std(out|err))([^A-Za-z0-9_]|$).*'
ends='(^|[^A-Za-z0-9_>.])(exit|abort|errx?|quick_exit)[[:space:]]*\('

t_is "every room of util/ has a line in LAYERS and includes no higher room" "$(upward)" ""
t_is "util/ does not print" "$(code "$speaks" | grep -v 'format(printf')" ""
t_is "util/ does not end the process" "$(code "$ends")" ""
t_is "ui/ knows neither the file format nor the decoder" \
	"$(cd "$MIG_ROOT/tools/perf" && grep -nE '#include "(util/)?(perfdata|decode|order)[a-z-]*\.h"' ui/*.[ch] 2>/dev/null)" ""
t_is "only decode uses libtraceevent" \
	"$(cd "$MIG_ROOT/tools/perf" && grep -lE '#include <(traceevent/)?event-parse.h>' ./*.c migstat/*.c ui/*.c util/*.c 2>/dev/null |
		grep -v '^util/decode')" ""
t_done
