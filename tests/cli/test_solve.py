"""`arena solve` and the health of variants, as a user meets them."""

import json

import pytest

from tests.cli.command import run


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (("blockade-5x5",), "The first side wins; the first side is to move, and wins only with (3,3).\n"),
        (("grid-block",), "The second side wins; the first side is to move, and every move loses.\n"),
        (
            ("blockade-line", "--moves", "7"),
            "The first side wins; the second side is to move, and every move loses.\n",
        ),
        (
            ("col:line-1", "--moves", "0"),
            "The game is over: the second side is to move and has no move; the first side has won.\n",
        ),
    ],
)
def test_a_solution_is_a_sentence(arguments, shown):
    """Who wins, who is to move, and which moves win."""
    found = run("solve", *arguments)
    assert (found.returncode, found.stdout, found.stderr) == (0, shown, "")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("blockade-5x5",), {"variant": "blockade-5x5", "to_move": 0, "winner": 0, "winning_moves": [12]}),
        (("blockade-4x4", "--moves", "2 2"), {"variant": "blockade-4x4", "to_move": 1, "winner": 1}),
        (("blockade-line", "--moves", "7, 4"), {"to_move": 0, "winner": 0, "winning_moves": [9, 11]}),
        (("kayles:grid-14x15", "--seconds", "0.05"), {"winner": None, "winning_moves": []}),
    ],
)
def test_json_has_the_keys_of_the_contract(arguments, expected):
    """Cells are numbers, and what is unknown is null."""
    found = json.loads(run("solve", *arguments, "--format", "json").stdout)
    assert set(found) == {"variant", "to_move", "winner", "winning_moves", "unknown_moves"}
    assert expected.items() <= found.items()


def test_a_move_that_wins_by_symmetry_is_named_when_time_runs_out():
    """Who wins snort on 8x8 cells is known by a mirror, and so is by which moves; the others are not solved."""
    told = run("solve", "snort:grid-8x8", "--seconds", "0.3").stdout
    assert told.startswith(
        "The first side wins; the first side is to move, and wins with 27, 28, 35, 36. Not"
    )
    assert " Not solved within 0.3 s: 0, 1, 2, 3," in told
    found = json.loads(run("solve", "snort:grid-8x8", "--seconds", "0.3", "--format", "json").stdout)
    assert (found["winner"], found["winning_moves"]) == (0, [27, 28, 35, 36])
    assert set(found["unknown_moves"]) == set(range(64)) - {27, 28, 35, 36}


def test_a_win_without_a_known_move_is_said_so():
    """A searched position may be won before any of its moves is solved."""
    from arena.cli.solve import _text
    from arena.game import variant
    from arena.solver import Solution

    position = variant("snort:line-3").start()
    told = _text(position, Solution(0, (), (0, 1, 2), 9), 1.0)
    assert told == "The first side wins; the first side is to move; by which move was not found within 1 s."


def test_time_that_runs_out_is_said():
    """Unknown is unknown, never a guess."""
    found = run("solve", "kayles:grid-14x15", "--seconds", "0.05")
    assert (found.returncode, found.stdout) == (0, "Not solved within 0.05 s; the first side is to move.\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("blockade-5x6",), "unknown variant"),
        (("blockade-line", "--moves", "7, 7"), "--moves: ply 2: cell 7 is already claimed"),
        (("blockade-line", "--moves", "99"), "99"),
    ],
)
def test_a_mistake_is_one_line(arguments, words):
    """Exit 1, and what is wrong."""
    found = run("solve", *arguments)
    assert (found.returncode, found.stdout, found.stderr.count("\n")) == (1, "", 1)
    assert words in found.stderr


def test_an_organiser_is_told_before_the_run_which_variants_rank_nobody(tmp_path):
    """In the dry run, when a run begins, and under its standings."""
    from tests.tournament import field

    field.write(
        tmp_path, {"a": field.FIRST, "b": field.LAST}, variants=["grid-lock", "blockade-line"], openings=1
    )
    words = "degenerate: every legal game lasts 4 plies; the second side always wins"
    options = ("run", "configs/cup.toml", "--isolation", "trusted", "--executor", "serial")
    assert (
        f"grid-lock cannot rank anybody: {words}" in field.arena(*options, "--dry-run", cwd=tmp_path).stdout
    )
    done = field.arena(*options, cwd=tmp_path)
    assert f"grid-lock cannot rank anybody: {words}" in done.stderr
    why = words.removeprefix("degenerate: ")
    assert (
        f"grid-lock is degenerate, and its 2 games are left out of scores and ratings: {why}" in done.stdout
    )
    assert "blockade-line is degenerate" not in done.stdout
