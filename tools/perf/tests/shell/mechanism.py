# SPDX-License-Identifier: GPL-2.0
"""mechanism: by what the threads of workloads with one mechanism each were woken, against the workload's
name and against the labels that other code took from the same callchains (.wake.tsv); loopback's
partners, with callchains and without; sync, on kernels whose callchains show it."""
import collections
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
import migcheck as mc  # noqa: E402

# mech-NAME and ms-NAME: the workload's threads, and what wakes them
WORKLOADS = {
    "mech-futex": ("fx-", "futex"), "mech-pipe": ("pi-", "pipe"), "mech-unix": ("ux-", "unix"),
    "mech-tcp": ("tc-", "tcp"), "mech-udp": ("ud-", "udp"), "mech-epoll": ("ep-", "epoll"),
    "mech-poll": ("po-", "poll"), "mech-nanosleep": ("ns-", "timer"), "mech-timerfd": ("tf-", "timerfd"),
    "mech-signal": ("sg-", "signal"), "mech-sem": ("sm-", "sem"), "mech-msg": ("mq-", "msg"),
    "mech-io": ("io-", "io"), "mech-fork": ("fork-p", "child-exit"), "mech-exec": ("exec-p", "child-exit"),
    "mech-clone": ("thr-p", "futex"),
    "ms-futex": ("fx-", "futex"), "ms-pipe": ("sched-pipe", "pipe"), "ms-unix": ("ux-", "unix"),
    "ms-udp": ("ud-", "udp"), "ms-naps": ("hog", "timer"), "ms-fork": ("fork-p", "child-exit"),
}
# other names of the label files
SAME = {"hrtimer": "timer", "sysv-sem": "sem", "sysv-msg": "msg", "stopper": "kthread", "ksoftirqd": "kthread",
        "percpu-rwsem": "rwsem"}


def share(n, of):
    return "%d of %d (%.2f%%)" % (n, of, 100 * n / of if of else 0)


def mostly(n, of, name, detail="", percent=99):
    return mc.ok(of and 100 * n >= percent * of, "%s: %s" % (name, share(n, of)), detail)


def find(pattern):
    """Recordings here and in the wider collection, each once."""
    roots = [os.path.join(mc.DATA, "lab")] + ([os.path.join(mc.SHARED, "lab")] if mc.SHARED else [])
    seen = {}
    for root in roots:
        for path in sorted(mc.glob.glob(os.path.join(root, pattern))):
            seen.setdefault(mc.short(path), path)
    return list(seen.values())


def symbols(path):
    """Those of the recording's folder, or of the -migstat folder of the same kernel."""
    folder = os.path.dirname(path)
    kernel = os.path.basename(folder).split("-")[0]
    for cand in [folder] + sorted(mc.glob.glob(os.path.join(mc.DATA, "lab", kernel + "-*-migstat"))):
        if os.path.exists(os.path.join(cand, "kallsyms.gz")):
            return ["--kallsyms", os.path.join(cand, "kallsyms.gz")]
    return []


def wakeups(path, *args):
    return mc.facts(path, "--types", "wakeup", *symbols(path), *args)


def workload(path):
    return WORKLOADS.get(os.path.basename(path)[:-len(".data")])


def own(fs, prefix):
    return [f for f in fs if (f["wakee_comm"] or "").startswith(prefix)]


def between(fs, prefix, mech=None):
    """Wakeups of the workload's threads by one another; the end of one wakes the other once."""
    return [f for f in own(fs, prefix)
            if (f["waker_comm"] or "").startswith(prefix) and mech in (None, f["mechanism"])]


def check_mechanism(path):
    prefix, want = workload(path)
    fs = own(wakeups(path), prefix)
    got = collections.Counter(f["mechanism"] for f in fs)
    # naps: some threads' first page comes from disk, and their parent waits for their ends
    mostly(got[want], len(fs), "%s: wakeups of %s are %s" % (mc.short(path), prefix, want), dict(got),
           98 if "ms-naps" in path else 99)


def labels(path):
    res = collections.defaultdict(list)
    with open(path[:-len(".data")] + ".wake.tsv", errors="replace") as f:
        next(f)
        for line in f:
            p = line.rstrip("\n").split("\t")
            sec, ns = p[0].split(".")
            res[int(sec) * 10**9 + int(ns), int(p[3])].append(p[8])
    return res


