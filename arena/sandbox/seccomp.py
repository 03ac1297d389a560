"""The system calls that a bot may make: an allowlist, as a BPF program for the kernel's seccomp filter.

A call that is not listed fails with EPERM, so that a bot which tries it sees an ordinary error. The
architecture is checked before the number, and so is x32: both would give the numbers another meaning, and end
the process. It is an allowlist because every kernel adds calls, and none of them is needed here.

A bot may signal itself, because `abort` and Go's threads need it, but not with one of the signals after which
a game is played again (`signals`). Nothing else here can cause those: timers send other signals, and owners
of descriptors, signals on a parent's death, queued signals and CPU limits are not available.

The number is found by binary search, not by comparing one after the other: a filter is installed for every
bot, and the kernel then runs it on every possible number. So installing takes 108 µs instead of 173.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Iterator

from arena.sandbox.signals import FROM_OUTSIDE
from arena.sandbox.syscalls import NUMBERS, call, libc, machine, number

Instruction = tuple[int, int, int, int]
Range = tuple[int, list[Instruction]]  # the first number, and what is done up to the next range

# What Python and numpy need to compute, to read files that are opened for reading, and to end.
PYTHON = """
    access alarm arch_prctl brk capget close close_range dup
    dup2 dup3 exit exit_group faccessat faccessat2 fstat getcpu getcwd getdents64 getegid geteuid
    getgid getgroups getitimer getpgid getpgrp getpid getppid getpriority getrandom getresgid getresuid
    getrlimit getrusage getsid gettid gettimeofday getuid get_robust_list lseek lstat madvise membarrier
    mprotect mremap munmap nanosleep newfstatat poll ppoll pread64 preadv pselect6 read readlink
    readlinkat readv restart_syscall rseq rt_sigaction rt_sigpending rt_sigprocmask rt_sigreturn
    sched_getaffinity sched_yield select set_robust_list set_tid_address setitimer sigaltstack stat
    statx time times uname write writev
""".split()

# What programs in other languages need in addition: to be executed, and threads that wait for events.
COMMAND = """
    epoll_create1 epoll_ctl epoll_pwait epoll_wait eventfd2 execve fadvise64 pipe2 pkey_alloc pkey_free
    pkey_mprotect sched_get_priority_max sched_get_priority_min sched_getparam sched_getscheduler
