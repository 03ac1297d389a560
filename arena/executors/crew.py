"""The crew: who works on a cluster, what each of them has to do, and what they answer.

A job is given to one worker. If that is lost, hangs or lies, the job is lost too, and whoever gave it may
give it to another one. Refused: to let dask choose the worker and try again by itself. It would wait for ever
for a worker that hangs, and could not tell who lied.

Answers are bytes, and the client is told to read nothing else: no pickle comes from a worker.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import groupby
from threading import Thread
from typing import Any, Generic, NamedTuple, TypeVar

from arena.errors import NoSandbox, UserError, printable
from arena.executors import remote
from arena.executors.cluster import Cluster, connect
from arena.executors.parcel import Lie, read_reply
from arena.executors.unit import Machine, Place

TICK_SECONDS = 0.1
LOOK_SECONDS = 1.0
"""So often the scheduler is asked which workers it has."""

PATIENCE_SECONDS = 60.0
"""So long everybody waits for a worker that can be used."""

HANG_SECONDS = 60.0
"""A worker that has given the scheduler no sign for so long is given up.

So is one that has not answered for so long beyond what its jobs may take. Signs come every few seconds, and
jobs may take minutes.
"""

MOST_CHARACTERS = 200
"""Of what a worker says about itself, in the log and on the screen."""

FEW_NAMED = 3
"""So many workers are named that were all refused; a hundred machines have mostly the same fault."""

AHEAD = 2
"""Jobs that each thread of a worker has, if they are quick: one that it does, and one that waits there."""

QUICK_SECONDS = 0.5
"""Where jobs take longer, none waits: the way there is short beside it, and others might be free sooner."""

Job = TypeVar("Job")
Reply = dict[str, Any]


class Answer(NamedTuple, Generic[Job]):
    """What a worker said to a job."""

    job: Job
    worker: str
    reply: Reply
    given: float


class Lost(NamedTuple, Generic[Job]):
    """A job that nobody will answer any more, and why; what only waited there has not gone wrong."""

    job: Job
    why: str
    is_begun: bool


class Task(NamedTuple, Generic[Job]):
    """A job that was given to a worker, and how long it may take."""

    job: Job
    worker: str
    given: float
    most_seconds: float


class Asked(NamedTuple):
    """A worker that was asked what it is."""

    worker: str
    threads: int
    since: float


class Station:
    """A worker of the cluster, seen from here."""

    def __init__(self, address: str, threads: int, place: Place) -> None:
        self.address = address
        self.threads = threads
        self.place = place
        self.has = 0  # jobs
        self.is_lost = False
        self.took = 0.0  # seconds, its last job
        self.answered = 0.0  # when it was done
        self.sign: object = None  # the time of its last one, by the scheduler's clock
        self.signed = time.monotonic()  # when it was noticed, by ours: clocks of machines differ
        self.games = 0
        self.begun = self.heard = 0.0  # when its first game was given to it, and its last one came back

    @property
    def wants_more(self) -> bool:
        """Whether it should be given another job, perhaps one that waits there."""
        return self.has < (AHEAD if self.took < QUICK_SECONDS else 1) * self.threads

    def note_answer(self, given: float) -> None:
        """Note that it has done a job that was given to it at some time."""
        now = time.monotonic()
        self.has -= 1
        self.took = now - max(given, self.answered)
        self.answered = now

    def note_sign(self, sign: object, now: float) -> None:
        """Note the last sign that it gave the scheduler."""
        if sign != self.sign:
            self.sign, self.signed = sign, now

    def count(self, games: int, given: float) -> None:
        """Count games that came back, and when they were given to it."""
        self.games += games
        self.begun = self.begun or given
        self.heard = time.monotonic()


class Crew(Generic[Job]):
    """The workers of a cluster that can be used; if no cluster is named, of one that is started here."""

    def __init__(self, cluster: Cluster, workers: int = 0, is_sandboxed: bool = False) -> None:
        self.stations: dict[str, Station] = {}
        self.refused: list[str] = []
        self._all: list[Station] = []  # also those that were lost
        self._is_sandboxed = is_sandboxed
        self._place = cluster.address or "this machine"
        self._seen: set[str] = set()  # workers that were asked what they are
        self._asked: dict[Any, Asked] = {}  # by future: those that have not answered yet
        self._tasks: dict[Any, Task[Job]] = {}  # by future
        self._done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._looked = 0.0
        self._lost: list[Lost[Job]] = []
        self._news: list[str] = []
        self._client, self._own = connect(cluster, workers, self._news)

    @property
    def is_idle(self) -> bool:
        """Whether nobody has anything to do."""
        return not self._tasks

    def take_news(self) -> list[str]:
        """Return what happened since the last call that people should know."""
        news, self._news = self._news, []
        return news

    def machines(self) -> list[Machine]:
        """Return what each machine has done so far, in the order of their names."""
        by_name = sorted(self._all, key=lambda station: station.place.machine)
        found = groupby(by_name, key=lambda station: station.place.machine)
        return [_sum_up(name, list(stations)) for name, stations in found]

    def take_lost(self) -> list[Lost[Job]]:
        """Return the jobs that were lost since the last call."""
        lost, self._lost = self._lost, []
        return lost

    def wait(self) -> None:
        """Wait until somebody can be used; a mistake of the user's, or of the machines', if nobody comes."""
        begun = time.monotonic()
        while not self.stations:
            self.look()
            self.hear()
            if self.stations:
                return
            is_refused = self._seen and not self._asked  # nobody of those who are there can be used
            if is_refused or time.monotonic() - begun > PATIENCE_SECONDS:
                why = "; ".join(self.refused[:FEW_NAMED]) or "it has no workers"
                if len(self.refused) > FEW_NAMED:
                    why += f"; and so on, {len(self.refused):,} workers in all"
                kind = NoSandbox if "no sandbox" in why else UserError
                raise kind(f"nobody can play at {self._place}: {why}")

    def look(self) -> None:
        """Find out from time to time who is there, who is lost, and who hangs."""
        now = time.monotonic()
        if now - self._looked < LOOK_SECONDS:
            return
        self._looked = now
        found = self._ask_scheduler()
        for address in self.stations.keys() - found.keys():
            self._drop(address, "is gone")
        self._seen &= found.keys()
        for address in found.keys() - self._seen:
            self._seen.add(address)
            future = self._submit(remote.identify, self._is_sandboxed, address)
            self._asked[future] = Asked(address, int(found[address]["nthreads"]), now)
        self._give_up_who_hangs(found, now)

    def _give_up_who_hangs(self, found: dict[str, Any], now: float) -> None:
        for address, station in list(self.stations.items()):
            station.note_sign(found[address].get("last_seen"), now)
            if now - station.signed > HANG_SECONDS:
                self.lose(address, f"has given no sign for {HANG_SECONDS:g} s")
        for future, asked in list(self._asked.items()):
            if asked.worker not in found:
                del self._asked[future]
            elif now - asked.since > PATIENCE_SECONDS:
                del self._asked[future]
                self._refuse(asked.worker, "does not say what it is")
        for task in list(self._tasks.values()):
            if now - task.given > AHEAD * (task.most_seconds + HANG_SECONDS):
                self.lose(task.worker, "gave no answer")

    def give(
        self, station: Station, call: Callable[[Any], bytes], argument: object, job: Job, most_seconds: float
    ) -> None:
        """Give a worker a job: a function that it calls; it takes at most so long if nothing is wrong."""
        future = self._submit(call, argument, station.address)
        self._tasks[future] = Task(job, station.address, time.monotonic(), most_seconds)
        station.has += 1

    def hear(self) -> Answer[Job] | None:
        """Wait a moment for an answer to a job."""
        try:
            future = self._done.get(timeout=TICK_SECONDS)
        except queue.Empty:
            return None
        if future in self._asked:
            self._admit(future, self._asked.pop(future))
        return self._take(future) if future in self._tasks else None

    def lose(self, address: str, why: str) -> None:
        """Give up a worker for good, and what it has to do."""
        self.refused.append(f"worker {address} {why}")
        self._drop(address, why)

    @property
    def idle(self) -> list[Station]:
        """The workers that have nothing to do, once for each thread."""
        return [one for one in self.stations.values() for _ in range(one.threads - one.has)]

    def _drop(self, address: str, why: str) -> None:
        station = self.stations.pop(address, None)
        if station is None:
            return
        station.is_lost = True
        lost = [future for future, task in self._tasks.items() if task.worker == address]  # the oldest first
        for place, future in enumerate(lost):
            future.cancel()
            job = self._tasks.pop(future).job
            self._lost.append(Lost(job, f"worker {address} {why}", place < station.threads))
        self._news.append(f"worker {address} {why}; what it had to do is done by others")

    def take_back(self) -> list[Job]:
        """Return all jobs that have no answer; what is answered from now on is for nobody."""
        jobs = [*(task.job for task in self._tasks.values()), *(lost.job for lost in self.take_lost())]
        self._forget_tasks()
        return jobs

    def _forget_tasks(self) -> None:
        for future, task in self._tasks.items():
            future.cancel()
            self.stations[task.worker].has -= 1
        self._tasks.clear()

    def call_all(self, call: Callable[[Any], None], argument: object) -> None:
        """Let all workers call a function, without waiting: one that hangs holds up nobody."""

        def tell() -> None:
            with suppress(OSError, TimeoutError):  # then there is nobody to be told
                self._client.run(call, argument, on_error="ignore")

        Thread(target=tell, daemon=True).start()

    def close(self) -> None:
        """Let go of the cluster; one that was started here ends."""
        self._forget_tasks()
        self._client.close(timeout=2)
        if self._own is not None:
            self._own.close(timeout=5)

    def _ask_scheduler(self) -> dict[str, Any]:
        try:
            if self._client.status != "running":
                raise OSError
            return dict(self._client.scheduler_info(n_workers=-1)["workers"])
        except (OSError, TimeoutError):
            raise UserError(
                f"the scheduler at {self._place} does not answer any more; finished games are kept, "
                "and the same command goes on from there once it runs again"
            ) from None

    def _submit(self, call: Any, argument: object, address: str) -> Any:
        """Let a worker call a function; its answer is heard of when it comes."""
        future = self._client.submit(
            call, argument, workers=[address], allow_other_workers=False, pure=False, retries=0
        )
        future.add_done_callback(self._done.put)
        return future

    def _take(self, future: Any) -> Answer[Job] | None:
        """Return what a worker answered; if that cannot be read, it is lost with all that it had."""
        task = self._tasks[future]
        try:
            reply = _read(future)
        except Lie as lie:
            if task.worker in self._ask_scheduler():
                self.lose(task.worker, f"sent what cannot be ({lie.args[0]})")
            else:
                self._drop(task.worker, "is gone")
            return None
        del self._tasks[future]
        self.stations[task.worker].note_answer(task.given)
        return Answer(task.job, task.worker, reply, task.given)

    def _admit(self, future: Any, asked: Asked) -> None:
        """Take a worker if it is what we are, and its walls are enough."""
        address = asked.worker
        try:
            told = _read(future)
        except Lie as lie:
            self._refuse(address, f"does not say what it is: {lie.args[0]}")
            return
        other = [
            f"{name} {told.get(name)}" for name, own in remote.versions().items() if told.get(name) != own
        ]
        if "failed" in told or other:
            own = ", ".join(f"{name} {value}" for name, value in remote.versions().items())
            self._refuse(address, f"has {', '.join(other)}; this is {own}" if other else str(told["failed"]))
            return
        if self._is_sandboxed and not told.get("walls"):
            self._refuse(address, f"has no sandbox, and so gets no bots: {told.get('why')}")
            return
        machine, walls = (printable(str(told.get(key, "")), MOST_CHARACTERS) for key in ("host", "walls"))
        self.stations[address] = Station(address, asked.threads, Place(machine, walls))
        self._all.append(self.stations[address])

    def _refuse(self, address: str, why: str) -> None:
        sentence = f"worker {address} {why}"
        self.refused.append(sentence)
        self._news.append(sentence)


def _sum_up(name: str, stations: list[Station]) -> Machine:
    lost = sum(station.is_lost for station in stations)
    begun = min((station.begun for station in stations if station.begun), default=0.0)
    seconds = max(station.heard for station in stations) - begun if begun else 0.0
    return Machine(name, len(stations) - lost, lost, sum(station.games for station in stations), seconds)


def _read(future: Any) -> Reply:
    """Return what a worker answered; Lie if it did not, or if that is nothing of ours."""
    if future.status != "finished":
        raise Lie(f"its answer is {future.status}")
    try:
        return read_reply(future.result(timeout=PATIENCE_SECONDS))
    except (OSError, TimeoutError, TypeError) as error:  # it was lost on its way, or is a pickle
        raise Lie(f"its answer cannot be had: {error}") from None
