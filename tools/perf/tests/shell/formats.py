# SPDX-License-Identifier: GPL-2.0
"""formats: lab/6.1-n8-fmt against perf script of the same file: samples of each event, migrations of each
task, wakeups of each pair."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
import migcheck as mc  # noqa: E402


def check(path):
    name = os.path.basename(path)
    rep, fs = mc.report(path), mc.facts(path)
    s = rep["summary"]
    theirs, why = mc.perf_script(path)
    if not theirs:
        # what perf cannot read, we must not read into anything either
        mc.skip("%s: as perf script" % name, "perf script: %s" % why)
        mc.same(s["events"], 0, "%s: no samples" % name)
        return
    events, moves, wakes = theirs
    if name == "fmt-grp.data":
        del events["page-faults"]  # a member has no samples of its own; perf prints its counts as such
    mc.same(s["events_by_name"], dict(events), "%s: %d samples" % (name, sum(events.values())))
    mc.same(s["events"], sum(events.values()), "%s: samples in all" % name)
    mc.same(mc.count(fs, "migration", "tid"), moves, "%s: %d migrations" % (name, sum(moves.values())))
    # an exiting task has tid -1 in its samples: there the model knows better
    known = {k: n for k, n in wakes.items() if k[0] != "-1"}
    ours = mc.count(fs, "wakeup", "waker_tid", "wakee_tid")
    if len(known) == len(wakes):
        mc.same(ours, wakes, "%s: %d wakeups" % (name, sum(wakes.values())))
    else:
        mc.ok(all(ours[k] >= n for k, n in known.items()) and sum(ours.values()) == sum(wakes.values()),
              "%s: %d wakeups, some by exiting tasks" % (name, sum(wakes.values())), mc.differences(ours, known)[:8])


found = mc.lab("lab/6.1-n8-fmt/fmt-*")
mc.ok(len(found) >= 20, "%d forms" % len(found), found)
for p in found:
    mc.guarded(check, p)
if mc.SHARED:
    import glob
    for p in sorted(set(glob.glob(os.path.join(mc.SHARED, "lab/6.1-n8-fmt/fmt-*data"))) -
                    {os.path.join(mc.SHARED, "lab/6.1-n8-fmt", os.path.basename(x)) for x in found}):
        mc.guarded(check, p)
else:
    mc.skip("more forms", "the wider collection is not here (MIG_SHARED_DATA)")
mc.end()
