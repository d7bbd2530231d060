# SPDX-License-Identifier: GPL-2.0
"""mkperf: writes recordings byte by byte, as perf record -o - does: attrs, formats, records.

    r = Recording()                       # little-endian, 64 bit
    sw = r.tracepoint("sched:sched_switch")
    r.sample(sw, time, cpu, tid, prev_comm="a", prev_pid=1, ...)
    r.write(path)

The formats are the kernel's (include/trace/events/sched.h); what varies by kernel is an argument."""
import struct

COMMON = ["unsigned short common_type", "unsigned char common_flags", "unsigned char common_preempt_count", "int common_pid"]
LAZY = ["unsigned char common_preempt_lazy_count"]  # PREEMPT_RT
SWITCH_FIELDS = ["char prev_comm[16]", "pid_t prev_pid", "int prev_prio", "long prev_state", "char next_comm[16]",
                 "pid_t next_pid", "int next_prio"]
WAKE_FIELDS = ["char comm[16]", "pid_t pid", "int prio", "int target_cpu"]
MIGRATE_FIELDS = ["char comm[16]", "pid_t pid", "int prio", "int orig_cpu", "int dest_cpu"]
FORK_FIELDS = ["char parent_comm[16]", "pid_t parent_pid", "char child_comm[16]", "pid_t child_pid"]
FIELDS = {"sched_switch": SWITCH_FIELDS, "sched_waking": WAKE_FIELDS, "sched_wakeup": WAKE_FIELDS, "sched_wakeup_new": WAKE_FIELDS,
          "sched_migrate_task": MIGRATE_FIELDS, "sched_process_fork": FORK_FIELDS}
# __print_flags() of sched_switch from 4.14 on
STATES = ('print fmt: "%s", __print_flags(REC->prev_state, "|", { 0x0001, "S" }, { 0x0002, "D" }, { 0x0004, "T" }, { 0x0008, "t" }, '
          '{ 0x0010, "X" }, { 0x0020, "Z" }, { 0x0040, "P" }, { 0x0080, "I" })')
SLEEP, PREEMPTED, DEAD = 1, 0x100, 0x10
TYPE_LOST, TYPE_COMM, TYPE_FORK, TYPE_SAMPLE, TYPE_LOST_SAMPLES, TYPE_ROUND = 2, 3, 7, 9, 13, 68
# IDENTIFIER, IP, TID, TIME, CPU, PERIOD; RAW
SAMPLE_TYPE, RAW = 1 << 16 | 1 << 0 | 1 << 1 | 1 << 2 | 1 << 7 | 1 << 8, 1 << 10
SAMPLE_ID_ALL = 1 << 18


class Event:
    def __init__(self, rec, name, fields, ident):
        self.rec, self.name, self.ident, self.period, self.pmu = rec, name, ident, 1, 2
        self.layout, at, self.text = [], 0, ""
        if not fields:
            return
        for decl in rec.common + fields:
            size, signed = rec.size_of(decl)
            align = 1 if "[" in decl and "loc" not in decl else size
            if decl == fields[0]:
                at = (at + 3) & ~3  # struct trace_entry ends aligned
            at = (at + align - 1) // align * align
            self.layout.append((decl.split("[")[0].split()[-1] if "loc" not in decl else decl.split()[-1], decl, at, size, signed))
            self.text += "\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:%d;\n" % (decl, at, size, signed)
            at += size
        self.size = at

    def format(self):
        own = "\n".join(self.text.split("\n", len(self.rec.common))[:len(self.rec.common)]) + "\n\n"
        rest = self.text.split("\n", len(self.rec.common))[-1]
        text = "name: %s\nID: %d\nformat:\n%s%s\n" % (self.name.split(":")[1], self.ident, own, rest)
        return text + (STATES if "prev_state" in text else 'print fmt: "%s"') + "\n"

    def pack(self, values):
        raw, tail = bytearray(self.size), b""
        for name, decl, at, size, _ in self.layout:
            v = values.get(name, 0)
            if "__data_loc" in decl:
                text = v.encode() + b"\0"
                struct.pack_into(self.rec.e + "I", raw, at, len(text) << 16 | self.size + len(tail))
                tail += text
            elif "[" in decl:
                text = v if isinstance(v, bytes) else v.encode()
                raw[at:at + size] = text[:size].ljust(size, b"\0")
            else:
                raw[at:at + size] = (v & (1 << 8 * size) - 1).to_bytes(size, self.rec.order)
        return bytes(raw) + tail


