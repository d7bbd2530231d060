# SPDX-License-Identifier: GPL-2.0
"""llc: report --llc against a recount: moves, switches and processes from perf script, caches from the
recording's machine (8 CPUs, 0-3 and 4-7). Causes are those of the summary, which other tests check; the
pairs of threads are the wakeups with a partner of script --json."""
import collections
import glob
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
import migcheck as mc  # noqa: E402

LINE = re.compile(r" *(-?\d+)/(-?\d+) +\[(\d+)\] +(\d+)\.(\d{9}): +sched:(\w+): +(.*)")


def llc(cpu):
    return cpu // 4


def events(path):
    out = subprocess.run(["perf", "script", "-f", "-i", path, "--ns", "-F", "pid,tid,cpu,time,event,trace"],
                         capture_output=True, check=True).stdout.decode("utf-8", "replace")
    for line in out.splitlines():
        m = LINE.match(line)
        if m:
            yield (int(m[1]), int(m[2]), int(m[3]), int(m[4]) * 10**9 + int(m[5]), m[6], m[7])


def number(text, name):
    return int(re.search(r"\b%s=(-?\d+)" % name, text)[1])


def trips(moves, place, within):
    last, n = {}, 0
    for t, tid, a, b in moves:
        a, b = place(a), place(b)
        if a == b:
            continue
        was = last.get(tid)
        if was and was[1:] == (b, a) and t - was[0] <= within:
            n += 1
            del last[tid]
        else:
            last[tid] = (t, a, b)
    return n


def steps(first, second, within):
    """second's crossings that repeat the last one of first before it, each followed once"""
    n, followed = 0, None
    for t, a, b in second:
        before = [i for i, m in enumerate(first) if m[0] <= t]
        if not before or followed == before[-1]:
            continue
        m = first[before[-1]]
        if m[1:] == (a, b) and t - m[0] <= within:
            followed = before[-1]
            n += 1
    return n


def recount(path, begin, width):
    moves, since, process, run = [], {}, {}, collections.defaultdict(collections.Counter)
    windows = collections.defaultdict(lambda: collections.defaultdict(collections.Counter))
    for pid, tid, cpu, t, name, text in events(path):
        process[tid] = pid
        if name == "sched_migrate_task":
            a, b = number(text, "orig_cpu"), number(text, "dest_cpu")
            if a != b:
                moves.append((t, int(re.search(r" pid=(\d+)", " " + text)[1]), a, b))
        elif name == "sched_switch":
            prev = number(text, "prev_pid")
            pid = process.get(prev) if tid < 0 else pid  # of a task that exits perf knows no ids
            if cpu in since and prev and pid is not None:
                run[pid][llc(cpu)] += t - since[cpu]
                a, b = since[cpu] - begin, t - begin
                while a < b:
                    end = min((a // width + 1) * width, b)
                    windows[pid][a // width][llc(cpu)] += end - a
                    a = end
            since[cpu] = t
    return moves, run, windows


def homes(windows):
    """windows that it ran in; those with another home than the one before"""
    home = [max((0, 1), key=lambda c: (w[c], -c)) for _, w in sorted(windows.items())]
    return len(home), sum(a != b for a, b in zip(home, home[1:]))


def check(path):
    name = os.path.basename(path)
    report = json.loads(mc.run("report", "--json", "--llc", "-i", path)[1])
    got = report["llc"]
    moves, run, windows = recount(path, got["windows_from_ns"], got["window_ns"])
    within = got["within_ns"]

    same = sum(llc(a) == llc(b) for _, _, a, b in moves)
    mc.same(sum(c["same"] for c in got["moves"].values()), same, name + ": moves within a cache")
    mc.same(sum(c["other"] for c in got["moves"].values()), len(moves) - same, name + ": between two")
    by_cause = report["summary"]["cause_distance"]
    for cls, causes in (("wakeup", ["wakeup"]),
                        ("balance", ["newidle-pull", "periodic-pull", "nohz-pull", "active-balance"])):
        far = sum(by_cause.get(c, {}).get(d, 0) for c in causes for d in ("node", "remote"))
        mc.same(got["moves"][cls]["other"], far, "%s: %s, other cache" % (name, cls))

    mc.same(sum(t["cpus"]["n"] for t in got["there_and_back"]), trips(moves, lambda c: c, within),
            name + ": there and back, CPUs")
    mc.same(sum(t["llcs"]["n"] for t in got["there_and_back"]), trips(moves, llc, within),
            name + ": there and back, caches")

    crossings = collections.defaultdict(list)
    for t, tid, a, b in moves:
        if llc(a) != llc(b):
            crossings[tid].append((t, llc(a), llc(b)))
    pairs = set()
    for line in mc.run("script", "--json", "-i", path)[1].splitlines():
        f = json.loads(line)
        if f.get("type") == "wakeup" and f.get("partner") is True and f["waker_tid"] != f["wakee_tid"]:
            pairs |= {(f["waker_tid"], f["wakee_tid"]), (f["wakee_tid"], f["waker_tid"])}
    want = {p: steps(crossings[p[0]], crossings[p[1]], within) for p in pairs if 0 not in p}
    mc.same({(c["first"], c["second"]): c["steps"] for c in got["chases"]}, {p: n for p, n in want.items() if n},
            name + ": chases")

    have = {p["pid"]: p for p in got["processes"]}
    mc.same({(pid, c): n for pid, p in have.items() for c, n in enumerate(p["run_by_llc_ns"]) if n},
            {(pid, c): n for pid, by in run.items() for c, n in by.items() if n}, name + ": run time by cache")
    mc.same({(pid, k): p[k] for pid, p in have.items() for k in ("windows", "changes") if p[k]},
            {(pid, k): n for pid, w in windows.items() for k, n in zip(("windows", "changes"), homes(w)) if n},
            name + ": windows and changes of home")
    mc.same(sum(n for p in have.values() for by in p["left"] for n in by.values()), len(moves) - same,
            name + ": each crossing is somebody's")


for data in sorted(glob.glob(os.path.join(mc.DATA, "lab/6.12-d8-migstat/*.data"))):
    check(data)
mc.end()
