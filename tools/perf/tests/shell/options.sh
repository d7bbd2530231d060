#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every option of report and script does what it says; a bad value is one line on stderr.
. "$(dirname "$0")/lib/tap.sh"

need_migstat
need_cmd python3 jq
dir=$MIG_TEST_DATA/lab/6.1-n8-migstat
f=$dir/ms-futex.data
k=$dir/kallsyms.gz
export TERM=xterm
unset NO_COLOR PERF_PAGER PAGER

# the program's stdout; stderr goes to $T_TMP/err
ms()
{
	"$PERF_MIGSTAT" "$@" 2>"$T_TMP/err"
}
rep()
{
	ms report -i "$f" "$@"
}
# a number that perf script counted: expect KIND KEYS..
expect()
{
	local IFS=$'\t'

	awk -v key="$*" 'index($0, key "\t") == 1 { print $NF; n++ } END { if (!n) print 0 }' "${f%.data}.expect.tsv"
}

# --- a locale whose numbers have a comma ---

if command -v localedef >/dev/null && [ -e /usr/share/i18n/locales/de_DE ] &&
	localedef -i de_DE -f UTF-8 "$T_TMP/de_DE.UTF-8" >/dev/null 2>&1; then
	t_is "JSON under de_DE" "$(LOCPATH=$T_TMP LC_ALL=de_DE.UTF-8 ms report -i "$f" --json | jq -c .rows)" \
		"$(rep --json | jq -c .rows)"
	t_is "-x , under de_DE" "$(LOCPATH=$T_TMP LC_ALL=de_DE.UTF-8 ms report -i "$f" -x, -F waker,rate,moved%)" \
		"$(rep -x, -F waker,rate,moved%)"
else
	t_skip "numbers under de_DE" "no localedef, or no source of de_DE (apt install locales)"
fi

# --- values that are refused ---

# refuses NAME CODE ARGS..: exit code, one line that names what is wrong, at most one that helps, no output
refuses()
{
	local name=$1 want=$2 out rc

	shift 2
	out=$("$PERF_MIGSTAT" "$@" 2>"$T_TMP/err" </dev/null)
	rc=$?
	t_is "$name: exit code" $rc "$want"
	t_is "$name: no output" "$out" ""
	t_is "$name: one line says what is wrong" \
		"$(grep -vcE '^Hint: |^(Usage|Try|  )' "$T_TMP/err")" 1
}
while read -r word args; do
	# shellcheck disable=SC2086 # words
	refuses "report $word" "$args" report -i "$f" $word
done <<-EOF
	--by=x 129
	--percent-limit=x 129
	--percent-limit=101 129
	--percent-limit=-1 129
	--color=maybe 129
	--nope 129
	superfluous 129
	--by= 129
	-Fnope 129
	-F, 129
	-snope 129
	-s, 129
	-Cx 129
	-C3-1 129
	--time=x 129
	--time=9,5 129
	--time=50%/0 129
	--time=50%/3 129
	--pid=x 129
	--tid=1,x 129
	--comm=, 129
	--pair=x 129
	--pair=a,b,c 129
	--kallsyms=/does/not/exist 1
	--kallsyms=/dev/null 1
	--symfs=/does/not/exist 1
	--sysroot=/does/not/exist 1
EOF
refuses "report -t with nothing" 129 report -i "$f" -t ""
refuses "report -i of nothing" 1 report -i /does/not/exist
refuses "script --types" 129 script -i "$f" --types nothing
refuses "script --time" 129 script -i "$f" --time x
refuses "an option without its argument" 129 report --by
refuses "no perf.data" 1 report -i "$T_TMP/perf.data"
for c in report script; do
	t_like "$c -h shows every option's word" "$("$PERF_MIGSTAT" $c -h 2>&1)" '--tid'
	t_is "$c --list-opts does not read a recording" \
		"$("$PERF_MIGSTAT" $c --list-opts 2>&1 | tr ' ' '\n' | grep -cxE -- '--(input|time|json|pair)')" 4
