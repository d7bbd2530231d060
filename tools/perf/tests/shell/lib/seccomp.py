# SPDX-License-Identifier: GPL-2.0
"""seccomp ERRNO COMMAND..: runs COMMAND where perf_event_open(2) fails with that error, as a container's filter does."""
import ctypes
import errno
import os
import platform
import struct
import sys

NR = {"x86_64": 298, "aarch64": 241, "riscv64": 241}
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD_WORD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06  # linux/bpf_common.h
ALLOW, ERROR = 0x7fff0000, 0x00050000  # linux/seccomp.h

code = [(LOAD_WORD, 0, 0, 0), (JUMP_IF_EQUAL, 0, 1, NR[platform.machine()]),
        (RETURN, 0, 0, ERROR | getattr(errno, sys.argv[1])), (RETURN, 0, 0, ALLOW)]
prog = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *c) for c in code))
fprog = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(code), ctypes.addressof(prog)))
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, fprog, 0, 0):
    sys.exit("no seccomp filter here: %s" % os.strerror(ctypes.get_errno()))
os.execvp(sys.argv[2], sys.argv[2:])
