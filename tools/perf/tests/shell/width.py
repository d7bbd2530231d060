# SPDX-License-Identifier: GPL-2.0
"""width: every view of every ms-* recording, and of the odd ones."""
import concurrent.futures
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
import migcheck as mc  # noqa: E402

VIEWS = [(), ("-v",), ("--fine",), ("--irq",), ("--matrix",), ("--percent-limit", "0")] + [
    ("--by", by) for by in ("pair", "tids", "path", "mechanism", "cause", "distance", "task", "cpu", "comm", "pair,path",
                            "tids,mechanism", "comm,cause", "task,cpu", "pair,path,cause,cpu")] + [("-v", "--by", "tids"), ("-v", "--by", "cause")]


def faults(text):
    bad = []
    for n, line in enumerate(text.split("\n"), 1):
        if len(line) > 80:
            bad.append("line %d has %d columns: %s" % (n, len(line), line))
        if line != line.rstrip():
            bad.append("line %d ends in a blank: %s" % (n, line))
        if not re.fullmatch(r"[ -~]*", line):
            bad.append("line %d is not ASCII: %r" % (n, line))
    if not text.strip():
        bad.append("it is empty")
    return bad


def pairs_of(path):
    """The three busiest pairs, for --pair A,B."""
    rows = mc.report(path)["rows"]
    named = [r for r in rows if r["waker"] and r["wakee"] and not re.search(r"[\[,]", r["waker"] + r["wakee"])]
    pairs = [("--pair", "%s,%s" % (r["waker"], r["wakee"])) for r in named[:3]]
    return pairs + [("-v",) + p for p in pairs[:1]]


def check(path, views, args=()):
    bad, n = [], 0
    for view in views + pairs_of(path):
        rc, out, err = mc.run("report", "-i", path, *args, *view)
        n += 1
        if rc:
            bad.append("%s: exit code %d %s" % (" ".join(view), rc, err))
        bad += ["%s: %s" % (" ".join(view) or "(default)", x) for x in faults(out)]
    return mc.short(path), n, bad


# with sanitizers, five times as slow, all views of every fifth recording and the most common ones of all
slow = bool(os.environ.get("MIG_SAN"))
jobs = [(p, VIEWS[:2] if slow and i % 5 else VIEWS, mc.kallsyms(p))
        for i, p in enumerate(mc.lab("lab/*-migstat/ms-*.data"))]
jobs += [(p, VIEWS[:2] + VIEWS[4:5] + VIEWS[7:9]) for p in mc.lab("lab-riscv/*/*.data") + mc.lab("lab/6.1-n8-fmt/fmt-*data") +
         mc.lab("converted/*.data")]
jobs += [(p, VIEWS[:2]) for p in mc.lab("made/*.data")
         if os.path.basename(p).split(".")[0] in ("base", "no_cpu", "big_periods", "big_pids", "no_samples", "no_tracing_data",
                                                  "only_cache", "only_migrate", "irq_waker", "time_zero_and_max")]
# as found under a path longer than a line
long = tempfile.TemporaryDirectory(prefix="mig-" + 90 * "w" + "-")
for p in mc.lab("lab/*-migstat/ms-pipe.data")[:1]:
    os.symlink(os.path.dirname(os.path.abspath(p)), os.path.join(long.name, "lab"))
    p = os.path.join(long.name, "lab", os.path.basename(p))
    jobs.append((p, VIEWS[:2], mc.kallsyms(p)))
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for name, count, found in pool.map(lambda j: check(*j), jobs):
        mc.ok(not found, "%s: %d views" % (name, count), "%d faults: %s" % (len(found), "\n".join(found[:6])))
mc.ok(len(jobs) > 60, "%d recordings" % len(jobs))
long.cleanup()
mc.end()
