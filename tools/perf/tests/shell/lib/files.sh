# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# files: the source files of the tree, for the tests that look at the sources.

# files PATTERN...: tracked files by git pathspec ("*.c"), one a line, relative to $MIG_ROOT; in an
# unpacked tarball all files of that name.
files()
{
	local f p list

	if list=$(git -C "$MIG_ROOT" ls-files -- "$@" 2>/dev/null) && [ -n "$list" ]; then
		# a file that is tracked but gone is somebody's work in progress
		while IFS= read -r p; do
			[ -e "$MIG_ROOT/$p" ] && echo "$p"
		done <<<"$list"
		return
	fi
	(cd "$MIG_ROOT" && find . -path './build*' -prune -o -type f -print) | sed 's,^\./,,' | sort |
		while IFS= read -r f; do
			for p in "$@"; do
				# shellcheck disable=SC2053 # a pattern
				[[ $f == $p ]] && echo "$f" && break
			done
		done
}
