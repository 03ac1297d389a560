"""The bracket of a knock-out as boxes with lines between them, in pixels; a column for each level."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from arena.formats.knockout import Bracket, Duel
from arena.reports.drawing import LEFT, LEGEND, say_score
from arena.reports.screen import shorten

WIDE, ROW, APART, BETWEEN = 230, 24, 62, 30
"""How wide a box and how high a line of it is; from box to box in a column; from column to column."""

TOP, BOTTOM = 30, 10
LONGEST_NAME = 17
DRAWN = "\N{VULGAR FRACTION ONE HALF}"
NOTES = {
    DRAWN: f"{DRAWN} is a drawn meeting, after which the two met again; after four the better seed goes on",
    LEFT: LEGEND[LEFT],
}
LAST = ("Final", "Semi-finals", "Quarter-finals")


class Slot(NamedTuple):
    """One of the two bots of a duel, as a line of its box; `bot` is empty where nobody is known yet."""

    bot: str
    name: str
    seed: str
    score: str
    is_winner: bool


class Box(NamedTuple):
    """A duel, or at the right the winner alone."""

    x: int
    y: int
    height: int
    slots: list[Slot]


class Drawn(NamedTuple):
    """A bracket to be drawn."""

    width: int
    height: int
    wide: int  # a box
    row: int  # a line of a box
    titles: list[tuple[int, str]]
    boxes: list[Box]
    links: list[str]
    notes: list[str]


def draw_bracket(bracket: Bracket) -> Drawn | None:
    """Return where everything is drawn; None for a field of nobody or of one bot."""
    if bracket.depth == 0 or not bracket.seeds:
        return None
    levels = [_fill(bracket, number) for number in range(bracket.depth)]
    boxes = [box for number, level in enumerate(levels) for box in _boxes(bracket, number, level)]
    height = TOP + _apart(bracket) * len(levels[0]) + BOTTOM
    x, y = _at(bracket, bracket.depth)[0], _at(bracket, bracket.depth - 1)[1]
    winner = _slot(bracket, bracket.winner, "", True)
    return Drawn(
        x + WIDE,
        height,
        WIDE,
        ROW,
        [(_at(bracket, number)[0], _name_level(bracket.depth - number)) for number in range(bracket.depth)],
        [*boxes, Box(x, y - ROW // 2, ROW, [winner])],
        [link for number, level in enumerate(levels) for link in _links(bracket, number, level)],
        _explain(bracket),
    )


def _fill(bracket: Bracket, number: int) -> Sequence[Duel]:
    """Return the duels of a level; of one that is not reached yet, nobody is known."""
    if number < len(bracket.levels):
        return bracket.levels[number]
    return [Duel(None, None, (), None, False)] * 2 ** (bracket.depth - 1 - number)


def _boxes(bracket: Bracket, number: int, level: Sequence[Duel]) -> Iterator[Box]:
    for place, duel in enumerate(level):
        if not _is_bye(number, duel):
            x, y = _at(bracket, number, place)
            slots = [
                _slot(bracket, bot, _shorten_score(duel, side), bot is not None and bot == duel.winner)
                for side, bot in enumerate((duel.one, duel.other))
            ]
            yield Box(x, y - ROW, 2 * ROW, slots)


def _slot(bracket: Bracket, bot: str | None, score: str, is_winner: bool) -> Slot:
    if bot is None:
        return Slot("", "?", "", "", False)
    return Slot(bot, shorten(bot, LONGEST_NAME), str(bracket.seeds.index(bot) + 1), score, is_winner)


def _shorten_score(duel: Duel, side: int) -> str:
    """Return the score of a meeting, or that of its last decider behind a sign for each that was drawn."""
    drawn = DRAWN * sum(score == 0.5 for score in duel.scores)
    if not drawn or say_score(duel, side) == LEFT:
        return say_score(duel, side)
    last = say_score(duel._replace(scores=duel.scores[-1:]), side) if duel.scores[-1] != 0.5 else ""
    return f"{drawn} {last}".strip()


def _is_bye(number: int, duel: Duel) -> bool:
    """Whether a bot comes to the second level without a duel; those boxes are not drawn."""
    return number == 0 and duel.is_decided and None in (duel.one, duel.other)


def _apart(bracket: Bracket) -> int:
    """Return how far boxes of the first level are apart: half as far if no two of them are side by side.

    So it is where a quarter of the places are byes, because a bracket spreads them evenly.
    """
    return APART // 2 if 4 * len(bracket.seeds) <= 3 * 2**bracket.depth else APART


def _at(bracket: Bracket, number: int, place: int = 0) -> tuple[int, int]:
    """Return the left edge and the middle of a box."""
    high = _apart(bracket) << number
    return number * (WIDE + BETWEEN), TOP + place * high + high // 2


def _links(bracket: Bracket, number: int, level: Sequence[Duel]) -> Iterator[str]:
    """Yield the line from each box to the one that its winner comes to."""
    for place, duel in enumerate(level):
        if not _is_bye(number, duel):
            x, y = _at(bracket, number, place)
            is_final = number == bracket.depth - 1
            _, to = (0, y) if is_final else _at(bracket, number + 1, place // 2)
            yield f"M{x + WIDE} {y}h{BETWEEN // 2}V{to}h{BETWEEN // 2}"


def _name_level(left: int) -> str:
    return LAST[left - 1] if left <= len(LAST) else f"Last {2**left}"


def _explain(bracket: Bracket) -> list[str]:
    scores = "".join(_shorten_score(duel, side) for duel in chain(*bracket.levels) for side in (0, 1))
    return [note for mark, note in NOTES.items() if mark in scores]
