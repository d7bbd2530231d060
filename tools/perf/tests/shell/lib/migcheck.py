# SPDX-License-Identifier: GPL-2.0
"""migcheck: what the tests in Python share: the program's output as data, checks as lines for
t_checks (lib/checks.sh), the readers of the expectations beside the recordings."""
import collections
import glob
import json
import os
import re
import subprocess
import sys

PROG = os.environ["PERF_MIGSTAT"]
DATA = os.environ["MIG_TEST_DATA"]
SHARED = os.environ.get("MIG_SHARED_DATA")


def clean(text):
    return str(text).replace("\\", "/").replace("\t", " ").replace("\n", "\\n")


def ok(cond, name, detail=""):
    if cond:
        print("ok", clean(name), sep="\t")
    else:
        print("bad", clean(name), clean(detail)[:1500], sep="\t")
    return cond


def skip(name, reason):
    print("skip", clean(name), clean(reason), sep="\t")


def end():
    print("end")


def differences(got, want):
    """The keys with different values; a key that is not there counts as 0."""
    keys = set(got) | set(want)
    return sorted((k, got.get(k, 0), want.get(k, 0)) for k in keys if got.get(k, 0) != want.get(k, 0))


def same(got, want, name):
    """Equal numbers, or equal dicts of numbers."""
    if isinstance(want, dict):
        diff = differences(got, want)
        text = "%d of %d differ (key, got, want): %s" % (len(diff), len(want), diff[:8])
        return ok(not diff, name, text)
    return ok(got == want, name, "got %s, want %s" % (got, want))


def run(*args, stdin=None, env=None):
    """(exit code, stdout, stderr) of the program; bytes that are no UTF-8 become '?' marks."""
    full = dict(os.environ, **env) if env else None
    p = subprocess.run([PROG, *args], stdin=stdin or subprocess.DEVNULL, capture_output=True, env=full, check=False)
    return p.returncode, p.stdout.decode("utf-8", "replace"), p.stderr.decode("utf-8", "replace")


class Failed(Exception):
    pass


def report(path, *args, stdin=None):
    rc, out, err = run("report", "--json", "-q", "-i", path, *args, stdin=stdin)
    if rc:
        raise Failed("report %s %s: exit code %d: %s" % (path, " ".join(args), rc, err))
    return json.loads(out)


def facts(path, *args):
    rc, out, err = run("script", "--json", "-q", "-i", path, *args)
    if rc:
        raise Failed("script %s %s: exit code %d: %s" % (path, " ".join(args), rc, err))
    return [json.loads(line) for line in out.splitlines()]


def kallsyms(path):
    """Options that give the recording its symbols."""
    k = os.path.join(os.path.dirname(path), "kallsyms.gz")
    return ("--kallsyms", k) if os.path.exists(k) else ()


def read_expect(path):
    """{kind: {(key..): n}} of FILE.expect.tsv"""
    exp = collections.defaultdict(dict)
    with open(re.sub(r"(\.perf)?\.data$", ".expect.tsv", path), encoding="utf-8") as f:
        for line in f:
            p = line.rstrip("\n").split("\t")
            exp[p[0]][tuple(p[1:-1])] = int(p[-1])
    return exp


def read_gt(path):
    """{tid: (nr_migrations, nr_switches)}: what each thread read of itself just before its end"""
    gt = {}
    log = re.sub(r"\.data$", ".log", path)
    if os.path.exists(log):
        with open(log, encoding="utf-8", errors="replace") as f:
            for line in f:
                m = re.match(r"GT (\d+) .*?nr_migrations=(\d+).* nr_switches=(\d+)", line)
                if m:
                    gt[int(m[1])] = (int(m[2]), int(m[3]))
    return gt


def lab(pattern):
    return sorted(glob.glob(os.path.join(DATA, pattern)))


def short(path):
    return "/".join(path.split("/")[-2:])


def count(fs, kind, *keys):
    c = collections.Counter()
    for f in fs:
        if f["type"] == kind:
            c[tuple(str(f[k]) for k in keys)] += 1
    return c


def perf_script(path):
    """(samples, migrations, wakings) as perf prints them, or None and its message."""
    cmd = ["perf", "script", "--force", "--ns", "-i", path, "-F", "tid,event,trace"]
    p = subprocess.run(cmd, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    lines = p.stdout.decode("utf-8", "replace").splitlines()
    if p.returncode or not lines:
        return None, "exit code %d, no sample printed" % p.returncode
    events, moves, wakes = collections.Counter(), collections.Counter(), collections.Counter()
    for line in lines:
        m = re.match(r"\s*(-?\d+)\s+(\S+?):\s+(.*)$", line) or re.match(r"\s*(-?\d+)\s+(\S+?):\s*()$", line)
        if not m:
            continue
        tid, event, rest = m.groups()
        events[event] += 1
        pid = re.search(r" pid=(-?\d+) ", rest)
        if event == "sched:sched_migrate_task":
            moves[pid[1],] += 1
        elif event == "sched:sched_waking":
            wakes[tid, pid[1]] += 1
    return (events, moves, wakes), None


def guarded(fn, path):
    """A recording that cannot be read is one failed check, not the end of the test."""
    try:
        fn(path)
    except (Failed, ValueError, KeyError) as e:
        ok(False, "%s can be read" % short(path), "%s: %s" % (type(e).__name__, e))


sys.stdout.reconfigure(line_buffering=True)
