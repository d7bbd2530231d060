# SPDX-License-Identifier: GPL-2.0
"""odd: what kernels and recorders do differently, one recording each, made here: the same few events, so the
same facts must come out. a (100) on CPU 0 wakes b (101), whose CPU was 1; b moves to CPU 2 and runs there 100 us later."""
import os
import re
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
import migcheck as mc  # noqa: E402
import mkperf as mp  # noqa: E402

TMP, US = sys.argv[1], 1000
HAVE_PERF = "perf" in sys.argv[2:]


class Scene:
    """The events of the module's text, with shortcuts for more."""

    def __init__(self, wake="sched:sched_waking", wake_fields=None, migrate_fields=None, sample_tid=lambda tid: tid, **kw):
        self.r = mp.Recording(**kw)
        self.sample_tid = sample_tid
        self.sw = self.r.tracepoint("sched:sched_switch")
        self.wk = self.r.tracepoint(wake, wake_fields)
        self.mg = self.r.tracepoint("sched:sched_migrate_task", migrate_fields)

    def switch(self, t, cpu, prev, nxt, state=mp.SLEEP, tid=None):
        name = {0: "swapper/%d" % cpu, 100: "a", 101: "b", 102: "c"}
        self.r.sample(self.sw, t * US, cpu, self.sample_tid(prev) if tid is None else tid, prev_comm=name[prev], prev_pid=prev,
                      prev_prio=120, prev_state=state if prev else 0, next_comm=name[nxt], next_pid=nxt, next_prio=120)

    def waking(self, t, cpu, waker, comm, pid, target, **kw):
        self.r.sample(self.wk, t * US, cpu, self.sample_tid(waker), comm=comm, pid=pid, prio=120, target_cpu=target, **kw)

    def migrate(self, t, cpu, by, comm, pid, orig, dest):
        self.r.sample(self.mg, t * US, cpu, self.sample_tid(by), comm=comm, pid=pid, prio=120, orig_cpu=orig, dest_cpu=dest)

    def play(self, at=1000, cpus=(0, 1, 2), mid=None, wake=None):
        c0, c1, c2 = cpus
        self.switch(at, c0, 0, 100)
        if mid:
            mid(at + 50)
        self.waking(at + 100, c0, 100, "b", 101, c1, **(wake or {}))
        self.migrate(at + 110, c0, 100, "b", 101, c1, c2)
        self.switch(at + 200, c2, 0, 101)
        self.switch(at + 300, c2, 101, 0)
        self.switch(at + 400, c0, 100, 0)
        return self

    def write(self, name):
        self.name = name
        self.path = self.r.write(os.path.join(TMP, name + ".pdata"))
        return self.path


def check(scene, name, times=1, waker="a", perf=True, **summary):
    """The scene's facts, and what else the summary must say."""
    path = scene.write(name)
    fs, s = mc.facts(path), mc.report(path)["summary"]
    wakes = [f for f in fs if f["type"] == "wakeup"]
    want = [(waker, 100, "b", 101, 100 * US)] * times
    mc.same([(f["waker_comm"], f["waker_tid"], f["wakee_comm"], f["wakee_tid"], f["delay_ns"]) for f in wakes], want, "%s: wakeups" % name)
    mc.same([(f["comm"], f["tid"], f["from"], f["to"]) for f in fs if f["type"] == "migration"][:1],
            [("b", 101, wakes[0]["prev_cpu"], wakes[0]["cpu"])] if wakes else None, "%s: a migration" % name)
    want = dict({"migrations": times, "wakeups": times, "slices": 4 * times, "unseen_switches": 0, "unseen_moves": 0, "odd": {},
                 "warnings": []}, **summary)
    mc.same({k: s[k] for k in want}, want, "%s: the summary" % name)
    if HAVE_PERF and perf:
        theirs, why = mc.perf_script(path)
        if not theirs and scene.r.order == "big":
            mc.skip("%s: as perf script" % name, "perf script: %s" % why)
        elif mc.ok(theirs, "%s: perf script reads it" % name, why):
            mc.same(s["events_by_name"], dict(theirs[0]), "%s: samples as in perf script" % name)
    return s, fs


WAKE_SUCCESS = mp.WAKE_FIELDS[:3] + ["int success", "int target_cpu"]
LOC = ["__data_loc char[] comm"]


