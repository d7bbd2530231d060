#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Threads with a constant rate of page faults, moved at random: a move causes no page fault, so nothing
# may look as if it did. Near and far, moved and stayed, compared: 0.9 to 1.1.
. "$(dirname "$0")/lib/tap.sh"

need_migstat
need_cmd jq perf
need_root
need_tracepoints
[ "$(nproc)" -ge 2 ] || t_skip_all "needs two CPUs"
cd "$T_TMP" || exit 1
n=2003

ms()
{
	"$PERF_MIGSTAT" report --json -q -i cost.data "$@" 2>>ms.err
}
# ratio ROW A B: of the rates of both sides of a row
ratio()
{
	jq -r "if .$2.rate > 0 and .$3.rate > 0 then .$2.rate / .$3.rate else \"none\" end" <<<"$1"
}
# five numbers in a file, of which the middle one lies within 0.9 and 1.1
is_even()
{
	sort -n "$1" | awk '$1 == "none" { none = 1 } { x[NR] = $1 } END { exit !(NR == 5 && !none && x[3] > 0.9 && x[3] < 1.1) }'
}
alike()
{
	t_ok "$1: $(paste -sd ' ' "$2")" is_even "$2"
}

# a hypervisor that takes a CPU away for long lengthens what runs there then, by chance more of one side:
# the middle one of five recordings counts, and they are all in the name
for try in 1 2 3 4 5; do
	t_ok "a recording ($try)" perf migstat record -q --miss-event page-faults -o cost.data -- "$MIG_WORKLOADS/faulter" $n
	comm=$(ms --by comm | jq '.rows[] | select(.comm == "faulter")')
	pair=$(ms | jq '.rows[] | select(.waker == "mover" and .wakee == "faulter")')
	t_ok "the mover woke them" jq -e ".wakeups > $n * 0.8" <<<"$pair"
	ratio "$comm" moved stayed >>comm.moved
	ratio "$pair" moved stayed >>pair.moved
	ratio "$pair" near far >>pair.far
done
alike "faulter: misses/ms moved / stayed" comm.moved
alike "mover > faulter: moved / stayed" pair.moved
alike "mover > faulter: near / far" pair.far
t_is "no words on stderr" "$(cat ms.err)" ""
t_done
