"""Tournaments for tests: a few small bots, a config, and the command that runs it."""

import contextlib
import os
import signal
import sqlite3
import subprocess
import time
from pathlib import Path
from typing import Any

from tests.cli.command import ARENA, plain, ready

FIRST = "def move(position):\n    return position.legal_moves[0]\n"
LAST = "def move(position):\n    return position.legal_moves[-1]\n"
CHANCE = "import random\n\n\ndef move(position):\n    return random.choice(position.legal_moves)\n"
# Depends on how often it was asked since its body was executed: the same in every game, if every game is fresh.
GLOBALS = (
    "seen = []\nimport random\nluck = random.random()\n\n\ndef move(position):\n    seen.append(len(seen))\n"
    "    return position.legal_moves[int(luck * 1000 + sum(seen)) % len(position.legal_moves)]\n"
)
SLOW = (
    "import time\n\n\ndef move(position):\n    end = time.process_time() + {seconds}\n"
    "    while time.process_time() < end: pass\n    return position.legal_moves[len(position.history) % len(position.legal_moves)]\n"
)
FAILING = {
    "illegal": "def move(position):\n    print('a lie')\n    return 999\n",
    "timeout": "def move(position):\n    while True: pass\n",
    "crash": "def move(position):\n    print('about to fail')\n    return [][0]\n",
    "garbage": "def move(position):\n    return 'north'\n",
    "no-start": "raise RuntimeError('not today')\n",
    "memory": "def move(position):\n    return bytearray(10**9)[0]\n",
}

GOOD = {"first": FIRST, "last": LAST, "chance": CHANCE, "globals": GLOBALS}


def write(
    folder: Path, bots: dict[str, str], name: str = "cup", limits: str = "", **settings: object
) -> Path:
    """Write bots and a tournament file; return the file."""
    (folder / "bots").mkdir(exist_ok=True, parents=True)
    (folder / "configs").mkdir(exist_ok=True)
    for bot, text in bots.items():
        (folder / "bots" / f"{bot}.py").write_text(text)
    lines = [f"{key} = {_toml(value)}" for key, value in settings.items()]
    config = folder / "configs" / f"{name}.toml"
    config.write_text("\n".join(["[tournament]", *lines, limits, "[[bots]]", 'path = "bots/*.py"', ""]))
    return config


def _toml(value: object) -> str:
    return str(value) if isinstance(value, int | float | list) else f'"{value}"'


def arena(
    *arguments: object, cwd: Path, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, in a process of its own."""
    return ready().run([*map(str, arguments)], cwd, plain() | (env or {}), b"", 900)


def started(*arguments: object, cwd: Path) -> subprocess.Popen[str]:
    """Start the installed command in a session of its own."""
    return subprocess.Popen(
        [ARENA, *map(str, arguments)],
        cwd=cwd,
        env=plain(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def rows(folder: Path, query: str = "SELECT game FROM games") -> list[tuple[Any, ...]]:
    """Ask the log of a run folder; nothing if there is none yet."""
    try:
        database = sqlite3.connect(f"file:{folder / 'games.sqlite'}?mode=ro", uri=True)
    except sqlite3.OperationalError:
        return []
    try:
        return database.execute(query).fetchall()
    except sqlite3.OperationalError:
        return []
    finally:
        database.close()


def wait_for_games(folder: Path, count: int, seconds: float = 90) -> list[tuple[Any, ...]]:
    """Wait until a log has some games; return them."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = rows(folder)
        if len(found) >= count:
            return found
        time.sleep(0.01)
    raise AssertionError(f"no {count} games within {seconds} s")


def children(pid: int) -> list[int]:
    """The processes that a process has started and that still live."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat") as stat:
                    fields = stat.read().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == pid and fields[0] != "Z":
                found.append(int(entry))
    return sorted(found)


def workers(coordinator: int) -> list[int]:
    """The worker processes of a run: what its fork server has started."""
    servers = [pid for pid in children(coordinator) if "forkserver" in _command(pid)]
    return [worker for server in servers for worker in children(server)]


def bots(coordinator: int) -> list[int]:
    """The processes of sandboxed bots: children of the workers' templates."""
    templates = [template for worker in workers(coordinator) for template in children(worker)]
    return [bot for template in templates for bot in children(template)]


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return ""


def kill(pid: int) -> None:
    """End a process for good, if it is still there."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
