# SPDX-License-Identifier: GPL-2.0
"""compare: rates compared within pairs of threads, levels, moves in the queue, causes by distance and moves
by CPU, counted again from the facts of script --json."""
import collections
import csv
import io
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
import migcheck as mc  # noqa: E402

RECORDINGS = ("lab/6.1-n8-migstat/ms-msg.data", "lab/6.1-n8-migstat/ms-futex.data", "lab/6.12-d8-migstat/ms-naps.data",
              "lab/6.18-host2-migstat/ms-unix.data", "lab-riscv/grp-n4/g-swap48.data", "lab-riscv/grp-n4/g-swap200.data",
              "lab-riscv/grp-n4/g-touch.data", "lab-riscv/grp-n4/g-msg.data")
MIN = 30
KEYS = {"pair": ("waker", "wakee"), "tids": ("waker_tid", "wakee_tid"), "comm": ("comm",), "task": ("tid",), "cpu": ("cpu",),
        "path": ("path",)}


def with_wakeups(fs):
    """The slices, each with the wakeup it is the first after."""
    wakes = collections.defaultdict(list)
    for f in fs:
        if f["type"] == "wakeup":
            wakes[f["wakee_tid"]].append(f)
    for ws in wakes.values():
        ws.sort(key=lambda w: w["time_ns"])
    for s in fs:
        if s["type"] != "slice":
            continue
        s["wakeup"] = None
        if s["waker_tid"] is not None:
            start = s["time_ns"] - (s["length_ns"] or 0)
            before = [w for w in wakes[s["tid"]] if w["time_ns"] <= start and w["waker_tid"] == s["waker_tid"]]
            s["wakeup"] = before[-1] if before else None
        yield s


def key_of(s, by):
    """The values of the row's key, as the JSON has them; None where they cannot be told here."""
    w = s["wakeup"]
    irq = w is not None and w["partner"] is False
    k = {"waker": None, "wakee": s["comm"], "waker_tid": None, "wakee_tid": s["tid"], "comm": s["comm"], "tid": s["tid"],
         "cpu": s["cpu"], "path": w and (w["path"] or "unknown")}
    if w:
        k["waker"] = "[irq]" if irq else w["waker_comm"] if w["waker_tid"] else "[idle]"
        k["waker_tid"] = None if irq else w["waker_tid"]
    if s["tid"] == 0:
        k["comm"] = k["wakee"] = "[idle]"
    return tuple(k[x] for x in KEYS[by])


def unit_of(s):
    w = s["wakeup"]
    return (None if not w else "irq" if w["partner"] is False else w["waker_tid"], s["tid"])


def mantel_haenszel(units, a, b):
    """Rates in misses per ms of sides a and b."""
    weight, sums, n = 0, [0, 0], [0, 0]
    for sides in units.values():
        (n1, t1, m1), (n2, t2, m2) = sides[a], sides[b]
        if t1 and t2:
            weight += t1 * t2 / (t1 + t2)
            sums = [sums[0] + m1 * t2 / (t1 + t2), sums[1] + m2 * t1 / (t1 + t2)]
            n = [n[0] + n1, n[1] + n2]
    return [x / weight * 1e6 for x in sums] if weight and min(n) >= MIN else [None, None]


def check_rates(path, by, slices):
    name, rep = mc.short(path), mc.report(path, "--by", by)
    event = next((e for e in rep["summary"]["misses"] if e != "cpu-migrations"), None)
    rows = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0, 0])))
    for s in slices:
        if s["length_ns"] is None or not event or s["misses"].get(event) is None:
            continue
        units = rows[key_of(s, by)]
        thread = ("thread", s["tid"]) if by in ("comm", "task", "cpu") else unit_of(s)
        for unit, side in ((unit_of(s), s["relation"] if s["wakeup"] else None),
                           (thread, {True: "moved", False: "stayed"}.get(s["moved"]))):
            if side:
                units[unit][side] = [x + y for x, y in zip(units[unit][side], (1, s["length_ns"], s["misses"][event]))]
    # the recorder's tasks are not told by the facts; the rows that hold them are left out
    recorder = {s["comm"] for s in slices if s["comm"] == "perf"} | {"[recorder]", "perf"}
    bad, n, known = [], 0, 0
    for r in rep["rows"]:
        key = tuple(r[k] for k in KEYS[by])
        if recorder & {r["waker"], r["wakee"], r["comm"]} or (by in ("cpu", "path", "task", "tids") and key not in rows):
            continue
        want = mantel_haenszel(rows[key], "near", "far") + mantel_haenszel(rows[key], "moved", "stayed")
        got = [r[k]["rate"] for k in ("near", "far", "moved", "stayed")]
        n += 1
        known += sum(x is not None for x in got)
        if any((a is None) != (b is None) or (a is not None and abs(a - b) > 1e-6 * abs(b) + 1e-12) for a, b in zip(got, want)):
            bad.append((key, got, want))
    mc.ok(n and not bad, "%s: --by %s: rates of %d rows, %d known" % (name, by, n, known), bad[:3])
    return known


