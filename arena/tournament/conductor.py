"""The conductor: plays the games of a tournament that are not in its log yet.

Resume, one more bot, more openings and another machine are all that one sentence. The conductor is the only
writer of the log. It commits what workers hand back at least every 200 ms, so a crash of anything costs what
was being played and nothing else; the next run plays it.

Ctrl-C once: no game is begun any more, and those that end within two seconds are written. Twice, or later:
it stops at once. Either way the log is whole.
"""

from __future__ import annotations

import importlib
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cached_property
from itertools import groupby, islice
from pathlib import Path
from typing import NamedTuple

from arena.errors import UserError, did_you_mean
from arena.executors import EXECUTORS
from arena.executors.local import own_cores
from arena.executors.unit import Executor, Finished, Spoilt, Unit, finished
from arena.formats import FORMATS
from arena.hosts.evidence import Faults, evidence
from arena.hosts.library import require_sandbox
from arena.hosts.play import record
from arena.hosts.template import Template
from arena.referee.endings import Ending, Outcome
from arena.referee.game import GameRecord, GameSpec, Row
from arena.solver.health import why_degenerate
from arena.store import LOG, Log, Store, told
from arena.tournament import archive
from arena.tournament.archive import Field
from arena.tournament.config import Tournament, read_tournament
from arena.tournament.definition import define, short
from arena.tournament.entries import from_here
from arena.tournament.plan import MOST_IN_UNIT, Plan, Planned
from arena.tournament.preflight import Findings, preflight
from arena.tournament.run import Run
from arena.tournament.watch import Watch

COMMIT_SECONDS = 0.2
GRACE_SECONDS = 2.0
STOPPING = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
CHUNK = 4096
"""Games that are looked for in the log at a time."""


class Options(NamedTuple):
    """What the command line says beside the tournament file."""

    workers: int = 0  # as many as there are cores
    isolation: str | None = None  # as the file says
    executor: str = "local"
    results: Path | None = None  # beside the file's bots
    again: tuple[str, ...] = ()  # endings and bots whose games are played again


def run(
    config: str | os.PathLike[str],
    *,
    workers: int = 0,
    isolation: str | None = None,
    executor: str = "local",
    results: str | os.PathLike[str] | None = None,
    again: tuple[str, ...] = (),
    watch: Watch | None = None,
) -> Run:
    """Play what is missing of a tournament, and return its run folder, with standings and games in it."""
    options = Options(workers, isolation, executor, Path(results) if results is not None else None, again)
    with Conductor(config, options, watch or Watch()) as conductor:
        conductor.play()
    return Run(conductor.folder)


