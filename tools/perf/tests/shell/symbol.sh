#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# report --by symbol: functions against those of perf script of the same file; stripped, replaced, moved
# files; code of a JIT compiler; what cannot be named is said.
. "$(dirname "$0")/lib/tap.sh"
need_migstat
need_cmd perf python3 jq strip objcopy
report=("$PERF_MIGSTAT" report)

t_rc "--debuginfod is for --by symbol" 129 "${report[@]}" --debuginfod
t_rc "and needs a server" 129 env -u DEBUGINFOD_URLS "${report[@]}" --by symbol --debuginfod
t_like "nothing was sampled" "$("${report[@]}" --stdio --by symbol -i "$MIG_TEST_DATA/lab/6.1-n8-migstat/ms-msg.data")" \
	'^No sampled misses with an address: perf migstat record --miss-sample\.$'

need_root
need_tracepoints
[ "$(nproc)" -ge 2 ] || t_skip_all "needs two CPUs"
mkdir "$T_TMP/bin"
prog=$T_TMP/bin/missmove
cp "$MIG_WORKLOADS/missmove" "$prog"
data=$T_TMP/miss.data
"$PERF_MIGSTAT" record -o "$data" --miss-event page-faults --miss-sample=1 -- "$prog" 60 >/dev/null 2>"$T_TMP/err" ||
	t_note <"$T_TMP/err"
by() { "${report[@]}" -i "$data" --json --by symbol --comm missmove "$@"; }
json=$(by)
# "function (in outer)" is perf's outer, without inlined ones
ours() { jq -r '.symbols.functions[] | select(.function != null) | "\(.function | sub("^.* \\(in (?<f>.*)\\)$"; "\(.f)")) \(.samples | add)"' <<<"$json" |
	awk '{ n[$1] += $2 } END { for (f in n) print f, n[f] }' | grep -E "^($1) " | sort; }
theirs() { perf script -f -i "$data" --no-inline -F comm,event,ip,sym 2>/dev/null |
	awk '$1 == "missmove" && /page-faults/ { n[$NF]++ } END { for (f in n) print f, n[f] }' | grep -E "^($1) " | sort; }
t_is "functions of the program: as many as perf script finds" "$(ours 'touch_after_move|touch_always')" \
	"$(theirs 'touch_after_move|touch_always')"
t_is "functions of the loader" "$(ours '_dl_relocate_object|_dl_map_object_from_fd|do_lookup_x')" \
	"$(theirs '_dl_relocate_object|_dl_map_object_from_fd|do_lookup_x')"
t_is "all samples of the task" "$(jq '[.symbols.functions[].samples | add] | add' <<<"$json")" \
	"$(perf script -f -i "$data" -F comm,event 2>/dev/null | grep -c '^ *missmove .*page-faults')"
# 40 pages each time right after a move, 10 each time after a sleep on the same CPU; the first time may
# be without a move, and this kernel leaves switches out
of() { jq "[.symbols.functions[] | select(.function // \"\" | test(\"$1\")) | .misses.$2] | add // 0" <<<"$json"; }
t_ok "touch_after_move misses after moves" test "$(of touch_after_move moved)" -gt "$(of touch_after_move stayed)"
t_is "its moves are those of sched_setaffinity()" "$(jq -c '[.symbols.functions[] | select(.function // "" |
	test("touch_after_move|touch_one")) | .moved_by | keys[]] | unique' <<<"$json")" '["affinity"]'
t_ok "touch_always where it stayed" test "$(of touch_always stayed)" -gt "$(of touch_always moved)"
if readelf -S "$prog" | grep -q debug_info; then
	t_like "what is inlined is named" "$(jq -r '.symbols.functions[].function' <<<"$json")" '^touch_one \(in touch_after_move\)$'
else
	t_skip "what is inlined is named" "the workload was built without debug information"
fi
text=$("${report[@]}" -i "$data" --stdio --by symbol --comm missmove)
t_like "in text" "$text" '^touch_.* missmove +[0-9]+ '
t_is "80 columns" "$(awk 'length > 80' <<<"$text")" ""
t_is "with a separator" "$("${report[@]}" -i "$data" -t, --by symbol --comm missmove | awk -F, 'NR > 1 { n += $4 + $6 } END { print n }')" \
	"$(jq '.symbols.functions | map(.samples.moved + .samples.stayed) | add' <<<"$json")"

# after its naps an interrupt wakes it: what it touches then is in slices after such a wakeup
t_is "--pair: after its wakeups alone" "$("${report[@]}" -i "$data" --json --by symbol --pair ',missmove' |
	jq '[.symbols.functions[] | select(.in == "missmove") | .misses | add] | add > 0')" true
