"""The rule books' own example games: right as far as they are right, and stopped at the known erratum."""

import re

import pytest

import arena
from tests.game.books import FILES, code_blocks, example

MOVES = {
    "blockade-4x4": r"chooses square `(.*?)`",
    "blockade-5x5": r"\*\*Action\*\*: Places an `[XO]` (?:at|in the center cell) (\(.*?\))",
    "grid-lock": r"Claims cell \*\*(\d+)\*\*",
    "grid-block": r"\*\*Move\*\*: Place '[XO]' at (\(.*?\))",
    "blockade-line": r"selects position\*\* `(\d+)`",
}

# The ply at which the referee must stop the example, and how many plies the book claims.
STOPPED_AT = {"blockade-4x4": 5, "blockade-5x5": 3, "grid-lock": 3, "grid-block": None, "blockade-line": None}


def moves(name: str) -> list[int]:
    found = re.findall(MOVES[name], example(name))
    spelled = [re.sub(r"row (\d), column (\d)", r"\1,\2", text) for text in found]
    return [arena.variant(name).parse(text) for text in spelled]


def positions(name: str) -> list[arena.Position]:
    """Every position of the example until it breaks a rule or ends."""
    found = [arena.variant(name).start()]
    for cell in moves(name):
        try:
            found.append(found[-1].play(cell))
        except arena.IllegalMove:
            break
    return found


@pytest.mark.parametrize("name", FILES)
def test_examples_stop_at_the_known_erratum_and_nowhere_else(name):
    """An example is legal to its end, or to the ply that breaks the book's own rule text."""
    legal = len(positions(name)) - 1
    claimed = moves(name)
    assert len(claimed) >= 4
    stopped = STOPPED_AT[name]
    if stopped is None:
        assert legal == len(claimed)
    else:
        assert legal == stopped - 1


def test_the_walkthrough_of_blockade_4x4_is_won_by_player_2():
    """After ply 4 no square is open, so the side to move, Player 1, has lost."""
    last = positions("blockade-4x4")[-1]
    assert last.is_over
    assert last.winner == 1


def test_the_end_of_the_blockade_5x5_example_is_no_end():
    """In the closing picture, seven cells are open to Player 2."""
    variant = arena.variant("blockade-5x5")
    blocks = {0: ["3 3", "2 2", "4 3"], 1: ["1 1", "5 5"]}
    near_x = {n for text in blocks[0] for n in variant.board.neighbours(variant.parse(text))}
    taken = {variant.parse(text) for texts in blocks.values() for text in texts}
    open_to_o = sorted(set(range(25)) - near_x - taken)
    names = [variant.start().name(cell) for cell in open_to_o]
    assert " ".join(names) == "(1,4) (1,5) (2,5) (3,5) (4,1) (4,5) (5,1)"
    (erratum,) = [e for e in variant.book.errata if "end" in e.where]
    assert re.findall(r"\(\d,\d\)", erratum.what) == names


def test_the_list_at_turn_5_of_grid_block_is_as_the_erratum_says():
    """Open to Player 1 at turn 5 are four cells, and not those that the book lists."""
    fifth = positions("grid-block")[4]
    names = [fifth.name(cell) for cell in fifth.legal_moves]
    assert names == ["(0, 2)", "(0, 3)", "(2, 0)", "(3, 0)"]
    assert ", ".join(names[:3]) in fifth.variant.book.errata[0].what


def test_the_example_of_blockade_line_ends_as_the_book_says():
    """The one book without errata: Player 1 wins after five plies."""
    last = positions("blockade-line")[-1]
    assert (last.is_over, last.winner, len(last.history)) == (True, 0, 5)


@pytest.mark.parametrize("name", ["blockade-4x4", "blockade-5x5", "grid-block"])
def test_pictures_are_those_of_the_book(name):
    """Each position of the example, while it is legal, is drawn to the letter as the book draws it."""
    blocks = code_blocks(example(name))
    drawn = [str(position) for position in positions(name)]
    assert drawn == blocks[: len(drawn)]


def test_pictures_of_the_line_are_those_of_the_book():
    """The line is drawn as the book draws it, which prints each picture twice."""
    blocks = code_blocks(example("blockade-line"))
    drawn = [str(position) for position in positions("blockade-line")]
    assert [f"Positions: {picture}\nMarkers:   {picture}" for picture in drawn] == blocks


def test_pictures_of_grid_lock_are_those_of_the_book_with_its_errata_mended():
    """The book leaves 3 and 9 open next to 6, and 12 next to 15; the spacing is its own."""
    initial, after_6, after_15, *_ = code_blocks(example("grid-lock"))
    mended = [
        initial,
        after_6.replace("3   4", "-   4").replace("9   -", "-   -"),
        after_15.replace("3   4", "-   4").replace("9   -   -  12", "-   -   -   -"),
    ]
    assert [str(position) for position in positions("grid-lock")] == mended
