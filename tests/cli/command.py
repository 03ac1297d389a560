"""Runs the installed command as a user would: its own process, real pipes."""

import os
import subprocess
import sysconfig
from pathlib import Path

ARENA = Path(sysconfig.get_path("scripts")) / "arena"


def run(
    *arguments: str, typed: str | bytes = "", cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `arena` with arguments and typed input; return its exit code and what it printed."""
    data = typed.encode() if isinstance(typed, str) else typed
    done = subprocess.run(
        [ARENA, *arguments], check=False, input=data, capture_output=True, cwd=cwd, timeout=60, env=plain()
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def plain() -> dict[str, str]:
    """The environment of a user with a plain terminal, whatever the tests run in."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "COV"))}
    return kept | {"COLUMNS": "100", "PYTHONUTF8": "1"}
