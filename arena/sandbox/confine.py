"""The walls around a bot's process, each a function that raises OSError if the kernel refuses it.

In order of use: namespaces and an own root folder, resource limits, no user and no capabilities, Landlock;
the system call filter comes last (`seccomp`). None of it needs root; with root the bot also gets a user id
that owns nothing.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import struct
from collections.abc import Iterable

from arena.sandbox.syscalls import call, fork_with, libc

CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x20000, 0x4000000, 0x8000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000

MS_BIND, MS_REC, MS_PRIVATE, MNT_DETACH = 4096, 16384, 1 << 18, 2
AT_FDCWD, AT_RECURSIVE = -100, 0x8000
READ_ONLY = 0x1 | 0x2 | 0x4  # MOUNT_ATTR_RDONLY, NOSUID, NODEV

NOTHING = "/nothing"
"""An empty folder below the new root."""

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 4, 24, 38


def new_namespaces() -> None:
    """Give this process its own user, mount, network, IPC and UTS (host name) namespaces.

    Root needs no user namespace, and keeps the power to make more; any other user gets that power only inside
    a user namespace.
    """
    others = CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS
    uid, gid = os.geteuid(), os.getegid()
    if uid == 0:
        libc("unshare", others)
        return
    libc("unshare", others | CLONE_NEWUSER)
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{uid} {uid} 1")
    _write("/proc/self/gid_map", f"{gid} {gid} 1")


def new_root(visible: Iterable[str], at: str) -> None:
    """Make a root folder that has only what is `visible`, read-only, under the same paths.

    `at` is an empty folder to build it in. Needs an own mount namespace.
    """
    _mount("none", "/", None, MS_REC | MS_PRIVATE)
    _mount("arena", at, "tmpfs", 0, "size=1m,mode=755")
    for place in visible:
        _show(place, at + place)
    for empty in ("/bot", NOTHING):
        os.makedirs(at + empty, exist_ok=True)
    os.chdir(at)
    call("pivot_root", b".", b".")
    libc("umount2", b".", MNT_DETACH)
    os.chdir("/")
    _set_read_only("/")


def own_folder(folder: str, hidden: str) -> str:
    """Show a folder as `/bot` to this process only, hide the folder above it, and return its new path."""
    libc("unshare", CLONE_NEWNS)
    _mount(folder, "/bot", None, MS_BIND)
    libc("umount2", hidden.encode(), MNT_DETACH)
    return "/bot"


def cover(places: Iterable[str]) -> None:
    """Put an empty folder over each of some folders, for this process only; needs an own mount namespace."""
    for place in places:
        _mount(NOTHING, place, None, MS_BIND)


def fork_apart() -> int:
    """Fork a child that is process 1 of its own PID namespace, in which it sees no other process.

    It works like `os.fork` with one more flag. Entering such a namespace first and coming back needs root.
    """
    python = ctypes.pythonapi
    python.PyOS_BeforeFork()
    pid = -1
    try:
        pid = fork_with(CLONE_NEWPID | signal.SIGCHLD)
    finally:
        python.PyOS_AfterFork_Child() if pid == 0 else python.PyOS_AfterFork_Parent()
    return pid


def own_user_namespace() -> None:
    """Count the threads of this process separately from others of the same user."""
    libc("unshare", CLONE_NEWUSER)


def limit_resources(data_mib: int, address_mib: int, most_threads: int) -> None:
    """Set the limits that the kernel enforces: data, files, processes, core dumps, locked memory, queues."""
    limits = {
        resource.RLIMIT_DATA: data_mib * 1024 * 1024,
        resource.RLIMIT_AS: address_mib * 1024 * 1024,
        resource.RLIMIT_STACK: 64 * 1024 * 1024,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: 64,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_NPROC: most_threads,
    }
    for kind, value in limits.items():
        hard = resource.getrlimit(kind)[1]
        allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (allowed, allowed))


def never_gain() -> None:
    """Make sure that no child of this process gains a capability by executing a program.

    A new user namespace undoes this. The process keeps the capabilities that it has.
    """
    for capability in range(64):
        with contextlib.suppress(OSError):  # past the last capability, or not ours to drop
            libc("prctl", PR_CAPBSET_DROP, capability, 0, 0, 0)


def drop_privileges(private_uid: int | None) -> None:
    """Give up every capability of this process; if it is root, also the user id."""
    if private_uid is not None:
        os.setgroups([])
        os.setresgid(private_uid, private_uid, private_uid)
        os.setresuid(private_uid, private_uid, private_uid)
    header = struct.pack("=Ii", 0x20080522, 0)
    call("capset", ctypes.c_char_p(header), ctypes.c_char_p(bytes(24)))


def die_with_parent() -> None:
    """Let the kernel end this process when its parent ends. A change of user undoes this: call it later."""
    libc("prctl", PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)


def landlock_version() -> int:
    """Return the version of Landlock that this kernel has; OSError if it has none."""
    return call("landlock_create_ruleset", None, 0, 1)


def landlock_rule(place: str, is_listed_only: bool = False) -> bytes:
    """Return the rule that lets a process read a folder or file, or only list what is in it.

    It keeps the place open.
    """
    EXECUTE, READ_FILE, READ_DIR = 1, 4, 8  # noqa: N806 - the kernel's names
    rights = 0 if is_listed_only else EXECUTE | READ_FILE
    rights |= READ_DIR if os.path.isdir(place) else 0
    return struct.pack("=Qi", rights, os.open(place, os.O_PATH | os.O_CLOEXEC))


def landlock_rules_without(place: str, hidden: Iterable[str]) -> list[bytes]:
    """Return the rules that let a process read a folder except for what is hidden in it.

    Landlock cannot take anything out of a folder. So the folders on the way may be listed, which imports
    need, and what else is in them has rules of its own.
    """
    inside = [path for path in hidden if path.startswith(place.rstrip("/") + "/")]
    if not inside:
        return [landlock_rule(place)]
    shown = [path for path in (os.path.join(place, name) for name in os.listdir(place)) if path not in inside]
    real = [path for path in shown if not os.path.islink(path)]
    return [
        landlock_rule(place, is_listed_only=True),
        *(rule for path in real for rule in landlock_rules_without(path, inside)),
    ]


def landlock_ruleset(version: int, rules: Iterable[bytes]) -> int:
    """Return an open ruleset: open only what the rules name, and do not connect to or signal anybody.

    It cannot be made once for all bots: the kernel cannot copy one, and each bot needs a rule for its own
    folder. It must be made before the number of open files is limited: rules may have many.
    """
    handled = (1 << {1: 13, 2: 14, 3: 15, 4: 15}.get(version, 16)) - 1
    attributes = struct.pack("=QQQ", handled, 3 if version >= 4 else 0, 3 if version >= 6 else 0)
    size = 8 if version < 4 else 16 if version < 6 else 24
    ruleset = call("landlock_create_ruleset", attributes, size, 0)
    for rule in rules:
        call("landlock_add_rule", ruleset, 1, rule, 0)
    return ruleset


def landlock(ruleset: int) -> None:
    """Put this process under a ruleset, for good."""
    libc("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    call("landlock_restrict_self", ruleset, 0)
    os.close(ruleset)


def _mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    encoded = [None if text is None else text.encode() for text in (source, target, kind)]
    libc("mount", *encoded, ctypes.c_ulong(flags), None if data is None else data.encode())


def _set_read_only(path: str) -> None:
    attributes = struct.pack("=QQQQ", READ_ONLY, 0, 0, 0)
    arguments = (path.encode(), ctypes.c_uint(AT_RECURSIVE), ctypes.c_char_p(attributes), ctypes.c_size_t(32))
    call("mount_setattr", AT_FDCWD, *arguments)


def _show(place: str, target: str) -> None:
    """Show a file, folder or link of ours at a path below the new root."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.islink(place):
        os.symlink(os.readlink(place), target)
        return
    if os.path.isdir(place):
        os.makedirs(target, exist_ok=True)
    else:
        os.close(os.open(target, os.O_CREAT, 0o600))
    _mount(place, target, None, MS_BIND | MS_REC)


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)
