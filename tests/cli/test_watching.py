"""`arena play` with bots: who is who, every move at one's own pace, and what a bot prints or breaks."""

import json
from types import SimpleNamespace
from typing import Any

import pytest

import arena
from arena.cli.replay import write_mark
from arena.solver.grades import Grade
from tests.cli.command import run
from tests.cli.keyboard import Terminal

LINES = {
    "missing": "import nothing_of_this_name\n",
    "syntax": "def move(:\n",
    "no move": "x = 1\n",
}


@pytest.mark.parametrize("isolation", ["sandboxed", "trusted"])
@pytest.mark.parametrize("fault", LINES)
def test_a_bot_that_cannot_start_is_one_sentence(tmp_path, fault, isolation):
    """Its author can fix it: exit code 1, one line, no traceback; on either side."""
    (tmp_path / "s.py").write_text(LINES[fault])
    for side in ("--first", "--second"):
        result = run("play", "blockade-line", side, "s.py", "--isolation", isolation, cwd=tmp_path)
        assert (result.returncode, result.stdout) == (1, "")
        assert result.stderr.startswith("arena: s.py cannot start: ")
        assert result.stderr.endswith("; `arena check` shows where\n")
        assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("variant", "lines"),
    [
        ("blockade-4x4", ["greedy (X), it's your turn."]),
        (
            "blockade-5x5",
            ["greedy is 'X'", "perfect is 'O'", "greedy (X) goes first.", "greedy (X), enter your"],
        ),
        ("grid-lock", ["greedy (X), enter the number", "perfect (O), enter the number"]),
        ("grid-block", ["greedy (X)'s Turn ('X'):", "perfect (O)'s Turn ('O'):"]),
        ("blockade-line", ["greedy (X)'s Turn", "claimed by perfect (O)."]),
        ("snort:line-5", ["greedy (X), it's your turn.", "greedy (X) claimed "]),
    ],
)
def test_a_bot_is_called_by_its_name(tmp_path, variant, lines):
    """In every rule book's words, its name and stone stand where the book says Player 1."""
    output = run("play", variant, "--first", "greedy", "--second", "perfect", cwd=tmp_path).stdout
    for line in lines:
        assert line in output
    assert "Player" not in output
    assert output.rstrip().removesuffix("Game Over.").rstrip().endswith(("wins the game!", "wins!"))


def test_a_person_stays_the_player_of_the_book(tmp_path):
    """Only the bot has another name; when Player 2 starts, the stones stay with their players."""
    output = run("play", "blockade-5x5", "--second", "greedy", typed="3 3\n", cwd=tmp_path).stdout
    assert "Player 1 is 'X'\ngreedy is 'O'\n\nPlayer 1 goes first.\n" in output
    assert "Player 1 ('X'), enter your move (row and column): 3 3" in output
    output = run("play", "blockade-5x5", "--second", "greedy", "--start", "2", cwd=tmp_path).stdout
    assert "greedy (O) goes first.\n" in output


def test_closed_cells_are_drawn_for_who_watches_a_bot(tmp_path):
    """Where the book has no mark for them, they have one beside bots and with --grade, and else the book's look."""
    typed = "3 3\n"
    plain = run("play", "blockade-5x5", typed=typed, cwd=tmp_path).stdout
    assert "-" not in plain
    for options in (["--grade"], ["--second", "greedy"]):
        output = run("play", "blockade-5x5", *options, typed=typed, cwd=tmp_path).stdout
        assert "A - is closed to whoever moves next.\n" in output
        assert (
            "[ ][ ][ ][ ][ ]\n[ ][-][-][-][ ]\n[ ][-][X][-][ ]\n[ ][-][-][-][ ]\n[ ][ ][ ][ ][ ]\n" in output
        )
    marked = run("play", "blockade-line", "--grade", typed="7\n", cwd=tmp_path).stdout
    assert "is closed to whoever" not in marked  # its book has a mark of its own


def test_each_move_is_marked_against_perfect_play(tmp_path):
    """People's moves too, in the words of `arena replay --grade`; a forfeit is marked like a move."""
    output = run("play", "blockade-5x5", "--grade", typed="1 1\n3 4\n", cwd=tmp_path).stdout
    assert "\n1. Player 1: (1,1)  [thrown away; (3,3) would have won]\n" in output
    assert "\n2. Player 2: (3,4)  [" in output
    (tmp_path / "wild.py").write_text("def move(position):\n    return 99\n")
    lost = run("play", "blockade-line", "--first", "wild.py", "--grade", cwd=tmp_path).stdout
    assert "\n1. wild (X): no legal move  [thrown away; 7 would have won]\n" in lost


