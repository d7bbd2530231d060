#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# run.sh fuzz|fuzz-merge DIR TARGET...: what `make fuzz` and `make fuzz-merge` run.
#
# fuzz: each target for its part of $FUZZ_S seconds, on DIR/corpus/TARGET, which begins as what the
# tree keeps. An input that ends a target is put into DIR/found/TARGET-*; the exit code tells. When it
# is fixed, the input goes into tests/fuzz/found/, where `make check` replays it.
# fuzz-merge: packs the smallest set of inputs that reaches the same into the tree.
set -u
here=$(cd "$(dirname "$0")" && pwd)
what=$1 dir=$2
shift 2
targets=("$@")
mkdir -p "$dir/found"

# the kept inputs, as a start
unpack()
{
	mkdir -p "$dir/corpus/$1"
	[ ! -e "$here/corpus/$1.tar.xz" ] || tar -C "$dir/corpus/$1" -xJf "$here/corpus/$1.tar.xz"
	for f in "$here/found/$1"-*; do
		[ ! -e "$f" ] || cp "$f" "$dir/corpus/$1/"
	done
}

# more than 10 s or 1 GB for one input is a finding
fuzz()
{
	local t=$1

	unpack "$t"
	"$dir/tests/fuzz/fuzz-$t" -max_total_time=$((FUZZ_S / ${#targets[@]})) -timeout=10 -rss_limit_mb=1024 \
		-max_len="${FUZZ_MAX_LEN:-16384}" -artifact_prefix="$dir/found/$t-" -print_final_stats=1 \
		-verbosity="${FUZZ_V:-1}" "$dir/corpus/$t" 2>"$dir/$t.log"
	local rc=$?

	tail -n 1 "$dir/$t.log" | sed "s/^/$t: /"
	grep -E '^(stat::number_of_executed_units|SUMMARY)|does not hold' "$dir/$t.log" | sed "s/^/$t: /"
	return $rc
}

merge()
{
	local t=$1 tmp

	unpack "$t"
	tmp=$(mktemp -d)
	"$dir/tests/fuzz/fuzz-$t" -merge=1 -timeout=10 -rss_limit_mb=1024 -max_len=16384 "$tmp" \
		"$dir/corpus/$t" 2>"$dir/$t.merge.log" || return 1
	mkdir -p "$here/corpus"
	tar -C "$tmp" --sort=name --owner=0 --group=0 --mtime=@0 -cf - . | xz -9 >"$here/corpus/$t.tar.xz"
	echo "$t: $(find "$tmp" -type f | wc -l) inputs, $(stat -c %s "$here/corpus/$t.tar.xz") bytes packed"
	rm -rf "$tmp"
}

bad=0
for t in "${targets[@]}"; do
	case $what in
	fuzz) fuzz "$t" || bad=1 ;;
	*) merge "$t" || bad=1 ;;
	esac
done
exit $bad
