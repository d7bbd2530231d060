#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# One workload in every form that perf record writes: what perf itself reads of each, we read too.
. "$(dirname "$0")/lib/tap.sh"
. "$(dirname "$0")/lib/checks.sh"

need_migstat
need_cmd python3 perf
t_checks python3 "$(dirname "$0")/formats.py"

d=$MIG_TEST_DATA/lab/6.1-n8-fmt
migstat() { "$PERF_MIGSTAT" "$@" 2>&1; }
# shellcheck disable=SC2002 # a pipe is what is tested
for f in fmt-pipe.pdata fmt-pipez.pdata; do
	t_is "$f through a pipe is as by its name" \
		"$(cat "$d/$f" | migstat report --stdio -i -)" "$(migstat report --stdio -i "$d/$f")"
	t_is "$f through a pipe without -i" \
		"$(cd "$T_TMP" && cat "$d/$f" | migstat script --types migration)" \
		"$(migstat script --types migration -i "$d/$f")"
done
# the sections of a file are found by their offsets: perf cannot read it from a pipe either
# shellcheck disable=SC2002
out=$(cat "$d/fmt-plain.data" | migstat report -i -)
t_is "a file through a pipe: exit code" $? 1
t_like "a file through a pipe: says why" "$out" '^Error: .*(pipe|standard input)'
zcat "$d/kallsyms.gz" >"$T_TMP/kallsyms"
t_is "kallsyms plain and gzip give the same" \
	"$(migstat report -i "$d/fmt-zg.data" --kallsyms "$T_TMP/kallsyms" --by mechanism)" \
	"$(migstat report -i "$d/fmt-zg.data" --kallsyms "$d/kallsyms.gz" --by mechanism)"
t_like "kallsyms: mechanisms are known" \
	"$(migstat report -i "$d/fmt-zg.data" --kallsyms "$d/kallsyms.gz" --by mechanism)" '^(timer|futex|pipe|kthread) '
t_done
