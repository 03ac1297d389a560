"""The pre-flight: every bot is started and asked before the first game, so that nobody learns it at midnight.

On every variant a bot is asked for its first move in a planned game, once as the side to move and once as the
other side, with its opening, its limits and the bot's own seed. So no bot can tell that it is being tested;
the opponent is a script. All of it is done twice, the second time in a process that is forked from another
template. A bot that answers differently cannot be repeated; nor can a bot that asks for its clock.
Differences later in a game are left to the audit.

Before that each bot is asked for one move. A bot that does not answer in time is named and not tested
further; otherwise a few bots that sleep would hold up everybody.

A bot that could not be started as some side of some variant forfeits such games as `no-start` without another
try: an import that takes its five seconds and fails would otherwise cost a night.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from arena.bots.source import Source
from arena.executors.unit import Executor, Manner, Unit
from arena.game import Variant
from arena.hosts.scripted import ANY
from arena.plan.outlook import SECRET
from arena.plan.plan import Plan
from arena.referee.endings import Ending
from arena.referee.game import GameRecord, GameSpec
from arena.referee.row import GameRow
from arena.tournament.watch import Watch

SCRIPT = "~"
"""Behind the name of a bot: its opponent in a trial. No bot can have such a name."""

AT_ONCE_SECONDS = 0.01
"""Who answers within this, by a clock on the wall, may play against many at once; who sleeps may not."""


class Findings(NamedTuple):
    """What the pre-flight found out."""

    unable: dict[tuple[str, str, int], GameRecord]  # bot, variant and side that could not be started
    unrepeatable: set[str]
    told: list[str]  # sentences for people
    seconds: dict[str, float]  # by bot, the CPU of a move where it is slowest; not of bots that were late
    sociable: set[str]  # bots that may play against many at once: nothing about them was remarkable


class _Trials(NamedTuple):
    """How the trials of one bot went: the moves by game, whatever is remarkable, CPU and wall time of moves.

    Times are kept by variant and side; nothing of a side that was not asked.
    """

    moves: dict[str, str]
    remarkable: list[GameRecord]
    seconds: dict[tuple[str, int], float]
    waits: dict[tuple[str, int], float]


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
    units = {bot.name: _units(bot, plan, isolation, secret) for bot in bots}
    findings, of = Findings({}, set(), [], {}, set()), 3 * len(units)
    knocks = [unit._replace(specs=unit.specs[:1]) for unit, *_ in units.values()]
    knocked = _play(executor, knocks, lambda done: watch.note_trials(done, of))
    late = {name for name, trials in knocked.items() if _is_late(trials, findings, secret)}
    before, left = len(knocks), len(units) - len(late)
    of = before + 2 * left
    # Its first move takes a new process much longer than later ones: the first trial is made twice.
    firsts = [
        unit._replace(specs=(unit.specs[0], *unit.specs))
        for name, of_bot in units.items()
        for unit in of_bot
        if name not in late
    ]
    played = _play(executor, firsts, lambda done: watch.note_trials(before + done, of))
    # The other way round: who carries something from game to game then answers otherwise.
    repeats = [unit._replace(specs=unit.specs[::-1], manner=Manner.REPEAT) for unit in firsts]
    again = _play(executor, repeats, lambda done: watch.note_trials(before + left + done, of))
    for name in played:
        _judge(name, (played[name], again[name]), findings, secret)
        findings.seconds[name] = _slowest(played[name].seconds, again[name].seconds)
        waited = _slowest(played[name].waits, again[name].waits)
        if not played[name].remarkable and name not in findings.unrepeatable and waited < AT_ONCE_SECONDS:
            findings.sociable.add(name)
    return findings


Seconds = dict[tuple[str, int], float]


def _slowest(one: Seconds, other: Seconds) -> float:
    """Return what a move takes on the variant and side where it takes longest, by the quicker of two trials.

    The first move of a process costs more than others, and much more on a busy machine.
    """
    return max((min(seconds, other.get(where, seconds)) for where, seconds in one.items()), default=0.0)


def _is_late(trials: _Trials, findings: Findings, secret: Collection[str]) -> bool:
    """Whether a bot ran out of time at its first move: then it is named, and not tested further."""
    late = [record for record in trials.remarkable if record.ending is Ending.TIMEOUT]
    findings.told.extend(_say_failed(record, secret) for record in late)
    return bool(late)


def _say_failed(record: GameRecord, secret: Collection[str]) -> str:
    if record.variant in secret:  # the detail may name it too: a bot's error may say anything
        return f"{record.loser}: {record.ending} on {SECRET}"
    return f"{record.loser}: {record.ending} on {record.variant}: {record.detail}"


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
    found = {unit.bots[0].name: _Trials({}, [], {}, {}) for unit in units}
    asked: set[str] = set()
    for games in executor.play(units):
        for row in games.rows:
            name = _tried(row)
            found[name].moves[row.game] = row.moves
            used = enumerate((row.first_cpu_seconds, row.second_cpu_seconds))
            _add_seconds(found[name].seconds, {(row.variant, side): cpu for side, cpu in used if cpu})
            waits = enumerate((row.first_wall_seconds, row.second_wall_seconds))
            _add_seconds(found[name].waits, {(row.variant, side): wall for side, wall in waits if wall})
            asked.add(name)
        for record in games.remarkable:
            found[_tried(record)].remarkable.append(record)
        note(len(asked))
    return found


def _add_seconds(known: Seconds, more: Seconds) -> None:
    """Add what a bot took; the less of what it took for the same."""
    known.update({where: min(cpu, known.get(where, cpu)) for where, cpu in more.items()})


def _tried(game: GameRow | GameRecord) -> str:
    """Return the bot that was tried in a game: the one that is not the script."""
    return game.second if game.first.endswith(SCRIPT) else game.first


def _units(bot: Source, plan: Plan, isolation: str, secret: Collection[str]) -> list[Unit]:
    """Return the trials of a bot: on every variant as the side to move, and as the other side.

    What it is asked on secret variants is a unit of its own.
    """
    shown = [name for name in plan.variants if name not in secret]
    hidden = [name for name in plan.variants if name in secret]
    return [
        _unit(bot, names, plan, isolation)._replace(is_secret=names is hidden)
        for names in (shown, hidden)
        if names
    ]


def _unit(bot: Source, names: Sequence[str], plan: Plan, isolation: str) -> Unit:
    script = bot._replace(name=f"{bot.name}{SCRIPT}")
    specs = [
        _spec(plan.variants[name], plan.openings[name][0].cells, is_to_move, bot, plan)
        for name in names
        for is_to_move in (True, False)
    ]
    return Unit(tuple(specs), (bot, script), isolation, script=(ANY,))


def _spec(variant: Variant, opening: tuple[int, ...], is_to_move: bool, bot: Source, plan: Plan) -> GameSpec:
    side = len(opening) % 2 if is_to_move else 1 - len(opening) % 2
    names = (bot.name, f"{bot.name}{SCRIPT}")
    return GameSpec(
        f"preflight {bot.name} {variant.name} {side}",
        variant,
        names[side],
        names[1 - side],
        bot.version,
        bot.version,
        opening,
        plan.seed,
        plan.limits,
        id_format=plan.id_format,
        moves_asked=1 if is_to_move else 2,
        keep_solver=(bot.name in plan.keep_solver,) * 2,
    )
