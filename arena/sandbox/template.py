"""The worker's end of the line to its template process (zygote): fork a bot, learn how a bot has ended."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from functools import cached_property
from shutil import rmtree
from typing import Any, Protocol

from arena.errors import Void
from arena.leftovers import name_after_us, remove_what_the_dead_left
from arena.sandbox.priority import pass_on
from arena.sandbox.walls import Walls


class Stoppable(Protocol):
    """A line to a living bot, as other lines of the same template see it."""

    def stop(self) -> None:
        """Stop the bot until it is asked or told something."""

    def end_if_running(self) -> None:
        """End a bot that keeps running after it was stopped."""


class TemplateLost(Void):
    """The template has ended, or could not fork; the games in play are void."""


class Template:
    """The worker's end: starts the template when first needed, and again if it is lost."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self.snapshots = ""
        self._workshop = ""
        self._walls: Walls | None = None
        self.is_proven = False  # whether canaries have been contained
        self._folders = 0
        self.lines: set[Stoppable] = set()  # to the bots that live

    @property
    def walls(self) -> Walls:
        """What stands around the bots of this template."""
        self.ensure()
        assert self._walls is not None
        return self._walls

    @property
    def pid(self) -> int:
        """The process id of the template."""
        self.ensure()
        assert self._process is not None
        return self._process.pid

    @cached_property
    def memory_mib(self) -> float:
        """The resident memory that every bot begins with."""
        with open(f"/proc/{self.pid}/statm") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)

    def new_folder(self) -> str:
        """Make a folder for a bot's files, inside one that belongs to the worker alone."""
        self.ensure()
        self._folders += 1
        folder = f"{self.snapshots}/{self._folders}"
        os.mkdir(folder)
        os.chmod(folder, 0o755)  # whatever the umask
        return folder

    def fork(self, descriptors: list[int], **request: Any) -> int:
        """Fork a bot that has three descriptors; return its process id. TemplateLost if that fails."""
        reply = self._call({"do": "fork", **request}, descriptors)
        if "error" in reply:
            raise TemplateLost(f"the sandbox could not start a bot: {reply['error']}")
        return int(reply["pid"])

    def reap(self, pid: int) -> tuple[int | None, int | None]:
        """Return how a bot has ended: its exit code or its signal. TemplateLost if nobody knows."""
        reply = self._call({"do": "reap", "pid": pid}, [])
        if "error" in reply:
            raise TemplateLost(str(reply["error"]))
        return reply.get("exit"), reply.get("signal")

    def close(self) -> None:
        """End the template and with it every bot, and remove the files that were written for them."""
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        for folder in (self.snapshots, self._workshop):
            if folder:
                rmtree(folder, ignore_errors=True)
        self._process = self._control = self._walls = None
        self.snapshots = self._workshop = ""

    def ensure(self) -> None:
        """Start a template, unless there is one, and wait until it is ready."""
        self.launch()
        if self._walls is None:
            self._walls = Walls(**self._receive())

    def launch(self) -> None:
        """Start a template, unless there is one, without waiting for it."""
        if self._process is not None and self._process.poll() is None:
            return
        self.close()
        self._start()

    def _start(self) -> None:
        import arena

        remove_what_the_dead_left()
        self.snapshots = tempfile.mkdtemp(prefix=name_after_us("bots"))
        self._workshop = tempfile.mkdtemp(prefix=name_after_us("root"))
        os.chmod(self.snapshots, 0o711)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        root = os.path.dirname(os.path.dirname(os.path.abspath(arena.__file__)))
        code = "from arena.sandbox.template_process import main; main()"
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-s", "-c", code],
            env=bot_environment() | {"PYTHONPATH": root},
            stdin=theirs.fileno(),
            cwd="/",
            start_new_session=True,
        )
        pass_on(self._process.pid)
        theirs.close()
        self._control = ours
        ours.send(json.dumps([self.snapshots, self._workshop]).encode())

    def _call(self, request: dict[str, Any], descriptors: list[int]) -> dict[str, Any]:
        self.ensure()
        assert self._control is not None
        try:
            socket.send_fds(self._control, [json.dumps(request).encode()], descriptors)
        except OSError as error:
            raise self._lose(f": {error}") from None
        return self._receive()

    def _receive(self) -> dict[str, Any]:
        assert self._control is not None
        try:
            message = self._control.recv(65536)
        except OSError as error:
            raise self._lose(f": {error}") from None
        if not message:
            raise self._lose()
        return dict(json.loads(message))

    def _lose(self, why: str = "") -> TemplateLost:
        """Wait for the end of a template that does not answer; otherwise it might look alive for a moment."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        return TemplateLost(f"the template has ended{why}")


def bot_environment() -> dict[str, str]:
    """Return the environment of every bot: nothing from ours, and nothing that varies."""
    threads = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
    fixed = {
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "LANG": "C.UTF-8",
        "PATH": "/usr/bin:/bin",
    }
    return fixed | dict.fromkeys(threads, "1")


def kill(pid: int) -> None:
    """End a bot and its process group for good."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
