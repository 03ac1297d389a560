"""Openings: short, playable, distinct up to symmetry, and the same on every machine and for every count."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.game import RULE_BOOKS, RULES, variant
from arena.game.definition import define
from arena.solver.openings import DRAWING, count_openings, openings
from tests.fuzz.laws import examples
from tests.game.naive import NaiveGame

# Boards small enough that all openings can be listed the slow way, one or more of each family.
SMALL = ["line-1", "line-2", "line-3", "line-7", "ring-3", "ring-8", "grid-2x3", "grid-3x3", "grid-1x5"]
SMALL += ["grid-4x4", "grid-3x3-rook", "torus-3x3", "torus-3x4", "hex-3x3", "hex-2x4"]
SMALL_NAMES = [f"{rule}:{board}" for rule in RULES for board in SMALL]
MEDIUM = [*RULE_BOOKS, "snort:line-30", "kayles:ring-17", "col:torus-4x5", "snort:hex-5x5"]
LARGE = pytest.param("col:grid-6x6", marks=pytest.mark.long)  # given up on, as the long line is, but later


DRAWINGS = pytest.mark.parametrize(
    "drawing", [pytest.param(1, marks=pytest.mark.long), 2], ids=["by stones", "by positions"]
)
"""Folders of the first kind are old; that they go on as they were is tested in `tournament/test_older_folders.py`."""


def opened(name, count, seed=8721, drawing=DRAWING):
    return [cells for cells, _ in verdicts(name, count, seed, drawing)]


def verdicts(name, count, seed=8721, drawing=DRAWING):
    """Openings, each with whether it is won for the side to move."""
    chosen = variant(name)
    return openings(chosen, define(chosen), seed, count, drawing)


@cache
def wins(position):
    """Whether the side to move wins, by trying everything."""
    return any(not wins(position.play(cell)) for cell in position.legal_moves)


def game_after(name, cells):
    """An opening, played out with the plain rules."""
    chosen = variant(name)
    around = {cell: set(chosen.board.neighbours(cell)) for cell in range(chosen.board.size)}
    game = NaiveGame(chosen.rule, around)
    game.owners = {cell: ply % 2 for ply, cell in enumerate(cells)}
    return game


def left_by(name, cells, drawing):
    """What an opening leaves, however the board is turned: its stones, or what either side may still claim."""
    if drawing == 1:
        placed = {(cell, ply % 2) for ply, cell in enumerate(cells)}
    else:
        game = game_after(name, cells)
        placed = {(cell, side) for side in (0, 1) for cell in game.legal(side)}
    symmetries = variant(name).board.symmetries
    turned = frozenset(frozenset((p[cell], side) for cell, side in placed) for p in symmetries)
    return turned, len(cells) % 2


def every_opening(name, drawing):
    """Every distinct opening of a small board, ply by ply."""
    found = set()

    def walk(cells):
        legal = game_after(name, cells).legal(len(cells) % 2)
        if legal:
            found.add(left_by(name, cells, drawing))
        if len(cells) < 3:
            for cell in legal:
                walk((*cells, cell))

    walk(())
    return found


@DRAWINGS
@pytest.mark.parametrize("name", [*MEDIUM, LARGE, *SMALL_NAMES])
def test_openings_are_short_and_legal_and_distinct_up_to_symmetry(name, drawing):
    """At most three plies, after which somebody has a move; no two leave the same, however the board is turned."""
    chosen, found = variant(name), opened(name, 40, drawing=drawing)
    for cells in found:
        assert len(cells) <= 3
        assert not chosen.replay(cells).is_over  # replay raises at an illegal move
    assert len({left_by(name, cells, drawing) for cells in found}) == len(found)


@DRAWINGS
@pytest.mark.parametrize("name", SMALL_NAMES)
@pytest.mark.long
def test_asking_for_more_than_there_are_gives_all(name, drawing):
    """On a board small enough to list them, every opening there is comes out, and none twice."""
    found = [left_by(name, cells, drawing) for cells in opened(name, 10_000, drawing=drawing)]
    assert len(found) == len(set(found)) == count_openings(variant(name), drawing)
    assert set(found) == every_opening(name, drawing)


@pytest.mark.parametrize(
    ("name", "stones", "positions"),
    [("blockade-4x4", 80, 18), ("grid-lock", 80, 18), ("grid-block", 178, 170), ("blockade-line", 324, 116)],
)
def test_how_many_openings_the_rule_books_have(name, stones, positions):
    """As they were counted elsewhere, by stones and by positions."""
    assert (count_openings(variant(name), 1), count_openings(variant(name), 2)) == (stones, positions)


def test_openings_are_not_counted_where_that_would_take_long():
    """On a large board there are more than anybody wants."""
    assert count_openings(variant("snort:grid-20x20")) is None


@pytest.mark.parametrize(
    "name",
    [
        *(
            pytest.param(name, marks=pytest.mark.long if at % 3 else ())
            for at, name in enumerate(SMALL_NAMES)
        ),
        "blockade-line",
        "grid-block",
        "grid-lock",
    ],
)
def test_won_and_lost_openings_take_turns_as_long_as_there_are_both(name):
    """Every verdict is right; the first is won, the next lost, and so on until one kind is used up."""
    found = verdicts(name, 10_000)
    chosen = variant(name)
    assert all(is_won == wins(chosen.replay(cells)) for cells, is_won in found)
    both = 2 * min([is_won for _, is_won in found].count(verdict) for verdict in (True, False))
    if len(found) <= 64:  # further apart they need not be found
        assert [is_won for _, is_won in found[:both]] == [True, False] * (both // 2)
        assert len({is_won for _, is_won in found[both:]}) <= 1


@pytest.mark.parametrize("name", ["blockade-5x5", "blockade-4x4", "grid-lock", "grid-block", "blockade-line"])
def test_the_openings_of_the_rule_books_are_balanced(name):
    """Half of the usual eight are won for the side to move, and half are lost."""
    assert [is_won for _, is_won in verdicts(name, 8)] == [True, False] * 4


def test_what_cannot_be_solved_is_drawn_all_the_same():
    """On a board that is too large openings are not known to be won or lost, and that is said."""
    assert [is_won for _, is_won in verdicts("snort:grid-40x40", 12)] == [None] * 12


@examples(5)
@given(st.sampled_from(MEDIUM), st.integers(0, 2**63), st.integers(0, 50), st.integers(0, 50))
@pytest.mark.long
def test_asking_for_more_changes_none_of_those_asked_for_before(name, seed, one, other):
    """Opening k depends on the variant, the seed and k, never on how many are asked for."""
    fewer, more = sorted((one, other))
    assert opened(name, more, seed)[:fewer] == opened(name, fewer, seed)


@pytest.mark.parametrize("name", ["blockade-5x5", "snort:hex-4x5", "col:ring-17", "kayles:line-30"])
def test_another_seed_draws_other_openings(name):
    """No two of a few seeds give the same openings."""
    drawn = [tuple(opened(name, 8, seed)) for seed in range(6)]
    assert len(set(drawn)) == len(drawn)


def test_another_variant_draws_other_openings():
    """Boards of the same size draw each their own openings, and so do rules on one board."""
    names = [f"{rule}:{board}" for rule in RULES for board in ("grid-4x4", "line-16", "ring-16", "hex-4x4")]
    drawn = [tuple(opened(name, 12)) for name in names]
    assert len(set(drawn)) == len(drawn)


def test_every_machine_draws_these():
    """What was drawn once is drawn for ever: openings are part of games that people have published."""
    assert opened("blockade-5x5", 8) == [
        (),
        (11, 3, 22),
        (16,),
        (0, 22, 11),
        (15, 0),
        (12,),
        (15, 23, 14),
        (21, 1, 19),
    ]


@pytest.mark.timeout(30)  # listing all that there are would take days
@pytest.mark.parametrize(
    "board",
    [
        "line-4096",
        "torus-64x64",
        *(
            pytest.param(board, marks=pytest.mark.long)
            for board in ("ring-4096", "grid-64x64", "grid-64x64-rook", "hex-64x64", "grid-2x2048")
        ),
    ],
)
def test_the_largest_boards_are_drawn_from_at_once(board):
    """On 4,096 cells nothing is listed: some openings take a moment."""
    for rule in RULES:
        assert len(set(opened(f"{rule}:{board}", 50))) == 50


@pytest.mark.long
def test_where_there_are_few_openings_they_are_found_soon(tmp_path):
    """On a graph on which one claim ends the game there is one opening, and nothing longer is looked for."""
    edges = [[a, b] for a in range(110) for b in range(a)]
    file = tmp_path / "complete.toml"
    file.write_text(f'rule = "kayles"\nboard.edges = {edges}\n')
    made = variant(file)
    assert openings(made, define(made), 1, 8) == [((), True)]
