"""Finished games on their way into the log, and evidence of forfeits on its way beside it.

What workers hand back is committed at least every 200 ms, so that a crash costs almost nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import chain

from arena.executors.unit import Finished, Place, Replay, Spoilt
from arena.log.door import explain_errors
from arena.log.writing import Store
from arena.plan.plan import Plan
from arena.referee.game import GameRecord
from arena.referee.row import GameRow
from arena.tournament.evidence import Faults, evidence
from arena.tournament.watch import Watch

COMMIT_SECONDS = 0.2

Heed = Callable[[Sequence[GameRow]], None]
"""Who does something with the games that were committed."""


def heed_nothing(rows: Sequence[GameRow]) -> None:
    """Do nothing with them."""


class Writing:
    """What has come back from workers, on its way into the log."""

    def __init__(
        self,
        store: Store,
        plan: Plan,
        watch: Watch,
        faults: Faults,
        run: int,
        heed: Heed = heed_nothing,
        walls: str = "",
    ) -> None:
        self._heed = heed
        self._store = store
        self._plan = plan
        self._watch = watch
        self._faults = faults
        self._run = run
        self._here = Place("", walls)
        self._machines: dict[Place, int] = {}  # their numbers in the log
        self._rows: dict[Place, list[GameRow]] = {}
        self._replays: list[Replay] = []
        self._forfeits: list[GameRecord] = []
        self._committed = time.monotonic()

    def take(self, games: Finished) -> None:
        """Take finished games; they are committed now or soon."""
        if games.rows:
            self._rows.setdefault(games.place or self._here, []).extend(games.rows)
        self._replays += games.replays
        self._forfeits += [game for game in games.remarkable if game.ending.is_forfeit]
        for spoilt in games.spoilt:
            self._void(spoilt)
        if time.monotonic() - self._committed >= COMMIT_SECONDS:
            self.commit()

    def commit(self) -> None:
        """Write everything to the log, and the evidence of forfeits beside it."""
        found, self._rows = self._rows, {}
        replays, self._replays = self._replays, []
        forfeits, self._forfeits = self._forfeits, []
        if found:
            self._store.write_by_machine({self._machine(place): rows for place, rows in found.items()})
        if replays:
            self._store.write_replays(replays, self._run)
        for game in forfeits:
            self._keep(game)
        self._committed = time.monotonic()
        written = list(chain.from_iterable(found.values()))
        self._watch.note_games(written)
        self._heed(written)

    def _machine(self, place: Place) -> int:
        """Return the number of a machine in the log, where it is noted when its first games come."""
        if place not in self._machines:
            self._machines[place] = self._store.note_machine(self._run, *place)
        return self._machines[place]

    def _keep(self, game: GameRecord) -> None:
        if self._faults.is_wanted(game):
            variant = self._plan.variants[game.variant]
            with explain_errors(self._faults.run):
                self._faults.keep(game, evidence(game, variant, self._plan.limits, str(self._faults.run)))

    def _void(self, game: Spoilt) -> None:
        spec = game.spec
        self._store.write_void(spec.game, spec.variant.name, spec.first, spec.second, game.reason, self._run)
        self._watch.say(f"game {spec.game} of {spec.first} and {spec.second} is void: {game.reason}")
