"""Plays a hostile bot's games in the sandbox and looks at everything that could have gone wrong."""

import os

from arena.bots.source import Source, read_source
from arena.hosts.sandboxed import SandboxedHost
from arena.sandbox.template import Template
from tests.hostile.stage import Hostile, Stage, is_cheated
from tests.hosts.games import FIRST_LEGAL, game


def contained(hostile: Hostile, template: Template, stage: Stage) -> list[str]:
    """Play a hostile bot's games; return everything that is not as it should be."""
    host = SandboxedHost(read_source(stage.write(hostile.name)), template)
    opponent = SandboxedHost(Source("first_legal", "bot.py", {"bot.py": FIRST_LEGAL.encode()}), template)
    wrong = []
    try:
        records = [(game(host, opponent), "one"), (game(opponent, host), "two")]
        pid, printed = host.pid, host.printed
        for record, name in records:
            ending = str(record.ending) if record.ending.is_forfeit else "plays"
            if ending not in hostile.expect:
                wrong.append(f"ended with {ending}: {record.detail}, not {' or '.join(hostile.expect)}")
            if record.ending.is_forfeit and record.winner == name:
                wrong.append(f"won by the forfeit of its opponent: {record.detail}")
            winner = {"one": 0, "two": 1}[record.winner]
            if is_cheated("grid-lock", list(record.moves), None if record.ending.is_forfeit else winner):
                wrong.append(f"the record breaks the rules: {record}")
            if len(record.detail) > 400 or not record.detail.isprintable():
                wrong.append(f"the detail is not fit to print: {record.detail!r}")
        host.close()
        if pid is not None and os.path.exists(f"/proc/{pid}"):
            wrong.append("its process is still there")
        last = game(opponent, opponent)
        if (str(last.ending), last.winner) != ("no-moves", "two"):
            wrong.append(f"the next game was disturbed: {last}")
    finally:
        host.close()
        opponent.close()
    seen = stage.observed(printed)
    if seen:
        wrong.append(f"it was seen to succeed: {', '.join(sorted(seen))}; printed {printed[-300:]!r}")
    return wrong
