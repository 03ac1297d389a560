"""What runs in the template: a zygote, a warm process with the kernel imported, that forks every bot.

A bot is never forked from a worker, whose memory holds other bots, seeds and results. The template holds no
secrets: it has imported the kernel and the runner, is in namespaces of its own, and does two things on
request: fork a bot with three given pipes, and say how a bot has ended. It never runs a bot's code. When the
worker ends, the kernel ends the template, and with it every bot.

A start costs what the bot's process does and what it touches: every page of memory that it writes to, even
for a reference count, is copied first (copy-on-write), at about 3 µs. So what is the same for all bots is
done here, once, and nothing is imported that they do not need.
"""

from __future__ import annotations

import fcntl
import gc
import glob
import io
import json
import os
import socket
import sys
from collections.abc import Callable
from functools import cached_property
from typing import Any, NoReturn

from arena.inside.runner import Runner
from arena.inside.without_solver import forbid_solver
from arena.sandbox import confine, seccomp
from arena.sandbox.walls import READY, Walls

PRIVATE_UID, USERS = 1_700_000_000, 2_000_000_000
"""As root, bots get user ids from here on, which own nothing: one each, so that their threads are counted,
and random, so that an id tells nothing about the template or about other bots."""

NO_LIMIT = 1 << 40

Streams = tuple[io.TextIOWrapper, io.TextIOWrapper, io.TextIOWrapper]

READABLE = ("/lib", "/lib32", "/lib64", "/libx32", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32")
COMMAND_READABLE = ("/bin", "/sbin", "/usr/bin", "/usr/local", "/etc/ld.so.cache", "/etc/alternatives")


def main() -> NoReturn:
    """Serve fork and reap requests over a socket, which is standard input, until the worker is gone.

    A template gets all its data this way: every bot could read what is on its command line.
    """
    confine.die_with_parent()
    control = socket.socket(fileno=fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, 5))
    if not (first := control.recv(65536)):
        os._exit(0)  # the worker is gone already
    snapshots, workshop = json.loads(first)
    _fill_low_numbers()
    streams = _made_streams()
    _import_what_bots_need()
    template = _Template(control, snapshots, workshop, streams)
    _send(control, template.walls._asdict())
    gc.collect()
    gc.freeze()
    while True:
        try:
            message, descriptors, _, _ = socket.recv_fds(control, 65536, 3)
        except ConnectionResetError:  # the worker was killed, with an answer that it had not read
            os._exit(0)
        if not message:
            os._exit(0)
        request = json.loads(message)
        reply = (
            template.fork(request, descriptors) if request["do"] == "fork" else template.reap(request["pid"])
        )
        _send(control, reply)


def _send(control: socket.socket, reply: object) -> None:
    try:
        control.send(json.dumps(reply).encode())
    except BrokenPipeError:  # the worker is gone, and was the only one to tell
        os._exit(0)


def _import_what_bots_need() -> None:
    import random  # noqa: F401 - kept ready for bots that import it
    import traceback  # noqa: F401 - saves time when a bot fails

    from arena.inside.seeding import watch_imports

    watch_imports()


