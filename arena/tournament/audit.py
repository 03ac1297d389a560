"""The audit: bots are asked again in games that they have played, in fresh processes. Answers must agree.

"Every game starts from the state just after import" is a promise that a bot can break: by what it keeps in
`sys`, in a library, in its own program. Such a bot plays differently when it has no past. So a sample of
every bot's games is drawn by the tournament's seed, which no bot knows. In each game the bot is asked again,
in a process that is forked from another template, with the logged moves of its opponent; so the opponent does
not matter. A bot whose answer differs is marked with `~`, as one that cannot be repeated. Nobody loses a game
by it.

An answer that was cut short by a clock or a memory limit proves nothing. Then another game is drawn. How
often that happened is reported, but it is no reason for a mark.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from math import inf
from typing import NamedTuple

from arena.bots.source import Source
from arena.executors.unit import Executor, Manner, Unit
from arena.log import audits
from arena.log.audits import Audited, Otherwise
from arena.log.reading import PlannedGame
from arena.log.writing import Store
from arena.plan.plan import Plan
from arena.referee.endings import Ending
from arena.referee.row import GameRow
from arena.results.doubts import case_against
from arena.tournament.watch import Watch

LEAST, ONE_IN = 20, 100
"""At least LEAST games of every bot are played again, and at least one in ONE_IN of its games."""

MANY, SHARE = 10_000, 0.05
"""In a run of at least MANY games the audit takes at most SHARE of its time."""

WORTH_SAYING = 0.5
"""If at least this share of a run's games is played again, people are told so."""

UNPROVEN = {Ending.TIMEOUT.value, Ending.MEMORY.value, Ending.NO_START.value}


class Case(NamedTuple):
    """A game of the log, and the bot that is asked again in it."""

    row: GameRow
    bot: str

    @property
    def side(self) -> int:
        """The side that the bot had."""
        return 0 if self.row.first == self.bot else 1

    @property
    def is_asked(self) -> bool:
        """Whether the bot was asked for a move in it."""
        own = range(self.row.opening_plies + (self.row.opening_plies % 2 != self.side), self.row.plies, 2)
        return self.is_own_end or len(own) > 0

    @property
    def is_own_end(self) -> bool:
        """Whether the game ended with a forfeit of this bot."""
        return self.row.ending != Ending.NO_MOVES and self.row.loser == self.bot


