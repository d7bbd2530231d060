#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# --by cgroup, vm, role, group and --cgroup: tasks that say in their names where they are.
. "$(dirname "$0")/lib/tap.sh"
need_migstat
need_cmd perf python3 jq
report=("$PERF_MIGSTAT" report)
msg=$MIG_TEST_DATA/lab/6.1-n8-migstat/ms-msg.data

# --- what needs no recording of our own ---

sum() { jq "[.rows[].$1] | add"; }
for by in role role-pair vm vm-pair; do
	t_is "--by $by: every wakeup in one row" "$("${report[@]}" -i "$msg" --json --by $by | sum wakeups)" 2170
	t_is "--by $by: its word" "$("${report[@]}" -i "$msg" --json --by $by | jq -r '.by | join(" ")')" "$by"
done
t_is "roles of kernel threads, by their names" \
	"$("${report[@]}" -i "$msg" --json --by role | jq -c '[.rows[] | select(.label | test("kworker|ksoft|rcu")) | .wakeups] | add')" \
	"$("${report[@]}" -i "$msg" --json --by comm | jq -c '[.rows[] | select(.comm | test("^kworker/|^ksoftirqd/|^rcu_")) | .wakeups] | add')"
t_is "--by group: rules in their order, then other" "$("${report[@]}" -i "$msg" --json --by group --group 'k=^kworker' \
	--group 'all=work|rcu' | jq -c '[.rows[] | {(.label // "-"): .wakeups}] | add | [.k, .all, .other]')" \
	"$("${report[@]}" -i "$msg" --json --by comm | jq -c '[.rows[] | select(.comm != "[idle]")] |
		[([.[] | select(.comm | test("^kworker")) | .wakeups] | add),
		 ([.[] | select(.comm | test("rcu")) | .wakeups] | add),
		 ([.[] | select(.comm | test("^kworker|rcu") | not) | .wakeups] | add)]')"
t_is "--by group,cause" "$("${report[@]}" -i "$msg" --json --by group,cause --group 'k=^kworker' | sum migrations)" 1234
t_like "a bad expression" "$("${report[@]}" -i "$msg" --by group --group 'a=(' 2>&1)" '^Error: --group a=\(: '
t_rc "is a wrong use" 129 "${report[@]}" -i "$msg" --by group --group 'a=('
t_rc "--by group without groups" 129 "${report[@]}" -i "$msg" --by group
t_rc "--group without --by group" 129 "${report[@]}" -i "$msg" --group a=b
t_rc "two kinds at once" 129 "${report[@]}" -i "$msg" --by cgroup,vm
t_like "no cgroups: what would help" "$("${report[@]}" -i "$msg" --by cgroup 2>&1)" '^Hint: perf migstat record --all-cgroups'
t_rc "--cgroup needs them, too" 1 "${report[@]}" -i "$msg" --cgroup a
t_is "rows have no label otherwise" "$("${report[@]}" -i "$msg" --json | jq '.rows[0] | has("label")')" false

# --- a recording of our own ---

need_root
need_tracepoints
data=$T_TMP/vm.data

# a process that calls itself and its threads as QEMU does; threads that belong to none
cat >"$T_TMP/vm.py" <<'PY'
import ctypes
import os
import threading
import time

libc = ctypes.CDLL(None)


def run(name):
    libc.prctl(15, name.encode(), 0, 0, 0)
    for _ in range(30):
        time.sleep(0.002)


libc.prctl(15, b"qemu-system-x86", 0, 0, 0)
threads = [threading.Thread(target=run, args=(n,)) for n in ("CPU 0/KVM", "CPU 1/KVM", "worker")]
for t in threads:
    t.start()
    time.sleep(0.01)
print(os.getpid())
for t in threads:
    t.join()
PY
pid=$("$PERF_MIGSTAT" record -o "$data" -- python3 "$T_TMP/vm.py" 2>/dev/null)
t_like "a virtual machine is its process" "$("${report[@]}" -i "$data" --json --by vm,comm |
	jq -r '.rows[] | select(.label != null) | "\(.label) \(.comm)"' | sort -u | tr '\n' ' ')" \
	"qemu-system-x86/$pid CPU 0/KVM qemu-system-x86/$pid CPU 1/KVM "
t_is "roles: two virtual CPUs" "$("${report[@]}" -i "$data" --json --by role,comm | jq -r '.rows[] |
	select(.label == "vcpu") | .comm' | sort -u | tr '\n' ' ')" "CPU 0/KVM CPU 1/KVM "
t_is "its other threads" "$("${report[@]}" -i "$data" --json --by role,comm | jq -r '.rows[] |
	select(.comm == "worker") | .label' | sort -u)" vm

root=
for dir in /sys/fs/cgroup/unified /sys/fs/cgroup; do
	[ -e $dir/cgroup.procs ] && [ -e $dir/cgroup.controllers ] && root=$dir && break
done
if [ -z "$root" ] || ! mkdir "$root/migt$$-a" "$root/migt$$-b" 2>/dev/null; then
	t_skip "cgroups" "no cgroup v2 file system where a cgroup can be made"
	t_done
	exit
fi
t_cleanup "rmdir $root/migt$$-a $root/migt$$-b 2>/dev/null"
cat >"$T_TMP/cg.py" <<'PY'
import ctypes
import os
import sys
import time

libc = ctypes.CDLL(None)


def name(n):
    libc.prctl(15, n.encode(), 0, 0, 0)


def join(c):
    with open("%s-%s/cgroup.procs" % (sys.argv[1], c), "w", encoding="utf-8") as f:
        f.write(str(os.getpid()))


def naps(n):
    for _ in range(n):
        time.sleep(0.002)


def child(fn):
    if not os.fork():
        fn()
        os._exit(0)


def stays(c):
    join(c)
    name("in-" + c)
    naps(50)


def moves():
    join("a")
    name("mv-a")
    naps(30)
    name("moving")
    join("b")
    naps(1)
    name("mv-b")
    naps(30)


child(lambda: stays("a"))
child(lambda: stays("b"))
child(moves)
for _ in range(3):
    os.wait()
PY
"$PERF_MIGSTAT" record -o "$T_TMP/cg.data" -- python3 "$T_TMP/cg.py" "$root/migt$$" >/dev/null 2>&1
rows=$("${report[@]}" -i "$T_TMP/cg.data" --json --by cgroup,comm)
where() { jq -r --arg c "$1" '[.rows[] | select(.comm == $c and .slices > 0) | .label] | unique | join(" ")' <<<"$rows"; }
for c in a b; do
	t_is "in-$c is in its cgroup" "$(where in-$c)" "/migt$$-$c"
	t_is "mv-$c was there while it was called so" "$(where mv-$c)" "/migt$$-$c"
done
t_ok "they ran" test "$(jq '[.rows[] | select(.comm == "in-a") | .slices] | add' <<<"$rows")" -gt 20
t_is "--cgroup: slices of tasks in it alone" "$("${report[@]}" -i "$T_TMP/cg.data" --json --by comm --cgroup "migt$$-b" |
	jq -r '[.rows[] | select(.slices > 0) | .comm | select(test("^(in|mv)-"))] | sort | join(" ")')" "in-b mv-b"
t_is "the plain report reads it as fast: no cgroups followed, the same figures" \
	"$("${report[@]}" -i "$T_TMP/cg.data" --json --by comm | jq -c '[.rows[] | [.comm, .slices, .wakeups]] | sort')" \
	"$(jq -c '[.rows | group_by(.comm)[] | [.[0].comm, (map(.slices) | add), (map(.wakeups) | add)]] | sort' <<<"$rows")"
t_done
