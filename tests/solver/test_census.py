"""The census: lengths, shares and possible winners of all games, against a naive count of every game."""

from fractions import Fraction
from functools import cache

import pytest

from arena.game import RULES, variant
from arena.game.definition import define, short
from arena.solver.census import COUNTED, census, count
from arena.solver.health import health, why_degenerate

BOARDS = [
    "line-1",
    "line-2",
    "line-7",
    "ring-3",
    "ring-8",
    "grid-2x3",
    "grid-3x3",
    "grid-3x3-rook",
    "grid-2x5",
]
BOARDS += ["torus-3x3", "hex-3x3", "hex-2x4"]


def naive(name):
    """Shortest, longest, the first side's share and the winners, by recursion over plain sets."""
    chosen = variant(name)

    @cache
    def games(position):
        """Lengths from here on, the share of side 0, the winners."""
        if position.is_over:
            return 0, 0, Fraction(int(position.winner == 0)), frozenset({position.winner})
        found = [games(position.play(cell)) for cell in position.legal_moves]
        return (
            1 + min(one[0] for one in found),
            1 + max(one[1] for one in found),
            sum(one[2] for one in found) / len(found),
            frozenset().union(*(one[3] for one in found)),
        )

    return games(chosen.start())


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("board", BOARDS)
def test_the_census_is_that_of_every_single_game(rule, board):
    """Nothing that is put together to save work changes what comes out."""
    found = census(variant(f"{rule}:{board}"))
    shortest, longest, share, winners = naive(f"{rule}:{board}")
    assert found is not None
    assert (found.shortest, found.longest, found.winners) == (shortest, longest, winners)
    assert found.first_share == pytest.approx(float(share), abs=1e-12)


FACTS = {
    "blockade-4x4": ("the second side wins", "4", "0%", True),
    "grid-lock": ("the second side wins", "4", "0%", True),
    "blockade-5x5": ("the first side wins, only with (3,3)", "7 to 20", "53%", False),
    "grid-block": ("the second side wins", "6 to 8", "11%", False),
    "blockade-line": ("the first side wins, only with 7", "5 to 7", "30%", False),
}


@pytest.mark.parametrize("name", FACTS)
def test_the_facts_about_the_rule_books_come_out(name):
    """Who wins, how, how long games last and how chance decides: the table that everybody can check."""
    found = health(variant(name))
    perfect, lengths, by_chance, is_degenerate = FACTS[name]
    assert (found.perfect_play, found.lengths, found.by_chance) == (perfect, lengths, by_chance)
    assert (why_degenerate(variant(name)) is not None) == is_degenerate
    assert found.verdict.startswith("degenerate: every legal game lasts 4 plies; the second") == is_degenerate


@pytest.mark.long
def test_what_is_looked_up_is_what_counting_gives():
    """The rule book whose census takes a second is counted here, and by nobody else."""
    slow = variant("blockade-5x5")
    assert {short(define(slow)): count(slow)} == COUNTED


def test_a_variant_that_is_too_large_is_not_guessed_at():
    """Nothing is said where nothing was counted."""
    assert census(variant("snort:grid-8x8"), 1000) is None
    assert why_degenerate(variant("snort:grid-20x20")) is None


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("kayles:line-4", "the second side wins"),
        ("kayles:line-5", "the first side wins, only with 2"),
        ("kayles:line-7", "the first side wins, with 1, 3, 5"),
        ("kayles:line-6", "the first side wins, with 0, 2, 3, 5"),
        ("snort:ring-5", "the first side wins, with 0, 1, 2, 3, ..."),
    ],
)
def test_four_winning_moves_are_named_and_more_are_hinted_at(name, told):
    """Where nothing is left out, nothing looks as if it were."""
    assert health(variant(name)).perfect_play == told


@pytest.mark.parametrize(
    ("name", "moves"),
    [
        pytest.param("snort:line-70", "34, 35", marks=pytest.mark.long),
        pytest.param("snort:line-71", "35", marks=pytest.mark.long),
        pytest.param("snort:grid-7x7", "24", marks=pytest.mark.long),
    ],
)
def test_what_symmetry_shows_is_named_and_nothing_is_called_the_only_one_that_may_not_be(name, moves):
    """Where the other first moves are not solved, a winning one is one of them, and it takes a moment."""
    assert health(variant(name)).perfect_play == f"the first side wins, with {moves}"
