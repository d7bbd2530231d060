#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# brute-force [options] FILE...: an independent answer to what `perf migstat script --json` and
# `report --json` say, after Documentation/model.md. Input is the text of `perf script`, the
# topology of `perf report --header-only`, kallsyms, and the one byte of each event that perf script
# does not print (common_flags). There is no streaming model here: all events of a task and of a CPU
# stand in lists, and each question is answered by looking backward and forward in them.
#
# Prints how many facts and fields were compared, and each difference with the events around it.
# Exits 1 when there is a difference, 77 when perf cannot read a file.

import argparse
import bisect
import collections
import gzip
import json
import os
import re
import struct
import subprocess
import sys

HEAD = re.compile(r'^\s*(.*?)\s+(-?\d+)/(-?\d+)\s+\[(\d+)\]\s+(\d+)\.(\d{9}):\s+'
                  r'(\d+)\s+([^\s].*?):\s(.*)$')
FRAME = re.compile(r'^\s+([0-9a-f]+)(?:\s|$)')
SWITCH = re.compile(r'prev_comm=(.*) prev_pid=(-?\d+) prev_prio=-?\d+ prev_state=(\S+) ==> '
                    r'next_comm=(.*) next_pid=(-?\d+) next_prio=')
WAKE = re.compile(r'comm=(.*) pid=(-?\d+) prio=-?\d+ target_cpu=(\d+)')
MIGRATE = re.compile(r'comm=(.*) pid=(-?\d+) prio=-?\d+ orig_cpu=(-?\d+) dest_cpu=(-?\d+)')
FORK = re.compile(r'comm=(.*) pid=(-?\d+) child_comm=(.*) child_pid=(-?\d+)')
IRQ_ENTRY = re.compile(r'^(asm_sysvec_.*|sysvec_.*|(asm_|__)?common_interrupt|asm_exc_nmi)$')
HARDIRQ, SOFTIRQ = 0x08 | 0x40, 0x10 # 0x40: in an NMI


class Unreadable(Exception):
    pass


class Event:
    __slots__ = ('i', 'comm', 'pid', 'tid', 'cpu', 'time', 'name', 'period', 'trace', 'chain', 'f',
                 'reads', 'line')


