#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# unpack-data SRC DST: a copy of tests/data with every .xz unpacked. Files that are up to date stay,
# files that have no source go.

set -eu
src=$1
dst=$2
mkdir -p "$dst"
list=$(mktemp)
trap 'rm -f "$list"' EXIT
(cd "$src" && find . -type f) | sort >"$list"

while IFS= read -r f; do
	to=$dst/${f%.xz}
	[ -e "$to" ] && [ ! "$src/$f" -nt "$to" ] && continue
	mkdir -p "${to%/*}"
	case $f in
	*.xz) xz -dc "$src/$f" >"$to.tmp" ;;
	*) cat "$src/$f" >"$to.tmp" ;;
	esac
	mv "$to.tmp" "$to"
done <"$list"

(cd "$dst" && find . -type f ! -name .stamp) | while IFS= read -r f; do
	grep -qxF -e "$f" -e "$f.xz" "$list" || rm -f "$dst/$f"
done