done

# --- which recording ---

cd "$T_TMP" || exit 1
rep --stdio >"$T_TMP/whole"
cp "$f" perf.data
t_is "perf.data is the default" "$(ms report)" "$(cat whole)"
t_is "-i names another" "$(cd / && rep)" "$(cat whole)"
t_is "--input=FILE" "$(ms report --input="$f")" "$(cat whole)"
t_is "--stdio is what there is" "$(rep --stdio)" "$(cat whole)"
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
	cp "$f" other.data && chown 12345 other.data && chmod 644 other.data && chmod 755 .
	as() { setpriv --reuid 4711 --regid 4711 --clear-groups "$PERF_MIGSTAT" "$@" 2>&1; }
	if as report --list-fields >/dev/null; then
		out=$(as report -i "$T_TMP/other.data")
		t_is "a file of another user: exit code" $? 1
		t_like "a file of another user is not read" "$out" '^Error: .* belongs to another user'
		t_is "-f reads it" "$(as report -f -i "$T_TMP/other.data" | grep -c '^fx-a')" 1
	else
		t_skip "a file of another user" "the build is not readable for others"
	fi
else
	t_skip "a file of another user" "needs root and setpriv"
fi

# --- rows and columns ---

t_is "--by comm: one row for each comm of the workload" \
	"$(rep --json --by comm | jq -r '.rows[] | select(.comm | test("^fx-")) | .comm' | sort | tr '\n' ' ')" "fx-a fx-b "
t_is "-F chooses columns" "$(rep -t, -F wakee,wakeups | head -n 1)" "wakee,wakeups"
t_is "--fields=.. too" "$(rep -t, --fields=wakee,wakeups | head -n 1)" "wakee,wakeups"
t_like "-F +lost adds one" "$(rep -t, -F +lost | head -n 1)" '^waker,.*,lost$'
t_unlike "-F -moved% takes one away" "$(rep -t, -F -moved% | head -n 1)" 'moved%'
t_is "-s wakee: names rise" \
	"$(rep -t, -F wakee -s wakee | tail -n +2 | grep -v '^$')" "$(rep -t, -F wakee | tail -n +2 | grep -v '^$' | LC_ALL=C sort)"
t_is "-s -wakee: and fall" \
	"$(rep -t, -F wakee -s -wakee | tail -n +2 | grep -v '^$')" "$(rep -t, -F wakee | tail -n +2 | grep -v '^$' | LC_ALL=C sort -r)"
t_is "-s wakeups: numbers fall" \
	"$(rep -t, --by task -F wakeups -s wakeups | tail -n +2)" "$(rep -t, --by task -F wakeups | tail -n +2 | sort -rn)"
t_is "-s -wakeups: and rise" \
	"$(rep -t, --by task -F wakeups -s -wakeups | tail -n +2)" "$(rep -t, --by task -F wakeups | tail -n +2 | sort -n)"
# the time of extra misses needs --cost FILE (cost-file.sh)
fields=$(ms report --list-fields | awk '!/^extra-(lo|hi) / { print $1 }')
for first in $(seq 1 30 "$(wc -l <<<"$fields")"); do
	some=$(tail -n "+$first" <<<"$fields" | head -n 30 | paste -sd,)
	t_is "--list-fields: each is a column ($first..)" "$(rep -t, -F "$some" | head -n 1)" "$some"
