"""Verifying: is every record what the rules say, and is it the game that its id names?

A log is believed because it can be checked: each record is replayed through the rules, and the id of each
planned game is made anew from what it should cover. Whatever does not fit is named, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from arena.errors import IllegalMove
from arena.game import Position, Variant
from arena.referee.endings import Ending
from arena.referee.game import GAME_COLUMNS, Limits
from arena.store import Log
from arena.tournament import archive
from arena.tournament.plan import Plan
from arena.tournament.run import Field, read_field


class Logged(NamedTuple):
    """A row of the log with names to its columns."""

    game: str
    variant: str
    opening: int
    repeat: int
    first: str
    second: str
    first_version: str
    second_version: str
    winner: str
    ending: str
    detail: str
    moves: str
    opening_plies: int
    plies: int
    isolation: str
    first_cpu_seconds: float
    second_cpu_seconds: float
    first_wall_seconds: float
    second_wall_seconds: float

    @property
    def cells(self) -> tuple[int, ...]:
        """The moves as numbers."""
        return archive.cells_of(self.moves)

    @property
    def winning_side(self) -> int:
        """The side that won: 0 or 1."""
        return 0 if self.winner == self.first else 1


def plan_of(log: Log, field: Field) -> Plan:
    """Return the plan of a folder, made from nothing but the folder: for its ids and openings."""
    variants, opened = [], {}
    for name, version in field.variants:
        variants.append(archive.kept_variant(log, name, version))
        opened[name] = archive.kept_openings(log, name, version, field.seed)[: field.openings]
    limits = Limits(**field.limits)  # type: ignore[arg-type]
    return Plan(variants, opened, field.bots, (), field.repeats, field.seed, limits)


def mistakes(log: Log) -> Iterator[tuple[str, str]]:
    """Yield the id of every game that is not what it should be, and why."""
    damage = [text for (text,) in log.each("PRAGMA quick_check(5)") if text != "ok"]
    yield from (("(the file itself)", text) for text in damage)
    plan = plan_of(log, read_field(log))
    variants = archive.kept_variants(log)
    in_plan = {game for (game,) in log.each("SELECT game FROM plan")}
    for row in log.each(f"SELECT {', '.join(GAME_COLUMNS)} FROM games"):
        wrong = mistake(Logged(*row), plan if row[0] in in_plan else None, variants)
        if wrong is not None:
            yield row[0], wrong


def mistake(game: Logged, plan: Plan | None, variants: dict[str, list[Variant]]) -> str | None:
    """Return what is wrong with a game, or None; without a plan its id cannot be made anew."""
    try:
        if plan is not None:
            return _misnamed(game, plan) or _broken(game, plan.variants[game.variant])
        reasons = [_broken(game, variant) for variant in variants.get(game.variant, [])]
    except (ValueError, KeyError, IndexError):
        return "it cannot be read"
    if None in reasons:
        return None
    return reasons[-1] if reasons else f"the folder does not know the variant {game.variant}"


def _misnamed(game: Logged, plan: Plan) -> str | None:
    """Return why a game is not the one that its id names."""
    opening = plan.openings[game.variant][game.opening]
    cells = " ".join(map(str, opening))
    if game.cells[: game.opening_plies] != opening:
        return f"it does not begin with opening {game.opening}, which is {cells or 'the empty board'}"
    versions = [plan.versions[name][:12] for name in (game.first, game.second)]
    if versions != [game.first_version, game.second_version]:
        return "it was played by other versions of its bots"
    if plan.game_id(game.variant, game.first, game.second, cells, game.repeat) != game.game:
        return "its id is not that of its bots, variant, opening, repeat, seed and limits"
    return None


def _broken(game: Logged, variant: Variant) -> str | None:
    """Return why a game is not what the rules say."""
    if game.first == game.second or game.winner not in (game.first, game.second):
        return f"{game.winner} is not one of its two bots"
    if game.plies != len(game.cells) or not 0 <= game.opening_plies <= game.plies:
        return f"it has {len(game.cells)} moves and says {game.plies}"
    try:
        position = variant.replay(game.cells)
    except IllegalMove as why:
        return f"a move is illegal: {why}"
    return _misjudged(game, position)


def _misjudged(game: Logged, position: Position) -> str | None:
    ending = Ending(game.ending)
    if ending is Ending.NO_MOVES:
        if not position.is_over:
            return f"it ended for want of moves, and side {position.to_move} has {len(position.legal_moves)}"
        return None if position.winner == game.winning_side else f"{game.winner} lost it"
    if position.is_over:
        return f"it is said to be forfeited by {ending}, and was over"
    if ending is Ending.NO_START:
        return None if game.plies == game.opening_plies else "moves were made by a bot that did not start"
    loser = game.second if game.winning_side == 0 else game.first
    return None if position.to_move != game.winning_side else f"{loser} forfeited out of turn"
