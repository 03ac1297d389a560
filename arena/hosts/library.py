"""Finds bots by what people type, and gives each the host that its isolation asks for."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import arena
from arena.errors import BotFileError, NoSandbox, did_you_mean, printable
from arena.hosts.canaries import run_canaries
from arena.hosts.command import CommandHost
from arena.hosts.play import Host
from arena.hosts.program import Program
from arena.hosts.sandboxed import SandboxedHost
from arena.hosts.source import Source, read_source
from arena.hosts.syscalls import machine
from arena.hosts.template import Template
from arena.hosts.trusted import TrustedHost

ISOLATIONS = ("trusted", "sandboxed")


def starter_folder() -> Path:
    """Return the folder of the bots that come with arena, installed or in a checkout."""
    package = Path(arena.__file__).parent
    installed = package / "starter" / "bots"
    return installed if installed.is_dir() else package.parent / "bots"


def bots_in(folder: Path) -> dict[str, Path]:
    """Return the bots of a folder by name: Python files, and folders with `bot.py`."""
    if not folder.is_dir():
        return {}
    found = [place for place in sorted(folder.iterdir()) if not place.name.startswith((".", "_"))]
    files = {place.stem: place for place in found if place.suffix == ".py" and place.is_file()}
    folders = {place.name: place for place in found if (place / "bot.py").is_file()}
    return files | folders


def find_bot(text: str, here: Path) -> Path:
    """Return the file or folder of a bot: a path, or a name in `bots/` here or among the starter bots."""
    if text.endswith(".py") or "/" in text:
        return Path(text)
    known = bots_in(starter_folder()) | bots_in(here / "bots")
    if text in known:
        return known[text]
    if os.path.isfile(os.path.join(text, "bot.py")):  # False for a name that no file can have
        return Path(text)
    hint = did_you_mean(text, known) or f"; give a file, or one of {', '.join(sorted(known))}"
    raise BotFileError(f"there is no bot '{printable(text)}'{hint}")


def open_host(source: Source, path: Path | None, isolation: str, template: Template) -> Host:
    """Return a host for a bot. Trusted, it runs from `path` itself; NoSandbox if it cannot be sandboxed."""
    if isolation == "trusted":
        if path is None:
            raise BotFileError(f"{source.name}: a command is always sandboxed")
        return TrustedHost(Program(str(path / "bot.py"), str(path)) if path.is_dir() else Program(str(path)))
    require_sandbox(template)
    return CommandHost(source, template) if source.command else SandboxedHost(source, template)


def require_sandbox(template: Template) -> None:
    """NoSandbox, with what is missing and what would mend it, unless this machine can sandbox.

    The first time for each template a handful of canaries prove it.
    """
    if machine() is None:
        raise NoSandbox(
            f"bots cannot be sandboxed on {sys.platform}: the sandbox needs Linux on x86_64 or aarch64; "
            "`--isolation trusted` runs your own bots"
        )
    walls = template.walls
    if not walls.is_enough:
        missing = "seccomp" if not walls.seccomp else "Landlock (Linux 5.13) or unprivileged user namespaces"
        raise NoSandbox(
            f"bots cannot be sandboxed here: {missing} is missing, and there is {walls}; "
            "`arena doctor` shows each feature, `--isolation trusted` runs your own bots"
        )
    if not template.is_proven:
        escaped = [canary for canary in run_canaries(template) if not canary.is_contained]
        if escaped:
            told = "; ".join(f"{canary.name}: {canary.detail}" for canary in escaped)
            raise NoSandbox(f"the sandbox does not hold here ({told}); please report this")
        template.is_proven = True


def read_bot(text: str, here: Path, name: str | None = None) -> tuple[Source, Path]:
    """Return a bot that people typed: its files, and where they lie."""
    path = find_bot(text, here)
    return read_source(path, name), path
