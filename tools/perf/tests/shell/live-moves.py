# SPDX-License-Identifier: GPL-2.0
"""live-moves: totals of recordings made just now, against perf script of the same files."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
import migcheck as mc  # noqa: E402


def check(path):
    name = os.path.basename(path)
    theirs, why = mc.perf_script(path)
    if not theirs:
        mc.ok(False, "%s: perf script reads it" % name, why)
        return
    events, moves, wakes = theirs
    s, fs = mc.report(path)["summary"], mc.facts(path)
    # members of a group have no records of their own: perf prints their counts as events
    want = {e: n for e, n in events.items() if ":" in e and not e.startswith("dummy")}
    mc.same(s["events_by_name"], want, "%s: %d samples of %d events" % (name, sum(want.values()), len(want)))
    mc.same(mc.count(fs, "migration", "tid"), moves, "%s: %d migrations of each task" % (name, sum(moves.values())))
    mc.same(s["migrations"], sum(moves.values()), "%s: migrations" % name)
    mc.same(s["wakeups"], sum(wakes.values()), "%s: wakeups" % name)
    mc.same(s["slices"], events["sched:sched_switch"], "%s: slices" % name)
    ours = mc.count(fs, "wakeup", "waker_tid", "wakee_tid")
    known = {k: n for k, n in wakes.items() if k[0] != "-1"}  # exiting tasks
    mc.ok(all(ours[k] >= n for k, n in known.items()), "%s: wakeups of %d pairs" % (name, len(known)),
          [(k, ours[k], n) for k, n in known.items() if ours[k] < n][:8])
    mc.ok(s["unseen_moves"] is not None and s["lost_records"] == 0, "%s: nothing lost" % name, s["lost_records"])


for p in sys.argv[1:]:
    mc.guarded(check, p)
mc.end()
