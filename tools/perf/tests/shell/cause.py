# SPDX-License-Identifier: GPL-2.0
"""cause: the cause of every migration against the labels that other code took from kernel callchains
(.mig.tsv, cause_chain), with the chains, with the helper events only, and by order alone."""
import collections
import glob
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
import migcheck as mc  # noqa: E402

# other names of the label files
SAME = {"wq-affinity": "affinity-other", "kthread-bind": "affinity-other", "affinity-kernel": "affinity-other",
        "wakeup-fallback": "wakeup", "cpuset-attach": "cpuset", "cpuset-hotplug": "cpuset"}
PULLS = {"newidle-pull", "periodic-pull", "nohz-pull"}
AFFINITIES = {"affinity-self", "affinity-other", "cpuset"}


def coarse(cause):
    return "pull" if cause in PULLS else "affinity" if cause in AFFINITIES else cause


def labels(path):
    res = collections.defaultdict(list)
    with open(path, errors="replace") as f:
        head = f.readline().rstrip("\n").split("\t")
        for line in f:
            x = dict(zip(head, line.rstrip("\n").split("\t")))
            sec, ns = x["time"].split(".")
            res[int(sec) * 10**9 + int(ns), int(x["tid"])].append(SAME.get(x["cause_chain"], x["cause_chain"]))
    return res


def kallsyms(path):
    folder = os.path.dirname(path)
    for cand in (folder, os.path.join(os.path.dirname(folder), "6.1-n8-migstat" if "6.1-" in folder else "6.12-d8-migstat")):
        if os.path.exists(os.path.join(cand, "kallsyms.gz")):
            return ["--kallsyms", os.path.join(cand, "kallsyms.gz")]
    return []


class Score:
    def __init__(self):
        self.n = self.fine = self.coarse = 0
        self.diff = collections.Counter()

    def add(self, other):
        self.n += other.n
        self.fine += other.fine
        self.coarse += other.coarse
        self.diff += other.diff

    def text(self):
        return "n=%d fine %.2f%% coarse %.2f%% %s" % (
            self.n, 100 * self.fine / max(self.n, 1), 100 * self.coarse / max(self.n, 1),
            ", ".join("%s taken for %s: %d" % (a, b, n) for (a, b), n in self.diff.most_common(6)))


def score(path, args, merge_cpuset):
    want = labels(path[:-len(".data")] + ".mig.tsv")
    rc, out, err = mc.run("script", "--json", "--types", "migration", "-i", path, *kallsyms(path), *args)
    res = Score()
    if rc:
        mc.ok(False, "%s: read" % mc.short(path), err)
        return res
    got = collections.defaultdict(list)
    for line in out.splitlines():
        f = mc.json.loads(line)
        got[f["time_ns"], f["tid"]].append(f["cause"])
    for key, causes in want.items():
        for i, a in enumerate(causes):
            b = got[key][i] if i < len(got.get(key, [])) else "missing"
            if merge_cpuset:
                a, b = a.replace("cpuset", "affinity-other"), b.replace("cpuset", "affinity-other")
            res.n += 1
            res.fine += a == b
            res.coarse += coarse(a) == coarse(b)
            if a != b:
                res.diff[a, b] += 1
    return res


def folders():
    roots = [os.path.join(mc.DATA, "lab")] + ([os.path.join(mc.SHARED, "lab")] if mc.SHARED else [])
    seen = {}
    for root in roots:
        for tsv in sorted(glob.glob(os.path.join(root, "*", "*.mig.tsv"))):
            data = tsv[:-len(".mig.tsv")] + ".data"
            key = os.path.join(os.path.basename(os.path.dirname(data)), os.path.basename(data))
            if os.path.exists(data):
                seen.setdefault(key, data)
    res = collections.defaultdict(list)
    for key, data in seen.items():
        res[os.path.dirname(key)].append(data)
    return res


def pooled(sets, args, merge):
    total, each = Score(), {}
    for name, files in sorted(sets.items()):
        each[name] = Score()
        for f in files:
            each[name].add(score(f, args, merge))
        total.add(each[name])
    return total, each


def main():
    sets = folders()
    total, each = pooled(sets, [], False)
    for name, s in each.items():
        mc.ok(s.n and s.fine == s.n, "%s: with callchains every cause is the label's" % name, s.text())
    aux = {k: v for k, v in sets.items() if k.endswith("-aux")}
    total, each = pooled(aux, ["--ignore-callchain"], True)
    mc.ok(total.fine >= 0.995 * total.n, "with the helper events: >= 99.5%% fine: %s" % total.text(), total.text())
    total, each = pooled(sets, ["--ignore-callchain", "--ignore-helpers"], True)
    for name, s in each.items():
        mc.ok(s.fine >= 0.93 * s.n and s.coarse >= 0.97 * s.n,
              "%s: by order alone: %s" % (name, s.text()), s.text())
    mc.ok(total.fine >= 0.984 * total.n and total.coarse >= 0.992 * total.n,
          "by order alone, pooled: %s" % total.text(), total.text())
    mc.end()


main()
