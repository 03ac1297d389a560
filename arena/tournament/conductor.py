"""The conductor: plays the games of a tournament that are not in its log yet.

That one sentence covers resuming, one more bot, more openings and another machine. The conductor is the only
writer of the log (`freezing`, `writing`), and handles Ctrl-C (`stopping`). Whatever crashes, only the games
that were being played are lost; the next run plays them.
"""

from __future__ import annotations

import pkgutil
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from itertools import chain, islice
from math import inf

from arena.bots.source import Source
from arena.config.reading import Tournament
from arena.executors import EXECUTORS
from arena.executors.cluster import NOWHERE
from arena.executors.unit import Executor, Manner, Unit, hand_back
from arena.hosts.opening import require_sandbox
from arena.log.audits import are_due
from arena.log.door import LOG, explain_errors
from arena.log.reading import PlannedGame
from arena.log.writing import Setting, Store
from arena.plan.freezing import read_sources, write_plan, write_round
from arena.plan.outlook import (
    Options,
    degenerate,
    fewer_openings,
    run_folder,
    say_changed,
    say_older_drawing,
    say_undrawn,
    unfit,
)
from arena.plan.plan import MOST_IN_UNIT
from arena.plan.rounds import IN_ROUNDS, Course, closing_notes, next_round, say_standing
from arena.referee.endings import Ending
from arena.referee.game import GameRecord, GameSpec
from arena.referee.judge import no_start, starting_order
from arena.referee.record import nothing_spent, record
from arena.sandbox.template import Template
from arena.tournament.audit import Audit
from arena.tournament.evidence import Faults, kept_games, open_seals
from arena.tournament.preflight import Findings, preflight
from arena.tournament.stopping import Stop, Stoppable, stopping
from arena.tournament.stretches import Stretch, bundle, stretches
from arena.tournament.watch import Watch
from arena.tournament.writing import Heed, Writing, heed_nothing

CHUNK = 4096
"""How many games are looked up in the log at a time."""

TELL_SECONDS = 0.5
"""So often it is said how fast machines are."""

GAME_SECONDS, COLD_SECONDS = 0.0005, 0.0005
"""What a game takes even if its bots answer at once, and what the first move of a new process takes."""


