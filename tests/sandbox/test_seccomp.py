"""The filter of system calls, run by a small interpreter of our own, for both kinds of machine.

What the kernel does with it on this machine is shown by the hostile bots; this shows what it says for every
call on either machine, which nobody has at hand.
"""

import errno
import os
import struct

import pytest

from arena.sandbox import seccomp, syscalls

OWN_PID = 7
ALLOW, KILL = "allow", "kill"
CLONE_THREAD, CLONE_VM, CLONE_NEWUSER = 0x10000, 0x100, 0x10000000


@pytest.fixture(params=syscalls.MACHINES)
def machine(request, monkeypatch):
    """The name of a machine whose numbers and filter are used."""
    column = syscalls.MACHINES[request.param]
    monkeypatch.setattr(syscalls, "machine", lambda: column)
    monkeypatch.setattr(seccomp, "machine", lambda: column)
    return request.param


def verdict(program: bytes, machine: str, number: int, *arguments: int, arch: int | None = None):
    """What the filter says of a call: allow, kill, or the error it fails with."""
    own = seccomp.AUDIT_ARCH[syscalls.MACHINES[machine]]
    padded = (*arguments, *[0] * (6 - len(arguments)))
    data = struct.pack(
        "<IIQ6Q", number, own if arch is None else arch, 0, *(a & (1 << 64) - 1 for a in padded)
    )
    code = list(struct.iter_unpack("=HBBI", program))
    accumulator, at = 0, 0
    while True:
        operation, if_true, if_false, k = code[at]
        at += 1
        if operation == seccomp.LOAD:
            (accumulator,) = struct.unpack_from("<I", data, k)
        elif operation == seccomp.RETURN:
            return ALLOW if k == seccomp.ALLOW else KILL if k == seccomp.KILL else errno.errorcode[k & 0xFFFF]
        else:
            tests = {
                seccomp.JUMP_EQUAL: accumulator == k,
                seccomp.JUMP_AT_LEAST: accumulator >= k,
                seccomp.JUMP_BITS: bool(accumulator & k),
            }
            if operation == seccomp.AND:
                accumulator &= k
                continue
            at += if_true if tests[operation] else if_false


def says(machine: str, name: str, *arguments: int, is_command: bool = False):
    found = syscalls.number(name)
    program = seccomp.filter_program(OWN_PID, is_command)
    return None if found is None else verdict(program, machine, found, *arguments)


def test_every_listed_call_is_allowed_and_no_other(machine):
    """Of all numbers up to 1,000, those that take no condition are allowed just if they are listed."""
    program = seccomp.filter_program(OWN_PID, is_command=False)
    listed = {syscalls.number(name) for name in seccomp.PYTHON} - {None}
    conditional = {
        syscalls.number(name)
        for name in (
            "ioctl",
            "fcntl",
            "kill",
            "tkill",
            "tgkill",
            "prlimit64",
            "open",
            "openat",
            "clone3",
            "mmap",
            "futex",
            "clock_gettime",
            "clock_getres",
            "clock_nanosleep",
        )
    }
    found = {number for number in range(1000) if verdict(program, machine, number, 99, 99, 99) == ALLOW}
    assert found - conditional == listed
    assert listed & conditional == set()


def test_the_dangerous_calls_are_not_listed():
    """By name: what could reach the network, other processes, the kernel's corners or the disk."""
    dangerous = """
        socket connect bind sendto sendmsg fork vfork clone execve execveat ptrace process_vm_readv process_vm_writev
        mount umount2 pivot_root chroot unshare setns bpf perf_event_open io_uring_setup keyctl add_key request_key
        userfaultfd memfd_create kexec_load init_module reboot setuid setgid capset setpriority sched_setaffinity
        unlink rename mkdir chmod chown truncate ftruncate fallocate creat link symlink mknod shmget msgget semget
        prctl seccomp personality modify_ldt name_to_handle_at open_by_handle_at pidfd_open pidfd_getfd kcmp timer_create
        setxattr utimensat inotify_init fanotify_init vmsplice splice tee sendfile pipe2 eventfd2 quotactl acct swapon
    """.split()
    assert set(dangerous) & set(seccomp.PYTHON) == set()