def test_enter_lets_a_bot_move(tmp_path):
    """On a real terminal: nothing happens before Enter, and the end of the input leaves the game."""
    game = Terminal("play", "blockade-line", "--first", "first_legal", "--step", cwd=tmp_path)
    game.until("(Enter lets first_legal (X) move) ")
    assert game.stays_silent()
    game.type("")
    game.until("claim: 1\nPosition 1 claimed by first_legal (X).\n")
    game.until("you want to claim: ")
    game.type("4")
    game.until("(Enter lets first_legal (X) move) ")
    game.type("\x04")
    code, rest = game.end()
    assert (code, rest) == (0, "\n\nThe input has ended; the game is left unfinished.\n")
    unfinished = run("play", "blockade-line", "--first", "greedy", "--step", cwd=tmp_path)
    assert unfinished.stdout.endswith("\nThe input has ended; the game is left unfinished.\n")
    assert unfinished.returncode == 0


@pytest.mark.parametrize("isolation", ["sandboxed", "trusted"])
def test_what_a_bot_prints_is_shown_and_a_crash_with_its_traceback(tmp_path, isolation):
    """An author sees as much as `arena rerun` shows, in the game itself; nothing of it reaches the terminal raw."""
    text = "print('loaded')\ndef move(position):\n    print('thinking\\x1b[2J')\n    if position.history: return [][0]\n"
    (tmp_path / "mine.py").write_text(f"{text}    return position.legal_moves[0]\n")
    done = run(
        "play", "grid-lock", "--first", "mine.py", "--isolation", isolation, typed="16\n", cwd=tmp_path
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("mine printed: loaded\n")
    assert done.stdout.count("mine printed: thinking\\x1b[2J\n") == 2
    assert '    Traceback (most recent call last):\n      File "mine.py", line 4, in move\n' in done.stdout
    assert done.stdout.endswith(
        "\nmine (X) forfeits: crash, ply 3: raised IndexError: list index out of range.\nPlayer 2 wins the game!\n"
    )


COMMAND = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    if message["type"] == "move":
        print("asked", file=sys.stderr, flush=True)
        print(json.dumps({"id": message["id"], "move": message["legal"][-1]}), flush=True)
"""
CONFIG = """
[tournament]
variants = ["blockade-line"]
[limits]
start_seconds = 4.0
[[bots]]
name = "backwards"
command = ["python3", "backwards.py"]
"""


@pytest.fixture
def other_language(tmp_path):
    """A folder with a command bot that a tournament file names."""
    (tmp_path / "backwards.py").write_text(COMMAND)
    (tmp_path / "small.toml").write_text(CONFIG)
    return tmp_path


def test_a_command_plays_by_its_name_in_a_tournament_file(other_language):
    """Game after game, and what it writes to stderr is shown."""
    options = ("--first", "backwards", "--second", "first_legal", "--config", "small.toml", "--rounds", "2")
    done = run("play", "snort:line-5", *options, cwd=other_language)
    assert (done.returncode, done.stderr) == (0, "")
    assert "backwards printed: asked\n" in done.stdout
    assert "backwards (X) claimed 4.\n" in done.stdout
    assert "is the overall winner" in done.stdout or "Nobody is the overall winner" in done.stdout


@pytest.mark.long
def test_a_command_is_compared_by_its_name_in_a_tournament_file(other_language):
    """`arena versus` finds it in the same file."""
    options = ("--config", "small.toml", "--games", "4", "--executor", "serial", "--quiet")
    done = run("versus", "backwards", "first_legal", *options, cwd=other_language)
    assert done.returncode == 0, done.stderr
    assert "results are in results/versus-backwards-first_legal/" in done.stdout
    same = run("versus", "backwards", "backwards", *options, cwd=other_language)
    assert same.stderr == "arena: backwards and backwards are the same bot; there is nothing to compare\n"
    listed = run("games", "versus-backwards-first_legal", "--format", "json", cwd=other_language).stdout
    assert {game["ending"] for game in json.loads(listed)} == {"no-moves"}


def test_a_win_without_a_known_winning_move_is_said_in_words():
    """A proof may say who wins and not how; then no empty list of moves is printed."""
    grader: Any = SimpleNamespace(winning_moves=lambda position: ())
    mark = write_mark(grader, Grade.THROWN_AWAY, arena.variant("grid-lock").start())
    assert mark == "  [thrown away; another move, which is not known, would have won]"