done
t_is "--list-fields: each has its meaning" "$(ms report --list-fields | awk 'NF < 2' | wc -l)" 0
t_is "--percent-limit folds in text" "$(rep --percent-limit 30 | grep -cE '^fx-[ab] ')" 2
t_is "--percent-limit 100 folds all" "$(rep --percent-limit 100 | grep -cE '^fx-[ab] ')" 0
t_is "--percent-limit in JSON" "$(rep --json --percent-limit 30 | jq '[.rows[] | select(.wakeups > 0)] | length')" 2
t_is "--percent-limit leaves the summary" "$(rep --json --percent-limit 30 | jq .summary.wakeups)" 295
irq=$(rep --json | jq '[.rows[] | select(.waker == "[irq]") | .wakeups] | add')
t_is "--irq opens [irq]" "$(rep --json --irq | jq '[.rows[] | select(.waker == "[irq]")] | length')" 0
t_ok "there was some" test "$irq" -gt 0
t_like "--fine shows all causes" "$(rep --fine)" '^  affinity-self +[0-9]'
t_unlike "without it classes" "$(rep)" 'affinity-self'

t_is "--matrix -t: moves by CPU" "$(rep -t, --matrix | awk -F, 'NR > 1 { n += $3 } END { print n }')" "$(rep --json | jq .summary.migrations)"
t_is "--matrix -t: its names" "$(rep -t, --matrix | head -n 1)" "from,to,migrations"
t_like "--matrix: a table of CPUs" "$(rep --matrix)" '^moves from CPU .down. to CPU .across.$'
t_is "--matrix: its last figure is the total" "$(rep --matrix | awk '$1 == "to" { print $NF }')" "$(rep --json | jq .summary.migrations)"
t_unlike "--matrix: instead of rows" "$(rep --matrix)" '^fx-a'
t_is "--matrix --json: as without" "$(rep --json --matrix)" "$(rep --json)"
t_like "--matrix of nothing" "$(rep --matrix --comm nobody)" '^No move from CPU to CPU'
t_like "-v: time queued and distances by cause" "$(rep -v)" '^moved to +smt +llc +remote$'
t_like "-v: levels below a row" "$(rep -v)" '^  self +[0-9]+ '

# --- output ---

t_is "-t and -x are one" "$(rep -t ';')" "$(rep -x ';')"
t_is "-t of several characters" "$(rep -t '||' -F waker,wakee,wakeups | sed -n 2p)" "fx-a||fx-b||101"
t_is "-t TAB" "$(rep -t $'\t' -F wakeups,migrations | head -n 1)" $'wakeups\tmigrations'
t_is "-t a separator inside a value is quoted" "$(rep -t x -F waker,wakee | sed -n 2p)" '"fx-a"x"fx-b"'
t_is "-t values are raw" "$(rep -t, --by task -F tid,run | grep -cE '^[0-9]*,[0-9]*$')" \
	"$(rep -t, --by task -F tid | tail -n +2 | wc -l)"
t_ok "--json is JSON" jq -e '.schema == "migstat.report/1" and (.rows | length > 0)' <(rep --json)
t_is "--json: one object" "$(rep --json | jq -s length)" 1
ms script --json -i "$f" >facts
t_is "script --json: an object a line" "$(jq -c . facts | wc -l)" "$(wc -l <facts)"
t_is "script --json: the types" "$(jq -r .type facts | sort -u | tr '\n' ' ')" "fork migration slice wakeup "
t_is "script: as many lines as facts" "$(ms script -i "$f" | wc -l)" "$(wc -l <facts)"
for type in wakeup migration slice fork; do
	t_is "script --types $type" "$(ms script --json -i "$f" --types $type)" "$(grep "\"type\":\"$type\"" facts)"
done
t_is "script --types of two" "$(ms script -i "$f" --types fork,wakeup | wc -l)" \
	"$(grep -cE '"type":"(fork|wakeup)"' facts)"