class Conductor:
    """One run of a tournament: locks its folder, plans; `play` plays, until somebody asks it to stop."""

    def __init__(
        self, tournament: Tournament, options: Options, watch: Watch, stop: Stop | None = None
    ) -> None:
        self._options = options
        self._watch = watch
        self._stop = stop or Stop()
        self.tournament = tournament
        self.folder = run_folder(tournament, options)
        is_new = not (self.folder / LOG).exists()
        self._store = Store(self.folder)
        self._complete = 0  # no game of the plan up to this number is missing
        self._executor: Executor | None = None
        self._told = 0.0  # when it was said who plays how fast
        try:
            if is_new:  # everything is to be played: let workers start meanwhile
                self._executor = self._start_executor()
            self._note_contest()
            changed = list(say_changed(tournament, self._store))
            self.plan = write_plan(self._store, tournament)
            self._sources = read_sources(self._store, tournament, self.plan)
            self.course = Course(self._store, degenerate(self.plan))
            older = say_older_drawing(self._store)
            fewer = fewer_openings(self.plan, tournament)
            weak = unfit(degenerate(self.plan), tournament.secret)
            for line in (*tournament.notices, *changed, *older, *fewer, *weak):
                watch.say(line)
            self._set_aside()
        except BaseException:
            self._close()
            raise

    def __enter__(self) -> Conductor:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def _close(self) -> None:
        if self._executor is not None:
            self._executor.close()
        self._store.close()

    @property
    def played(self) -> int:
        """How many games of the plan are in the log."""
        return self._store.played

    def stop(self) -> None:
        """Let `play` begin no more games, and return soon; any thread may call it, at any time."""
        self._stop.ask()

    def play(self, heed: Heed = heed_nothing) -> bool:
        """Play what is missing; return whether everything was played.

        False if it was stopped, by the user or by `stop`. `heed` is given the games that were committed, and
        should not keep anybody waiting.
        """
        self._watch.begin(self.plan.count, self._store.counts())
        is_over = True
        if self.played < self.plan.count or self._plan_next_round() or self._is_audit_due():
            is_over = self._play_rounds(heed)
        if is_over and self.played == self.plan.count and not self._store.is_open:
            with explain_errors(self.folder):
                open_seals(self.folder / "faults")
        self._store.settle()
        return is_over

    def _play_rounds(self, heed: Heed) -> bool:
        """Play what is missing, and then round after round until the format says that it is over."""
        executor = Stoppable(self._executor or self._start_executor(), self._stop)
        self._executor = None
        try:
            setting = self._setting(executor)
            run = self._store.begin_run(setting)
            self._tell_news(executor)
            audit = Audit(self._store, self._sources, run)
            with stopping(executor, self._stop):
                faults = self._faults()
                writing = Writing(self._store, self.plan, self._watch, faults, run, heed, setting.walls)
                findings = self._preflight(executor)
                self._play_missing(executor, findings, writing)
                while not self._stop.is_asked and self._plan_next_round():
                    self._play_missing(executor, findings, writing)
                if not self._stop.is_asked and self._is_audited:
                    audit.play(executor, self.plan, self._watch)
                self._tell_news(executor, is_over=True)
        finally:
            executor.close()
        if self._stop.is_asked:
            return False
        if self._is_audited:
            audit.end()
        self._store.end_run(run)
        return True

    @property
    def _is_audited(self) -> bool:
        """Whether bots are audited; trusted ones are not."""
        return self._options.audit and self.tournament.isolation == "sandboxed"

    def _is_audit_due(self) -> bool:
        """Whether an audit was skipped, or not completed."""
        return self._is_audited and are_due(self._store)

    def _play_missing(self, executor: Executor, findings: Findings, writing: Writing) -> None:
        for games in executor.play(self._units(findings, writing)):
            writing.take(games)
            self._tell_news(executor)
            if self._stop.is_asked:
                writing.commit()
        writing.commit()

    def _plan_next_round(self) -> bool:
        """Plan the next round, if this one is complete and it is not over; return whether there is one."""
        if self.tournament.format not in IN_ROUNDS or self.played < self.plan.count:
            return False
        self.course.follow(self.plan)
        if words := say_standing(self.tournament, self.plan, self.course):
            self._watch.stand(words)
        pairings = next_round(self.tournament, self.plan, self.course)
        if not pairings:
            self._store.write_fact("over", self.plan.fingerprint())
            late = say_undrawn(self.plan, self.tournament.format)
            for line in (*late, *closing_notes(self.tournament, self.course)):
                self._watch.say(line)
            return False
        self._complete = self.plan.count
        self.plan = write_round(self._store, self.tournament, self.plan, pairings)
        self._watch.extend(len(self.plan.rounds), self.plan.count)
        return True

    def _note_contest(self) -> None:
        """Note whether a contest goes on, before there is anything that would be shown after its end."""
        if self._options.is_open is not None:
            self._store.note_contest(self._options.is_open)

    def _set_aside(self) -> None:
        """Take out of the log what is to be played again."""
        if self.tournament.isolation == "sandboxed" and self._store.trusted:
            with closing(Template()) as template:
                require_sandbox(template)  # before games are set aside that could then not be played again
            count = self._store.set_aside("trusted", "sandboxed", "played trusted")
            self._watch.say(f"{count:,} games were played trusted, and are played again sandboxed")
        for word in self._options.again:
            by = "ending" if word in set(Ending) else "bot"
            count = self._store.set_aside(by, word, f"--again {word}")
            self._watch.say(f"{count:,} games of {word} are played again")

    def _start_executor(self) -> Executor:
        make = pkgutil.resolve_name(EXECUTORS[self._options.executor])
        cluster = () if self._options.cluster == NOWHERE else (self._options.cluster,)
        executor: Executor = make(self._options.workers, self.tournament.isolation == "sandboxed", *cluster)
        return executor

    def _tell_news(self, executor: Executor, is_over: bool = False) -> None:
        """Tell who watches what happened to workers, and from time to time how fast they are."""
        for line in executor.take_news():
            self._watch.say(line)
        if is_over or time.monotonic() - self._told > TELL_SECONDS:
            self._told = time.monotonic()
            self._watch.note_playing(executor.games())
            if machines := executor.machines():
                self._watch.note_machines(machines, is_over)

    def _setting(self, executor: Executor) -> Setting:
        tournament, options = self.tournament, self._options
        limits, isolation = tournament.limits, tournament.isolation
        walls = executor.walls() if isolation == "sandboxed" else ""
        return Setting(tournament.text, limits, isolation, walls, options.executor, executor.workers)

    def _preflight(self, executor: Executor) -> Findings:
        """Start and ask every bot that has games to play; mark those that cannot be repeated."""
        tournament, bots = self.tournament, sorted(self._playing(), key=lambda bot: bot.name)
        asked = (self.plan, tournament.isolation, self._watch, tournament.secret)
        findings = preflight(executor, bots, *asked)
        for bot in bots:
            self._store.mark_repeatable(bot.name, bot.version, bot.name not in findings.unrepeatable)
        for line in findings.told:
            self._watch.say(line)
        return findings

    def _faults(self) -> Faults:
        with explain_errors(self.folder):
            games = kept_games(self.folder / "faults")
        return Faults(self.folder, self._store.forfeits_among(games), self.tournament.secret)

    def _playing(self) -> list[Source]:
        """Return the bots that have games to play, now or perhaps in a later round."""
        if self.tournament.format in IN_ROUNDS or not self.played:
            return list(self.tournament.bots)
        return [self._sources[name] for name in self._store.bots_to_play()]

    def _units(self, findings: Findings, writing: Writing) -> Iterator[Unit]:
        """Yield what is missing in units; games of bots that cannot be started are decided at once."""
        manner = Manner.FRESH if self.tournament.fresh else Manner.SHARED
        for pairings in self._bundles(findings):
            names = sorted(frozenset().union(*pairings))
            isolation = self._isolation(names)
            bots = tuple(self._sources[name] for name in names)
            specs = map(self.plan.spec, chain.from_iterable(pairings.values()))
            while some := tuple(islice(specs, MOST_IN_UNIT)):
                if findings.unable and not any("@" in name for name in names):  # old versions were not tried
                    decided = [_record_no_start(spec, findings, isolation) for spec in some]
                    writing.take(hand_back(game for game in decided if game is not None))
                    some = tuple(spec for spec, game in zip(some, decided, strict=True) if game is None)
                for is_secret, alike in self._part(some):
                    yield Unit(alike, bots, isolation, manner, is_secret=is_secret)

    def _part(self, specs: Sequence[GameSpec]) -> Iterator[tuple[bool, tuple[GameSpec, ...]]]:
        """Yield the games that everybody may see, and those on secret variants."""
        for is_secret in (False, True):
            alike = tuple(
                spec for spec in specs if (spec.variant.name in self.tournament.secret) == is_secret
            )
            if alike:
                yield is_secret, alike

    def _bundles(self, findings: Findings) -> Iterator[Stretch]:
        """Yield the games that are missing by pairing, as many pairings at a time as are played together."""

        known: dict[tuple[str, str, str], float] = {}  # it is asked twice for every game

        def estimate(game: PlannedGame) -> float:
            kind = game.variant, game.first, game.second
            if kind not in known:
                known[kind] = self._estimate(*kind, findings.seconds)
            return known[kind]

        def estimate_among_others(game: PlannedGame) -> float:
            is_sociable = game.first in findings.sociable and game.second in findings.sociable
            return estimate(game) if is_sociable and not self.tournament.fresh else inf

        # So a request for all moves of a bot surely takes less than one move may.
        most_seconds = min(MOST_IN_UNIT * GAME_SECONDS, self.tournament.limits.move_seconds)
        for stretch in stretches(self._missing(), estimate, len(self.plan.versions)):
            yield from bundle(stretch, estimate_among_others, most_seconds)

    def _estimate(self, variant: str, first: str, second: str, seconds: dict[str, float]) -> float:
        """Return about how many seconds a game takes, rather more; for ever if nobody knows its bots."""
        slower = max(seconds.get(bot, inf) for bot in (first, second))
        thinking = max(0.0, slower - COLD_SECONDS)
        return GAME_SECONDS + thinking * self.plan.variants[variant].board.size

    def _isolation(self, pairing: Collection[str]) -> str:
        """Return how two bots play: a source from the log is trusted only if the user typed `trusted`.

        Neither the log nor a file that was written for other bots can give that permission.
        """
        is_stored = any("@" in bot for bot in pairing)
        if is_stored and self._options.isolation != "trusted":
            return "sandboxed"
        return self.tournament.isolation

    def _missing(self) -> Iterator[PlannedGame]:
        after, is_fresh = self._complete, self.played == 0
        while rows := self._store.missing(after, CHUNK, is_fresh):
            yield from (game for _, game in rows)
            after = rows[-1][0]


def _record_no_start(spec: GameSpec, findings: Findings, isolation: str) -> GameRecord | None:
    """Return the record of a game whose bot is known not to start; if both are, the side to move loses."""
    position = spec.variant.replay(spec.opening)
    for side in starting_order(position):
        name = (spec.first, spec.second)[side]
        failed = findings.unable.get((name, spec.variant.name, side))
        if failed is not None:
            outcome = no_start(side, failed.detail, failed.evidence)
            decided = record(spec, position, outcome, nothing_spent(), isolation)
            return decided._replace(printed=failed.printed)
    return None
