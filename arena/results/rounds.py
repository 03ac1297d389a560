"""What follows from the rounds of a log: how each went, the bracket of a knock-out, the points of a Swiss."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from arena.field import Field
from arena.formats.knockout import Bracket, bracket
from arena.formats.meeting import Meeting, name_of
from arena.formats.swiss import points
from arena.log.door import wrong
from arena.log.reading import Log
from arena.plan.rounds import Course, read_first_field
from arena.referee.game import Row
from arena.results.verify import plan_of


class Rounds(NamedTuple):
    """The complete rounds of a log; `results` are rows of RESULT_COLUMNS, for each round."""

    meetings: list[list[Meeting]]
    results: list[list[Row]]
    drawn: tuple[str, ...]  # the field of the first round
    planned: int  # complete or not


def read_rounds(log: Log, field: Field, degenerate: Collection[str]) -> Rounds:
    """Return how every complete round went; results leave out some variants, which rank nobody."""
    plan, course = plan_of(log, field), Course(log, degenerate)
    results: list[list[Row]] = []
    for number in range(1, len(plan.rounds) + 1):
        before = len(course.results)
        course.follow(plan.replace(rounds=plan.rounds[:number]))
        if len(course.rounds) < number:
            break
        results.append(course.results[before:])
    return Rounds(course.rounds, results, read_first_field(log, field.series), len(plan.rounds))


def read_bracket(log: Log, field: Field) -> Bracket:
    """Return the bracket as far as it is decided; StoreError if its first round is not as it was drawn."""
    rounds, drawn = _read(log, field)
    found = bracket(drawn or tuple(field.bots), rounds, field.bots)
    if not _is_drawn_so(found, rounds):
        raise wrong(log.folder, "its first round is not that of the bracket that was drawn")
    return found


def read_points(log: Log, field: Field) -> dict[str, float]:
    """Return the points of each bot of a Swiss, after its complete rounds."""
    rounds, drawn = _read(log, field)
    return points(list(field.bots), rounds, drawn)


def _read(log: Log, field: Field) -> tuple[list[list[Meeting]], tuple[str, ...]]:
    """Return the complete rounds, and the field of the first."""
    course = Course(log, ())
    course.follow(plan_of(log, field))
    return course.rounds, read_first_field(log, field.series) or ()


def _is_drawn_so(found: Bracket, rounds: Sequence[Sequence[Meeting]]) -> bool:
    """Whether the pairs of the first round are those of the bracket."""
    duels = {frozenset((duel.one, duel.other)) for duel in (found.levels[0] if found.levels else ())}
    met = {
        frozenset((name_of(meeting.one), name_of(meeting.other))) for meeting in (rounds[0] if rounds else ())
    }
    return met <= duels