class Conductor:
    """One run of a tournament: reads its file, locks its folder, plans; `play` plays."""

    def __init__(self, config: str | os.PathLike[str], options: Options, watch: Watch) -> None:
        self._options = options
        self._watch = watch
        self.tournament = _checked(read_tournament(config, isolation=options.isolation), options)
        self.folder = _folder(self.tournament, options)
        self._sources = {bot.name: bot for bot in self.tournament.bots}
        self._store = Store(self.folder)
        try:
            self.plan = self._planned()
            for line in (*fewer_openings(self.plan, self.tournament), *unfit(degenerate(self.plan))):
                watch.say(line)
            self._set_aside()
        except BaseException:
            self._store.close()
            raise

    def __enter__(self) -> Conductor:
        return self

    def __exit__(self, *_: object) -> None:
        self._store.close()

    @property
    def played(self) -> int:
        """How many games of the plan are in the log."""
        return self._store.played

    def play(self) -> None:
        """Play what is missing; KeyboardInterrupt if the user stopped it, after writing what was finished."""
        done = self.played
        self._watch.begin(self.plan.count, self._store.counts())
        if done < self.plan.count:
            self._play_missing()
        Run(self.folder).write_tables()
        for line in changed_meanwhile(self.tournament):
            self._watch.say(line)

    def _play_missing(self) -> None:
        setting = self._setting()
        run = archive.begin_run(self._store, setting)
        executor = _executor(self._options.executor, self._options.workers)
        try:
            with _stopping(executor) as stopping:
                writing = _Writing(self._store, self.plan, self._watch, self.folder, run)
                findings = self._preflight(executor)
                for games in executor.play(self._units(findings, writing)):
                    writing.take(games)
                    if stopping.is_set():
                        writing.commit()
                writing.commit()
        finally:
            executor.close()
        if stopping.is_set():
            Run(self.folder).write_tables()
            raise KeyboardInterrupt
        archive.end_run(self._store, run)

    def _planned(self) -> Plan:
        """Write the plan, and everything that its games need to be understood."""
        store = self._store
        plan = make_plan(self.tournament, store)
        for name, variant in plan.variants.items():
            archive.keep_variant(store, variant)
            archive.keep_openings(store, variant, plan.seed, plan.openings[name])
        for bot in self.tournament.bots:
            archive.keep_bot(store, bot)
        store.write_plan(plan.fingerprint(), self._field(plan).written(), plan.games())
        return plan

    def _field(self, plan: Plan) -> Field:
        tournament = self.tournament
        return Field(
            tournament.name,
            [(name, short(define(variant))) for name, variant in plan.variants.items()],
            plan.versions,
            tournament.openings,
            plan.repeats,
            plan.seed,
            plan.limits._asdict(),
            tournament.isolation,
            degenerate(plan),
        )

    def _set_aside(self) -> None:
        """Take out of the log what is to be played again."""
        # NoSandbox comes before anything is set aside that could then not be played again.
        if self.tournament.isolation == "sandboxed" and self._store.trusted and self._walls:
            count = self._store.set_aside("isolation <> :word", "sandboxed", "played trusted")
            self._watch.say(f"{count:,} games were played trusted, and are played again sandboxed")
        for word in self._options.again:
            condition = "ending = :word" if word in set(Ending) else ":word IN (g.first, g.second)"
            count = self._store.set_aside(condition, word, f"--again {word}")
            self._watch.say(f"{count:,} games of {word} are played again")

    @cached_property
    def _walls(self) -> str:
        """What stands around bots here; NoSandbox if it is not enough, nothing if none is asked for."""
        if self.tournament.isolation != "sandboxed":
            return ""
        with closing(Template()) as template:
            require_sandbox(template)
            return str(template.walls)

    def _setting(self) -> archive.Setting:
        tournament, options = self.tournament, self._options
        limits, isolation = tournament.limits, tournament.isolation
        workers = 1 if options.executor == "serial" else options.workers or len(own_cores())
        return archive.Setting(tournament.text, limits, isolation, self._walls, options.executor, workers)

    def _preflight(self, executor: Executor) -> Findings:
        """Start and ask every bot that has games to play; whoever cannot be repeated is marked."""
        playing = self._store.rows(
            "SELECT DISTINCT name FROM (SELECT first AS name, game FROM plan UNION ALL SELECT second, game "
            "FROM plan) WHERE game NOT IN (SELECT game FROM games)"
        )
        bots = [self._sources[name] for (name,) in sorted(playing)]
        tournament = self.tournament
        findings = preflight(executor, bots, tournament.variants, tournament.limits, tournament.isolation)
        for bot in bots:
            archive.mark_repeatable(self._store, bot, bot.name not in findings.unrepeatable)
        for line in findings.told:
            self._watch.say(line)
        return findings

    def _units(self, findings: Findings, writing: _Writing) -> Iterator[Unit]:
        """Yield what is missing in units; games of bots that cannot be started are decided here and now."""
        isolation = self.tournament.isolation
        for pairing, planned in groupby(self._missing(), key=lambda game: frozenset(game[4:6])):
            one, other = (self._sources[name] for name in sorted(pairing))
            specs = map(self.plan.spec, planned)
            while some := tuple(islice(specs, MOST_IN_UNIT)):
                if findings.unable:
                    decided = [_not_started(spec, findings, isolation) for spec in some]
                    writing.take(finished(game for game in decided if game is not None))
                    some = tuple(spec for spec, game in zip(some, decided, strict=True) if game is None)
                if some:
                    yield Unit(some, (one, other), isolation)

    def _missing(self) -> Iterator[Planned]:
        after, is_fresh = 0, self.played == 0
        while rows := self._store.missing(after, CHUNK, is_fresh):
            yield from (Planned._make(row[1:]) for row in rows)
            after = rows[-1][0]


