# SPDX-License-Identifier: GPL-2.0
"""lab-riscv: recordings with a hardware miss event against .slices.txt (see tests/data/README).

The reader that wrote them differs on purpose or by its simplicity in three points, which decide what
can be compared how:

- the first value of a counter on a CPU it takes as a difference from 0; here it is only a base, and the
  misses of that slice are not known. So a task whose slices include no such first value has the same
  sums; the others have less here, and on as many slices as there are CPUs.
- swapper it takes for one task that moves from CPU to CPU; here the idle tasks neither move nor stay.
- a record written twice (g-msg has one) it counts as a switch with 0 misses; here it is one switch.

Its percentile is v[n // 2] of the sorted values.
"""
import collections
import glob
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
import migcheck as mc  # noqa: E402


def read_slices(path):
    """total {event: n}, reads, tasks {tid: {comm, switches, migrations, sums, sides}}"""
    total, tasks, reads, task = {}, {}, 0, None
    with open(path.replace(".data", ".slices.txt"), encoding="utf-8") as f:
        for line in f:
            m = re.search(r"switch reads (\d+)", line)
            if m:
                reads = int(m[1])
            m = re.match(r"  total (\{.*\})", line)
            if m:
                total = eval(m[1], {})  # a dict that the other reader printed
            m = re.match(r"  task +(\d+) (.{16}) switches (\d+) migrations (\d+) sums (\{.*\})", line)
            if m:
                task = {"comm": m[2].strip(), "switches": int(m[3]), "migrations": int(m[4]),
                        "sums": eval(m[5], {}), "sides": {}}
                tasks[int(m[1])] = task
            m = re.match(r"      (\S+) +(moved|stayed) +n=(\d+) mean=([\d.]+) .*p50=(\d+)", line)
            if m:
                task["sides"][m[1], m[2]] = (int(m[3]), m[4], int(m[5]))
    return total, reads, tasks


