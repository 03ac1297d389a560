"""A bracket as text, as people see it."""

from textwrap import dedent

import pytest

from arena.formats.knockout import bracket
from arena.formats.meeting import Meeting
from arena.reports.drawing import drawing
from tests.formats.simulated import by_strength, field_of, play

FIVE = ["ada", "bea", "cyn", "dot", "eve"]
ROUNDS = [
    [Meeting("dot", "eve", 0, 8, 0.5625)],
    [Meeting("ada", "dot", 0, 8, 0.5), Meeting("cyn", "bea", 0, 8, 0.375)],
    [Meeting("ada", "dot", 8, 8, 0.5)],
    [Meeting("dot", "ada", 16, 8, 0.3125)],
]


def shown(text):
    return dedent(text).strip("\n")


def test_a_bracket_shows_seeds_scores_and_deciders():
    """All scores of a meeting stand beside its bots; who was let through begins one column later."""
    rounds = [*ROUNDS, [Meeting("ada", "bea", 0, 8, 0.625)]]
    assert drawing(bracket(FIVE, rounds, FIVE)) == shown(
        """
                        1 ada  0.50, 0.50, 0.69 ─┐
                                                 ├─ 1 ada  0.62 ─┐
        4 dot  0.56 ─┐                           │               │
                     ├─ 4 dot  0.50, 0.50, 0.31 ─┘               │
        5 eve  0.44 ─┘                                           │
                                                                 ├─ 1 ada
                        2 bea  0.62 ─────────────┐               │
                                                 ├─ 2 bea  0.38 ─┘
                        3 cyn  0.38 ─────────────┘

        after a comma: a decider; after three drawn deciders the better seed goes on
        """
    )


def test_what_is_not_known_yet_is_a_question_mark_and_who_left_is_marked():
    """Also levels that are still to come are drawn."""
    assert drawing(bracket(FIVE, ROUNDS[:1], ["ada", "cyn", "dot"])) == shown(
        """
                        1 ada ───────┐
                                     ├─   ? ───┐
        4 dot  0.56 ─┐               │         │
                     ├─ 4 dot ───────┘         │
        5 eve  0.44 ─┘                         │
                                               ├─   ?
                        2 bea  left ─┐         │
                                     ├─ 3 cyn ─┘
                        3 cyn ───────┘

        left: had left the field, and lost without playing
        """
    )


@pytest.mark.parametrize("size", range(41))
def test_every_bracket_can_be_drawn(size):
    """A line for each bot and one between every two of them; before, during and after."""
    field = field_of(size)
    rounds = play("knock-out", field, by_strength(field, size))
    for number in range(len(rounds) + 1):
        lines = drawing(bracket(field, rounds[:number], field)).split("\n\n")[0].split("\n")
        assert len(lines) == max(1, 2 * size - 1)
