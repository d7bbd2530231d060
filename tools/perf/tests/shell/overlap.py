# SPDX-License-Identifier: GPL-2.0
"""overlap: how long wakers ran on after each wakeup, from the events of perf script: the run time of the
waker from the waking to its next switch-out to sleep. Which wakeups have a partner is script --json's."""
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


def field(text, name):
    return int(re.search(r"(?:^| )%s=(-?\d+)" % name, text)[1])


def recount(path):
    """{(time, waker, wakee): ns}"""
    out = subprocess.run(["perf", "script", "-f", "-i", path, "--ns", "-F", "pid,tid,cpu,time,event,trace"],
                         capture_output=True, check=True).stdout.decode("utf-8", "replace")
    run, since, made, over = collections.Counter(), {}, collections.defaultdict(list), {}
    for line in out.splitlines():
        m = LINE.match(line)
        if not m:
            continue
        tid, t, name, text = int(m[2]), int(m[4]) * 10**9 + int(m[5]), m[6], m[7]
        if name == "sched_waking" and tid in since:
            made[tid].append((t, field(text, "pid"), run[tid] + t - since[tid]))
        elif name == "sched_switch":
            prev, state = field(text, "prev_pid"), re.search(r"prev_state=(\S+)", text)[1]
            if prev in since:
                run[prev] += t - since.pop(prev)
                if state[0] in "XZ":
                    made[prev].clear()
                elif state[0] != "R":
                    over.update({(at, prev, wakee): run[prev] - then for at, wakee, then in made.pop(prev, [])})
            else:
                made[prev].clear()
            since[field(text, "next_pid")] = t
    return over


def check(path):
    name = os.path.basename(path)
    over, per = recount(path), collections.Counter()
    for line in mc.run("script", "--json", "-i", path)[1].splitlines():
        f = json.loads(line)
        if f.get("type") == "wakeup" and f.get("partner") is True and f["waker_tid"]:
            ns = over.get((f["time_ns"], f["waker_tid"], f["wakee_tid"]))
            if ns is not None and f["path"] != "running":
                per[f["waker_tid"], f["wakee_tid"], "of"] += 1
                per[f["waker_tid"], f["wakee_tid"], "below"] += ns < 100000
    rows = json.loads(mc.run("report", "--json", "--by", "tids", "-F", "+overlap", "--overlap-threshold", "100us",
                             "-i", path)[1])["rows"]
    got = collections.Counter()
    for r in rows:
        got[r["waker_tid"], r["wakee_tid"], "of"] += r["overlap"]["of"]
        got[r["waker_tid"], r["wakee_tid"], "below"] += r["overlap"]["below_n"] or 0
    mc.ok(len(+per) > 1, name + ": pairs", len(per))
    mc.same(+got, +per, name + ": wakeups by pair, and those below 100 us")
    # percentiles are exact within 1.6%
    one = json.loads(mc.run("report", "--json", "--by", "comm", "-F", "+overlap", "-i", path)[1])["rows"]
    mc.same(sum(r["overlap"]["of"] for r in one), sum(n for k, n in per.items() if k[2] == "of"), name + ": of comms")


for kind in ("6.1-n8-migstat", "6.12-d8-migstat"):
    for data in sorted(glob.glob(os.path.join(mc.DATA, "lab", kind, "*.data"))):
        check(data)
mc.end()