def count_wanted(games: int) -> int:
    """Return in how many of its games a bot is asked again."""
    return min(games, max(LEAST, -(-games // ONE_IN)))


def sample(games: Iterable[GameRow], counts: Mapping[str, int]) -> Iterator[Case]:
    """Yield games of every bot, in order, until there are enough; `counts` says how many each bot has."""
    missing = Counter({bot: count_wanted(count) for bot, count in counts.items()})
    bots = sum(count > 0 for count in missing.values())
    for row in games:
        if not bots:
            return
        for bot in (row.first, row.second):
            case = Case(row, bot)
            if missing[bot] > 0 and case.is_asked:
                missing[bot] -= 1
                bots -= missing[bot] == 0
                yield case


def lot(seed: int) -> str:
    """Return the id at which drawing starts; games are drawn in the order of ids."""
    return hashlib.sha256(f"arena audit {seed}".encode()).hexdigest()[:16]


class Verdict(Enum):
    """What a game that was played again says about the bot in it."""

    SAME = "same"
    DIFFERS = "differs"
    UNPROVEN = "unproven"


def compare(case: Case, again: GameRow) -> tuple[Verdict, int]:
    """Return what the answers of a bot say, and the ply of the first that differs, or 0.

    Another move in the same position is a difference, whatever came later. If there is none and one of the
    games was cut short by a clock or a limit, nothing is known about the rest.
    """
    logged, replayed = case.row.cells, again.cells
    for ply, (one, other) in enumerate(zip(logged, replayed, strict=False), 1):
        if one != other:
            return Verdict.DIFFERS, ply
    ends = [case.row.ending] * case.is_own_end + [again.ending] * (again.ending != Ending.NO_MOVES)
    if len(logged) == len(replayed) and (len(ends) in (0, 2) and len(set(ends)) < 2):
        return Verdict.SAME, 0
    if UNPROVEN & set(ends):
        return Verdict.UNPROVEN, 0
    return Verdict.DIFFERS, min(len(logged), len(replayed)) + 1


class Audit:
    """One audit: the games that are due, and what was found in those that were played again."""

    def __init__(self, store: Store, sources: Mapping[str, Source], run: int) -> None:
        self._store = store
        self._sources = sources
        self._run = run
        self._since = audits.begin(store, run)
        self._began = time.monotonic()
        self._marked: set[str] = set()
        self._tried: Counter[str] = Counter()
        self._proven: Counter[str] = Counter()

    def _version(self, name: str) -> str:
        return self._sources[name].version if name in self._sources else ""

    def play(self, executor: Executor, plan: Plan, watch: Watch) -> None:
        """Play the sample again, write down how it came out, and mark bots that play differently."""
        self._marked |= {name for name, full in self._store.unrepeatable() if self._version(name) == full}
        due = audits.games_due(self._store, self._since)
        games = sum(due.values()) // 2
        deadline = time.monotonic() + SHARE * (time.monotonic() - self._began) if games >= MANY else inf
        counts = {bot: count for bot, count in due.items() if bot not in self._marked}
        cases = list(sample(self._draw(plan.seed), counts))
        if len(cases) >= WORTH_SAYING * 2 * games > 0:
            again = len({case.row.game for case in cases})
            watch.say(f"{again:,} of {games:,} games are played again, to check that bots answer the same")
        self._play(executor, cases, plan, watch, deadline)
        more = list(self._instead_of(cases, plan.seed))
        if more:
            self._play(executor, more, plan, watch, deadline)
            self._say_unproven(watch)

    def _instead_of(self, cases: list[Case], seed: int) -> Iterator[Case]:
        """Yield another game for each that proved nothing."""
        played = {(case.row.game, case.bot) for case in cases}
        missing = (self._tried - self._proven) - Counter(dict.fromkeys(self._marked, len(cases)))
        for row in self._draw(seed) if missing else ():
            for bot in (row.first, row.second):
                case = Case(row, bot)
                if missing[bot] > 0 and case.is_asked and (row.game, bot) not in played:
                    missing[bot] -= 1
                    yield case

    def end(self) -> None:
        """Note that no game is due any more."""
        audits.end(self._store)

    def _play(self, executor: Executor, cases: list[Case], plan: Plan, watch: Watch, deadline: float) -> None:
        planned = audits.planned_among(self._store, {case.row.game for case in cases})
        for side in (0, 1):  # in a game both may be asked again, and it keeps its id
            asked = {case.row.game: case for case in cases if case.side == side and case.row.game in planned}
            units = (self._unit(plan, planned[game], case) for game, case in asked.items())
            self._hear(executor, asked, _until(deadline, units), plan, watch)

    def _hear(
        self, executor: Executor, asked: dict[str, Case], units: Iterator[Unit], plan: Plan, watch: Watch
    ) -> None:
        done = 0
        for finished in executor.play(units):
            self._take([(asked[row.game], row) for row in finished.rows], plan, watch)
            for spoilt in finished.spoilt:
                watch.say(f"game {spoilt.spec.game} could not be played again: {spoilt.reason}")
            done += finished.games
            watch.stand(f"audit: {done:,} of {len(asked):,}")
            watch.note_games(())

    def _draw(self, seed: int) -> Iterator[GameRow]:
        for row in audits.draw(self._store, self._since, lot(seed)):
            versions = {row.first: row.first_version, row.second: row.second_version}
            if all(self._version(bot)[:12] == version for bot, version in versions.items()):
                yield row

    def _unit(self, plan: Plan, planned: PlannedGame, case: Case) -> Unit:
        row, bot = case
        other = row.second if bot == row.first else row.first
        spec = plan.spec(planned)._replace(moves_asked=_asked_for(case))
        return Unit((spec,), (self._sources[bot], self._sources[other]), "sandboxed", Manner.AUDIT, row.cells)

    def _take(self, pairs: list[tuple[Case, GameRow]], plan: Plan, watch: Watch) -> None:
        found = [(case, _note(case, again, *compare(case, again))) for case, again in pairs]
        audits.write(self._store, [audited for _, audited in found], self._run)
        for case, audited in found:
            self._tried[case.bot] += 1
            self._proven[case.bot] += audited.ply >= 0
            if audited.ply > 0 and case.bot not in self._marked:
                self._marked.add(case.bot)
                self._store.mark_repeatable(case.bot, self._version(case.bot), is_repeatable=False)
                told = case_against(Otherwise(case.row, audited), plan.variants[case.row.variant])
                watch.say(f"{told}; it is marked with ~")

    def _say_unproven(self, watch: Watch) -> None:
        for bot, unproven in sorted((self._tried - self._proven).items()):
            if bot not in self._marked and 2 * unproven >= self._tried[bot]:
                tried = (
                    f"{unproven:,} of {self._tried[bot]:,} games in which it was asked again prove nothing"
                )
                watch.say(f"{bot}: {tried}, because a clock or the memory limit ended them")


def _asked_for(case: Case) -> int:
    """Return after how many moves a replayed game ends: those of the log, and one more after a forfeit."""
    return max(1, case.row.plies - case.row.opening_plies + case.is_own_end)


def _note(case: Case, again: GameRow, verdict: Verdict, ply: int) -> Audited:
    """Return what is written down; ply -1 if nothing is proven."""
    shown = -1 if verdict is Verdict.UNPROVEN else ply
    return Audited(case.row.game, again.moves, again.ending, case.bot if ply else "", shown)


def _until(deadline: float, units: Iterator[Unit]) -> Iterator[Unit]:
    for unit in units:
        if time.monotonic() > deadline:
            return
        yield unit
