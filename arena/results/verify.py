"""Verifying: is every record what the rules say, and is it the game that its id names?

A log is trusted because it can be checked. Each record is replayed through the rules, and the id of each game
is computed again from what it should cover, also for games that only an earlier plan had. The hashes of bots
and variants are computed again too, and openings are drawn again. Everything that does not fit is named, with
the reason. What a folder alone cannot prove is named as well, so that nobody trusts more than was checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from arena.errors import StoreError, printable
from arena.field import Field
from arena.formats import FORMATS
from arena.formats.meeting import Settings
from arena.game import Variant
from arena.game.definition import define
from arena.log import archive
from arena.log.door import wrong
from arena.log.reading import Log, PlannedGame
from arena.log.sound import fault_of
from arena.plan.plan import Identifier, Plan, Sheets, Side, common_part, identifier
from arena.plan.rounds import frozen_rounds
from arena.referee.game import ID_FORMAT, GameSpec, Limits
from arena.referee.possible import find_broken_rule
from arena.referee.row import GameRow, write_cells
from arena.solver.health import why_degenerate
from arena.solver.openings import openings

MOST_DRAWN = 100_000
"""The most openings times cells of their board that are drawn again; the report says how many were not."""

MOST_TERMS = 10_000
"""The most combinations of seeds and limits that are tried for a game outside the plan."""

MOST_IDENTIFIERS = 200_000
"""The most ways to make an id that are tried for games outside the plan."""

UNCHECKED = (
    "seconds of CPU and of waiting, the sentences about forfeits, where and when it was played",
    "that these bots play these moves: `arena rerun` plays a game again",
)


def plan_of(log: Log, field: Field) -> Plan:
    """Return the plan of a folder, made from the folder alone: for its ids and openings."""
    variants = [archive.kept_variant(log, name, version) for name, version in field.variants]
    opened = {variant.name: archive.kept_openings(log, variant, field.seed) for variant in variants}
    limits = Limits(**field.limits)  # type: ignore[arg-type]
    versions = field.bots | {f"{name}@{version}": full for name, version, full in log.bots()}
    rounds = frozen_rounds(log, field.series, field.bots)[0] if field.series else []
    most = max(min(len(some), field.openings) for some in opened.values())
    if not most:
        raise wrong(log.folder, "it was planned without openings, which arena never does")
    made = (rounds, Sheets(most, field.repeats), field.seed, limits, log.id_format or ID_FORMAT)
    return Plan(variants, opened, versions, *made, field.keep_solver)


class Terms(NamedTuple):
    """The seeds and limits under which games of a folder may have been played."""

    id_format: int
    seeds: Sequence[int]
    limits: Sequence[Limits]


def terms_of(log: Log) -> Terms:
    """Return all seeds and limits that a folder was ever planned with; StoreError if they are too many."""
    field = log.field()
    seeds = list(dict.fromkeys([field.seed, *log.seeds()]))
    limits = list(dict.fromkeys([Limits(**field.limits), *log.limits()]))  # type: ignore[arg-type]
    if len(seeds) * len(limits) > MOST_TERMS:
        raise StoreError(f"{log.folder}: it was planned with more seeds and limits than arena checks")
    return Terms(log.id_format or ID_FORMAT, seeds, limits)


def list_unchecked(field: Field, drawing: Drawing) -> list[str]:
    """Return what was not checked, so that nobody trusts more than was."""
    openings = [f"{drawing.not_drawn:,} openings"] if drawing.not_drawn else []
    plan = ["that no game was left out of its plan"] if _is_by_choice(field) else []
    return [*openings, *plan, *UNCHECKED]


def _is_by_choice(field: Field) -> bool:
    """Whether the pairings follow neither from the field nor from rounds that are frozen in the log."""
    format = FORMATS.get(field.format)
    return format is not None and not (format.is_by_field or format.is_by_results)


def mistakes(log: Log) -> Iterator[tuple[str, str]]:
    """Yield everything that is wrong: the id of the game, or another name, and why."""
    damage = log.damage()
    yield from (("(the file itself)", text) for text in damage)
    if damage:
        return  # nothing that it says can be relied on
    yield from _wrong_bots(log)
    check = Check(log)
    yield from _wrong_plan(log, check.plan)
    yield from _missing_from_plan(log, check.plan)
    for row in log.every_row():
        mistake = check.mistake(row)
        if mistake is not None:
            yield printable(str(row.game)), mistake


def _wrong_bots(log: Log) -> Iterator[tuple[str, str]]:
    for name, version, _ in log.bots():
        try:
            archive.kept_bot(log, name, version)
        except StoreError as error:
            yield f"bot {name} {version}", str(error)


def _wrong_plan(log: Log, plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield games that the plan has twice, or under an id that names another game."""
    for game in log.unsound_plan():
        yield f"plan of {printable(str(game))}", "it is not written as arena plans games"
        return
    seen: set[str] = set()
    for planned in log.planned_games():
        if planned.game in seen:
            yield f"plan of {printable(str(planned.game))}", "it is there twice"
        elif not _is_planned(planned, plan):
            yield f"plan of {printable(str(planned.game))}", "it is not the game that its id names"
        seen.add(planned.game)