def sides_of(slices):
    """The same statistics of our slices."""
    values = collections.defaultdict(list)
    for f in slices:
        if f["moved"] is not None:
            for event, n in f["misses"].items():
                values[event, "moved" if f["moved"] else "stayed"].append(n)
    return {k: (len(v), "%.1f" % (sum(v) / len(v)), sorted(v)[len(v) // 2]) for k, v in values.items()}


def check_rows(name, path, exact, tasks):
    """n and mean of --by task's rows, for the tasks that can be compared exactly."""
    got, want = {}, {}
    for row in mc.report(path, "--by", "task")["rows"]:
        for event, side in tasks[row["tid"]]["sides"] if row["tid"] in exact else ():
            n, mean, _ = tasks[row["tid"]]["sides"][event, side]
            want[row["tid"], event, side] = (n, mean)
            r = row[side]
            got[row["tid"], event, side] = (r["n"], "%.1f" % (r["misses"][event] / r["n"])) if r["n"] else None
    mc.same(got, want, "%s: %d sides of report --by task" % (name, len(want)))


def check_slices(path):
    name = mc.short(path)
    total, reads, tasks = read_slices(path)
    fs = mc.facts(path)
    by_tid = collections.defaultdict(list)
    for f in fs:
        if f["type"] == "slice":
            by_tid[f["tid"]].append(f)
    null = {t: sum(any(n is None for n in f["misses"].values()) for f in fl) for t, fl in by_tid.items()}
    twice = mc.report(path)["summary"]["odd"].get("record-twice", 0)
    exact = {t for t in tasks if t and not null[t] and len(by_tid[t]) == tasks[t]["switches"]}
    cpus = {f["cpu"] for fl in by_tid.values() for f in fl}

    mc.same(sum(map(len, by_tid.values())), reads - twice, "%s: %d switches" % (name, reads))
    mc.same(sum(null.values()), len(cpus), "%s: one slice on each CPU has only a base" % name)
    mc.same(sum(t["switches"] for t in tasks.values()) - sum(map(len, by_tid.values())), twice,
            "%s: switches of each task, but for %d records written twice" % (name, twice))
    # slices.py finds pid of sched_migrate_task at a fixed offset, right for this kernel
    mc.same({k: v for k, v in mc.count(fs, "migration", "tid").items() if int(k[0]) in tasks},
            {(str(t),): v["migrations"] for t, v in tasks.items() if v["migrations"]}, "%s: migrations" % name)

    sums = {t: collections.Counter() for t in by_tid}
    for t, fl in by_tid.items():
        for f in fl:
            for event, n in f["misses"].items():
                sums[t][event] += n or 0
    mc.ok(len(exact) > len(tasks) * 0.6, "%s: %d of %d tasks compare exactly" % (name, len(exact), len(tasks)))
    mc.same({(t, e): n for t in exact for e, n in sums[t].items() if n},
            {(t, e): n for t in exact for e, n in tasks[t]["sums"].items() if n}, "%s: sums of %d tasks" % (name, len(exact)))
    mc.same({(t,) + k: v for t in exact for k, v in sides_of(by_tid[t]).items()},
            {(t,) + k: v for t in exact for k, v in tasks[t]["sides"].items()},
            "%s: n, mean and p50 of moved and stayed slices" % name)
    # the rest is the first values: nowhere more than there, and only where a slice had none
    odd = [(t, e, n, sums[t][e]) for t in tasks for e, n in tasks[t]["sums"].items()
           if n < sums[t][e] or (n > sums[t][e] and not null[t])]
    mc.ok(not odd, "%s: only first values are missing" % name, odd[:8])
    s = mc.report(path)["summary"]
    base = {e: sum(tasks[t]["sums"].get(e, 0) - sums[t][e] for t in tasks if null[t]) for e in total}
    mc.same(s["misses"], {e: total[e] - base[e] for e in total}, "%s: total minus first values" % name)
    check_rows(name, path, exact, tasks)
    gt = mc.read_gt(path)
    migrations = mc.count(fs, "migration", "tid")
    odd = [(t, migrations[str(t),] - m, len(by_tid[t]) - w) for t, (m, w) in gt.items()]
    odd = [x for x in odd if x[1] not in (0, 1, 2) or x[2] not in (0, 1, 2)]
    mc.ok(not odd, "%s: %d threads counted themselves" % (name, len(gt)), odd)


def check_refused(path):
    name = mc.short(path)
    rc, _, err = mc.run("report", "--json", "-i", path)
    mc.same(rc, 0, "%s: exit code" % name)
    s = mc.report(path)["summary"]
    known = [v for v in list(s["misses"].values()) + list(s["sampled_misses"].values()) if v is not None]
    mc.ok(not known and s["ratio"] is None, "%s: misses and their ratio are null" % name, s)
    mc.ok(not err, "%s: nothing on stderr" % name, err)
    known = [n for r in mc.report(path, "--by", "task")["rows"] for n in r["misses"].values() if n is not None]
    mc.ok(not known, "%s: misses of the rows are null" % name, known[:5])
    known = [n for f in mc.facts(path) if f["type"] == "slice" for n in f["misses"].values() if n is not None]
    mc.ok(not known, "%s: misses of the slices are null" % name, known[:5])


# x-s holds enabled and running time, which are equal; y-few and y-all are groups that fitted
for rec in ("grp-n4/g-all5", "grp-n4/g-clash", "grp-n4/g-msg", "grp-n4/g-swap200", "grp-n4/g-swap48", "grp-n4/g-touch",
            "mux2b-r4/x-s", "mux2b-r4/y-few-1", "mux2b-r4/y-all-1"):
    mc.guarded(check_slices, os.path.join(mc.DATA, "lab-riscv", rec + ".data"))
# g-migr: the counter's group is led by sched_migrate_task; x-big*: three members on a PMU of two
# counters; x-hwlead: the counter leads, and its overflow interrupt never comes
for rec in ("grp-n4/g-migr", "mux2b-r4/x-bigplain", "mux2b-r4/x-bigv", "mux2b-r4/x-hwlead"):
    mc.guarded(check_refused, os.path.join(mc.DATA, "lab-riscv", rec + ".data"))
# more of the same machines; not those without a group (g-nogrp), or of one task (g-task*), whose counters
# follow it
if mc.SHARED:
    have = {os.path.basename(p) for p in mc.lab("lab-riscv/*/*.data")} | {"g-nogrp.data", "g-task.data", "g-task1.data"}
    for p in sorted(glob.glob(os.path.join(mc.SHARED, "lab-riscv/[gm][ru]*/*.data"))):
        if os.path.basename(p) not in have:
            mc.guarded(check_slices, p)
else:
    mc.skip("more recordings", "the wider collection is not here (MIG_SHARED_DATA)")
mc.end()