t_like "--header: the recording's own" "$(rep --header)" '^# os release : 6\.1\.0-57-cloud-amd64$'
t_like "--header: events with their samples" "$(rep --header)" "name = sched:sched_waking, samples = $(expect event sched:sched_waking)\$"
t_is "--header: then the report" "$(rep --header | sed '1,/^#$/d')" "$(cat whole)"
t_is "--header-only: only that" "$(rep --header-only | grep -vc '^#')" 0
t_unlike "-v says more: odd sequences" "$(rep)" 'odd:'
t_like "-v says more" "$(rep -v)" 'odd: unseen-move-of-recorder 7'
t_like "-v names the symbols" "$(rep -v --kallsyms "$k")" '^Kernel symbols: .*kallsyms.gz'
t_ok "-q keeps the report" test "$(rep -q)" = "$(cat whole)"
trunc=$MIG_TEST_DATA/made/trunc_features.perf.data
ms report -i "$trunc" >/dev/null
t_like "without -q there are warnings" "$(cat err)" '^Warning: '
ms report -q -i "$trunc" >/dev/null
t_is "-q takes them away" "$(cat err)" ""

# --- symbols and topology ---

mech() { rep --json "$@" | jq -c '.summary.by_mechanism | del(.timer, .kthread, .workqueue, .softirq)'; }
t_is "--kallsyms: fx-a and fx-b wake by futex" "$(rep --json --pair fx-a,fx-b --kallsyms "$k" | jq -c .summary.by_mechanism)" '{"futex":101}'
t_is "without symbols: unknown" "$(HOME=$T_TMP mech --symfs "$T_TMP")" "{\"unknown\":295}"
mkdir -p symfs/proc
zcat "$k" >plain
t_is "--kallsyms takes it plain" "$(rep --kallsyms plain)" "$(rep --kallsyms "$k")"
t_is "--ignore-callchain: as without chains" "$(mech --kallsyms "$k" --ignore-callchain)" "{\"unknown\":295}"
t_like "--sysroot: other machine, other distances" \
	"$(rep --sysroot "$MIG_ROOT/tools/perf/tests/data/sysfs/d8")" '^Near = same LLC, far = other LLC'
t_is "--sysroot in JSON" "$(rep --json --sysroot "$MIG_ROOT/tools/perf/tests/data/sysfs/d8" | jq -r .summary.topology.source)" sysfs

# --- selections, against perf script ---

read -r a b < <(jq -r 'select(.type == "slice" and (.comm == "fx-a" or .comm == "fx-b")) | "\(.comm) \(.tid)"' facts |
	sort -u | awk '{ print $2 }' | paste -sd' ')
t_is "--pair A,B: wakeups" "$(rep --json --pair fx-a,fx-b | jq .summary.wakeups)" "$(expect wakeups "$a" "$b")"
t_is "--pair B,A: the other direction" "$(rep --json --pair fx-b,fx-a | jq .summary.wakeups)" "$(expect wakeups "$b" "$a")"
t_is "--pair: no ratio of misses and moves that do not belong together" \
	"$(rep --json --pair fx-a,fx-b | jq .summary.ratio)" null
t_like "--stdio after --json: text" "$(rep --json --stdio)" '^waker +wakee'
t_like "--pair: the text opens it" "$(rep --pair fx-a,fx-b)" '^fx-a,fx-b +101 wakeups'
t_like "the top pair, as a command" "$(rep)" "^Detail: perf migstat report --pair 'fx-a,fx-b'"
t_like "--by pair,cause: moves that no wakeup made have their rows" \
	"$(rep --by pair,cause -F waker,wakee,cause,migrations --percent-limit 0)" \
	'^- +\[recorder\] +affinity-self +8$'
