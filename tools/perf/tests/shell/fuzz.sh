#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The kept inputs of the fuzz targets (tests/fuzz): each is done within 10 s and 1 GB, and every claim
# of its target holds. Those in found/ ended a target once.
. "$(dirname "$0")/lib/tap.sh"

need_cmd xz
fuzz=$MIG_ROOT/tools/perf/tests/fuzz
for src in "$fuzz"/fuzz-*.c; do
	t=$(basename "$src" .c) t=${t#fuzz-}
	[ "$t" != replay ] || continue
	mkdir -p "$T_TMP/$t"
	t_ok "$t: the corpus unpacks" tar -C "$T_TMP/$t" -xJf "$fuzz/corpus/$t.tar.xz"
	for f in "$fuzz/found/$t"-*; do
		[ ! -e "$f" ] || cp "$f" "$T_TMP/$t/"
	done
	n=$(find "$T_TMP/$t" -type f | wc -l)
	t_ok "$t: $n inputs are taken" "$MIG_FUZZ/fuzz-$t" "$T_TMP/$t"
	t_like "$t: all of them" "$(head -n 1 "$T_TMP/.out"; tail -n 1 "$T_TMP/.out")" "^$n inputs$"
done
t_done