t_is "of no other task" "$("${report[@]}" -i "$data" --json --by symbol --pair ',missmove' |
	jq '[.symbols.functions[].samples | add] | add')" \
	"$("${report[@]}" -i "$data" --json --by symbol --pair ',missmove' --comm missmove | jq '[.symbols.functions[].samples | add] | add')"

# who called it: with -g the samples have chains
"$PERF_MIGSTAT" record -g -o "$T_TMP/g.data" --miss-event page-faults --miss-sample=1 -- "$MIG_WORKLOADS/missmove" 60 \
	>/dev/null 2>&1
text=$("${report[@]}" -i "$T_TMP/g.data" --stdio -v --by symbol --comm missmove)
t_like "callers, with -v" "$text" '^ +[0-9.]+% < '
t_unlike "not without" "$("${report[@]}" -i "$T_TMP/g.data" --stdio --by symbol --comm missmove)" '^ +[0-9.]+% <'

# --- files that are not what they were ---

name='touch_after_move|touch_one'
cp "$prog" "$T_TMP/whole"
strip "$prog"
no() { jq -r --arg f "$prog" '.symbols.without_symbols[] | select(.file == $f) | .why' <<<"$json"; }
json=$(PERF_BUILDID_DIR=$T_TMP/none by)
t_is "stripped: no names" "$(of "$name" moved)" 0
t_is "and why" "$(no)" "stripped, and no debug file found"
t_like "in text" "$(PERF_BUILDID_DIR=$T_TMP/none "${report[@]}" -i "$data" --stdio --by symbol --comm missmove)" \
	'^no symbols of .*missmove: stripped'
mkdir -p "$T_TMP/symfs${prog%/*}"
cp "$T_TMP/whole" "$T_TMP/symfs$prog"
json=$(PERF_BUILDID_DIR=$T_TMP/none by --symfs "$T_TMP/symfs")
t_ok "--symfs has it" test "$(of "$name" moved)" -gt 0
objcopy --only-keep-debug "$T_TMP/whole" "${prog%/*}/missmove.debug"
(cd "${prog%/*}" && objcopy --add-gnu-debuglink=missmove.debug missmove)
json=$(PERF_BUILDID_DIR=$T_TMP/none by)
t_ok "a debug file apart" test "$(of "$name" moved)" -gt 0
rm "${prog%/*}/missmove.debug"
cp "$MIG_WORKLOADS/faulter" "$prog"
json=$(PERF_BUILDID_DIR=$T_TMP/none by)
if perf buildid-list -f -i "$data" 2>/dev/null | grep -q missmove; then
	t_is "another program in its place: no names" "$(jq '[.symbols.functions[] | select(.in == "missmove" and .function != null)] |
		length' <<<"$json")" 0
	t_is "and why" "$(no)" "the file there is another one (build id)"
else
	t_skip "another program in its place" "perf kept no build id"
fi
rm "$prog"
json=$(PERF_BUILDID_DIR=$T_TMP/none by)
t_is "gone" "$(no)" "not found"

# --- code that is in no file ---

cat >"$T_TMP/jit.py" <<'PY'
import ctypes
import mmap
import os

# mov byte [rdi], 1; add rdi, 4096; dec rsi; jnz; ret
code = bytes.fromhex("c60701" "4881c700100000" "48ffce" "75f1" "c3")
m = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
m.write(code)
addr = ctypes.addressof(ctypes.c_char.from_buffer(m))
with open("/tmp/perf-%d.map" % os.getpid(), "w", encoding="ascii") as f:
    f.write("%x %x jitted_touch\n" % (addr, len(code)))
data = mmap.mmap(-1, 4096 * 200)
to = ctypes.addressof(ctypes.c_char.from_buffer(data))
ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_long)(addr)(to, 200)
print(os.getpid())
PY
if [ "$(uname -m)" = x86_64 ]; then
	pid=$("$PERF_MIGSTAT" record -o "$data" --miss-event page-faults --miss-sample=1 -- python3 "$T_TMP/jit.py" 2>/dev/null)
	t_cleanup "rm -f /tmp/perf-$pid.map"
	t_is "a JIT compiler's function" "$("${report[@]}" -i "$data" --json --by symbol --pid "$pid" |
		jq '[.symbols.functions[] | select(.function == "jitted_touch") | .samples | add] | add')" 200
	chown 12345 "/tmp/perf-$pid.map"
	t_like "a map of another user is not read" "$("${report[@]}" -i "$data" --stdio --by symbol --pid "$pid")" \
		"perf-$pid\.map belongs to another user"
else
	t_skip "a JIT compiler's function" "the test has code of x86 only"
fi
t_done
