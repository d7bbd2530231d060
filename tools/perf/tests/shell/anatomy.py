# SPDX-License-Identifier: GPL-2.0
"""The terms of run delays, and overlaps, against sums worked out from the text of perf script: for each wakeup all
events of the CPUs in question stand in lists, and each end is looked for in them (Documentation/model.md, 2)."""
import bisect
import collections
import glob
import itertools
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
import migcheck as mc  # noqa: E402

TERMS = ("select", "ipi", "idle", "queue", "switch")
LINE = re.compile(r"^\s*(-?\d+)\s+\[(\d+)\]\s+(\d+)\.(\d{9}):\s+([^\s:]+:[^\s:]+):\s+(.*)$")
EXIT = 0xffffffff
THRESHOLD = 500_000


class Event:
    __slots__ = ("at", "tid", "cpu", "time", "kind", "a", "b", "state")


def field(name, text):
    return int(re.search(r"\b%s=(-?\w+)" % name, text)[1], 0)


def events_of(path):
    """All events in the order of time."""
    cmd = ["perf", "script", "--force", "--ns", "-i", path, "-F", "tid,cpu,time,event,trace"]
    out = subprocess.run(cmd, stdin=subprocess.DEVNULL, capture_output=True, check=True).stdout.decode()
    events = []
    for m in filter(None, map(LINE.match, out.splitlines())):
        e = Event()
        e.tid = int(m[1])
        e.cpu, e.time, e.kind, e.state = int(m[2]), int(m[3]) * 10**9 + int(m[4]), m[5].split("/")[0], None
        e.kind, text = e.kind.split(":")[1], m[6]
        if e.kind == "sched_switch":
            s = re.search(r"prev_pid=(\d+) .*prev_state=(\S+) ==> .*next_pid=(\d+)", text)
            e.a, e.b, e.state = int(s[1]), int(s[3]), s[2]
        elif e.kind in ("sched_waking", "sched_wakeup"):
            # perf prints CPUs with leading zeros
            e.a, e.b = field("pid", text), int(re.search(r"target_cpu=(\d+)", text)[1])
        elif e.kind == "sched_migrate_task":
            e.a, e.b = field("pid", text), int(re.search(r"dest_cpu=(\d+)", text)[1])
        elif e.kind == "sched_process_fork":
            e.a, e.b = int(re.search(r"child_pid=(\d+)", text)[1]), None
        elif e.kind == "ipi_send_cpu":
            call = re.search(r"callback=(\S+)", text)[1] not in ("(nil)", "0x0", "0")
            e.a, e.b = field("cpu", text), "call_function_single_entry" if call else "reschedule_entry"
        elif e.kind == "cpu_idle":
            e.a, e.b = field("state", text), None
        else:
            e.a = e.b = None
        events.append(e)
    for i, e in enumerate(events):
        e.at = i
    return events