refuses "report --json --header" 129 report -i "$f" --json --header
t_like "--percent-limit: what it leaves out is said" "$(rep --by task --percent-limit 20)" '\([0-9]+ more\)'
t_like "--pair: its paths" "$(rep --pair fx-a,fx-b)" '^prev +101 '
t_like "--pair: a pair that there is not" "$(rep --pair fx-a,nobody)" 'No wakeup of this pair'
t_is "--tid: slices" "$(rep --json --tid "$a" | jq .summary.slices)" "$(expect switches "$a")"
t_is "--tid A,B" "$(rep --json --tid "$a,$b" | jq .summary.slices)" "$(($(expect switches "$a") + $(expect switches "$b")))"
t_is "--comm: slices" "$(rep --json --comm fx-b | jq .summary.slices)" "$(expect switches "$b")"
t_is "--comms is --comm" "$(rep --json --comms fx-b)" "$(rep --json --comm fx-b)"
t_is "--comm of nobody" "$(rep --json --comm nobody | jq -c '.summary | [.slices, .wakeups, .migrations]')" '[0,0,0]'
pid=$(perf script -f -i "$f" -F comm,pid 2>/dev/null | awk '$1 == "fx-a" { print $2; exit }')
t_is "--pid: slices of its threads" "$(rep --json --pid "$pid" | jq .summary.slices)" \
	"$(($(expect switches "$a") + $(expect switches "$b") + $(expect switches "$pid")))"
t_is "-C: slices of that CPU" "$(rep --json -C 3 | jq .summary.slices)" \
	"$(perf script -f -i "$f" -C 3 -F event 2>/dev/null | grep -c sched_switch)"
t_is "--cpu is -C" "$(rep --json --cpu 3)" "$(rep --json -C 3)"
from=$(jq -r 'select(.type == "slice") | .time_ns' facts | sort -n | sed -n 200p)
sec="${from:0:-9}.${from: -9}"
t_is "--time from,: as perf script" "$(rep --json --time "$sec," | jq .summary.slices)" \
	"$(perf script -f -i "$f" --ns --time "$sec," -F event 2>/dev/null | grep -c sched_switch)"
t_is "--time ,to: as perf script" "$(rep --json --time ",$sec" | jq .summary.slices)" \
	"$(perf script -f -i "$f" --ns --time ",$sec" -F event 2>/dev/null | grep -c sched_switch)"
for range in 10%/1 10%/2 25%/4 0%-50% 50%-100%; do
	t_is "--time $range: as perf script" "$(rep --json --time "$range" | jq .summary.slices)" \
		"$(perf script -f -i "$f" --time "$range" -F event 2>/dev/null | grep -c sched_switch)"
done
t_is "selections narrow each other" "$(rep --json --comm fx-a --tid "$b" | jq .summary.slices)" 0
t_is "script takes them too" "$(ms script -i "$f" --types slice --tid "$a" | wc -l)" "$(expect switches "$a")"

# --- strings of the recording ---

# names that hold escapes, 8-bit controls, a cut character; an escape in the command line
python3 - "$f" odd.data <<'EOF'
import sys
b = open(sys.argv[1], "rb").read()
i = b.rfind(b"labload\0")
b = b[:i] + b"l\x1b[31ml" + b[i + 7:]
b = b.replace(b"fx-a\0", b"f\x1b\x9b\n\0").replace(b"fx-b\0", b"\xff\x01\xe2\x82\0")
open(sys.argv[2], "wb").write(b)
EOF
control=$'[\x01-\x09\x0b-\x1f\x7f-\xff]'
for args in "report" "report --header" "report -v --by tids" "report -t, --by task" "script" "report --json --by task" "script --json"; do
	# shellcheck disable=SC2086 # words
	ms $args -i odd.data >odd.out
	t_ok "$args: there is output" test -s odd.out
	case $args in
	*json*)
		t_ok "$args: valid UTF-8, valid JSON" bash -c 'iconv -f UTF-8 -t UTF-8 odd.out | jq -e . >/dev/null'
		t_is "$args: no control characters" "$(LC_ALL=C grep -acP '[\x01-\x09\x0b-\x1f\x7f]' odd.out)" 0
		;;
	*) t_is "$args: no control characters" "$(LC_ALL=C grep -ac "$control" odd.out)" 0 ;;
	esac
done
t_ok "a comm that the kernel cut inside a character" \
	jq -e '.rows[] | select(.migrations == 1) | .comm' <(ms report --json --by comm -i "$MIG_TEST_DATA/made/comm_cut_utf8.perf.data")

