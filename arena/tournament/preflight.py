"""The pre-flight: every bot is started and asked before the first game, so that nobody learns it at midnight.

A bot plays a few games against a copy of itself: on every variant it is begun as either side, one or two
plies before an end, and on the largest board it plays a whole game. All of it is done twice, in fresh
processes: a bot that answers otherwise the second time cannot be repeated; of one that asks for its clock it
is clear.

First of all each is asked one thing, the last ply of a game: who has no answer to that in time is named and
tried no more, or a few bots that sleep would hold up everybody.

A bot that could not be started as some side of some variant forfeits such games as `no-start` without being
started again for each of them: an import that takes its five seconds and fails would cost a night.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from arena.executors.unit import Executor, Unit
from arena.game import Variant
from arena.hosts.source import Source
from arena.referee.endings import Ending
from arena.referee.game import GameRecord, GameSpec, Limits

MOST_MOVES = 3
"""Of these moves at full length a trial game has time for; a bot that thinks long is not asked to the end."""


class Findings(NamedTuple):
    """What the pre-flight found out."""

    unable: dict[tuple[str, str, int], GameRecord]  # bot, variant and side that could not be started
    unrepeatable: set[str]
    told: list[str]  # sentences for people


class _Trials(NamedTuple):
    """How the trials of one bot went: the moves by game, and whatever is remarkable."""

    moves: dict[str, str]
    remarkable: list[GameRecord]


def preflight(
    executor: Executor, bots: Sequence[Source], variants: Sequence[Variant], limits: Limits, isolation: str
) -> Findings:
    """Start every bot, ask it, and do so once more."""
    units = [_unit(bot, variants, limits, isolation) for bot in bots]
    findings = Findings({}, set(), [])
    knocked = _played(executor, [unit._replace(specs=unit.specs[-1:]) for unit in units])
    late = {name for name, trials in knocked.items() if _is_late(trials, findings)}
    units = [unit for unit in units if unit.bots[0].name not in late]
    played, again = (_played(executor, units) for _ in range(2))
    for name in played:
        _judge(name, played[name], again[name], findings)
    return findings


def _is_late(trials: _Trials, findings: Findings) -> bool:
    """Whether a bot ran out of time at the first thing it was asked: then it is named, and tried no more."""
    late = [record for record in trials.remarkable if record.ending is Ending.TIMEOUT]
    findings.told.extend(_failed(record) for record in late)
    return bool(late)


def _failed(record: GameRecord) -> str:
    return f"{record.first}: {record.ending} on {record.variant}: {record.detail}"


def _judge(name: str, played: _Trials, again: _Trials, findings: Findings) -> None:
    for record in played.remarkable:
        if record.ending is Ending.NO_START:
            findings.unable[name, record.variant, 0 if record.loser == record.first else 1] = record
    failed = [game for game in played.remarkable if game.ending.is_forfeit and game.ending != Ending.TIMEOUT]
    if failed:
        findings.told.append(_failed(failed[0]))
    asks_for_clock = any(any(record.takes_clock) for record in played.remarkable)
    if asks_for_clock or _differ(played.moves, again.moves):
        findings.unrepeatable.add(name)
        findings.told.append(f"{name}: cannot be repeated exactly, and is marked with ~")


def _differ(played: dict[str, str], again: dict[str, str]) -> bool:
    """Whether other moves were made; where one game was cut short, in the part that both have."""
    both = [(played[game].split(), again[game].split()) for game in played.keys() & again.keys()]
    return any(one[: len(other)] != other[: len(one)] for one, other in both)


def _played(executor: Executor, units: Iterable[Unit]) -> dict[str, _Trials]:
    """Return the trials by bot; one that was spoilt tells nothing."""
    found = {unit.bots[0].name: _Trials({}, []) for unit in units}
    for games in executor.play(units):
        for row in games.rows:
            found[row.first].moves[row.game] = row.moves
        for record in games.remarkable:
            found[record.first].remarkable.append(record)
    return found


def _unit(bot: Source, variants: Sequence[Variant], limits: Limits, isolation: str) -> Unit:
    """Return the games of a bot against its copy; the bot itself is always the one called `first`."""
    copy = bot._replace(name=f"{bot.name}~")  # no bot can be called so
    patient = limits._replace(game_seconds=min(limits.game_seconds, MOST_MOVES * limits.move_seconds))
    largest = max(variants, key=lambda variant: variant.board.size)
    positions = [(variant, opening) for variant in variants for opening in _near_the_end(variant)]
    specs = [
        GameSpec(
            f"preflight {bot.name} {number}",
            variant,
            bot.name,
            copy.name,
            bot.version,
            copy.version,
            opening,
            limits=patient,
        )
        for number, (variant, opening) in enumerate([(largest, ()), *positions])
    ]
    return Unit(tuple(specs), (bot, copy), isolation)


def _near_the_end(variant: Variant) -> Iterator[tuple[int, ...]]:
    """Yield openings that leave one ply and two: in one of them either side is the first to be asked."""
    position = variant.start()
    while not position.is_over:
        position = position.play(position.legal_moves[0])
    for left in (1, 2):
        if position.history[:-left] or left == len(position.history):
            yield position.history[:-left]
