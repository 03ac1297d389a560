"""`arena versus`: is one bot better than another? Played pair by pair until it is known.

A tournament of two bots whose rounds are a few openings each, every opening played twice with sides swapped.
It has a log like any other, so it can be stopped, resumed, verified and sent away. No opening is played again
as another pair: for bots that always play alike that would tell nothing new, and counting it as if it did is
how people come to believe in chance. When all openings are played and it is not known, that is the answer.

The verdict is that of the first pair, in the order of the openings, at which the test ends; the rest of its
round counts for the estimate only. So it depends neither on workers nor on how rounds are cut.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from arena.bots.finding import read_bot
from arena.bots.source import Source
from arena.config.reading import Tournament, read_tournament
from arena.errors import UserError
from arena.formats.meeting import Pairing, Settings
from arena.game import RULE_BOOKS, variant
from arena.plan.plan import Plan
from arena.plan.rounds import VERSUS, Course, NextRound
from arena.referee.game import DEFAULT_LIMITS
from arena.solver.health import why_degenerate
from arena.standings.sprt import Bounds, State, Verdict, first_verdict
from arena.tournament.conductor import Conductor
from arena.tournament.watch import Watch

PAIRS_A_ROUND = 8
MOST_OPENINGS = 10_000
SEED = 8721


class Question(NamedTuple):
    """What is asked: between which bounds, and after how many games to give up."""

    bounds: Bounds
    most_games: int


def read_versus(
    one: str, other: str, config: str | None, isolation: str | None
) -> tuple[Tournament, list[str]]:
    """Return the tournament of two bots, and what is to be said of the variants that are left out."""
    bots, paths = _bots(one, other)
    read = _from_config(config, isolation) if config is not None else _by_default(isolation)
    told = {v.name: why for v in read.variants if (why := why_degenerate(v)) is not None}
    variants = tuple(v for v in read.variants if v.name not in told)
    if not variants:
        raise UserError("none of the variants can rank anybody: " + "; ".join(told))
    name = f"{VERSUS}-{bots[0].name}-{bots[1].name}"
    lines = [f"{v} is degenerate and left out: {why.removeprefix('degenerate: ')}" for v, why in told.items()]
    return read._replace(name=name, variants=variants, bots=bots, paths=paths), lines


def _by_default(isolation: str | None) -> Tournament:
    return Tournament(
        name="",
        format=VERSUS,
        variants=tuple(map(variant, RULE_BOOKS)),
        openings=MOST_OPENINGS,
        repeats=1,
        seed=SEED,
        isolation=isolation or "sandboxed",
        limits=DEFAULT_LIMITS,
        bots=(),
        paths={},
        config=Path(),
        text="",
        results=Path("results"),
        settings=Settings(),
        secret=(),
        grading=None,
    )


def _from_config(config: str, isolation: str | None) -> Tournament:
    """Return what a tournament file says of variants and limits; its secret ones are for its own run."""
    read = read_tournament(config, isolation=isolation)
    shown = tuple(variant for variant in read.variants if variant.name not in read.secret)
    read = read._replace(variants=shown, secret=(), grading=None)
    return read._replace(format=VERSUS, openings=MOST_OPENINGS, repeats=1)


def _bots(one: str, other: str) -> tuple[tuple[Source, Source], dict[str, Path]]:
    """Return both bots; those of one name are told apart by their folders."""
    (first, place), (second, place_of_second) = read_bot(one, Path()), read_bot(other, Path())
    if place.resolve() == place_of_second.resolve():
        raise UserError(f"{one} and {other} are the same bot; there is nothing to find out")
    if first.name == second.name:
        names = _told_apart(first.name, place.resolve(), place_of_second.resolve())
        first, second = first._replace(name=names[0]), second._replace(name=names[1])
    return (first, second), {first.name: place, second.name: place_of_second}


def _told_apart(name: str, *places: Path) -> tuple[str, str]:
    """Return names for two bots of one name: the nearest folders that differ come before it."""
    for one, other in zip(*(place.parents for place in places), strict=False):
        names = _within(one, name), _within(other, name)
        if names[0] != names[1]:
            return names
    raise UserError(f"both bots are called {name}; rename one of them")


def _within(folder: Path, name: str) -> str:
    """Return a bot's name with its folder's before it, if that can stand in a name."""
    word = re.sub(r"[^A-Za-z0-9_.-]", "_", folder.name).lstrip("_.-")[: max(0, 63 - len(name))]
    return f"{word}-{name}" if word else name


def pairs_of(course: Course, one: str, other: str) -> list[int]:
    """Return how many of two games `one` won in every pair, in the order of the openings."""
    rows = [row for row in course.results if {row[2], row[3]} == {one, other}]
    rows.sort(key=lambda row: row[1])  # both games of a pair stand together, and stay so
    wins = [row[5] if row[2] == one else 1 - row[5] for row in rows]
    return [first + second for first, second in zip(wins[::2], wins[1::2], strict=True)]


def asking(question: Question, watch: Watch) -> NextRound:
    """Return the format of a question: a few more pairs until it is answered, or cannot be.

    `watch` hears where the test stands after every round.
    """
    bounds = question.bounds

    def next_round(tournament: Tournament, plan: Plan, course: Course | None) -> list[Pairing]:
        one, other = (bot.name for bot in tournament.bots)
        pairs = pairs_of(course, one, other) if course is not None else []
        state = first_verdict(pairs, bounds)
        watch.stand(f"log ratio {state.llr:+.2f}, ends at {bounds.lower:+.2f} or {bounds.upper:+.2f}")
        if state.verdict is not Verdict.UNKNOWN:
            return []
        start = _count_sheets(course, one, other) if course is not None else 0
        sheets = _sheets(plan, start, question.most_games // 2 - len(pairs))
        return [Pairing(one, other, start, sheets)] if sheets else []

    return next_round


def _count_sheets(course: Course, one: str, other: str) -> int:
    meetings = [met for some in course.rounds for met in some if {met.one, met.other} == {one, other}]
    return sum(met.sheets for met in meetings)


def _sheets(plan: Plan, start: int, pairs: int) -> int:
    """Return how many sheets the next round has: some eight pairs, no more than are left; 0 if it is over."""
    sheets, most = 0, min(pairs, max(PAIRS_A_ROUND, len(plan.variants)))
    while start + sheets < plan.sheets.in_meeting and plan.pairs_on(range(start, start + sheets + 1)) <= most:
        sheets += 1
    return sheets


def answer(conductor: Conductor, question: Question) -> State:
    """Return where the test of a question stands after all that was played."""
    conductor.course.follow(conductor.plan)
    one, other = (bot.name for bot in conductor.tournament.bots)
    return first_verdict(pairs_of(conductor.course, one, other), question.bounds)
