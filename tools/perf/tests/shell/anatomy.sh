#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What run delays are made of, and how long wakers keep their CPU, against another program's answer from
# perf script's text (anatomy.py).
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/checks.sh"

need_migstat
need_cmd python3 perf

# stdout of a report of one of the recordings
rep()
{
	"$PERF_MIGSTAT" report --stdio -i "$MIG_TEST_DATA/$1" "${@:2}" 2>"$T_TMP/err"
}
udp=lab/6.12-d8-migstat/ms-udp.data

t_checks python3 "$(dirname "$0")/anatomy.py"

t_unlike "all terms are recorded: no note" "$(rep anatomy/6.12-d8-idle.data -F +anatomy)" 'Not recorded'
t_like "the first block says what is not recorded" "$(rep $udp -F +anatomy)" \
	'^Not recorded: select, ipi, idle; their time is in later terms'
t_unlike ".. where it was asked for" "$(rep $udp)" 'Not recorded'
t_unlike "figures on request only" "$(rep $udp --json)" '"anatomy"|"overlap"'

t_like "--overlap-threshold: none is that short" \
	"$(rep $udp --overlap-threshold 1ns -F waker,wakee,short,overlaps,would-sync -t ,)" '^ud-a,ud-b,0,101,0$'
t_like "--overlap-threshold: all are" \
	"$(rep $udp --overlap-threshold 1s -F waker,wakee,short,overlaps,would-sync -t ,)" '^ud-a,ud-b,101,101,101$'
for bad in 0 -1us 5parsecs 2h nan; do
	t_rc "--overlap-threshold $bad: refused" 129 rep $udp --overlap-threshold "$bad"
done
t_done