def by_choice(label, fact):
    """Where the labels mean something else: a kworker that RCU gives work to; a timeout that ends in a softirq."""
    comm, mech = fact["wakee_comm"] or "", fact["mechanism"]
    return (label == "rcu" and mech == "workqueue" and comm.startswith("kworker/")) or \
           (label == "ksoftirqd" and mech == "timer" and not comm.startswith("ksoftirqd/"))


def check_labels(path, total):
    want, left, chosen, diff = labels(path), collections.Counter(), 0, collections.Counter()
    for key, names in want.items():
        left[key] = len(names)
    for f in wakeups(path):
        key = f["time_ns"], f["wakee_tid"]
        if not left[key]:
            diff["no label", f["mechanism"]] += 1
            continue
        label = want[key][len(want[key]) - left[key]]
        left[key] -= 1
        if by_choice(label, f):
            chosen += 1
        elif SAME.get(label, label) != f["mechanism"]:
            diff[label, f["mechanism"]] += 1
    diff["missing", ""] += sum(left.values())
    total["n"] += sum(len(x) for x in want.values())
    total["by choice"] += chosen
    total.update(+diff)


def check_partner(path):
    prefix, want = workload(path)
    name = mc.short(path)
    fs = between(wakeups(path), prefix, want)
    mostly(sum(f["partner"] is True for f in fs), len(fs), "%s: the sender is the partner" % name)
    mc.same(sum(f["context"] == "task" for f in fs), len(fs), "%s: in its own context" % name)
    times = {(f["time_ns"], f["wakee_tid"]) for f in fs}
    without = [f for f in between(wakeups(path, "--ignore-callchain"), prefix)
               if (f["time_ns"], f["wakee_tid"]) in times]
    mc.same(collections.Counter((f["context"], f["partner"], f["mechanism"]) for f in without),
            {("softirq?", None, "unknown"): len(fs)}, "%s: without callchains nobody can tell" % name)
    rows = {}
    for args in ((), ("--ignore-callchain",)):
        rows[args] = {(r["waker"], r["wakee"]): r["wakeups"]
                      for r in mc.report(path, "--by", "pair", *symbols(path), *args)["rows"]
                      if (r["wakee"] or "").startswith(prefix) and (r["waker"] or "").startswith(prefix)}
    mc.ok(rows[()] and sum(rows[()].values()) >= len(fs), "%s: rows of the pair" % name, rows)
    mc.same(rows["--ignore-callchain",], rows[()], "%s: the same rows without callchains" % name)


def check_sync(path):
    prefix, want = workload(path)
    fs = between(wakeups(path), prefix, want)
    got = collections.Counter(f["sync"] for f in fs)
    if mc.short(path).startswith("6.1-"):
        mc.same(dict(got), {None: len(fs)}, "%s: 6.1 hides whether a wakeup is sync" % mc.short(path))
    else:
        mc.same(dict(got), {True: len(fs)}, "%s: all %d are sync" % (mc.short(path), len(fs)))


def check_all_labels():
    total = collections.Counter()
    paths = [p[:-len(".wake.tsv")] + ".data" for p in find("*/*.wake.tsv")]
    for path in paths:
        mc.guarded(lambda p: check_labels(p, total), path)
    n, chosen = total.pop("n", 0), total.pop("by choice", 0)
    mostly(n - sum(total.values()), n, "%d recordings, the label's mechanism, %d of it another by choice"
           % (len(paths), chosen), total.most_common(12), 99.5)
    mc.same(total["missing", ""] + sum(v for k, v in total.items() if k[0] == "no label"), 0,
            "every wakeup has its label")


def main():
    for pattern, fn in (("*-mech/mech-*.data", check_mechanism), ("*-migstat/ms-*.data", check_mechanism),
                        ("*/m[es]*-[tu][cd]p.data", check_partner), ("*-migstat/ms-pipe.data", check_sync),
                        ("*-migstat/ms-unix.data", check_sync)):
        paths = [p for p in find(pattern) if workload(p)]
        mc.ok(paths, "recordings %s" % pattern)
        for path in paths:
            mc.guarded(fn, path)
    check_all_labels()
    mc.end()


main()
