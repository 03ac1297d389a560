"""The stage on which hostile bots are tried: things to steal, to break and to reach, and eyes on all of them.

    with Stage() as stage:
        path = stage.write("tcp_connect")       # a bot file in a folder of its own
        printed = ...                           # run it, confined or not, and keep what it printed
        assert stage.observed(printed) == set()

Listeners have no thread: what arrives waits in the kernel until it is looked for, so nothing is missed,
and a test that forks has one thread only.
"""

from __future__ import annotations

import ast
import ctypes
import hashlib
import os
import re
import secrets
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import arena
from tests.hostile.odd_sources import ODD_SOURCES

BOTS = Path(__file__).parent / "bots"

KINDS = (
    "network",
    "files",
    "processes",
    "memory of others",
    "own memory",
    "descriptors",
    "wire",
    "time",
    "kernel corners",
    "exits",
    "in-process",
    "source files",
)

PROOFS = {
    "received": "a listener of the stage was reached",
    "touched": "a file, a folder or a kernel object with a name was made or changed",
    "leaked": "a secret was printed",
    "victim": "the victim is dead, stopped, or not as it was",
    "process": "a process that carries the stage's mark is alive",
    "granted": "the bot printed `granted` and the mark: the kernel gave it what it must not have",
    "cheated": "the referee's record is not what the rules say: see `is_cheated`; `observed` cannot know",
    "none": "nothing to see",
}

ENDINGS = ("plays", "no-start", "crash", "timeout", "memory", "garbage", "illegal")

VICTIM = """
import sys
secret = sys.stdin.buffer.readline().strip()
kept = open("secret.txt")
print(id(secret) + bytes.__basicsize__ - 1, flush=True)
sys.stdin.read()
"""

SHARED_PLACES = ("/tmp", "/var/tmp", "/dev/shm")
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/urandom", "/dev/tty")

_libc = ctypes.CDLL(None, use_errno=True)


class Hostile(NamedTuple):
    """A hostile bot, as its docstring tells."""

    name: str
    attack: str  # one sentence
    kind: str
    proof: str  # how its success is seen, one of PROOFS
    control: bool  # whether it must be seen to succeed without a sandbox
    needs: tuple[str, ...]  # of NEEDS, what the machine must offer for that
    why_not: str  # why there is no control
    expect: tuple[str, ...]  # endings that are right when it is contained; `plays` is a game without forfeit
    source: bytes  # with placeholders

    def missing(self) -> list[str]:
        """What this machine does not offer of what the attack needs to succeed without a sandbox."""
        return [need for need in self.needs if not NEEDS[need]()]


def hostile_bots() -> list[Hostile]:
    """Return all hostile bots by kind and name; ValueError says what is wrong with a docstring."""
    return list(_hostile_bots())


@cache
def _hostile_bots() -> tuple[Hostile, ...]:
    found = [_of_file(path) for path in BOTS.glob("*.py")]
    found += [parsed(make.__name__, make.__doc__, make()) for make in ODD_SOURCES]
    names = [bot.name for bot in found]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(f"two hostile bots are called {', '.join(sorted(twice))}")
    return tuple(sorted(found, key=lambda bot: (KINDS.index(bot.kind), bot.name)))


def _of_file(path: Path) -> Hostile:
    source = path.read_bytes()
    return parsed(path.stem, ast.get_docstring(ast.parse(source)), source)


_SHAPE = re.compile(
    r"(?P<attack>[^\n]+\.)\n\n"
    r"kind: (?P<kind>[a-z -]+)\n"
    r"proof: (?P<proof>[a-z]+)\n"
    r"control: (?:(?P<control>yes)(?:, given (?P<needs>\w+(?: and \w+)*))?|no: (?P<why_not>[^\n]+))\n"
    r"expect: (?P<expect>[a-z-]+(?:, [a-z-]+)*)"
)