class _Template:
    def __init__(self, control: socket.socket, snapshots: str, workshop: str, streams: Streams) -> None:
        self._control = control
        self._streams = streams
        self._snapshots = snapshots
        self._is_root = os.geteuid() == 0
        self._readable = _readable_folders()
        has_namespaces = self._enter_namespaces(workshop)
        self._filters = {
            is_command: seccomp.Filter(is_command, shows_links=has_namespaces) for is_command in (False, True)
        }
        self.walls = Walls(
            seccomp=_works(self._filters[False].install),
            landlock=_landlock_version(),
            namespaces=has_namespaces,
            pid_namespace=has_namespaces and _works(_fork_one_apart),
        )
        confine.never_gain()
        self._landlock_rules: dict[tuple[bool, bool], list[bytes]] = {}
        self._runner = Runner(3, 4)

    @cached_property
    def _solvers(self) -> list[str]:
        """Where the solver lies as far as bots see it; few tournaments forbid it, and it is long to find."""
        return _solver_folders(self._readable)

    def _rules(self, is_command: bool, has_solver: bool) -> list[bytes]:
        """Return the rules for what such bots may read; they are kept, and the places stay open."""
        kept = self._landlock_rules.get((is_command, has_solver))
        if kept is None:
            places = [*self._readable, *(COMMAND_READABLE if is_command else ())]
            real = dict.fromkeys(os.path.realpath(place) for place in places if os.path.exists(place))
            hidden = [] if has_solver or self.walls.namespaces else self._solvers
            kept = [
                rule
                for place in _without_inner([*real])
                for rule in confine.landlock_rules_without(place, hidden)
            ]
            self._landlock_rules[is_command, has_solver] = kept
        return kept

    def _make_ruleset(self, is_command: bool, has_solver: bool, folder: str) -> int:
        rules = [*self._rules(is_command, has_solver), confine.landlock_rule(folder)]
        return confine.landlock_ruleset(self.walls.landlock, rules)

    def _enter_namespaces(self, workshop: str) -> bool:
        places = [*self._readable, *COMMAND_READABLE, self._snapshots]
        visible = _without_inner([place for place in places if os.path.lexists(place)])

        def enter() -> None:
            confine.new_namespaces()
            confine.new_root(visible, workshop)

        if _works(enter):
            enter()
            return True
        return False

    def fork(self, request: dict[str, Any], descriptors: list[int]) -> dict[str, Any]:
        """Fork a bot with its three pipes behind the walls; return its process id."""
        try:
            if not self.walls.is_enough:
                return {"error": f"there is no sandbox here, only {self.walls}"}
            return {"pid": self._fork(request, descriptors)}
        except OSError as error:
            return {"error": str(error)}
        finally:
            for descriptor in descriptors:
                os.close(descriptor)

    def _fork(self, request: dict[str, Any], descriptors: list[int]) -> int:
        # Made here, and so only once.
        if not request["solver"]:
            _ = self._solvers
        if self.walls.landlock:
            self._rules("command" in request, request["solver"])
        pid = confine.fork_apart() if self.walls.pid_namespace else os.fork()
        if pid == 0:
            self._become_bot(request, descriptors)
        return pid

    def reap(self, pid: int) -> dict[str, Any]:
        """Wait for a bot that has been killed or has ended, and say how."""
        try:
            _, status = os.waitpid(pid, 0)
        except ChildProcessError:
            return {"error": f"{pid} is no bot of this template"}
        return {"exit": os.WEXITSTATUS(status)} if os.WIFEXITED(status) else {"signal": os.WTERMSIG(status)}

    def _limit(self, memory_mib: int, is_command: bool) -> None:
        """Set limits against growth that is too fast to watch; the host watches resident memory.

        Other languages reserve much memory that they never use: stacks of threads, room for a heap to grow.
        Threads are counted for each user, so a bot must have its own user, or its own user namespace.
        """
        is_counted_apart = self._is_root
        if is_command and not self._is_root and self.walls.namespaces:
            confine.own_user_namespace()
            confine.never_gain()
            is_counted_apart = True
        if is_command:
            threads = 16 if is_counted_apart else NO_LIMIT
            confine.limit_resources(memory_mib + 1024, NO_LIMIT, threads)
        else:
            confine.limit_resources(memory_mib + 64, memory_mib + 2048, 1)

    def _become_bot(self, request: dict[str, Any], descriptors: list[int]) -> NoReturn:
        try:
            self._confine(request, descriptors)
        except BaseException as error:
            os.write(2, f"arena: the sandbox could not be built: {error!r}\n".encode())
            os._exit(70)

    def _confine(self, request: dict[str, Any], descriptors: list[int]) -> NoReturn:
        command = request.get("command")
        is_command = bool(command)
        taken = _take_descriptors(descriptors, is_command)
        os.setsid()
        folder = request["folder"]
        if self.walls.namespaces:
            folder = confine.own_folder(folder, hidden=self._snapshots)
            if not request["solver"]:
                confine.cover(self._solvers)
        os.chdir(folder)
        ruleset = self._make_ruleset(is_command, request["solver"], folder) if self.walls.landlock else -1
        self._limit(request["memory_mib"], is_command)
        confine.drop_privileges(_private_user() if self._is_root else None)
        confine.die_with_parent()
        if self.walls.landlock:
            confine.landlock(ruleset)
        os.closerange(taken, 1 << 16)
        self._filters[is_command].install()
        os.write(1 if command else 4, READY)  # the walls are up, and none of the bot's code has run
        if command:
            _execute(command, request["environment"])
        if not request["solver"]:
            forbid_solver()
        sys.stdin, sys.stdout, sys.stderr = self._streams
        try:
            self._runner.serve()
        finally:
            os._exit(1)  # a bot that has broken its own runner has crashed


