"""The pre-flight: every bot is started and asked before the first game, so that nobody learns it at midnight.

On every variant a bot meets a copy of itself in a planned game, with its opening, its limits and the bot's
own seed. Both are asked once. So no bot can tell that it is being tested. All of it is done twice, the second
time in processes that are forked from another template. A bot that answers differently cannot be repeated;
nor can a bot that asks for its clock. Differences later in a game are left to the audit.

Before that each bot is asked for one move. A bot that does not answer in time is named and not tested
further; otherwise a few bots that sleep would hold up everybody.

A bot that could not be started as some side of some variant forfeits such games as `no-start` without another
try: an import that takes its five seconds and fails would otherwise cost a night. A game ends with the first
bot that does not start, so who fails as the side to move is tried as the other side too, beside a script.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from arena.bots.source import Source
from arena.executors.unit import Executor, Manner, Unit
from arena.plan.outlook import SECRET
from arena.plan.plan import Plan
from arena.referee.endings import Ending
from arena.referee.game import GameRecord, GameSpec
from arena.tournament.watch import Watch


class Findings(NamedTuple):
    """What the pre-flight found out."""

    unable: dict[tuple[str, str, int], GameRecord]  # bot, variant and side that could not be started
    unrepeatable: set[str]
    told: list[str]  # sentences for people
    seconds: dict[str, float]  # by bot, the CPU of its slowest move; not of bots that were late


class _Trials(NamedTuple):
    """How the trials of one bot went: the moves by game, whatever is remarkable, and the CPU of each move."""

    moves: dict[str, str]
    remarkable: list[GameRecord]
    seconds: list[float]


def preflight(
    executor: Executor,
    bots: Sequence[Source],
    plan: Plan,
    isolation: str,
    watch: Watch,
    secret: Collection[str] = (),
) -> Findings:
    """Start every bot, ask it, and do so once more: three trials of each bot, of which a watcher hears.

    What is told does not name variants that are secret.
    """
    units = [_unit(bot, plan, isolation) for bot in bots]
    findings, of = Findings({}, set(), [], {}), 3 * len(units)
    knocks = [unit._replace(specs=(_one_move(unit.specs[0]),)) for unit in units]
    knocked = _play(executor, knocks, lambda done: watch.note_trials(done, of))
    late = {name for name, trials in knocked.items() if _is_late(trials, findings, secret)}
    units = [unit for unit in units if unit.bots[0].name not in late]
    before, of = len(knocks), len(knocks) + 2 * len(units)
    played = _play(executor, units, lambda done: watch.note_trials(before + done, of))
    repeats = [unit._replace(manner=Manner.AUDIT) for unit in units]
    again = _play(executor, repeats, lambda done: watch.note_trials(before + len(units) + done, of))
    for name in played:
        _judge(name, (played[name], again[name]), findings, secret)
        findings.seconds[name] = max(played[name].seconds, default=0.0)
    _try_other_sides(executor, units, findings)
    return findings


def _try_other_sides(executor: Executor, units: Sequence[Unit], findings: Findings) -> None:
    """Start each bot that did not start as the side to move as the other side, and note if it fails again."""
    trials = [_as_other_side(unit, findings) for unit in units]
    for games in executor.play([unit for unit in trials if unit.specs]):
        for record in games.remarkable:
            if record.ending is Ending.NO_START:
                side = 0 if record.loser == record.first else 1
                findings.unable[record.loser, record.variant, side] = record


def _as_other_side(unit: Unit, findings: Findings) -> Unit:
    """Return the games of a bot as sides that were not tried, against a script, which always starts."""
    (bot, copy), specs = unit.bots, []
    for spec in unit.specs:
        to_move = spec.variant.replay(spec.opening).to_move
        if (bot.name, spec.variant.name, to_move) in findings.unable:
            first, second = (bot.name, copy.name) if to_move else (copy.name, bot.name)
            specs.append(spec._replace(first=first, second=second))
    return unit._replace(specs=tuple(specs), script=())


def _is_late(trials: _Trials, findings: Findings, secret: Collection[str]) -> bool:
    """Whether a bot ran out of time at its first move: then it is named, and not tested further."""
    late = [record for record in trials.remarkable if record.ending is Ending.TIMEOUT]
    findings.told.extend(_say_failed(record, secret) for record in late)
    return bool(late)


def _say_failed(record: GameRecord, secret: Collection[str]) -> str:
    if record.variant in secret:  # the detail may name it too: a bot's error may say anything
        return f"{record.first}: {record.ending} on {SECRET}"
    return f"{record.first}: {record.ending} on {record.variant}: {record.detail}"


def _judge(name: str, trials: tuple[_Trials, _Trials], findings: Findings, secret: Collection[str]) -> None:
    played, again = trials
    for record in played.remarkable:
        if record.ending is Ending.NO_START:
            findings.unable[name, record.variant, 0 if record.loser == record.first else 1] = record
    failed = [game for game in played.remarkable if game.ending.is_forfeit and game.ending != Ending.TIMEOUT]
    if failed:
        shown = min(failed, key=lambda game: game.variant in secret)
        findings.told.append(_say_failed(shown, secret))
    asks_for_clock = any(any(record.takes_clock) for record in played.remarkable)
    if asks_for_clock or _differ(played.moves, again.moves):
        findings.unrepeatable.add(name)
        findings.told.append(f"{name}: cannot be repeated exactly, and is marked with ~")


def _differ(played: dict[str, str], again: dict[str, str]) -> bool:
    """Whether other moves were made; if one game was cut short, in the part that both have."""
    both = [(played[game].split(), again[game].split()) for game in played.keys() & again.keys()]
    return any(one[: len(other)] != other[: len(one)] for one, other in both)


def _play(executor: Executor, units: Sequence[Unit], note: Callable[[int], None]) -> dict[str, _Trials]:
    """Return the trials by bot; spoilt ones are left out. `note` hears how many bots were asked so far."""
    found = {unit.bots[0].name: _Trials({}, [], []) for unit in units}
    asked: set[str] = set()
    for games in executor.play(units):
        for row in games.rows:
            found[row.first].moves[row.game] = row.moves
            found[row.first].seconds.extend((row.first_cpu_seconds, row.second_cpu_seconds))
        for record in games.remarkable:
            found[record.first].remarkable.append(record)
        asked.update(row.first for row in games.rows)
        note(len(asked))
    return found


def _unit(bot: Source, plan: Plan, isolation: str) -> Unit:
    """Return the games of a bot against its copy; the bot itself is always the one called `first`."""
    copy = bot._replace(name=f"{bot.name}~")  # no bot can have this name
    specs = [
        GameSpec(
            f"preflight {bot.name} {name}",
            variant,
            bot.name,
            copy.name,
            bot.version,
            copy.version,
            plan.openings[name][0].cells,
            plan.seed,
            plan.limits,
            id_format=plan.id_format,
            moves_asked=2,
            keep_solver=(bot.name in plan.keep_solver,) * 2,
        )
        for name, variant in plan.variants.items()
    ]
    return Unit(tuple(specs), (bot, copy), isolation)


def _one_move(spec: GameSpec) -> GameSpec:
    return spec._replace(moves_asked=1)
