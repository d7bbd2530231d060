# SPDX-License-Identifier: GPL-2.0
"""sums: rows of every --by, CSV, and complementary selections, against .expect.tsv and the summary."""
import collections
import csv
import io
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
import migcheck as mc  # noqa: E402

BY = ("pair", "tids", "path", "mechanism", "cause", "distance", "task", "cpu", "comm", "pair,path", "tids,mechanism,cpu",
      "comm,cause")
COUNTS = ("wakeups", "migrations", "slices", "fork_placements", "run_ns")
CSV_OF = {"wakeups": "wakeups", "migrations": "migrations", "slices": "slices", "placements": "fork_placements",
          "run": "run_ns"}
RECORDINGS = ("lab/6.1-n8-migstat/ms-msg.data", "lab/6.1-n8-migstat/ms-fork.data", "lab/6.12-d8-migstat/ms-naps.data",
              "lab/6.18-host2-migstat/ms-pipe.data", "lab-riscv/grp-n4/g-swap48.data", "lab/6.1-n8-fmt/fmt-cgroups.data",
              "converted/ARM-software__lisa___tests.perf.data")


def totals(rows):
    c = collections.Counter()
    for r in rows:
        for k in COUNTS:
            c[k] += r[k] or 0
        for k, n in list(r.get("misses", {}).items()) + list(r.get("sampled_misses", {}).items()):
            c["misses " + k] += n or 0
    return c


def summary(s):
    c = collections.Counter({k: s[k] or 0 for k in COUNTS})
    for k, n in list(s["misses"].items()) + list(s["sampled_misses"].items()):
        c["misses " + k] += n or 0
    return c


def check_by(path):
    name = mc.short(path)
    sums = set()
    for by in BY:
        rep = mc.report(path, "--by", by)
        s = rep["summary"]
        sums.add(repr(sorted(summary(s).items())))
        mc.same(totals(rep["rows"]), summary(s), "%s: --by %s: rows add up" % (name, by))
        mc.ok(sorted(rep["by"]) == sorted(by.split(",")), "%s: --by %s: its words" % (name, by), rep["by"])
        keys = [tuple(str(r[k]) for k in ("waker", "wakee", "waker_tid", "wakee_tid", "comm", "tid", "cpu", "path",
                                          "mechanism", "cause", "distance")) for r in rep["rows"]]
        # a waker that nothing names and no waker at all are both null
        if not path.endswith("tests.perf.data") or "pair" not in by:
            mc.ok(len(set(keys)) == len(keys), "%s: --by %s: no row twice" % (name, by),
                  [k for k, n in collections.Counter(keys).items() if n > 1][:3])
        fields = ",".join(CSV_OF) + ",misses"
        _, out, _ = mc.run("report", "-q", "-i", path, "--by", by, "-t", ",", "-F", fields)
        table = list(csv.DictReader(io.StringIO(out)))
        got = {json: sum(int(r[col] or 0) for r in table) for col, json in CSV_OF.items()}
        mc.same(got, {k: s[k] or 0 for k in COUNTS}, "%s: --by %s: CSV adds up" % (name, by))
        first = next(iter(s["misses"]), None)
        if first and first != "cpu-migrations":
            mc.same(sum(int(r["misses"] or 0) for r in table), s["misses"][first], "%s: --by %s: CSV's misses" % (name, by))
        mc.ok(len(table) == len(rep["rows"]), "%s: --by %s: as many lines as rows" % (name, by))
    mc.ok(len(sums) == 1, "%s: the summary is the same for every --by" % name, sums)


def added(path, *selections):
    c = collections.Counter()
    for sel in selections:
        rep = mc.report(path, *sel)
        c.update(summary(rep["summary"]))
        mc.same(totals(rep["rows"]), summary(rep["summary"]), "%s: %s: rows add up" % (mc.short(path), " ".join(sel)))
    return c


