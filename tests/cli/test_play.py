"""`arena play` with people at both ends, and whatever people type."""

import contextlib
import os
import pty
import random
import signal
import subprocess
import time

import pytest

import arena
from arena.game import RULE_BOOKS
from tests.cli.command import ARENA, plain, run
from tests.cli.keyboard import hear_interrupts

# For each rule book: a first move, and what may be typed instead of the second with the reason given.
REFUSALS = {
    "blockade-4x4": (
        ["2 2"],
        {
            "": "No square was entered.",
            "   ": "No square was entered.",
            "b2": "'b2' is not a row or column.",
            "b 2": "'b' is not a row or column.",
            "5 1": "Row or column 5 is not on the board; squares range from (1,1) to (4,4).",
            "1 0": "Row or column 0 is not on the board",
            "-1 2": "Row or column -1 is not on the board",
            "2 2": "Square (2,2) is already marked.",
            "(1,1)": "Square (1,1) is blocked.",
            "1 2 3": "'1 2 3' is not a row and a column",
            "4": "'4' is not a row and a column",
        },
    ),
    "blockade-5x5": (
        ["3 3"],
        {
            "": "Invalid move! You did not enter a position.",
            "x y": "Invalid move! 'x' is not a row or column.",
            "6 6": "Invalid move! Row or column 6 is not on the grid; both go from 1 to 5.",
            "3 3": "Invalid move! The cell (3,3) is not empty.",
            "2 2": "Invalid move! You cannot place next to an opponent's block.",
            "1 2 3": "Invalid move! '1 2 3' is not a row and a column",
        },
    ),
    "grid-lock": (
        ["6"],
        {
            "": "No number was entered.",
            "six": "'six' is not the number of a cell.",
            "0": "There is no cell 0; cells are numbered from 1 to 16.",
            "17": "There is no cell 17",
            "6": "Cell 6 is already claimed.",
            "11": "Cell 11 is blocked.",
            "4 8": "'4 8' is not one number.",
            "+4": "'+4' is not the number of a cell.",
            "1_2": "'1_2' is not the number of a cell.",
            "٤": "'٤' is not the number of a cell.",
            "9" * 5000: "There is no cell 99999",
            "\x1b[31m4": "'\\x1b[31m4' is not the number of a cell.",
        },
    ),
    "grid-block": (
        ["1", "1", "3", "3"],
        {
            "": "Not valid: nothing was entered.",
            "one": "Not valid: 'one' is not a number.",
            "4": "Not valid: 4 is not within 0-3.",
            "1\n1": "Not valid: cell (1, 1) is not empty.",
            "0\n0": "Not valid: cell (0, 0) is adjacent to one of your own pieces.",
            "0 3": "Not valid: '0 3' is not one number; row and column are asked for one after the other.",
        },
    ),
    "blockade-line": (
        ["7"],
        {
            "": "No position was entered.",
            "seven": "'seven' is not the number of a position.",
            "14": "There is no position 14; positions are numbered from 1 to 13.",
            "7": "Position 7 is already claimed.",
            "8": "Position 8 is blocked.",
            "1 3": "'1 3' is not one position.",
        },
    ),
    "snort:grid-3x4": (
        ["0"],
        {
            "": "Invalid move: nothing was entered.",
            "a": "Invalid move: 'a' is not a number.",
            "12": "Invalid move: '12' is not on the board, whose cells are 0 to 11.",
            "0": "Invalid move: cell 0 is already claimed.",
            "5": "Invalid move: cell 5 is closed to you.",
        },
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_bad_input_is_refused_with_the_reason_and_asked_again(name):
    """Each refusal gives its reason in the book's manner, and the same question follows it."""
    first, refusals = REFUSALS[name]
    typed = [*first, *refusals]
    output = run("play", name, typed="".join(f"{line}\n" for line in typed)).stdout
    for reason in refusals.values():
        assert reason in output
        output = output[output.index(reason) + len(reason) :]
        assert "nter" in output


def test_every_rule_book_has_its_refusals_tested():
    """A rule book that is added must say no in its own manner too."""
    assert set(RULE_BOOKS) < set(REFUSALS)


@pytest.mark.parametrize("name", [*RULE_BOOKS, "snort:grid-3x4", "col:ring-9", "kayles:hex-3x3"])
def test_a_whole_game_can_be_played(name):
    """Any legal game can be typed in, and ends with the right winner and exit code 0."""
    variant, chance = arena.variant(name), random.Random(name)
    position = variant.start()
    while not position.is_over:
        position = position.play(chance.choice(position.legal_moves))
    typed = [variant.notation.spell(cell) for cell in position.history]
    lines = [part for text in typed for part in (text.split() if name == "grid-block" else [text])]
    result = run("play", name, typed="".join(f"{line}\n" for line in lines))
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.rstrip().splitlines()[-1].startswith(("Player", "Game Over."))
    assert position.winner is not None
    assert f"Player {position.winner + 1}" in result.stdout.rstrip()[-60:]


def test_input_that_is_no_text_is_refused_as_a_move():
    """Bytes that are no UTF-8 are no reason to crash."""
    result = run("play", "grid-lock", typed=b"\xff\xfe\x00\n6\n")
    assert "is not the number of a cell." in result.stdout
    assert "Updated Grid:" in result.stdout
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("typed", ["", "2 2", "2 2\n4"])
def test_end_of_input_leaves_cleanly(typed):
    """No traceback, a last word, exit code 0."""
    result = run("play", "blockade-4x4", typed=typed)
    assert result.stdout.endswith("\nThe input has ended; the game is left unfinished.\n")
    assert (result.returncode, result.stderr) == (0, "")


def test_a_closed_input_is_the_end_of_input():
    """Where there is no standard input at all, the game is left unfinished like any other."""
    done = subprocess.run(
        ["sh", "-c", f"{ARENA} play grid-lock <&-"], capture_output=True, text=True, check=False, env=plain()
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("the game is left unfinished.\n")


def test_what_a_terminal_cannot_show_is_shown_as_codes():
    """A terminal without the letter, and control codes from a pipe, are no reason to crash or to be fooled."""
    environment = plain() | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [ARENA, "play", "grid-lock"],
        input="é\n\x1b[2J\n".encode(),
        capture_output=True,
        check=False,
        env=environment,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\x1b" not in done.stdout


def test_a_single_neighbour_is_blocked_in_the_singular():
    """At the end of the line there is one position to block."""
    output = run("play", "blockade-line", typed="1\n13\n").stdout
    assert "Position 2 is now blocked.\n" in output
    assert "Position 12 is now blocked.\n" in output


def test_ctrl_c_leaves_cleanly():
    """On a real terminal: exit code 130 and no traceback."""
    keyboard, terminal = pty.openpty()
    game = subprocess.Popen(
        [ARENA, "play", "grid-lock"],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=plain(),
        preexec_fn=hear_interrupts,  # noqa: PLW1509 - there are no threads here
    )
    os.close(terminal)
    shown = b""
    while b"claim: " not in shown:
        shown += os.read(keyboard, 1000)
    os.write(keyboard, b"6\n")
    while shown.count(b"claim: ") < 2:
        shown += os.read(keyboard, 1000)
    assert b"claim: 6\r\n\r\nUpdated" in shown  # a terminal shows by itself what is typed, once
    game.send_signal(signal.SIGINT)
    assert game.wait(timeout=20) == 130
    time.sleep(0.05)
    os.set_blocking(keyboard, False)
    with contextlib.suppress(OSError):  # the terminal may be gone, with nothing more on it
        shown += os.read(keyboard, 10_000)
    os.close(keyboard)
    assert b"Traceback" not in shown


@pytest.mark.parametrize("name", ["blockade-4x4", "blockade-line"])
def test_player_1_starts_where_the_book_says_so(name):
    """--start 2 and --start coin are refused with the book's word; --start 1 is what the book says."""
    for start in ("2", "coin"):
        result = run("play", name, "--start", start)
        assert result.returncode == 1
        assert result.stderr == (
            f"arena: --start {start}: the rule book of {name} says that Player 1 moves first\n"
        )
    assert run("play", name, "--start", "1").returncode == 0


def test_the_coin_says_who_starts():
    """Over some tosses either player comes to start, and it is said who."""
    starters = {run("play", "grid-block", "--start", "coin").stdout.partition("\n")[0] for _ in range(20)}
    assert starters == {f"The coin says: Player {player} moves first." for player in (1, 2)}


def test_the_board_can_be_drawn_before_every_turn():
    """The dialogue of blockade-4x4 draws no board; --board adds it."""
    output = run("play", "blockade-4x4", "--board", typed="2 2\n").stdout
    assert "\n. . . .\n. . . .\n" in output
    assert "\n# # # .\n# X # .\n# # # .\n. . . .\n\nPlayer 2" in output


def test_start_takes_no_other_value():
    """A wrong option is wrong usage: exit code 2."""
    result = run("play", "grid-lock", "--start", "3")
    assert result.returncode == 2
    assert "'3'" in result.stderr
