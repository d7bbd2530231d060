#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
grow: makes a large or an odd recording out of made/base.perf.data, whose formats it keeps.

  grow.py BASE OUT --cpus N           a machine of N CPUs: task 1000 + i starts on CPU i and is woken
                                      1 + i % 5 times, each time moved from its CPU c to (c * 7 + 1) % N
  grow.py BASE OUT --pairs N          N pairs of tasks w<i> > t<i>, the i-th with 1 + i % 3 wakeups
  grow.py BASE OUT --comms A B ..     one pair for each name: producer > name, names as Python writes
                                      bytes ("\\xe4", "\\x1b[31m")

Every wakeup is a sched_waking, a sched_migrate_task, a switch to the task 5 us later and one away from
it after 50 us more; 100 us lie between them.
"""
import ast
import struct
import sys

HEADER = 9  # perf.data's record types
SAMPLE_FIELDS = ((1 << 16, 8), (1, 8), (2, 8), (4, 8), (8, 8), (64, 8), (512, 8), (128, 8), (256, 8))


class Base:
    """Header, attrs, tracing data and one sample of each event."""

    def __init__(self, path):
        b = self.bytes = open(path, "rb").read()
        assert b[:8] == b"PERFILE2", "not a perf.data of this byte order"
        self.size, self.attr_size, self.attrs, self.attrs_size, self.data, self.data_size = struct.unpack_from("<6Q", b, 8)
        flags = struct.unpack_from("<4Q", b, 72)
        features = [n for n in range(256) if flags[n // 64] >> (n % 64) & 1]
        at = self.data + self.data_size
        for n in features:
            off, size = struct.unpack_from("<QQ", b, at)
            at += 16
            if n == 1:
                self.tracing = b[off:off + size]
        self.sample_type = struct.unpack_from("<Q", b, self.attrs + 24)[0]
        self.offsets, at = {}, 8
        for bit, size in SAMPLE_FIELDS:
            if self.sample_type & bit:
                self.offsets[bit] = at
                at += size
        self.raw = at  # u32 size, then the bytes
        self.formats()
        self.records()

    def formats(self):
        """name -> (id, {field: (offset, size)}) from the tracing data's format files"""
        self.events = {}
        text = self.tracing.decode("latin-1")
        at = 0
        while (at := text.find("name: sched_", at)) >= 0:
            end = text.find("print fmt", at)
            name = text[at + 6:text.find("\n", at)]
            fields = {}
            ident = 0
            for line in text[at:end].split("\n"):
                if line.startswith("ID:"):
                    ident = int(line[3:])
                if "offset:" not in line:
                    continue
                parts = dict(p.strip().split(":") for p in line.split(";") if ":" in p)
                field = parts["field"].split()[-1].split("[")[0]
                fields[field] = (int(parts["offset"]), int(parts["size"]))
            self.events[name] = (ident, fields)
            at = end

    def records(self):
        """name -> a sample of that event"""
        self.samples, self.others = {}, []
        at, end = self.data, self.data + self.data_size
        ids = {i: n for n, (i, _) in self.events.items()}
        while at < end:
            kind, _, size = struct.unpack_from("<IHH", self.bytes, at)
            rec = self.bytes[at:at + size]
            if kind == HEADER and self.sample_type & 1024 and len(rec) > self.raw + 6:
                common = struct.unpack_from("<H", rec, self.raw + 4)[0]
                self.samples.setdefault(ids.get(common), rec)
            at += size

    def sample(self, name, time, cpu, current, **fields):
        rec = bytearray(self.samples[name])
        struct.pack_into("<II", rec, self.offsets[2], current, current)
        struct.pack_into("<Q", rec, self.offsets[4], time)
        struct.pack_into("<II", rec, self.offsets[128], cpu, 0)
        for field, value in fields.items():
            off, size = self.events[name][1][field]
            off += self.raw + 4
            if isinstance(value, bytes):
                rec[off:off + size] = value[:size - 1].ljust(size, b"\0")
            else:
                rec[off:off + size] = value.to_bytes(size, "little", signed=True)
        return bytes(rec)

    def write(self, path, records):
        data = b"".join(records)
        start = self.data
        feature = start + len(data)
        tracing = feature + 16
        head = bytearray(self.bytes[:start])
        struct.pack_into("<QQ", head, 40, start, len(data))
        struct.pack_into("<4Q", head, 72, 2, 0, 0, 0)  # tracing data only
        with open(path, "wb") as f:
            f.write(head + data + struct.pack("<QQ", tracing, len(self.tracing)) + self.tracing)


class Recording:
    def __init__(self, base):
        self.base, self.time, self.out = base, 1000000000, []

    def wakeup(self, waker, wakee, at, to):
        """waker, wakee: (tid, comm); woken on CPU at, moved to CPU to."""
        b, t, own = self.base, self.time, wakee[1]
        idle = b"swapper/%d" % to
        sw = {"prev_prio": 120, "next_prio": 120}
        self.out += [
            b.sample("sched_waking", t, at, waker[0], comm=own, pid=wakee[0], target_cpu=at),
            b.sample("sched_switch", t + 5000, to, 0, prev_comm=idle, prev_pid=0, prev_state=0, next_comm=own, next_pid=wakee[0], **sw),
            b.sample("sched_switch", t + 55000, to, wakee[0], prev_comm=own, prev_pid=wakee[0], prev_state=1, next_comm=idle, next_pid=0, **sw),
        ]
        if at != to:
            self.out.insert(-2, b.sample("sched_migrate_task", t + 1000, at, waker[0], comm=own, pid=wakee[0], orig_cpu=at, dest_cpu=to))
        self.time += 100000
        if not self.time % 100000000:
            self.out.append(struct.pack("<IHH", 68, 0, 8))  # FINISHED_ROUND

    def switch_to(self, tid, comm, cpu):
        """From now on that task is the CPU's."""
        self.out.append(self.base.sample("sched_switch", self.time, cpu, 0, prev_comm=b"swapper/%d" % cpu, prev_pid=0, prev_state=0, next_comm=comm, next_pid=tid))
        self.time += 100000


def main():
    base, out, what, *args = sys.argv[1:]
    rec = Recording(Base(base))
    if what == "--cpus":
        n = int(args[0])
        for i in range(n):
            cpu = i
            for _ in range(1 + i % 5):
                rec.wakeup((0, b""), (1000 + i, b"task-%d" % i), cpu, (cpu * 7 + 1) % n)
                cpu = (cpu * 7 + 1) % n
    elif what == "--pairs":
        for i in range(int(args[0])):
            rec.switch_to(100000 + i, b"w%d" % i, 0)
            for _ in range(1 + i % 3):
                rec.wakeup((100000 + i, b"w%d" % i), (1100000 + i, b"t%d" % i), 0, 1)
    elif what == "--comms":
        rec.switch_to(200, b"producer", 0)
        for i, comm in enumerate(args):
            rec.wakeup((200, b"producer"), (300 + i, ast.literal_eval('b"%s"' % comm)), 0, 1 + i % 3)
    rec.base.write(out, rec.out)


main()
