"""One check in a process of its own: `python -m arena.contest.one_check`, which arena starts itself.

A bot's files and limits come on stdin; every step goes out as a line of JSON when it is done, and the verdict
is the last line. The process has nothing of its parent's: no memory, no files, no environment. So there is no
token in it. It makes way for games that are being played, and ends with its parent.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from contextlib import closing
from pathlib import Path
from typing import IO, Any

from arena.bots.source import Source
from arena.checking.check import Asked, Check
from arena.errors import NoSandbox
from arena.hosts.opening import require_sandbox
from arena.referee.game import Limits
from arena.sandbox.priority import lower
from arena.sandbox.syscalls import machine
from arena.sandbox.template import Template

NICENESS = 5
"""Among games that are being played, it has a fifth of a core at least."""

STEP, VERDICT, NO_SANDBOX = "step", "verdict", "no sandbox"
"""What a line may be about."""


def write_task(to: IO[bytes], source: Source | None, limits: Limits, parent: int) -> None:
    """Send what is to be checked: a bot, or the sandbox alone."""
    pickle.dump((parent, tuple(limits), source and tuple(source)), to)


def main() -> None:
    """Check the bot that comes on stdin."""
    _end_with_parent()
    lower(os.getpid(), NICENESS)
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever prints something by mistake does not say it in our name
    parent, limits, source = pickle.load(sys.stdin.buffer)
    if os.getppid() != parent:
        return  # it has ended before we could ask to end with it

    def tell(about: str, what: Any) -> None:
        print(json.dumps([about, what]), file=out, flush=True)

    with closing(Template()) as template:
        try:
            require_sandbox(template)
        except NoSandbox as error:
            tell(NO_SANDBOX, str(error))
            return
        if source is None:
            tell(VERDICT, True)
        else:
            _check(Source(*source), Limits(*limits), template, tell)


def _end_with_parent() -> None:
    if machine() is not None:
        from arena.sandbox.confine import die_with_parent

        die_with_parent()


def _check(source: Source, limits: Limits, template: Template, tell: Any) -> None:
    # Hints ask whether a bot is a folder; neither path is opened.
    path = Path("/") if len(source.files) > 1 else Path(source.main)
    check = Check(Asked(source.name, limits, source, path, source.name), "sandboxed", template, Path("/"))
    is_passed = False
    for step in check.steps():
        tell(STEP, step)
        is_passed = step.is_passed
    tell(VERDICT, is_passed)


if __name__ == "__main__":
    main()
