# SPDX-License-Identifier: GPL-2.0
"""perf-script LIST: each recording of the tests against what perf script prints of it: samples by event, sums of
periods, migrations by tid, wakeups by pair of tids. LIST explains what differs: no more, and no less, may differ."""
import collections
import concurrent.futures
import fnmatch
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
import migcheck as mc  # noqa: E402

FIGURES = ("read", "samples", "periods", "migrations", "wakeups")


def explained(path):
    """[(pattern, figure, rule)] of the table's rows."""
    with open(path) as f:
        rows = [[c.strip() for c in line.split("|")[1:-1]] for line in f]
    return [tuple(r[:3]) for r in rows if len(r) == 4 and r[1] in FIGURES]


def holds(rule, diff, us):
    """Is the difference one that the rule allows?"""
    if rule == "group-read":
        members = {plain(e) for e in us["summary"]["misses"]}
        return all(not ours and e.split("/")[0] in members for e, ours, _ in diff)
    if rule == "exiting-waker":
        wakees = collections.Counter()
        for (waker, wakee), ours, perfs in diff:
            wakees[wakee] += ours - perfs
            if (waker == "-1") != (ours < perfs):
                return False
        return not any(wakees.values())
    if rule == "no-move":
        odd = us["summary"]["odd"]
        none = odd.get("migrate-without-move", 0) + odd.get("migrate-without-destination", 0)
        return sum(perfs - ours for _, ours, perfs in diff) == none
    return rule == "any"


def plain(event):
    """Without perf's own modifiers and numbering."""
    return re.sub(r":[ukhpGHPSDWe]+$", "", event)


def is_recording(path):
    with open(path, "rb") as f:
        return f.read(8) in (b"PERFILE2", b"2ELIFREP")


def of_perf(path):
    cmd = ["perf", "script", "--force", "--ns", "-i", path, "-F", "tid,event,period,trace"]
    p = subprocess.run(cmd, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    text = p.stdout.decode("utf-8", "replace")
    if p.returncode:
        return None
    got = {f: collections.Counter() for f in FIGURES[1:]}
    waking = "sched:sched_waking:" in text
    for line in text.splitlines():
        m = re.match(r"\s*(-?\d+)\s+(\d+)?\s*(\S.*?):(?:\s|$)\s*(.*)$", line)
        if not m:
            continue
        tid, period, event, rest = m[1], int(m[2] or 0), plain(m[3]), m[4]
        got["samples"][event] += 1
        if not event.startswith("sched:"):
            got["periods"][event] += period
        pid = re.search(r"(?:^| )pid=(-?\d+) ", rest)
        if event == "sched:sched_migrate_task":
            got["migrations"][pid[1]] += 1
        elif event == ("sched:sched_waking" if waking else "sched:sched_wakeup"):
            got["wakeups"][tid, pid[1]] += 1
    return got


def of_us(path):
    rc, out, err = mc.run("report", "--json", "-q", "--irq", "--by", "tids", "-i", path)
    if rc:
        return None
    pairs = json.loads(out)
    tasks = mc.report(path, "--by", "task")
    s = pairs["summary"]
    got = {f: collections.Counter() for f in FIGURES[1:]}
    got["summary"] = s
    for e, n in s["events_by_name"].items():
        got["samples"][plain(e)] += n
    for e, n in s["sampled_misses"].items():
        got["periods"][plain(e)] += n or 0
    for r in tasks["rows"]:
        got["migrations"][str(r["tid"])] += r["migrations"] or 0
    for r in pairs["rows"]:
        got["wakeups"][str(r["waker_tid"]), str(r["wakee_tid"])] += r["wakeups"] or 0
    return got


def compare(path):
    """our figures, {figure: [(key, ours, perf's)]} where they differ, and how many were compared"""
    perf, us = of_perf(path), of_us(path)
    if perf is None and us is None:
        return None, {}, 0
    if perf is None or us is None:
        return us, {"read": [("", us is not None, perf is not None)]}, 0
    perf["periods"] = collections.Counter({e: n for e, n in perf["periods"].items() if e in us["periods"]})
    diff = {f: mc.differences(us[f], perf[f]) for f in FIGURES[1:]}
    return us, {f: d for f, d in diff.items() if d}, sum(map(len, perf.values()))


def main():
    table = explained(sys.argv[1])
    paths = sorted(os.path.join(d, f) for d, _, fs in os.walk(mc.DATA) for f in fs if is_recording(os.path.join(d, f)))
    used = set()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for path, (us, diff, n) in zip(paths, pool.map(compare, paths)):
            name = os.path.relpath(path, mc.DATA)
            for figure, d in diff.items():
                rows = [r for r in table if r[1] == figure and fnmatch.fnmatch(name, r[0])]
                used.update(rows)
                mc.ok(any(holds(r[2], d, us) for r in rows), "%s: what differs in %s is explained" % (name, figure), d[:6])
            mc.ok(True, "%s: %d figures compared" % (name, n))
    mc.ok(len(paths) > 150, "there are recordings", len(paths))
    mc.same(sorted(r for r in table if r not in used and r[1] != "read"), [], "what the table explains does differ")
    mc.end()


main()
