"""`arena play` against the dialogues that the rule books print, line by line, errata aside."""

import random
import re

import pytest

import arena
from tests.cli.command import run
from tests.game.books import dialogue, example


def played(name: str, *typed: str, options: tuple[str, ...] = ()) -> str:
    """What `arena play` prints for lines typed in; it shows what comes from a pipe as if typed."""
    result = run("play", name, *options, typed="".join(f"{line}\n" for line in typed))
    assert result.stderr == ""
    assert result.returncode == 0
    return result.stdout


def typed_in(text: str) -> list[str]:
    """What the people in a dialogue of a rule book typed."""
    return re.findall(r"^(?:Enter|Player \d.*, enter) .*?: ?(\d.*)$", text, re.M)


def finished(name: str, winner: int) -> list[str]:
    """The typed moves of some whole game that a side wins."""
    variant, chance = arena.variant(name), random.Random(1)
    while True:
        position = variant.start()
        while not position.is_over:
            position = position.play(chance.choice(position.legal_moves))
        if position.winner == winner:
            return [variant.notation.spell(cell) for cell in position.history]


def mended(text: str, *errata: tuple[str, str]) -> str:
    """A dialogue with its errata mended; each must be there."""
    for wrong, right in errata:
        assert wrong in text
        text = text.replace(wrong, right, 1)
    return text


def test_blockade_line_speaks_its_book_to_the_letter():
    """The whole dialogue, which has no erratum, is what the software prints."""
    book = "\n\n".join(dialogue("blockade-line"))
    assert typed_in(book) == ["7", "4", "10", "12", "2"]
    assert played("blockade-line", *typed_in(book)) == book + "\n"


def test_blockade_4x4_speaks_its_book_up_to_the_erratum():
    """The dialogue holds but for the lists without (3,4); it ends when nothing is open after ply 4."""
    (book,) = dialogue("blockade-4x4")
    legal, illegal = book.split("\nPlayer 1 ('X'), it's your turn.\nAvailable moves: (4,1).\n")
    assert "Enter your move (row and column): 4 1" in illegal
    ending = illegal[illegal.index("\nPlayer 2 ('O'), it's your turn.") :]
    swapped = ending.translate(str.maketrans("12XO", "21OX"))
    expected = mended(
        legal,
        ("Available moves: (1,4), (2,4), (4,4).", "Available moves: (1,4), (2,4), (3,4), (4,4)."),
        ("Available moves: (4,4).", "Available moves: (3,4), (4,4)."),
    )
    assert played("blockade-4x4", *typed_in(legal)) == expected + swapped + "\n"


def test_blockade_5x5_speaks_its_book():
    """Start, turns, the refusal of 1 2 and the end are those of the dialogue."""
    start, first, second, refusal, over = dialogue("blockade-5x5")
    output = played("blockade-5x5", "3 3", "1 1", "1 2")
    assert output.startswith("\n\n".join([start, first, second]) + "\n\nCurrent Grid:\n")
    assert (
        f"\n\nInvalid positions are adjacent to opponent's blocks.\n\n{refusal}\n\nPlayer 1 ('X')," in output
    )
    assert played("blockade-5x5", *finished("blockade-5x5", winner=0)).endswith(f"\n\n{over}\n")


def test_grid_lock_speaks_its_book():
    """Prompts and grids are those of the dialogue, with 3, 9 and 12 blocked and the first grid's spacing."""
    start, first, second = dialogue("grid-lock")
    opening = start.removesuffix("Player 1, enter the number of the cell you want to claim:")
    expected = f"{opening}{_mended_turn(first)}\n\n{_mended_turn(second)}\n\nPlayer 1, enter the number"
    assert played("grid-lock", "6", "15").startswith(expected)


def test_grid_lock_names_the_loser_as_its_example_does():
    """The dialogue breaks off before the end; the example game has the sentence."""
    (sentence,) = re.findall(r"\*\*Result\*\*: (Player 2 .*)", example("grid-lock"))
    output = played("grid-lock", *finished("grid-lock", winner=1), options=("--start", "2"))
    assert output.endswith(f"\n{sentence}\nPlayer 1 wins the game!\n")


def _mended_turn(block: str) -> str:
    """A turn of the Grid Lock dialogue with its errata mended."""
    lines = [line.strip() for line in block.splitlines()]  # its last row is shifted by a space
    fixes = {
        "-   -   3   4": "-   -   -   4",
        "9   -   -  12": "-   -   -  12" if "claim: 6" in block else "-   -   -   -",
    }
    return "\n".join(fixes.get(line, line) for line in lines)


def test_grid_block_speaks_its_book():
    """All six plies are as in the dialogue, with the hint for whoever has a piece; then it goes on."""
    (book,) = dialogue("grid-block")
    told, _, ending = book.rpartition("\n\n")
    hint = "Available cells are those not adjacent to your pieces.\n"
    turn_of_2 = "Player 2's Turn ('O'):\n"
    head, *tail = told.split(turn_of_2)
    assert len(tail) == 3
    expected = head + turn_of_2 + (turn_of_2 + hint).join(tail)
    output = played("grid-block", *typed_in(told))
    assert output.startswith(expected + "\n\nPlayer 1's Turn ('X'):\n" + hint + "Enter row (0-3): ")
    assert "No valid moves available." in ending
    moves = [typed for cell in finished("grid-block", winner=1) for typed in cell.split()]
    assert played("grid-block", *moves).endswith(f"\n\n{ending}\n")


@pytest.mark.parametrize(
    ("name", "typed", "picture", "then"),
    [
        ("blockade-5x5", ["1 1"], "[O][ ][ ][ ][ ]", "Player 1 ('X'), enter"),
        ("grid-lock", ["6"], "-   O   -   8", "Player 1, enter"),
        ("grid-block", ["0", "0"], "O . . .", "Player 1's Turn ('X'):"),
    ],
)
def test_player_2_may_start_where_the_book_leaves_it_open(name, typed, picture, then):
    """With --start 2 Player 2 is asked first and claims with O, then Player 1 with X."""
    output = played(name, *typed, options=("--start", "2"))
    first_prompt = output.partition("nter ")[0]
    assert re.findall(r"Player (\d)", first_prompt)[-1] == "2"
    assert picture in output
    assert then in output.partition(picture)[2]
