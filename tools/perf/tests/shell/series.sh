#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# compare --series: the plot holds the samples it was made from; the first bad one of a series with a known
# change; results that do not fit. series/ are the samples read off the plots of mail 4.
. "$(dirname "$0")/lib/tap.sh"
need_migstat
need_cmd python3
series=("$PERF_MIGSTAT" compare --series)
mail4=$MIG_TEST_DATA/results/series
cd "$T_TMP" || exit 1

# plotted METRIC: the plot of a metric read again, as a reader of the mail does: "glyph value" for each sample, within
# half a step of a level
plotted()
{
	python3 -c '
import re, sys
lines = sys.stdin.read().split("\n")
at = next(i for i, l in enumerate(lines) if l.strip() == sys.argv[1]) + 2
rows = lines[at:at + 15]
left = rows[0].index("+")
ticks = [(i, float(r[:left])) for i, r in enumerate(rows) if r[:left].strip()]
(i0, v0), (i1, v1) = ticks[0], ticks[-1]
assert (i0, i1) == (0, 14), ticks
points = sorted((c, i, r[c]) for i, r in enumerate(rows) for c in range(left, len(r)) if r[c] in "*O?#")
print(" ".join("%s%g" % (g, v0 + (v1 - v0) * i / 14) for c, i, g in points))
print(max(map(len, lines)))' "$1"
}

out=$("${series[@]}" -a "$mail4"/1de157d718f6494.jsonl "$mail4"/6eb8b571283e64e96ca1.jsonl)
t_is "mail 4: the samples of cpu-migrations are where they were read off" \
	"$(plotted perf-stat.cpu-migrations <<<"$out")" \
	"*150000 *170000 *150000 *160000 *150000 O40000 O60000 O50000 O50000 O50000
79"
t_is "mail 4: legend of the glyphs used" "$(grep -m 3 '\[.\]' <<<"$out")" "  [*] good sample
  [O] bad sample
  [*] good sample"
t_like "mail 4: the first bad" "$out" '^6eb8b571283e64e96ca1 is the first bad$'
t_like "mail 4: its first row is not proven" "$out" '^proc-vmstat.pgscan_direct_normal: no change is proven'
t_is "nothing but ASCII" "$(LC_ALL=C grep -c '[^ -~]' <<<"$out")" "0"

# results NAME VALUE...: a results file of that name
results()
{
	local file=$1 i=0 v

	shift
	echo '{"schema":"migstat-results","version":1,"name":"'"$file"'","metrics":{"score":{"better":"higher"}}}' >"$file"
	for v in "$@"; do
		i=$((i + 1))
		echo '{"run":'$i',"values":{"score":'"$v"'}}' >>"$file"
	done
}

results c1 100 101 99
results c2 102 98 100
results c3 99 101 100
results c4 81 80 79
results c5 80 82 81
results c6 79 80 81
t_rc "a change for the worse" 1 "${series[@]}" c1 c2 c3 c4 c5 c6
out=$("${series[@]}" c1 c2 c3 c4 c5 c6)
t_like "is at c4" "$out" '^c4 is the first bad$'
t_is "each on its side" "$(grep -E '^[*O?] c' <<<"$out" | cut -c 1-4 | tr '\n' ' ')" "* c1 * c2 * c3 O c4 O c5 O c6 "
t_rc "a change for the better" 0 "${series[@]}" c4 c5 c6 c1 c2 c3
t_like "is called that" "$("${series[@]}" c4 c5 c6 c1 c2 c3)" '^c1 is the first better$'
results c0 90
out=$("${series[@]}" c1 c2 c3 c0 c4 c5 c6)
t_like "one between the two is undecided" "$out" '^\? c0 '
t_like "and not certainly the first" "$out" '^c0 is undecided by its own runs: it may be a later one$'
results d1 100 101 99 102 100
results d2 101 98 100 99 101
out=$("${series[@]}" d1 c4 d2 c1 c2 c3 c5 c6)
t_like "out of line" "$out" '^c4 is out of line: its runs are like those after the change$'
t_rc "nothing changed" 0 "${series[@]}" c1 c2 c3
t_like "and says so" "$("${series[@]}" c1 c2 c3)" '^score: no change is proven'
t_rc "--series is a format of its own" 129 "${series[@]}" --format=csv c1 c2
t_done
