"""Verifying: is every record what the rules say, and is it the game that its id names?

A log is believed because it can be checked: each record is replayed through the rules, and the id of each
game is made anew from what it should cover, also of games that only an earlier plan had. Whatever does not
fit is named, with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

from arena.errors import IllegalMove
from arena.game import Position, Variant
from arena.referee.endings import Ending
from arena.referee.game import GAME_COLUMNS, Limits
from arena.store import Log
from arena.tournament import archive
from arena.tournament.archive import Field, read_field
from arena.tournament.plan import Identifier, Plan, Sheets, common_part, identifier, spaced
from arena.tournament.rounds import frozen_rounds


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
        opened[name] = archive.kept_openings(log, name, version, field.seed)
    limits = Limits(**field.limits)  # type: ignore[arg-type]
    kept = log.rows("SELECT name || '@' || version, hash FROM bots")
    versions = field.bots | {str(bot): str(full) for bot, full in kept}
    rounds = frozen_rounds(log, field.series, field.bots)[0] if field.series else []
    sheets = Sheets(max(min(len(some), field.openings) for some in opened.values()), field.repeats)
    return Plan(variants, opened, versions, rounds, sheets, field.seed, limits)


def mistakes(log: Log) -> Iterator[tuple[str, str]]:
    """Yield the id of every game that is not what it should be, and why."""
    damage = [text for (text,) in log.each("PRAGMA quick_check(5)") if text != "ok"]
    yield from (("(the file itself)", text) for text in damage)
    check = Check(log)
    for row in log.each(f"SELECT {', '.join(GAME_COLUMNS)} FROM games"):
        wrong = check.mistake(Logged(*row))
        if wrong is not None:
            yield row[0], wrong


class Check:
    """What games of a folder are checked against: its plan, and all that it was ever planned with."""

    def __init__(self, log: Log) -> None:
        self._plan = plan_of(log, read_field(log))
        self._in_plan = {game for (game,) in log.each("SELECT game FROM plan")}
        self._variants = archive.kept_variants(log)
        self._hashes = {(name, v): full for name, v, full in log.rows("SELECT name, version, hash FROM bots")}
        self._seeds = [seed for (seed,) in log.rows("SELECT DISTINCT seed FROM openings")]
        texts = log.rows("SELECT DISTINCT limits FROM runs")
        self._limits = [Limits(**json.loads(text)) for (text,) in texts]
        self._identifiers: dict[tuple[str, ...], list[tuple[Variant, Identifier]]] = {}

    def mistake(self, game: Logged) -> str | None:
        """Return what is wrong with a game, or None."""
        try:
            if game.moves != spaced(game.cells):
                return "its moves are not written as the log writes them"
            if game.game in self._in_plan:
                wrong = _misnamed(game, self._plan)
                return wrong or _broken(game, self._plan.variants[game.variant])
            return self._unplanned(game)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError):
            return "it cannot be read"

    def _unplanned(self, game: Logged) -> str | None:
        """Return what is wrong with a game that is not in the plan, but may have been in an earlier one."""
        cells = spaced(game.cells[: game.opening_plies])
        for variant, ident in self._possible(game):
            if ident(cells, game.repeat) == game.game:
                return _broken(game, variant)
        return "its id is not that of any game that was planned here"

    def _possible(self, game: Logged) -> list[tuple[Variant, Identifier]]:
        """Return every variant that a game may have been played on, with what makes its ids."""
        first, second = (game.first, game.first_version), (game.second, game.second_version)
        key = (game.variant, *first, *second)
        if key not in self._identifiers:
            sides = (game.first, self._hashes[first]), (game.second, self._hashes[second])
            self._identifiers[key] = [
                (variant, identifier(common_part(variant, seed, limits), *sides))
                for variant in self._variants[game.variant]
                for seed in self._seeds
                for limits in self._limits
            ]
        return self._identifiers[key]


def _misnamed(game: Logged, plan: Plan) -> str | None:
    """Return why a game is not the one that its id names."""
    opened = plan.openings[game.variant]
    if not 0 <= game.opening < len(opened):
        return f"there is no opening {game.opening}"
    opening = opened[game.opening].cells
    cells = spaced(opening)
    if game.cells[: game.opening_plies] != opening:
        return f"it does not begin with opening {game.opening}, which is {cells or 'the empty board'}"
    first = _entered(game.first, game.first_version, plan)
    second = _entered(game.second, game.second_version, plan)
    if first is None or second is None:
        return "it was played by other versions of its bots"
    if plan.game_id(game.variant, first, second, cells, game.repeat) != game.game:
        return "its id is not that of its bots, variant, opening, repeat, seed and limits"
    return None


def _entered(name: str, version: str, plan: Plan) -> str | None:
    """Return what the plan calls a version of a bot; None if it has no such version."""
    names = (name, f"{name}@{version}")
    return next((bot for bot in names if plan.versions.get(bot, "")[:12] == version), None)


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