class World:
    """Events by CPU and by task."""

    def __init__(self, path):
        self.all = events_of(path)
        self.cpu = collections.defaultdict(list)
        self.switches = collections.defaultdict(list)
        self.task = collections.defaultdict(list)  # switches, wakings, moves of it
        for e in self.all:
            self.cpu[e.cpu].append(e)
            if e.kind == "sched_switch":
                self.switches[e.cpu].append(e)
                for tid in {e.a, e.b}:
                    self.task[tid].append(e)
            elif e.kind in ("sched_waking", "sched_migrate_task"):
                self.task[e.a].append(e)
        kinds = {e.kind for e in self.all}
        self.has = {
            "select": {"sched_waking", "sched_wakeup", "ipi_send_cpu"} <= kinds,
            "ipi": {"ipi_send_cpu", "reschedule_entry", "call_function_single_entry"} <= kinds,
            "idle": "cpu_idle" in kinds, "queue": True, "switch": True}

    def after(self, events, at):
        """Those behind the event number at, one by one."""
        return itertools.islice(events, bisect.bisect_right(events, at, key=lambda e: e.at), None)

    def switch_before(self, tid, at):
        """The last switch of this task."""
        events = self.task[tid]
        for i in range(bisect.bisect_left(events, at, key=lambda e: e.at) - 1, -1, -1):
            if events[i].kind == "sched_switch":
                return events[i]
        return None

    def last_switch(self, cpu, at):
        """The last switch there before the event number at."""
        s = self.switches[cpu]
        i = bisect.bisect_left(s, at, key=lambda e: e.at)
        return s[i - 1] if i else None

    def current(self, cpu, at):
        s = self.last_switch(cpu, at)
        return s.b if s else None

    def switch_in(self, w):
        """The switch that this waking leads to; None where it leads to none, or is no wakeup."""
        before = self.switch_before(w.a, w.at)
        running = before is not None and before.b == w.a
        if before and before.a == w.a and before.state[0] == "R":
            return None
        for e in self.after(self.task[w.a], w.at):
            if e.kind == "sched_waking":
                return None
            if e.kind == "sched_switch" and e.a == w.a:
                if not running or e.state[0] == "R":
                    return None
                running = False
            elif e.kind == "sched_switch" and e.b == w.a:
                return None if running else e
        return None

    def choice(self, w):
        """(CPU, event that ends the choice, its time, kind of the interrupt that is sent or None, last move of it)"""
        cpu, moved, last = w.b, w.time, w
        for e in self.after(self.cpu[w.cpu], w.at):
            if e.kind == "sched_migrate_task" and e.a == w.a:
                cpu, moved, last = e.b, e.time, e
            elif e.kind == "ipi_send_cpu":
                if e.a == cpu:
                    return cpu, e, e.time, e.b, last
            elif e.kind == "sched_wakeup" and e.a == w.a:
                return cpu, e, e.time, None, last
            else:
                return cpu, e, moved, None, last
        return cpu, None, moved, None, last

    def terms(self, w, into):
        """The five terms of the delay between w and the switch into, or None."""
        cpu, end, chosen, irq, last = self.choice(w)
        if end is None or end.at > into.at:
            if any(self.has[t] for t in ("select", "ipi", "idle")):
                return None
            end = last
        if not self.has["select"]:
            chosen = w.time
        irq = irq if self.has["ipi"] else None
        current = self.current(cpu, end.at)
        if current is None:
            return None
        # until the CPU's next switch, or the next move, the CPU is on its way to the task
        span, stop = [], None
        for e in self.after(self.cpu[cpu], end.at - 1):
            if e.at > into.at:
                break
            if e.kind == "sched_switch" and e.a != w.a:
                stop = e
                break
            span.append(e)
        move = next((e for e in self.after(self.task[w.a], end.at)
                     if e.kind == "sched_migrate_task" and e.at < into.at), None)
        if move:
            span = [e for e in span if e.at < move.at]
            stop = move if not stop or stop.at > move.at else stop
        if stop is None or (not move and cpu != into.cpu):
            return None
        on_list = irq or current in (0, w.a)
        if on_list and stop.kind == "sched_switch" and self.current(cpu, stop.at) != stop.a:
            return None
        before = self.last_switch(into.cpu, into.at)
        if not before or before.b != into.a:
            return None

        def idle(e):
            return self.current(cpu, e.at) == 0

        def exits(e):
            return e.kind == "cpu_idle" and e.a == EXIT

        arrived, since = chosen, end.at - 1
        if irq:
            for e in span + [stop]:
                if e.kind in (irq, "sched_switch") or (e.kind == "sched_wakeup" and e.a == w.a) or e is stop or (
                        idle(e) and (exits(e) or e.kind in ("reschedule_entry", "call_function_single_entry"))):
                    if e.kind == "sched_switch" and e.a == w.a:
                        continue
                    arrived, since = e.time, e.at - 1
                    break
        awake, first = arrived, True
        for e in span:
            mine = e.kind == irq and e.at > end.at and first
            first = first and not mine
            if self.has["idle"] and on_list and e.at > since and idle(e) and (exits(e) or mine):
                awake = e.time
        queued = into.time
        if not move and into.a == 0:
            queued = max(before.time, awake)
        ends = []
        for t in (chosen, arrived, awake, queued, into.time):
            ends.append(min(max(t, ends[-1] if ends else w.time), into.time))
        return [b - a for a, b in zip([w.time] + ends, ends)]

    def chose(self, w):
        """Did this waking choose a CPU?"""
        before = self.switch_before(w.a, w.at)
        if before and before.a == w.a and before.state[0] == "R":
            return False
        if not before or before.b != w.a:
            return True
        own = [e for e in itertools.islice(self.after(self.task[w.a], w.at), 9) if e.kind != "sched_migrate_task"]
        return len(own) > 1 and own[0].kind == own[1].kind == "sched_switch" and own[0].state[0] != "R"

    def waker(self, w):
        """The task of the sample stands in before the CPU's first switch."""
        current = self.current(w.cpu, w.at)
        return w.tid if current is None else current


def by_pair(rows, part):
    return {(r["waker_tid"], r["wakee_tid"]): r[part] for r in rows if r["waker_tid"] is not None}


def check_anatomy(world, path, name):
    want = collections.defaultdict(lambda: [0] * 7)
    for w in world.all:
        if w.kind != "sched_waking" or world.waker(w) is None:
            continue
        into = world.switch_in(w)
        terms = world.terms(w, into) if into else None
        if terms:
            row = want[world.waker(w), w.a]
            for i, v in enumerate([1, into.time - w.time] + terms):
                row[i] += v
    rows = mc.report(path, "--by", "tids", "--irq", "-F", "+anatomy")["rows"]
    got, sums = {}, []
    for pair, a in by_pair(rows, "anatomy").items():
        if a["n"]:
            values = [a[t]["sum_ns"] for t in TERMS]
            sums.append(sum(v or 0 for v in values) - a["delay_ns"])
            got[pair] = tuple([a["n"], a["delay_ns"]] + values)
    known = [1, 1] + [world.has[t] for t in TERMS]
    want = {p: tuple(v if k else None for v, k in zip(row, known)) for p, row in want.items()}
    mc.same(got, want, "%s: terms of %d delays" % (name, sum(r[0] for r in want.values())))
    mc.ok(sums and not any(sums), "%s: the terms sum up to the delay in each of %d rows" % (name, len(sums)), sums)
    return want