def check_levels(path, fs, slices):
    """Distances of two CPUs as other facts of the recording name them."""
    name = mc.short(path)
    dist = {}
    for f in fs:
        a, b = (f["prev_cpu"], f["cpu"]) if f["type"] == "wakeup" else (f.get("from"), f.get("to"))
        if f["type"] in ("wakeup", "migration") and f["distance"] and None not in (a, b):
            dist[a, b] = dist[b, a] = f["distance"]
    want, unknown = collections.Counter(), 0
    queued = {"n": 0, "run_ns": 0}
    for s in slices:
        w = s["wakeup"]
        if not w:
            continue
        if w["relation"]:
            level = "self" if w["waker_cpu"] == w["run_cpu"] else dist.get((w["waker_cpu"], w["run_cpu"]))
            want[level] += 1
            unknown += level is None
        if None not in (w["cpu"], w["run_cpu"]) and w["cpu"] != w["run_cpu"]:
            queued["n"] += 1
            queued["run_ns"] += s["length_ns"] or 0
    rows = mc.report(path)["rows"]
    got = collections.Counter()
    for r in rows:
        for level, side in r["levels"].items():
            got[level] += side["n"]
    mc.ok(all(got[k] >= n for k, n in want.items() if k) and sum(got.values()) == sum(want.values()),
          "%s: levels of %d slices, %d of CPUs that nothing else names" % (name, sum(want.values()), unknown), (got, want))
    near = sum(r["near"]["n"] + r["far"]["n"] for r in rows)
    mc.same(sum(got.values()), near, "%s: levels are near and far" % name)
    mc.same({k: sum(r["queued"][k] or 0 for r in rows) for k in queued}, queued, "%s: %d moved in the queue" % (name, queued["n"]))
    for k in ("run_ns", "misses"):
        flat = [(r[side][k] if k == "run_ns" else r[side][k].get(e)) or 0 for r in rows for side in ("near", "far")
                for e in (r["misses"] or ["-"] if k == "misses" else ["-"])]
        lev = [(v[k] if k == "run_ns" else v[k].get(e)) or 0 for r in rows for v in r["levels"].values()
               for e in (r["misses"] or ["-"] if k == "misses" else ["-"])]
        mc.same(sum(lev), sum(flat), "%s: %s of the levels add up" % (name, k))


def check_moves(path, fs):
    name, s = mc.short(path), mc.report(path)["summary"]
    moves = [f for f in fs if f["type"] == "migration"]
    mc.same({(m["from"], m["to"]): m["n"] for m in s["moves"]}, collections.Counter((f["from"], f["to"]) for f in moves),
            "%s: moves by CPU" % name)
    mc.ok([(m["from"], m["to"]) for m in s["moves"]] == sorted((m["from"], m["to"]) for m in s["moves"]),
          "%s: moves are sorted" % name)
    mc.same({(c, d): n for c, o in s["cause_distance"].items() for d, n in o.items()},
            collections.Counter((f["cause"], f["distance"]) for f in moves), "%s: causes by distance" % name)
    _, out, _ = mc.run("report", "-q", "-i", path, "--matrix", "-t", ",")
    table = list(csv.DictReader(io.StringIO(out)))
    mc.same({(int(r["from"]), int(r["to"])): int(r["migrations"]) for r in table}, {(m["from"], m["to"]): m["n"] for m in s["moves"]},
            "%s: --matrix -t" % name)
    queued = collections.defaultdict(list)
    for f in moves:
        if f["queued_ns"]:
            queued[f["cause"]].append(f["queued_ns"])
    bad = []
    for cause, c in s["cause_cost"].items():
        v = sorted(queued[cause])
        got = c["queued_p50_ns"]
        want = v[(len(v) + 1) // 2 - 1] if v else None
        if cause != "wakeup" and ((got is None) != (want is None) or (v and abs(got - want) > 0.02 * want)):
            bad.append((cause, got, want))
    mc.ok(not bad, "%s: time queued before a move, by cause" % name, bad)
    if moves:
        mc.same(mc.report(path, "-C", str(moves[0]["from"]))["summary"]["moves"],
                [m for m in s["moves"] if moves[0]["from"] in (m["from"], m["to"])], "%s: moves of a selection" % name)


def check(path):
    fs = mc.facts(path)
    slices = list(with_wakeups(fs))
    known = sum(check_rates(path, by, slices) for by in KEYS)
    if os.path.basename(path) in ("ms-msg.data", "g-swap48.data", "g-swap200.data"):
        mc.ok(known > 4, "%s: there are rates" % mc.short(path), known)
    check_levels(path, fs, slices)
    check_moves(path, fs)


def check_cost(path, low, high):
    """Threads that touch as many pages again after each move: a real cost, found where moved and stayed compare."""
    name, fs = mc.short(path), mc.facts(path)
    event = "dTLB-load-misses"
    for r in mc.report(path, "--by", "comm")["rows"]:
        if not r["comm"].startswith("sw"):
            continue
        v = {m: sorted(f["misses"][event] for f in fs if f["type"] == "slice" and f["comm"] == r["comm"] and f["moved"] is m and
                       f["misses"][event] is not None) for m in (True, False)}
        p50 = {m: x[len(x) // 2] for m, x in v.items()}
        mc.ok(low <= p50[True] <= high and 8 <= p50[False] <= 11, "%s: %s: median misses of %d slices moved %d, of %d stayed %d" %
              (name, r["comm"], len(v[True]), p50[True], len(v[False]), p50[False]))
        moved, stayed = r["moved"]["rate"], r["stayed"]["rate"]
        mc.ok(moved is not None and moved > 1.5 * stayed, "%s: %s: %.1f misses/ms moved, %.1f stayed" %
              (name, r["comm"], moved or -1, stayed or -1))


for rec in RECORDINGS:
    mc.guarded(check, os.path.join(mc.DATA, rec))
mc.guarded(lambda p: check_cost(p, 119, 121), os.path.join(mc.DATA, "lab-riscv/grp-n4/g-swap48.data"))
mc.guarded(lambda p: check_cost(p, 270, 271), os.path.join(mc.DATA, "lab-riscv/grp-n4/g-swap200.data"))
mc.end()