def _missing_from_plan(log: Log, plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield a sentence if games are missing from the plan: somebody who lost them may have removed them."""
    field = log.field()
    rounds = plan.rounds
    if field.format in FORMATS and FORMATS[field.format].is_by_field:
        settings = Settings(sheets=plan.sheets.in_meeting)
        rounds = [FORMATS[field.format].next_round(list(field.bots), [], {}, settings)]
    ids = log.planned_ids()
    missing = sum(planned.game not in ids for planned in plan.replace(rounds=rounds).games())
    if missing:
        yield "(the plan)", f"it lacks {missing:,} games that follow from its bots, variants and openings"


def _is_planned(planned: PlannedGame, plan: Plan) -> bool:
    try:
        opening = plan.openings[planned.variant][planned.opening].cells
        sides = planned.first, planned.second
        return planned.cells == write_cells(opening) and planned.game == plan.game_id(
            planned.variant, *sides, planned.cells, planned.repeat
        )
    except (KeyError, IndexError, TypeError):
        return False


class Check:
    """Checks games of a folder against its plan, and against everything it was ever planned with."""

    def __init__(self, log: Log, terms: Terms | None = None) -> None:
        self.plan = plan_of(log, log.field())
        self._log = log
        self._in_plan = log.planned_ids()
        self._hashes = {(name, version): full for name, version, full in log.bots()}
        self._terms = terms or terms_of(log)
        self._left = MOST_IDENTIFIERS
        self._variants: dict[str, list[Variant]] = {}
        self._identifiers: dict[tuple[str, ...], list[tuple[Variant, int, Identifier]]] = {}

    def mistake(self, game: GameRow) -> str | None:
        """Return what is wrong with a game, or None."""
        fault = fault_of(game)
        if fault is not None:
            return fault
        try:
            if game.moves != write_cells(game.cells):
                return "its moves are not written as the log writes them"
            if game.game in self._in_plan:
                return _find_wrong_id(game, self.plan) or find_broken_rule(
                    game, self.plan.variants[game.variant]
                )
            return self._find_wrong_outside(game)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError):
            return "it cannot be read"

    def _find_wrong_outside(self, game: GameRow) -> str | None:
        """Return what is wrong with a game that is not in the plan, but may have been in an earlier one."""
        found = self.origin(game)
        return (
            "its id does not belong to any game that was planned here"
            if found is None
            else find_broken_rule(game, found[0])
        )

    def origin(self, game: GameRow) -> tuple[Variant, int] | None:
        """Return the variant and the seed under which a game has its id; None if there are none."""
        if any(bot not in self._hashes for bot in _bots(game)):
            return None
        cells = write_cells(game.cells[: game.opening_plies])
        for variant, seed, ident in self._possible(game):
            if ident(cells, game.repeat) == game.game:
                return variant, seed
        return None

    def _possible(self, game: GameRow) -> list[tuple[Variant, int, Identifier]]:
        """Return every variant and seed of a possible game, with the function that makes its ids."""
        first, second = (game.first, game.first_version), (game.second, game.second_version)
        key = (game.variant, *first, *second)
        if key not in self._identifiers:
            sides = [Side(bot[0], self._hashes[bot]) for bot in (first, second)]
            id_format, seeds, some = self._terms
            self._left -= len(seeds) * len(some) * len(self._read_kept(game.variant))
            if self._left < 0:
                raise StoreError(f"{self._log.folder}: it has too many games outside the plan to check")
            self._identifiers[key] = [
                (variant, seed, identifier(common_part(variant, seed, limits, id_format), *both))
                for variant in self._read_kept(game.variant)
                for seed in seeds
                for limits in some
                for both in _with_or_without(sides, limits)
            ]
        return self._identifiers[key]

    def _read_kept(self, name: str) -> list[Variant]:
        if name not in self._variants:
            self._variants[name] = archive.kept_variants(self._log, name)
        return self._variants[name]


def _with_or_without(sides: list[Side], limits: Limits) -> list[list[Side]]:
    """Return two bots as they may have played: where the solver is taken away, each may have kept it."""
    kept = [(False, False)] if limits.solver else list(product((False, True), repeat=2))
    return [[s._replace(keeps_solver=k) for s, k in zip(sides, both, strict=True)] for both in kept]


class Drawing(NamedTuple):
    """Whether the openings of a folder are those that its seed draws."""

    drawn: int  # again, and found to be the same
    not_drawn: int  # because the budget was spent
    wrong: list[tuple[str, str]]


def redraw(log: Log) -> Drawing:
    """Draw the openings of the plan again, as many as a budget allows, and compare."""
    field, left = log.field(), MOST_DRAWN
    found = Drawing(0, 0, [])
    for name, version in field.variants:
        variant = archive.kept_variant(log, name, version)
        kept = [opening.cells for opening in archive.kept_openings(log, variant, field.seed)]
        left -= len(kept) * variant.board.size
        if left < 0:
            found = found._replace(not_drawn=found.not_drawn + len(kept))
            continue
        drawn = [cells for cells, _ in openings(variant, define(variant), field.seed, len(kept), log.drawing)]
        other = sum(one != again for one, again in zip(kept, drawn, strict=False)) + len(kept) - len(drawn)
        found = found._replace(drawn=found.drawn + len(kept) - other)
        if other:
            found.wrong.append((name, f"{other:,} of its openings are not those that its seed draws"))
    return found


def wrong_verdicts(log: Log) -> Iterator[tuple[str, str]]:
    """Yield the variants about which a folder is wrong: whether they can rank anybody."""
    field = log.field()
    for name, version in field.variants:
        why = why_degenerate(archive.kept_variant(log, name, version))
        if (why is not None) != (name in field.degenerate):
            yield name, "it can rank nobody, and the log says otherwise" if why else "it can rank bots"


def spec_of(game: GameRow, plan: Plan) -> GameSpec:
    """Return a game of the plan for playing it again; StoreError if it is not the one that its id names."""
    fault = _find_wrong_id(game, plan)
    if fault is not None:
        raise StoreError(f"game {game.game} cannot be played again: {fault}")
    opening = game.cells[: game.opening_plies]
    first, second = (_find_entry(*bot, plan) or "" for bot in _bots(game))
    names = (game.game, game.variant, game.opening, game.repeat, first, second)
    return plan.spec(PlannedGame(*names, write_cells(opening)))


def _bots(game: GameRow) -> tuple[tuple[str, str], tuple[str, str]]:
    return (game.first, game.first_version), (game.second, game.second_version)


def _find_wrong_id(game: GameRow, plan: Plan) -> str | None:
    """Return why a game is not the one that its id names."""
    opened = plan.openings.get(game.variant, [])
    if not 0 <= game.opening < len(opened):
        return f"there is no opening {game.opening}"
    opening = opened[game.opening].cells
    cells = write_cells(opening)
    if game.cells[: game.opening_plies] != opening:
        return f"it does not begin with opening {game.opening}, which is {cells or 'the empty board'}"
    first, second = (_find_entry(*bot, plan) for bot in _bots(game))
    if first is None or second is None:
        return "it was played by other versions of its bots"
    if plan.game_id(game.variant, first, second, cells, game.repeat) != game.game:
        return "its id is not that of its bots, variant, opening, repeat, seed and limits"
    return None


def _find_entry(name: str, version: str, plan: Plan) -> str | None:
    """Return what the plan calls a version of a bot; None if it has no such version."""
    names = (name, f"{name}@{version}")
    return next((bot for bot in names if plan.versions.get(bot, "")[:12] == version), None)
