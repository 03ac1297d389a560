"""`arena play --rounds`: several games, who starts each, and the tally."""

import re

import pytest

import arena
from tests.cli.command import run

STARTS = re.compile(r"^(.*) goes first\.$", re.M)
TALLY = re.compile(r"^After game (\d) of (\d): (\S+ \S+) (\d), (\S+ \S+) (\d)$", re.M)


def match(variant, *options, cwd, typed=""):
    """What a match prints; it must end well."""
    done = run("play", variant, *options, typed=typed, cwd=cwd)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_who_starts_is_swapped_and_the_tally_adds_up(tmp_path):
    """The stones stay with the players; the overall winner is who has won more games."""
    output = match(
        "blockade-5x5", "--first", "perfect", "--second", "first_legal", "--rounds", "3", cwd=tmp_path
    )
    assert STARTS.findall(output) == ["perfect (X)", "first_legal (O)", "perfect (X)"]
    assert re.findall(r"^Game \d of \d$", output, re.M) == ["Game 1 of 3", "Game 2 of 3", "Game 3 of 3"]
    tallies = TALLY.findall(output)
    assert [(one, other) for _, _, one, _, other, _ in tallies] == [("perfect (X)", "first_legal (O)")] * 3
    assert [int(tally[3]) + int(tally[5]) for tally in tallies] == [1, 2, 3]
    won = output.count("perfect (X) wins the game!")
    assert (int(tallies[-1][3]), int(tallies[-1][5])) == (won, 3 - won)
    assert output.endswith(f"\nperfect (X) is the overall winner: {won} to {3 - won}.\n")


def test_the_second_player_may_start_the_first_game(tmp_path):
    """--start 2, and then they take turns."""
    options = ("--first", "greedy", "--second", "mirror", "--rounds", "2", "--start", "2")
    assert STARTS.findall(match("blockade-5x5", *options, cwd=tmp_path)) == ["mirror (O)", "greedy (X)"]


def test_the_coin_is_tossed_for_every_game(tmp_path):
    """And says who starts, by name."""
    options = ("--first", "first_legal", "--rounds", "12", "--second", "greedy", "--start", "coin")
    output = match("grid-block", *options, cwd=tmp_path)
    tossed = re.findall(r"^The coin says: (.*) moves first\.$", output, re.M)
    assert len(tossed) == 12
    assert set(tossed) == {"first_legal (X)", "greedy (O)"}


@pytest.mark.parametrize("variant", ["blockade-4x4", "blockade-line"])
def test_player_1_starts_every_game_where_the_book_says_so(tmp_path, variant):
    """A match does not change the rule book, and --start stays refused."""
    options = ("--first", "first_legal", "--second", "greedy", "--rounds", "2")
    output = match(variant, *options, cwd=tmp_path)
    games = output.split("Game 2 of 2")
    assert all(game.index("first_legal (X)") < game.index("greedy (O)") for game in games)
    refused = run("play", variant, *options, "--start", "coin", cwd=tmp_path)
    assert refused.returncode == 1
    assert "says that Player 1 moves first" in refused.stderr


def test_people_play_a_match_and_may_stop_in_the_middle(tmp_path):
    """The tally names the players of the book; a draw is nobody's; what is unfinished counts for nobody."""
    variant = arena.variant("snort:line-1")
    assert not variant.start().play(0).legal_moves
    drawn = match("snort:line-1", "--rounds", "2", typed="0\n0\n", cwd=tmp_path)
    assert "After game 1 of 2: Player 1 1, Player 2 0\n" in drawn
    assert drawn.endswith(
        "After game 2 of 2: Player 1 1, Player 2 1\n\nNobody is the overall winner: 1 to 1.\n"
    )
    stopped = match("snort:line-1", "--rounds", "3", typed="0\n", cwd=tmp_path)
    assert stopped.endswith("\nThe input has ended; the game is left unfinished.\n")
    assert "overall" not in stopped


def test_a_forfeit_counts_and_the_match_goes_on(tmp_path):
    """A bot that crashes loses that game, and begins the next one afresh."""
    (tmp_path / "bad.py").write_text(
        "seen = []\ndef move(position):\n    seen.append(1)\n    return [len(seen)][1]\n"
    )
    output = match("grid-lock", "--first", "bad.py", "--second", "greedy", "--rounds", "2", cwd=tmp_path)
    assert output.count("bad (X) forfeits: crash") == 2
    assert output.endswith("greedy (O) is the overall winner: 2 to 0.\n")


def test_one_game_has_no_tally(tmp_path):
    """Without --rounds a game is as the book has it; a wrong number is wrong usage."""
    assert "After game" not in match("grid-lock", "--first", "greedy", "--second", "mirror", cwd=tmp_path)
    assert run("play", "grid-lock", "--rounds", "0", cwd=tmp_path).returncode == 2
