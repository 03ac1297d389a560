"""Grading on the workers of a cluster: batches are units there, as games are.

A worker is not believed. Every row that comes back must be one that grading could find: whole numbers within
what the game allows, and an exact ledger (who stood winning, and what was thrown away, must come to who won).
Of as many answers as there is time for, one game is graded here again; nobody there knows which. So a worker
that is wrong about a share of its games is found out after about one batch for each share. Nothing proves a
grade for less than finding it. Refused: to grade everything twice. Grades say how well bots moved, never who
won, so a lie about a game or two changes no rank; and all grades can be found anew at any time, by deleting
`cache.sqlite`. Whoever was wrong once is named, does nothing more, and all grades are found again without it.

A cluster that was started on this machine is not asked: local processes have the same cores.
"""

from __future__ import annotations

import pickle
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from arena.errors import UserError
from arena.executors.cluster import Cluster
from arena.executors.crew import Answer, Crew
from arena.executors.local import own_cores
from arena.executors.parcel import Lie, write_reply
from arena.executors.remote import safely
from arena.log.cache import GradeRow
from arena.log.grades import Ungraded
from arena.referee.endings import Ending
from arena.results.graders import Batch, Graded, Graders, IllegalGame, WrongGrade, grade_in_processes

SHARE = 0.1
"""Grading again what others have graded takes at most this share of the time."""

MOST_SECONDS = 600.0
"""A batch that takes longer is given to somebody else."""

FOUND = len(GradeRow._fields) - 5
"""The columns of a row that are found; the others say which game it is."""


class Job(NamedTuple):
    """A batch that is to be graded, and how often it was lost."""

    batch: Batch
    losses: int = 0


class Afar:
    """The workers of a cluster that grade; they are asked for when there is something to do for them."""

    def __init__(self, cluster: Cluster, say: Callable[[str], None]) -> None:
        self._cluster = cluster
        self._say = say
        self._run = secrets.token_hex(8)  # others may use the same workers
        self._crew: Crew[Job] | None = None
        self._again: deque[Job] = deque()
        self._begun = self._spent = 0.0  # seconds: since when, and how long something was graded again

    def __enter__(self) -> Afar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._crew is not None:
            self._crew.close()

    def grade(self, left: Iterator[Batch], own: Graders) -> Iterator[Graded]:
        """Yield the grades of all batches; WrongGrade if a worker sent what cannot be.

        If the cluster is lost, processes here do the rest: no grade depends on who found it.
        """
        try:
            if self._crew is None:
                self._crew, self._begun = Crew(self._cluster), time.monotonic()
            yield from self._grade(self._crew, left, own)
        except UserError as error:
            self._say(f"{error}; moves are graded on this machine")
            begun = self._crew.take_back() if self._crew is not None else []
            batches = (job.batch for job in (*begun, *self._again))
            yield from grade_in_processes(chain(batches, left), len(own_cores()), own)

    def _grade(self, crew: Crew[Job], left: Iterator[Batch], own: Graders) -> Iterator[Graded]:
        while True:
            crew.look()
            for sentence in crew.take_news():
                self._say(sentence)
            for job, _, is_begun in crew.take_lost():
                if not is_begun:
                    self._again.append(job)
                elif job.losses:  # perhaps it is too much for them
                    yield own.grade(job.batch)
                else:
                    self._again.append(Job(job.batch, job.losses + 1))
            self._give(crew, left)
            if not crew.is_idle:
                answer = crew.hear()
                yield Graded(0, []) if answer is None else self._take(crew, answer, own)
            elif (job_left := self._next(left)) is None:
                return
            else:
                self._again.appendleft(job_left)
                crew.wait()

    def _give(self, crew: Crew[Job], left: Iterator[Batch]) -> None:
        """Give every worker as much as it can have."""
        for station in list(crew.stations.values()):
            while station.wants_more and (job := self._next(left)) is not None:
                crew.give(station, grade_there, (self._run, pickle.dumps(job.batch)), job, MOST_SECONDS)

    def _next(self, left: Iterator[Batch]) -> Job | None:
        if self._again:
            return self._again.popleft()
        batch = next(left, None)
        return None if batch is None else Job(batch)

    def _take(self, crew: Crew[Job], answer: Answer[Job], own: Graders) -> Graded:
        """Return the grades of a batch that has come back; what somebody could not grade is graded here."""
        batch, reply = answer.job.batch, answer.reply
        if "rows" not in reply:
            return own.grade(batch)
        try:
            rows = read_rows(batch, reply["rows"])
            self._grade_again(batch, rows, own)
        except Lie as lie:
            crew.lose(answer.worker, f"sent wrong grades ({lie.args[0]}); all are found again")
            crew.take_back()  # the caller asks again for all that has no grades
            self._again.clear()
            raise WrongGrade from None
        return Graded(sum(alike.games for alike in batch.games), rows)

    def _grade_again(self, batch: Batch, rows: Sequence[GradeRow], own: Graders) -> None:
        """Grade a game again that somebody has graded; Lie if they differ."""
        begun = time.monotonic()
        if not rows or self._spent > SHARE * (begun - self._begun):
            return
        number = secrets.randbelow(len(rows))
        (found,) = own.grade(Batch(batch.variant, [batch.games[number]])).rows
        self._spent += time.monotonic() - begun
        if found != rows[number]:
            raise Lie(f"game {batch.games[number].game}: they are others here")