def kernels():
    check(Scene().play(), "plain")
    check(Scene(big=True).play(), "big-endian")
    check(Scene(big=True, long_size=4).play(), "big-endian, 32 bit")
    check(Scene(long_size=4).play(), "long of 4 bytes")
    check(Scene(lazy=True).play(), "PREEMPT_RT's lazy count")
    check(Scene(extra_raw=8).play(), "records 8 bytes longer than the format")
    check(Scene(migrate_fields=LOC + mp.MIGRATE_FIELDS[1:]).play(), "__data_loc comm of 6.16")
    check(Scene(wake_fields=LOC + mp.WAKE_FIELDS[1:]).play(), "__data_loc comm of a waking")
    s = Scene(wake_fields=WAKE_SUCCESS)
    s.play(wake={"success": 1}, mid=lambda t: s.waking(t, 0, 100, "b", 101, 1, success=0))
    check(s, "success field of old kernels: 0 is no wakeup")


def recorders():
    s = Scene()
    s.play(mid=lambda t: [s.r.record(k, b"\x09\0\0\0\0\0\x10\0" * 2) for k in (21, 22, 84, 85, 86, 99, 255, 100000)])
    check(s, "records of a newer perf", perf=False)  # 6.1 ends at a type beyond its own
    s = Scene()
    s.r.features = [struct.pack("<IHHQ", 80, 0, 40, f) + b"\xff" * 24 for f in (32, 33, 77, 255, 1 << 40)]
    check(s.play(), "features of a newer perf", perf=False)
    s = Scene()
    fake = struct.pack("<IHH", 9, 0, 64) + b"\x01" * 56
    s.play(mid=lambda t: s.r.records.append(struct.pack("<IHHQQQIIII", 71, 0, 48, len(fake) * 3, 0, 0, 0, 0, 0, 0) + fake * 3))
    check(s, "data behind AUXTRACE that look like samples", perf=False)
    s = Scene(cpus=2).play(cpus=(300, 301, 5000))
    check(s, "CPUs above nrcpus")
    s = Scene()
    s.play()
    s.r.records = s.r.records[::-1]
    check(s, "one CPU's events in reverse, no rounds", odd={"sorted-in": 4})
    s = Scene()
    s.play()
    for _ in range(2):
        s.r.round()
        s.r.round()
    s.play(at=2000)
    s.r.round()
    s.r.round()
    s.migrate(1500, 3, 0, "c", 102, 3, 1)  # a round has said that nothing older comes
    path = s.write("rounds that lie")
    mc.ok("came after newer ones had left: 1" in mc.run("report", "-v", "--stdio", "-i", path)[1], "rounds that lie: -v says so")
    mc.same(mc.report(path)["summary"]["migrations"], 3, "rounds that lie: the event counts all the same")


def tasks():
    s = Scene()
    s.fk, s.wn = s.r.tracepoint("sched:sched_process_fork"), s.r.tracepoint("sched:sched_wakeup_new")
    s.play()
    # b ends, its number is used again by c
    s.waking(1500, 0, 0, "b", 101, 2)
    s.switch(1510, 2, 0, 101)
    s.switch(1520, 2, 101, 0, state=mp.DEAD)
    s.switch(1600, 0, 0, 100)
    s.r.sample(s.fk, 1610 * US, 0, 100, parent_comm="a", parent_pid=100, child_comm="a", child_pid=101)
    s.r.sample(s.wn, 1620 * US, 0, 100, comm="a", pid=101, prio=120, target_cpu=1)
    s.r.comm(101, "c", 1650 * US, 0, execs=True)
    s.waking(1700, 0, 100, "c", 101, 1)
    path = s.write("pid reuse")
    rows = {(r["waker"], r["wakee"]): r["wakeups"] for r in mc.report(path, "--irq", "--by", "pair")["rows"] if r["wakeups"]}
    mc.same(rows.get(("a", "b")), 1, "pid reuse: the old task keeps its wakeup")
    mc.same(rows.get(("a", "c")), 1, "pid reuse: the new task has its own")
    mc.same(mc.report(path)["summary"]["unseen_moves"], 0, "pid reuse: the new task's CPU is no unseen move")

    s = Scene()
    check(s.play(mid=lambda t: s.r.comm(100, "prog", t * US, 0, execs=True)), "exec renames", waker="prog")
    s = Scene(sample_tid=lambda tid: -1 if tid == 100 else tid)
    check(s.play(), "samples of an exiting task have tid -1")
    # perf in a container: its own numbers in the samples, the host's in the events; 101 is another task's
    s = Scene(sample_tid=lambda tid: {100: 101, 101: 7}.get(tid, tid))
    s.switch(500, 3, 102, 0, tid=0)  # no task of the container
    check(s.play(), "ids of a container in the samples", slices=5, warnings=["foreign_task_ids"])
    s = Scene()
    for tid, name in ((100, "a"), (101, "b")):
        s.r.fork(tid, 1)
        s.r.comm(tid, name)
    check(s.play(mid=lambda t: s.r.fork(101, 100)), "a synthesized FORK forgets nothing")


