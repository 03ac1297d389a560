"""A knock-out's bracket as text: a column for each level, the winner at the right.

Each bot has its seed before it, and after it the share of the games that it won in its next duel: in the
meeting, and then in each decider. A bot that gets a bye in the first level begins in the second column.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from arena.formats.knockout import MOST_DECIDERS, Bracket, Duel
from arena.plaintext import for_terminal
from arena.reports.screen import shorten

LONGEST_NAMES = (64, 24, 16, 12, 9)
"""How many letters of a name are shown, on ever narrower screens; no name has more than 64."""

LEFT = "left"
LEGEND = {
    ",": "after a comma: a decider; after three drawn deciders the better seed goes on",
    LEFT: "left: had left the field, and lost without playing",
}


class _Block(NamedTuple):
    """Some lines, all of one width; the bot that goes on from here is at the end of line `at`."""

    lines: list[str]
    at: int = 0


def drawing(bracket: Bracket, longest: int = LONGEST_NAMES[0]) -> str:
    """Return the bracket as lines of text, with a legend if there are marks; empty for an empty field.

    Names that have more letters than `longest` lose their middle.
    """
    if not bracket.seeds:
        return ""
    labels = [_labels(bracket, number, longest) for number in _numbers(bracket)]
    columns = [_cells(labels[number], _scores(bracket, number)) for number in _numbers(bracket)]
    blocks = [_Block([cell] if cell.strip() else []) for cell in columns[0]]
    blank = " " * len(columns[0][0])
    for column in columns[1:]:
        pairs = zip(blocks[::2], blocks[1::2], column, strict=True)
        blocks = [_join(above, below, cell, blank) for above, below, cell in pairs]
        blank += " " * (5 + len(column[0]))
    marks = "".join(chain(*(_scores(bracket, number) for number in _numbers(bracket))))
    notes = [note for mark, note in LEGEND.items() if mark in marks]
    return "\n".join(line.rstrip() for line in [*blocks[0].lines, *([""] if notes else []), *notes])


def _numbers(bracket: Bracket) -> range:
    return range(bracket.depth + 1)


def _join(above: _Block, below: _Block, cell: str, blank: str) -> _Block:
    """Return two blocks one above the other, with the bot that goes on between them."""
    if not above.lines and not below.lines:
        return _Block([f"{blank}     {cell}"])
    gap = "  " + " " * len(cell)
    upper = [_end(line, number - above.at, "┐") + gap for number, line in enumerate(above.lines)]
    lower = [_end(line, below.at - number, "┘") + gap for number, line in enumerate(below.lines)]
    return _Block([*upper, f"{blank}  ├─ {cell}", *lower], len(upper))


def _end(line: str, inwards: int, corner: str) -> str:
    """Return a line up to the stroke that joins two bots; the bot's own line is `inwards` lines away."""
    if inwards != 0:
        return f"{line}  │" if inwards > 0 else f"{line}   "
    bare = line.rstrip()
    return f"{bare} {'─' * (len(line) - len(bare) + 1)}{corner}"


def _cells(labels: Sequence[str], scores: Sequence[str]) -> list[str]:
    """Return labels and scores side by side, all of one width."""
    label, score = max(map(len, labels)), max(map(len, scores))
    return [
        f"{one:<{label}}{'  ' if score else ''}{other:<{score}}"
        for one, other in zip(labels, scores, strict=True)
    ]


def _labels(bracket: Bracket, number: int, longest: int) -> list[str]:
    """Return who stands in a column; nothing where the first level is not played."""
    if bracket.depth == 0:
        return [_label(bracket, bracket.seeds[0], longest)]
    if number == 0:
        return [label for duel in bracket.levels[0] for label in _first(bracket, duel, longest)]
    if number > len(bracket.levels):
        return [_label(bracket, "?", longest)] * 2 ** (bracket.depth - number)
    standing = [(duel.winner or "nobody") if duel.is_decided else "?" for duel in bracket.levels[number - 1]]
    return [_label(bracket, bot, longest) for bot in standing]


def _first(bracket: Bracket, duel: Duel, longest: int) -> list[str]:
    if duel.one is None or duel.other is None:
        return ["", ""]
    return [_label(bracket, duel.one, longest), _label(bracket, duel.other, longest)]


def _label(bracket: Bracket, bot: str, longest: int) -> str:
    width = len(str(len(bracket.seeds)))
    seed = str(bracket.seeds.index(bot) + 1) if bot in bracket.seeds else ""
    return f"{seed:>{width}} {shorten(for_terminal(bot), longest)}"


def _scores(bracket: Bracket, number: int) -> list[str]:
    """Return what those in a column won in the level that they come to there."""
    if number >= len(bracket.levels):
        return [""] * 2 ** (bracket.depth - number)
    return [score for duel in bracket.levels[number] for score in (say_score(duel, 0), say_score(duel, 1))]


def say_score(duel: Duel, side: int) -> str:
    """Return what one of a duel won: the shares of its games, in the meeting and in each decider."""
    bot = (duel.one, duel.other)[side]
    is_unplayed = duel.is_decided and set(duel.scores) <= {0.5} and len(duel.scores) <= MOST_DECIDERS
    if is_unplayed and None not in (duel.one, duel.other) and bot != duel.winner:
        return LEFT
    if not duel.scores:
        return ""
    return ", ".join(f"{score if side == 0 else 1 - score:.2f}" for score in duel.scores)
