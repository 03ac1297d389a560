"""The executor for a cluster: units are played by the workers of a `dask.distributed` scheduler.

dask brings functions to machines and answers back, and people know how to start it with ssh, Slurm or
Kubernetes. Who plays what is decided here, and what becomes of a unit whose worker is lost, hangs or lies
(`crew`). Only what came back and was checked (`parcel`) leaves this file, so every game comes once, however
many workers died.

To send something to a worker and hear of it costs dask some 15 ms of CPU in all, mostly in the scheduler. So
units that take less than `JOB_SECONDS` are sent several at a time.
"""

from __future__ import annotations

import secrets
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from arena.executors import remote
from arena.executors.cluster import NOWHERE, Cluster
from arena.executors.crew import Answer, Crew, Station
from arena.executors.hand import UNIT_SECONDS, longest_game
from arena.executors.local import halves
from arena.executors.parcel import Bot, Lie, pack_unit, unpack_parts
from arena.executors.unit import Finished, Machine, Spoilt, Unit
from arena.referee.game import GameSpec

MOST_LOSSES = 3
"""A unit that went wrong so often, each time with another worker, is played game by game; a game is void."""

JOB_SECONDS, MOST_UNITS = 0.25, 16
"""So much play is given to a worker in one go, if units are short, but at most so many units."""

NOTHING = Finished([], [], [], [])


class Job(NamedTuple):
    """Units that are to be played, and how often they were lost."""

    units: tuple[Unit, ...]
    losses: int = 0

    @property
    def games(self) -> int:
        """How many games these are."""
        return sum(len(unit.specs) for unit in self.units)

    def halve(self) -> list[Job]:
        """Return the same games as two jobs; there must be two games."""
        if len(self.units) == 1:
            return [Job((half,), self.losses) for half in halves(self.units[0])]
        middle = len(self.units) // 2
        return [Job(self.units[:middle], self.losses), Job(self.units[middle:], self.losses)]