def two_pmus():
    """Two kinds of CPU: a PMU and an event for each. Summed by task, told apart by PMU."""
    s = Scene()
    s.play()
    core, atom = s.r.counter("cpu_core/cache-misses/", 4, 0x3, 1000), s.r.counter("cpu_atom/cache-misses/u", 10, 0x3, 10)
    for t in range(7):
        s.r.sample(core, (2000 + t) * US, 0, 100)
    for t in range(5):
        s.r.sample(atom, (3000 + t) * US, 3, 100)
    s.r.sample(atom, 3100 * US, 3, 101)
    path = s.write("two PMUs")
    rep, pmus = mc.report(path, "--by", "comm"), {"cpu_core/cache-misses/": 7000, "cpu_atom/cache-misses/u": 60}
    mc.same(rep["summary"]["sampled_misses"], pmus, "two PMUs: each has its sum")
    mc.same(rep["summary"]["ratio"], 7060, "two PMUs: together they are the misses")
    csv = mc.run("report", "-q", "-t", ",", "--by", "comm", "-F", "comm,sampled", "-i", path)[1]
    mc.ok("a,7050\n" in csv and "b,10\n" in csv, "two PMUs: one sum for each task", csv)
    text = mc.run("report", "-q", "--stdio", "-i", path)[1]
    mc.ok("Misses are cache-misses, sampled" in text and "  of cpu_core: 7000\n  of cpu_atom: 60\n" in text, "two PMUs: the text tells them apart", text)


def names():
    odd = {200: "DOM Worker", 201: 'a"b\\c', 202: "tab\there", 203: "new\nline", 204: "\x1b[31mred", 205: "a,b;c"}
    s = Scene()
    for tid, name in odd.items():
        s.waking(1000 + tid, 0, 100, name, tid, 1)
    path = s.write("comms")
    mc.same([f["wakee_comm"] for f in mc.facts(path)], list(odd.values()), "comms: as they are in JSON")
    rc, out, _ = mc.run("report", "-q", "-i", path, "--percent-limit", "0")
    mc.ok(not rc and not any(ord(c) < 32 and c != "\n" for c in out) and "DOM Worker" in out, "comms: harmless in text", out)
    s = Scene()
    s.play()  # no COMM record at all: the names are the events' own
    check(s, "no COMM records")
    s = Scene()
    s.waking(1000, 0, 4321, "b", 101, 1)
    path = s.write("a waker without a name")
    mc.same([f["waker_comm"] for f in mc.facts(path, "--types", "wakeup")], [None], "a waker without a name: none is made up")
    out = mc.run("report", "-q", "--stdio", "--percent-limit", "0", "-i", path)[1]
    mc.ok(re.search(r"^- +b +1 ", out, re.M), "nor in the text", out)


def sequences():
    # 6.12 and later: a sleeping task may stay queued (delayed dequeue), and the balancer moves it
    s = Scene()
    s.play()
    s.migrate(1500, 3, 0, "b", 101, 2, 3)
    s.waking(1600, 0, 0, "b", 101, 3)
    s.switch(1700, 3, 0, 101)
    path = s.write("delayed dequeue")
    su = mc.report(path)["summary"]
    mc.same([su["odd"], su["unseen_moves"], su["unseen_switches"], su["migrations"]], [{}, 0, 0, 2], "delayed dequeue is not odd")
    # time that goes back on one CPU, behind a round
    s = Scene()
    s.play()
    s.r.round()
    s.r.round()
    s.r.round()
    s.switch(1350, 0, 100, 0)
    path = s.write("time goes back")
    s = mc.report(path)["summary"]
    mc.same(s["odd"].get("time-goes-back"), 1, "time goes back: counted")
    mc.ok("odd: time-goes-back 1" in mc.run("report", "-v", "--stdio", "-i", path)[1], "time goes back: shown with -v")
    # what cannot be, by kind
    s = Scene()
    s.play()
    s.migrate(1500, 0, 0, "b", 101, 2, 2)
    s.migrate(1510, 0, 0, "b", 101, 2, -1)
    s.waking(1520, 0, 0, "x", 1 << 24, 1)
    s.waking(1530, 0, 0, "b", 101, 2)
    s.waking(1540, 0, 0, "b", 101, 2)
    path = s.write("impossible")
    kinds = {"migrate-without-move": 1, "migrate-without-destination": 1, "impossible-tid": 1, "woken-again": 1}
    mc.same(mc.report(path)["summary"]["odd"], kinds, "impossible sequences: counted by kind")
    text = mc.run("report", "-v", "--stdio", "-i", path)[1]
    mc.ok(all("odd: %s %d" % kn in text for kn in kinds.items()), "impossible sequences: shown with -v", text)
    mc.ok("odd:" not in mc.run("report", "--stdio", "-i", path)[1], "impossible sequences: not without")


