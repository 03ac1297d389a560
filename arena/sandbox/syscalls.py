"""System calls by number: those that libc has no function for, on x86_64 and aarch64.

The two architectures number their calls differently, and several old calls exist only on x86_64 (None below).
Numbers are the kernel's own and never change.
"""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Any

MACHINES = {"x86_64": 0, "aarch64": 1}
"""Where the sandbox works; the number is the column in `NUMBERS`."""

NUMBERS: dict[str, tuple[int | None, int | None]] = {
    "access": (21, None), "alarm": (37, None), "arch_prctl": (158, None), "brk": (12, 214),
    "capget": (125, 90), "capset": (126, 91), "clock_getres": (229, 114), "clock_gettime": (228, 113),
    "clock_nanosleep": (230, 115), "clone": (56, 220), "clone3": (435, 435), "close": (3, 57),
    "close_range": (436, 436), "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24),
    "epoll_create1": (291, 20), "epoll_ctl": (233, 21), "epoll_pwait": (281, 22), "epoll_wait": (232, None),
    "eventfd2": (290, 19), "execve": (59, 221), "exit": (60, 93), "exit_group": (231, 94),
    "faccessat": (269, 48), "faccessat2": (439, 439), "fadvise64": (221, 223), "fcntl": (72, 25),
    "fstat": (5, 80), "futex": (202, 98), "getcpu": (309, 168), "getcwd": (79, 17),
    "getdents64": (217, 61), "getegid": (108, 177), "geteuid": (107, 175), "getgid": (104, 176),
    "getgroups": (115, 158), "getitimer": (36, 102), "getpgid": (121, 155), "getpgrp": (111, None),
    "getpid": (39, 172), "getppid": (110, 173), "getpriority": (140, 141), "getrandom": (318, 278),
    "getresgid": (120, 150), "getresuid": (118, 148), "getrlimit": (97, 163), "getrusage": (98, 165),
    "getsid": (124, 156), "gettid": (186, 178), "gettimeofday": (96, 169), "getuid": (102, 174),
    "get_robust_list": (274, 100), "ioctl": (16, 29), "kill": (62, 129),
    "landlock_add_rule": (445, 445), "landlock_create_ruleset": (444, 444),
    "landlock_restrict_self": (446, 446),
    "lseek": (8, 62), "lstat": (6, None), "madvise": (28, 233), "membarrier": (324, 283),
    "mmap": (9, 222), "mount_setattr": (442, 442), "mprotect": (10, 226), "mremap": (25, 216),
    "munmap": (11, 215), "nanosleep": (35, 101), "newfstatat": (262, 79), "open": (2, None),
    "openat": (257, 56), "pipe2": (293, 59), "pivot_root": (155, 41), "pkey_alloc": (330, 289),
    "pkey_free": (331, 290), "pkey_mprotect": (329, 288), "poll": (7, None), "ppoll": (271, 73),
    "prctl": (157, 167), "pread64": (17, 67), "preadv": (295, 69), "prlimit64": (302, 261),
    "pselect6": (270, 72), "read": (0, 63), "readlink": (89, None), "readlinkat": (267, 78),
    "readv": (19, 65), "restart_syscall": (219, 128), "rseq": (334, 293), "rt_sigaction": (13, 134),
    "rt_sigpending": (127, 136), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139),
    "sched_get_priority_max": (146, 125), "sched_get_priority_min": (147, 126),
    "sched_getaffinity": (204, 123), "sched_getparam": (143, 121), "sched_getscheduler": (145, 120),
    "sched_yield": (24, 124), "seccomp": (317, 277), "select": (23, None), "set_robust_list": (273, 99),
    "set_tid_address": (218, 96), "setitimer": (38, 103), "sigaltstack": (131, 132), "stat": (4, None),
    "statx": (332, 291), "sysinfo": (99, 179), "tgkill": (234, 131), "time": (201, None),
    "times": (100, 153), "tkill": (200, 130), "uname": (63, 160), "write": (1, 64), "writev": (20, 66),
}  # fmt: skip

# On other machines nothing below is called: `machine` says that there is no sandbox.
_libc: Any = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
_holding: Any = ctypes.PyDLL(None, use_errno=True) if sys.platform == "linux" else None
_machine = MACHINES.get(os.uname().machine) if sys.platform == "linux" else None


def machine() -> int | None:
    """Return the column of this machine in `NUMBERS`, or None where there is no sandbox."""
    return _machine


def number(name: str) -> int | None:
    """Return the number of a call on this machine, or None if there is no such call here."""
    column = machine()
    return None if column is None else NUMBERS[name][column]


def call(name: str, *arguments: object) -> int:
    """Make a system call by number; OSError if it fails."""
    result = int(_libc.syscall(number(name), *arguments))
    return _check(result, name)


def fork_with(flags: int) -> int:
    """Make a child with `clone`; it continues from here as after `fork`, and Python's lock (GIL) is kept."""
    return _check(int(_holding.syscall(number("clone"), flags, 0, 0, 0, 0)), "clone")


def libc(name: str, *arguments: object) -> int:
    """Call a function of libc that returns -1 and sets errno; OSError if it fails."""
    return _check(int(getattr(_libc, name)(*arguments)), name)


def _check(result: int, name: str) -> int:
    if result == -1:
        error = ctypes.get_errno()
        raise OSError(error, f"{name}: {os.strerror(error)}")
    return result
