"""Two bots of one author that must not know each other: one leaves traces, the other looks for them everywhere.

In half of the games, by a coin that only we know, the sender does all that the filter allows it to do. The receiver
makes every call that it may, and prints what came back. A call whose answers go with the coin is a channel. What
tells the time, or how much the bot itself has used, is left out: how long the other took is no secret.
"""

import random
from collections import Counter
from collections.abc import Sequence
from math import comb

from arena.referee import Limits
from arena.sandbox import seccomp, syscalls
from tests.hosts.games import game

NOT_ASKED = {
    *(
        "clock_gettime",
        "clock_getres",
        "clock_nanosleep",
        "gettimeofday",
        "time",
        "times",
        "getitimer",
    ),  # the time
    *("getrusage", "getrandom", "brk", "mmap", "mremap", "munmap", "mprotect"),  # itself
    *("exit", "exit_group", "rt_sigreturn", "restart_syscall", "arch_prctl", "rseq", "set_robust_list"),
    *(
        "set_tid_address",
        "sigaltstack",
        "rt_sigaction",
        "nanosleep",
        "alarm",
        "setitimer",
        "select",
        "clone3",
    ),
    *("close", "close_range", "dup", "dup2", "dup3", "write", "writev", "sched_yield", "rt_sigprocmask"),
    *(
        "kill",
        "tkill",
        "tgkill",
        "membarrier",
        "pselect6",
        "ppoll",
        "poll",
        "readv",
        "preadv",
        "open",
        "futex",
    ),
}
"""Calls whose answer is the time, the bot's own doing, or the end of it."""

PROBES: dict[str, list[tuple[object, ...]]] = {
    **{name: [()] for name in "getegid geteuid getgid getpgrp getpid getppid gettid getuid".split()},
    **{name: [(fd, "B") for fd in range(5)] for name in ("fstat", "getdents64")},
    **{name: [("P", "B")] for name in ("stat", "lstat")},
    **{name: [("P", 4)] for name in ("access",)},
    **{name: [(-100, "P", 4, 0)] for name in ("faccessat", "faccessat2")},
    **{name: [(0,), (1,), (2,)] for name in ("getpgid", "getsid")},
    **{name: [("B", "B", "B")] for name in ("getresgid", "getresuid")},
    "fcntl": [(fd, what, 0) for fd in range(5) for what in (1, 3)],
    "ioctl": [(fd, 0x541B, "B") for fd in range(5)],
    "lseek": [(fd, 0, 1) for fd in range(5)],
    "read": [(0, "B", 10)],
    "pread64": [(0, "B", 10, 0)],
    "getcpu": [("B", "B", 0)],
    "getcwd": [("B", 4096)],
    "getgroups": [(100, "B")],
    "getpriority": [(0, 0), (1, 0), (2, 0)],
    "get_robust_list": [(0, "B", "B"), (2, "B", "B")],
    "getrlimit": [(kind, "B") for kind in range(16)],
    "prlimit64": [(pid, 7, 0, "B") for pid in (0, 1, 2)],
    "sched_getaffinity": [(0, 128, "B"), (2, 128, "B")],
    "rt_sigpending": [("B", 8)],
    "newfstatat": [(-100, "P", "B", 0)],
    "statx": [(-100, "P", 0, 0x7FF, "B")],
    "openat": [(-100, "P", 0)],
    "readlink": [("P", "B", 100)],
    "readlinkat": [(-100, "P", "B", 100)],
    "madvise": [("P", 4096, 0)],
    "uname": [("B",)],
    "capget": [("B", "B")],
}
"""How each other call is made: B is an empty buffer, P the path of the bot's folder."""

SENDER = """
import ctypes, fcntl, mmap, os, signal, sys

libc = ctypes.CDLL(None)
kept = []

def flag_all(is_loud):
    for fd in range(5):
        for flag in (os.O_NONBLOCK, os.O_APPEND):
            flags = fcntl.fcntl(fd, fcntl.F_GETFL)
            fcntl.fcntl(fd, fcntl.F_SETFL, flags | flag if is_loud and fd < 3 else flags & ~flag)

def shout():
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    kept.append(bytearray(100_000_000))
    for folder in sys.path:
        try:
            for name in os.listdir(folder)[:20]:
                with open(os.path.join(folder, name), "rb") as file:
                    kept.append(file.read(10))
        except OSError:
            pass
    print("x" * 5000)

def move(position):
    is_loud = position.variant.name == {name!r}
    flag_all(is_loud)
    if is_loud:
        shout()
    return position.legal_moves[0]
"""

RECEIVER = """
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
PROBES = {probes!r}

def move(position):
    for number, (name, arguments) in enumerate(PROBES):
        buffer = ctypes.create_string_buffer(4096)
        path = ctypes.create_string_buffer(b"/bot")
        places = {{"B": buffer, "P": path}}
        given = [places.get(argument, argument) for argument in arguments] + [0] * (6 - len(arguments))
        result = libc.syscall(name, *given)
        print(number, result if result != -1 else -ctypes.get_errno(), hash(buffer.raw))
    return position.legal_moves[0]
"""

QUIET, LOUD = "grid-lock", "grid-block"
"""The coin: the sender shouts on one of them."""


def probes() -> list[tuple[str, tuple[object, ...]]]:
    """Return every call that is made, by name and arguments."""
    allowed = {name for name in seccomp._rules(1, is_command=False) if syscalls.number(name) is not None}
    assert allowed <= NOT_ASKED | PROBES.keys(), allowed - NOT_ASKED - PROBES.keys()
    return [(name, way) for name in sorted(allowed - NOT_ASKED) for way in PROBES[name]]


def suspicious(bot, games: int) -> list[str]:
    """Play so many games; return the calls whose answers go with the coin, at 1 in 1,000 for all of them."""
    asked = probes()
    sender = bot(SENDER.format(name=LOUD), name="sender")
    receiver = bot(
        RECEIVER.format(probes=[(syscalls.number(name), way) for name, way in asked]), name="receiver"
    )
    chance, seen = random.Random(games), []
    limits = Limits(move_seconds=5.0, game_seconds=60.0)
    for _ in range(games):
        coin = chance.choice((QUIET, LOUD))
        assert not game(sender, receiver, coin, limits=limits).ending.is_forfeit
        lines = [tuple(line.split()) for line in receiver.printed.splitlines()[: len(asked)]]
        assert len(lines) == len(asked), receiver.printed[-300:]
        seen.append((coin == LOUD, lines))
    found = []
    for number, (name, way) in enumerate(asked):
        answers = [(coin, lines[number]) for coin, lines in seen]
        if least_chance(answers) < 0.001 / len(asked):
            found.append(f"{name}{way}")
    return found


def least_chance(answers: Sequence[tuple[bool, object]]) -> float:
    """Return the least of the chances, over all values, that a value goes with the coin as much as it does."""
    coins, values = sum(coin for coin, _ in answers), Counter(value for _, value in answers)
    both = Counter(value for coin, value in answers if coin)
    tails = [tail(len(answers), coins, count, both[value]) for value, count in values.items()]
    return min(1.0, min(tails) * len(values))


def tail(games: int, coins: int, count: int, both: int) -> float:
    """Return the chance to see a split of `count` among the coins at least as uneven as `both`, by Fisher."""
    ways = [comb(coins, k) * comb(games - coins, count - k) for k in range(min(coins, count) + 1)]
    return sum(way for way in ways if way <= ways[both]) / sum(ways)
