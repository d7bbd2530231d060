# SPDX-License-Identifier: GPL-2.0
"""loss FILE: where and when events were lost, against the LOST records that perf script prints."""
import collections
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
import migcheck as mc  # noqa: E402


def ns(text):
    return int(text.replace(".", ""))


def windows_of_perf(path):
    """[(cpu, time of that CPU's record before or None, time, lost)] in time order"""
    out = subprocess.run(["perf", "script", "-i", path, "--ns", "--show-lost-events", "-F", "comm,tid,cpu,time,event"],
                         capture_output=True, text=True, env=dict(os.environ, PAGER="cat")).stdout
    last, windows = {}, []
    for line in out.splitlines():
        m = re.search(r"\[(\d+)\]\s+(\d+\.\d+): (?:PERF_RECORD_LOST lost (\d+))?", line)
        if not m:
            continue
        cpu, time = int(m[1]), ns(m[2])
        if m[3]:
            windows.append((cpu, last.get(cpu), time, int(m[3])))
        last[cpu] = time
    return windows


def first_event(path):
    out = subprocess.run(["perf", "script", "-i", path, "--ns", "-F", "time,event"], capture_output=True, text=True).stdout
    return min(ns(t) for t, e in re.findall(r"^ *(\d+\.\d+): *(\S+):", out, re.M) if e.startswith("sched:"))


def spans(windows, begin):
    """the same as sets of CPUs and sums, windows that touch in one"""
    out = []
    for cpu, frm, to, n in sorted(windows, key=lambda w: (w[1] or begin, w[2])):
        frm = frm or begin
        if out and frm <= out[-1][1]:
            out[-1][1] = max(out[-1][1], to)
            out[-1][2].add(cpu)
            out[-1][3] += n
        else:
            out.append([frm, to, {cpu}, n])
    return [(a, b, len(c), n) for a, b, c, n in out]


def main():
    path = sys.argv[1]
    want = windows_of_perf(path)
    if not want:
        mc.skip("losses", "perf script prints no LOST record")
        mc.end()
        return
    summary = mc.report(path)["summary"]
    got = [(w["cpu"], w["from_ns"], w["to_ns"], w["records"]) for w in summary["losses"]]
    mc.same(got, want, "the windows of perf script's %d LOST records" % len(want))
    mc.same(sum(w[3] for w in got), summary["lost_records"], "sum up to lost_records")

    text = subprocess.run([mc.PROG, "report", "--stdio", "-v", "-i", path], capture_output=True, text=True).stdout
    by_cpu = collections.Counter()
    for cpu, _, _, n in want:
        by_cpu[cpu] += n
    said = re.search(r"^Lost by CPU:((?: \d+:\d+)+)$", text, re.M)
    mc.same(said and {int(c): int(n) for c, n in re.findall(r"(\d+):(\d+)", said[1])}, dict(by_cpu), "by CPU")
    lines = re.findall(r"^  at (\d+\.\d+) s for \S+, (\d+) CPUs?: ([\d,]+)$", text, re.M)
    want = spans(want, 0)
    mc.same([(int(c), int(n.replace(",", ""))) for _, c, n in lines], [w[2:] for w in want], "by time: CPUs and events")
    begin = first_event(path)
    mc.ok(all(abs(ns(a) * 1000 + begin - w[0]) <= 1000 for (a, _, _), w in zip(lines, want)),
          "by time: where they begin", lines)

    short = subprocess.run([mc.PROG, "report", "--stdio", "-i", path], capture_output=True, text=True).stdout
    worst = sorted(want, key=lambda w: (-w[3], w[0]))[:3]
    lines = re.findall(r"^  at (\d+\.\d+) s for \S+, (\d+) CPUs?: ([\d,]+)$", short, re.M)
    mc.same([int(n.replace(",", "")) for _, _, n in lines], [w[3] for w in worst], "without -v the three worst")
    marked = {r["waker"] + ">" + r["wakee"]: r["lost_nearby"] for r in mc.report(path)["rows"] if r["waker"]}
    shown = re.findall(r"^(\S+)  +(\S+) +(!?) +\d+ +\d+\.\d ", short, re.M)
    mc.ok(shown and all(bool(mark) == bool(marked[a + ">" + b]) for a, b, mark in shown if a + ">" + b in marked),
          "rows whose facts stand beside a loss are marked", shown)
    mc.end()


main()