def losses():
    """Two losses on CPU 2, one on CPU 5, of which nothing else is known; the pair a > b is touched, c > d is not."""
    s = Scene()
    s.play()
    s.r.lost(17, 500 * US + 1000 * US, 2)
    s.r.lost(4, 1600 * US, 2)
    s.r.lost(30, 1700 * US, 5)
    s.play(at=2000)
    for at in (3000, 4000):
        s.waking(at, 0, 0, "c", 102, 1)
        s.switch(at + 10, 1, 0, 102)
        s.switch(at + 20, 1, 102, 0)
    path = s.write("losses")
    rep = mc.report(path, "--irq")
    mc.same([(w["cpu"], w["from_ns"], w["to_ns"], w["records"]) for w in rep["summary"]["losses"]],
            [(2, 1300 * US, 1500 * US, 17), (2, 1500 * US, 1600 * US, 4), (5, None, 1700 * US, 30)], "losses: by CPU and window")
    mc.same({r["wakee"]: r["lost_nearby"] > 0 for r in rep["rows"] if r["wakeups"]}, {"b": True, "c": False}, "losses: rows touched")
    out = mc.run("report", "-q", "--stdio", "--irq", "--percent-limit", "0", "-i", path)[1]
    mc.ok("Lost by CPU: 2:21 5:30\nLost by time: 1 span, 700u in all:\n  at 0.000000 s for 700u, 2 CPUs: 51\n" in out,
          "losses: by CPU and time in text, windows that touch in one", out)
    marks = {m[1]: m[2] for m in re.finditer(r"^\S+ +([bc]) +(!?) +\d+ ", out, re.M)}
    mc.same(marks, {"b": "!", "c": ""}, "losses: the row touched is marked, no other")
    mc.ok(all(len(line) <= 80 for line in out.splitlines()), "losses: 80 columns", out)


def damage():
    for name, fn in (("formats of noise", lambda t: "name: sched_switch\n" + "\x01[;{" * 200),
                     ("formats cut", lambda t: t[:len(t) // 2]),
                     ("a field without a name", lambda t: t.replace("pid_t prev_pid", "")),
                     ("a field far away", lambda t: t.replace("offset:24", "offset:65000"))):
        s = Scene()
        s.r.damage = fn
        path = s.play().write(name)
        for args in (("report", "--stdio"), ("report", "--json"), ("script",)):
            rc, out, err = mc.run(*args, "-i", path)
            mc.ok(rc in (0, 1) and ("Warning: " in err or "Error: " in err), "%s: %s says so" % (name, " ".join(args)), (rc, err))
        su = mc.report(path)["summary"]
        mc.ok(su["slices"] is None, "%s: what needs them is not known" % name, su["slices"])


def no_rounds():
    """Five million events without a round: an error, not all of the memory."""
    s = Scene()
    for i in range(4096):
        s.waking(1000 + i, i % 2, 100, "b", 101, 1)
    block = b"".join(s.r.records)
    code = ("import sys\nhead, block = %r, open(%r, 'rb').read()\nout = sys.stdout.buffer\nout.write(head)\n"
            "try:\n    for i in range(1300): out.write(block)\nexcept BrokenPipeError: pass\n")
    path = os.path.join(TMP, "block")
    with open(path, "wb") as f:
        f.write(block)
    script = os.path.join(TMP, "writer.py")
    with open(script, "w", encoding="utf-8") as f:
        f.write(code % (s.r.head(), path))
    shell = "%s %s | (ulimit -v %s; exec %s report -i - 2>&1 >/dev/null)" % (
        sys.executable, script, "unlimited" if os.environ.get("MIG_SAN") else 1 << 20, mc.PROG)
    p = mc.subprocess.run(["bash", "-c", "set -o pipefail; " + shell], capture_output=True, check=False)
    err = p.stdout.decode() + p.stderr.decode()
    mc.ok(p.returncode and "MB of events wait to be sorted" in err, "no rounds: beyond 256 MB it says so, within 1 GB", err)


for group in (kernels, recorders, tasks, two_pmus, names, sequences, losses, damage, no_rounds):
    mc.guarded(lambda _, g=group: g(), group.__name__)
mc.end()