class Recording:
    def __init__(self, big=False, long_size=8, lazy=False, extra_raw=0, cpus=4):
        self.order, self.e, self.long_size = ("big", ">", long_size) if big else ("little", "<", long_size)
        self.common = COMMON + (LAZY if lazy else [])
        self.extra_raw, self.cpus, self.events, self.records, self.features = extra_raw, cpus, [], [], []

    def size_of(self, decl):
        words = decl.split()
        if "__data_loc" in words:
            return 4, 0
        if "[" in decl:
            return int(decl.split("[")[1].rstrip("]")), 0
        size = {"long": self.long_size, "short": 2, "char": 1, "u64": 8}.get(words[-2], 4)
        return size, 0 if "unsigned" in words else 1

    def tracepoint(self, name, fields=None):
        ev = Event(self, name, fields or FIELDS[name.split(":")[1]], 300 + len(self.events))
        self.events.append(ev)
        return ev

    def counter(self, name, pmu, config, period):
        """A sampled event of a PMU by its number (0 = hardware, 1 = software)."""
        ev = Event(self, name, None, config)
        ev.pmu, ev.period = pmu, period
        self.events.append(ev)
        return ev

    def record(self, kind, body, misc=0):
        self.records.append(struct.pack(self.e + "IHH", kind, misc, 8 + len(body)) + body)

    def sample(self, ev, time, cpu, tid, flags=0, **values):
        body = struct.pack(self.e + "QQiiQIIQ", self.events.index(ev) + 1, 0, tid, tid, time, cpu, 0, ev.period)
        if ev.layout:
            raw = ev.pack(dict(values, common_type=ev.ident, common_flags=flags, common_pid=max(tid, 0))) + b"\0" * self.extra_raw
            raw += b"\0" * (-(len(raw) + 4) % 8)
            body += struct.pack(self.e + "I", len(raw)) + raw
        self.record(TYPE_SAMPLE, body)

    def trailer(self, time, cpu, tid=0):
        """sample_id of a record that is no sample: TID, TIME, CPU, IDENTIFIER"""
        return struct.pack(self.e + "iiQIIQ", tid, tid, time, cpu, 0, 1)

    def comm(self, tid, name, time=0, cpu=0, execs=False):
        body = struct.pack(self.e + "ii", tid, tid) + name.encode().ljust(16, b"\0")
        self.record(TYPE_COMM, body + self.trailer(time, cpu, tid), 1 << 13 if execs else 0)

    def fork(self, tid, parent, time=0, cpu=0):
        self.record(TYPE_FORK, struct.pack(self.e + "iiiiQ", tid, parent, tid, parent, time) + self.trailer(time, cpu, parent))

    def lost(self, n, time, cpu):
        self.record(TYPE_LOST, struct.pack(self.e + "QQ", 1, n) + self.trailer(time, cpu))

    def round(self):
        self.record(TYPE_ROUND, b"")

    def attr(self, i, ev):
        a = bytearray(128)
        bits = SAMPLE_ID_ALL if self.order == "little" else int("{:032b}".format(SAMPLE_ID_ALL)[::-1], 2)
        struct.pack_into(self.e + "IIQQQQ", a, 0, ev.pmu, 128, ev.ident, ev.period, SAMPLE_TYPE | (RAW if ev.layout else 0), 4)
        # a bit-field of a big-endian machine begins at the top of each byte
        struct.pack_into("<Q" if self.order == "little" else ">Q", a, 40, bits if self.order == "little" else bits << 32)
        return struct.pack(self.e + "IHH", 64, 0, 8 + 128 + 8) + bytes(a) + struct.pack(self.e + "Q", i + 1)

    def tracing(self):
        page = b"".join(b"\tfield: %s;\toffset:%d;\tsize:%d;\tsigned:1;\n" % x for x in ((b"u64 timestamp", 0, 8), (b"local_t commit", 8, 8),
                                                                                      (b"char data", 16, 4080)))
        t = b"\x17\x08\x44tracing0.6\0" + bytes([self.order == "big", self.long_size]) + struct.pack(self.e + "I", 4096)
        t += b"header_page\0" + struct.pack(self.e + "Q", len(page)) + page + b"header_event\0" + struct.pack(self.e + "Q", 0)
        tps = [ev for ev in self.events if ev.layout]
        t += struct.pack(self.e + "II", 0, 1) + b"sched\0" + struct.pack(self.e + "I", len(tps))
        for ev in tps:
            text = self.damage(ev.format()).encode()
            t += struct.pack(self.e + "Q", len(text)) + text
        t += struct.pack(self.e + "IIQ", 0, 0, 0)
        t += b"\0" * (-len(t) % 8)
        return struct.pack(self.e + "IHHI", 66, 0, 12, len(t)) + t

    def damage(self, text):
        return text

    def head(self):
        out = (b"PERFILE2" if self.order == "little" else b"2ELIFREP") + struct.pack(self.e + "Q", 16)
        out += b"".join(self.attr(i, ev) for i, ev in enumerate(self.events))
        out += struct.pack(self.e + "IHHQII", 80, 0, 24, 7, self.cpus, self.cpus)  # NRCPUS
        out += b"".join(self.features)
        for i, ev in enumerate(self.events):
            if not ev.layout:  # EVENT_UPDATE NAME
                name = ev.name.encode() + b"\0" * (8 - len(ev.name) % 8)
                out += struct.pack(self.e + "IHHQQ", 78, 0, 24 + len(name), 2, i + 1) + name
        return out + (self.tracing() if any(ev.layout for ev in self.events) else b"")

    def write(self, path):
        with open(path, "wb") as f:
            f.write(self.head() + b"".join(self.records))
        return path