def test_another_machines_calls_end_the_process(machine):
    """Numbers mean something else there, and to x32, so neither is ever looked up."""
    program = seccomp.filter_program(OWN_PID, is_command=False)
    read = syscalls.number("read")
    assert read is not None
    for arch in {*seccomp.AUDIT_ARCH.values(), 0x40000003} - {seccomp.AUDIT_ARCH[syscalls.MACHINES[machine]]}:
        assert verdict(program, machine, read, arch=arch) == KILL
    assert verdict(program, machine, read | seccomp.X32_BIT) == KILL


def test_files_are_opened_for_reading_only(machine):
    """Any flag that could write or create is refused."""
    assert says(machine, "openat", -100, 0, 0) == ALLOW
    assert says(machine, "openat", -100, 0, 0o2000000) == ALLOW  # close-on-exec
    for flag in (0o1, 0o2, 0o100, 0o1000, 0o2000, 0o20200000):
        assert says(machine, "openat", -100, 0, flag) == "EACCES"
        assert says(machine, "open", 0, flag) in ("EACCES", None)


def test_a_bot_may_signal_itself_and_nobody_else(machine):
    """abort() works; parents, groups and everybody do not hear of it."""
    for name in ("kill", "tkill", "tgkill"):
        assert says(machine, name, OWN_PID, 6) == ALLOW
        for other in (0, 1, OWN_PID + 1, -1, -OWN_PID):
            assert says(machine, name, other, 6) == "EPERM"


def test_a_bot_may_not_send_itself_a_signal_after_which_a_game_is_played_once_more(machine):
    """Not HUP, QUIT, KILL or TERM, by any of the three calls; every other signal may be sent."""
    for is_command in (False, True):
        for number in range(65):
            wanted = "EPERM" if number in (1, 3, 9, 15) else ALLOW
            for upper in (0, 1 << 32):  # the kernel takes the lower half
                for name in ("kill", "tkill"):
                    assert says(machine, name, OWN_PID, number | upper, is_command=is_command) == wanted
                thread = OWN_PID + 3  # of its own: the process is the first argument
                for own in (OWN_PID, thread):
                    given = (OWN_PID, own, number | upper)
                    assert says(machine, "tgkill", *given, is_command=is_command) == wanted


def test_nothing_else_brings_such_a_signal_about():
    """By name: queues, timers of the bot's choice, deaths of parents and of children, owners, limits, traces."""
    ways = """
        rt_sigqueueinfo rt_tgsigqueueinfo pidfd_send_signal timer_create timer_settime mq_notify setrlimit ptrace
        process_madvise process_mrelease fork vfork setsid setpgid vhangup io_submit io_uring_enter landlock_restrict_self
    """.split()
    assert set(ways) & {*seccomp.PYTHON, *seccomp.COMMAND} == set()


def test_memory_may_be_private_or_of_a_file_but_not_shared_and_nameless(machine):
    """Shared memory without a file could be hoarded without being anybody's."""
    for is_command in (False, True):
        assert says(machine, "mmap", 0, 4096, 1, 0x01, 5, is_command=is_command) == ALLOW  # shared, of a file
        assert (
            says(machine, "mmap", 0, 4096, 3, 0x22, -1, is_command=is_command) == ALLOW
        )  # private, anonymous
        assert (
            says(machine, "mmap", 0, 4096, 1, 0x02, 5, is_command=is_command) == ALLOW
        )  # private, of a file
        assert says(machine, "mmap", 0, 4096, 3, 0x21, -1, is_command=is_command) == "EPERM"
        assert says(machine, "mmap", 0, 4096, 3, 0x23, -1, is_command=is_command) == "EPERM"


def test_nobody_wakes_another_process(machine):
    """On a file that two have mapped a futex is common to them; a thread that is joined is waited for."""
    for is_command in (False, True):
        for operation in range(14):
            for clock in (0, 256):
                private, common = operation | 128 | clock, operation | clock
                assert says(machine, "futex", 0, private, 1, is_command=is_command) == ALLOW
                wanted = ALLOW if operation in (0, 9) else "EPERM"
                assert says(machine, "futex", 0, common, 1, is_command=is_command) == wanted


