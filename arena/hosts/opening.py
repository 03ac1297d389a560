"""Gives each bot the host that its isolation asks for."""

from __future__ import annotations

import sys
from pathlib import Path

from arena.bots.source import Source
from arena.errors import BotFileError, NoSandbox
from arena.hosts.canaries import run_canaries
from arena.hosts.command import CommandHost
from arena.hosts.play import Host
from arena.hosts.sandboxed import SandboxedHost
from arena.hosts.trusted import TrustedHost
from arena.inside.program import Program
from arena.sandbox.syscalls import machine
from arena.sandbox.template import Template


def open_host(source: Source, path: Path | None, isolation: str, template: Template) -> Host:
    """Return a host for a bot. Trusted, it runs from `path` itself; NoSandbox if it cannot be sandboxed."""
    if isolation == "trusted":
        if path is None:
            raise BotFileError(f"{source.name}: a command is always sandboxed; leave out --isolation trusted")
        return TrustedHost(program_at(path))
    require_sandbox(template)
    return CommandHost(source, template) if source.command else SandboxedHost(source, template)


def program_at(path: Path) -> Program:
    """Return the Python bot in a file or a folder; BotFault if it cannot be compiled."""
    if not path.is_dir():
        return Program(str(path))
    # Who has nothing to import from a folder need not have it cleaned up around every move.
    has_more = any(entry.name not in ("bot.py", "__pycache__") for entry in path.iterdir())
    return Program(str(path / "bot.py"), str(path) if has_more else "")


def require_sandbox(template: Template) -> None:
    """Raise NoSandbox, with what is missing and what would fix it, unless this machine can sandbox.

    For each template, canaries prove it the first time.
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
            f"bots cannot be sandboxed here: {missing} is missing (this machine has {walls}); "
            "`arena doctor` shows each feature, `--isolation trusted` runs your own bots"
        )
    if not template.is_proven:
        escaped = [canary for canary in run_canaries(template) if not canary.is_contained]
        if escaped:
            told = "; ".join(f"{canary.name}: {canary.detail}" for canary in escaped)
            raise NoSandbox(f"the sandbox does not contain these attacks here ({told}); please report this")
        template.is_proven = True
