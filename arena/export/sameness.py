"""Does an exported folder give the digest of its run? To know it, the plan is made anew and compared.

Games have the same ids if bots, variants, openings, seed and limits are the same. In a format with rounds the
rounds must follow too, so they are drawn again from the results in the log. What is left to believe is that
bots repeat their moves, which the pre-flight and the audits have tried.
"""

from __future__ import annotations

from collections.abc import Iterator

from arena.config.reading import Tournament
from arena.field import Field
from arena.log.reading import Log
from arena.plan.outlook import degenerate, make_plan, with_openings
from arena.plan.plan import Plan
from arena.plan.rounds import IN_ROUNDS, Course, next_round, read_first_field
from arena.referee.endings import Ending
from arena.referee.game import ID_FORMAT
from arena.results.run import Run
from arena.solver.openings import DRAWING

BY_MACHINE = (Ending.TIMEOUT.value, Ending.MEMORY.value)


def list_reasons(run: Run, log: Log, tournament: Tournament) -> list[str]:
    """Return why a tournament that was exported from a run may give another digest, a sentence each."""
    unrepeatable = [f"{name} cannot be repeated exactly (~)" for name in run.unrepeatable]
    changed = [*_older(log), *_changed(log, run.field), *_unfinished(run, log)]
    return [*unrepeatable, *(changed or _compare_plans(tournament, log))]


def list_notes(run: Run, log: Log) -> list[str]:
    """Return what may come out otherwise on another machine although bots repeat their moves."""
    counts = run.counts
    spent = int(counts.loc[counts["ending"].isin(BY_MACHINE), "games"].sum())
    told = {
        "were played trusted: a bot that did what the sandbox forbids will play otherwise": log.trusted,
        "were lost by time or memory, which depend on the machine": spent,
        "had another result before they were played again (`--again`)": log.differing,
    }
    return [f"{count:,} of its games {words}" for words, count in told.items() if count]


def _older(log: Log) -> Iterator[str]:
    if log.id_format < ID_FORMAT:
        yield f"its games have ids of format {log.id_format}, and a new folder has format {ID_FORMAT}"
    if log.drawing < DRAWING:
        yield "its openings were drawn by an older rule"


def _changed(log: Log, field: Field) -> Iterator[str]:
    """Yield who was not there in all rounds, in its current version."""
    if field.format not in IN_ROUNDS:
        return  # all games follow from who is there now
    drawn = read_first_field(log, field.series)
    rows = log.rounds(field.series)
    met = {bot for row in rows for bot in (row[1:3], row[3:5])}
    for name in field.bots if drawn else ():
        if name not in drawn:
            yield f"{name} joined after the first round was drawn"
    for name in sorted({*drawn, *(name for name, _ in met)} - field.bots.keys()):
        yield f"{name} was withdrawn after a round was drawn"
    current = {name: full[:12] for name, full in field.bots.items()}
    for name in sorted({name for name, version in met if current.get(name, version) != version}):
        yield f"{name} was edited after a round was drawn"


def _unfinished(run: Run, log: Log) -> Iterator[str]:
    missing = log.planned - log.played
    if missing:
        yield f"{missing:,} of its {log.planned:,} games are still to be played"
    elif log.is_open:
        yield "its contest is open, so more bots may enter"
    elif not run.is_over:
        yield "further rounds of it are still to be played"


def _compare_plans(tournament: Tournament, log: Log) -> list[str]:
    """Return a sentence if the games of a tournament, played from nothing, are not those of a log."""
    if {planned.game for planned in _foresee(tournament, log).games()} == log.planned_ids():
        return []
    return ["its plan is not the one that follows from its bots, settings and results now"]


def _foresee(tournament: Tournament, log: Log) -> Plan:
    """Return the plan that a new folder comes to if all games end as in a log."""
    plan = make_plan(tournament, None)
    if tournament.format not in IN_ROUNDS:
        return plan
    course = Course(log, degenerate(plan))
    while len(course.rounds) == len(plan.rounds):
        pairings = next_round(tournament, plan, course)
        if not pairings:
            break
        plan = with_openings(plan.replace(rounds=[*plan.rounds, pairings]), tournament, None)
        course.follow(plan)
    return plan
