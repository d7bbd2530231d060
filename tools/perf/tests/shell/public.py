# SPDX-License-Identifier: GPL-2.0
"""public: recordings of public projects (data/public), by MANIFEST.tsv: events(n,period_sum) of an independent
reader, lost records and samples, tags; and expected/*.tsv, counted from perf script: samples and periods by task.

A damaged file (tag DAMAGED) ends in an error that names an offset, with what stands before it or nothing."""
import collections
import csv
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
import migcheck as mc  # noqa: E402

ROOT = os.path.join(mc.DATA, "public")
# compressed records, which neither perf 6.1 nor the manifest's reader can read: as linux-perf-data's own tests say
COMPRESSED = {"fibo.compressed2.pipe.data": 547, "sleep.compressed.pipe.data": 8, "sleep.compressed2.data": 7,
              "sleep.compressed2.pipe.data": 7}
# counters that count no misses: their samples are counted, their periods are not summed
NO_SUM = ("cpu-clock", "dummy", "cs_etm", "intel_pt")


def plain(event):
    """Without what only perf's own naming adds: precise and host modifiers."""
    name, _, mods = event.partition(":")
    mods = re.sub("[pPH]", "", mods) if re.fullmatch("[a-zA-Z]*", mods) else mods
    return name + (":" + mods if mods else "")


def manifest_events(row):
    return {plain(e): (int(n), int(s)) for e, n, s in re.findall(r"([^;]+?)\((\d+),(\d+)\)(?:; |$)", row["events(n,period_sum)"])
            if int(n)}


def check_readable(path, row):
    name, s = os.path.basename(path), mc.report(path)["summary"]
    got = {plain(e): n for e, n in s["events_by_name"].items() if n}
    if name in COMPRESSED:
        mc.same(sum(got.values()), COMPRESSED[name], "%s: samples" % name)
        return
    want = manifest_events(row)
    mc.same(got, {e: n for e, (n, _) in want.items()}, "%s: samples of %d events" % (name, len(want)))
    sums = {plain(e): n for e, n in s["sampled_misses"].items() if n}
    mc.same(sums, {e: n for e, (_, n) in want.items() if n and not e.startswith(NO_SUM)}, "%s: sums of periods" % name)
    mc.same([s["lost_records"], s["lost_samples"]], [int(x or 0) for x in row["lost"].split("/")], "%s: lost" % name)
    mc.ok(s["migrations"] is None and s["wakeups"] is None, "%s: no scheduler events, no figures of them" % name)


def check_tasks(path, expected, row):
    """By comm: samples' periods of each event, as perf script prints them."""
    name = os.path.basename(path)
    want = collections.defaultdict(collections.Counter)
    mean = {e: n[1] // n[0] for e, n in manifest_events(row).items()}  # for a fixed period, which perf script does not print
    with open(expected, encoding="utf-8", errors="replace") as f:
        for line in f:
            p = line.rstrip("\n").split("\t")
            if p[0] == "task" and not p[1].startswith(NO_SUM):
                want[plain(p[1])]["[idle]" if p[2] == "swapper" else p[2]] += int(p[5]) or mean[plain(p[1])] * int(p[4])
    rows = mc.report(path, "--by", "comm")["rows"]
    for event in sorted(want):
        got = collections.Counter()
        for r in rows:
            got[r["comm"] or "(none)"] += sum(n or 0 for e, n in r["sampled_misses"].items() if plain(e) == event)
        mc.same({k: v for k, v in got.items() if v}, {k: v for k, v in want[event].items() if v},
                "%s: %s of %d comms" % (name, event, len(want[event])))


def check_damaged(path):
    name = os.path.basename(path)[:20]
    for args in (("report",), ("report", "--json"), ("script",)):
        rc, out, err = mc.run(*args, "-i", path)
        mc.ok(rc == 1 and re.search(r"^Error: .* offset (0x)?[0-9a-f]", err, re.M) and "\nHint: " in err,
              "%s: %s names the offset" % (name, " ".join(args)), "exit code %d: %s" % (rc, err))
        mc.ok(not out or os.path.basename(path) in COMPRESSED, "%s: %s gives out nothing of it" % (name, " ".join(args)), out[:300])


with open(os.path.join(ROOT, "MANIFEST.tsv"), encoding="utf-8", newline="") as f:
    manifest = list(csv.DictReader(f, delimiter="\t"))
mc.ok(len(manifest) == 53, "53 files", len(manifest))
for m in manifest:
    file = os.path.join(ROOT, m["file"])
    if "DAMAGED" in m["tags"].split():
        check_damaged(file)
        if os.path.basename(file) in COMPRESSED:  # the one whose end is damaged
            rep = mc.run("report", "--json", "-q", "-i", file)[1]
            mc.ok('"events":%d,' % COMPRESSED[os.path.basename(file)] in rep, "%s: what stands before" % os.path.basename(file))
    else:
        mc.guarded(lambda p, row=m: check_readable(p, row), file)
    exp = os.path.join(ROOT, "expected", m["file"].replace("/", "__") + ".tsv")
    if os.path.exists(exp):
        mc.guarded(lambda p, e=exp, row=m: check_tasks(p, e, row), file)
mc.end()
