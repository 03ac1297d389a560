"""`--debug`: an author's own bot in this process, with the terminal to itself, so that `breakpoint()` works."""

import shutil

import pytest

from tests.cli.command import run
from tests.cli.keyboard import Terminal
from tests.tournament.field import FIRST, LAST, arena, write

STOPS = "def move(position):\n    choice = position.legal_moves[0]\n    breakpoint()\n    return choice\n"


def test_a_breakpoint_stops_a_game_on_the_terminal(tmp_path):
    """The debugger reads and writes the terminal, the bot's variables can be looked at and changed."""
    (tmp_path / "mine.py").write_text(STOPS)
    game = Terminal("play", "blockade-line", "--first", "mine.py", "--debug", cwd=tmp_path)
    game.until("(Pdb) ")
    game.type("p choice")
    game.until("0\n(Pdb) ")
    game.type("choice = 6")
    game.until("(Pdb) ")
    game.type("continue")
    game.until("Enter the position you want to claim: 7\nPosition 7 claimed by mine (X).\n")
    game.until("Enter the position you want to claim: ")
    game.type("1")
    game.until("(Pdb) ")
    game.type("q")
    code, rest = game.end()
    assert code == 1
    assert rest.endswith("arena: the debugger was left, so the game is not finished\n")
    assert "Traceback" not in rest


def test_a_debugged_bot_has_all_the_time_it_wants(tmp_path):
    """A move that any other bot would lose by: nobody thinks within a second at a breakpoint."""
    text = "import time\ndef move(position):\n    end = time.process_time() + 1.1\n"
    text += (
        "    while time.process_time() < end: pass\n    print('late')\n    return position.legal_moves[0]\n"
    )
    (tmp_path / "late.py").write_text(text)
    options = ("--first", "late.py", "--second", "first_legal", "--debug")
    done = run("play", "kayles:line-2", *options, cwd=tmp_path)
    assert (
        done.stdout.rstrip().endswith("late (X) ('X') wins the game!")
        or "late (X) wins the game!" in done.stdout
    )
    assert "\nlate\n" in done.stdout  # straight to the terminal


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A folder with two bots and a tournament between them; `mine` has a breakpoint that is off in a sandbox."""
    folder = tmp_path_factory.mktemp("played")
    where = "import os\n\n\ndef move(position):\n    print('process', os.getpid())\n    return position.legal_moves[0]\n"
    config = write(folder, {"mine": where, "other": LAST}, variants=["blockade-line"], openings=1)
    assert arena("run", config, "--quiet", "--no-audit", "--executor", "serial", cwd=folder).returncode == 0
    return folder


def first_game(folder):
    """The id of a game."""
    return run("games", "cup", "--format", "csv", cwd=folder).stdout.splitlines()[1].partition(",")[0]


def test_one_bot_of_a_logged_game_runs_in_this_process(played):
    """It prints straight to the terminal, its opponent is in the sandbox, and the game is the logged one."""
    done = run("rerun", "cup", first_game(played), "--debug", "mine", cwd=played)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("The same as in the log.\n")
    assert "\nprocess " in done.stdout
    assert "printed: process" not in done.stdout


def test_only_the_users_own_file_with_the_logged_hash_runs_here(played, tmp_path):
    """One sentence where it is not there, has changed, or does not play in that game; a folder's source never runs here."""
    game = first_game(played)
    shutil.copytree(played / "results", tmp_path / "results")
    missing = run("rerun", "cup", game, "--debug", "mine", cwd=tmp_path)
    assert (missing.returncode, missing.stderr.count("\n")) == (1, 1)
    assert "there is no bot 'mine'" in missing.stderr
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "mine.py").write_text(FIRST)
    changed = run("rerun", "cup", game, "--debug", "mine", cwd=tmp_path)
    assert (changed.returncode, changed.stderr.count("\n")) == (1, 1)
    assert "only your own file with the logged hash runs in this process" in changed.stderr
    stranger = run("rerun", "cup", game, "--debug", "greedy", cwd=tmp_path)
    assert (stranger.returncode, stranger.stderr.count("\n")) == (1, 1)
    assert "is between " in stranger.stderr
    for refused in (missing, changed, stranger):
        assert "claims" not in refused.stdout


@pytest.mark.long
def test_a_breakpoint_stops_a_logged_game(tmp_path):
    """The author's way: play it again on a terminal, and look."""
    stops = STOPS.replace("    breakpoint()\n", "    if 'PDB' in __import__('os').environ: breakpoint()\n")
    config = write(tmp_path, {"mine": stops, "other": LAST}, variants=["blockade-line"], openings=1)
    assert arena("run", config, "--quiet", "--no-audit", "--executor", "serial", cwd=tmp_path).returncode == 0
    game = Terminal("rerun", "cup", first_game(tmp_path), "--debug", "bots/mine.py", cwd=tmp_path, PDB="1")
    game.until("(Pdb) ")
    game.type("p position.variant.name")
    game.until("'blockade-line'\n(Pdb) ")
    game.type("q")
    code, rest = game.end()
    assert (code, "Traceback" in rest) == (1, False)
