#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# deb: packs the tree that `make deb` installed into $O/deb as perf-migstat_VERSION_ARCH.deb.

set -eu
root=$O/deb
arch=$(dpkg --print-architecture)
# a Debian version starts with a digit and has no blanks
deb=$O/perf-migstat_${VERSION}_$arch.deb

doc=$root/usr/share/doc/perf-migstat
mkdir -p "$doc" "$root/DEBIAN"
cp README.md NEWS.md "$doc/"
{
	echo "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
	echo
	echo "Files: *"
	echo "Copyright: the authors of perf migstat"
	echo "License: GPL-2.0"
	echo " On Debian systems the text is in /usr/share/common-licenses/GPL-2."
} >"$doc/copyright"
find "$root/usr/share/man" -name '*.1' -exec gzip -9nf {} + 2>/dev/null || :
strip --strip-unneeded "$root/usr/bin/perf-migstat" 2>/dev/null || :

# Which packages hold the libraries; dpkg-shlibdeps wants a debian/control in its folder.
depends=
if command -v dpkg-shlibdeps >/dev/null; then
	work=$O/deb-work
	mkdir -p "$work/debian"
	printf 'Source: perf-migstat\n\nPackage: perf-migstat\nArchitecture: any\n' >"$work/debian/control"
	bin=$(cd "$root/usr/bin" && pwd)/perf-migstat
	depends=$(cd "$work" && dpkg-shlibdeps -O "$bin" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
fi
[ -n "$depends" ] || depends="libc6, libtraceevent1, libelf1, libdw1, libjansson4, zlib1g, libzstd1"

cat >"$root/DEBIAN/control" <<EOF
Package: perf-migstat
Version: $VERSION
Architecture: $arch
Maintainer: perf migstat <perf-migstat@localhost>
Section: devel
Priority: optional
Depends: $depends
Recommends: linux-perf | linux-tools-generic
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Description: perf subcommand that explains task migrations
 perf migstat reports which tasks migrate, who woke them, along which wake path
 and what it costs in cache misses. It reads and writes perf.data.
EOF
dpkg-deb --root-owner-group --build "$root" "$deb"
rm -rf "$root" "$O/deb-work"