class DaskExecutor:
    """Plays units on the workers of a cluster; if none is named, on one that is started on this machine."""

    def __init__(self, workers: int = 0, is_sandboxed: bool = False, cluster: Cluster = NOWHERE) -> None:
        self._is_stopping = False
        self._run = secrets.token_hex(8)  # others may use the same workers
        self._known: dict[str, set[Bot]] = defaultdict(set)  # which bots each worker has
        self._again: deque[Job] = deque()
        self._void: list[Spoilt] = []
        self._is_all_given = False
        self._unit_seconds = JOB_SECONDS  # what the last units took
        self.crew: Crew[Job] = Crew(cluster, workers, is_sandboxed)

    def walls(self) -> str:
        """Return the walls of the workers that can play; NoSandbox if none has enough of them."""
        self.crew.wait()
        return "; ".join(sorted({station.place.walls for station in self.crew.stations.values()}))

    @property
    def workers(self) -> int:
        """How many units are played at once."""
        return sum(station.threads for station in self.crew.stations.values())

    def take_news(self) -> list[str]:
        """Return what happened since the last call that people should know."""
        return self.crew.take_news()

    def machines(self) -> list[Machine]:
        """Return who plays, and how fast; also who was lost."""
        return self.crew.machines()

    def games(self) -> list[GameSpec]:
        """Return nothing: how far a machine elsewhere is with its jobs is not known."""
        return []

    def play(self, units: Iterable[Unit]) -> Iterator[Finished]:
        """Yield the games of all units as they come back."""
        left: Iterator[Unit] = iter(units)
        self._is_all_given = False
        while True:
            self.crew.look()
            self._sort_out_lost()
            self._give(left)
            if self._void:
                yield NOTHING._replace(spoilt=self._void)
                self._void = []
            if not self.crew.is_idle:
                answer = self.crew.hear()
                yield NOTHING if answer is None else self._take(answer)
            elif self._is_stopping or (self._is_all_given and not self._again):
                return
            else:
                self.crew.wait()

    def stop(self) -> None:
        """Begin no more games; workers finish those that they are playing."""
        if not self._is_stopping:
            self._is_stopping = True
            self.crew.call_all(remote.stop, self._run)

    def close(self) -> None:
        """Let go of the cluster; one that was started here ends."""
        self.crew.close()

    def _give(self, left: Iterator[Unit]) -> None:
        """Give every worker as much as it can have."""
        if self._is_stopping:
            return
        idle = self.crew.idle
        for station, job in zip(idle, self._share(len(idle), left), strict=False):
            self._send(station, job)
        for station in list(self.crew.stations.values()):
            while station.wants_more and (job_ahead := self._next(left)) is not None:
                self._send(station, job_ahead)

    def _share(self, count: int, left: Iterator[Unit]) -> list[Job]:
        """Return what idle workers play next; jobs are halved if there are too few."""
        jobs = list(islice(iter(lambda: self._next(left), None), count))
        while jobs and len(jobs) < count:
            jobs.sort(key=lambda job: job.games)
            if jobs[-1].games == 1:
                break
            jobs += jobs.pop().halve()
        return jobs

    def _send(self, station: Station, job: Job) -> None:
        known, packed = self._known[station.address], []
        for unit in job.units:
            packed.append(pack_unit(unit, known))
            known |= {(bot.name, bot.version) for bot in unit.bots}
        self.crew.give(station, remote.play, (self._run, packed), job, _longest(job.units[0]))

    def _next(self, left: Iterator[Unit]) -> Job | None:
        if self._again:
            return self._again.popleft()
        count = max(1, min(MOST_UNITS, int(JOB_SECONDS / self._unit_seconds)))
        units = tuple(islice(left, count))
        self._is_all_given = len(units) < count
        return Job(units) if units else None

    def _take(self, answer: Answer[Job]) -> Finished:
        """Return the games of units that have come back; nothing if they must be played again."""
        job, worker, reply, given = answer
        if "missing" in reply:
            self._known[worker].clear()
            self._again.appendleft(job)
            return NOTHING
        if "failed" in reply:
            self._play_again(job, f"worker {worker}: {reply['failed']}")
            return NOTHING
        try:
            parts = unpack_parts(reply, job.units)
        except Lie as lie:
            why = f"sent what cannot be ({lie.args[0]})"
            self.crew.lose(worker, why)
            self._play_again(job, f"worker {worker} {why}")
            return NOTHING
        found, station = (
            Finished([], [], [], [], self.crew.stations[worker].place),
            self.crew.stations[worker],
        )
        for part in parts:
            found.extend(part)
        self._play_rest(job, parts)
        self._unit_seconds = max(station.took / max(1, len(parts)), 1e-3)
        if not job.units[0].specs[0].moves_asked:  # trials and audits are no games of the run
            station.count(found.games, given)
        return found

    def _play_rest(self, job: Job, parts: list[Finished]) -> None:
        """Let somebody play what is left of units that were cut short."""
        rests = [rest_of(unit, part) for unit, part in zip(job.units, parts, strict=False)]
        rests += job.units[len(parts) :]
        left = tuple(unit for unit in rests if unit.specs)
        if left and any(part.games for part in parts):
            self._again.extend(Job((unit,), job.losses) for unit in left)
        elif left and not self._is_stopping:
            self._play_again(job, "no game of it was played")

    def _sort_out_lost(self) -> None:
        for job, why, is_begun in self.crew.take_lost():
            if is_begun:
                self._play_again(job, why)
            else:
                self._again.append(job)

    def _play_again(self, job: Job, why: str) -> None:
        """Let others play units; if that went wrong too often game by game, and then they are void.

        A game begins anew: the worker was lost in one of them at most, and mostly by no fault of any.
        """
        losses = job.losses + 1
        for unit in job.units:
            if losses < MOST_LOSSES:
                self._again.append(Job((unit,), losses))
            elif len(unit.specs) > 1:
                self._again.extend(Job((unit._replace(specs=(spec,)),)) for spec in unit.specs)
            else:
                self._void.append(Spoilt(unit.specs[0], why))


def rest_of(unit: Unit, found: Finished) -> Unit:
    """Return the games of a unit that did not come back."""
    back = Counter([*(row.game for row in found.rows), *(one.spec.game for one in found.spoilt)])
    rest = []
    for spec in unit.specs:  # a trial may be there twice
        back[spec.game] -= 1
        if back[spec.game] < 0:
            rest.append(spec)
    return unit._replace(specs=tuple(rest))


def _longest(unit: Unit) -> float:
    """Return how long a job with such a unit may take at most, if nothing but bots holds it up."""
    return 2 * UNIT_SECONDS + longest_game(unit.specs[0].limits)