def read_rows(batch: Batch, told: Any) -> list[GradeRow]:
    """Return the rows that a worker has sent for a batch; Lie if they are not such as grading finds."""
    if not isinstance(told, list) or len(told) != len(batch.games):
        raise Lie("they are not those of the games that were to be graded")
    return [_read_row(alike, values) for alike, values in zip(batch.games, told, strict=True)]


def _read_row(alike: Ungraded, values: Any) -> GradeRow:
    if not isinstance(values, list) or len(values) != FOUND:
        raise Lie(f"game {alike.game}: they cannot be read")
    row = GradeRow(*alike[2:], *values)
    if not (_has_types(row) and _is_within_the_game(row) and _is_in_balance(row)):
        raise Lie(f"game {alike.game}: no game has such grades")
    return row


def _has_types(row: GradeRow) -> bool:
    chances = row.first_chance, row.second_chance
    counts = (*row[5:7], *row[8:12], *row[13:15])
    return (
        all(type(value) is float for value in chances)
        and all(type(value) is int and value >= 0 for value in counts)
        and (row.start is None or (type(row.start) is int and row.start == row.stood))
        and type(row.stood) is int
        and row.stood in (0, 1)
        and type(row.throws) is str
    )


def _is_within_the_game(row: GradeRow) -> bool:
    """Whether nobody kept, or threw away, more often than it was asked."""
    plies = len(row.moves.split())
    for side, (kept, graded, chance, weighed, _) in enumerate((row[5:10], row[10:15])):
        asked = len(range(row.opening_plies + (row.opening_plies % 2 != side), plies, 2))
        asked += row.ending != Ending.NO_MOVES and row.is_won_by_first == side
        if not (kept <= graded <= asked and 0 <= chance <= weighed <= graded):
            return False
    return True


def _is_in_balance(row: GradeRow) -> bool:
    """Whether throws are counted as they are listed, and come to who won: the ledger of one game."""
    words = row.throws.split()
    if len(words) > len(row.moves) + 2 or not all(word.isascii() and word.isdigit() for word in words):
        return False
    latest = len(row.moves.split()) + 2
    throws = [int(word) for word in words if len(word) < 6]
    counted = [sum((ply - 1) % 2 == side for ply in throws) for side in (0, 1)]
    first_wins = (row.stood == 0) - row.first_thrown + row.second_thrown
    return (
        row.throws == " ".join(map(str, sorted(throws)))
        and all(row.opening_plies < ply <= latest for ply in throws)
        and counted == [row.first_thrown, row.second_thrown]
        and first_wins == row.is_won_by_first
    )


# What runs on a worker. Nothing here raises: an exception would go back as a pickle.

_kept = threading.local()  # what a thread has solved is of use for its next batch


def grade_there(asked: tuple[str, bytes]) -> bytes:
    """Grade a batch for a run; return what was found, or which game the rules do not allow."""
    return safely(lambda: _grade_there(*asked))


def _grade_there(run: str, data: bytes) -> bytes:
    if getattr(_kept, "run", None) != run:
        _kept.run, _kept.graders = run, Graders()
    try:
        found = _kept.graders.grade(Batch(*pickle.loads(data)))  # from our own coordinator
    except IllegalGame as error:
        return write_reply(illegal=error.args[0])
    return write_reply(rows=[row[-FOUND:] for row in found.rows])
