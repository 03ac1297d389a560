"""The audit: some games of every bot are played again, alone in fresh processes, and must come out the same.

"Every game starts from the state just after import" is a promise that a bot can break: by what it keeps in
`sys`, in a library, in its own program. Whoever does so plays otherwise when it has no past. So of the games
that were played a sample is drawn by the tournament's seed, which no bot knows, and played again in
processes that are forked from another template. A bot whose move first differs in the same position is marked
with `~`, as one that cannot be repeated. Nobody loses a game by it.

Games that a clock or a limit of memory has ended prove nothing, nor do those of a bot that is marked already.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from math import inf

from arena.bots.source import Source
from arena.executors.unit import Executor, Manner, Unit
from arena.log import audits
from arena.log.audits import Audited, Otherwise, case_against
from arena.log.reading import PlannedGame
from arena.log.writing import Store
from arena.plan.plan import Plan
from arena.referee.endings import Ending
from arena.referee.row import GameRow
from arena.tournament.watch import Watch

LEAST, ONE_IN = 20, 100
"""Of every bot so many games are played again, or one in so many of its games."""

MANY, SHARE = 10_000, 0.05
"""In a run of so many games the audit takes at most this share of its time."""

WORTH_SAYING = 0.5
"""The share of a run's games from which on people are told that these are played again."""

UNPROVEN = {Ending.TIMEOUT.value, Ending.MEMORY.value, Ending.NO_START.value}


def sample(games: Iterable[GameRow], counts: Mapping[str, int]) -> Iterator[GameRow]:
    """Yield games in their order until there are enough of every bot; `counts` are how many each has."""
    missing = Counter({bot: min(count, max(LEAST, -(-count // ONE_IN))) for bot, count in counts.items()})
    bots = sum(count > 0 for count in missing.values())
    for row in games:
        if not bots:
            return
        if missing[row.first] > 0 or missing[row.second] > 0:
            missing.subtract((row.first, row.second))
            bots -= (missing[row.first] == 0) + (missing[row.second] == 0)
            yield row


def lot(seed: int) -> str:
    """Return the id from which on, in the order of ids, games are drawn."""
    return hashlib.sha256(f"arena audit {seed}".encode()).hexdigest()[:16]


def who_differs(logged: GameRow, again: GameRow) -> tuple[str, int] | None:
    """Return the bot whose move first differs in the same position, and the ply; None if nobody's does."""
    if UNPROVEN & {logged.ending, again.ending}:
        return None
    if (logged.moves, logged.ending) == (again.moves, again.ending):
        return None
    one, other = logged.cells, again.cells
    same = next((ply for ply, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    ply = min(len(one), len(other)) if same is None else same
    return (logged.first, logged.second)[ply % 2], ply + 1


class Audit:
    """One audit: the games that are due, and what was found in those that were played again."""

    def __init__(self, store: Store, sources: Mapping[str, Source], run: int) -> None:
        self._store = store
        self._sources = sources
        self._run = run
        self._since = audits.begin(store, run)
        self._began = time.monotonic()
        self._marked: set[str] = set()

    def _version(self, name: str) -> str:
        return self._sources[name].version if name in self._sources else ""

    def play(self, executor: Executor, plan: Plan, watch: Watch) -> None:
        """Play the sample again, write down how it came out, and mark whoever plays otherwise."""
        self._marked |= {name for name, full in self._store.unrepeatable() if self._version(name) == full}
        due = audits.games_due(self._store, self._since)
        games = sum(due.values()) // 2
        logged = {row.game: row for row in sample(self._drawn(plan.seed), self._counted(due))}
        planned = audits.planned_among(self._store, logged)
        if len(planned) >= WORTH_SAYING * games > 0:
            watch.say(f"{len(planned):,} of {games:,} games are played again, to see that they stay the same")
        deadline = time.monotonic() + SHARE * (time.monotonic() - self._began) if games >= MANY else inf
        units = (self._unit(plan, planned[game]) for game in logged if game in planned)
        done = 0
        for finished in executor.play(_until(deadline, units)):
            self._take([(logged[row.game], row) for row in finished.rows], plan, watch)
            done += finished.games
            watch.stand(f"audit: {done:,} of {len(planned):,}")
            watch.played(())

    def end(self) -> None:
        """Have nothing due any more."""
        audits.end(self._store)

    def _counted(self, due: Mapping[str, int]) -> dict[str, int]:
        """Return how many games there are to be drawn from; of a bot that is marked already, none."""
        return {bot: count for bot, count in due.items() if bot not in self._marked}

    def _drawn(self, seed: int) -> Iterator[GameRow]:
        for row in audits.drawn(self._store, self._since, lot(seed)):
            versions = {row.first: row.first_version, row.second: row.second_version}
            is_current = all(self._version(bot)[:12] == version for bot, version in versions.items())
            if is_current and self._marked.isdisjoint(versions):
                yield row

    def _unit(self, plan: Plan, planned: PlannedGame) -> Unit:
        bots = (self._sources[planned.first], self._sources[planned.second])
        return Unit((plan.spec(planned),), bots, "sandboxed", Manner.AUDIT)

    def _take(self, pairs: list[tuple[GameRow, GameRow]], plan: Plan, watch: Watch) -> None:
        found = [(logged, _audited(logged, again)) for logged, again in pairs]
        audits.write(self._store, [audited for _, audited in found], self._run)
        for case in (Otherwise(logged, audited) for logged, audited in found if audited.bot):
            bot = case.again.bot
            if bot not in self._marked:
                self._marked.add(bot)
                self._store.mark_repeatable(bot, self._version(bot), is_repeatable=False)
                watch.say(f"{case_against(case, plan.variants[case.logged.variant])}; it is marked with ~")


def _audited(logged: GameRow, again: GameRow) -> Audited:
    bot, ply = who_differs(logged, again) or ("", 0)
    return Audited(again.game, again.moves, again.ending, bot, ply)


def _until(deadline: float, units: Iterator[Unit]) -> Iterator[Unit]:
    for unit in units:
        if time.monotonic() > deadline:
            return
        yield unit
