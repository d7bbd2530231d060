# SPDX-License-Identifier: GPL-2.0
"""converted: recordings with sched_wakeup and no sched_waking, against their .expect.tsv."""
import collections
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
import migcheck as mc  # noqa: E402


def check(path):
    name = os.path.basename(path)[:40]
    exp = mc.read_expect(path)
    rep, fs = mc.report(path, "--by", "task"), mc.facts(path)
    s = rep["summary"]
    counts = {k[0]: n for k, n in exp["count"].items()}
    # one sched_migrate_task of them all goes from CPU 0 to CPU 0: no migration, but counted as odd
    none = s["odd"].get("migrate-without-move", 0)
    mc.same({"sched_switch": s["slices"], "sched_migrate_task": (s["migrations"] or 0) + none,
             "sched_wakeup": s["wakeups"] or 0}, counts, "%s: totals" % name)
    mc.same({k: v for k, v in s["recorder"].items() if k != "misses"},
            dict.fromkeys(("pid", "switches", "migrations", "wakeups")), "%s: no recorder known" % name)
    mc.same({k.replace("sched:", ""): n for k, n in s["events_by_name"].items()}, counts,
            "%s: samples of each event" % name)
    mc.same(none, 1 if "lisa___tests" in name else 0, "%s: migrations that move nothing" % name)
    want = dict(exp["migrations"])
    if none:
        want["sh", "4768"] -= 1
    mc.same(mc.count(fs, "migration", "comm", "tid"), want, "%s: migrations of each comm and tid" % name)
    by_tid = collections.Counter()
    for (_, tid), n in want.items():
        by_tid[tid] += n
    mc.same({str(r["tid"]): r["migrations"] or 0 for r in rep["rows"]}, by_tid, "%s: report --by task" % name)
    # The other code took the current task of a sched_wakeup for the waker. It need not be: the event of a
    # remote wakeup comes from the wakee's CPU. So a pair has at most as many here, the rest has no waker.
    pairs = collections.Counter()
    for key, n in exp["pair"].items():
        pairs[key[2], key[4]] += n
    known = mc.count((f for f in fs if f["type"] == "wakeup" and f["waker_tid"] is not None), "wakeup",
                     "waker_tid", "wakee_tid")
    listed = {k for k in known if k in pairs}
    odd = [(k, known[k], pairs[k]) for k in listed if known[k] > pairs[k]]
    mc.ok(not odd, "%s: no pair has more wakeups than current tasks were seen" % name, odd[:5])
    wakees = collections.Counter()
    for (_, wakee), n in pairs.items():
        wakees[wakee,] += n
    mc.ok(all(mc.count(fs, "wakeup", "wakee_tid")[w] >= n for w, n in wakees.items()),
          "%s: wakeups of each wakee are at least those listed" % name)
    mc.ok(all(f["lost_nearby"] is False for f in fs if "lost_nearby" in f), "%s: nothing is lost" % name)


found = mc.lab("converted/*.perf.data")
mc.ok(len(found) == 3, "3 recordings", found)
for p in found:
    mc.guarded(check, p)
mc.end()
