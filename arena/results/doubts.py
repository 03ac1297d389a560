"""What to know before results are trusted: games that were played again, and bots that did not repeat one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from arena.game import Variant
from arena.log.archive import kept_variant
from arena.log.audits import Otherwise, evidence
from arena.log.reading import Log

if TYPE_CHECKING:
    import pandas as pd


def find_replays(log: Log, counts: pd.DataFrame) -> tuple[dict[str, int], list[str]]:
    """Return how many games were played again because of each bot (of none: ``), and the bots for which that
    is more often than chance explains."""
    from arena.standings.replays import more_than_chance

    sides = [counts.groupby(side)["games"].sum() for side in ("first", "second")]
    games = {str(bot): int(count) for bot, count in sides[0].add(sides[1], fill_value=0).items()}
    again = log.replays()
    second_chances = Counter(bot for _, bot, is_forfeited in again if bot and not is_forfeited)
    return dict(Counter(bot for _, bot, _ in again)), more_than_chance(second_chances, games)


def find_cases(log: Log, bots: Collection[str], versions: Mapping[str, str]) -> list[str]:
    """Return what the audits found against some bots, on variants of these versions, a sentence each."""
    cases = [case for bot, case in evidence(log).items() if bot in bots]
    shown = [(case, case.logged.variant) for case in cases if case.logged.variant in versions]
    return [case_against(case, kept_variant(log, name, versions[name])) for case, name in shown]


def case_against(found: Otherwise, variant: Variant) -> str:
    """Return a sentence: what a bot did in a game of the log, and what it did when it was asked again."""
    logged, again = found
    one, other = (
        _name_deed(logged.moves, logged.ending, again.ply, variant),
        _name_deed(*again[1:3], again.ply, variant),
    )
    return (
        f"{again.bot}: at ply {again.ply} of game {logged.game} it {one}, and {other} when that game was "
        "played again alone"
    )


def _name_deed(moves: str, ending: str, ply: int, variant: Variant) -> str:
    """Return what was done at a ply: a move, or what ended the game there."""
    cells = [int(cell) for cell in moves.split()]
    if ply <= len(cells) and cells[ply - 1] < variant.board.size:
        return f"claimed {variant.notation.name(cells[ply - 1])}"
    return f"forfeited ({ending})"