def make_plan(tournament: Tournament, log: Log | None) -> Plan:
    """Return the plan of a tournament, with the openings that a log has frozen."""
    count, seed = tournament.openings, tournament.seed
    opened = {v.name: archive.frozen_openings(log, v, seed, count) for v in tournament.variants}
    versions = {bot.name: bot.version for bot in tournament.bots}
    pairings = FORMATS[tournament.format](sorted(versions))
    return Plan(tournament.variants, opened, versions, pairings, tournament.repeats, seed, tournament.limits)


def fewer_openings(plan: Plan, tournament: Tournament) -> Iterator[str]:
    """Yield a sentence for each variant that has not as many openings as were asked for."""
    for name, opened in plan.openings.items():
        if len(opened) < tournament.openings:
            yield f"{name}: all its {len(opened):,} openings are used, of {tournament.openings:,} asked for"


def balance(plan: Plan) -> Iterator[str]:
    """Yield for each variant how many of its openings are won, lost and unsolved for the side to move."""
    for name, opened in plan.openings.items():
        won, lost = ([opening.is_won for opening in opened].count(verdict) for verdict in (True, False))
        unsolved = f", {len(opened) - won - lost} not solved" if won + lost < len(opened) else ""
        yield f"{name}: {len(opened):,} openings, {won} won and {lost} lost for the side to move{unsolved}"


def degenerate(plan: Plan) -> dict[str, str]:
    """Return the variants that are proven to rank nobody, and why: one side wins whatever anybody plays."""
    found = {name: why_degenerate(variant) for name, variant in plan.variants.items()}
    return {name: why for name, why in found.items() if why is not None}


def unfit(degenerate: dict[str, str]) -> list[str]:
    """Return a sentence for each variant that cannot rank anybody."""
    return [f"{name} cannot rank anybody: {why}" for name, why in degenerate.items()]


class Outlook(NamedTuple):
    """What a run would do."""

    tournament: Tournament
    plan: Plan
    folder: Path
    played: int


def look_ahead(config: str | os.PathLike[str], options: Options) -> Outlook:
    """Return what a run would do, and write nothing."""
    tournament = _checked(read_tournament(config, isolation=options.isolation), options)
    folder = _folder(tournament, options)
    if not (folder / LOG).exists():
        return Outlook(tournament, make_plan(tournament, None), folder, 0)
    with closing(Log(folder)) as log:
        plan = make_plan(tournament, log)
        counted = log.each(
            "SELECT game, first, second, ending FROM games WHERE isolation = 'sandboxed' OR ? = 'trusted'",
            tournament.isolation,
        )
        known = {game for game, *words in counted if not set(words) & set(options.again)}
        return Outlook(tournament, plan, folder, sum(game.game in known for game in plan.games()))


def _folder(tournament: Tournament, options: Options) -> Path:
    return (options.results or from_here(tournament.results)) / tournament.name


def _not_started(spec: GameSpec, findings: Findings, isolation: str) -> GameRecord | None:
    """Return the record of a game whose bot is known not to start; of two, the side to move loses."""
    position = spec.variant.replay(spec.opening)
    for side in (position.to_move, 1 - position.to_move):
        failed = findings.unable.get(((spec.first, spec.second)[side], spec.variant.name, side))
        if failed is not None:
            outcome = Outcome(1 - side, Ending.NO_START, failed.detail, failed.evidence)
            decided = record(spec, position, outcome, [[0.0, 0.0], [0.0, 0.0]], isolation)
            return decided._replace(printed=failed.printed)
    return None


