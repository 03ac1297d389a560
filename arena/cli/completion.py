"""What the shell offers when somebody presses Tab: runs, bots and variants; typer knows commands and options.

The shell asks by the variable `_ARENA_COMPLETE`; `eval "$(_ARENA_COMPLETE=source_bash arena)"` turns it on
(or source_zsh, source_fish). Refused: typer's own two options for that, which cost 3 ms at every start.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def prepare_completion() -> None:
    """Let typer answer a shell that asks for completions; does nothing otherwise."""
    if "_ARENA_COMPLETE" in os.environ:
        from typer.completion import completion_init  # type: ignore[attr-defined]  # it says no word of it

        completion_init()


def complete_run(incomplete: str) -> list[str]:
    """Return the names of runs in `results/`."""
    from arena.log.door import LOG

    return _beginning(incomplete, (file.parent.name for file in Path("results").glob(f"*/{LOG}")))


def complete_bot(incomplete: str) -> list[str]:
    """Return the names of the bots in `bots/` and of the starter bots."""
    from arena.bots.finding import bots_in
    from arena.bots.starters import starter_bots

    return _beginning(incomplete, starter_bots() | bots_in(Path("bots")))


def complete_player(incomplete: str) -> list[str]:
    """Return who may sit at a board: a person, or a bot."""
    return [*_beginning(incomplete, ["human"]), *complete_bot(incomplete)]


def complete_variant(incomplete: str) -> list[str]:
    """Return the names of the rule books, and after a rule's name the beginnings of its boards."""
    from arena.game import RULE_BOOKS, RULES
    from arena.game.families import FAMILIES

    others = [f"{rule}:{family.example}" for rule in RULES for family in FAMILIES.values()]
    return _beginning(incomplete, RULE_BOOKS) or _beginning(incomplete, others)


def _beginning(incomplete: str, names: Iterable[str]) -> list[str]:
    return sorted(name for name in names if name.startswith(incomplete))