def test_the_clocks_of_others_cannot_be_read(machine):
    """Negative numbers are clocks of processes and threads; one's own has a number of its own."""
    for is_command in (False, True):
        for name in ("clock_gettime", "clock_getres", "clock_nanosleep"):
            for clock in range(12):
                assert says(machine, name, clock, is_command=is_command) == ALLOW
            for pid in (0, 1, OWN_PID, 1 << 22):
                for kind in (0, 1, 2, 3, 6):
                    clock = (~pid << 3 | kind) & 0xFFFFFFFF
                    assert says(machine, name, clock, is_command=is_command) == "EINVAL"


def test_the_machines_state_is_not_told():
    """How much memory is free, how many processes there are and how busy they are."""
    assert {"sysinfo", "statfs", "fstatfs", "mincore"} & {*seccomp.PYTHON, *seccomp.COMMAND} == set()


def test_limits_can_be_read_and_not_set(machine):
    """A new limit, at any address, is refused."""
    assert says(machine, "prlimit64", 0, 7, 0, 0x1000) == ALLOW
    assert says(machine, "prlimit64", 0, 7, 0x1000, 0) == "EPERM"
    assert says(machine, "prlimit64", 0, 7, 0x100000000, 0) == "EPERM"


def test_descriptors_cannot_be_made_to_signal_or_to_grow(machine):
    """Owners, signals and pipe sizes are refused; terminals are not there."""
    assert says(machine, "fcntl", 3, 4, 0o4000) == ALLOW
    for command in (8, 10, 1031, 1026, 1033):
        assert says(machine, "fcntl", 3, command, 1) == "EPERM"
    assert says(machine, "ioctl", 1, 0x5401) == "ENOTTY"


def test_a_command_may_have_threads_and_no_processes(machine):
    """Threads need clone with just these flags; a process, or a namespace, is refused, and clone3 not there."""
    thread = CLONE_THREAD | CLONE_VM | 0xF00
    assert says(machine, "clone", thread, is_command=True) == ALLOW
    assert says(machine, "clone", 17, is_command=True) == "EPERM"
    assert says(machine, "clone", thread | CLONE_NEWUSER, is_command=True) == "EPERM"
    assert says(machine, "clone", thread | 0x4000, is_command=True) == "EPERM"  # vfork: it evades SIGSTOP
    for exit_signal in (1, 3, 9, 15, 17):
        assert says(machine, "clone", thread | exit_signal, is_command=True) == "EPERM"
    assert says(machine, "clone", thread) == "EPERM"
    for is_command in (False, True):
        assert says(machine, "clone3", is_command=is_command) == "ENOSYS"
    assert says(machine, "execve", is_command=True) == ALLOW
    assert says(machine, "execve") == "EPERM"
    assert says(machine, "prctl", 15, is_command=True) == ALLOW
    assert says(machine, "prctl", 1, is_command=True) == "EPERM"


def test_the_numbers_are_those_of_this_machines_headers():
    """Where the kernel's headers are installed, every number agrees with them."""
    import re
    from pathlib import Path

    headers = {
        0: Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
        1: Path("/usr/include/asm-generic/unistd.h"),
    }
    checked = 0
    for column, path in headers.items():
        if not path.exists():
            continue
        found = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", path.read_text()))
        found.setdefault("newfstatat", found.get("fstatat", ""))
        for name, numbers in syscalls.NUMBERS.items():
            if name in found and numbers[column] is not None:
                assert int(found[name]) == numbers[column], (name, column)
                checked += 1
    assert checked > 100 or not any(path.exists() for path in headers.values())


@pytest.mark.parametrize("is_command", [False, True])
def test_a_filter_made_in_advance_is_the_one_for_the_process_that_installs_it(is_command, monkeypatch):
    """The process id is filled in wherever it counts, and nothing else is changed."""
    made = seccomp.Filter(is_command)
    monkeypatch.setattr(os, "getpid", lambda: OWN_PID)
    monkeypatch.setattr(seccomp, "libc", lambda *arguments: 0)
    monkeypatch.setattr(seccomp, "call", lambda *arguments: 0)
    made.install()
    assert made._buffer.raw == seccomp.filter_program(OWN_PID, is_command)