def _private_user() -> int:
    return PRIVATE_UID + int.from_bytes(os.urandom(8), "big") % USERS


def _execute(command: list[str], environment: dict[str, str]) -> NoReturn:
    try:
        os.execve(command[0], command, environment)
    except OSError as error:
        os.write(2, f"{command[0]} cannot be run: {error.strerror}\n".encode())
        os._exit(127)


def _fill_low_numbers() -> None:
    """Occupy the descriptors where a bot's pipes will be, so that no other file gets them."""
    nothing, end = os.pipe()
    os.dup2(nothing, 0)  # reading it ends at once
    os.close(end)
    while (spare := os.dup(0)) <= 4:
        pass
    os.close(spare)


def _take_descriptors(descriptors: list[int], is_command: bool) -> int:
    """Put the pipes where the bot expects them; return the first descriptor that is not for the bot.

    A command has its requests and replies on standard input and output. The runner has them on 3 and 4, so
    that what a Python bot prints can never be mistaken for a move.
    """
    requests, replies, printed = descriptors
    if is_command:
        places = [(requests, 0), (replies, 1), (printed, 2)]
    else:
        nothing, _ = os.pipe()  # a Python bot has no input; its flags are nobody else's
        places = [(nothing, 0), (printed, 1), (printed, 2), (requests, 3), (replies, 4)]
    for source, target in places:
        os.dup2(source, target, inheritable=True)
    return 3 if is_command else 5


def _made_streams() -> Streams:
    """Return the future standard streams of a Python bot, made with pipes that its own will replace.

    Printing writes at once, so that no printed text is lost with the process or has to be flushed.
    """
    own = [os.dup(number) for number in (1, 2)]
    nobody, end = os.pipe()
    for number in (1, 2):
        os.dup2(end, number)
    output, errors = (
        io.TextIOWrapper(io.FileIO(number, "w", closefd=False), "utf-8", errors="replace", write_through=True)
        for number in (1, 2)
    )
    for number, kept in zip((1, 2), own, strict=True):
        os.dup2(kept, number)
    for descriptor in (nobody, end, *own):
        os.close(descriptor)
    return io.TextIOWrapper(io.FileIO(0, closefd=False), "utf-8", errors="replace"), output, errors


def _readable_folders() -> list[str]:
    """Return what Python itself needs: its library, installed packages, the kernel, shared libraries."""
    import arena

    places = [os.path.dirname(os.__file__), os.path.dirname(arena.__file__), *READABLE]
    places += [
        entry for entry in sys.path if entry.endswith(("site-packages", "dist-packages", "lib-dynload"))
    ]
    real = [place for place in dict.fromkeys(map(os.path.abspath, places)) if os.path.lexists(place)]
    return _without_inner(real)


def _solver_folders(readable: list[str]) -> list[str]:
    """Return where arena's solver lies within a bot's sight: ours, and that of other installed copies."""
    import arena

    beside = [os.path.dirname(arena.__file__), *(f"{entry}/arena" for entry in sys.path)]
    for place in (*readable, *COMMAND_READABLE):
        for found in ("", "lib/python3*/", "python3*/"):
            beside += glob.glob(f"{glob.escape(place)}/{found}*-packages/arena")
    real = dict.fromkeys(os.path.realpath(f"{place}/solver") for place in beside)
    return [place for place in real if os.path.isdir(place)]


def _without_inner(places: list[str]) -> list[str]:
    """Return the places without those that are inside another one."""
    return [p for p in places if not any(p != o and p.startswith(o.rstrip("/") + "/") for o in places)]


def _landlock_version() -> int:
    try:
        return confine.landlock_version()
    except OSError:
        return 0


def _fork_one_apart() -> None:
    pid = confine.fork_apart()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def _works(attempt: Callable[[], None]) -> bool:
    """Return whether something works, by trying it in a process that ends afterwards."""
    pid = os.fork()
    if pid == 0:
        try:
            attempt()
            os._exit(0)
        except BaseException:
            os._exit(1)
    return os.waitpid(pid, 0)[1] == 0
