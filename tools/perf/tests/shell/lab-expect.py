# SPDX-License-Identifier: GPL-2.0
"""lab-expect: every ms-* recording against its .expect.tsv and .log (see tests/data/README)."""
import collections
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
import migcheck as mc  # noqa: E402


def misses_of(fs):
    owner, total = collections.Counter(), collections.Counter()
    for f in fs:
        if f["type"] == "slice":
            for event, n in f["misses"].items():
                owner[event, str(f["tid"])] += n or 0
                total[(event,)] += n or 0
    return owner, total


def check(path):
    name = mc.short(path)
    exp, gt = mc.read_expect(path), mc.read_gt(path)
    fs = mc.facts(path, *mc.kallsyms(path))
    rep = mc.report(path, "--by", "task")
    s = rep["summary"]
    owner, total = misses_of(fs)

    mc.same(mc.count(fs, "slice", "tid"), exp["switches"], "%s: slices of each task = its switches" % name)
    migrations = mc.count(fs, "migration", "tid")
    mc.same(migrations, exp["migrations"], "%s: migrations of each task" % name)
    mc.same(mc.count(fs, "wakeup", "waker_tid", "wakee_tid"), exp["wakeups"], "%s: wakeups of each pair" % name)
    mc.same(owner, exp["misses"], "%s: misses of each owner" % name)
    mc.same(total, exp["total"], "%s: sums of misses" % name)
    # members of a group have no records of their own: perf script shows their counts as events
    events = {k: v for k, v in exp["event"].items() if ":" in k[0]}
    mc.same({(k,): v for k, v in s["events_by_name"].items()}, events, "%s: samples of each event" % name)
    mc.same(s["events"], sum(events.values()), "%s: samples" % name)
    mc.same(s["unseen_switches"], exp["unseen"][("switches",)], "%s: unseen switches" % name)
    # the summary and the rows, against the same strangers
    mc.same({"migrations": s["migrations"], "wakeups": s["wakeups"], "slices": s["slices"]},
            {"migrations": sum(exp["migrations"].values()), "wakeups": sum(exp["wakeups"].values()),
             "slices": sum(exp["switches"].values())}, "%s: totals of the report" % name)
    mc.same({(k,): v for k, v in s["misses"].items()}, exp["total"], "%s: misses of the report" % name)
    mc.same({(str(r["tid"]),): r["migrations"] for r in rep["rows"]}, exp["migrations"],
            "%s: report --by task: migrations" % name)
    mc.same({(str(r["tid"]),): r["slices"] for r in rep["rows"]}, exp["switches"], "%s: report --by task: slices" % name)
    mc.same({(e, str(r["tid"])): n or 0 for r in rep["rows"] for e, n in r["misses"].items()}, exp["misses"],
            "%s: report --by task: misses" % name)
    # this kernel omits scheduler events without a word: nothing can be said of a thread's own count
    if "6.18" in path:
        return
    odd = [(t, migrations[str(t),] - m, exp["switches"].get((str(t),), 0) - w) for t, (m, w) in gt.items()]
    # after it read its counters a thread still ends: that can move it (seen: 0 to 2 times), and it is
    # switched out (1), also while it waits for a lock, or preempted on a machine with more hogs than CPUs
    odd = [x for x in odd if x[1] not in (0, 1, 2) or x[2] not in (0, 1, 2, 3, 4)]
    mc.ok(not odd, "%s: %d threads counted themselves" % (name, len(gt)),
          "tid, migrations - nr_migrations, switches - nr_switches: %s" % odd[:8])


found = mc.lab("lab/*-migstat/ms-*.data")
mc.ok(len(found) == 30 and len({os.path.dirname(p) for p in found}) == 3, "30 recordings of 3 machines", found)
for p in found:
    mc.guarded(check, p)
mc.end()
