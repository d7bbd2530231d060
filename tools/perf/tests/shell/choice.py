# SPDX-License-Identifier: GPL-2.0
"""choice: what wakeups could have chosen, and how long they waited while it was idle, by brute force
from perf script: the state of each CPU before each event is worked out anew, every interval between two
events is added to every wakeup that waits in it. Machines of 8 CPUs: cores of two, LLCs of four."""
import collections
import glob
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
import migcheck as mc  # noqa: E402

CPUS = range(8)
LINE = re.compile(r" *(-?\d+)/(-?\d+) +\[(\d+)\] +(\d+)\.(\d{9}): +([\w:-]+): +(.*)")
BOUND = re.compile(r"(ksoftirqd|migration|kworker|cpuhp|idle_inject|rcuc|rcuop|watchdog|irq_work|backlog_napi)/\d")


def llc(cpu):
    return [c for c in CPUS if c // 4 == cpu // 4]


def core(cpu):
    return [c for c in CPUS if c // 2 == cpu // 2]


def events(path):
    out = subprocess.run(["perf", "script", "-f", "-i", path, "--ns", "-F", "pid,tid,cpu,time,event,trace"],
                         capture_output=True, check=True).stdout.decode("utf-8", "replace")
    for line in out.splitlines():
        m = LINE.match(line)
        if m and ":" in m[6]:
            yield int(m[3]), int(m[4]) * 10**9 + int(m[5]), m[6].split(":")[-1], m[7], int(m[2])


def field(text, name):
    return int(re.search(r"(?:^| )%s=(-?\d+)" % name, text)[1])


def comm(text, name="comm"):
    return re.search(r"(?:^| )%s=(.*?) (?:%s)=" % (name, "pid|prev_pid|next_pid"), text)[1]


def some(answers):
    answers = list(answers)
    return True if True in answers else None if None in answers else False


def every(answers):
    answers = list(answers)
    return False if False in answers else None if None in answers else True


def inverse(answer):
    return None if answer is None else not answer


class Machine:
    def __init__(self):
        self.cur = {}  # CPU -> tid
        self.waits = {}  # tid -> CPU
        self.names = {}
        self.maybe, self.unseen = set(), []
        self.open = {}  # tid -> its wakeup
        self.last = {}  # CPU -> its last event, (name, tid)
        self.done = []
        self.wasted = collections.Counter()

    def idle(self, cpu):
        if cpu not in self.cur:
            return None
        return self.cur[cpu] == 0 and cpu not in self.waits.values()

    def states(self):
        return {c: self.idle(c) for c in CPUS}

    def bound(self, tid):
        return bool(BOUND.match(self.names.get(tid, "")))

    def waiters(self, cpus):
        """tasks that may run elsewhere and wait for a CPU that runs another; of those that wait for an idle
        one the first is about to run"""
        n = 0
        for c in cpus:
            here = [t for t, at in self.waits.items() if at == c]
            free = [t for t in here if not self.bound(t)]
            if c in self.cur:
                n += max(0, len(free) - (self.cur[c] == 0 and len(here) == len(free)))
        return n

    def elapse(self, ns):
        idle = self.states()
        groups = {"machine": list(CPUS), "llc0": llc(0), "llc1": llc(4)}
        for name, cpus in groups.items():
            if any(idle[c] for c in cpus) and self.waiters(cpus):
                self.wasted[name] += ns
        for w in self.open.values():
            near = llc(w["cpu"])
            w["ns"]["prev"] += ns * bool(idle[w["prev"]])
            w["ns"]["llc"] += ns * any(idle[c] for c in near)
            w["ns"]["any"] += ns * any(idle[c] for c in CPUS)
            w["ns"]["core"] += ns * any(all(idle[k] for k in core(c)) for c in near)

    def take(self, cpu, name, text):
        if name == "sched_waking":
            tid, target = field(text, "pid"), field(text, "target_cpu")
            self.names[tid] = comm(text)
            self.maybe.discard(tid)
            if tid in (self.cur.get(target), self.cur.get(cpu)):
                self.maybe.add(tid)  # on its way to sleep, or not at all
            if tid in self.open:  # it has run and slept in between, unseen
                self.unseen.append(self.open.pop(tid))
                del self.waits[tid]
            if tid not in self.waits and self.cur.get(target) != tid and self.cur.get(cpu) != tid:
                self.open[tid] = {"tid": tid, "wakee": comm(text), "prev": target, "cpu": target, "was": self.states(),
                                  "ns": collections.Counter()}
                self.waits[tid] = target
        elif name == "sched_migrate_task":
            tid, dest = field(text, "pid"), field(text, "dest_cpu")
            if tid in self.waits or tid in self.maybe and self.last.get(cpu) == ("sched_waking", tid):
                self.waits[tid] = dest
            if tid in self.open and self.last.get(cpu) == ("sched_waking", tid):
                self.open[tid]["cpu"] = dest
                self.open[tid]["ns"].clear()
        elif name == "sched_wakeup_new":
            self.names[field(text, "pid")] = comm(text)
            self.waits[field(text, "pid")] = field(text, "target_cpu")
        elif name == "sched_switch":
            prev, nxt = field(text, "prev_pid"), field(text, "next_pid")
            self.names[nxt] = comm(text, "next_comm")
            if prev and re.search(r" prev_state=R", text):
                self.waits[prev] = cpu
            self.cur[cpu] = nxt
            self.waits.pop(nxt, None)
            w = self.open.pop(nxt, None)
            if w:
                w["now"] = self.states_known()
                self.done.append(w)
        self.last[cpu] = (name, field(text, "pid") if name == "sched_waking" else None)

    def states_known(self):
        return {c: c in self.cur for c in CPUS}


def judge(w, bound):
    """{what: yes, no, or None}"""
    was, at = w["was"], w["cpu"]
    stacked = inverse(was[at])
    sibling = inverse(every(was[c] for c in core(at) if c != at))
    free = some(every(was[k] for k in core(c)) for c in llc(at))
    all_of = {"chosen_idle": was[at], "prev_idle": was[w["prev"]], "stacked": stacked, "busy_sibling": sibling, "core_free": free}
    if not bound:
        all_of["missed_core"] = every([sibling, free])
        all_of["missed_idle"] = every([stacked, some(was[c] for c in llc(at))])
    return all_of


def regret(w, bound, known):
    if w["was"][w["cpu"]] or bound:
        return dict.fromkeys(("prev", "core", "llc", "any"), 0)
    if w["was"][w["cpu"]] is None:
        return {}
    out = {}
    if all(known[c] for c in CPUS):
        out["any"] = w["ns"]["any"]
    if w["was"][w["prev"]] is not None:
        out["prev"] = w["ns"]["prev"]
    if all(known[c] for c in llc(w["cpu"])):
        out["llc"], out["core"] = w["ns"]["llc"], w["ns"]["core"]
    return out


def recount(path):
    m, before = Machine(), None
    for cpu, t, name, text, tid in events(path):
        if before is not None:
            m.elapse(t - before)
        before = t
        # who runs when its CPU is switched to is known before the switch: it runs from then on
        m.known = m.states_known()
        if name != "sched_switch" and (tid > 0 and m.cur.get(cpu) != tid or tid == 0 and cpu not in m.cur):
            m.cur[cpu] = tid  # its switch-in was not seen
            m.waits.pop(tid, None)
        m.take(cpu, name, text)
        if m.done and "known" not in m.done[-1]:
            m.done[-1]["known"] = m.known
    return m


def check(path):
    name = os.path.basename(os.path.dirname(path)) + " " + os.path.basename(path)
    m = recount(path)
    got = json.loads(mc.run("report", "--json", "--by", "tids", "-F", "+choice,+regret", "-i", path)[1])
    want, times = collections.Counter(), collections.Counter()
    for w in m.done + m.unseen + list(m.open.values()):
        bound = m.bound(w["tid"])
        for what, answer in judge(w, bound).items():
            want[w["tid"], what] += answer is True
            want[w["tid"], what + "_of"] += answer is not None
        for what, ns in regret(w, bound, w["known"]).items() if "known" in w else ():
            times[w["tid"], what + "_ns"] += ns
            times[w["tid"], what + "_n"] += ns > 0
            times[w["tid"], what + "_of"] += 1
    have, took = collections.Counter(), collections.Counter()
    for row in got["rows"]:
        for what, n in row["choice"].items():
            have[row["wakee_tid"], what] += n or 0
        for what, n in row["regret"].items():
            took[row["wakee_tid"], what] += n or 0
    mc.ok(len(m.done) > 10, name + ": wakeups", len(m.done))
    mc.same(+have, +want, name + ": choices, by wakee")
    mc.same(+took, +times, name + ": regret, by wakee")
    wasted = got["summary"]["wasted"]
    mc.same({"machine": wasted["machine"]["ns"], **{"llc%d" % i: g["ns"] for i, g in enumerate(wasted["llcs"])}},
            {k: m.wasted[k] for k in ("machine", "llc0", "llc1")}, name + ": idle while tasks waited")


for kind in ("6.1-n8-migstat", "6.12-d8-migstat"):
    for data in sorted(glob.glob(os.path.join(mc.DATA, "lab", kind, "*.data"))):
        check(data)
mc.end()
