"""What runs on a worker of a cluster: units are played by local executors of its own, one for each thread.

So a bot that ends or hangs a process costs that process and not the worker, and everything about walls and
clocks is as on one machine. Nothing here raises: an exception would go back as a pickle, and the coordinator
reads none.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import platform
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from pathlib import Path

import arena
from arena.bots.source import Source
from arena.errors import NoSandbox
from arena.executors.hand import UNIT_SECONDS
from arena.executors.local import LocalExecutor, own_cores
from arena.executors.parcel import Bot, Missing, pack_games, unpack_unit, write_reply

_lock = threading.Lock()
_idle: dict[bool, list[LocalExecutor]] = {False: [], True: []}
_busy: dict[LocalExecutor, str] = {}  # and the run that each plays for
_stopped: set[str] = set()  # runs that begin no more games
_known: dict[Bot, Source] = {}
_cores: list[socket.socket] = []  # held, so that other workers of this machine take others


def safely(call: Callable[[], bytes]) -> bytes:
    """Return what a function returns, or that it failed, and how."""
    try:
        return call()
    except BaseException as error:
        return write_reply(failed=f"{type(error).__name__}: {error}", traceback=traceback.format_exc())


def identify(is_sandboxed: bool) -> bytes:
    """Return what this worker is: its versions, its machine, and the walls that it has proven."""
    return safely(lambda: write_reply(**versions(), host=platform.node(), **_prove(is_sandboxed)))


def _prove(is_sandboxed: bool) -> dict[str, str]:
    if not is_sandboxed:
        return {"walls": "", "why": ""}
    try:
        with _executor(True) as executor:
            return {"walls": executor.walls(), "why": ""}
    except NoSandbox as error:
        return {"walls": "", "why": str(error)}


def play(asked: tuple[str, list[bytes]]) -> bytes:
    """Play units for a run for about two seconds; return their games, or that a bot's source is missing."""
    return safely(lambda: _play(*asked))


def _play(run: str, packed: list[bytes]) -> bytes:
    try:
        with _lock:
            units = [unpack_unit(data, _known) for data in packed]
    except Missing:
        return write_reply(missing=True)
    played, begun = [], time.monotonic()
    with _executor(units[0].isolation == "sandboxed", run) as executor:
        for unit in units:
            played.append(pack_games(executor.play_part(unit)))
            if executor.is_stopping or time.monotonic() - begun > UNIT_SECONDS:
                break
    return write_reply(units=played)


def stop(run: str) -> None:
    """Begin no more games of a run; those that are being played are finished."""
    with _lock:
        _stopped.add(run)
        for executor in (executor for executor, own in _busy.items() if own == run):
            executor.stop()


@atexit.register
def leave() -> None:
    """End every process of this worker's executors that is idle."""
    with _lock:
        for executors in _idle.values():
            while executors:
                executors.pop().close()


@contextmanager
def _executor(is_sandboxed: bool, run: str = "") -> Iterator[LocalExecutor]:
    """Give an executor with one process; it is kept for the next unit unless something went wrong."""
    with _lock:
        kept = _idle[is_sandboxed]
        executor = kept.pop() if kept else LocalExecutor(1, is_sandboxed, cores=_take_core())
        _busy[executor] = run
        if run in _stopped:
            executor.stop()
    is_whole = False
    try:
        yield executor
        is_whole = not executor.is_stopping
    finally:
        with _lock:
            del _busy[executor]
            if is_whole:
                _idle[is_sandboxed].append(executor)
        if not is_whole:
            executor.close()


def _take_core() -> list[int]:
    """Return a core that no other worker of this user and machine has taken; some core if all are taken.

    An abstract socket can be bound by one process at a time, and is free again when that ends.
    """
    cores = own_cores()
    for core in cores if sys.platform == "linux" else ():
        taken = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            taken.bind(f"\0arena core {os.getuid()} {core}")
        except OSError:
            taken.close()
        else:
            _cores.append(taken)
            return [core]
    return [cores[os.getpid() % len(cores)]]  # workers that are started together get different ones


@cache
def versions() -> dict[str, str]:
    """Return what must be the same on all machines of a run: arena with all its files, Python and numpy."""
    digest = hashlib.sha256()
    package = Path(arena.__file__).parent
    for file in sorted(package.rglob("*")):
        if file.suffix in (".py", ".toml"):
            digest.update(f"{file.relative_to(package).as_posix()}\0".encode() + file.read_bytes())
    code = f"{arena.__version__} ({digest.hexdigest()[:12]})"
    return {"arena": code, "python": platform.python_version(), "numpy": version("numpy")}
