"""Runs a command as a user would, in its own process; or its `main` in this one."""

import contextlib
import io
import os
import subprocess
import sys
import sysconfig
from functools import cache
from pathlib import Path

import typer.main

from tests.warm import Warm, warm

ARENA = Path(sysconfig.get_path("scripts")) / "arena"


def run(
    *arguments: str, typed: str | bytes = "", cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `arena` with arguments and typed input; return its exit code and what it printed."""
    data = typed.encode() if isinstance(typed, str) else typed
    return ready().run([*arguments], cwd or Path.cwd(), plain(), data, 60)


def ready() -> Warm:
    """A process from which commands are forked."""
    return warm(ARENA, tuple(plain().items()))


def plain() -> dict[str, str]:
    """The environment of a user with a plain terminal, whatever the tests run in."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "COV_"))}
    return kept | {"COLUMNS": "100", "PYTHONUTF8": "1"}


# Reading all commands from their signatures takes 25 ms, which a process does once, and so do the tests.
typer.main.get_command = cache(typer.main.get_command)


def inside(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in this process, as its `main` would: where no process is under test, in a tenth of the time."""
    from arena.cli import main

    argv, sys.argv = sys.argv, ["arena", *map(str, words)]
    before, code = Path.cwd(), 0
    output, error = io.StringIO(), io.StringIO()
    os.chdir(cwd)
    try:
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(error):
            main()
    except SystemExit as leaving:
        code = int(leaving.code or 0)
    finally:
        os.chdir(before)
        sys.argv = argv
    return subprocess.CompletedProcess([*map(str, words)], code, output.getvalue(), error.getvalue())
