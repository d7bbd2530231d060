# SPDX-License-Identifier: GPL-2.0
"""foreign: results of perf stat, hyperfine, Go and LKP as compare reads them; files that are not what they seem."""
import json
import os
import statistics
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
import migcheck as mc  # noqa: E402

DIR = os.path.join(mc.DATA, "results", "foreign")
RESULTS = os.path.join(mc.DATA, "results")


def path(name):
    return os.path.join(DIR, name)


def rows(*args):
    rc, out, err = mc.run("compare", "-a", "--format=json", *args)
    if rc == 2:
        raise mc.Failed(err)
    return {(c["base"], c["other"]): {r["metric"]: r for r in c["rows"]} for c in json.loads(out)["comparisons"]}


def one(*args):
    return next(iter(rows(*args).values()))


def values(row, side):
    return row[side]["values"]


def check_perf_stat():
    """The same events counted by eye from the text of the file."""
    for name, split in (("perf-stat.csv", lambda x: x.split(",")[0:3:2]),
                        ("perf-stat.json", lambda x: [json.loads(x)[k] for k in ("counter-value", "event")])):
        want = {}
        with open(path(name)) as f:
            for line in f:
                if line.strip() and not line.startswith("#"):
                    v, event = split(line)
                    if not v.startswith("<"):
                        want.setdefault(event, []).append(float(v))
        got = one("a=" + path(name), "b=" + path(name))
        mc.same(sorted(got), sorted(want), "%s: its events; those not supported have no row" % name)
        for event, v in want.items():
            mc.ok(values(got[event], "base") == v and len(v) == 5, "%s: five runs of %s" % (name, event), got[event])
    got = one(path("perf-stat.csv"), path("perf-stat.json"))
    mc.ok(got["context-switches"]["base"]["n"] == got["context-switches"]["other"]["n"] == 5, "-x against -j", got)


def check_hyperfine():
    with open(path("hyperfine.json")) as f:
        results = json.load(f)["results"]
    (names, got), = rows(path("hyperfine.json")).items()
    mc.ok(names == tuple(r["command"] for r in results), "hyperfine: each command is an arm", names)
    for side, r in zip(("base", "other"), results):
        v = got["value"][side]
        mc.ok(v["values"] == r["times"] and abs(v["mean"] - r["mean"]) < 1e-12 and abs(v["sd"] - r["stddev"]) < 1e-12 and
              v["median"] == r["median"], "hyperfine: %s: mean, stddev and median as it has them" % r["command"], (v, r))
    mc.ok(got["value"]["better"] == "lower", "hyperfine: seconds, less is better", got["value"])


def check_go():
    got = one(path("go.txt"), "b=" + path("go.txt"))
    mc.same({m: values(r, "base") for m, r in got.items()},
            {"GobEncode": [13552735, 13553943, 13606356], "GobEncode MB/s": [56.63, 56.63, 56.41],
             "JSONEncode": [32395067, 32334214, 31992891], "JSONEncode MB/s": [59.90, 60.01, 60.65]}, "Go: three runs of each")
    mc.same({m: r["better"] for m, r in got.items()}, {"GobEncode": "lower", "GobEncode MB/s": "higher", "JSONEncode": "lower",
                                                        "JSONEncode MB/s": "higher"}, "Go: which way is better")
    _, out, _ = mc.run("compare", "--format=go", os.path.join(RESULTS, "mail3-dbase.jsonl"))
    with tempfile.TemporaryDirectory() as d:
        with open(os.path.join(d, "x"), "w") as f:
            f.write(out)
        back = one("x=" + os.path.join(d, "x"), "y=" + os.path.join(d, "x"))
    want = one(os.path.join(RESULTS, "mail3-dbase.jsonl"))
    mc.same([v for r in back.values() for v in values(r, "base")],
            [v for r in want.values() for v in values(r, "base") + values(r, "other")], "Go: what is written is read again")


def check_lkp():
    for name in ("good", "bad"):
        with open(path("lkp-%s-matrix.json" % name)) as f:
            want = {k: v for k, v in json.load(f).items() if not k.endswith(".time") and k != "stats_source"}
        got = one("a=" + path("lkp-%s-matrix.json" % name), "b=" + path("lkp-%s-matrix.json" % name))
        mc.same({m: values(r, "base") for m, r in got.items()}, want, "LKP matrix.json, %s: runs, without times" % name)
    (names, got), = rows(path("lkp-stats.json"), path("lkp-bad-matrix.json")).items()
    mc.ok(got["uptime.idle"]["base"]["values"] == [168.57], "LKP stats.json: one run", got["uptime.idle"])
    got = one(path("lkp-good-matrix.json"), path("lkp-bad-matrix.json"))["uptime.idle"]
    mc.ok(abs(got["p"] - .023810) < 5e-7 and got["u"] == 23.5, "LKP: U and p of uptime.idle", (got["u"], got["p"]))
    mc.ok(abs(got["change_pct"] - 100 * (statistics.mean(got["other"]["values"]) / 166 - 1)) < 1e-9, "LKP: change", got["change_pct"])


