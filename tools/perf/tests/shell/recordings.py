# SPDX-License-Identifier: GPL-2.0
"""recordings: compare of perf.data files. Every figure is the one that report --json has of that file; what the text
shows of a pair is taken apart again."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
import migcheck as mc  # noqa: E402

A, B, C = (os.path.join(mc.DATA, p) for p in ("lab/6.1-n8-migstat/ms-msg.data", "lab/6.12-d8-migstat/ms-msg.data",
                                              "lab/6.1-n8-migstat/ms-futex.data"))


def compare(*args):
    rc, out, err = mc.run("compare", *args)
    return rc, out, err


def rows(*args):
    _, out, _ = compare("-a", "--format=json", *args)
    return {r["metric"]: r for c in json.loads(out)["comparisons"] for r in c["rows"]}


def side(row, k):
    v = row[("base", "other")[k]]["values"]
    return v[0] if v else None


def check_totals(a, b):
    got = rows("a=" + a, "b=" + b)
    for k, path in enumerate((a, b)):
        s = mc.report(path)["summary"]
        name = "%s in compare" % mc.short(path)
        mc.same({m: side(got[m], k) for m in ("wakeups", "migrations", "slices", "cpu-migrations", "delay-p50", "delay-p99")},
                {"wakeups": s["wakeups"], "migrations": s["migrations"], "slices": s["slices"],
                 "cpu-migrations": s["cpu_migrations"], "delay-p50": s["delay_p50_ns"], "delay-p99": s["delay_p99_ns"]},
                "%s: totals" % name)
        mc.same({m[6:]: side(r, k) for m, r in got.items() if m.startswith("cause ") and side(r, k) is not None},
                s["by_cause"], "%s: causes" % name)
    return got


def pair_figures(path):
    """{pair: {figure: value}} as report has them."""
    out = {}
    rep = mc.report(path)
    event = next((e for e in rep["summary"]["misses"] if e != "cpu-migrations"), None)
    for r in rep["rows"]:
        if not r["wakeups"]:
            continue
        f = {"wakeups": r["wakeups"], "migrations": r["migrations"]}
        near, far = r["near"]["n"], r["far"]["n"]
        if near + far:
            f["near%"] = 100 * near / (near + far)
        out["%s > %s" % (r["waker"] or "-", r["wakee"] or "-")] = f
    return out, event


def check_pairs(got, a, b):
    for k, path in enumerate((a, b)):
        want, _ = pair_figures(path)
        bad = []
        for pair, figures in want.items():
            for f, v in figures.items():
                row = got.get("pair %s: %s" % (pair, f))
                x = row and side(row, k)
                if x is None or abs(x - v) > 1e-9 * abs(v):
                    bad.append((pair, f, x, v))
        mc.ok(want and not bad, "%s: figures of %d pairs" % (mc.short(path), len(want)), bad[:3])
        facts = mc.facts(path)
        paths = {}
        for w in facts:
            if w["type"] == "wakeup" and w["partner"] and w["waker_tid"] and not w["waker_comm"].startswith("perf"):
                paths.setdefault("%s > %s" % (w["waker_comm"], w["wakee_comm"]), []).append(w["path"])
        pair = max(paths, key=lambda p: len(paths[p]))
        n = len(paths[pair])
        mc.same({p: round(side(got["pair %s: path %s" % (pair, p)], k), 6) for p in set(paths[pair])},
                {p: round(100 * paths[pair].count(p) / n, 6) for p in set(paths[pair])},
                "%s: paths of %s, from %d facts" % (mc.short(path), pair, n))


def check_text(a, b):
    rc, out, err = compare("a=" + a, "b=" + b)
    mc.ok(rc == 0, "exit code of two recordings", (rc, err))
    lines = out.split("\n")
    mc.ok(max(map(len, lines)) <= 80, "no line is longer than 80 columns", [x for x in lines if len(x) > 80])
    at = next(i for i, x in enumerate(lines) if x.startswith("waker "))
    top = lines[at + 1].split()
    reports = [mc.report(p)["rows"][0] for p in (a, b)]
    mc.same([int(x) for x in top[2:4]], [r["wakeups"] for r in reports], "the first pair: wakeups")
    mc.ok(top[-1] == "affine>prev", "the first pair changed its path", lines[at + 1])
    mc.ok("Environments differ" in out and "  kernel: 6.1.0-57-cloud-amd64 | 6.12." in out, "environments of the recordings", out)
    mc.ok("1+1 recordings: what differs is shown, not tested" in out, "one recording a side is no proof", out)
    rc, out, _ = compare("--format=pairs", "-a", "a=" + a, "b=" + b)
    mc.ok(rc == 0 and out.count("\n") > len(lines) - at, "--format=pairs -a has all pairs", out[:400])


def check_arms(a, b, c):
    """Several of one name are runs of one arm."""
    got = rows("x=" + a, "x=" + b, "y=" + c)
    want = [mc.report(p)["summary"]["wakeups"] for p in (a, b, c)]
    mc.same(got["wakeups"]["base"]["values"] + got["wakeups"]["other"]["values"], want, "two runs against one")
    rc, _, err = compare(a, os.path.join(mc.DATA, "lab/6.1-n8-fmt/fmt-sw.data"))
    mc.ok(rc in (0, 2), "a recording of one counter", err)


def check_damage(path):
    """Half a recording is no run."""
    half = os.path.join(os.environ.get("T_TMP") or os.environ["TMPDIR"] if "TMPDIR" in os.environ else "/tmp", "migstat-half.%d" % os.getpid())
    with open(path, "rb") as f, open(half, "wb") as g:
        g.write(f.read()[:os.path.getsize(path) // 2])
    try:
        rc, out, err = compare(path, half)
        mc.ok(rc == 2 and not out and err.startswith("Error: "), "half a recording is refused", (rc, out[:200], err))
    finally:
        os.unlink(half)


def check_environment(path):
    env = mc.report(path)["summary"]["environment"]
    mc.ok(env["kernel"] == "6.1.0-57-cloud-amd64" and env["cpus"] == "8 online of 8, 2 sockets, 4 cores",
          "report --json holds the environment of the recording", env)
    _, header, _ = mc.run("report", "--header-only", "-i", path)
    for name, line in (("host", "hostname"), ("perf", "perf version"), ("cpu", "cpudesc"), ("kernel", "os release")):
        mc.ok("# %s : %s\n" % (line, env[name]) in header, "%s as in --header" % name, (env[name], header))
    _, out, _ = mc.run("report", "--stdio", "-v", "-i", path)
    mc.ok("    kernel: 6.1.0-57-cloud-amd64\n" in out, "report -v shows it", out[:600])


def all_checks(a):
    got = check_totals(a, B)
    check_pairs(got, a, B)
    check_text(a, B)
    check_arms(a, B, C)
    check_damage(a)
    check_environment(a)


mc.guarded(all_checks, A)
mc.end()
