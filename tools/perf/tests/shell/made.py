# SPDX-License-Identifier: GPL-2.0
"""made: the expected values of made/cases.tsv, and what damage must lead to.

NAME=number of a case means (comms are the recording's):
  samples              events of the report's summary
  samples_E, period_E  samples and sum of periods of counter E (null = not known)
  migrations, wakeups  of the summary (null = not known)
  switches             samples of sched_switch, and slices
  migrations_C         of the row C of --by comm
  misses_C             sampled misses of that row
  waking_A_B, pair_A_B wakeups of the row A > B of --by pair (--irq: wakers that interrupts hit too)
  migrate_events       samples of sched_migrate_task, of which real_moves move something
  warning=W            among the warnings of the summary
  must=..              exit code not 0, or one line on stderr that says why
"""
import os
import re
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
import migcheck as mc  # noqa: E402

TMP = sys.argv[1]


def made(name):
    return os.path.join(mc.DATA, "made", name + ".perf.data")


def value(v):
    return None if v == "null" else int(v)


def row(rep, **keys):
    rows = [r for r in rep["rows"] if all(r[k] == v for k, v in keys.items())]
    return rows[0] if len(rows) == 1 else None if not rows else mc.Failed("two rows of " + str(keys))


def comm(c):
    return "[idle]" if c == "swapper" else c


def lookup(key, reps):
    """What the program says of one NAME of cases.tsv."""
    s, comms, pairs = reps["pair"]["summary"], reps["comm"], reps["pair"]
    counter = {"cache_misses": "cache-misses"}
    simple = {"samples": "events", "wakeups": "wakeups", "migrations": "migrations", "real_moves": "migrations"}
    if key in simple:
        return s[simple[key]]
    if key == "switches":
        n = s["events_by_name"].get("sched:sched_switch", 0)
        return n if n == s["slices"] else "%s switches, %s slices" % (n, s["slices"])
    if key == "migrate_events":
        return s["events_by_name"]["sched:sched_migrate_task"]
    kind, _, rest = key.partition("_")
    if kind == "samples":
        return s["samples"][counter[rest]]
    if kind == "period":
        return s["sampled_misses"][counter[rest]]
    if kind == "migrations":
        r = row(comms, comm=comm(rest))
        return r["migrations"] if r else 0
    if kind == "misses":
        r = row(comms, comm=comm(rest))
        return r["sampled_misses"]["cache-misses"] if r else 0
    if kind in ("waking", "pair"):
        a, b = rest.split("_")
        # no record of the recording names its waker, whom the table calls a or A
        named = [r for r in pairs["rows"] if r["waker"] == comm(a)] or key not in ("waking_a_b", "pair_A_B")
        r = row({"rows": [r for r in pairs["rows"] if r["wakeups"]]}, waker=comm(a) if named else None, wakee=comm(b))
        return r["wakeups"] if r else 0
    raise KeyError(key)


def check_values(name, path, expected):
    reps = {by: mc.report(path, "--irq", "--by", by) for by in ("pair", "comm")}
    for key, want in re.findall(r"(\w+)=(\w+)", expected):
        if key == "warning":
            mc.ok(want in reps["pair"]["summary"]["warnings"], "%s: warning %s" % (name, want), reps["pair"]["summary"])
        elif key != "overflow":
            mc.same(lookup(key, reps), value(want), "%s: %s" % (name, key))


def check_damage(name, path):
    for args in (("report", "-i", path), ("report", "--json", "-i", path), ("script", "-i", path)):
        rc, _, err = mc.run(*args)
        lines = err.splitlines()
        said = [x for x in lines if x.startswith(("Error: ", "Warning: "))]
        mc.ok(said and rc in (0, 1) and (rc == 0 or any(x.startswith("Error: ") for x in said)),
              "%s: %s refuses it or warns" % (name, " ".join(args[:-2])), "exit code %d, stderr: %s" % (rc, err))
        mc.ok(not [x for x in lines if not x.startswith(("Error: ", "Warning: ", "Hint: "))],
              "%s: %s speaks in whole sentences" % (name, " ".join(args[:-2])), err)


def widen(b, own, header_size):
    """The file with attrs of `own` bytes (as many more, not 0, at the end), and another size in its header."""
    asz, ao, al, do, _ = struct.unpack_from("<5Q", b, 16)
    old, nr = asz - 16, al // asz
    more = nr * (own - old)
    attrs, ids, feats = b"", [], bytearray(b[do + struct.unpack_from("<Q", b, 48)[0]:])
    for i in range(nr):
        e = bytearray(b[ao + i * asz:ao + (i + 1) * asz])
        struct.pack_into("<I", e, 4, own)
        ids.append(struct.unpack_from("<Q", e, old)[0])
        attrs += bytes(e[:old]) + b"\x05" * (own - old) + bytes(e[old:])
    head = bytearray(b[:ao])
    struct.pack_into("<Q", head, 16, header_size)
    struct.pack_into("<Q", head, 32, nr * header_size if header_size > own + 16 else len(attrs))
    struct.pack_into("<Q", head, 40, do + more)
    # the feature sections move as well; their table is behind the records
    n = sum(bin(x).count("1") for x in struct.unpack_from("<4Q", b, 72))
    for i in range(n):
        off = struct.unpack_from("<Q", feats, 16 * i)[0]
        struct.pack_into("<Q", feats, 16 * i, off + more)
    assert max(ids) < ao, "the ids stand before the attrs"
    return bytes(head) + attrs + b[ao + al:do + struct.unpack_from("<Q", b, 48)[0]] + bytes(feats)


def check_wide(expected):
    """An attr that grew: longer than any known, and longer than its file's header says."""
    with open(made("base"), "rb") as f:
        base = f.read()
    for own, header, what in ((144, 160, "a longer attr, its end not 0"), (144, 152, "longer than the header says"),
                              (512, 528, "much longer"), (112, 152, "shorter than the header says")):
        if own < 128:
            with open(made("attr_v5"), "rb") as f:
                data = widen(f.read(), own, header)
        else:
            data = widen(base, own, header)
        path = os.path.join(TMP, "wide-%d-%d.data" % (own, header))
        with open(path, "wb") as f:
            f.write(data)
        mc.guarded(lambda p, w=what: check_values("base with " + w, p, expected), path)


with open(os.path.join(mc.DATA, "made", "cases.tsv"), encoding="utf-8") as table:
    cases = [line.rstrip("\n").split("\t") for line in table][1:]
mc.ok(len(cases) == 35, "35 cases", len(cases))
for case, size, _, expect in cases:
    file = made(case)
    mc.same(os.path.getsize(file), int(size), "%s: size of the file" % case)
    # attr_v9_nonzero contradicts itself: entries of 168 bytes, 160 by the header and by the attrs, and all
    # that follows is 40 bytes off what the header says. It cannot be read; check_wide() makes a right one.
    if "must=" in expect or case == "attr_v9_nonzero":
        check_damage(case, file)
    else:
        mc.guarded(lambda p, c=case, e=expect: check_values(c, p, e), file)
check_wide(next(c[3] for c in cases if c[0] == "base"))
mc.end()