class _Writing:
    """What has come back from workers, on its way into the log."""

    def __init__(self, store: Store, plan: Plan, watch: Watch, folder: Path, run: int) -> None:
        self._store = store
        self._plan = plan
        self._watch = watch
        self._folder = folder
        self._run = run
        self._rows: list[Row] = []
        self._forfeits: list[GameRecord] = []
        self._committed = time.monotonic()
        self._faults = Faults(folder / "faults", Counter(_kinds(store)))

    def take(self, games: Finished) -> None:
        """Take finished games; they are committed now or soon."""
        self._rows += games.rows
        self._forfeits += [game for game in games.remarkable if game.ending.is_forfeit]
        for spoilt in games.spoilt:
            self._void(spoilt)
        if time.monotonic() - self._committed >= COMMIT_SECONDS:
            self.commit()

    def commit(self) -> None:
        """Have everything in the log, and the evidence of forfeits beside it."""
        rows, self._rows = self._rows, []
        forfeits, self._forfeits = self._forfeits, []
        if rows:
            self._store.write(rows)
        for game in forfeits:
            self._keep(game)
        self._committed = time.monotonic()
        self._watch.played(rows)

    def _keep(self, game: GameRecord) -> None:
        if self._faults.is_wanted(game):
            variant = self._plan.variants[game.variant]
            with told(self._folder):
                self._faults.keep(game, evidence(game, variant, self._plan.limits, str(self._folder)))

    def _void(self, game: Spoilt) -> None:
        spec = game.spec
        self._store.write_void(spec.game, spec.variant.name, spec.first, spec.second, game.reason, self._run)
        self._watch.say(f"game {spec.game} of {spec.first} and {spec.second} is void: {game.reason}")


def _kinds(store: Store) -> dict[tuple[str, str, str], int]:
    """Return how many forfeits of each kind the log has: those have their evidence already."""
    rows = store.rows(
        "SELECT CASE winner WHEN first THEN second ELSE first END, variant, ending, COUNT(*) FROM games "
        "WHERE ending <> 'no-moves' GROUP BY 1, 2, 3"
    )
    return {(loser, variant, ending): count for loser, variant, ending, count in rows}


def _checked(tournament: Tournament, options: Options) -> Tournament:
    """UserError for what a tournament file cannot be blamed for."""
    if len(tournament.bots) < 2:
        raise UserError(
            f"{tournament.config.name}: a tournament needs two bots, and {tournament.bots[0].name} is alone"
        )
    known = [*(ending.value for ending in Ending), *(bot.name for bot in tournament.bots)]
    for word in options.again:
        if word not in known:
            hint = did_you_mean(word, known) or f"; it takes one of {', '.join(known)}"
            raise UserError(f"--again {word}: there is no ending and no bot of that name{hint}")
    return tournament


def _executor(name: str, workers: int) -> Executor:
    module, _, made = EXECUTORS[name].partition(":")
    executor: Executor = getattr(importlib.import_module(module), made)(workers=workers)
    return executor


@contextmanager
def _stopping(executor: Executor) -> Iterator[threading.Event]:
    """Have Ctrl-C and its kin stop an executor: at first with grace, after two seconds or again at once."""
    stopping = threading.Event()
    timers: list[threading.Timer] = []

    def stop(number: int, frame: object) -> None:
        if stopping.is_set():
            raise KeyboardInterrupt
        stopping.set()
        executor.stop()
        here = threading.main_thread().ident
        timers.append(threading.Timer(GRACE_SECONDS, signal.pthread_kill, [here, signal.SIGINT]))
        timers[0].daemon = True
        timers[0].start()

    if threading.current_thread() is not threading.main_thread():
        yield stopping  # only the main thread hears signals
        return
    before = {number: signal.signal(number, stop) for number in STOPPING}
    try:
        yield stopping
    finally:
        for timer in timers:
            timer.cancel()
        for number, handler in before.items():
            signal.signal(number, handler)


def changed_meanwhile(tournament: Tournament) -> Iterator[str]:
    """Yield a sentence for the config and for each bot that is no longer what was played."""
    try:
        current = read_tournament(tournament.config, isolation=tournament.isolation)
    except UserError:
        yield f"{tournament.config.name} or its bots were changed during the run, and can no longer be read"
        return
    if current.text != tournament.text:
        yield f"{tournament.config.name} was changed during the run; run it again to play what is new"
    now = {bot.name: bot.version for bot in current.bots}
    for bot in tournament.bots:
        if now.get(bot.name) != bot.version:
            change = "changed" if bot.name in now else "removed"
            yield f"{bot.name} was {change} during the run, which played it as it was at the start"
