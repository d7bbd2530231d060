# SPDX-License-Identifier: GPL-2.0
"""tui.py PROGRAM FILE ROUNDS: waiting times of the terminal UI on a pseudo terminal, in ms: median [lowest-highest]"""
import fcntl
import os
import pty
import re
import select
import statistics
import struct
import subprocess
import sys
import termios
import time

PROGRAM, FILE, ROUNDS = sys.argv[1], sys.argv[2], int(sys.argv[3])
KEYS = [
    ("down", b"\x1b[B"),
    ("page down", b"\x1b[6~"),
    ("end", b"\x1b[F"),
    ("home", b"\x1b[H"),
    ("filter", b"/t9999\r"),
    ("reverse", b"S"),
    ("no filter", b"\x1b"),  # 150 ms of it: is it ESC or the start of a sequence
    ("reverse all", b"S"),
]


class Terminal:
    def __init__(self, argv):
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.environ["TERM"] = "xterm"
            os.execv(argv[0], argv)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def until(self, want=b""):
        """ms until the last output before a silence of 0.3 s, once `want` is in it"""
        start = last = time.monotonic()
        got = b""
        while time.monotonic() - start < 60:
            if select.select([self.fd], [], [], 0.3)[0]:
                got += os.read(self.fd, 1 << 16)
                last = time.monotonic()
            elif re.search(want, got):
                return (last - start) * 1000
        sys.exit("the terminal UI does not answer: %r" % got[-200:])

    def end(self):
        os.write(self.fd, b"q")
        os.waitpid(self.pid, 0)
        os.close(self.fd)


times = {}


def text():
    start = time.monotonic()
    subprocess.run([PROGRAM, "report", "--stdio", "-i", FILE], stdout=subprocess.DEVNULL, check=True)
    times.setdefault("report --stdio", []).append((time.monotonic() - start) * 1000)


def screen():
    t = Terminal([PROGRAM, "report", "-i", FILE])
    times.setdefault("first screen", []).append(t.until(rb"q leave"))
    for name, keys in KEYS:
        os.write(t.fd, keys)
        times.setdefault(name, []).append(t.until())
    t.end()


for i in range(ROUNDS):
    for run in (text, screen) if i % 2 else (screen, text):
        run()
ratios = [a / b for a, b in zip(times["first screen"], times["report --stdio"])]
for name, ms in times.items():
    print("  %-16s %8.1f ms [%.1f-%.1f]" % (name, statistics.median(ms), min(ms), max(ms)))
print("  first screen / report --stdio %.2f [%.2f-%.2f]" % (statistics.median(ratios), min(ratios), max(ratios)))