def parsed(name: str, docstring: str | None, source: bytes = b"") -> Hostile:
    """Return a bot from its docstring; ValueError if that is not exactly as it should be."""
    text = "\n".join(line.strip() for line in (docstring or "").strip().splitlines())
    match = _SHAPE.fullmatch(text)
    if match is None:
        raise ValueError(
            f"{name}: the docstring must be a sentence, then kind, proof, control, expect: {text}"
        )
    said = match.groupdict()
    needs = tuple(said["needs"].split(" and ")) if said["needs"] else ()
    expect = tuple(said["expect"].split(", "))
    wrong = [
        f"{name}: {what}"
        for what, is_wrong in [
            ("a name is of letters, digits, _ . -", not re.fullmatch(r"[A-Za-z0-9][\w.-]{0,63}", name, re.A)),
            (f"unknown kind {said['kind']!r}", said["kind"] not in KINDS),
            (f"unknown proof {said['proof']!r}", said["proof"] not in PROOFS),
            (f"unknown need in {needs}", not set(needs) <= set(NEEDS)),
            (f"unknown ending in {expect}", not set(expect) <= set(ENDINGS)),
            (f"an ending twice in {expect}", len(set(expect)) != len(expect)),
            ("a control needs a proof", said["control"] is not None and said["proof"] == "none"),
        ]
        if is_wrong
    ]
    if wrong:
        raise ValueError("; ".join(wrong))
    return Hostile(
        name=name,
        attack=said["attack"],
        kind=said["kind"],
        proof=said["proof"],
        control=said["control"] is not None,
        needs=needs,
        why_not=said["why_not"] or "",
        expect=expect,
        source=source,
    )


def is_cheated(variant: str, moves: list[int], winner: int | None) -> bool:
    """Whether a referee's record breaks the rules: an illegal move in it, or a winner who has not won.

    The moves are those the referee accepted; `winner` is None while it holds that the game goes on.
    """
    try:
        position = arena.variant(variant).replay(moves)
    except arena.IllegalMove:
        return True
    return position.winner != winner


def _setting(name: str, otherwise: int) -> int:
    """A number from /proc/sys; `otherwise` where the kernel does not have it."""
    try:
        return int(Path("/proc/sys", name).read_text())
    except (OSError, ValueError):
        return otherwise


def _is_root() -> bool:
    return os.geteuid() == 0


def _has_user_namespaces() -> bool:
    is_open_to_all = (
        _setting("kernel/unprivileged_userns_clone", 1) == 1
        and _setting("kernel/apparmor_restrict_unprivileged_userns", 0) == 0
    )
    return _setting("user/max_user_namespaces", 0) > 0 and (_is_root() or is_open_to_all)


def _has_capability(number: int) -> bool:
    told = re.search(r"^CapEff:\s*(\w+)$", Path("/proc/self/status").read_text(), re.M)
    return told is not None and bool(int(told[1], 16) >> number & 1)


def _has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as line:
            line.bind(("::1", 0))
    except OSError:
        return False
    return True


def _has_xattr() -> bool:
    with tempfile.NamedTemporaryFile() as file:
        try:
            os.setxattr(file.name, "user.arena", b"x")
        except OSError:
            return False
    return True


# What an attack may need of a machine to succeed without a sandbox.
NEEDS: dict[str, Callable[[], bool]] = {
    "root": _is_root,
    "root_over_limits": lambda: _has_capability(24),  # CAP_SYS_RESOURCE, which some machines take from root
    "x86_64": lambda: os.uname().machine == "x86_64",
    "cores": lambda: len(os.sched_getaffinity(0)) > 1,
    "ipv6": _has_ipv6,
    "xattr": _has_xattr,
    "vsock": lambda: "AF_VSOCK" in Path("/proc/net/protocols").read_text(),
    "mptcp": lambda: _setting("net/mptcp/enabled", 0) == 1,
    "fastopen": lambda: _setting("net/ipv4/tcp_fastopen", 0) & 1 == 1,
    "ptrace": lambda: _setting("kernel/yama/ptrace_scope", 0) == 0 or _is_root(),
    "user_namespaces": _has_user_namespaces,
    "io_uring": lambda: _setting("kernel/io_uring_disabled", 0) == 0,
    "perf": lambda: _setting("kernel/perf_event_paranoid", 9) <= 2,
    # Docker and its kin filter system calls already; then the kernel's corners need not be open.
    "all_calls": lambda: "\nSeccomp:\t0\n" in Path("/proc/self/status").read_text(),
}


