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

t_ok "a recording" perf migstat record -q --miss-event page-faults -o cost.data -- "$MIG_WORKLOADS/faulter" $n
ms()
{
	"$PERF_MIGSTAT" report --json -q -i cost.data "$@" 2>>ms.err
}
# alike NAME ROW A B: the rates of sides A and B of a row
alike()
{
	local a b na nb

	read -r a b na nb < <(jq -r "\"\\(.$3.rate) \\(.$4.rate) \\(.$3.n) \\(.$4.n)\"" <<<"$2")
	t_ok "$1: $na slices $3 $a, $nb $4 $b misses/ms" \
		awk -v a="$a" -v b="$b" 'BEGIN { exit !(a > 0 && b > 0 && a / b > 0.9 && a / b < 1.1) }'
}
comm=$(ms --by comm | jq '.rows[] | select(.comm == "faulter")')
pair=$(ms | jq '.rows[] | select(.waker == "mover" and .wakee == "faulter")')
t_ok "the mover woke them" jq -e ".wakeups > $n * 0.8" <<<"$pair"
alike "faulter" "$comm" moved stayed
alike "mover > faulter" "$pair" moved stayed
alike "mover > faulter" "$pair" near far
t_is "no words on stderr" "$(cat ms.err)" ""
t_done
