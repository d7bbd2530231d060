#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make install into a folder of its own: what stands where, what perf makes of it, and that uninstall
# takes all of it away.
. "$(dirname "$0")/lib/tap.sh"
need_migstat

root=$T_TMP/root
# the build that is being tested: nothing is made anew
mk()
{
	make -s -C "$MIG_ROOT" O="${MIG_BUILD#"$MIG_ROOT"/}" DESTDIR="$root" prefix=/usr "$@"
}

has_asciidoctor()
{
	command -v asciidoctor >/dev/null
}

t_ok "make install" mk install
t_ok "the program" test -x "$root/usr/bin/perf-migstat"
t_ok "the completion" test -s "$root/usr/share/bash-completion/completions/perf-migstat"

cmds=$("$PERF_MIGSTAT" --list-cmds)
for page in perf-migstat $cmds; do
	[ "$page" = perf-migstat ] || page=perf-migstat-$page
	if has_asciidoctor; then
		t_ok "$page(1)" test -s "$root/usr/share/man/man1/$page.1"
	else
		t_skip "$page(1)" "asciidoctor is not installed"
	fi
done

if ! command -v perf >/dev/null; then
	t_skip "perf runs the installed program" "perf is not installed"
elif ! command -v man >/dev/null || ! has_asciidoctor; then
	t_skip "perf shows the installed page" "man or asciidoctor is not installed"
else
	t_is "perf runs the program it finds on PATH" \
		"$(env -u PERF_EXEC_PATH PATH="$root/usr/bin:$PATH" perf migstat --list-cmds)" "$cmds"
	page=$(MANPATH=$root/usr/share/man MANPAGER=cat MANWIDTH=80 perf migstat --help 2>&1)
	t_like "perf migstat --help shows the manual page" "$page" 'PERF-MIGSTAT\(1\)'
fi

t_ok "perfexecdir: beside perf's own programs" mk install-bin perfexecdir=/usr/lib/perf-core
t_ok "the program is there" test -x "$root/usr/lib/perf-core/perf-migstat"
t_ok "make uninstall" mk uninstall
t_ok "make uninstall of perfexecdir" mk uninstall perfexecdir=/usr/lib/perf-core
t_is "nothing is left" "$(find "$root" -type f)" ""
t_done