def seconds(ns):
    return "%d.%09d" % (ns // 10**9, ns % 10**9)


def check_time(path):
    name, whole = mc.short(path), summary(mc.report(path)["summary"])
    fs = sorted(f["time_ns"] for f in mc.facts(path))
    for at in (fs[len(fs) // 3], fs[len(fs) // 2] - 1):
        mc.same(added(path, ("--time", "," + seconds(at)), ("--time", seconds(at + 1) + ",")), whole,
                "%s: before and after %s = all" % (name, seconds(at)))
    mc.same(added(path, ("--time", "%s,%s" % (seconds(fs[0]), seconds(fs[-1])))), whole, "%s: first to last = all" % name)
    mc.same(added(path, ("--time", "50%/1"), ("--time", "50%/2")), whole, "%s: 50%%/1 + 50%%/2 = all" % name)
    mc.same(added(path, ("--time", "0%-30%"), ("--time", "30%-70%"), ("--time", "70%-100%")), whole,
            "%s: 0-30%% + 30-70%% + 70-100%% = all" % name)
    mc.same(added(path, ("--time", "0%-30%,30%-100%")), whole, "%s: two ranges at once = all" % name)
    one = summary(mc.report(path, "--time", "10%/2")["summary"])
    mc.ok(0 < one["slices"] < whole["slices"], "%s: 10%%/2 is a part" % name, one)


def check_tasks(path):
    """Selections of tasks and CPUs, against the numbers of perf script."""
    name, exp, fs = mc.short(path), mc.read_expect(path), mc.facts(path)
    busy = sorted(exp["switches"], key=lambda k: -exp["switches"][k])[:4]
    for (tid,) in busy:
        s = mc.report(path, "--tid", tid)["summary"]
        want = {"slices": exp["switches"][tid,], "migrations": exp["migrations"].get((tid,), 0),
                "wakeups": sum(n for k, n in exp["wakeups"].items() if tid in k)}
        mc.same({k: s[k] for k in want}, want, "%s: --tid %s" % (name, tid))
        misses = {(e, tid): n for e, n in s["misses"].items()}
        mc.same({k: n or 0 for k, n in misses.items()}, {k: n for k, n in exp["misses"].items() if k[1] == tid},
                "%s: --tid %s: misses" % (name, tid))
    pair = ",".join(t for (t,) in busy[:2])
    s = mc.report(path, "--tid", pair)["summary"]
    mc.same(s["slices"], sum(exp["switches"][k] for k in busy[:2]), "%s: --tid %s" % (name, pair))
    comms = collections.Counter(f["comm"] for f in fs if f["type"] == "slice")
    c = collections.Counter()
    for comm in comms:
        if "," not in comm:
            c.update({k: mc.report(path, "--comm", comm)["summary"][k] or 0 for k in ("slices", "migrations", "run_ns")})
    whole = mc.report(path)["summary"]
    mc.same(c, {k: whole[k] for k in ("slices", "migrations", "run_ns")}, "%s: %d --comm add up" % (name, len(comms)))
    comm = comms.most_common(2)[1][0]
    s = mc.report(path, "--comm", comm)["summary"]
    want = sum(f["type"] == "wakeup" and comm in (f["waker_comm"], f["wakee_comm"]) for f in fs)
    mc.same(s["wakeups"], want, "%s: --comm %s: wakeups by either side" % (name, comm))
    cpus = sorted({f["cpu"] for f in fs if f["type"] == "slice"})
    c = collections.Counter()
    for cpu in cpus:
        s = mc.report(path, "-C", str(cpu))["summary"]
        c.update({"slices": s["slices"], "run_ns": s["run_ns"], "migrations": s["migrations"]})
    mc.same(c, {"slices": whole["slices"], "run_ns": whole["run_ns"], "migrations": 2 * whole["migrations"]},
            "%s: -C: slices once, migrations at both ends" % name)
    every = "%d-%d" % (cpus[0], cpus[-1])
    mc.same(summary(mc.report(path, "-C", every)["summary"]), summary(whole), "%s: -C %s = all" % (name, every))


for rec in RECORDINGS:
    mc.guarded(check_by, os.path.join(mc.DATA, rec))
for rec in RECORDINGS[:1] + RECORDINGS[3:5]:
    mc.guarded(check_time, os.path.join(mc.DATA, rec))
for rec in ("lab/6.1-n8-migstat/ms-msg.data", "lab/6.12-d8-migstat/ms-futex.data", "lab/6.18-host2-migstat/ms-unix.data"):
    mc.guarded(check_tasks, os.path.join(mc.DATA, rec))
mc.end()
