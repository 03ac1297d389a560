"""A process that has imported what commands need, and is forked for each of them.

A command run this way is a process of its own, with its own environment, folder and files, and ends as it would
have; what it saves is half a second of imports, a thousand times over, and more than a second for a server. Whoever
tests starting itself, signals or terminals starts the installed command instead.
"""

import atexit
import gc
import importlib
import json
import os
import pkgutil
import socket
import stat
import subprocess
import sys
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO, Any, NoReturn

import typer.main


class Warm:
    """Our end of the line to the process that is forked; it ends with us."""

    def __init__(self, program: Path, environment: dict[str, str]) -> None:
        self._program = str(program)
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        code = f"from tests.warm import serve; serve({theirs.fileno()})"
        self._process = subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=Path(__file__).parents[1],
            env=environment,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
        )
        theirs.close()
        atexit.register(self.close)

    def run(
        self, words: list[str], cwd: Path, environment: dict[str, str], typed: bytes, seconds: float
    ) -> subprocess.CompletedProcess[str]:
        """Run a command to its end; return its exit code and what it printed."""
        with (
            tempfile.TemporaryFile() as given,
            tempfile.TemporaryFile() as out,
            tempfile.TemporaryFile() as err,
        ):
            given.write(typed)
            given.seek(0)
            code = self.run_on(
                [file.fileno() for file in (given, out, err)], words, cwd, environment, seconds
            )
            printed = [_text(file) for file in (out, err)]
        return subprocess.CompletedProcess(words, code, *printed)

    def run_on(
        self, files: list[int], words: list[str], cwd: Path, environment: dict[str, str], seconds: float
    ) -> int:
        """Run a command to its end with these three files, which may be a terminal; return its exit code."""
        request = {"words": [self._program, *words], "cwd": str(cwd), "environment": environment}
        socket.send_fds(self._control, [json.dumps(request).encode()], files)
        pid, code = int(self._control.recv(100)), self._ended(seconds)
        if code is None:
            os.kill(pid, 9)
            self._ended(seconds)
            raise subprocess.TimeoutExpired(words, seconds)
        return code

    def start(self, words: list[str], cwd: Path, environment: dict[str, str]) -> "Started":
        """Start a command that goes on while others are run."""
        reading, writing = os.pipe()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        errors = tempfile.TemporaryFile()  # noqa: SIM115 - it is read in the end
        with open(os.devnull, "rb") as nothing, open(writing, "wb") as output, theirs:
            request = {"words": [self._program, *words], "cwd": str(cwd), "environment": environment}
            files = [nothing.fileno(), output.fileno(), errors.fileno(), theirs.fileno()]
            socket.send_fds(self._control, [json.dumps(request).encode()], files)
        return Started(ours, open(reading, encoding="utf-8"), errors)

    def _ended(self, seconds: float) -> int | None:
        self._control.settimeout(seconds)
        try:
            return int(self._control.recv(100))
        except TimeoutError:
            return None
        finally:
            self._control.settimeout(None)

    def close(self) -> None:
        """Let go of it; it ends when it sees that."""
        self._control.close()
        self._process.wait()


class Started:
    """A command that goes on, with the words of a Popen; what it prints on stderr is there when it has ended."""

    def __init__(self, status: socket.socket, stdout: IO[str], errors: IO[bytes]) -> None:
        self._status, self.stdout, self._errors = status, stdout, errors
        self.pid = int(status.recv(100))
        self.returncode: int | None = None
        self._printed: tuple[str, str] | None = None

    def poll(self) -> int | None:
        """Return how it has ended, if it has."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; TimeoutExpired if that does not come."""
        if self.returncode is None:
            self._status.settimeout(timeout)
            try:
                self.returncode = int(self._status.recv(100))
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired([str(self.pid)], timeout or 0) from None
        return self.returncode

    def kill(self) -> None:
        """End it at once."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, 9)

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Wait for its end; return what it has printed and nobody has read."""
        self.wait(timeout)
        if self._printed is None:
            with self._status, self.stdout, self._errors:
                self._printed = self.stdout.read(), _text(self._errors)
        return self._printed


@cache
def warm(program: Path, environment: tuple[tuple[str, str], ...]) -> Warm:
    """Return the process that lies ready, started when first needed."""
    return Warm(program, dict(environment))


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


def serve(control_fd: int) -> None:
    """Fork for each request, and say the process id and then the exit code."""
    import arena

    ours = [found.name for found in pkgutil.walk_packages(arena.__path__, "arena.")]
    for name in [*ours, "pandas", "tabulate", "stringprep", "encodings.idna"]:
        importlib.import_module(name)
    typer.main.get_command = cache(typer.main.get_command)
    typer.main.get_command(sys.modules["arena.cli"].app)  # which reads all signatures
    templates = sys.modules["arena.pages.rendering"]._environment()
    for name in templates.list_templates(extensions=["j2"]):
        templates.get_template(name)
    gc.collect()
    gc.freeze()
    control = socket.socket(fileno=control_fd)
    while True:
        message, files, _, _ = socket.recv_fds(control, 1 << 20, 4)
        if not message:
            os._exit(0)
        request = json.loads(message)
        if len(files) == 3:
            _look_after(control, request, files)
        elif os.fork() == 0:  # it goes on, and so another process looks after it
            control.close()
            _look_after(socket.socket(fileno=files.pop()), request, files)
            os._exit(0)
        for file in files:
            os.close(file)
        with suppress(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)  # one that looked after another


def _look_after(told: socket.socket, request: dict[str, Any], files: list[int]) -> None:
    """Run a command, and say its process id and in the end its exit code."""
    pid = os.fork()
    if pid == 0:
        told.close()
        _become(request, files)
    told.send(str(pid).encode())
    told.send(str(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])).encode())


def _become(request: dict[str, Any], files: list[int]) -> NoReturn:
    from arena.__main__ import command

    os.setsid()
    for target, file in enumerate(files):
        os.dup2(file, target)
        os.close(file)
    if not all(stat.S_ISREG(os.fstat(number).st_mode) for number in (1, 2)):
        # The old ones believe that they write to what our own process writes to, and would seek in a pipe.
        sys.stdout = open(1, "w", encoding="utf-8", errors=sys.stdout.errors, closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", 1, encoding="utf-8", errors=sys.stderr.errors, closefd=False)  # noqa: SIM115
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["cwd"])
    sys.path.remove("")  # which an installed command does not have
    sys.path[:0] = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    sys.argv = request["words"]
    sys.exit(command())  # as the installed script does