HEAD = '{"schema":"migstat-results","version":1,"name":"a"}\n'
RUN = '{"run":1,"values":{"x":1}}\n'
BAD = (
    ("a line that is no JSON", HEAD + RUN + "{oops\n", ":3: "),
    ("a cut line", HEAD + RUN + '{"run":2,"val', ":3: "),
    ("a run before a header", RUN, ":1: "),
    ("a run without values", HEAD + '{"run":1}\n', ":2: "),
    ("a value that is a text", HEAD + '{"run":1,"values":{"x":"fast"}}\n', ":2: "),
    ("a value twice", HEAD + '{"run":1,"values":{"x":1,"x":2}}\n', ":2: "),
    ("a number beyond a double", HEAD + '{"run":1,"values":{"x":1e999}}\n', ":2: "),
    ("a status that is none", HEAD + '{"run":1,"status":"fine","values":{"x":1}}\n', ":2: "),
    ("a direction that is none", '{"schema":"migstat-results","version":1,"name":"a","metrics":{"x":{"better":"up"}}}\n', ":1: "),
    ("a later version", HEAD.replace("1,", "2,") + RUN, ":1: "),
    ("another schema", HEAD.replace("migstat-results", "other") + RUN, ":1: "),
    ("no name", '{"schema":"migstat-results","version":1}\n' + RUN, ":1: "),
    ("an array", HEAD + "[1]\n", ":2: "),
    ("no runs", HEAD, ": no runs"),
    ("nothing", "", " is empty"),
    ("a NUL byte", HEAD + RUN[:5] + "\0" + RUN[5:], ": not a text file"),
    ("another text", "hello\n", ": not a results file"),
    ("perf stat -r", "4,1.5%,,x\n".replace("4,1.5%,,x", "1071,,page-faults,0.10%,31894265,100.00,,"), ":1: "),
    ("perf stat -I", "     1.000106,4005,,context-switches,31894265,100.00,,\n", ":1: "),
    ("perf stat -A", "CPU0,4005,,context-switches,31894265,100.00,,\n", ""),
    ("a cut perf stat line", "1071,,page-faults,31894265,100.00,,\n10", ":2: "),
    ("perf stat -j, cut", '{"counter-value" : "1.0", "event" : "x"}\n{"counter-value" : "1.0", "ev\n', ":2: "),
    ("hyperfine without times", '{"results":[{"command":"x"}]}', "result 1"),
    ("a Go line without a value", "BenchmarkX 1 5 ns/op\nBenchmarkX 1 5\n", ":2: "),
    ("a Go line of 0 iterations", "BenchmarkX 0 5 ns/op\n", ":1: "),
    ("JSON without numbers", '{"x":"y"}', ": no numbers"),
)


def check_strict():
    good = os.path.join(RESULTS, "line-mg2.jsonl")
    with tempfile.TemporaryDirectory() as d:
        bad = os.path.join(d, "bad")
        for what, text, where in BAD:
            with open(bad, "w") as f:
                f.write(text)
            rc, out, err = mc.run("compare", good, bad)
            errors = [x for x in err.split("\n") if x.startswith("Error: ")]
            lines = [x for x in err.split("\n") if x and not x.startswith("Hint: ")]
            mc.ok(rc == 2 and not out and len(errors) == len(lines) == 1 and bad in err and where in err,
                  "refused, with the place: %s" % what, (rc, out[:100], err))
        rc, _, err = mc.run("compare", good, os.path.join(d, "nothing"))
        mc.ok(rc == 2 and "nothing: No such file" in err, "a file that is not there", err)
        rc, _, err = mc.run("compare", good, d)
        mc.ok(rc == 2 and "Error: " in err, "a folder", err)


def check_hybrid():
    """Two kinds of CPU: an event stands there once for each; multiplexed and not counted ones."""
    text = ("100,,cpu_core/cache-misses/,1000,80.00,,\n23,,cpu_atom/cache-misses/,500,40.00,,\n"
            "<not counted>,,cpu_atom/cycles/,0,0.00,,\n500,,cpu_core/cycles/,1000,80.00,,\n7,,cpu-migrations,1000,100.00,,\n"
            "<not supported>,,LLC-load-misses,0,100.00,,\n9,,cpu-migrations,box/a,1000,100.00,,\n")
    with tempfile.TemporaryDirectory() as d:
        p = os.path.join(d, "x")
        with open(p, "w") as f:
            f.write(text)
        got = one("a=" + p, "b=" + p)
        mc.same({m: values(r, "base") for m, r in got.items()},
                {"cache-misses": [123], "cycles": [500], "cpu-migrations": [7], "cpu-migrations@box/a": [9],
                 "cachemisses/migrations": [123 / 7]}, "hybrid events are added up, cgroups are of their own")
        _, out, _ = mc.run("compare", "a=" + p, "b=" + p)
        mc.ok("a: events were counted down to 40% of the time (multiplexed), scaled" in out, "multiplexing is said", out)


for fn in (check_perf_stat, check_hyperfine, check_go, check_lkp, check_strict, check_hybrid):
    try:
        fn()
    except Exception as e:
        mc.ok(False, fn.__name__, repr(e))
mc.end()
