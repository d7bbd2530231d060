#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# probe: finds the libraries. Writes the make fragment $1 (and nothing if a required one is
# missing), prints the feature table. Called by features.mk with CC, PKG_CONFIG, NO_ZSTD and
# NO_SLANG in the environment.
#
# To add a library: one line in the table below, a ten-line feature/test-NAME.c.

set -u
out=$1
here=$(dirname "$0")
CC=${CC:-cc}
PKG_CONFIG=${PKG_CONFIG:-pkg-config}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# name, pkg-config name, need, flags without pkg-config, apt package, dnf package, what for
table() {
	cat <<-EOF
		libtraceevent|libtraceevent|required|-I/usr/include/traceevent -ltraceevent|libtraceevent-dev|libtraceevent-devel|tracepoint formats
		libelf|libelf|required|-lelf|libelf-dev|elfutils-libelf-devel|kernel symbols of a vmlinux
		libdw|libdw|required|-ldw|libdw-dev|elfutils-devel|functions of user space (report --by symbol)
		jansson|jansson|required|-ljansson|libjansson-dev|jansson-devel|--json and result files
		zlib|zlib|required|-lz|zlib1g-dev|zlib-devel|gzipped kallsyms
		zstd|libzstd|optional|-lzstd|libzstd-dev|libzstd-devel|reading of perf record -z
		slang|slang|optional|-lslang|libslang2-dev|slang-devel|terminal UI
	EOF
}

# compiles NAME's probe with the flags in $2 and $3
try() {
	# shellcheck disable=SC2086 # flags are words
	$CC -std=gnu11 -D_GNU_SOURCE $2 "$here/feature/test-$1.c" -o "$tmp/probe" $3 >>"$tmp/log" 2>&1
}

echo 'int main(void) { return 0; }' >"$tmp/cc.c"
# shellcheck disable=SC2086
if ! $CC "$tmp/cc.c" -o "$tmp/cc" 2>"$tmp/log"; then
	echo "Error: the C compiler \"$CC\" does not work (apt install gcc libc6-dev, dnf install gcc)" >&2
	cat "$tmp/log" >&2
	exit 1
fi

: >"$tmp/mk"
: >"$tmp/missing"
echo "Features:"
table >"$tmp/table"
while IFS='|' read -r name pkg need plain apt dnf purpose; do
	upper=$(echo "$name" | tr '[:lower:]' '[:upper:]')
	state=on
	eval "off=\${NO_$upper:-}"
	if [ "$need" = optional ] && [ -n "$off" ] && [ "$off" != 0 ]; then
		state="off (NO_$upper=1)"
	elif cflags=$($PKG_CONFIG --cflags "$pkg" 2>/dev/null) &&
		libs=$($PKG_CONFIG --libs "$pkg" 2>/dev/null) && try "$name" "$cflags" "$libs"; then
		:
	elif cflags='' libs=$plain && try "$name" "$plain" "$plain"; then
		cflags=$plain
	elif [ "$need" = required ]; then
		state=MISSING
		echo "Error: $name is missing: apt install $apt, or dnf install $dnf" >>"$tmp/missing"
	else
		state="off (apt install $apt, or dnf install $dnf)"
	fi
	printf '  %-14s %-28s %s\n' "$name" "$purpose" "$state"
	if [ "$state" = on ]; then
		printf 'HAVE_%s := 1\n%s_CFLAGS := %s\n%s_LIBS := %s\n' \
			"$upper" "$upper" "$cflags" "$upper" "$libs" >>"$tmp/mk"
	fi
done <"$tmp/table"

if [ -s "$tmp/missing" ]; then
	cat "$tmp/missing" >&2
	echo "Hint: sh tools/setup.sh installs all that is needed" >&2
	exit 1
fi
cp "$tmp/mk" "$out"
