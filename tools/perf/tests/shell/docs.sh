#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The documentation against the program: a page for every subcommand, every option in its page, no page
# with an option that is not there; every column, every name of the JSON; no page that leads nowhere.
. "$(dirname "$0")/lib/tap.sh"
need_migstat

docs=$MIG_ROOT/Documentation

# include::FILE[] of a page, as asciidoctor does it
page()
{
	awk -v dir="$docs" '
		/^include::.*\[\]$/ {
			f = dir "/" substr($0, 10, length($0) - 11)
			while ((getline line < f) > 0)
				print line
			close(f)
			next
		}
		{ print }' "$1"
}

# the long options a page has an entry for: "--name::", "-n <x>, --name=<x>::", "--[no-]name::"
page_entries()
{
	page "$1" | grep -E '^-.*::$' | opts
}

# those it describes: the entries, and what is named in a section "PERF RECORD OPTIONS", where options
# that are handed on to perf stand in a list without a description each
page_opts()
{
	page "$1" | awk '
		/^PERF [A-Z]+ OPTIONS$/ { all = 1; next }
		all && /^[A-Z][A-Z ]+$/ { all = 0 }
		all || /^-.*::$/' | opts
}

opts()
{
	sed -E 's/--\[no-\]([A-Za-z0-9-]+)/--\1 --no-\1/g' |
		grep -oE -- '(^|[^A-Za-z0-9-])--[A-Za-z0-9][A-Za-z0-9_-]*' | grep -oE -- '--[A-Za-z0-9].*' |
		own | sort -u
}

# without those that every command has
own()
{
	grep -vxE -- '--(help|usage|version)'
}

cmds=$("$PERF_MIGSTAT" --list-cmds)
t_like "--list-cmds names subcommands" "$cmds" '[a-z]'

for cmd in $cmds; do
	txt=$docs/perf-migstat-$cmd.txt
	if [ ! -e "$txt" ]; then
		t_ok "$cmd has a page" test -e "$txt"
		continue
	fi
	"$PERF_MIGSTAT" "$cmd" --list-opts | tr ' ' '\n' | grep -- '^--' | own | sort -u >"$T_TMP/has"
	t_is "$cmd: every option is in its page" "$(comm -23 "$T_TMP/has" <(page_opts "$txt"))" ""
	t_is "$cmd: every option of its page exists" "$(comm -13 "$T_TMP/has" <(page_entries "$txt"))" ""
	"$PERF_MIGSTAT" "$cmd" -h 2>/dev/null | grep -oE -- '--[A-Za-z0-9][A-Za-z0-9_-]*' | sort -u >"$T_TMP/help"
	t_is "$cmd: -h names every option" "$(comm -23 "$T_TMP/has" "$T_TMP/help")" ""
	t_like "$cmd: perf-migstat(1) leads to its page" "$(cat "$docs/perf-migstat.txt")" "perf-migstat-$cmd\\[1\\]"
done

for txt in "$docs"/perf-migstat-*.txt; do
	[ -e "$txt" ] || continue
	grep -q '(1)$' <<<"$(head -n 1 "$txt")" || continue
	cmd=$(basename "$txt" .txt) cmd=${cmd#perf-migstat-}
	t_like "page $cmd belongs to a subcommand" " $(tr '\n' ' ' <<<"$cmds") " " $cmd "
done

# columns: entries below COLUMNS, one "name::" a line
"$PERF_MIGSTAT" report --list-fields | cut -d ' ' -f 1 | sort >"$T_TMP/has"
page "$docs/perf-migstat-report.txt" |
	awk '/^[A-Z][A-Z ]+$/ { on = $0 == "COLUMNS" } on && /::$/ { sub(/::$/, ""); print }' |
	sort >"$T_TMP/page"
t_is "every column is in report's page" "$(comm -23 "$T_TMP/has" "$T_TMP/page")" ""
t_is "every column of report's page exists" "$(comm -13 "$T_TMP/has" "$T_TMP/page")" ""

# names of the JSON, those of events and files left out: each in backticks in migstat-json.md
json_names()
{
	python3 -c '
import json, sys

BY_EVENT = {"misses", "next_misses", "sampled_misses", "samples", "events_by_name"}

def names(v):
    if isinstance(v, dict):
        for k, w in v.items():
            yield k
            if k not in BY_EVENT:
                yield from names(w)
    elif isinstance(v, list):
        for w in v:
            yield from names(w)

text = sys.stdin.read()
docs = [json.loads(text)] if text.startswith("{\"schema\"") else map(json.loads, text.splitlines())
print("\n".join(sorted({n for d in docs for n in names(d)})))'
}

if ! command -v python3 >/dev/null; then
	t_skip "names of the JSON" "python3 is not installed"
else
	grep -ohE "\`[^\` ]+\`" "$docs/migstat-json.md" "$docs/model.md" | tr -d "\`" | sort -u >"$T_TMP/page"
	for rec in lab/6.1-n8-migstat/ms-msg.data lab/6.1-n8-fmt/fmt-lost.data lab-riscv/grp-n4/g-migr.data; do
		for cmd in report script; do
			"$PERF_MIGSTAT" "$cmd" --json -q -i "$MIG_TEST_DATA/$rec" 2>/dev/null | json_names >"$T_TMP/has"
			t_like "$cmd --json of $rec has names" "$(cat "$T_TMP/has")" 'lost_nearby'
			t_is "$cmd --json of $rec: every name is in migstat-json.md" \
				"$(comm -23 "$T_TMP/has" "$T_TMP/page")" ""
		done
	done
fi

# what the pages lead to
for f in README.md CONTRIBUTING.md Documentation/tour.md; do
	t_ok "$f is there" test -s "$MIG_ROOT/$f"
	while IFS= read -r name; do
		t_ok "$f: $name exists" test -e "$MIG_ROOT/$name"
	done < <(grep -oE "(Documentation|tools)/[A-Za-z0-9_./-]+\.(md|txt|[ch]|sh)\b|\`[A-Z]+\.md\`" "$MIG_ROOT/$f" |
		tr -d "\`" | grep -v NAME | sort -u)
done

while IFS= read -r room; do
	[ ! -e "$MIG_ROOT/tools/perf/util/$room.h" ] ||
		t_like "the tour has room $room" "$(cat "$docs/tour.md")" "\`$room\`"
done < <(grep -v '^#' "$MIG_ROOT/tools/perf/util/LAYERS")

if command -v asciidoctor >/dev/null; then
	t_ok "the manual pages are built without a warning" \
		make -s -C "$MIG_ROOT" man O="$T_TMP/build" MAN_STRICT=1
	if command -v man >/dev/null; then
		for m in "$T_TMP"/build/man/*.[1-8]; do
			t_is "man shows $(basename "$m")" "$(MANWIDTH=80 man --warnings -P cat -l "$m" 2>&1 >/dev/null)" ""
		done
	else
		t_skip "man shows the pages" "man is not installed"
	fi
else
	t_skip "the manual pages are built" "asciidoctor is not installed"
fi
t_done