def average(old, sample):
    return sample if old is None else old + ((sample - old) >> 3)


def check_overlap(world, path, name, irqs):
    """irqs: times of wakings in an interrupt."""
    want = collections.defaultdict(lambda: [0] * 4)
    avg = {}
    ran = {}  # of those who woke another since they slept: [run time until, since when]
    start = {}
    answer = {}
    for e in world.all:
        if e.kind == "sched_waking":
            k = world.current(e.cpu, e.at)
            if not k or k == e.a or (e.time, e.a) in irqs:
                continue
            if avg.get(k) is not None and avg.get(e.a) is not None:
                answer[e.at] = avg[k] <= THRESHOLD and avg[e.a] <= THRESHOLD
            ran[k] = [0, e.time]
        elif e.kind == "sched_process_fork":
            avg[e.a] = 0
        elif e.kind == "sched_switch":
            if e.a and world.current(e.cpu, e.at) == e.a:
                got = ran.get(e.a)
                if e.state[0] == "R":
                    avg[e.a] = average(avg.get(e.a), min(e.time - start[e.a], 2 * THRESHOLD))
                    if got:
                        got[0] += e.time - got[1]
                elif got:
                    avg[e.a] = average(avg.get(e.a), got[0] + e.time - got[1])
                    del ran[e.a]
            elif e.a:
                avg.pop(e.a, None)
                ran.pop(e.a, None)
            start[e.b] = e.time
            if e.b in ran:
                ran[e.b][1] = e.time
    for w in world.all:
        k = world.current(w.cpu, w.at) if w.kind == "sched_waking" else None
        if not k or k == w.a or (w.time, w.a) in irqs:
            continue
        if not world.chose(w):
            continue
        row = want[k, w.a]
        leave = next((s for s in world.after(world.switches[w.cpu], w.at)), None)
        if leave and leave.a == k:
            row[0] += 1
            row[1] += leave.time - w.time <= THRESHOLD
        row[2] += w.at in answer
        row[3] += answer.get(w.at, False)
    rows = mc.report(path, "--by", "tids", "--irq", "-F", "+overlap")["rows"]
    got = {p: (o["n"], o["short"], o["replayed"], o["would_sync"])
           for p, o in by_pair(rows, "overlap").items() if o["n"] or o["replayed"]}
    want = {p: tuple(r) for p, r in want.items() if r[0] or r[2]}
    mc.same(got, want, "%s: %d overlaps" % (name, sum(r[0] for r in want.values())))


def in_irq(path):
    """(time, wakee) of wakings in an interrupt, by script: perf script does not print common_flags."""
    return {(f["time_ns"], f["wakee_tid"]) for f in mc.facts(path) if f["type"] == "wakeup" and f["partner"] is False}


def check_hog():
    """A task that computes on the target's CPU: the delay grows by queue. Same program, same CPUs, see the README."""
    pair = {}
    for which in ("idle", "hog"):
        rows = mc.report(os.path.join(mc.DATA, "anatomy", "6.12-d8-%s.data" % which), "-F", "+anatomy")["rows"]
        a = next(r["anatomy"] for r in rows if (r["waker"], r["wakee"]) == ("hop-a", "hop-b"))
        pair[which] = {t: a[t]["sum_ns"] / a["n"] for t in TERMS}
    more = {t: pair["hog"][t] - pair["idle"][t] for t in TERMS}
    mc.ok(pair["idle"]["queue"] == 0, "no hog: hop-b waits in no queue", pair)
    mc.ok(more["queue"] > 400_000, "hog: hop-b waits in the queue", pair)
    mc.ok(all(v < 0.1 * more["queue"] for t, v in more.items() if t != "queue"), "hog: no other term grows", pair)


def check(path):
    world, name = World(path), "/".join(path.split("/")[-2:])
    check_anatomy(world, path, name)
    check_overlap(world, path, name, in_irq(path))


def main():
    for path in sorted(glob.glob(os.path.join(mc.DATA, "anatomy", "*.data"))):
        mc.guarded(check, path)
    check_hog()
    # without the events: terms in later ones; kernels that show each switch
    for path in sorted(glob.glob(os.path.join(mc.DATA, "lab", "6.1*-migstat", "ms-*.data"))):
        if "host2" not in path:
            mc.guarded(check, path)
    mc.end()


if __name__ == "__main__":
    main()