""".split()

AUDIT_ARCH = {0: 0xC000003E, 1: 0xC00000B7}
X32_BIT = 0x40000000

ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_BITS, AND, RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
NR, ARCH, ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data

WRITING = 0o1 | 0o2 | 0o100 | 0o1000 | 0o2000 | 0o20000000  # WRONLY RDWR CREAT TRUNC APPEND TMPFILE
FCNTL = (0, 1, 2, 3, 4, 1030)  # duplicate, descriptor flags, status flags; no owner, no signal, no pipe size
IOCTL = (0x5450, 0x5451, 0x5421)  # close-on-exec and non-blocking, which Python sets this way
COMMAND_IOCTL = (*IOCTL, 0x541B)  # and how much can be read, which Java asks
PRCTL = (15, 16, 0x53564D41)  # names of threads and of memory
SHARED_ANONYMOUS = 0x01 | 0x20  # memory that can be given back without being unmapped, backed by no file
OTHERS_CLOCK = 0x80000000  # clocks of processes and threads have negative numbers
PRIVATE_FUTEX, FUTEX_WAIT, FUTEX_WAIT_BITSET, FUTEX_COMMAND = 0x80, 0, 9, 0x7F
NO_PID = 0x7FFFFFFF  # larger than any process id
CLONE_THREAD = 0x10000
CLONE_VFORK = 0x4000  # SIGSTOP does not stop a process in which a thread waits for such a child
CLONE_REFUSED = 0x7E020000 | 0xFF | CLONE_VFORK  # any namespace; an exit signal, which threads do not have


def filter_program(own_pid: int, is_command: bool, shows_links: bool = True) -> bytes:
    """Return the filter for a bot whose process id, as it sees it, is `own_pid`.

    Without `shows_links` Python bots cannot read links: Landlock does not hide where links point.
    """
    program = list(_instructions(own_pid, is_command, shows_links or is_command))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


class Filter:
    """A filter in the kernel's memory layout; a fork only has to fill in its process id."""

    def __init__(self, is_command: bool, shows_links: bool = True) -> None:
        program = filter_program(NO_PID, is_command, shows_links)
        self._buffer = ctypes.create_string_buffer(program, len(program))
        self._fprog = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(self._buffer))
        values = [value for _, _, _, value in struct.iter_unpack("=HBBI", program)]
        self._places = [8 * step + 4 for step, value in enumerate(values) if value == NO_PID]

    def install(self) -> None:
        """Install the filter on this thread for good; needs no privilege after `no_new_privs`."""
        for place in self._places:
            struct.pack_into("=I", self._buffer, place, os.getpid())
        PR_SET_NO_NEW_PRIVS, SET_MODE_FILTER = 38, 1  # noqa: N806 - the kernel's names
        libc("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        call("seccomp", SET_MODE_FILTER, 0, self._fprog)


def _instructions(own_pid: int, is_command: bool, shows_links: bool) -> Iterator[Instruction]:
    column = machine()
    assert column is not None, "no sandbox is made where there is none"
    yield from ((LOAD, 0, 0, ARCH), (JUMP_EQUAL, 1, 0, AUDIT_ARCH[column]), (RETURN, 0, 0, KILL))
    yield LOAD, 0, 0, NR
    yield from ((JUMP_AT_LEAST, 0, 1, X32_BIT), (RETURN, 0, 0, KILL))
    rules = _rules(own_pid, is_command)
    hidden = () if shows_links else ("readlink", "readlinkat")
    yield from _search(_ranges({name: rule for name, rule in rules.items() if name not in hidden}))


def _rules(own_pid: int, is_command: bool) -> dict[str, list[Instruction]]:
    """Return what is done with each call that is not simply refused."""
    rules = {name: [_allow()] for name in PYTHON + (COMMAND if is_command else [])}
    conditional = {
        "clone3": [_refuse(errno.ENOSYS)],  # its flags are in memory: libc then uses clone
        "ioctl": _one_of(1, IOCTL, errno.ENOTTY),
        "fcntl": _one_of(1, FCNTL, errno.EPERM),
        **dict.fromkeys(("kill", "tkill"), _signal_to_itself(own_pid, 1)),
        "tgkill": _signal_to_itself(own_pid, 2),
        "mmap": [*_has_all_bits(3, SHARED_ANONYMOUS, errno.EPERM), _allow()],
        "futex": _wakes_nobody_else(),
        **dict.fromkeys(("clock_gettime", "clock_getres", "clock_nanosleep"), _own_clock()),
        "prlimit64": [*_is_null(2), _allow()],
        "open": [*_has_bits(1, WRITING, errno.EACCES), _allow()],
        "openat": [*_has_bits(2, WRITING, errno.EACCES), _allow()],
    }
    if is_command:
        conditional["clone"] = [
            *_has_bits(0, CLONE_REFUSED, errno.EPERM),
            *_unless_bits(0, CLONE_THREAD),
        ]
        conditional["ioctl"] = _one_of(1, COMMAND_IOCTL, errno.ENOTTY)
        conditional["prctl"] = _one_of(0, PRCTL, errno.EPERM)
    assert not rules.keys() & conditional.keys()
    return rules | conditional


def _ranges(rules: dict[str, list[Instruction]]) -> list[Range]:
    """Return all numbers from 0 on as ranges with the same rule; numbers without a rule are refused."""
    assert rules.keys() <= NUMBERS.keys(), rules.keys() - NUMBERS.keys()
    by_number = {found: rule for name, rule in rules.items() if (found := number(name)) is not None}
    ranges: list[Range] = []
    for at in range(max(by_number) + 2):  # one more, so that all higher numbers are refused
        rule = by_number.get(at, [_refuse(errno.EPERM)])
        if not ranges or ranges[-1][1] != rule:
            ranges.append((at, rule))
    return ranges


def _search(ranges: list[Range]) -> list[Instruction]:
    """Return the instructions that find the loaded number's range by binary search, and apply its rule."""
    if len(ranges) == 1:
        return ranges[0][1]
    middle = len(ranges) // 2
    below, above = _search(ranges[:middle]), _search(ranges[middle:])
    return [(JUMP_AT_LEAST, len(below), 0, ranges[middle][0]), *below, *above]


def _allow() -> Instruction:
    return RETURN, 0, 0, ALLOW


def _refuse(error: int) -> Instruction:
    return RETURN, 0, 0, ERRNO | error


def _argument(position: int) -> Instruction:
    """Load the low half of an argument: flags and process ids are ints."""
    return LOAD, 0, 0, ARGUMENTS + 8 * position


def _has_bits(position: int, bits: int, error: int) -> list[Instruction]:
    """Refuse if the argument has any of the bits, else continue."""
    return [_argument(position), (JUMP_BITS, 0, 1, bits), _refuse(error)]


def _has_all_bits(position: int, bits: int, error: int) -> list[Instruction]:
    """Refuse if the argument has all of the bits, else continue."""
    return [_argument(position), (AND, 0, 0, bits), (JUMP_EQUAL, 0, 1, bits), _refuse(error)]


def _unless_bits(position: int, bits: int) -> list[Instruction]:
    """Allow if the argument has any of the bits, else refuse."""
    return [_argument(position), (JUMP_BITS, 0, 1, bits), _allow(), _refuse(errno.EPERM)]


def _own_clock() -> list[Instruction]:
    """Refuse the clock of another process: a bot must not learn how much another has used."""
    return [_argument(0), (JUMP_AT_LEAST, 0, 1, OTHERS_CLOCK), _refuse(errno.EINVAL), _allow()]


def _wakes_nobody_else() -> list[Instruction]:
    """Refuse to wake others: two processes that have mapped the same file share its futexes.

    Waiting on a shared futex is allowed: it is how a thread is joined, and the kernel ends that wait itself.
    """
    waits = [(JUMP_EQUAL, 0, 1, wait) for wait in (FUTEX_WAIT, FUTEX_WAIT_BITSET)]
    allowed = [step for wait in waits for step in (wait, _allow())]
    private = [_argument(1), (JUMP_BITS, 0, 1, PRIVATE_FUTEX), _allow()]
    return [*private, (AND, 0, 0, FUTEX_COMMAND), *allowed, _refuse(errno.EPERM)]


def _is_null(position: int) -> list[Instruction]:
    """Refuse unless both halves of a pointer are zero."""
    halves = (ARGUMENTS + 8 * position, ARGUMENTS + 8 * position + 4)
    return [step for at in halves for step in ((LOAD, 0, 0, at), (JUMP_EQUAL, 1, 0, 0), _refuse(errno.EPERM))]


def _signal_to_itself(own_pid: int, position: int) -> list[Instruction]:
    """Allow a signal (the argument at `position`) to itself, unless it is one of the four of `signals`."""
    itself = [_argument(0), (JUMP_EQUAL, 1, 0, own_pid), _refuse(errno.EPERM)]
    four = [step for value in FROM_OUTSIDE for step in ((JUMP_EQUAL, 0, 1, value), _refuse(errno.EPERM))]
    return [*itself, _argument(position), *four, _allow()]


def _one_of(position: int, values: tuple[int, ...], error: int) -> list[Instruction]:
    tests = [step for value in values for step in ((JUMP_EQUAL, 0, 1, value), _allow())]
    return [_argument(position), *tests, _refuse(error)]