def run(cmd):
    p = subprocess.run(cmd, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode:
        err = [x for x in p.stderr.decode(errors='replace').splitlines()
               if x.strip() and 'Ignoring' not in x]
        raise Unreadable('%s: exit code %d: %s' %
                         (' '.join(cmd[:2]), p.returncode, ' '.join(err[-1:])))
    return p.stdout.decode(errors='replace')


# ---- what perf prints

def perf_events(path):
    """Events in the order of perf script; counts of group members hang on their sched_switch."""
    text = run(['perf', 'script', '-f', '-i', path, '--ns', '-F',
                'comm,pid,tid,cpu,time,event,period,trace,ip'])
    events, last, leader = [], None, {}
    for line in text.split('\n'):
        m = HEAD.match(line)
        if not m:
            m = FRAME.match(line)
            if m and last is not None:
                last.chain.append(int(m[1], 16))
            continue
        e = Event()
        e.comm, e.pid, e.tid, e.cpu = m[1], int(m[2]), int(m[3]), int(m[4])
        e.time, e.period = int(m[5]) * 10 ** 9 + int(m[6]), int(m[7])
        e.name = m[8].strip().split('/')[0]
        if ':' in e.name and e.name.split(':')[0] in ('sched', 'irq', 'syscalls'):
            e.name = e.name.split(':')[1]
        e.trace, e.chain, e.reads, e.f, e.line = m[9], [], {}, None, line.strip()
        last = e
        if e.name == 'sched_switch':
            x = SWITCH.search(e.trace)
            e.f = (x[1], int(x[2]), x[3], x[4], int(x[5]))
        elif e.name in ('sched_waking', 'sched_wakeup', 'sched_wakeup_new'):
            x = WAKE.search(e.trace)
            e.f = (x[1], int(x[2]), int(x[3]))
        elif e.name == 'sched_migrate_task':
            x = MIGRATE.search(e.trace)
            e.f = (x[1], int(x[2]), int(x[3]), int(x[4]))
        elif e.name == 'sched_process_fork':
            x = FORK.search(e.trace)
            e.f = (x[1], int(x[2]), x[3], int(x[4]))
        elif (e.cpu, e.time) in leader:
            # a group member: perf has already taken the difference to its last value on this CPU
            leader[e.cpu, e.time].reads[e.name] = e.period
            continue
        if e.name == 'sched_switch':
            leader[e.cpu, e.time] = e
        e.i = len(events)
        events.append(e)
    if not events:
        raise Unreadable('perf script printed no event')
    return events


def waking_flags(path):
    """(time, cpu) -> common_flags of the sample's tracepoint data, from the bytes of the file."""
    with open(path, 'rb') as f:
        b = f.read()
    if b[:8] != b'PERFILE2':
        raise Unreadable('not a little-endian perf.data file')
    attr_size, attrs, attrs_len, data, data_len = struct.unpack_from('<5Q', b, 16)
    by_id = {}
    for o in range(attrs, attrs + attrs_len, attr_size):
        sample_type, read_format = struct.unpack_from('<QQ', b, o + 24)
        ids, ids_len = struct.unpack_from('<QQ', b, o + attr_size - 16)
        for x in struct.unpack_from('<%dQ' % (ids_len // 8), b, ids):
            by_id[x] = (sample_type, read_format)
    flags, pos = {}, data
    while pos < data + data_len:
        kind, _, size = struct.unpack_from('<IHH', b, pos)
        if kind == 9:
            q = pos + 8
            st, rf = next(iter(by_id.values()))
            if st & 1 << 16:
                st, rf = by_id[struct.unpack_from('<Q', b, q)[0]]
                q += 8
            q += 8 * bool(st & 1) + 8 * bool(st & 2)
            time = struct.unpack_from('<Q', b, q)[0]
            q += 8 * sum(1 for bit in (4, 8, 64, 512) if st & bit)
            cpu = struct.unpack_from('<I', b, q)[0]
            q += 8 * bool(st & 128) + 8 * bool(st & 256)
            if st & 16:
                extra = bool(rf & 1) + bool(rf & 2)
                value = 1 + bool(rf & 4) + bool(rf & 16)
                if rf & 8:
                    q += 8 * (1 + extra + value * struct.unpack_from('<Q', b, q)[0])
                else:
                    q += 8 * (extra + value)
            if st & 32:
                q += 8 * (1 + struct.unpack_from('<Q', b, q)[0])
            if st & 1024:
                flags[time, cpu] = b[q + 4 + 2]
        pos += size
    return flags


def cpu_list(s):
    out = []
    for part in s.split(','):
        a, _, z = part.strip().partition('-')
        out += range(int(a), int(z or a) + 1)
    return out


class Topology:
    def __init__(self, path):
        text = run(['perf', 'report', '-f', '-i', path, '--header-only', '-I'])
        self.core, self.llc, self.node, self.die, self.socket = {}, {}, {}, {}, {}
        level = {}
        for line in text.split('\n'):
            for rx, to in ((r'# sibling threads : (.*)', self.core),
                           (r'# sibling dies\s+: (.*)', self.die),
                           (r'# sibling sockets : (.*)', self.socket),
                           (r'# node\d+ cpu list : (.*)', self.node)):
                m = re.match(rx, line)
                if m:
                    cpus = cpu_list(m[1])
                    for c in cpus:
                        to[c] = tuple(cpus)
            m = re.match(r'#\s+L(\d) (Unified|Data)\s.*\[(.*)\]', line)
            if m and int(m[1]) > 1:
                cpus = cpu_list(m[3])
                for c in cpus:
                    if int(m[1]) > level.get(c, 0):
                        level[c], self.llc[c] = int(m[1]), tuple(cpus)
        if not self.llc:
            self.llc = self.die or self.socket
        # near and far: the outermost boundary that some pair of CPUs lies across
        self.split = 'cpu'
        for name in ('llc', 'node'):
            if len(set(getattr(self, name).values())) > 1:
                self.split = name

    def same(self, what, a, b):
        x = getattr(self, what)
        return a == b or (a in x and b in x and x[a] == x[b])

    def distance(self, a, b):
        if a == b:
            return 'self'
        if not self.same('node', a, b):
            return 'remote'
        if self.same('core', a, b):
            return 'smt'
        return 'llc' if self.same('llc', a, b) else 'node'

    def path(self, w, p, c):
        if c == p:
            return 'local' if c == w else 'prev'
        if c == w:
            return 'affine'
        with_w, with_p = self.same('llc', c, w), self.same('llc', c, p)
        if with_w or with_p:
            return 'llc' if with_w and with_p else 'waker-llc' if with_w else 'prev-llc'
        if not self.same('node', c, p) and not self.same('node', c, w):
            return 'cross-node'
        return 'cross-llc'

    def relation(self, run_cpu, w):
        if self.split == 'cpu':
            return 'near' if run_cpu == w else 'far'
        return 'near' if self.same(self.split, run_cpu, w) else 'far'


class Symbols:
    def __init__(self, path):
        self.addr, self.names = [], []
        pairs = []
        with (gzip.open if path.endswith('.gz') else open)(path, 'rt', errors='replace') as f:
            for line in f:
                x = line.split()
                if x[1] in 'tTwW':
                    pairs.append((int(x[0], 16), x[2]))
        names = collections.defaultdict(list)
        for a, n in pairs:
            names[a].append(n)
        self.addr = sorted(names)
        self.names = [names[a] for a in self.addr]

    def in_irq(self, chain):
        """leaf first: an interrupt's entry, unless the task is on its way back to user mode"""
        for addr in chain:
            i = bisect.bisect_right(self.addr, addr) - 1
            names = self.names[i] if i >= 0 else []
            if any('exit_to_user_mode' in n for n in names):
                return False
            if any(IRQ_ENTRY.match(n) for n in names):
                return True
        return False


# ---- the answer

class Answer:
    """
    A task's list holds (event index, kind, event):
      in, out  the two sides of a sched_switch
      on       an event says that it runs on a CPU whose last switch went to another task
      gone     .. and that other task: it left unseen
      wake, new, mig  sched_waking, sched_wakeup_new, sched_migrate_task
    """

    def __init__(self, events, topo, flags, symbols):
        self.ev, self.topo, self.flags, self.sym = events, topo, flags, symbols
        self.tl, self.cpu = collections.defaultdict(list), collections.defaultdict(list)
        self.wakeups, self.migrations, self.slices = {}, {}, {}
        self.unseen = 0
        self.lists()
        for e in events:
            if e.name == 'sched_waking':
                self.waking(e)
        self.moves = {w['move'].i: w for w in self.wakeups.values() if w['move']}
        for e in events:
            if e.name == 'sched_migrate_task' and e.f[3] >= 0 and e.f[2] != e.f[3]:
                self.migration(e)
            elif e.name == 'sched_switch':
                self.stay(e)

    def lists(self):
        current, start, comm, chain = {}, {}, {}, {}
        self.start, self.waker = {}, {}
        for e in self.ev:
            c = e.cpu
            self.cpu[c].append(e.i)
            if e.tid > 0:
                # perf names a kworker after what it did when the recording began
                kworker = e.comm.startswith('kworker/')
                comm[e.tid] = e.comm.split('-')[0] if kworker else e.comm
            if e.name != 'sched_switch':
                if e.tid >= 0 and current.get(c) != e.tid:
                    self.found(current.get(c), e.tid, e)
                    current[c], start[c] = e.tid, None
                if e.name == 'sched_waking':
                    w = current.get(c, e.tid)
                    self.waker[e.i] = (w, comm.get(w) if w else 'swapper/%d' % c)
            if e.name == 'sched_switch':
                _, prev, _, ncomm, nxt = e.f
                self.unseen += chain.get(c, prev) != prev
                chain[c] = nxt
                if current.get(c) != prev:
                    self.found(current.get(c), prev, e)
                    start[c] = None
                self.start[e.i] = start.get(c)
                self.tl[prev].append((e.i, 'out', e))
                self.tl[nxt].append((e.i, 'in', e))
                current[c], start[c] = nxt, e
                comm[e.f[1]], comm[nxt] = e.f[0], ncomm
            elif e.name == 'sched_waking':
                self.tl[e.f[1]].append((e.i, 'wake', e))
            elif e.name == 'sched_wakeup_new':
                self.tl[e.f[1]].append((e.i, 'new', e))
            elif e.name == 'sched_migrate_task':
                self.tl[e.f[1]].append((e.i, 'mig', e))
        self.at = {t: [x[0] for x in l] for t, l in self.tl.items()}
        # a waking that met its task on the way to sleep: the next thing the task does is to leave
        # in a sleeping state, and it comes back without another waking. try_to_wake_up() waited
        # until it was off the CPU.
        self.met = {}
        for l in self.tl.values():
            l = [x for x in l if x[1] != 'mig']
            for k in range(len(l) - 1):
                after = [x[1] for x in l[k + 2:k + 3]]
                if l[k][1] == 'wake' and l[k + 1][1] == 'out' and after != ['wake'] and \
                   l[k + 1][2].f[2][0] not in 'RXZ':
                    self.met[l[k][0]] = l[k + 1][0]
        self.cpu_at = {e: k for l in self.cpu.values() for k, e in enumerate(l)}

    def found(self, old, new, e):
        if old:
            self.tl[old].append((e.i, 'gone', e))
        if new:
            self.tl[new].append((e.i, 'on', e))

    def unseen_moves(self, but):
        """Tasks found on another CPU than the last known one, in the given tids or not."""
        n = 0
        for tid, l in self.tl.items():
            last = None
            for _, kind, e in l if tid and tid not in but else ():
                here = e.f[2] if kind in ('wake', 'mig') else e.cpu
                if kind == 'new' or kind == 'gone' or kind == 'mig' and not 0 <= e.f[3] != e.f[2]:
                    last = e.f[2] if kind == 'new' else last
                    continue
                n += last not in (None, here)
                last = e.f[3] if kind == 'mig' else here
        return n

    def moved_unseen(self, tid, i, cpu, sw):
        """Put on cpu at event i, it runs with sw on another, and no event told of the move."""
        for _, kind, e in self.tl[tid][bisect.bisect_right(self.at[tid], i):]:
            if e.i >= sw.i:
                break
            if kind == 'mig' and 0 <= e.f[3] != e.f[2]:
                cpu = e.f[3]
        return sw.cpu != cpu

    def before(self, tid, i):
        """
        The task's state just before event i: asleep, running, unknown; or what made it runnable
        (preempt, wake, new) and the event since which it waits.
        """
        l = self.tl[tid]
        wake = None
        for k in range(bisect.bisect_left(self.at[tid], i) - 1, -1, -1):
            _, kind, e = l[k]
            if kind in ('wake', 'new'):
                wake = wake or (kind, e)
            elif kind in ('in', 'on'):
                return ('running', e)
            elif kind == 'out':
                if e.f[2][0] == 'R':
                    return ('preempt', e)
                while k and l[k - 1][1] == 'mig':
                    k -= 1
                if k and l[k - 1][0] in self.met:
                    return ('wake', l[k - 1][2])
                return wake or ('asleep', e)
            elif kind == 'gone':
                return wake or ('unknown', e)
        return wake or ('unknown', None)

    def ran(self, tid, i, preempted=False):
        """Where the task next ran after event i, and the switch to it if that was seen."""
        l = self.tl[tid]
        for k in range(bisect.bisect_right(self.at[tid], i), len(l)):
            _, kind, e = l[k]
            if kind == 'in':
                return e.cpu, e
            if kind in ('on', 'out'):
                return e.cpu, None
            # woken again: only a task that slept can be, so it ran unseen
            if kind == 'wake' and not preempted:
                return None, None
        return None, None

    def moved(self, tid, i, end):
        return any(i < j < end and kind == 'mig' and 0 <= e.f[3] != e.f[2]
                   for j, kind, e in self.tl[tid])

    def wakeup_move(self, e):
        """
        The migrate that belongs to this waking: the CPU's very next event, since interrupts are
        off; unless the task ran elsewhere in between.
        """
        k = self.cpu_at[e.i] + 1
        if k < len(self.cpu[e.cpu]):
            n = self.ev[self.cpu[e.cpu][k]]
            between = [x[1] for x in self.tl[e.f[1]] if e.i < x[0] < n.i]
            if n.name == 'sched_migrate_task' and n.f[1] == e.f[1] and \
               not set(between) & {'in', 'on', 'mig', 'wake'}:
                return n
        return None

    def context(self, e, waker):
        flags = self.flags[e.time, e.cpu]
        entry = self.sym.in_irq(e.chain)
        ksoftirqd = (self.waker[e.i][1] or '').startswith('ksoftirqd/')
        if flags & HARDIRQ:
            return 'hardirq', False
        if flags & SOFTIRQ:
            if entry or waker == 0 or ksoftirqd:
                return 'softirq', False
            return ('task', True) if e.chain else ('softirq?', None)
        if entry:
            return 'hardirq', False
        return 'task', waker != 0

    def waking(self, e):
        wakee = e.f[1]
        waker, comm = self.waker[e.i]
        ctx, partner = self.context(e, waker)
        w = {'time_ns': e.time, 'waker_tid': waker, 'wakee_tid': wakee, 'wakee_comm': e.f[0],
             'waker_comm': comm, 'context': ctx, 'partner': partner, 'waker_cpu': e.cpu,
             'prev_cpu': e.f[2]}
        state = self.before(wakee, e.i)[0]
        m = self.wakeup_move(e)
        w['cpu'] = m.f[3] if m else e.f[2]
        if state == 'preempt' or state == 'running' and e.i not in self.met:
            w.update(path='running', delay_ns=None, run_cpu=None, relation=None)
        else:
            w['path'] = self.topo.path(e.cpu, e.f[2], w['cpu'])
            w['run_cpu'], sw = self.ran(wakee, self.met.get(e.i, e.i))
            w['delay_ns'] = sw.time - e.time if sw and not self.moved_unseen(wakee, e.i, w['cpu'], sw) else None
            w['relation'] = None
            if w['run_cpu'] is not None:
                w['relation'] = self.topo.relation(w['run_cpu'], e.cpu)
        w['distance'] = self.topo.distance(e.f[2], w['cpu'])
        w['move'] = m
        w['ev'] = e
        self.wakeups[e.i] = w

    def migration(self, e):
        _, tid, a, z = e.f
        state, since = self.before(tid, e.i)
        m = {'time_ns': e.time, 'tid': tid, 'comm': e.f[0], 'from': a, 'to': z,
             'distance': self.topo.distance(a, z), 'queued_ns': None, 'ran_after_ns': None, 'ev': e}
        w = self.moves.get(e.i)
        m['at_wakeup'] = w is not None and w['path'] != 'running'
        if m['at_wakeup']:
            m['queued_ns'] = 0
        elif state in ('preempt', 'wake', 'new'):
            m['queued_ns'] = e.time - since.time
        sw = self.ran(tid, e.i, state == 'preempt')[1]
        if sw and state not in ('asleep', 'running') and not self.moved(tid, e.i, sw.i):
            m['ran_after_ns'] = sw.time - e.time
        self.migrations[e.i] = m

    def stay(self, e):
        comm, tid, state, _, _ = e.f
        on = self.cpu[e.cpu]
        first = True
        for k in range(self.cpu_at[e.i] - 1, -1, -1):
            if self.ev[on[k]].name == 'sched_switch':
                first = False
                break
        s = {'time_ns': e.time, 'tid': tid, 'comm': comm, 'cpu': e.cpu, 'ev': e}
        begin = self.start[e.i]
        s['start_known'] = begin is not None
        s['length_ns'] = e.time - begin.time if begin else None
        s['misses'] = None if first else e.reads
        s['end'] = {'R': 'preempt', 'X': 'exit', 'Z': 'exit'}.get(state[0], 'sleep')
        if not tid:
            s['end'] = None
        # the stay's first event (its switch-in, or where it was found), and what stood before it
        s['moved'] = s['began'] = s['wakeup'] = None
        if tid:
            l = self.tl[tid]
            k = bisect.bisect_left(self.at[tid], e.i)
            while l[k][1] != 'out':
                k += 1
            k -= 1
            while k >= 0 and l[k][1] not in ('in', 'on'):
                k -= 1
            i = l[k][0] if k >= 0 else e.i
            state, since = self.before(tid, i)
            if not begin:
                pass
            elif state == 'wake':
                s['began'], s['wakeup'] = 'wakeup', self.wakeups[since.i]
            else:
                s['began'] = {'preempt': 'preempt', 'new': 'fork'}.get(state)
            while k > 0:
                k -= 1
                if l[k][1] == 'out':
                    s['moved'] = l[k][2].cpu != e.cpu
                    break
        self.slices[e.i] = s


# ---- what the program says, side by side

FIELDS = {
    'wakeup': ('waker_tid', 'waker_comm', 'wakee_tid', 'wakee_comm', 'context', 'partner',
               'waker_cpu', 'prev_cpu', 'cpu', 'run_cpu', 'path', 'distance', 'delay_ns',
               'relation'),
    'migration': ('tid', 'comm', 'from', 'to', 'queued_ns', 'distance', 'ran_after_ns'),
    'slice': ('tid', 'comm', 'cpu', 'length_ns', 'misses', 'moved', 'began', 'end', 'start_known',
              'relation', 'waker_tid'),
}
KEY = {
    'wakeup': lambda f: (f['time_ns'], f['waker_cpu'], f['wakee_tid']),
    'migration': lambda f: (f['time_ns'], f['tid'], f['from'], f['to']),
    'slice': lambda f: (f['time_ns'], f['cpu'], f['tid']),
}


class Compare:
    def __init__(self, name, answer, verbose):
        self.name, self.a, self.verbose = name, answer, verbose
        self.facts, self.fields, self.bad = collections.Counter(), 0, collections.Counter()

    def differ(self, kind, what, mine, theirs, e=None):
        key = '%s.%s' % (kind, what)
        self.bad[key] += 1
        if self.bad[key] > self.verbose:
            return
        print('# %s: %s: program %s, brute force %s%s' %
              (self.name, key, json.dumps(theirs), json.dumps(mine),
               ' at %d ns' % e.time if e else ''))
        if e:
            self.around(e)

    def around(self, e):
        """The events of this CPU and of the task around event e."""
        tid = e.f[1]
        mine = [x for x in self.a.cpu[e.cpu] if abs(x - e.i) < 4000]
        k = mine.index(e.i)
        show = set(mine[max(0, k - 4):k + 5])
        own = [x[0] for x in self.a.tl[tid]]
        k = bisect.bisect_left(own, e.i)
        show |= set(own[max(0, k - 4):k + 5])
        for i in sorted(show):
            print('#   %s %s' % ('>' if i == e.i else ' ', re.sub(r'\s+', ' ', self.a.ev[i].line)))

    def script(self, text):
        theirs = {k: {} for k in FIELDS}
        for line in text.splitlines():
            f = json.loads(line)
            if f['type'] in theirs:
                key = KEY[f['type']](f)
                if key in theirs[f['type']]:
                    self.differ(f['type'], 'twice', None, key)
                theirs[f['type']][key] = f
        for kind, mine in (('wakeup', self.a.wakeups), ('migration', self.a.migrations),
                           ('slice', self.a.slices)):
            rest = dict(theirs[kind])
            for m in mine.values():
                t = rest.pop(KEY[kind](m), None)
                self.facts[kind] += 1
                if t is None:
                    self.differ(kind, 'missing', KEY[kind](m), None, m['ev'])
                    continue
                self.one(kind, m, t)
            for key in rest:
                self.differ(kind, 'invented', None, key)

    def one(self, kind, m, t):
        if kind == 'slice':
            m = dict(m, relation=None, waker_tid=None)
            if m['wakeup']:
                m.update(relation=m['wakeup']['relation'], waker_tid=m['wakeup']['waker_tid'])
        for f in FIELDS[kind]:
            mine, theirs = m[f], t[f]
            if f == 'misses':
                # perf prints no member whose count did not change
                mine = {n: None if mine is None else mine.get(n, 0) for n in theirs}
            if f == 'waker_comm' and theirs is None and m['waker_tid'] == 0:
                continue # an idle task whose name no switch has told yet
            self.fields += 1
            if mine != theirs:
                self.differ(kind, f, mine, theirs, m['ev'])

    def cell(self, row, name, mine, theirs):
        for f in ('n', 'run_ns', 'misses'):
            self.fields += 1
            a, b = mine[f], theirs[f]
            if f == 'misses':
                a = {n: a.get(n, 0) for n in b}
            if a != b:
                self.differ('row', '%s.%s %s' % (name, f, row), a, b)
        for f, q, least in (('delay_p50_ns', 50, 1), ('delay_p99_ns', 99, 100)):
            self.fields += 1
            v, got = sorted(mine['delays']), theirs[f]
            if not v or got is None:
                if bool(v) != (got is not None):
                    self.differ('row', '%s.%s %s' % (name, f, row), v[:3], got)
                continue
            k = len(v) - 1 if len(v) < least else max(0, -(-len(v) * q // 100) - 1)
            # which neighbour a percentile means when it falls between two is not what is checked
            low, high = v[max(0, k - 1)] if len(v) >= least else v[k], v[min(len(v) - 1, k + 1)]
            if not low * 0.97 <= got <= high * 1.03:
                self.differ('row', '%s.%s %s' % (name, f, row), [v[k], len(v)], got)

    def report(self, by, text, fold):
        rows = {}
        for w in self.a.wakeups.values():
            key = fold(w)
            r = rows.setdefault(key, {'wakeups': 0, 'migrations': 0, 'slices': 0})
            for x in ('near', 'far', 'all'):
                r.setdefault(x, {'n': 0, 'run_ns': 0, 'misses': collections.Counter(),
                                 'delays': []})
            r['wakeups'] += 1
            m = w['move']
            r['migrations'] += bool(m and self.a.migrations[m.i]['at_wakeup'])
            if w['delay_ns'] is not None:
                r['all']['delays'].append(w['delay_ns'])
        for s in self.a.slices.values():
            w = s['wakeup']
            if w:
                row = rows[fold(w)]
                row['slices'] += 1
                for x in [w['relation'], 'all']:
                    c = row[x]
                    c['n'] += 1
                    if w['delay_ns'] is not None and x != 'all':
                        c['delays'].append(w['delay_ns'])
                    c['run_ns'] += s['length_ns'] or 0
                    c['misses'].update(s['misses'] or {})
        theirs = {}
        for t in json.loads(text)['rows']:
            key = t['path'] if by == 'path' else (t['waker'], t['wakee'])
            if (key if by == 'path' else key[0]) is not None:
                if key in theirs:
                    self.differ('row', 'twice', None, key)
                theirs[key] = t
        for key, r in rows.items():
            t = theirs.pop(key, None)
            self.facts['rows by ' + by] += 1
            if t is None:
                self.differ('row', 'missing', key, None)
                continue
            for f, mine in (('wakeups', r['wakeups']), ('migrations', r['migrations']),
                            ('slices', r['slices'])):
                self.fields += 1
                if mine != t[f]:
                    self.differ('row', '%s %s' % (f, key), mine, t[f])
            self.cell(key, 'near', r['near'], t['near'])
            self.cell(key, 'far', r['far'], t['far'])
            self.cell(key, 'all', r['all'], dict(t, n=r['all']['n']))
        for key in theirs:
            self.differ('row', 'invented', None, key)

    def plausible(self, text):
        """What cannot be, whoever says it."""
        a, busy, wall = self.a, collections.Counter(), {}
        for line in text.splitlines():
            f = json.loads(line)
            if f['type'] == 'slice':
                busy[f['cpu']] += f['length_ns'] or 0
                if f['tid'] == 0 and f.get('wait_ns') is not None:
                    self.differ('plausible', 'idle waits', None, f['time_ns'])
        for c, l in a.cpu.items():
            wall[c] = a.ev[-1].time - a.ev[0].time
            self.fields += 1
            if busy[c] > wall[c]:
                self.differ('plausible', 'CPU busier than wall time', wall[c], busy[c])


def recorder(events):
    """Thread group that forked the task which then was called perf-exec."""
    parent = {e.f[3]: e.pid if e.pid > 0 else e.f[1] for e in events
              if e.name == 'sched_process_fork'}
    for e in events:
        if e.name in ('sched_waking', 'sched_wakeup_new') and e.f[0] == 'perf-exec':
            if e.f[1] in parent:
                return parent[e.f[1]]
            break
    names = collections.OrderedDict((e.pid, 1) for e in events if e.comm == 'perf')
    return next(iter(names), None)


def check(path, kallsyms, program, verbose):
    events = perf_events(path)
    topo = Topology(path)
    answer = Answer(events, topo, waking_flags(path), Symbols(kallsyms))
    c = Compare(path.split('/')[-2] + '/' + path.split('/')[-1], answer, verbose)
    common = ['-i', path, '--kallsyms', kallsyms]
    script = run([program, 'script', '--json'] + common)
    c.script(script)
    c.plausible(script)
    rec = recorder(events)
    group = {e.tid: e.pid for e in events if e.tid > 0}

    def name(tid, comm):
        return '[recorder]' if group.get(tid, tid) == rec else comm

    def pair(w):
        waker = '[irq]' if w['partner'] is False else name(w['waker_tid'], w['waker_comm'])
        return waker, name(w['wakee_tid'], w['wakee_comm'])

    report = run([program, 'report', '--json', '--by', 'pair'] + common)
    c.report('pair', report, pair)
    c.report('path', run([program, 'report', '--json', '--by', 'path'] + common),
             lambda w: w['path'])
    summary = json.loads(report)['summary']
    own = {t for t, p in group.items() if p == rec}
    for f, mine in (('unseen_switches', answer.unseen), ('unseen_moves', answer.unseen_moves(own)),
                    ('wakeups', len(answer.wakeups)), ('migrations', len(answer.migrations)),
                    ('slices', len(answer.slices))):
        c.fields += 1
        if summary[f] != mine:
            c.differ('summary', f, mine, summary[f])
    facts = ', '.join('%d %s' % (n, k if ' ' in k else k + 's') for k, n in c.facts.items())
    print('%s: %s, %d fields compared (%d unseen switches): %d differences' %
          (c.name, facts, c.fields, answer.unseen, sum(c.bad.values())))
    for k, n in sorted(c.bad.items()):
        print('#   %d x %s' % (n, k))
    return not c.bad


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--migstat', required=True, help='the program to check')
    p.add_argument('--kallsyms', help='default: kallsyms.gz beside the recording')
    p.add_argument('-v', type=int, default=2, help='differences of a kind to show (default 2)')
    p.add_argument('files', nargs='+')
    o = p.parse_args()
    good = True
    try:
        for f in o.files:
            good &= check(f, o.kallsyms or os.path.dirname(f) + '/kallsyms.gz', o.migstat, o.v)
    except (Unreadable, FileNotFoundError) as x:
        print('# cannot read: %s' % x)
        sys.exit(77)
    sys.exit(not good)


if __name__ == '__main__':
    main()
