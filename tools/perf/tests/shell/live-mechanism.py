# SPDX-License-Identifier: GPL-2.0
"""live-mechanism FILE MODES: what woke the threads of wakers in a recording made just now. MODES is what
wakers printed."""
import collections
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
import migcheck as mc  # noqa: E402

# modes whose mechanism has another name
MECHANISM = {"posix-timer": "timer", "mq": "msg", "dgram": "unix", "pipe-full": "pipe", "unix-full": "unix",
             "tcp-full": "tcp", "select": "poll", "signalfd": "signal", "io-page": "io", "flock": "other"}
# modes without a thread NAME.by: who wakes, and is it a partner (None: both occur)
WAKER = {"timer": ("", False), "posix-timer": ("", False), "timerfd": ("", False), "io": ("", None),
         "io-page": ("", None), "rcu": ("", None), "kthread": ("migration/", True), "workqueue": ("kworker/", True)}
# what the thread wakes besides, and by what: (waker, wakee, mechanism)
ALSO = {"workqueue": ("workqueue.by", "kworker/", "workqueue"), "kthread": ("kthread.to", "migration/", "kthread"),
        "mutex": ("wakers", "kworker/", "workqueue")}
# only where the kernel's callchains can tell; for epoll it depends on the kernel's version
SYNC = {"pipe": True, "unix": True, "tcp": True, "udp": True, "dgram": True, "pipe-full": True, "unix-full": True,
        "poll": True, "select": True, "child-exit": True, "futex": False, "futex-pi": False, "eventfd": False,
        "sem": False, "msg": False, "mq": False, "signal": False, "mutex": False, "rwsem": False,
        "completion": False, "timer": False, "tcp-full": False}


def mostly(n, of, name, detail=""):
    return mc.ok(of and n >= 0.95 * of, "%s: %d of %d" % (name, n, of), detail)


def read_modes(path):
    """{mode: (wakeups, sleeps of the woken thread)}, {mode: reason}"""
    ran, skipped = {}, {}
    with open(path) as f:
        for line in f:
            mode, n, rest = line.rstrip("\n").split(" ", 2)
            if n == "skip":
                skipped[mode] = rest
            else:
                ran[mode] = int(n), int(rest)
    return ran, skipped


def documented():
    with open(os.path.join(os.environ["MIG_ROOT"], "Documentation", "migstat-json.md")) as f:
        text = re.search(r"Mechanisms ((?:`[a-z-]+`,?\s+)+`[a-z-]+`)", f.read())
    return set(re.findall(r"`([a-z-]+)`", text[1]))


def check_waker(mode, fs):
    comm, partner = WAKER.get(mode, (mode + ".by", True))
    by = [f for f in fs if (f["waker_comm"] or "").startswith(comm)]
    if comm:
        mostly(len(by), len(fs), "%s: the waker is %s" % (mode, comm), collections.Counter(f["waker_comm"] for f in fs))
    if partner is not None:
        mostly(sum(f["partner"] is partner for f in by), len(by),
               "%s: %s" % (mode, "as a partner" if partner else "no partner, an interrupt"),
               collections.Counter(f["context"] for f in by))


def check_mode(mode, n, sleeps, fs, without):
    want = MECHANISM.get(mode, mode)
    name = mode if want == mode else "%s (%s)" % (mode, want)
    got = collections.Counter(f["mechanism"] for f in fs)
    # the woken thread's own count of its sleeps: a disk may be quicker, and some wakeups come in twos
    if mode.startswith("io") and sleeps < 0.1 * n:
        mc.skip(name, "of %d reads, %d had to wait" % (n, sleeps))
        return
    # a thread that waits for its CPU is moved without the stopper
    least = min(n, sleeps) if mode.startswith("io") or mode == "kthread" else n
    mc.ok(0.6 * least <= len(fs) <= max(n, sleeps) + 3, "%s: %d wakeups were recorded" % (name, len(fs)),
          "of %d, and it slept %d times" % (n, sleeps))
    mostly(got[want], len(fs), "%s: the mechanism" % name, dict(got))
    check_waker(mode, fs)
    if mode in SYNC:
        told = [f for f in fs if f["mechanism"] == want and f["sync"] is not None]
        if told:
            mostly(sum(f["sync"] is SYNC[mode] for f in told), len(told), "%s: sync is %s" % (mode, SYNC[mode]))
        else:
            mc.skip("%s: sync" % mode, "not to be seen on this kernel")
    mc.same(dict(collections.Counter(f["mechanism"] for f in without)), {"unknown": len(fs)},
            "%s: unknown without callchains" % mode)
    if mode in ("tcp", "udp"):
        mostly(sum(f["context"] == "softirq?" and f["partner"] is None for f in without), len(without),
               "%s: without callchains the partner is not known" % mode)


def main():
    path, modes = sys.argv[1:]
    ran, skipped = read_modes(modes)
    all_fs = mc.facts(path, "--types", "wakeup")
    without = mc.facts(path, "--types", "wakeup", "--ignore-callchain")
    if all(f["mechanism"] == "unknown" for f in all_fs):
        mc.skip("mechanisms", "the kernel's symbols cannot be read, or it records no callchains")
        mc.end()
        return
    missing = documented() - {MECHANISM.get(m, m) for m in list(ran) + list(skipped)} - {"unknown"}
    mc.ok(not missing, "every mechanism has a mode that provokes it", sorted(missing))
    for mode, reason in skipped.items():
        mc.skip(mode, reason)
    for mode, (n, sleeps) in ran.items():
        fs, wo = [[f for f in x if f["wakee_comm"] == mode + ".to"] for x in (all_fs, without)]
        check_mode(mode, n, sleeps, fs, wo)
        if mode in ALSO:
            by, to, mech = ALSO[mode]
            also = [f for f in all_fs if f["waker_comm"] == by and f["partner"] and
                    (f["wakee_comm"] or "").startswith(to)]
            mostly(sum(f["mechanism"] == mech for f in also), len(also), "%s: and of %s" % (mode, to),
                   collections.Counter(f["mechanism"] for f in also))
    mc.end()


main()
