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
# even ROW A B: the rates of sides A and B of a row
even()
{
	jq -e ".$2.rate > 0 and .$3.rate > 0 and .$2.rate / .$3.rate > 0.9 and .$2.rate / .$3.rate < 1.1" <<<"$1" >/dev/null
}
alike()
{
	t_ok "$1: $(jq -r "\"\\(.$3.n) slices $3 \\(.$3.rate), \\(.$4.n) $4 \\(.$4.rate)\"" <<<"$2") misses/ms" even "$2" "$3" "$4"
}

# where a hypervisor takes a CPU away for long, that falls on one side by chance: of three recordings one
# must be even; a report that invents a difference does so each time
for try in 1 2 3; do
	t_ok "a recording ($try)" perf migstat record -q --miss-event page-faults -o cost.data -- "$MIG_WORKLOADS/faulter" $n
	comm=$(ms --by comm | jq '.rows[] | select(.comm == "faulter")')
	pair=$(ms | jq '.rows[] | select(.waker == "mover" and .wakee == "faulter")')
	even "$comm" moved stayed && even "$pair" moved stayed && even "$pair" near far && break
done
t_ok "the mover woke them" jq -e ".wakeups > $n * 0.8" <<<"$pair"
alike "faulter" "$comm" moved stayed
alike "mover > faulter" "$pair" moved stayed
alike "mover > faulter" "$pair" near far
t_is "no words on stderr" "$(cat ms.err)" ""
t_done
