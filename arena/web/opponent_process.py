"""The child with one bot in the sandbox, for one game against a reader.

It is told once which bot of which run plays what, and then asked for moves. It judges nothing: what the
bot did goes back as it is, and the server's referee decides.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from contextlib import closing
from pathlib import Path
from typing import Any

from arena.errors import ArenaError, NoSandbox, Void
from arena.field import read_limits
from arena.game import Variant
from arena.game.definition import read_definition
from arena.hosts.opening import open_host, require_sandbox
from arena.hosts.play import Host
from arena.log.archive import kept_bot
from arena.log.reading import Log
from arena.referee.endings import Failure
from arena.referee.game import Game
from arena.sandbox.priority import lower, lower_session
from arena.sandbox.template import Template
from arena.web.child_process import Line, step_back

PRIORITY = 17
"""All games and solvers of readers then take less than a tenth of what a tournament on all cores has."""


def main() -> None:
    """Serve one game."""
    line, template = step_back(), Template()
    try:
        _serve(line, template)
    finally:
        template.close()


def _serve(line: Line, template: Template) -> None:
    questions = line.questions()
    _warm_up(template)
    told = next(questions, None)
    if told is None:
        return
    try:
        variant = read_definition(told["variant"], told["definition"])
        host, failure = _begin(told, variant, template)
    except NoSandbox:
        line.answer({"state": "no sandbox"})
        return
    except Void as void:
        line.answer({"state": "spoilt", "why": str(void)})
        return
    except ArenaError as error:  # such as a log without this source
        line.answer({"state": "refused", "why": str(error)})
        return
    line.answer({"state": "ready", "failure": _write(failure)})
    for asked in questions:
        line.answer(_ask(host, variant, asked))


def _warm_up(template: Template) -> None:
    """Do what needs no bot; whatever is wrong is said when there is somebody to say it to."""
    with contextlib.suppress(NoSandbox, Void):
        require_sandbox(template)
        lower(template.pid, PRIORITY)
    lower(os.getpid(), PRIORITY)


def _begin(told: dict[str, Any], variant: Variant, template: Template) -> tuple[Host, Failure | None]:
    with closing(Log(Path(told["folder"]))) as log:
        source = kept_bot(log, told["bot"], told["version"])
    limits = read_limits(told["limits"])
    assert limits is not None
    host = open_host(source, None, "sandboxed", template)
    # So that it does not play the same game every time.
    return host, host.begin(Game(variant, told["side"], secrets.randbits(53), limits))


def _ask(host: Host, variant: Variant, asked: dict[str, Any]) -> dict[str, Any]:
    pid = getattr(host, "pid", None)
    if pid is not None:
        lower_session(pid, PRIORITY)  # every bot has a session of its own
    try:
        reply = host.ask(variant.replay(asked["moves"]), asked["seconds_left"])
        rest = getattr(host, "rest", None)
        if rest is not None and reply.failure is None:
            rest()  # nobody thinks in the other's time
    except Void as void:
        return {"state": "spoilt", "why": str(void)}
    seconds = {"cpu": reply.cpu_seconds, "wall": reply.wall_seconds, "idle": reply.idle_seconds}
    return {"state": "moved", "move": reply.move, "failure": _write(reply.failure), **seconds}


def _write(failure: Failure | None) -> list[str] | None:
    """Return how a bot failed; what it printed, and where it crashed, is for its author."""
    return None if failure is None else [failure.ending.value, failure.detail]


if __name__ == "__main__":
    main()
