#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# setup: installs what perf migstat needs to build and run, with apt or dnf; only what is missing.
#
#   sh tools/setup.sh          compiler, libraries, perf, what `make check` runs
#   sh tools/setup.sh --all    and what the checks of the sources and the CI use besides
#
# Works as root or through sudo. Says what it does; a package that cannot be had is named with the
# reason, and the exit code is 1 if it is one that the build needs.

set -u
all=
case ${1:-} in
--all) all=1 ;;
'') ;;
*)
	sed -n 's/^# \{0,1\}//p' "$0" | sed -n '3,10p'
	exit 2
	;;
esac

say()
{
	printf '%s\n' "setup: $*"
}

as_root=
if [ "$(id -u)" -ne 0 ]; then
	if command -v sudo >/dev/null 2>&1; then
		as_root=sudo
	else
		as_root=none
	fi
fi

if command -v apt-get >/dev/null 2>&1; then
	tool=apt
elif command -v dnf >/dev/null 2>&1; then
	tool=dnf
else
	say "neither apt-get nor dnf is here; install by hand: a C compiler, make, pkg-config, perf, and the"
	say "development files of libtraceevent, elfutils (libelf, libdw), jansson, zlib; zstd and slang if wanted"
	exit 1
fi

# kind (need = the build or `make check` fails without, want = a part is missing without,
# test = for --all), apt package, dnf package; - = comes with another one
packages()
{
	cat <<-EOF
		need gcc gcc
		need libc6-dev glibc-devel
		need make make
		need pkg-config pkgconf-pkg-config
		need libtraceevent-dev libtraceevent-devel
		need libelf-dev elfutils-libelf-devel
		need libdw-dev elfutils-devel
		need libjansson-dev jansson-devel
		need zlib1g-dev zlib-devel
		need xz-utils xz
		need perl perl-Test-Harness
		want git git-core
		want libzstd-dev libzstd-devel
		want libslang2-dev slang-devel
		want linux-perf perf
		want asciidoctor rubygem-asciidoctor
		want man-db man-db
		want procps procps-ng
		want less less
		want jq jq
		want tmux tmux
		want python3 python3
		test bash-completion bash-completion
		test clang clang
		test clang-format clang-tools-extra
		test shellcheck ShellCheck
		test pmccabe pmccabe
		test locales glibc-locale-source
		test lcov lcov
		test - libasan
		test - libubsan
	EOF
}

installed()
{
	if [ $tool = apt ]; then
		dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'
	else
		rpm -q --quiet --whatprovides "$1" 2>/dev/null
	fi
}

run()
{
	if [ -n "$as_root" ]; then
		sudo "$@"
	else
		"$@"
	fi
}

install_packages()
{
	if [ $tool = apt ]; then
		run env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
	else
		run dnf install -y --setopt=install_weak_deps=False "$@"
	fi
}

need='' other=''
list=$(packages)
while read -r kind deb rpm; do
	[ "$kind" = test ] && [ -z "$all" ] && continue
	pkg=$deb
	[ $tool = dnf ] && pkg=$rpm
	[ "$pkg" = - ] && continue
	# perf may come under another name, or was built from source
	[ "$deb" = linux-perf ] && command -v perf >/dev/null 2>&1 && perf version >/dev/null 2>&1 && continue
	installed "$pkg" && continue
	if [ "$kind" = need ]; then
		need="$need $pkg"
	else
		other="$other $pkg"
	fi
done <<EOF
$list
EOF

if [ -z "$need$other" ]; then
	say "all there, nothing to install"
	exit 0
fi
say "to install with $tool:$need$other"
if [ "$as_root" = none ]; then
	say "not root, and no sudo: run this script as root"
	[ -n "$need" ] && exit 1
	say "going on, the build has what it needs"
	exit 0
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=''

if [ $tool = apt ] && ! run apt-get update >"$log" 2>&1; then
	say "apt-get update failed, going on with the lists that are here:"
	grep -E '^(E|W|Err)' "$log" | tail -n 5
fi

# Ubuntu has perf in a package for each kernel
case " $other " in
*" linux-perf "*)
	if ! apt-cache show linux-perf >/dev/null 2>&1; then
		tools=linux-tools-$(uname -r)
		apt-cache show "$tools" >/dev/null 2>&1 || tools=linux-tools-generic
		other=$(echo "$other" | sed "s/linux-perf/$tools/")
	fi
	;;
esac

# All in one go; if that fails one by one, so that one missing package does not stop the others.
# shellcheck disable=SC2086 # the lists are words
if ! install_packages $need $other >"$log" 2>&1; then
	for pkg in $need $other; do
		if install_packages "$pkg" >"$log" 2>&1; then
			continue
		fi
		failed="$failed $pkg"
		say "cannot install $pkg:"
		grep -iE '^(E:|Error|No match|Unable)' "$log" | tail -n 3
	done
fi

if ! command -v perf >/dev/null 2>&1; then
	say "perf itself is not here: build it from a kernel tree (tools/perf), or install your kernel's"
	say "linux-tools package; perf migstat report works without it, record does not"
fi

if [ $tool = dnf ] && [ -n "$failed" ]; then
	say "on RHEL and its kin -devel packages are in the repository crb: dnf config-manager --set-enabled crb"
fi

rc=0
for pkg in $failed; do
	case " $need " in
	*" $pkg "*) rc=1 ;;
	*) say "going on without $pkg" ;;
	esac
done
if [ $rc -eq 0 ]; then
	say "done"
else
	say "the build needs what failed above"
fi
exit $rc