class Stage:
    """A folder, listeners, a victim and secrets for one bot, watched, and cleared away at the end.

    `inheritable`: descriptors that a careless host lets a bot inherit: victim.txt for writing, the folder.
    `secrets`: what must not be printed, by where it lies.
    """

    def __init__(self) -> None:
        self.mark = f"arena{secrets.token_hex(5)}"  # 15 letters: what the name of a thread may have
        self.secrets = {where: secrets.token_hex(16) for where in SECRETS}
        self.secrets["/etc/passwd"] = _first_line("/etc/passwd")
        self.inheritable: tuple[int, ...] = ()
        self._seen: set[str] = set()
        self._pictures: dict[Path, dict[str, object]] = {}
        self._listeners: list[socket.socket] = []
        self._written = 0
        self._modes = {device: mode for device in DEVICES if (mode := _mode(device)) is not None}

    def __enter__(self) -> Stage:
        with ExitStack() as undo:
            self._base = Path(tempfile.mkdtemp(prefix="arena-hostile-"))
            undo.callback(self._remove_files)
            undo.callback(self._restore_devices)
            self._base.chmod(0o755)
            self._fill_folder()
            undo.callback(self._kill_marked)
            self._listen(undo)
            self._set_environment(undo)
            self._start_victim(undo)
            self._undo = undo.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._undo.close()

    @property
    def folder(self) -> Path:
        """What @FOLDER@ stands for. Everybody may read and write it, so that only a sandbox protects it."""
        return self._base / "folder"

    @property
    def victim(self) -> int:
        """The pid of a process of the same user that a bot must not reach."""
        return self._victim.pid

    def write(self, name: str) -> Path:
        """Write a hostile bot, its placeholders replaced, into a fresh folder; return the file."""
        source = next(bot.source for bot in _hostile_bots() if bot.name == name)
        return self.write_source(name, source)

    def write_source(self, name: str, source: bytes) -> Path:
        """Write any source as a bot, its placeholders replaced, into a fresh folder; return the file."""
        for placeholder, value in self._placeholders().items():
            source = source.replace(b"@%b@" % placeholder.encode(), value.encode())
        self._written += 1
        path = self._base / f"bot-{self._written}" / f"{name}.py"
        path.parent.mkdir(mode=0o755)
        path.write_bytes(source)
        self._pictures[path.parent] = _picture(path.parent)
        return path

    def observed(self, printed: str = "") -> set[str]:
        """Return the proofs seen so far: in what was printed, and in the state of things by now."""
        if any(secret in printed for secret in self.secrets.values()):
            self._seen.add("leaked")
        if f"granted {self.mark}" in printed:
            self._seen.add("granted")
        if any(_has_arrival(listener) for listener in self._listeners):
            self._seen.add("received")
        if self._is_touched():
            self._seen.add("touched")
        if self._victim_state() != self._victim_before:
            self._seen.add("victim")
        if self.marked_processes():
            self._seen.add("process")
        return set(self._seen)

    def leaked(self, printed: str) -> list[str]:
        """Return where the secrets lie that were printed."""
        return [where for where, secret in self.secrets.items() if secret in printed]

    def marked_processes(self) -> list[int]:
        """Return the live processes that carry the mark in their name, command line or environment."""
        ours = {os.getpid(), self.victim}
        pids = {int(entry) for entry in os.listdir("/proc") if entry.isdigit()} - ours
        return sorted(pid for pid in pids if self._is_marked(pid))

    def _placeholders(self) -> dict[str, str]:
        tcp, tcp6, udp, *_ = self._listeners
        return {
            "FOLDER": str(self.folder),
            "TCP": str(tcp.getsockname()[1]),
            "TCP6": str(tcp6.getsockname()[1]) if tcp6.family == socket.AF_INET6 else "1",
            "UDP": str(udp.getsockname()[1]),
            "UNIX": str(self._base / "listener"),
            "ABSTRACT": self.mark,
            "VICTIM": str(self.victim),
            "ADDRESS": str(self._address),
            "MARK": self.mark,
        }

    def _fill_folder(self) -> None:
        folder = self.folder
        (folder / "empty").mkdir(parents=True)
        (folder / "secret.txt").write_text(self.secrets["secret.txt"])
        (folder / "victim.txt").write_text(self.secrets["victim.txt"])
        (folder / self.secrets["a file's name"]).touch()
        (folder / "link").symlink_to(self.secrets["a link's target"])
        with suppress(OSError):
            os.setxattr(folder / "secret.txt", "user.secret", self.secrets["an attribute"].encode())
        for path in (folder, folder / "empty", folder / "secret.txt", folder / "victim.txt"):
            path.chmod(0o777 if path.is_dir() else 0o666)
        self._pictures[folder] = _picture(folder)

    def _listen(self, undo: ExitStack) -> None:
        six = socket.AF_INET6 if _has_ipv6() else socket.AF_INET
        places: list[tuple[int, int, Any]] = [
            (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            (six, socket.SOCK_STREAM, ("::1" if six == socket.AF_INET6 else "127.0.0.1", 0)),
            (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
            (socket.AF_UNIX, socket.SOCK_STREAM, str(self._base / "listener")),
            (socket.AF_UNIX, socket.SOCK_STREAM, f"\0{self.mark}"),
        ]
        for family, type_, address in places:
            listener = undo.enter_context(socket.socket(family, type_))
            listener.bind(address)
            listener.setblocking(False)
            if type_ == socket.SOCK_STREAM:
                listener.listen()
            self._listeners.append(listener)
        (self._base / "listener").chmod(0o777)

    def _set_environment(self, undo: ExitStack) -> None:
        before = os.environ.get("ARENA_TEST_SECRET")
        os.environ["ARENA_TEST_SECRET"] = self.secrets["our environment"]
        undo.callback(_restore_environment, before)
        writable = os.open(self.folder / "victim.txt", os.O_WRONLY)
        undo.callback(os.close, writable)
        folder = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        undo.callback(os.close, folder)
        self.inheritable = (writable, folder)
        for descriptor in self.inheritable:
            os.set_inheritable(descriptor, True)

    def _start_victim(self, undo: ExitStack) -> None:
        self._victim = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", VICTIM, self.secrets["the victim's argument"]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"ARENA_TEST_SECRET": self.secrets["the victim's environment"]},
            cwd=self.folder,
            start_new_session=True,
        )
        undo.callback(self._end_victim)
        assert self._victim.stdin is not None
        assert self._victim.stdout is not None
        self._victim.stdin.write(self.secrets["the victim's memory"].encode() + b"\n")
        self._victim.stdin.flush()
        self._address = int(self._victim.stdout.readline())
        self._victim_before = self._victim_state()
        assert self._victim_before is not None, "the victim must live"

    def _end_victim(self) -> None:
        self._victim.kill()
        self._victim.wait()
        for pipe in (self._victim.stdin, self._victim.stdout):
            assert pipe is not None
            pipe.close()

    def _victim_state(self) -> tuple[object, ...] | None:
        """All of the victim that others can change; None if it is dead or stopped."""
        pid = self.victim
        if self._victim.poll() is not None or _state(pid) in "TtZX":
            return None
        try:
            with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
                memory.seek(self._address)
                secret = memory.read(32)
            return (
                secret,
                os.getpriority(os.PRIO_PROCESS, pid),
                os.sched_getaffinity(pid),
                os.sched_getscheduler(pid),
                Path(f"/proc/{pid}/limits").read_text(),
                Path(f"/proc/{pid}/oom_score_adj").read_text(),
            )
        except OSError:
            return None

    def _is_touched(self) -> bool:
        if any(_picture(folder) != picture for folder, picture in self._pictures.items()):
            return True
        if any(_mode(device) != mode for device, mode in self._modes.items()):
            return True
        return bool(self._marked_files() or self._has_shared_memory() or self._had_message_queue())

    def _marked_files(self) -> list[Path]:
        return [Path(place, name) for place in SHARED_PLACES for name in _names(place) if self.mark in name]

    def _has_shared_memory(self) -> bool:
        """Whether there is System V shared memory under the key that the mark ends with."""
        with suppress(OSError):
            lines = Path("/proc/sysvipc/shm").read_text().splitlines()[1:]
            return str(self._key()) in [line.split()[0] for line in lines]
        return False

    def _key(self) -> int:
        return int(self.mark[-7:], 16)

    def _had_message_queue(self) -> bool:
        """Whether there was a POSIX message queue of that name; it is removed by looking."""
        return hasattr(_libc, "mq_unlink") and _libc.mq_unlink(f"/{self.mark}".encode()) == 0

    def _is_marked(self, pid: int) -> bool:
        mark = self.mark.encode()
        for part in ("comm", "cmdline", "environ"):
            with suppress(OSError), open(f"/proc/{pid}/{part}", "rb", buffering=0) as file:
                if mark in file.readall():
                    return _state(pid) not in "ZX"
        return False

    def _kill_marked(self) -> None:
        """Kill what carries the mark, through a handle that stays with the process that was looked at."""
        for pid in self.marked_processes():
            with suppress(OSError):
                handle = os.pidfd_open(pid)
                try:
                    if self._is_marked(pid):
                        signal.pidfd_send_signal(handle, signal.SIGKILL)
                finally:
                    os.close(handle)

    def _restore_devices(self) -> None:
        """Give devices their modes back: a bot of root's that inherits one can lock everybody out of it."""
        for device, mode in self._modes.items():
            if _mode(device) != mode:
                os.chmod(device, mode)

    def _remove_files(self) -> None:
        if self._has_shared_memory():
            _libc.shmctl(_libc.shmget(self._key(), 0, 0), 0, None)  # IPC_RMID
        self._had_message_queue()
        for entry in self._marked_files():
            with suppress(OSError):
                shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
        for root, folders, _ in os.walk(self._base):
            for folder in (Path(root, name) for name in folders):
                if folder.is_mount():
                    _libc.umount2(os.fsencode(folder), 2)  # MNT_DETACH
                if not folder.is_symlink():
                    folder.chmod(0o700)
        shutil.rmtree(self._base)


SECRETS = (
    "secret.txt",
    "victim.txt",
    "a file's name",
    "a link's target",
    "an attribute",
    "our environment",
    "the victim's environment",
    "the victim's memory",
    "the victim's argument",
)


def _first_line(path: str) -> str:
    with open(path) as file:
        return file.readline().strip()


def _restore_environment(before: str | None) -> None:
    os.environ.pop("ARENA_TEST_SECRET", None)
    if before is not None:
        os.environ["ARENA_TEST_SECRET"] = before


def _mode(path: str) -> int | None:
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except OSError:
        return None


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _has_arrival(listener: socket.socket) -> bool:
    try:
        if listener.type == socket.SOCK_DGRAM:
            listener.recv(65536)
        else:
            listener.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def _state(pid: int) -> str:
    """The letter of a process's state; X if there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "X"


def _picture(folder: Path) -> dict[str, object]:
    """Everything about a folder and what is in it that a change would change; reading changes nothing."""
    picture: dict[str, object] = {}
    inside = [Path(root, name) for root, folders, files in os.walk(folder) for name in folders + files]
    for path in [folder, *inside]:
        try:
            told = path.lstat()
            content = os.readlink(path) if path.is_symlink() else _digest(path) if path.is_file() else ""
        except OSError as error:
            picture[str(path)] = error.errno
            continue
        picture[str(path)] = (
            *(told.st_mode, told.st_uid, told.st_gid, told.st_nlink, told.st_size, told.st_ino, told.st_dev),
            *(told.st_mtime_ns, told.st_ctime_ns, content),
        )
    return picture


def _digest(path: Path) -> str:
    """The hash of a file's first part; a large file is known by its size."""
    with open(path, "rb") as file:
        return hashlib.sha256(file.read(1 << 20)).hexdigest()