# --- colours and the pager ---

esc=$'\033'
colours() { rep "$@" | grep -c "$esc"; }
t_is "no colours in a pipe" "$(colours)" 0
t_ok "--color=always" test "$(colours --color=always)" -gt 0
t_ok "--color alone is always" test "$(colours --color)" -gt 0
t_is "--color=never" "$(colours --color=never)" 0
t_ok "--stdio-color as perf report has it" test "$(colours --stdio-color=always)" -gt 0
t_is "colours change nothing else" "$(rep --color=always | sed "s/$esc\[[0-9;]*m//g")" "$(cat whole)"
if command -v script >/dev/null; then
	# on a terminal of script(1)
	tty() { script -qec "$1" /dev/null </dev/null 2>/dev/null | tr -d '\r'; }
	t_ok "colours on a terminal" test "$(tty "PERF_PAGER=cat '$PERF_MIGSTAT' report --stdio -i '$f'" | grep -c "$esc")" -gt 0
	t_is "NO_COLOR" "$(tty "NO_COLOR=1 PERF_PAGER=cat '$PERF_MIGSTAT' report --stdio -i '$f'" | grep -c "$esc")" 0
	t_is "an empty NO_COLOR is none" "$(tty "NO_COLOR= PERF_PAGER=cat '$PERF_MIGSTAT' report --stdio -i '$f'" | grep -c "$esc")" \
		"$(tty "PERF_PAGER=cat '$PERF_MIGSTAT' report --stdio -i '$f'" | grep -c "$esc")"
	t_is "TERM=dumb has no colours" "$(tty "TERM=dumb PERF_PAGER=cat '$PERF_MIGSTAT' report --stdio -i '$f'" | grep -c "$esc")" 0
	page="sed s/^/paged:/"
	t_ok "PERF_PAGER gets the text" test "$(tty "PERF_PAGER='$page' '$PERF_MIGSTAT' report --stdio -i '$f'" | grep -c '^paged:')" -gt 10
	t_ok "PAGER too" test "$(tty "PAGER='$page' '$PERF_MIGSTAT' report --stdio -i '$f'" | grep -c '^paged:')" -gt 10
	t_is "PERF_PAGER goes before PAGER" \
		"$(tty "PERF_PAGER=cat PAGER='$page' '$PERF_MIGSTAT' report --stdio -i '$f'" | grep -c '^paged:')" 0
	t_is "--no-pager" "$(tty "PERF_PAGER='$page' '$PERF_MIGSTAT' report --stdio --no-pager -i '$f'" | grep -c '^paged:')" 0
	t_is "JSON is not paged" "$(tty "PERF_PAGER='$page' '$PERF_MIGSTAT' report --json -i '$f'" | grep -c '^paged:')" 0
else
	t_skip "colours and pager on a terminal" "script(1) is not installed"
fi
t_is "a pipe is not paged" "$(PERF_PAGER="sed s/^/paged:/" ms report -i "$f" | grep -c '^paged:')" 0

# --- and where the output cannot go ---

"$PERF_MIGSTAT" report -i "$f" >/dev/full 2>err
t_is "a full disk: exit code" $? 1
t_like "a full disk: said" "$(cat err)" '^Error: .*No space left'
"$PERF_MIGSTAT" script --json -i "$f" >/dev/full 2>err
t_is "script on a full disk: exit code" $? 1
t_is "a reader that leaves early hears nothing" \
	"$("$PERF_MIGSTAT" script -i "$MIG_TEST_DATA/lab/6.1-n8-migstat/ms-msg.data" 2>&1 >/dev/full | wc -l)" 1
("$PERF_MIGSTAT" script -i "$f" 2>err | head -n 1) >/dev/null
t_is "script | head: nothing on stderr" "$(cat err)" ""
t_done
